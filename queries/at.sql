-- Energy, latency and power of a series at a given load or throughput, between measured points.
--
-- A series consists of the configurations that differ only in max_num_seqs and repeat. Its points
-- are in the order of load (avg_running_batch, requests in flight), and equal loads in the order
-- of the document. A configuration measured more than once is one point, at the mean of each
-- figure.
--
-- Between two neighbours every figure is linear in load: (1 - f) * lower + f * upper. Energy is
-- power_watts / tokens_per_second at that point. To measure the error, each inner point was left
-- out and computed from its two neighbours. The error of energy was 5 % in the median and 12 % at
-- the 90th percentile. The error of the p99 ITL was 6 % and 29 %. docs/interpolation.md has all
-- the figures.
--
-- Throughput may fall with more load. A given throughput means the lowest load at which the
-- series reaches it. Nothing is extrapolated beyond the measured range.
--
-- Columns:
--   - status: 'measured' at a measured point, 'interpolated' between two,
--     'below the measured range' or 'above the measured range'
--   - measured_from, measured_to: the measured range of the load or
--     throughput that was given
--   - max_num_seqs: the limit to run with, which is that of the upper
--     neighbour
--   - ms_per_token_in_flight: load / throughput
--   - request_seconds: load / requests per second. Requests per second are
--     tokens per second / mean output length at each point, and linear
--     between points.
--   - failing_limits: the given limits that are not met, or 'none'
--
-- :task                 text_task       workload that makes text
-- :model                model           model: slug, name or Hugging Face id
-- :gpu                  gpu             GPU, such as B200
-- :source               source          source of the figures, such as published
-- :num_gpus             integer from 1  number of GPUs
-- :load                 real above 0    requests in flight
-- :tokens_per_second    real above 0    throughput of the whole configuration, tokens per second
-- :median_ms            real above 0    highest median ITL, ms
-- :p90_ms               real above 0    highest p90 ITL, ms
-- :p95_ms               real above 0    highest p95 ITL, ms
-- :p99_ms               real above 0    highest p99 ITL, ms
-- :max_request_seconds  real above 0    longest time of a request, seconds
-- :unstable             boolean = false  include own runs that were not steady
--
-- important: gpu, num_gpus, precision, status, avg_running_batch, wh_per_million_output_tokens
-- important: median_itl_ms, tokens_per_second, failing_limits
-- caption: median ITL at most :median_ms ms · p90 ITL at most :p90_ms ms
-- caption: p95 ITL at most :p95_ms ms · p99 ITL at most :p99_ms ms
--
-- needs :model
-- needs one of :load, :tokens_per_second
--
-- alias: --concurrency :load
-- alias: --tps :tokens_per_second
-- requires: avg_running_batch
-- requires: steady unless :unstable
-- example: --model llama-3-1-70b-instruct --load 100
--   energy, latency and power of each series at 100 requests in flight
-- example: --model qwen-3-14b --gpu B200 --tokens-per-second 5k
--   the load at which one B200 makes 5,000 tokens a second, and the energy
-- example: --model qwen-3-14b --load 100 --median-ms 30 --p99-ms 100
--   which series is within both deadlines at 100 requests in flight
with asked as (select coalesce(:load, :tokens_per_second) as figure),

points as (
    select
        *,
        case when :load is not null then avg_running_batch else tokens_per_second end as figure,
        row_number() over series as place,
        dense_rank() over (
            order by gpu, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision,
                source
        ) as series
    from configuration_means
    where task = :task
        and model = :model
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:unstable or unstable_reason is null)
        and avg_running_batch is not null
        and (:num_gpus is null or num_gpus = :num_gpus)
    window series as (
        partition by
            gpu, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision, source
        order by avg_running_batch, configuration_id
    )
),

-- The upper neighbour is the first point, in the order of load, that reaches what is asked for.
series as (
    select
        points.*,
        min(case when points.figure >= asked.figure then points.place end) over whole
            as upper_place,
        max(points.figure) over whole as measured_to
    from points, asked
    window whole as (partition by points.series)
),

neighbours as (
    select
        first.*,
        first.figure as measured_from,
        case
            when first.upper_place is null then 'above the measured range'
            when upper.figure = asked.figure then 'measured'
            when first.upper_place = 1 then 'below the measured range'
            else 'interpolated'
        end as status,
        first.upper_place - (upper.figure > asked.figure) as lower_place
    from series as first, asked
    left join points as upper on upper.series = first.series and upper.place = first.upper_place
    where first.place = 1
),

answers as (
    select
        neighbours.*,
        lower.row_id as lower_row_id,
        upper.row_id as upper_row_id,
        upper.max_num_seqs as upper_max_num_seqs,
        coalesce((asked.figure - lower.figure) / (upper.figure - lower.figure), 1.0) as f,
        lower.avg_running_batch as l0, upper.avg_running_batch as u0,
        lower.tokens_per_second as l1, upper.tokens_per_second as u1,
        lower.power_watts as l2, upper.power_watts as u2,
        lower.median_itl_ms as l3, upper.median_itl_ms as u3,
        lower.p90_itl_ms as l4, upper.p90_itl_ms as u4,
        lower.p95_itl_ms as l5, upper.p95_itl_ms as u5,
        lower.p99_itl_ms as l6, upper.p99_itl_ms as u6,
        lower.requests_per_second as l7, upper.requests_per_second as u7
    from neighbours, asked
    left join points as lower
        on lower.series = neighbours.series and lower.place = neighbours.lower_place
    left join points as upper
        on lower.place is not null
        and upper.series = neighbours.series
        and upper.place = neighbours.upper_place
),

figures as (
    select
        *,
        (1.0 - f) * l0 + f * u0 as avg_load,
        (1.0 - f) * l1 + f * u1 as throughput,
        (1.0 - f) * l2 + f * u2 as watts,
        (1.0 - f) * l3 + f * u3 as median_itl,
        (1.0 - f) * l4 + f * u4 as p90_itl,
        (1.0 - f) * l5 + f * u5 as p95_itl,
        (1.0 - f) * l6 + f * u6 as p99_itl,
        ((1.0 - f) * l0 + f * u0) / ((1.0 - f) * l7 + f * u7) as seconds
    from answers
)

select
    model,
    gpu,
    num_gpus,
    tensor_parallel,
    data_parallel,
    expert_parallel,
    precision,
    status,
    measured_from,
    measured_to,
    avg_load as avg_running_batch,
    watts / throughput * 1e6 / 3600.0 as wh_per_million_output_tokens,
    watts / throughput as joules_per_output_token,
    median_itl as median_itl_ms,
    p90_itl as p90_itl_ms,
    p95_itl as p95_itl_ms,
    p99_itl as p99_itl_ms,
    throughput as tokens_per_second,
    watts as power_watts,
    avg_load * 1000.0 / throughput as ms_per_token_in_flight,
    seconds as request_seconds,
    case
        when watts is null
            or coalesce(:median_ms, :p90_ms, :p95_ms, :p99_ms, :max_request_seconds) is null
        then null
        else
            coalesce(
                nullif(
                    substr(
                        case when median_itl > :median_ms then ', median_ms' else '' end
                        || case when p90_itl > :p90_ms then ', p90_ms' else '' end
                        || case when p95_itl > :p95_ms then ', p95_ms' else '' end
                        || case when p99_itl > :p99_ms then ', p99_ms' else '' end
                        || case
                            when seconds > :max_request_seconds then ', max_request_seconds'
                            else ''
                        end,
                        3
                    ),
                    ''
                ),
                'none'
            )
    end as failing_limits,
    upper_max_num_seqs as max_num_seqs,
    source,
    lower_row_id,
    upper_row_id
from figures
order by gpu, num_gpus, series;
