create view configuration_latencies as
-- Every measured configuration that makes text, at each percentile of its inter-token latency (ITL).
-- One row per configuration and percentile: median, p90, p95 and p99. itl_ms is the ITL at that
-- percentile.
select
    configuration_energy.task as task,
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    percentiles.percentile as percentile,
    cast(
        case percentiles.percentile
            when 'median' then configuration_energy.median_itl_ms
            when 'p90' then configuration_energy.p90_itl_ms
            when 'p95' then configuration_energy.p95_itl_ms
            when 'p99' then configuration_energy.p99_itl_ms
        end
        as double
    ) as itl_ms,
    configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
    configuration_energy.joules_per_output_token as joules_per_output_token,
    configuration_energy.tokens_per_second as tokens_per_second,
    configuration_energy.power_watts as power_watts,
    configuration_energy.avg_running_batch as avg_running_batch,
    configuration_energy.ms_per_token_in_flight as ms_per_token_in_flight,
    configuration_energy.request_seconds as request_seconds,
    configuration_energy.requests_per_second as requests_per_second,
    configuration_energy.gpu_hours_per_million_output_tokens as gpu_hours_per_million_output_tokens,
    configuration_energy.requests_per_slot as requests_per_slot,
    configuration_energy.avg_output_tokens as avg_output_tokens,
    configuration_energy.unstable_reason as unstable_reason,
    configuration_energy.source as source,
    configuration_energy.row_id as row_id,
    configuration_energy.model_name as model_name,
    configuration_energy.median_itl_ms as median_itl_ms,
    configuration_energy.p90_itl_ms as p90_itl_ms,
    configuration_energy.p95_itl_ms as p95_itl_ms,
    configuration_energy.p99_itl_ms as p99_itl_ms,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    configuration_energy.repeat as repeat,
    configuration_energy.configuration_id as configuration_id
from configuration_energy
cross join percentiles;
