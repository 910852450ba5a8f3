create view best_configurations as
-- The lowest-energy configuration of each task, model and GPU whose median inter-token latency
-- meets the release's default deadline. One row per task, model and GPU for which one meets it.
-- This is the choice that the published documents make. Ties go as in best_per_deadline.
select
    release.itl_deadline_ms as deadline_ms,
    configuration_energy.configuration_id as configuration_id,
    configuration_energy.task as task,
    configuration_energy.model as model,
    configuration_energy.model_name as model_name,
    configuration_energy.hugging_face_id as hugging_face_id,
    configuration_energy.params_b as params_b,
    configuration_energy.active_params_b as active_params_b,
    configuration_energy.architecture as architecture,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    configuration_energy.repeat as repeat,
    configuration_energy.row_id as row_id,
    configuration_energy.avg_running_batch as avg_running_batch,
    configuration_energy.tokens_per_second as tokens_per_second,
    configuration_energy.power_watts as power_watts,
    configuration_energy.joules_per_output_token as joules_per_output_token,
    configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
    configuration_energy.median_itl_ms as median_itl_ms,
    configuration_energy.p90_itl_ms as p90_itl_ms,
    configuration_energy.p95_itl_ms as p95_itl_ms,
    configuration_energy.p99_itl_ms as p99_itl_ms,
    configuration_energy.avg_output_tokens as avg_output_tokens
from release
cross join tasks
cross join models
cross join gpus
join configuration_energy on configuration_energy.configuration_id = (
    select candidates.configuration_id
    from configurations as candidates
    where candidates.task_id = tasks.task_id
        and candidates.model_id = models.model_id
        and candidates.gpu_id = gpus.gpu_id
        and candidates.median_itl_ms <= release.itl_deadline_ms
    order by
        candidates.joules_per_output_token,
        candidates.median_itl_ms,
        candidates.p90_itl_ms,
        candidates.p95_itl_ms,
        candidates.p99_itl_ms,
        candidates.configuration_id
    limit 1
);
