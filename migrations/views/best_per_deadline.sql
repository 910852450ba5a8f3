create view best_per_deadline as
-- The lowest-energy configuration whose inter-token latency (ITL) meets a deadline.
-- One row per task, model, GPU, percentile and deadline_ms for which one meets it; itl_ms is the
-- ITL at that percentile. Ties go to the lower median, p90, p95, p99 ITL, then the first measured.
-- The choice reads only the index configurations_by_energy, whose order is the order of choice.
select
    tasks.task as task,
    models.model as model,
    models.model_name as model_name,
    gpus.gpu as gpu,
    percentiles.percentile as percentile,
    deadlines.deadline_ms as deadline_ms,
    case percentiles.percentile
        when 'median' then best.median_itl_ms
        when 'p90' then best.p90_itl_ms
        when 'p95' then best.p95_itl_ms
        when 'p99' then best.p99_itl_ms
    end as itl_ms,
    best.joules_per_output_token as joules_per_output_token,
    best.joules_per_output_token * 1e6 / 3600.0 as wh_per_million_output_tokens,
    best.num_gpus as num_gpus,
    best.max_num_seqs as max_num_seqs,
    best.repeat as repeat,
    models.model || '/' || gpus.gpu || '/' || best.num_gpus || '/' || best.max_num_seqs
        || case when best.repeat > 1 then '/r' || best.repeat else '' end as row_id,
    best.avg_running_batch as avg_running_batch,
    best.tokens_per_second as tokens_per_second,
    best.power_watts as power_watts,
    best.configuration_id as configuration_id
from tasks
cross join models
cross join measured on measured.task_id = tasks.task_id and measured.model_id = models.model_id
join gpus on gpus.gpu_id = measured.gpu_id
cross join percentiles
cross join deadlines
join configurations as best on best.configuration_id = (
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
    order by
        candidates.joules_per_output_token,
        candidates.median_itl_ms,
        candidates.p90_itl_ms,
        candidates.p95_itl_ms,
        candidates.p99_itl_ms,
        candidates.configuration_id
    limit 1
);
