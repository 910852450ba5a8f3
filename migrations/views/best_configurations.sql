create view best_configurations as
-- The lowest-energy configuration of each task, model, GPU and source whose median inter-token
-- latency meets the release's default deadline, as in the published documents. There is no row if none
-- meets it. Runs that were not steady are not used. Ties are broken as in best_per_deadline.
select
    task, model, gpu, num_gpus, precision, max_num_seqs, itl_deadline_ms as deadline_ms,
    cast(joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, tokens_per_second,
    power_watts, avg_running_batch, joules_per_request, avg_output_tokens, source,
    cast((
        select row_id from configuration_energy where configuration_id = best.configuration_id
    ) as text) as row_id,
    model_name, hugging_face_id, params_b, active_params_b, architecture, tensor_parallel,
    data_parallel, expert_parallel, repeat, configuration_id
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
        select configuration_id
        from configurations as candidates
        where task_id = measured.task_id
            and model_id = measured.model_id
            and gpu_id = measured.gpu_id
            and source_id = measured.source_id
            and median_itl_ms <= itl_deadline_ms
            and configuration_id not in (
                select configuration_id from unstable_configurations
            )
        order by
            joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms,
            configuration_id
        limit 1
    )
    and precisions.precision_id = best.precision_id;
