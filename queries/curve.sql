-- Energy, latency, throughput and power against load: the concurrency curves.
--
-- One row per configuration. Within each series, rows are in the order of measured load
-- (avg_running_batch, requests in flight). A series consists of the configurations that differ
-- only in max_num_seqs and repeat. With more load, energy may rise again and throughput may fall.
--
-- Columns:
--   - energy_relative_to_best: joules per output token / the lowest of the
--     series, so the best row has 1
--   - energy_rises: true if the energy is above that of the row before
--   - unstable_reason: why an own run was not steady
--   - ms_per_token_in_flight: load / throughput
--   - request_seconds: ms_per_token_in_flight times the mean output length,
--     in seconds
--   - usd_per_million_output_tokens: electricity and rent. Empty unless
--     both rates are given.
--
-- :task                   text_task                  workload that makes text
-- :model                  model                      model: slug, name or Hugging Face id
-- :gpu                    gpu                        GPU, such as B200
-- :source                 source                     source of the figures, such as published
-- :num_gpus               integer from 1             number of GPUs
-- :max_request_seconds    real above 0               longest time of a request, seconds
-- :min_requests_per_slot  real above 0               lowest number of requests per slot
-- :usd_per_kwh            real from 0 up to 1e6      price of electricity, USD per kWh
-- :usd_per_gpu_hour       real from 0 up to 1e6      rent of a GPU, USD per hour
-- :host_watts_per_gpu     real from 0 up to 1e6      power of the host for each GPU, watts
-- :pue                    real from 1 up to 100 = 1  PUE: energy of the facility / of its machines
--
-- important: model, gpu, num_gpus, precision, max_num_seqs, avg_running_batch
-- important: wh_per_million_output_tokens, median_itl_ms, tokens_per_second
-- picture: curve of wh_per_million_output_tokens over avg_running_batch by gpu, model, num_gpus, source
--
-- note when requests_per_slot < 2: fewer than two requests per slot were measured, so the figures are uncertain
-- example: --model llama-3-1-70b-instruct --gpu B200
--   how energy, latency and power of one model change with load
-- example: --model qwen-3-14b --num-gpus 1
--   the curves of one model on a single GPU
select
    model,
    gpu,
    num_gpus,
    tensor_parallel,
    data_parallel,
    expert_parallel,
    precision,
    max_num_seqs,
    avg_running_batch,
    wh_per_million_output_tokens,
    joules_per_output_token / min(joules_per_output_token) over series as energy_relative_to_best,
    coalesce(joules_per_output_token > lag(joules_per_output_token) over by_load, 0)
        as energy_rises,
    median_itl_ms,
    p90_itl_ms,
    p95_itl_ms,
    p99_itl_ms,
    tokens_per_second,
    power_watts,
    ms_per_token_in_flight,
    request_seconds,
    requests_per_slot,
    (
        wh_per_million_output_tokens
        + coalesce(:host_watts_per_gpu, 0.0) * gpu_hours_per_million_output_tokens
    ) / 1000.0 * :pue * :usd_per_kwh + gpu_hours_per_million_output_tokens * :usd_per_gpu_hour
        as usd_per_million_output_tokens,
    unstable_reason,
    source,
    row_id
from configuration_energy
where task = :task
    and (:model is null or model = :model)
    and (:gpu is null or gpu = :gpu)
    and (:source is null or source = :source)
    and (:num_gpus is null or num_gpus = :num_gpus)
    and (:max_request_seconds is null or request_seconds <= :max_request_seconds)
    and (:min_requests_per_slot is null or requests_per_slot >= :min_requests_per_slot)
window
    series as (
        partition by
            model, gpu, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision, source
    ),
    by_load as (series order by avg_running_batch, configuration_id)
order by
    model, gpu, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision,
    avg_running_batch, configuration_id;
