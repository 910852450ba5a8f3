create view configuration_means as
-- Every configuration that makes text, once, with the mean of each figure over its measurements.
-- Computed figures are computed from the means, but requests_per_slot is the lowest one. One row per task,
-- model, GPU, source, number of GPUs, degrees of parallelism, precision and max_num_seqs. row_id and
-- configuration_id are those of the first measurement.
select
    configuration_energy.task as task,
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    cast(avg(configuration_energy.joules_per_output_token) * 1e6 / 3600.0 as double)
        as wh_per_million_output_tokens,
    cast(avg(configuration_energy.joules_per_output_token) as double) as joules_per_output_token,
    cast(avg(configuration_energy.median_itl_ms) as double) as median_itl_ms,
    cast(avg(configuration_energy.p90_itl_ms) as double) as p90_itl_ms,
    cast(avg(configuration_energy.p95_itl_ms) as double) as p95_itl_ms,
    cast(avg(configuration_energy.p99_itl_ms) as double) as p99_itl_ms,
    cast(avg(configuration_energy.tokens_per_second) as double) as tokens_per_second,
    cast(avg(configuration_energy.power_watts) as double) as power_watts,
    cast(avg(configuration_energy.avg_running_batch) as double) as avg_running_batch,
    cast(
        avg(configuration_energy.avg_running_batch) * 1000.0
        / avg(configuration_energy.tokens_per_second)
        as double
    ) as ms_per_token_in_flight,
    cast(
        avg(configuration_energy.avg_running_batch) * avg(configuration_energy.avg_output_tokens)
        / avg(configuration_energy.tokens_per_second)
        as double
    ) as request_seconds,
    cast(
        avg(configuration_energy.tokens_per_second) / avg(configuration_energy.avg_output_tokens)
        as double
    ) as requests_per_second,
    cast(
        configuration_energy.num_gpus * 1e6 / 3600.0 / avg(configuration_energy.tokens_per_second)
        as double
    ) as gpu_hours_per_million_output_tokens,
    cast(
        case
            when count(configuration_energy.requests_per_slot) = count(*)
            then min(configuration_energy.requests_per_slot)
        end
        as double
    ) as requests_per_slot,
    cast(avg(configuration_energy.avg_output_tokens) as double) as avg_output_tokens,
    cast(count(*) as bigint) as measurements,
    cast(max(configuration_energy.unstable_reason) as text) as unstable_reason,
    configuration_energy.source as source,
    cast(
        case
            when configuration_energy.source = 'published' then ''
            else configuration_energy.source || ':'
        end
        || configuration_energy.model || '/' || configuration_energy.gpu
        || '/' || configuration_energy.num_gpus || '/' || configuration_energy.max_num_seqs
        || case
            when min(configuration_energy.repeat) > 1 then '/r' || min(configuration_energy.repeat)
            else ''
        end
        as text
    ) as row_id,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    cast(min(configuration_energy.configuration_id) as bigint) as configuration_id
from configuration_energy
group by
    configuration_energy.task,
    configuration_energy.model,
    configuration_energy.gpu,
    configuration_energy.source,
    configuration_energy.num_gpus,
    configuration_energy.tensor_parallel,
    configuration_energy.data_parallel,
    configuration_energy.expert_parallel,
    configuration_energy.precision,
    configuration_energy.max_num_seqs;
