create view best_per_deadline as
-- The lowest-energy configuration whose inter-token latency (ITL) meets a deadline.
-- One row per task, model, GPU, source, percentile and deadline_ms that some configuration meets. itl_ms
-- is the ITL at that percentile. Runs that were not steady are not used. If energies are equal, the lower
-- median, p90, p95 and p99 ITL wins, then the configuration measured first.
-- The view has only the deadlines of the table deadlines, 10 to 500 ms. For another deadline, select the
-- rows of configuration_latencies with that percentile and itl_ms <= the deadline. Of these, take the one
-- with the least joules_per_output_token for each task, model, GPU and source.
-- The choice reads only the index configurations_by_energy, whose order is the order of choice.
select
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    best.num_gpus as num_gpus,
    precisions.precision as precision,
    best.max_num_seqs as max_num_seqs,
    percentiles.percentile as percentile,
    deadlines.deadline_ms as deadline_ms,
    cast(
        case percentiles.percentile
            when 'median' then best.median_itl_ms
            when 'p90' then best.p90_itl_ms
            when 'p95' then best.p95_itl_ms
            when 'p99' then best.p99_itl_ms
        end
        as double
    ) as itl_ms,
    cast(best.joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    best.joules_per_output_token as joules_per_output_token,
    best.tokens_per_second as tokens_per_second,
    best.power_watts as power_watts,
    best.avg_running_batch as avg_running_batch,
    sources.source as source,
    cast((
        select configuration_energy.row_id
        from configuration_energy
        where configuration_energy.configuration_id = best.configuration_id
    ) as text) as row_id,
    models.model_name as model_name,
    best.repeat as repeat,
    best.configuration_id as configuration_id
from tasks
cross join models
cross join measured
cross join gpus
cross join sources
cross join percentiles
cross join deadlines
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
            and case percentiles.percentile
                when 'median' then candidates.median_itl_ms
                when 'p90' then candidates.p90_itl_ms
                when 'p95' then candidates.p95_itl_ms
                when 'p99' then candidates.p99_itl_ms
            end <= deadlines.deadline_ms
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
