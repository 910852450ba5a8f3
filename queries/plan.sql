-- The GPUs and replicas that serve a demand within a latency deadline with the least power.
--
-- One row per model, GPU and source that was measured. Every replica carries an equal share of the demand,
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
-- where a replica has less to do than was ever measured: ITL, load and power are then those of the
-- lowest measured load.
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
-- :task               text_task                               workload that makes text
-- :model              model                                   model: slug, name or Hugging Face id
-- :gpu                gpu                                     GPU, such as B200
-- :source             source                                  source, such as published
-- :tokens_per_second  real from 1e-6 up to 1e12               demand, output tokens per second
-- :load_profile       load profile                            a day's changing demand, a CSV file
-- :percentile         one of median|p90|p95|p99 = median      which inter-token latency counts
-- :deadline_ms        real above 0 = release.itl_deadline_ms  highest latency allowed, ms
-- :usd_per_kwh        real from 0 up to 1e6                   price of electricity, USD per kWh
-- :gco2_per_kwh       real from 0 up to 1e6                   CO2e of electricity, g per kWh
-- :pue                real from 1 up to 100 = 1               facility energy / that of its machines
-- :unstable           boolean = false                         also own runs that were not steady
--
-- needs one of :tokens_per_second, :load_profile
-- important: model, gpu, status, replicas, num_gpus, total_gpus, max_num_seqs, itl_ms
-- important: power_watts
-- caption: :percentile ITL at most :deadline_ms ms
--
-- alias: --tps :tokens_per_second
-- alias: --deadline :deadline_ms
-- example: --model llama-3-1-70b-instruct --tokens-per-second 5k --deadline-ms 50
--   how many GPUs serve 5,000 tokens a second within 50 ms
-- example: --gpu B200 --tokens-per-second 20k --percentile p99 --usd-per-kwh 0.12
--   what each model takes to serve 20,000 tokens a second, and its cost a day
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

points as (
    select
        *,
        case :percentile
            when 'median' then median_itl_ms
            when 'p90' then p90_itl_ms
            when 'p95' then p95_itl_ms
            when 'p99' then p99_itl_ms
        end as itl_ms
    from configuration_means
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:unstable or unstable_reason is null)
        and avg_running_batch is not null
),

-- Every point (upper) with the one before it (lower) and the highest throughput of all before it.
-- A series has the key of its first point.
neighbours as materialized (
    select
        points.*,
        lag(row_id) over by_load as lower_row_id,
        lag(avg_running_batch) over by_load as lower_load,
        lag(tokens_per_second) over by_load as lower_throughput,
        lag(power_watts) over by_load as lower_watts,
        lag(itl_ms) over by_load as lower_itl,
        max(tokens_per_second) over (
            by_load rows between unbounded preceding and 1 preceding
        ) as reached,
        first_value(configuration_id) over by_load as series
    from points
    window by_load as (
        partition by
            model, gpu, source, num_gpus, tensor_parallel, data_parallel, expert_parallel,
            precision
        order by avg_running_batch, configuration_id
    )
),

-- The segments that have a say. Each serves the shares above all that was reached before it, up to
-- its upper end; the first point is a segment of its own. ITL is linear in throughput there, so
-- that the deadline allows the shares up to highest_share, none where that is null, and where ITL
-- falls, those from lowest_share on.
segments as materialized (
    select
        configuration_id as upper_id,
        row_id as upper_row_id,
        model,
        gpu,
        source,
        num_gpus,
        series,
        reached,
        tokens_per_second as upper_throughput,
        power_watts as upper_watts,
        coalesce(lower_throughput, 0.0) as lower_throughput,
        coalesce(lower_watts, power_watts) as lower_watts,
        case
            when itl_ms <= :deadline_ms then tokens_per_second
            when lower_itl <= :deadline_ms then
                lower_throughput
                + (:deadline_ms - lower_itl) / (itl_ms - lower_itl)
                * (tokens_per_second - lower_throughput)
        end as highest_share,
        case
            when itl_ms <= :deadline_ms and lower_itl > :deadline_ms then
                tokens_per_second
                - (:deadline_ms - itl_ms) / (lower_itl - itl_ms)
                * (tokens_per_second - lower_throughput)
            else coalesce(reached, 0.0)
        end as lowest_share
    from neighbours
    where reached is null or tokens_per_second > reached
),

-- How many replicas the ends of a segment mean, and then the whole numbers between. Below the first
-- point power no longer falls with the share, so that the fewest replicas are the only candidate.
bounds as not materialized (
    select
        segments.*,
        demands.tokens_per_second as tokens_per_second,
        demands.tokens_per_second / segments.highest_share * (1.0 - 1e-12) as at_least,
        demands.tokens_per_second / segments.reached * (1.0 - 1e-12) as fewer_than,
        demands.tokens_per_second / segments.lowest_share * (1.0 + 1e-12) as at_most
    from segments
    cross join demands
    where segments.highest_share is not null
),

whole as not materialized (
    select
        *,
        max(cast(at_least as integer) + (at_least > cast(at_least as integer)), 1) as fewest,
        min(
            cast(at_most as integer),
            cast(fewer_than as integer) + (fewer_than > cast(fewer_than as integer)) - 1
        ) as most
    from bounds
),

-- Power is linear in the number of replicas within a segment. It falls with their number where the
-- line through the segment's ends has less than none at no throughput; there the most take the
-- least, else the fewest.
numbers as not materialized (
    select
        *,
        case
            when lower_watts * upper_throughput
                < upper_watts * lower_throughput * (1.0 - 1e-12) then most
            else fewest
        end as replicas
    from whole
    where reached is null or fewest <= most
),

-- How far along from the lower neighbour to the upper each share is, 0 to 1: within the limits of
-- its segment, and 1 for what is equal to the upper end.
shares as (
    select
        *,
        reached is null
            and tokens_per_second / replicas < upper_throughput * (1.0 - 1e-12) as is_below,
        case
            when reached is null
                or tokens_per_second / replicas >= upper_throughput * (1.0 - 1e-12) then 1.0
            else (
                max(min(tokens_per_second / replicas, highest_share), lowest_share)
                - lower_throughput
            ) / (upper_throughput - lower_throughput)
        end as along
    from numbers
),

options as materialized (
    select *, ((1.0 - along) * lower_watts + along * upper_watts) * replicas as total_watts
    from shares
),

at_peak as (
    select *, min(total_watts) over (partition by model, gpu, source) as least_watts
    from options
    where tokens_per_second = (select max(tokens_per_second) from demands)
),

ranked as (
    select
        *,
        row_number() over (
            partition by model, gpu, source
            order by replicas * num_gpus, replicas, upper_row_id
        ) as place
    from at_peak
    where total_watts <= least_watts * (1.0 + 1e-12)
),

plans as (select * from ranked where place = 1),

-- The best number of replicas of each series for each demand.
cheapest as materialized (
    select series, tokens_per_second, is_below, min(total_watts) as total_watts
    from options
    group by series, tokens_per_second
),

-- The parts of the day: with the replicas of the plan, each in the one segment that its share is
-- in, and with the number that is best for it. One row without parts where there is no profile.
parts as (
    select
        plans.*,
        day_parts.hours as hours,
        case
            when day_parts.tokens_per_second / plans.replicas
                between segments.lowest_share * (1.0 - 1e-12)
                and segments.highest_share * (1.0 + 1e-12)
            then
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
        cheapest.total_watts as following_watts,
        cheapest.is_below as following_is_below
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
        *,
        case
            when count(hours) = 0 then total_watts * 24.0
            when count(fixed_watts) = count(hours) then sum(fixed_watts * hours)
        end / 1000.0 * :pue as kwh_per_day,
        case
            when count(hours) = 0 then is_below * 24.0
            when count(fixed_watts) = count(hours) then sum(fixed_is_below * hours)
        end as estimated_hours,
        case when count(following_watts) = count(hours) then sum(following_watts * hours) end
            / 1000.0 * :pue as following_kwh_per_day,
        case when count(following_watts) = count(hours) then sum(following_is_below * hours) end
            as following_estimated_hours
    from parts
    group by model, gpu, source
),

fastest as (
    select model, gpu, source, min(itl_ms) as fastest_itl_ms
    from points
    group by model, gpu, source
)

select
    fastest.model as model,
    fastest.gpu as gpu,
    case
        when days.replicas is not null then 'meets'
        when fastest.fastest_itl_ms > :deadline_ms then 'none meets'
        else 'no whole number of replicas meets'
    end as status,
    days.replicas as replicas,
    upper.num_gpus as num_gpus,
    days.replicas * upper.num_gpus as total_gpus,
    upper.max_num_seqs as max_num_seqs,
    (1.0 - days.along) * coalesce(upper.lower_load, upper.avg_running_batch)
        + days.along * upper.avg_running_batch as per_replica_avg_running_batch,
    days.tokens_per_second / days.replicas as per_replica_tokens_per_second,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    (1.0 - days.along) * coalesce(upper.lower_itl, upper.itl_ms) + days.along * upper.itl_ms
        as itl_ms,
    fastest.fastest_itl_ms as fastest_itl_ms,
    (select max(tokens_per_second) from demands) as tokens_per_second,
    days.total_watts as power_watts,
    days.total_watts / days.tokens_per_second * 1e6 / 3600.0 as wh_per_million_output_tokens,
    days.total_watts / days.tokens_per_second / (
        select min(joules_per_output_token)
        from configuration_latencies as best
        where best.task = :task
            and best.model = upper.model
            and best.gpu = upper.gpu
            and best.source = upper.source
            and best.percentile = :percentile
            and best.itl_ms <= :deadline_ms
    ) as energy_relative_to_best,
    days.is_below as estimate,
    :pue as pue,
    days.kwh_per_day as kwh_per_day,
    days.kwh_per_day * :usd_per_kwh as cost_usd_per_day,
    days.kwh_per_day * :gco2_per_kwh / 1000.0 as co2e_kg_per_day,
    days.estimated_hours as estimated_hours,
    days.following_kwh_per_day as following_kwh_per_day,
    days.following_kwh_per_day * :usd_per_kwh as following_cost_usd_per_day,
    days.following_kwh_per_day * :gco2_per_kwh / 1000.0 as following_co2e_kg_per_day,
    days.following_estimated_hours as following_estimated_hours,
    upper.tensor_parallel as tensor_parallel,
    upper.data_parallel as data_parallel,
    upper.expert_parallel as expert_parallel,
    upper.precision as precision,
    case when days.along < 1.0 then upper.lower_row_id else upper.row_id end as lower_row_id,
    upper.row_id as upper_row_id,
    fastest.source as source
from fastest
left join days
    on days.model = fastest.model
    and days.gpu = fastest.gpu
    and days.source = fastest.source
left join neighbours as upper on upper.configuration_id = days.upper_id
order by fastest.model, days.total_watts is null, days.total_watts, fastest.gpu,
    fastest.source;
