-- For each model and GPU, whether any configuration meets a latency deadline.
--
-- Every model that was measured in the workload has a row for every GPU. status is 'meets', 'none
-- meets' (measured, but never fast enough) or 'no data' (measured on other GPUs alone).
-- fastest_itl_ms is the lowest inter-token latency measured at the percentile, and row_id is the
-- configuration that reached it.
--
-- :task         text_task                               workload that makes text
-- :model        model                                   model: slug, name or Hugging Face id
-- :gpu          gpu                                     GPU, such as B200
-- :percentile   one of median|p90|p95|p99 = median      which inter-token latency must meet it
-- :deadline_ms  real above 0 = release.itl_deadline_ms  highest inter-token latency allowed, ms
-- caption: :percentile ITL at most :deadline_ms ms
--
-- alias: --deadline :deadline_ms
-- example: --model llama-3-1-70b-instruct --percentile p99 --deadline-ms 20
--   whether one model can be served at 20 ms, and how near it comes
-- example: --gpu H100 --deadline-ms 10
--   which models H100 serves at 10 ms between tokens
with ranked as (
    select
        *,
        row_number() over (
            partition by model, gpu
            order by itl_ms, joules_per_output_token, configuration_id
        ) as place
    from configuration_latencies
    where task = :task
        and percentile = :percentile
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
)

select
    models.model as model,
    gpus.gpu as gpu,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    case
        when fastest.row_id is null then 'no data'
        when fastest.itl_ms <= :deadline_ms then 'meets'
        else 'none meets'
    end as status,
    fastest.itl_ms as fastest_itl_ms,
    fastest.row_id as row_id
from models
cross join gpus
left join ranked as fastest
    on fastest.model = models.model and fastest.gpu = gpus.gpu and fastest.place = 1
where (:model is null or models.model = :model)
    and (:gpu is null or gpus.gpu = :gpu)
    and exists (
        select 1
        from measured
        join tasks on tasks.task_id = measured.task_id
        where measured.model_id = models.model_id and tasks.task = :task
    )
order by models.model, gpus.gpu;
