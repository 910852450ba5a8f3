-- For each model and GPU, whether any configuration meets the latency deadlines.
--
-- Every model that a source measured in the workload has a row for every GPU.
--
-- status is one of:
--   - meets: at least one configuration meets all limits
--   - none meets: measured, but no configuration meets all limits
--   - no data: measured on other GPUs only
--
-- Columns:
--   - failing_limits: each limit that no configuration meets by itself. It
--     is 'all together' if some configuration meets each limit, but none
--     meets all of them.
--   - fastest_itl_ms: the lowest inter-token latency (ITL) measured at the
--     percentile
--   - row_id: the configuration that reached fastest_itl_ms
--   - ms_per_token_in_flight, request_seconds: those of row_id
--   - fastest_request_seconds: the shortest measured time of a request in
--     flight
--
-- :task                 text_task                               workload that makes text
-- :model                model                                   model: slug, name or Hugging Face id
-- :gpu                  gpu                                     GPU, such as B200
-- :source               source                                  source of the figures, such as published
-- :percentile           one of median|p90|p95|p99 = median      percentile of the latency between tokens
-- :deadline_ms          real above 0 = release.itl_deadline_ms  highest ITL allowed, ms
-- :median_ms            real above 0                            highest median ITL, ms
-- :p90_ms               real above 0                            highest p90 ITL, ms
-- :p95_ms               real above 0                            highest p95 ITL, ms
-- :p99_ms               real above 0                            highest p99 ITL, ms
-- :max_request_seconds  real above 0                            longest time of a request, seconds
-- :unstable             boolean = false                         include own runs that were not steady
-- important: model, gpu, status, failing_limits, fastest_itl_ms
-- caption: :percentile ITL at most :deadline_ms ms · median ITL at most :median_ms ms
-- caption: p90 ITL at most :p90_ms ms · p95 ITL at most :p95_ms ms · p99 ITL at most :p99_ms ms
--
-- alias: --deadline :deadline_ms
-- requires: :percentile_itl_ms, median_itl_ms for :median_ms, p90_itl_ms for :p90_ms
-- requires: p95_itl_ms for :p95_ms, p99_itl_ms for :p99_ms
-- requires: request_seconds for :max_request_seconds
-- requires: steady unless :unstable
-- example: --model llama-3-1-70b-instruct --percentile p99 --deadline-ms 20
--   whether one model can be served at 20 ms, and how near it comes
-- example: --gpu H100 --median-ms 15 --p99-ms 60
--   which models H100 serves within both deadlines, and what the others miss
with ranked as (
    select
        *,
        row_number() over (
            partition by model, gpu, source
            order by itl_ms, joules_per_output_token, configuration_id
        ) as place,
        itl_ms <= :deadline_ms as meets_deadline,
        :median_ms is null or median_itl_ms <= :median_ms as meets_median,
        :p90_ms is null or p90_itl_ms <= :p90_ms as meets_p90,
        :p95_ms is null or p95_itl_ms <= :p95_ms as meets_p95,
        :p99_ms is null or p99_itl_ms <= :p99_ms as meets_p99,
        :max_request_seconds is null or request_seconds <= :max_request_seconds as meets_request
    from configuration_latencies
    where task = :task
        and percentile = :percentile
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:unstable or unstable_reason is null)
        and itl_ms is not null
),

fastest as (
    select
        *,
        max(
            meets_deadline and meets_median and meets_p90 and meets_p95 and meets_p99
            and meets_request
        ) over whole as meets,
        min(request_seconds) over whole as fastest_request_seconds,
        case when max(meets_deadline) over whole then '' else ', deadline_ms' end
        || case when max(meets_median) over whole then '' else ', median_ms' end
        || case when max(meets_p90) over whole then '' else ', p90_ms' end
        || case when max(meets_p95) over whole then '' else ', p95_ms' end
        || case when max(meets_p99) over whole then '' else ', p99_ms' end
        || case when max(meets_request) over whole then '' else ', max_request_seconds' end
            as failing
    from ranked
    window whole as (partition by model, gpu, source)
),

-- The models that each source measured.
of_sources as (
    select distinct measured.model_id as model_id, sources.source as source
    from measured
    join tasks on tasks.task_id = measured.task_id
    join sources on sources.source_id = measured.source_id
    where tasks.task = :task and (:source is null or sources.source = :source)
)

select
    models.model as model,
    gpus.gpu as gpu,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    case
        when fastest.row_id is null then 'no data'
        when fastest.meets then 'meets'
        else 'none meets'
    end as status,
    case
        when not fastest.meets then coalesce(nullif(substr(fastest.failing, 3), ''), 'all together')
    end as failing_limits,
    fastest.itl_ms as fastest_itl_ms,
    fastest.ms_per_token_in_flight as ms_per_token_in_flight,
    fastest.request_seconds as request_seconds,
    fastest.fastest_request_seconds as fastest_request_seconds,
    of_sources.source as source,
    fastest.row_id as row_id
from of_sources
cross join models
cross join gpus
left join fastest
    on fastest.model = models.model
    and fastest.gpu = gpus.gpu
    and fastest.source = of_sources.source
    and fastest.place = 1
where models.model_id = of_sources.model_id
    and (:model is null or models.model = :model)
    and (:gpu is null or gpus.gpu = :gpu)
order by models.model, gpus.gpu, of_sources.source;
