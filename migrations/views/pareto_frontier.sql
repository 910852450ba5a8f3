create view pareto_frontier as
-- The configurations that no other of the same task, model and GPU beats in both energy per output
-- token and inter-token latency (ITL). One configuration beats another that is no better in either
-- and worse in one; of configurations that are equal in both, all stay.
-- The search for one that beats it begins at the nearest energy, where it is found soonest.
-- One row per percentile, whose ITL is itl_ms, and configuration on its frontier.
select
    tasks.task as task,
    models.model as model,
    models.model_name as model_name,
    gpus.gpu as gpu,
    percentiles.percentile as percentile,
    case percentiles.percentile
        when 'median' then configurations.median_itl_ms
        when 'p90' then configurations.p90_itl_ms
        when 'p95' then configurations.p95_itl_ms
        when 'p99' then configurations.p99_itl_ms
    end as itl_ms,
    configurations.joules_per_output_token as joules_per_output_token,
    configurations.joules_per_output_token * 1e6 / 3600.0 as wh_per_million_output_tokens,
    configurations.num_gpus as num_gpus,
    configurations.max_num_seqs as max_num_seqs,
    configurations.repeat as repeat,
    models.model || '/' || gpus.gpu || '/' || configurations.num_gpus
        || '/' || configurations.max_num_seqs
        || case when configurations.repeat > 1 then '/r' || configurations.repeat else '' end
        as row_id,
    configurations.avg_running_batch as avg_running_batch,
    configurations.tokens_per_second as tokens_per_second,
    configurations.power_watts as power_watts,
    configurations.configuration_id as configuration_id
from tasks
cross join models
cross join gpus
cross join percentiles
cross join configurations
where configurations.task_id = tasks.task_id
    and configurations.model_id = models.model_id
    and configurations.gpu_id = gpus.gpu_id
    and (
        select others.configuration_id
        from configurations as others
        where others.task_id = configurations.task_id
            and others.model_id = configurations.model_id
            and others.gpu_id = configurations.gpu_id
            and others.source_id = configurations.source_id
            and others.joules_per_output_token <= configurations.joules_per_output_token
            and case percentiles.percentile
                when 'median' then
                    others.median_itl_ms <= configurations.median_itl_ms
                    and (
                        others.median_itl_ms < configurations.median_itl_ms
                        or others.joules_per_output_token < configurations.joules_per_output_token
                    )
                when 'p90' then
                    others.p90_itl_ms <= configurations.p90_itl_ms
                    and (
                        others.p90_itl_ms < configurations.p90_itl_ms
                        or others.joules_per_output_token < configurations.joules_per_output_token
                    )
                when 'p95' then
                    others.p95_itl_ms <= configurations.p95_itl_ms
                    and (
                        others.p95_itl_ms < configurations.p95_itl_ms
                        or others.joules_per_output_token < configurations.joules_per_output_token
                    )
                when 'p99' then
                    others.p99_itl_ms <= configurations.p99_itl_ms
                    and (
                        others.p99_itl_ms < configurations.p99_itl_ms
                        or others.joules_per_output_token < configurations.joules_per_output_token
                    )
            end
        order by others.joules_per_output_token desc
        limit 1
    ) is null;
