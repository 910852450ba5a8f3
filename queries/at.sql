-- Energy, latency and power of a series at a given load or throughput, between measured points.
--
-- A series is the configurations that differ only in max_num_seqs and repeat, in the order of load
-- (avg_running_batch, requests in flight); equal loads are in the order of the document. A
-- configuration measured more than once is one point, at the mean of each figure. Between two
-- neighbours every figure is linear in load: (1 - f) * lower + f * upper. Energy is power_watts /
-- tokens_per_second at that place.
-- Throughput is not monotone in load: a given throughput means the lowest load at which the series
-- reaches it.
-- Nothing is said beyond the measured range. status is 'measured' at a measured point,
-- 'interpolated' between two, 'below the measured range' or 'above the measured range'; the range
-- of what was asked for, load or throughput, is measured_from to measured_to.
-- max_num_seqs is the limit to run with: that of the upper neighbour.
--
-- :task               text_task       workload that makes text
-- :model              model           model: slug, name or Hugging Face id
-- :gpu                gpu             GPU, such as B200
-- :num_gpus           integer from 1  number of GPUs
-- :load               real above 0    requests in flight
-- :tokens_per_second  real above 0    throughput of the whole configuration, tokens per second
--
-- needs :model
-- needs one of :load, :tokens_per_second
with points as (
    select
        configuration_means.configuration_id as configuration_id,
        configuration_means.gpu as gpu,
        configuration_means.num_gpus as num_gpus,
        configuration_means.tensor_parallel as tensor_parallel,
        configuration_means.data_parallel as data_parallel,
        configuration_means.expert_parallel as expert_parallel,
        configuration_means.precision as precision,
        configuration_means.max_num_seqs as max_num_seqs,
        configuration_means.row_id as row_id,
        configuration_means.avg_running_batch as avg_running_batch,
        configuration_means.tokens_per_second as tokens_per_second,
        configuration_means.power_watts as power_watts,
        configuration_means.median_itl_ms as median_itl_ms,
        configuration_means.p90_itl_ms as p90_itl_ms,
        configuration_means.p95_itl_ms as p95_itl_ms,
        configuration_means.p99_itl_ms as p99_itl_ms,
        case
            when :load is not null then configuration_means.avg_running_batch
            else configuration_means.tokens_per_second
        end as given_figure
    from configuration_means
    where configuration_means.task = :task
        and configuration_means.model = :model
        and (:gpu is null or configuration_means.gpu = :gpu)
        and (:num_gpus is null or configuration_means.num_gpus = :num_gpus)
),

numbered as (
    select
        dense_rank() over (
            order by
                points.gpu,
                points.num_gpus,
                points.tensor_parallel,
                points.data_parallel,
                points.expert_parallel,
                points.precision
        ) as series,
        row_number() over (
            partition by
                points.gpu,
                points.num_gpus,
                points.tensor_parallel,
                points.data_parallel,
                points.expert_parallel,
                points.precision
            order by points.avg_running_batch, points.configuration_id
        ) as place,
        points.gpu as gpu,
        points.num_gpus as num_gpus,
        points.tensor_parallel as tensor_parallel,
        points.data_parallel as data_parallel,
        points.expert_parallel as expert_parallel,
        points.precision as precision,
        points.max_num_seqs as max_num_seqs,
        points.row_id as row_id,
        points.avg_running_batch as avg_running_batch,
        points.tokens_per_second as tokens_per_second,
        points.power_watts as power_watts,
        points.median_itl_ms as median_itl_ms,
        points.p90_itl_ms as p90_itl_ms,
        points.p95_itl_ms as p95_itl_ms,
        points.p99_itl_ms as p99_itl_ms,
        points.given_figure as given_figure
    from points
),

-- The upper neighbour is the first point, in the order of load, that reaches what is given. All
-- before it are below, so that the one just before it is the lower neighbour.
reached as (
    select
        numbered.series as series,
        min(numbered.gpu) as gpu,
        min(numbered.num_gpus) as num_gpus,
        min(numbered.tensor_parallel) as tensor_parallel,
        min(numbered.data_parallel) as data_parallel,
        min(numbered.expert_parallel) as expert_parallel,
        min(numbered.precision) as precision,
        min(
            case
                when numbered.given_figure >= coalesce(:load, :tokens_per_second)
                    then numbered.place
            end
        ) as place,
        min(case when numbered.place = 1 then numbered.given_figure end) as measured_from,
        max(numbered.given_figure) as measured_to
    from numbered
    group by numbered.series
),

neighbours as (
    select
        reached.series as series,
        reached.gpu as gpu,
        reached.num_gpus as num_gpus,
        reached.tensor_parallel as tensor_parallel,
        reached.data_parallel as data_parallel,
        reached.expert_parallel as expert_parallel,
        reached.precision as precision,
        reached.measured_from as measured_from,
        reached.measured_to as measured_to,
        case
            when reached.place is null then 'above the measured range'
            when upper.given_figure = coalesce(:load, :tokens_per_second) then 'measured'
            when reached.place = 1 then 'below the measured range'
            else 'interpolated'
        end as status,
        upper.place as upper_place,
        case
            when upper.given_figure = coalesce(:load, :tokens_per_second) then upper.place
            else upper.place - 1
        end as lower_place
    from reached
    left join numbered as upper on upper.series = reached.series and upper.place = reached.place
),

-- How far along from the lower neighbour to the upper, 0 to 1; null beyond the measured range.
weighed as (
    select
        neighbours.series as series,
        neighbours.gpu as gpu,
        neighbours.num_gpus as num_gpus,
        neighbours.tensor_parallel as tensor_parallel,
        neighbours.data_parallel as data_parallel,
        neighbours.expert_parallel as expert_parallel,
        neighbours.precision as precision,
        neighbours.measured_from as measured_from,
        neighbours.measured_to as measured_to,
        neighbours.status as status,
        neighbours.upper_place as upper_place,
        neighbours.lower_place as lower_place,
        case neighbours.status
            when 'measured' then 1.0
            when 'interpolated' then
                (coalesce(:load, :tokens_per_second) - lower.given_figure)
                / (upper.given_figure - lower.given_figure)
        end as f
    from neighbours
    left join numbered as lower
        on lower.series = neighbours.series and lower.place = neighbours.lower_place
    left join numbered as upper
        on upper.series = neighbours.series and upper.place = neighbours.upper_place
),

answers as (
    select
        weighed.series as series,
        weighed.gpu as gpu,
        weighed.num_gpus as num_gpus,
        weighed.tensor_parallel as tensor_parallel,
        weighed.data_parallel as data_parallel,
        weighed.expert_parallel as expert_parallel,
        weighed.precision as precision,
        weighed.status as status,
        weighed.measured_from as measured_from,
        weighed.measured_to as measured_to,
        (1.0 - weighed.f) * lower.avg_running_batch + weighed.f * upper.avg_running_batch
            as avg_running_batch,
        (1.0 - weighed.f) * lower.tokens_per_second + weighed.f * upper.tokens_per_second
            as tokens_per_second,
        (1.0 - weighed.f) * lower.power_watts + weighed.f * upper.power_watts as power_watts,
        (1.0 - weighed.f) * lower.median_itl_ms + weighed.f * upper.median_itl_ms as median_itl_ms,
        (1.0 - weighed.f) * lower.p90_itl_ms + weighed.f * upper.p90_itl_ms as p90_itl_ms,
        (1.0 - weighed.f) * lower.p95_itl_ms + weighed.f * upper.p95_itl_ms as p95_itl_ms,
        (1.0 - weighed.f) * lower.p99_itl_ms + weighed.f * upper.p99_itl_ms as p99_itl_ms,
        case when weighed.f is not null then upper.max_num_seqs end as max_num_seqs,
        case when weighed.f is not null then lower.row_id end as lower_row_id,
        case when weighed.f is not null then upper.row_id end as upper_row_id
    from weighed
    left join numbered as lower
        on lower.series = weighed.series and lower.place = weighed.lower_place
    left join numbered as upper
        on upper.series = weighed.series and upper.place = weighed.upper_place
)

select
    :model as model,
    answers.gpu as gpu,
    answers.num_gpus as num_gpus,
    answers.tensor_parallel as tensor_parallel,
    answers.data_parallel as data_parallel,
    answers.expert_parallel as expert_parallel,
    answers.precision as precision,
    answers.status as status,
    answers.measured_from as measured_from,
    answers.measured_to as measured_to,
    answers.avg_running_batch as avg_running_batch,
    answers.power_watts / answers.tokens_per_second * 1e6 / 3600.0 as wh_per_million_output_tokens,
    answers.power_watts / answers.tokens_per_second as joules_per_output_token,
    answers.median_itl_ms as median_itl_ms,
    answers.p90_itl_ms as p90_itl_ms,
    answers.p95_itl_ms as p95_itl_ms,
    answers.p99_itl_ms as p99_itl_ms,
    answers.tokens_per_second as tokens_per_second,
    answers.power_watts as power_watts,
    answers.max_num_seqs as max_num_seqs,
    answers.lower_row_id as lower_row_id,
    answers.upper_row_id as upper_row_id
from answers
order by answers.gpu, answers.num_gpus, answers.series;
