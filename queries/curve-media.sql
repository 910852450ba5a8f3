-- Energy, latency, throughput and power of images or videos against the size of the batch.
--
-- One row per configuration. Within each series, rows are in the order of batch_size. A series
-- consists of the configurations that differ only in batch_size and repeat.
--
-- Columns:
--   - energy_relative_to_best: energy / the lowest energy of the series, so
--     the best row has 1
--   - energy_rises: true if the energy is above that of the row before
--   - usd_per_thousand_outputs: electricity and rent. Empty unless both
--     rates are given.
--
-- :task                media_task                 workload that makes images or videos
-- :model               model                      model: slug, name or Hugging Face id
-- :gpu                 gpu                        GPU, such as B200
-- :source              source                     source of the figures, such as published
-- :num_gpus            integer from 1             number of GPUs
-- :usd_per_kwh         real from 0 up to 1e6      price of electricity, USD per kWh
-- :usd_per_gpu_hour    real from 0 up to 1e6      rent of a GPU, USD per hour
-- :host_watts_per_gpu  real from 0 up to 1e6      power of the host for each GPU, watts
-- :pue                 real from 1 up to 100 = 1  PUE: energy of the facility / of its machines
-- important: model, gpu, num_gpus, batch_size, wh_per_output, batch_latency_s, outputs_per_second
-- picture: curve of wh_per_output over batch_size by gpu, model, num_gpus
--
-- example: --task text-to-image --model flux-1-dev --gpu B200
--   how energy and latency of one model change with the size of a batch
-- example: --task text-to-video --gpu B200
--   energy and latency against batch size for videos on B200
select
    model,
    gpu,
    num_gpus,
    width_pixels,
    height_pixels,
    num_frames,
    inference_steps,
    ulysses_degree,
    ring_degree,
    precision,
    batch_size,
    wh_per_output,
    joules_per_output / min(joules_per_output) over series as energy_relative_to_best,
    coalesce(joules_per_output > lag(joules_per_output) over by_batch, 0) as energy_rises,
    batch_latency_s,
    outputs_per_second,
    power_watts,
    (joules_per_output + coalesce(:host_watts_per_gpu, 0.0) * num_gpus / outputs_per_second)
    / 3600.0 * :pue * :usd_per_kwh
    + num_gpus / outputs_per_second / 3.6 * :usd_per_gpu_hour as usd_per_thousand_outputs,
    source,
    row_id
from diffusion_energy
where task = :task
    and (:model is null or model = :model)
    and (:gpu is null or gpu = :gpu)
    and (:source is null or source = :source)
    and (:num_gpus is null or num_gpus = :num_gpus)
window
    series as (
        partition by
            model, gpu, num_gpus, width_pixels, height_pixels, inference_steps, num_frames,
            frames_per_second, ulysses_degree, ring_degree, precision, source
    ),
    by_batch as (series order by batch_size, diffusion_configuration_id)
order by
    model, gpu, num_gpus, width_pixels, height_pixels, num_frames, inference_steps,
    ulysses_degree, ring_degree, precision, source, batch_size,
    diffusion_configuration_id;
