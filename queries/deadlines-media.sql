-- The lowest energy of images or videos at every usual latency of a batch.
--
-- One row for each model, GPU, source, setting (size, steps, frames) and deadline, from 1 second
-- to an hour. A deadline that no configuration meets has no row. If energies are equal, the lower
-- latency wins, then the configuration measured first.
--
-- :task             media_task      workload that makes images or videos
-- :model            model           model: slug, name or Hugging Face id
-- :gpu              gpu             GPU, such as B200
-- :source           source          source of the figures, such as published
-- :inference_steps  integer from 1  only this number of inference steps
-- important: model, gpu, width_pixels, deadline_s, wh_per_output, batch_latency_s, num_gpus, batch_size
--
-- picture: curve of wh_per_output over deadline_s by gpu, model, source
-- alias: --steps :inference_steps
-- example: --task text-to-image --gpu B200
--   how much energy a tighter deadline costs on B200
-- example: --task text-to-video --gpu H100
--   how much energy a tighter deadline costs for videos on H100
with usual (deadline_s) as (
    values
        (1.0), (2.0), (5.0), (10.0), (20.0), (30.0), (60.0), (120.0), (300.0), (600.0), (1800.0),
        (3600.0)
),

makers as materialized (
    select
        *,
        row_number() over (
            order by joules_per_output, batch_latency_s, diffusion_configuration_id
        ) as rank
    from diffusion_energy
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:inference_steps is null or inference_steps = :inference_steps)
),

best as (
    select usual.deadline_s as deadline_s, min(makers.rank) as rank
    from usual
    join makers on makers.batch_latency_s <= usual.deadline_s
    group by
        usual.deadline_s, model, gpu, source, width_pixels, height_pixels, inference_steps,
        num_frames
)

select
    model,
    gpu,
    width_pixels,
    height_pixels,
    num_frames,
    inference_steps,
    deadline_s,
    wh_per_output,
    batch_latency_s,
    num_gpus,
    batch_size,
    source,
    row_id
from best
join makers on makers.rank = best.rank
order by
    model, gpu, width_pixels, height_pixels, num_frames, inference_steps, deadline_s, source;
