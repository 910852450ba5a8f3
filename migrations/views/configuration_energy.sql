create view configuration_energy as
-- Every measured configuration with its names and figures.
-- One row per task, model, GPU, number of GPUs, max_num_seqs and repeat.
-- row_id is unique within a task. Wh per million output tokens is
-- joules per output token * 10^6 / 3600.
select
    configurations.configuration_id as configuration_id,
    tasks.task as task,
    models.model as model,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    gpus.gpu as gpu,
    configurations.num_gpus as num_gpus,
    configurations.tensor_parallel as tensor_parallel,
    configurations.data_parallel as data_parallel,
    configurations.expert_parallel as expert_parallel,
    precisions.precision as precision,
    configurations.max_num_seqs as max_num_seqs,
    configurations.repeat as repeat,
    models.model || '/' || gpus.gpu || '/' || configurations.num_gpus
        || '/' || configurations.max_num_seqs
        || case when configurations.repeat > 1 then '/r' || configurations.repeat else '' end
        as row_id,
    configurations.avg_running_batch as avg_running_batch,
    configurations.tokens_per_second as tokens_per_second,
    configurations.power_watts as power_watts,
    configurations.joules_per_output_token as joules_per_output_token,
    configurations.joules_per_output_token * 1e6 / 3600.0 as wh_per_million_output_tokens,
    configurations.median_itl_ms as median_itl_ms,
    configurations.p90_itl_ms as p90_itl_ms,
    configurations.p95_itl_ms as p95_itl_ms,
    configurations.p99_itl_ms as p99_itl_ms,
    configurations.avg_output_tokens as avg_output_tokens
from configurations
join tasks on tasks.task_id = configurations.task_id
join models on models.model_id = configurations.model_id
join gpus on gpus.gpu_id = configurations.gpu_id
join precisions on precisions.precision_id = configurations.precision_id;
