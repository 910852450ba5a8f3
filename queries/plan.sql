-- The GPUs and replicas that serve a demand within a latency deadline with the least power.
--
-- One row per model and GPU that was measured. Every replica carries an equal share of the demand,
-- and works at the place where 'energydb query at' finds that throughput: power, load and
-- inter-token latency (ITL) are linear in load between two measured neighbours, and a throughput
-- means the lowest load at which the series reaches it. The ITL at the percentile must be at most
-- deadline_ms there. Of all series (GPUs for each replica, parallelism, precision) and all numbers
-- of replicas the row has the one of least power; equal power goes to fewer GPUs, then fewer
-- replicas, then the first upper_row_id. Whole numbers and equal power are taken with a relative
-- tolerance of 1e-12.
--
-- status is 'meets', 'none meets' (no measured point of any curve meets the deadline, repeated
-- measurements counted as their mean; fastest_itl_ms is the lowest), or 'no whole number of
-- replicas meets' (some load meets it, but not the share of any number of replicas).
-- num_gpus is of each replica, total_gpus, tokens_per_second and power_watts are of all replicas
-- together. max_num_seqs is the limit to run with: that of the upper neighbour. estimate is true
-- where one replica has less to do than was ever measured: ITL, load and power are then those of
-- the lowest measured load.
-- wh_per_million_output_tokens is of the demand at this power; energy_relative_to_best is that
-- divided by the lowest that was measured for the model and GPU within the same deadline, which
-- 'energydb query best' tells. It may be below 1, since the curve is followed up to the deadline.
--
-- All of this is the energy of the GPUs. kwh_per_day is power_watts over 24 hours times pue (power
-- usage effectiveness, 1 unless given); cost and CO2e are of kwh_per_day, and empty until their
-- rate is given.
-- With --load-profile the row is the plan for the highest demand, and kwh_per_day is the day with
-- that number of replicas all the time, following_kwh_per_day the day with the best number of
-- replicas of the same series at every demand. Either is empty where some demand of the day cannot
-- meet the deadline so. estimated_hours are those of the day with a share below the measured range,
-- counted with the power of the lowest measured load.
-- The CSV file has the header hours,tokens_per_second and a row for every part of the day; the
-- hours add up to 24. Other clients bind it as JSON: [{"hours":24,"tokens_per_second":5000}].
--
-- :task               text_task                           workload that makes text
-- :model              model                               model: slug, name or Hugging Face id
-- :gpu                gpu                                 GPU, such as B200
-- :tokens_per_second  real from 1e-6 up to 1e12           demand, output tokens per second
-- :load_profile       load profile                        a day's changing demand, a CSV file
-- :percentile         one of median|p90|p95|p99 = median  which inter-token latency counts
-- :deadline_ms        real above 0 = 500                  highest latency allowed, ms
-- :usd_per_kwh        real from 0 up to 1e6               price of electricity, USD per kWh
-- :gco2_per_kwh       real from 0 up to 1e6               CO2e of electricity, g per kWh
-- :pue                real from 1 up to 100 = 1           facility energy / that of its machines
--
-- needs one of :tokens_per_second, :load_profile
-- important: model, gpu, status, replicas, num_gpus, total_gpus, max_num_seqs, itl_ms
-- important: power_watts
-- caption: :percentile ITL at most :deadline_ms ms
with day_parts as materialized (
    select
        json_each.key as part,
        json_extract(json_each.value, '$.hours') * 1.0 as hours,
        json_extract(json_each.value, '$.tokens_per_second') * 1.0 as tokens_per_second
    from json_each(:load_profile)
),

demands as materialized (
    select :tokens_per_second * 1.0 as tokens_per_second
    where :tokens_per_second is not null
    union
    select day_parts.tokens_per_second
    from day_parts
),

-- As in the view configuration_means, with keys in the place of names.
points as (
    select
        min(configurations.configuration_id) as configuration_id,
        configurations.model_id as model_id,
        configurations.gpu_id as gpu_id,
        configurations.num_gpus as num_gpus,
        configurations.tensor_parallel as tensor_parallel,
        configurations.data_parallel as data_parallel,
        configurations.expert_parallel as expert_parallel,
        configurations.precision_id as precision_id,
        avg(configurations.avg_running_batch) as avg_running_batch,
        avg(configurations.tokens_per_second) as tokens_per_second,
        avg(configurations.power_watts) as power_watts,
        avg(
            case :percentile
                when 'median' then configurations.median_itl_ms
                when 'p90' then configurations.p90_itl_ms
                when 'p95' then configurations.p95_itl_ms
                when 'p99' then configurations.p99_itl_ms
            end
        ) as itl_ms
    from configurations
    where configurations.task_id in (select task_id from tasks where task = :task)
        and configurations.model_id in (
            select model_id from models where :model is null or model = :model
        )
        and configurations.gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
    group by
        configurations.model_id,
        configurations.gpu_id,
        configurations.num_gpus,
        configurations.tensor_parallel,
        configurations.data_parallel,
        configurations.expert_parallel,
        configurations.precision_id,
        configurations.max_num_seqs
),

-- Every point (upper) with the one before it (lower) and the highest throughput of all before it.
-- A series has the key of its first point.
neighbours as materialized (
    select
        points.configuration_id as upper_id,
        points.model_id as model_id,
        points.gpu_id as gpu_id,
        points.num_gpus as num_gpus,
        points.avg_running_batch as upper_load,
        points.tokens_per_second as upper_throughput,
        points.power_watts as upper_watts,
        points.itl_ms as upper_itl,
        last_value(points.configuration_id) over before as lower_id,
        last_value(points.avg_running_batch) over before as lower_load,
        last_value(points.tokens_per_second) over before as lower_throughput,
        last_value(points.power_watts) over before as lower_watts,
        last_value(points.itl_ms) over before as lower_itl,
        max(points.tokens_per_second) over before as reached,
        coalesce(first_value(points.configuration_id) over before, points.configuration_id)
            as series
    from points
    window before as (
        partition by
            points.model_id,
            points.gpu_id,
            points.num_gpus,
            points.tensor_parallel,
            points.data_parallel,
            points.expert_parallel,
            points.precision_id
        order by points.avg_running_batch, points.configuration_id
        rows between unbounded preceding and 1 preceding
    )
),

-- The segments that have a say. Each serves the shares above all that was reached before it, up to
-- its upper end; the first point is a segment of its own. ITL is linear in throughput there, so
-- that the deadline allows the shares up to highest_share, none where that is null, and where ITL
-- falls, those from lowest_share on.
segments as materialized (
    select
        neighbours.upper_id as upper_id,
        neighbours.model_id as model_id,
        neighbours.gpu_id as gpu_id,
        neighbours.num_gpus as num_gpus,
        neighbours.series as series,
        neighbours.reached as reached,
        neighbours.upper_throughput as upper_throughput,
        neighbours.upper_watts as upper_watts,
        coalesce(neighbours.lower_throughput, 0.0) as lower_throughput,
        coalesce(neighbours.lower_watts, neighbours.upper_watts) as lower_watts,
        case
            when neighbours.upper_itl <= :deadline_ms then neighbours.upper_throughput
            when neighbours.lower_itl <= :deadline_ms then
                neighbours.lower_throughput
                + (:deadline_ms - neighbours.lower_itl)
                / (neighbours.upper_itl - neighbours.lower_itl)
                * (neighbours.upper_throughput - neighbours.lower_throughput)
        end as highest_share,
        case
            when neighbours.upper_itl <= :deadline_ms and neighbours.lower_itl > :deadline_ms then
                neighbours.upper_throughput
                - (:deadline_ms - neighbours.upper_itl)
                / (neighbours.lower_itl - neighbours.upper_itl)
                * (neighbours.upper_throughput - neighbours.lower_throughput)
        end as lowest_share
    from neighbours
    where neighbours.reached is null or neighbours.upper_throughput > neighbours.reached
),

-- How many replicas the ends of a segment mean, before that is made a whole number.
bounds as not materialized (
    select
        demands.tokens_per_second as tokens_per_second,
        segments.upper_id as upper_id,
        segments.model_id as model_id,
        segments.gpu_id as gpu_id,
        segments.num_gpus as num_gpus,
        segments.series as series,
        segments.reached as reached,
        segments.upper_throughput as upper_throughput,
        segments.upper_watts as upper_watts,
        segments.lower_throughput as lower_throughput,
        segments.lower_watts as lower_watts,
        segments.highest_share as highest_share,
        coalesce(segments.lowest_share, segments.reached, segments.upper_throughput)
            as lowest_share,
        demands.tokens_per_second / segments.highest_share * (1.0 - 1e-12) as at_least,
        demands.tokens_per_second / segments.reached * (1.0 - 1e-12) as fewer_than,
        demands.tokens_per_second
            / coalesce(segments.lowest_share, segments.reached, segments.upper_throughput)
            * (1.0 + 1e-12) as at_most
    from segments
    cross join demands
    where segments.highest_share is not null
),

-- The first point is also for a single replica that has less to do.
ranges as not materialized (
    select
        bounds.tokens_per_second as tokens_per_second,
        bounds.upper_id as upper_id,
        bounds.model_id as model_id,
        bounds.gpu_id as gpu_id,
        bounds.num_gpus as num_gpus,
        bounds.series as series,
        bounds.reached as reached,
        bounds.upper_throughput as upper_throughput,
        bounds.upper_watts as upper_watts,
        bounds.lower_throughput as lower_throughput,
        bounds.lower_watts as lower_watts,
        bounds.highest_share as highest_share,
        bounds.lowest_share as lowest_share,
        max(
            cast(bounds.at_least as integer) + (bounds.at_least > cast(bounds.at_least as integer)),
            1
        ) as fewest,
        case
            when bounds.reached is null then max(cast(bounds.at_most as integer), 1)
            else min(
                cast(bounds.at_most as integer),
                cast(bounds.fewer_than as integer)
                + (bounds.fewer_than > cast(bounds.fewer_than as integer)) - 1
            )
        end as most
    from bounds
),

-- Power is linear in the number of replicas within a segment. It falls with their number where the
-- line through the segment's ends has less than none at no throughput; there the most take the
-- least, else the fewest.
numbers as not materialized (
    select
        ranges.tokens_per_second as tokens_per_second,
        ranges.upper_id as upper_id,
        ranges.model_id as model_id,
        ranges.gpu_id as gpu_id,
        ranges.num_gpus as num_gpus,
        ranges.series as series,
        ranges.reached as reached,
        ranges.upper_throughput as upper_throughput,
        ranges.upper_watts as upper_watts,
        ranges.lower_throughput as lower_throughput,
        ranges.lower_watts as lower_watts,
        ranges.highest_share as highest_share,
        ranges.lowest_share as lowest_share,
        case
            when ranges.lower_watts * ranges.upper_throughput
                < ranges.upper_watts * ranges.lower_throughput * (1.0 - 1e-12) then ranges.most
            else ranges.fewest
        end as replicas
    from ranges
    where ranges.fewest <= ranges.most
),

-- How far along from the lower neighbour to the upper each share is, 0 to 1: within the limits of
-- its segment, and 1 for what is equal to the upper end.
shares as (
    select
        numbers.tokens_per_second as tokens_per_second,
        numbers.upper_id as upper_id,
        numbers.model_id as model_id,
        numbers.gpu_id as gpu_id,
        numbers.num_gpus as num_gpus,
        numbers.series as series,
        numbers.upper_watts as upper_watts,
        numbers.lower_watts as lower_watts,
        numbers.replicas as replicas,
        numbers.reached is null
            and numbers.tokens_per_second < numbers.upper_throughput * (1.0 - 1e-12) as is_below,
        case
            when numbers.reached is null
                or numbers.tokens_per_second / numbers.replicas
                >= numbers.upper_throughput * (1.0 - 1e-12) then 1.0
            else (
                max(
                    min(numbers.tokens_per_second / numbers.replicas, numbers.highest_share),
                    numbers.lowest_share
                )
                - numbers.lower_throughput
            ) / (numbers.upper_throughput - numbers.lower_throughput)
        end as along
    from numbers
),

options as materialized (
    select
        shares.tokens_per_second as tokens_per_second,
        shares.upper_id as upper_id,
        shares.model_id as model_id,
        shares.gpu_id as gpu_id,
        shares.num_gpus as num_gpus,
        shares.series as series,
        shares.replicas as replicas,
        shares.is_below as is_below,
        shares.along as along,
        ((1.0 - shares.along) * shares.lower_watts + shares.along * shares.upper_watts)
            * shares.replicas as power_watts
    from shares
),

at_peak as (
    select
        options.tokens_per_second as tokens_per_second,
        options.upper_id as upper_id,
        options.model_id as model_id,
        options.gpu_id as gpu_id,
        options.num_gpus as num_gpus,
        options.series as series,
        options.replicas as replicas,
        options.is_below as is_below,
        options.along as along,
        options.power_watts as power_watts,
        min(options.power_watts) over (partition by options.model_id, options.gpu_id)
            as least_watts
    from options
    where options.tokens_per_second = (select max(demands.tokens_per_second) from demands)
),

ranked as (
    select
        at_peak.tokens_per_second as tokens_per_second,
        at_peak.upper_id as upper_id,
        at_peak.model_id as model_id,
        at_peak.gpu_id as gpu_id,
        at_peak.series as series,
        at_peak.replicas as replicas,
        at_peak.is_below as is_below,
        at_peak.along as along,
        at_peak.power_watts as power_watts,
        row_number() over (
            partition by at_peak.model_id, at_peak.gpu_id
            order by
                at_peak.replicas * at_peak.num_gpus,
                at_peak.replicas,
                (
                    select configuration_energy.row_id
                    from configuration_energy
                    where configuration_energy.configuration_id = at_peak.upper_id
                )
        ) as place
    from at_peak
    where at_peak.power_watts <= at_peak.least_watts * (1.0 + 1e-12)
),

plans as (
    select
        ranked.tokens_per_second as tokens_per_second,
        ranked.upper_id as upper_id,
        ranked.model_id as model_id,
        ranked.gpu_id as gpu_id,
        ranked.series as series,
        ranked.replicas as replicas,
        ranked.is_below as is_below,
        ranked.along as along,
        ranked.power_watts as power_watts
    from ranked
    where ranked.place = 1
),

-- The best number of replicas of each series for each demand.
cheapest as materialized (
    select
        options.series as series,
        options.tokens_per_second as tokens_per_second,
        min(options.power_watts) as power_watts
    from options
    group by options.series, options.tokens_per_second
),

-- The parts of the day: with the replicas of the plan, each in the one segment that its share is
-- in, and with the number that is best for it. One row without parts where there is no profile.
parts as (
    select
        plans.tokens_per_second as tokens_per_second,
        plans.upper_id as upper_id,
        plans.model_id as model_id,
        plans.gpu_id as gpu_id,
        plans.replicas as replicas,
        plans.is_below as is_below,
        plans.along as along,
        plans.power_watts as power_watts,
        day_parts.hours as hours,
        case
            when segments.highest_share is null
                or day_parts.tokens_per_second / plans.replicas
                > segments.highest_share * (1.0 + 1e-12)
                or day_parts.tokens_per_second / plans.replicas
                < segments.lowest_share * (1.0 - 1e-12) then null
            when segments.reached is null then segments.upper_watts
            else
                segments.lower_watts
                + (segments.upper_watts - segments.lower_watts)
                * (
                    min(day_parts.tokens_per_second / plans.replicas, segments.upper_throughput)
                    - segments.lower_throughput
                )
                / (segments.upper_throughput - segments.lower_throughput)
        end * plans.replicas as fixed_watts,
        segments.reached is null
            and day_parts.tokens_per_second / plans.replicas
            < segments.upper_throughput * (1.0 - 1e-12) as fixed_is_below,
        cheapest.power_watts as following_watts,
        segments.reached is null
            and day_parts.tokens_per_second < segments.upper_throughput * (1.0 - 1e-12)
            as following_is_below
    from plans
    left join day_parts on true
    left join segments
        on segments.series = plans.series
        and segments.upper_throughput * (1.0 + 1e-12)
        >= day_parts.tokens_per_second / plans.replicas
        and (
            segments.reached is null
            or segments.reached * (1.0 + 1e-12) < day_parts.tokens_per_second / plans.replicas
        )
    left join cheapest
        on cheapest.series = plans.series
        and cheapest.tokens_per_second = day_parts.tokens_per_second
),

days as (
    select
        parts.tokens_per_second as tokens_per_second,
        parts.upper_id as upper_id,
        parts.model_id as model_id,
        parts.gpu_id as gpu_id,
        parts.replicas as replicas,
        parts.is_below as is_below,
        parts.along as along,
        parts.power_watts as power_watts,
        case
            when count(parts.hours) = 0 then parts.power_watts * 24.0
            when count(parts.fixed_watts) = count(parts.hours)
                then sum(parts.fixed_watts * parts.hours)
        end as watt_hours,
        case
            when count(parts.hours) = 0 then parts.is_below * 24.0
            when count(parts.fixed_watts) = count(parts.hours)
                then sum(parts.fixed_is_below * parts.hours)
        end as estimated_hours,
        case
            when count(parts.following_watts) = count(parts.hours)
                then sum(parts.following_watts * parts.hours)
        end as following_watt_hours,
        case
            when count(parts.following_watts) = count(parts.hours)
                then sum(parts.following_is_below * parts.hours)
        end as following_estimated_hours
    from parts
    group by
        parts.tokens_per_second,
        parts.upper_id,
        parts.model_id,
        parts.gpu_id,
        parts.replicas,
        parts.is_below,
        parts.along,
        parts.power_watts
),

measured as (
    select
        neighbours.model_id as model_id,
        neighbours.gpu_id as gpu_id,
        min(neighbours.upper_itl) as fastest_itl_ms
    from neighbours
    group by neighbours.model_id, neighbours.gpu_id
),

answers as (
    select
        measured.model_id as model_id,
        measured.gpu_id as gpu_id,
        measured.fastest_itl_ms as fastest_itl_ms,
        days.replicas as replicas,
        days.is_below as is_below,
        days.power_watts as power_watts,
        days.power_watts / days.tokens_per_second as joules_per_output_token,
        days.tokens_per_second / days.replicas as share,
        days.watt_hours / 1000.0 * :pue as kwh_per_day,
        days.estimated_hours as estimated_hours,
        days.following_watt_hours / 1000.0 * :pue as following_kwh_per_day,
        days.following_estimated_hours as following_estimated_hours,
        (1.0 - days.along) * coalesce(points.lower_load, points.upper_load)
            + days.along * points.upper_load as avg_running_batch,
        (1.0 - days.along) * coalesce(points.lower_itl, points.upper_itl)
            + days.along * points.upper_itl as itl_ms,
        case when days.along < 1.0 then points.lower_id else points.upper_id end as lower_id,
        points.upper_id as upper_id
    from measured
    left join days on days.model_id = measured.model_id and days.gpu_id = measured.gpu_id
    left join neighbours as points on points.upper_id = days.upper_id
)

select
    models.model as model,
    gpus.gpu as gpu,
    case
        when answers.replicas is not null then 'meets'
        when answers.fastest_itl_ms > :deadline_ms then 'none meets'
        else 'no whole number of replicas meets'
    end as status,
    answers.replicas as replicas,
    upper.num_gpus as num_gpus,
    answers.replicas * upper.num_gpus as total_gpus,
    upper.max_num_seqs as max_num_seqs,
    answers.avg_running_batch as per_replica_avg_running_batch,
    answers.share as per_replica_tokens_per_second,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    answers.itl_ms as itl_ms,
    answers.fastest_itl_ms as fastest_itl_ms,
    (select max(demands.tokens_per_second) from demands) as tokens_per_second,
    answers.power_watts as power_watts,
    answers.joules_per_output_token * 1e6 / 3600.0 as wh_per_million_output_tokens,
    answers.joules_per_output_token / (
        select min(configurations.joules_per_output_token)
        from configurations
        where configurations.task_id = upper.task_id
            and configurations.model_id = upper.model_id
            and configurations.gpu_id = upper.gpu_id
            and case :percentile
                when 'median' then configurations.median_itl_ms
                when 'p90' then configurations.p90_itl_ms
                when 'p95' then configurations.p95_itl_ms
                when 'p99' then configurations.p99_itl_ms
            end <= :deadline_ms
    ) as energy_relative_to_best,
    answers.is_below as estimate,
    :pue as pue,
    answers.kwh_per_day as kwh_per_day,
    answers.kwh_per_day * :usd_per_kwh as cost_usd_per_day,
    answers.kwh_per_day * :gco2_per_kwh / 1000.0 as co2e_kg_per_day,
    answers.estimated_hours as estimated_hours,
    answers.following_kwh_per_day as following_kwh_per_day,
    answers.following_kwh_per_day * :usd_per_kwh as following_cost_usd_per_day,
    answers.following_kwh_per_day * :gco2_per_kwh / 1000.0 as following_co2e_kg_per_day,
    answers.following_estimated_hours as following_estimated_hours,
    upper.tensor_parallel as tensor_parallel,
    upper.data_parallel as data_parallel,
    upper.expert_parallel as expert_parallel,
    precisions.precision as precision,
    (
        select configuration_energy.row_id
        from configuration_energy
        where configuration_energy.configuration_id = answers.lower_id
    ) as lower_row_id,
    (
        select configuration_energy.row_id
        from configuration_energy
        where configuration_energy.configuration_id = answers.upper_id
    ) as upper_row_id
from answers
join models on models.model_id = answers.model_id
join gpus on gpus.gpu_id = answers.gpu_id
left join configurations as upper on upper.configuration_id = answers.upper_id
left join precisions on precisions.precision_id = upper.precision_id
order by models.model, answers.power_watts is null, answers.power_watts, gpus.gpu;
