create view configuration_energy as
-- Every measured configuration that makes text, with its names and figures.
-- One row per task, model, GPU, source, number of GPUs, max_num_seqs and repeat. A figure is null if the
-- source does not report it. row_id is unique within a task. Wh per million output tokens is joules per
-- output token * 10^6 / 3600. The time in flight follows from Little's law: load / throughput. Requests
-- per slot are requests / load.
select
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    configurations.num_gpus as num_gpus,
    precisions.precision as precision,
    configurations.max_num_seqs as max_num_seqs,
    cast(configurations.joules_per_output_token * 1e6 / 3600.0 as double)
        as wh_per_million_output_tokens,
    configurations.joules_per_output_token as joules_per_output_token,
    configurations.median_itl_ms as median_itl_ms,
    configurations.p90_itl_ms as p90_itl_ms,
    configurations.p95_itl_ms as p95_itl_ms,
    configurations.p99_itl_ms as p99_itl_ms,
    configurations.tokens_per_second as tokens_per_second,
    configurations.power_watts as power_watts,
    configurations.avg_running_batch as avg_running_batch,
    cast(
        configurations.avg_running_batch * 1000.0 / configurations.tokens_per_second as double
    ) as ms_per_token_in_flight,
    cast(
        configurations.avg_running_batch * configurations.avg_output_tokens
        / configurations.tokens_per_second
        as double
    ) as request_seconds,
    cast(configurations.tokens_per_second / configurations.avg_output_tokens as double)
        as requests_per_second,
    cast(configurations.num_gpus * 1e6 / 3600.0 / configurations.tokens_per_second as double)
        as gpu_hours_per_million_output_tokens,
    cast(
        coalesce(configurations.requests, output_lengths.requests) * 1.0
        / configurations.avg_running_batch
        as double
    ) as requests_per_slot,
    configurations.joules_per_request as joules_per_request,
    configurations.median_ttft_ms as median_ttft_ms,
    configurations.p99_ttft_ms as p99_ttft_ms,
    configurations.mean_tpot_ms as mean_tpot_ms,
    configurations.avg_input_tokens as avg_input_tokens,
    configurations.avg_output_tokens as avg_output_tokens,
    cast(coalesce(configurations.requests, output_lengths.requests) as bigint) as requests,
    configurations.steady_state_s as steady_state_s,
    configurations.window_uncertainty_percent as window_uncertainty_percent,
    unstable_configurations.reason as unstable_reason,
    sources.source as source,
    cast(
        case when sources.source = 'published' then '' else sources.source || ':' end
        || models.model || '/' || gpus.gpu || '/' || configurations.num_gpus
        || '/' || configurations.max_num_seqs
        || case when configurations.repeat > 1 then '/r' || configurations.repeat else '' end
        as text
    ) as row_id,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    configurations.tensor_parallel as tensor_parallel,
    configurations.data_parallel as data_parallel,
    configurations.expert_parallel as expert_parallel,
    configurations.repeat as repeat,
    configurations.configuration_id as configuration_id
from configurations
join tasks on tasks.task_id = configurations.task_id
join models on models.model_id = configurations.model_id
join gpus on gpus.gpu_id = configurations.gpu_id
join sources on sources.source_id = configurations.source_id
join precisions on precisions.precision_id = configurations.precision_id
left join unstable_configurations
    on unstable_configurations.configuration_id = configurations.configuration_id
left join output_lengths
    on output_lengths.task_id = configurations.task_id
    and output_lengths.model_id = configurations.model_id
    and output_lengths.configuration_id = configurations.configuration_id;
