create view configuration_latencies as
-- Every measured configuration that makes text, at each percentile of its inter-token latency (ITL).
-- One row per configuration and percentile: median, p90, p95 and p99. itl_ms is the ITL at that
-- percentile.
select
    task, model, gpu, num_gpus, precision, max_num_seqs, percentile,
    cast(
        case percentile
            when 'median' then median_itl_ms
            when 'p90' then p90_itl_ms
            when 'p95' then p95_itl_ms
            when 'p99' then p99_itl_ms
        end
        as double
    ) as itl_ms,
    wh_per_million_output_tokens, joules_per_output_token, tokens_per_second, power_watts,
    avg_running_batch, ms_per_token_in_flight, request_seconds, requests_per_second,
    gpu_hours_per_million_output_tokens, requests_per_slot, avg_output_tokens, unstable_reason,
    source, row_id, model_name, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, tensor_parallel,
    data_parallel, expert_parallel, repeat, configuration_id
from configuration_energy
cross join percentiles;
