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
    task, model, gpu, num_gpus, precision, max_num_seqs, percentile, deadline_ms,
    cast(
        case percentile
            when 'median' then median_itl_ms
            when 'p90' then p90_itl_ms
            when 'p95' then p95_itl_ms
            when 'p99' then p99_itl_ms
        end
        as double
    ) as itl_ms,
    cast(joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    joules_per_output_token, tokens_per_second, power_watts, avg_running_batch, source,
    -- As in configuration_energy. A look-up there would take as long as the choice.
    cast(
        case when source = 'published' then '' else source || ':' end
        || model || '/' || gpu || '/' || num_gpus
        || '/' || max_num_seqs
        || case when repeat > 1 then '/r' || repeat else '' end
        as text
    ) as row_id,
    model_name, repeat, configuration_id
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
        select configuration_id
        from configurations as candidates
        where task_id = measured.task_id
            and model_id = measured.model_id
            and gpu_id = measured.gpu_id
            and source_id = measured.source_id
            and case percentile
                when 'median' then median_itl_ms
                when 'p90' then p90_itl_ms
                when 'p95' then p95_itl_ms
                when 'p99' then p99_itl_ms
            end <= deadline_ms
            and configuration_id not in (
                select configuration_id from unstable_configurations
            )
        order by
            joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms,
            configuration_id
        limit 1
    )
    and precisions.precision_id = best.precision_id;
