create view best_configurations as
-- The lowest-energy configuration of each task, model and GPU whose median inter-token latency
-- meets the release's default deadline. One row per task, model and GPU for which one meets it.
-- This is the choice that the published documents make. Ties go as in best_per_deadline.
select
    release.itl_deadline_ms as deadline_ms,
    best.configuration_id as configuration_id,
    tasks.task as task,
    models.model as model,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    gpus.gpu as gpu,
    best.num_gpus as num_gpus,
    best.tensor_parallel as tensor_parallel,
    best.data_parallel as data_parallel,
    best.expert_parallel as expert_parallel,
    precisions.precision as precision,
    best.max_num_seqs as max_num_seqs,
    best.repeat as repeat,
    models.model || '/' || gpus.gpu || '/' || best.num_gpus || '/' || best.max_num_seqs
        || case when best.repeat > 1 then '/r' || best.repeat else '' end as row_id,
    best.avg_running_batch as avg_running_batch,
    best.tokens_per_second as tokens_per_second,
    best.power_watts as power_watts,
    best.joules_per_output_token as joules_per_output_token,
    best.joules_per_output_token * 1e6 / 3600.0 as wh_per_million_output_tokens,
    best.median_itl_ms as median_itl_ms,
    best.p90_itl_ms as p90_itl_ms,
    best.p95_itl_ms as p95_itl_ms,
    best.p99_itl_ms as p99_itl_ms,
    best.avg_output_tokens as avg_output_tokens
from release
cross join tasks
cross join models
cross join measured on measured.task_id = tasks.task_id and measured.model_id = models.model_id
join gpus on gpus.gpu_id = measured.gpu_id
join configurations as best on best.configuration_id = (
    select candidates.configuration_id
    from configurations as candidates
    where candidates.task_id = measured.task_id
        and candidates.model_id = measured.model_id
        and candidates.gpu_id = measured.gpu_id
        and candidates.source_id = measured.source_id
        and candidates.median_itl_ms <= release.itl_deadline_ms
    order by
        candidates.joules_per_output_token,
        candidates.median_itl_ms,
        candidates.p90_itl_ms,
        candidates.p95_itl_ms,
        candidates.p99_itl_ms,
        candidates.configuration_id
    limit 1
)
join precisions on precisions.precision_id = best.precision_id;
