create view best_configurations as
-- The lowest-energy configuration of each task, model, GPU and source whose median inter-token
-- latency meets the release's default deadline, as in the published documents. There is no row if none
-- meets it. Runs that were not steady are not used. Ties are broken as in best_per_deadline.
select
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    best.num_gpus as num_gpus,
    precisions.precision as precision,
    best.max_num_seqs as max_num_seqs,
    release.itl_deadline_ms as deadline_ms,
    cast(best.joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    best.joules_per_output_token as joules_per_output_token,
    best.median_itl_ms as median_itl_ms,
    best.p90_itl_ms as p90_itl_ms,
    best.p95_itl_ms as p95_itl_ms,
    best.p99_itl_ms as p99_itl_ms,
    best.tokens_per_second as tokens_per_second,
    best.power_watts as power_watts,
    best.avg_running_batch as avg_running_batch,
    best.joules_per_request as joules_per_request,
    best.avg_output_tokens as avg_output_tokens,
    sources.source as source,
    cast((
        select configuration_energy.row_id
        from configuration_energy
        where configuration_energy.configuration_id = best.configuration_id
    ) as text) as row_id,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    best.tensor_parallel as tensor_parallel,
    best.data_parallel as data_parallel,
    best.expert_parallel as expert_parallel,
    best.repeat as repeat,
    best.configuration_id as configuration_id
from release
cross join tasks
cross join models
cross join measured
cross join gpus
cross join sources
cross join configurations as best
cross join precisions
where measured.task_id = tasks.task_id
    and measured.model_id = models.model_id
    and gpus.gpu_id = measured.gpu_id
    and sources.source_id = measured.source_id
    and best.configuration_id = (
        select candidates.configuration_id
        from configurations as candidates
        where candidates.task_id = measured.task_id
            and candidates.model_id = measured.model_id
            and candidates.gpu_id = measured.gpu_id
            and candidates.source_id = measured.source_id
            and candidates.median_itl_ms <= release.itl_deadline_ms
            and candidates.configuration_id not in (
                select configuration_id from unstable_configurations
            )
        order by
            candidates.joules_per_output_token,
            candidates.median_itl_ms,
            candidates.p90_itl_ms,
            candidates.p95_itl_ms,
            candidates.p99_itl_ms,
            candidates.configuration_id
        limit 1
    )
    and precisions.precision_id = best.precision_id;
