create view configuration_energy as
-- Every measured configuration that makes text, with its names and figures.
-- One row per task, model, GPU, source, number of GPUs, max_num_seqs and repeat. A figure is null if the
-- source does not report it. row_id is unique within a task. Wh per million output tokens is joules per
-- output token * 10^6 / 3600. The time in flight follows from Little's law: load / throughput. Requests
-- per slot are requests / load.
select
    task, model, gpu, num_gpus, precision, max_num_seqs,
    cast(joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, tokens_per_second,
    power_watts, avg_running_batch,
    cast(avg_running_batch * 1000.0 / tokens_per_second as double) as ms_per_token_in_flight,
    cast(avg_running_batch * avg_output_tokens / tokens_per_second as double) as request_seconds,
    cast(tokens_per_second / avg_output_tokens as double) as requests_per_second,
    cast(num_gpus * 1e6 / 3600.0 / tokens_per_second as double)
        as gpu_hours_per_million_output_tokens,
    cast(
        coalesce(configurations.requests, output_lengths.requests) * 1.0
        / avg_running_batch
        as double
    ) as requests_per_slot,
    joules_per_request, median_ttft_ms, p99_ttft_ms, mean_tpot_ms, avg_input_tokens,
    avg_output_tokens,
    cast(coalesce(configurations.requests, output_lengths.requests) as bigint) as requests,
    steady_state_s, window_uncertainty_percent, reason as unstable_reason, source,
    cast(
        case when source = 'published' then '' else source || ':' end
        || model || '/' || gpu || '/' || num_gpus
        || '/' || max_num_seqs
        || case when repeat > 1 then '/r' || repeat else '' end
        as text
    ) as row_id,
    model_name, hugging_face_id, params_b, active_params_b, architecture, tensor_parallel,
    data_parallel, expert_parallel, repeat, configuration_id
from configurations
join tasks using (task_id)
join models using (model_id)
join gpus using (gpu_id)
join sources using (source_id)
join precisions using (precision_id)
left join unstable_configurations using (configuration_id)
left join output_lengths using (task_id, model_id, configuration_id);
