create view pareto_frontier as
-- The configurations that no other of the same task, model, GPU and source beats in both energy per
-- output token and inter-token latency (ITL). Runs that were not steady are not used. A configuration
-- beats another if it is at least as good in both and better in one. Configurations that are equal in
-- both are all listed.
-- One row per percentile and configuration on its frontier. itl_ms is the ITL at that percentile.
-- The search for a better configuration begins at the nearest energy, where it is found soonest.
-- Few runs were not steady, so that is tested last.
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
    cast(joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    joules_per_output_token, tokens_per_second, power_watts, avg_running_batch, source,
    cast((
        select row_id from configuration_energy where configuration_id = best.configuration_id
    ) as text) as row_id,
    model_name, repeat, configuration_id
from tasks
cross join models
cross join measured
cross join gpus
cross join sources
cross join percentiles
cross join configurations as best
cross join precisions
where measured.task_id = tasks.task_id
    and measured.model_id = models.model_id
    and gpus.gpu_id = measured.gpu_id
    and sources.source_id = measured.source_id
    and precisions.precision_id = best.precision_id
    and best.task_id = measured.task_id
    and best.model_id = measured.model_id
    and best.gpu_id = measured.gpu_id
    and best.source_id = measured.source_id
    and case percentile
        when 'median' then best.median_itl_ms
        when 'p90' then best.p90_itl_ms
        when 'p95' then best.p95_itl_ms
        when 'p99' then best.p99_itl_ms
    end is not null
    and (
        select others.configuration_id
        from configurations as others
        where others.task_id = best.task_id
            and others.model_id = best.model_id
            and others.gpu_id = best.gpu_id
            and others.source_id = best.source_id
            and others.joules_per_output_token <= best.joules_per_output_token
            and case percentile
                when 'median' then
                    others.median_itl_ms <= best.median_itl_ms
                    and (
                        others.median_itl_ms < best.median_itl_ms
                        or others.joules_per_output_token < best.joules_per_output_token
                    )
                when 'p90' then
                    others.p90_itl_ms <= best.p90_itl_ms
                    and (
                        others.p90_itl_ms < best.p90_itl_ms
                        or others.joules_per_output_token < best.joules_per_output_token
                    )
                when 'p95' then
                    others.p95_itl_ms <= best.p95_itl_ms
                    and (
                        others.p95_itl_ms < best.p95_itl_ms
                        or others.joules_per_output_token < best.joules_per_output_token
                    )
                when 'p99' then
                    others.p99_itl_ms <= best.p99_itl_ms
                    and (
                        others.p99_itl_ms < best.p99_itl_ms
                        or others.joules_per_output_token < best.joules_per_output_token
                    )
            end
            and others.configuration_id not in (
                select configuration_id from unstable_configurations
            )
        order by others.joules_per_output_token desc
        limit 1
    ) is null
    and best.configuration_id not in (select configuration_id from unstable_configurations);
