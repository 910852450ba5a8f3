-- For each model and GPU, whether any configuration meets a latency deadline.
--
-- Every model that was measured in some workload that makes text has a row for every GPU.
-- status is 'meets', 'none meets' (measured, but never fast enough) or 'no data' (never measured).
-- fastest_itl_ms is the lowest inter-token latency measured at the percentile, and row_id is the
-- configuration that reached it.
--
-- :task         text_task                           workload that makes text
-- :model        model                               model: slug, name or Hugging Face id
-- :gpu          gpu                                 GPU, such as B200
-- :percentile   one of median|p90|p95|p99 = median  which inter-token latency must meet it
-- :deadline_ms  real above 0 = 500                  highest inter-token latency allowed, ms
-- caption: :percentile ITL at most :deadline_ms ms
with measured as (
    select
        models.model_id as model_id,
        models.model as model,
        gpus.gpu as gpu,
        (
            select candidates.configuration_id
            from configurations as candidates
            where candidates.task_id = tasks.task_id
                and candidates.model_id = models.model_id
                and candidates.gpu_id = gpus.gpu_id
            order by
                case :percentile
                    when 'median' then candidates.median_itl_ms
                    when 'p90' then candidates.p90_itl_ms
                    when 'p95' then candidates.p95_itl_ms
                    when 'p99' then candidates.p99_itl_ms
                end,
                candidates.joules_per_output_token,
                candidates.configuration_id
            limit 1
        ) as configuration_id
    from tasks
    cross join models
    cross join gpus
    where tasks.task = :task
        and models.model_id in (
            select model_id from models where :model is null or model = :model
        )
        and gpus.gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
        and exists (
            select 1
            from tasks as every_task
            join configurations as any_of_model
                on any_of_model.task_id = every_task.task_id
                and any_of_model.model_id = models.model_id
        )
),

fastest as (
    select
        configuration_energy.configuration_id as configuration_id,
        configuration_latencies.itl_ms as itl_ms,
        configuration_energy.row_id as row_id
    from measured
    join configuration_energy
        on configuration_energy.configuration_id = measured.configuration_id
    join configuration_latencies
        on configuration_latencies.configuration_id = configuration_energy.configuration_id
        and configuration_latencies.percentile = :percentile
)

select
    measured.model as model,
    measured.gpu as gpu,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    case
        when fastest.row_id is null then 'no data'
        when fastest.itl_ms <= :deadline_ms then 'meets'
        else 'none meets'
    end as status,
    fastest.itl_ms as fastest_itl_ms,
    fastest.row_id as row_id
from measured
left join fastest on fastest.configuration_id = measured.configuration_id
order by measured.model, measured.gpu;
