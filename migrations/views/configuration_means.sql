create view configuration_means as
-- Every configuration that makes text, once, with the mean of each figure over its measurements.
-- Computed figures are computed from the means, but requests_per_slot is the lowest one. One row per task,
-- model, GPU, source, number of GPUs, degrees of parallelism, precision and max_num_seqs. row_id and
-- configuration_id are those of the first measurement.
select
    task, model, gpu, num_gpus, precision, max_num_seqs,
    cast(avg(joules_per_output_token) * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    cast(avg(joules_per_output_token) as double) as joules_per_output_token,
    cast(avg(median_itl_ms) as double) as median_itl_ms,
    cast(avg(p90_itl_ms) as double) as p90_itl_ms,
    cast(avg(p95_itl_ms) as double) as p95_itl_ms,
    cast(avg(p99_itl_ms) as double) as p99_itl_ms,
    cast(avg(tokens_per_second) as double) as tokens_per_second,
    cast(avg(power_watts) as double) as power_watts,
    cast(avg(avg_running_batch) as double) as avg_running_batch,
    cast(avg(avg_running_batch) * 1000.0 / avg(tokens_per_second) as double)
        as ms_per_token_in_flight,
    cast(avg(avg_running_batch) * avg(avg_output_tokens) / avg(tokens_per_second) as double)
        as request_seconds,
    cast(avg(tokens_per_second) / avg(avg_output_tokens) as double) as requests_per_second,
    cast(num_gpus * 1e6 / 3600.0 / avg(tokens_per_second) as double)
        as gpu_hours_per_million_output_tokens,
    cast(
        case when count(requests_per_slot) = count(*) then min(requests_per_slot) end
        as double
    ) as requests_per_slot,
    cast(avg(avg_output_tokens) as double) as avg_output_tokens,
    cast(count(*) as bigint) as measurements,
    cast(max(unstable_reason) as text) as unstable_reason,
    source,
    cast(
        case when source = 'published' then '' else source || ':' end
        || model || '/' || gpu
        || '/' || num_gpus || '/' || max_num_seqs
        || case when min(repeat) > 1 then '/r' || min(repeat) else '' end
        as text
    ) as row_id,
    tensor_parallel, data_parallel, expert_parallel,
    cast(min(configuration_id) as bigint) as configuration_id
from configuration_energy
group by
    task, model, gpu, source, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision,
    max_num_seqs;
