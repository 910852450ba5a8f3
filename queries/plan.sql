-- The GPUs and replicas that serve a demand within latency deadlines, at the least power or cost.
--
-- One row per model, GPU and source that was measured. Every replica serves an equal share of the
-- demand. Its load is the lowest load at which the series reaches that throughput, as in
-- 'energydb query at'. Power, load, requests per second and inter-token latency (ITL) are linear
-- in load between two measured neighbours. At this load the ITL at the percentile must be at most
-- deadline_ms, and every other given limit must be met.
--
-- A series has one number of GPUs for each replica, one parallelism and one precision. Of all
-- series and numbers of replicas, the row shows the best by --minimize: least power, fewest GPUs
-- or lowest cost. If several are equal, the one with less power wins, then fewer GPUs, then fewer
-- replicas, then the first upper_row_id. Figures are equal, and numbers whole, within a relative
-- tolerance of 1e-12.
--
-- A share may be below the lowest measured load. Then estimate is true: power and ITL are those
-- of the lowest measured load, and load is in proportion to the share. Only the fewest replicas
-- are tried there, because more replicas take more power. --measured-only excludes such shares.
-- Own runs that were not steady are never used.
--
-- status is one of:
--   - meets: the row shows the plan
--   - none meets: no measured point of any curve is within all deadlines,
--     with repeats counted as their mean; fastest_itl_ms is the lowest ITL
--   - no whole number of replicas meets: some load meets the limits, but no
--     number of replicas has a share at such a load
--   - cost needs both rates: --minimize cost was given without them
--
-- Size:
--   - num_gpus: of each replica
--   - total_gpus, slots, tokens_per_second, power_watts: of all replicas
--     together
--   - max_num_seqs: the limit to run with, which is that of the upper
--     neighbour
--   - slots: max_num_seqs * replicas
--
-- Latency and reserve:
--   - headroom: how much the demand may grow before the same replicas miss
--     a deadline, where 0.2 is 20 %. --headroom sets the least headroom.
--     Power, energy and cost are still those of the demand.
--   - highest_share_of_deadline: the highest ITL / its deadline, of all
--     given deadlines
--   - busy_share: the share of slots with a request in flight
--   - waiting_share: the share of requests that would wait for a slot of
--     their replica if they arrived at random (Erlang C). The measurements
--     kept all slots full, so this is an upper bound, not a forecast: at
--     measured loads its median is 0.98. --max-busy-share lowers it.
--   - ms_per_token_in_flight: load / throughput
--   - request_seconds: load / requests per second
--   - requests_per_slot: that of the neighbour with fewer. Empty if the
--     source does not report the number of requests.
--
-- Energy, power and money:
--   - wh_per_million_output_tokens: energy per output token at this power
--   - energy_relative_to_best: wh_per_million_output_tokens / the lowest
--     measured within the same deadlines, which 'energydb query best'
--     shows. It can be below 1, because the plan may use a load between two
--     measured points.
--   - power_watts: mean power of the GPUs over time
--   - peak_mean_power_watts: the highest power_watts of the day
--   - total_rated_power_watts: the power that all GPUs are rated for. Size
--     the power supply for this, not for a mean.
--   - kwh_per_day: the power of GPUs and hosts over 24 hours times pue
--     (power usage effectiveness)
--
-- Electricity, rent, their sum and CO2e are empty unless you give their rates.
--
-- With --load-profile the row shows the plan for the highest demand of a day:
--   - kwh_per_day: energy of a day with that number of replicas all the
--     time
--   - following_kwh_per_day: energy of a day with the best number of
--     replicas of the same series for every demand. The other replicas are
--     off and take idle_watts_per_gpu.
--   - estimated_hours: hours of the day with a share below the measured
--     range
--
-- kwh_per_day and following_kwh_per_day are empty if some demand of the day cannot be served in
-- that way. Every number of replicas must have the headroom. The CSV file has the header
-- hours,tokens_per_second and a row for every part of the day. The hours add up to 24. For an
-- idle part, write a demand of 1e-6. Other clients bind the profile as JSON:
-- [{"hours":24,"tokens_per_second":5000}].
--
-- :task                   text_task                               workload that makes text
-- :model                  model                                   model: slug, name or Hugging Face id
-- :gpu                    gpu                                     GPU, such as B200
-- :source                 source                                  source of the figures, such as published
-- :precision              precision                               number format of the weights, such as FP8
-- :tokens_per_second      real from 1e-6 up to 1e12               demand, output tokens per second
-- :requests_per_second    real from 1e-6 up to 1e12               demand, requests per second
-- :load_profile           load profile                            CSV file with the demand over a day
-- :percentile             one of median|p90|p95|p99 = median      percentile of the latency between tokens
-- :deadline_ms            real above 0 = release.itl_deadline_ms  highest ITL allowed, ms
-- :median_ms              real above 0                            highest median ITL, ms
-- :p90_ms                 real above 0                            highest p90 ITL, ms
-- :p95_ms                 real above 0                            highest p95 ITL, ms
-- :p99_ms                 real above 0                            highest p99 ITL, ms
-- :max_request_seconds    real above 0                            longest time of a request, seconds
-- :headroom               real from 0 up to 1000 = 0              room for growth, 0.2 is 20 %
-- :max_busy_share         real above 0 up to 1                    highest share of slots that are busy
-- :measured_only          boolean = false                         exclude loads below the lowest measured one
-- :min_requests_per_slot  real above 0                            lowest number of requests per slot
-- :max_gpus               integer from 1                          highest number of GPUs of all replicas
-- :max_power_watts        real above 0                            highest power of all GPUs, watts
-- :minimize               one of power|gpus|cost = power          what to minimize
-- :usd_per_kwh            real from 0 up to 1e6                   price of electricity, USD per kWh
-- :usd_per_gpu_hour       real from 0 up to 1e6                   rent of a GPU, USD per hour
-- :gco2_per_kwh           real from 0 up to 1e6                   CO2e of electricity, g per kWh
-- :host_watts_per_gpu     real from 0 up to 1e6                   power of the host for each GPU, watts
-- :idle_watts_per_gpu     real from 0 up to 1e6                   power of a GPU that is off, watts
-- :pue                    real from 1 up to 100 = 1               PUE: energy of the facility / of its machines
--
-- needs one of :tokens_per_second, :requests_per_second, :load_profile
-- important: model, gpu, status, total_gpus, max_num_seqs, itl_ms, power_watts, headroom
-- important: waiting_share, replicas
-- caption: :percentile ITL at most :deadline_ms ms · median ITL at most :median_ms ms
-- caption: p90 ITL at most :p90_ms ms · p95 ITL at most :p95_ms ms · p99 ITL at most :p99_ms ms
--
-- alias: --tps :tokens_per_second
-- alias: --deadline :deadline_ms
-- alias: --max-power :max_power_watts
-- requires: avg_running_batch
-- requires: :percentile_itl_ms, median_itl_ms for :median_ms, p90_itl_ms for :p90_ms
-- requires: p95_itl_ms for :p95_ms, p99_itl_ms for :p99_ms
-- requires: request_seconds for :max_request_seconds, requests_per_slot for :min_requests_per_slot, steady
-- note when highest_share_of_deadline > 0.95: the ITL is above 95 % of a deadline, within the error of interpolation; --headroom leaves room
-- note when ms_per_token_in_flight > deadline_ms: the time in flight per token is above the deadline: requests also spend time on prompts or in a queue
-- note when requests_per_slot < 2: fewer than two requests per slot were measured, so the figures are uncertain
-- example: --model llama-3-1-70b-instruct --tokens-per-second 5k --deadline-ms 50
--   how many GPUs serve 5,000 tokens a second within 50 ms
-- example: --tps 5k --p99-ms 100 --headroom 0.2 --max-busy-share 0.8
--   5,000 tokens a second with room for 20 % more and a fifth of slots free
-- example: --gpu H100 --requests-per-second 20 --minimize gpus --max-gpus 16
--   the fewest of 16 GPUs that serve 20 requests a second
with day_parts as materialized (
    select
        json_each.key as part,
        json_extract(json_each.value, '$.hours') * 1.0 as hours,
        json_extract(json_each.value, '$.tokens_per_second') * 1.0 as demand
    from json_each(:load_profile)
),

demands as materialized (
    select coalesce(:tokens_per_second, :requests_per_second) * 1.0 as demand
    where coalesce(:tokens_per_second, :requests_per_second) is not null
    union
    select day_parts.demand
    from day_parts
),

-- The segments of every curve, in the unit of the demand. Below the first measured load, power and
-- latency stay as measured there, and load is in proportion to the share.
curve as materialized (
    select
        *,
        case when :requests_per_second is null then tokens_per_second else requests_per_second end
            as rate,
        coalesce(
            case
                when :requests_per_second is null then lower_tokens_per_second
                else lower_requests_per_second
            end,
            0.0
        ) as lower_rate,
        case
            when :requests_per_second is null then reached_tokens_per_second
            else reached_requests_per_second
        end as reached,
        coalesce(lower_power_watts, power_watts) as lower_watts,
        coalesce(lower_avg_running_batch, 0.0) as lower_load
    from curve_segments
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:precision is null or precision = :precision)
),

limits as materialized (
    select :percentile as figure, :deadline_ms as highest
    union all
    select 'median', :median_ms where :median_ms is not null
    union all
    select 'p90', :p90_ms where :p90_ms is not null
    union all
    select 'p95', :p95_ms where :p95_ms is not null
    union all
    select 'p99', :p99_ms where :p99_ms is not null
    union all
    select 'request', :max_request_seconds where :max_request_seconds is not null
),

-- The figure that each limit applies to, at both ends of a segment; it is linear between them. The time
-- of a request is load / requests per second. It is within its limit if load - limit * requests per
-- second is not above zero.
ends as (
    select
        curve.configuration_id as upper_id, model, gpu, source, series_id, row_id, lower_row_id,
        num_gpus, max_num_seqs, rate, lower_rate, reached, power_watts, lower_watts,
        avg_running_batch, lower_load, requests_per_slot, lower_requests_per_slot,
        median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms,
        case limits.figure when 'request' then 0.0 else limits.highest end as highest,
        case limits.figure
            when 'median' then median_itl_ms
            when 'p90' then p90_itl_ms
            when 'p95' then p95_itl_ms
            when 'p99' then p99_itl_ms
            when 'request' then avg_running_batch - limits.highest * requests_per_second
        end as upper_figure,
        case
            when lower_tokens_per_second is null then null
            else
                case limits.figure
                    when 'median' then lower_median_itl_ms
                    when 'p90' then lower_p90_itl_ms
                    when 'p95' then lower_p95_itl_ms
                    when 'p99' then lower_p99_itl_ms
                    when 'request' then
                        lower_avg_running_batch - limits.highest * lower_requests_per_second
                end
        end as lower_figure
    from curve
    cross join limits
),

-- Each segment, with the part of it, from 0 to 1, within which all limits are met.
stretches as materialized (
    select
        *,
        max(
            case
                when lower_figure > highest
                then (lower_figure - highest) / (lower_figure - upper_figure)
                else 0.0
            end
        ) as from_along,
        min(
            case
                when upper_figure > highest
                then (highest - lower_figure) / (upper_figure - lower_figure)
                else 1.0
            end
        ) as to_along,
        min(coalesce(upper_figure <= highest or lower_figure <= highest, 0)) as is_within
    from ends
    group by upper_id
),

-- The segments that can serve a share: each serves the shares above all those reached before it, up to
-- its upper end. The limits allow the shares from lowest_share to highest_share, and no share if these
-- are null. The busy share allows those up to busy_share_end.
segments as materialized (
    select
        upper_id,
        model,
        gpu,
        source,
        series_id,
        row_id,
        num_gpus,
        rate,
        lower_rate,
        reached,
        power_watts,
        lower_watts,
        case
            when not is_within or from_along > to_along then null
            when :min_requests_per_slot > requests_per_slot then null
            when :min_requests_per_slot is not null and requests_per_slot is null then null
            when to_along < 1.0 then lower_rate + to_along * (rate - lower_rate)
            when to_along = 1.0 then rate
        end as highest_share,
        case
            when reached is null and :measured_only then rate
            when lower_row_id is not null
                and :min_requests_per_slot > coalesce(lower_requests_per_slot, 0.0)
            then rate
            when from_along > 0.0
            then max(coalesce(reached, 0.0), lower_rate + from_along * (rate - lower_rate))
            else coalesce(reached, 0.0)
        end as lowest_share,
        case
            when :max_busy_share is null or avg_running_batch <= :max_busy_share * max_num_seqs
            then rate
            when lower_load <= :max_busy_share * max_num_seqs
            then
                lower_rate
                + (:max_busy_share * max_num_seqs - lower_load)
                / (avg_running_batch - lower_load)
                * (rate - lower_rate)
        end as busy_share_end
    from stretches
    where reached is null or rate > reached
),

-- Runs of neighbouring segments in which the limits are met without a gap. The demand may grow within a
-- run, up to room_end. A run ends with a segment whose end breaks a limit, and before a segment whose
-- start does.
runs as (
    select
        *,
        sum(
            (highest_share is not rate) + coalesce(lowest_share > reached * (1.0 + 1e-12), 0)
        ) over (partition by series_id order by rate)
        - (highest_share is not rate) as run
    from segments
),

rooms as materialized (
    select *, max(highest_share) over (partition by series_id, run) as room_end
    from runs
),
-- The steps below are materialized if they are used several times. Otherwise SQLite computes them each time.

-- The number of replicas at both ends of a segment. Power is linear in that number within a segment:
-- watts_per_replica * replicas + watts_per_share * demand.
sloped as (
    select
        *,
        min(highest_share, busy_share_end) as share_end,
        (lower_watts * rate - power_watts * lower_rate) / (rate - lower_rate) as watts_per_replica,
        (power_watts - lower_watts) / (rate - lower_rate) as watts_per_share
    from rooms
    where highest_share is not null and busy_share_end is not null
),

bounds as materialized (
    select
        sloped.*,
        demands.demand as demand,
        demands.demand / min(share_end, room_end / (1.0 + :headroom)) * (1.0 - 1e-12) as at_least,
        demands.demand / reached * (1.0 - 1e-12) as fewer_than,
        demands.demand / lowest_share * (1.0 + 1e-12) as at_most,
        (:max_power_watts - watts_per_share * demands.demand) / watts_per_replica as of_power
    from sloped
    cross join demands
),

least as (
    select
        *,
        max(
            1,
            cast(at_least as integer) + (at_least > cast(at_least as integer)),
            case
                when watts_per_replica < 0.0 and of_power > 0.0
                then cast(of_power * (1.0 - 1e-12) as integer) + 1
                else 1
            end
        ) as fewest
    from bounds
),

whole as (
    select
        *,
        min(
            case when reached is null then fewest else 9e15 end,
            coalesce(cast(at_most as integer), 9e15),
            coalesce(
                cast(fewer_than as integer) + (fewer_than > cast(fewer_than as integer)) - 1,
                9e15
            ),
            coalesce(:max_gpus / num_gpus, 9e15),
            case
                when watts_per_replica > 0.0
                then coalesce(cast(of_power * (1.0 + 1e-12) as integer), 9e15)
                else 9e15
            end
        ) as most
    from least
),

-- What is minimized is also linear in the number of replicas, so the minimum is at one of the ends.
numbers as materialized (
    select
        model, gpu, source, series_id, upper_id, row_id, num_gpus, rate, lower_rate, reached,
        power_watts, lower_watts, lowest_share, share_end, room_end, demand,
        cast(case ends.is_most when 0 then fewest else most end as integer) as replicas
    from whole
    cross join (select 0 as is_most union all select 1) as ends
    where fewest <= most and (ends.is_most = 0 or fewest < most)
),

-- The position of each share between the lower end and the upper end, 0 to 1: within the limits of its
-- segment, and 1 for a share equal to the upper end.
shares as materialized (
    select
        *,
        reached is null and demand / replicas < rate * (1.0 - 1e-12) as is_below,
        case
            when demand / replicas >= rate * (1.0 - 1e-12) then 1.0
            else
                (max(min(demand / replicas, share_end), lowest_share) - lower_rate)
                / (rate - lower_rate)
        end as along
    from numbers
),

powered as (
    select
        *,
        replicas * num_gpus as total_gpus,
        ((1.0 - along) * lower_watts + along * power_watts) * replicas as total_watts
    from shares
),

options as materialized (
    select
        *,
        case :minimize
            when 'power' then total_watts
            when 'gpus' then total_gpus * 1.0
            else
                (total_watts + coalesce(:host_watts_per_gpu, 0.0) * total_gpus) / 1000.0
                * :pue * :usd_per_kwh
                + total_gpus * :usd_per_gpu_hour
        end as objective
    from powered
    where :max_power_watts is null or total_watts <= :max_power_watts * (1.0 + 1e-12)
),

at_peak as (
    select *, min(objective) over (partition by model, gpu, source) as least_objective
    from options
    where demand = (select max(demand) from demands)
),

leading as (
    select *, min(total_watts) over (partition by model, gpu, source) as least_watts
    from at_peak
    where objective <= least_objective * (1.0 + 1e-12)
),

ranked as (
    select
        *,
        row_number() over (
            partition by model, gpu, source
            order by total_gpus, replicas, row_id
        ) as place
    from leading
    where total_watts <= least_watts * (1.0 + 1e-12)
),

plans as materialized (
    select
        model, gpu, source, series_id, upper_id, replicas, total_gpus, along, is_below, objective,
        total_watts, room_end / (demand / replicas) - 1.0 as headroom
    from ranked
    where place = 1
),

-- The candidates for each demand of the day.
options_of_day as materialized (
    select series_id, demand, is_below, total_watts, total_gpus, objective
    from options
    where exists (select 1 from day_parts)
),

-- The segments in which the parts of the day are looked up.
stretches_of_day as materialized (select * from segments where exists (select 1 from day_parts)),

-- The parts of the day: with the replicas of the plan, each in the one segment that contains its share,
-- and with every number of replicas of the series. Without a profile there is one row without parts.
choices as (
    select
        plans.*,
        day_parts.part as part,
        day_parts.hours as hours,
        day_parts.demand as part_demand,
        case
            when day_parts.demand / plans.replicas
                between segments.lowest_share * (1.0 - 1e-12)
                and min(segments.highest_share, segments.busy_share_end) * (1.0 + 1e-12)
            then
                segments.lower_watts
                + (segments.power_watts - segments.lower_watts)
                * (min(day_parts.demand / plans.replicas, segments.rate) - segments.lower_rate)
                / (segments.rate - segments.lower_rate)
        end * plans.replicas as fixed_watts,
        segments.reached is null
            and day_parts.demand / plans.replicas < segments.rate * (1.0 - 1e-12)
            as fixed_is_below,
        choice.total_watts
        + coalesce(:host_watts_per_gpu, 0.0) * choice.total_gpus
        + coalesce(:idle_watts_per_gpu, 0.0) * max(plans.total_gpus - choice.total_gpus, 0)
            as following_watts,
        choice.total_gpus as following_gpus,
        choice.is_below as following_is_below,
        choice.objective as following_objective,
        min(choice.objective) over (partition by plans.series_id, day_parts.part)
            as least_objective
    from plans
    left join day_parts on true
    left join stretches_of_day as segments
        on segments.series_id = plans.series_id
        and segments.rate * (1.0 + 1e-12) >= day_parts.demand / plans.replicas
        and (
            segments.reached is null
            or segments.reached * (1.0 + 1e-12) < day_parts.demand / plans.replicas
        )
    left join options_of_day as choice
        on choice.series_id = plans.series_id
        and choice.demand = day_parts.demand
),

-- The best of these numbers; of equal ones, the one with the fewest GPUs.
parts as (
    select *, row_number() over (partition by series_id, part order by following_gpus) as place
    from choices
    where coalesce(following_objective <= least_objective * (1.0 + 1e-12), 1)
),

days as materialized (
    select
        upper_id,
        replicas,
        total_gpus,
        along,
        is_below,
        objective,
        total_watts,
        headroom,
        case when count(hours) = 0 then total_watts else max(fixed_watts) end as peak_watts,
        case
            when count(hours) = 0 then total_watts * 24.0
            when count(fixed_watts) = count(hours) then sum(fixed_watts * hours)
        end
        + coalesce(:host_watts_per_gpu, 0.0) * total_gpus * 24.0 as wh,
        case
            when count(hours) = 0 then is_below * 24.0
            when count(fixed_watts) = count(hours) then sum(fixed_is_below * hours)
        end as estimated_hours,
        sum(part_demand * hours) * 3600.0 as tokens_of_profile,
        case when count(following_watts) = count(hours) then sum(following_watts * hours) end
            as following_wh,
        case when count(following_watts) = count(hours) then sum(following_gpus * hours) end
            as following_gpu_hours,
        case when count(following_watts) = count(hours) then sum(following_is_below * hours) end
            as following_estimated_hours
    from parts
    where place = 1
    group by model, gpu, source
),

-- The figures at the place where each replica works.
figures as materialized (
    select
        curve.*,
        days.*,
        (1.0 - along) * lower_load + along * avg_running_batch as load,
        (1.0 - along) * coalesce(lower_median_itl_ms, median_itl_ms) + along * median_itl_ms
            as median_itl,
        (1.0 - along) * coalesce(lower_p90_itl_ms, p90_itl_ms) + along * p90_itl_ms as p90_itl,
        (1.0 - along) * coalesce(lower_p95_itl_ms, p95_itl_ms) + along * p95_itl_ms as p95_itl,
        (1.0 - along) * coalesce(lower_p99_itl_ms, p99_itl_ms) + along * p99_itl_ms as p99_itl,
        (1.0 - along) * coalesce(lower_tokens_per_second, 0.0) + along * tokens_per_second
            as tokens_rate,
        (1.0 - along) * coalesce(lower_requests_per_second, 0.0) + along * requests_per_second
            as requests_rate,
        wh / 1000.0 * :pue as kwh,
        following_wh / 1000.0 * :pue as following_kwh
    from curve
    cross join days
    where days.upper_id = curve.configuration_id
),

measured_points as (
    select
        model,
        gpu,
        source,
        min(
            case :percentile
                when 'median' then median_itl_ms
                when 'p90' then p90_itl_ms
                when 'p95' then p95_itl_ms
                when 'p99' then p99_itl_ms
            end
        ) as fastest_itl_ms,
        max(is_within and to_along >= 1.0) as meets
    from stretches
    group by model, gpu, source
),

best as materialized (
    select model, gpu, source, min(joules_per_output_token) as joules_per_output_token
    from configuration_energy
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:precision is null or precision = :precision)
        and case :percentile
            when 'median' then median_itl_ms
            when 'p90' then p90_itl_ms
            when 'p95' then p95_itl_ms
            when 'p99' then p99_itl_ms
        end <= :deadline_ms
        and (:median_ms is null or median_itl_ms <= :median_ms)
        and (:p90_ms is null or p90_itl_ms <= :p90_ms)
        and (:p95_ms is null or p95_itl_ms <= :p95_ms)
        and (:p99_ms is null or p99_itl_ms <= :p99_ms)
        and (:max_request_seconds is null or request_seconds <= :max_request_seconds)
        and (:min_requests_per_slot is null or requests_per_slot >= :min_requests_per_slot)
        and unstable_reason is null
    group by model, gpu, source
),

latencies as (
    select
        *,
        case :percentile
            when 'median' then median_itl
            when 'p90' then p90_itl
            when 'p95' then p95_itl
            when 'p99' then p99_itl
        end as itl,
        kwh * :usd_per_kwh as electricity_usd,
        total_gpus * 24.0 * :usd_per_gpu_hour as rent_usd,
        following_kwh * :usd_per_kwh as following_electricity_usd,
        following_gpu_hours * :usd_per_gpu_hour as following_rent_usd
    from figures
)

select
    measured_points.model as model,
    measured_points.gpu as gpu,
    case
        when answer.replicas is not null then 'meets'
        when not coalesce(measured_points.meets, 0) then 'none meets'
        when :minimize = 'cost' and (:usd_per_kwh is null or :usd_per_gpu_hour is null)
        then 'cost needs both rates'
        else 'no whole number of replicas meets'
    end as status,
    answer.replicas as replicas,
    answer.num_gpus as num_gpus,
    answer.total_gpus as total_gpus,
    answer.precision as precision,
    answer.max_num_seqs as max_num_seqs,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    answer.itl as itl_ms,
    measured_points.fastest_itl_ms as fastest_itl_ms,
    max(
        answer.itl / :deadline_ms,
        coalesce(answer.median_itl / :median_ms, 0.0),
        coalesce(answer.p90_itl / :p90_ms, 0.0),
        coalesce(answer.p95_itl / :p95_ms, 0.0),
        coalesce(answer.p99_itl / :p99_ms, 0.0)
    ) as highest_share_of_deadline,
    answer.headroom as headroom,
    answer.max_num_seqs * answer.replicas as slots,
    answer.load / answer.max_num_seqs as busy_share,
    -- Erlang C with max_num_seqs slots and this load. The sum of slots! / (slots - k)! / load^k over all
    -- k is the inverse of Erlang B. Each step adds four terms; a term without a slot left is 0. Terms
    -- first rise and then fall. A sum above 1e18 means that no request waits.
    case
        when answer.load >= answer.max_num_seqs then 1.0
        else (
            with recursive waiting (slots, term, total) as (
                select answer.max_num_seqs, 1.0, 1.0
                union all
                select
                    slots - 4,
                    term * slots / answer.load * (slots - 1) / answer.load
                    * (slots - 2) / answer.load * (slots - 3) / answer.load,
                    total + term * slots / answer.load * (
                        1.0 + (slots - 1) / answer.load * (
                            1.0 + (slots - 2) / answer.load * (1.0 + (slots - 3) / answer.load)
                        )
                    )
                from waiting
                where slots > 0 and total < 1e18 and term > total * 1e-17
            )
            select
                case
                    when max(total) < 1e18
                    then
                        1.0 / (
                            max(total) * (1.0 - answer.load / answer.max_num_seqs)
                            + answer.load / answer.max_num_seqs
                        )
                    else 0.0
                end
            from waiting
        )
    end as waiting_share,
    answer.load as per_replica_avg_running_batch,
    answer.tokens_rate as per_replica_tokens_per_second,
    answer.load * 1000.0 / answer.tokens_rate as ms_per_token_in_flight,
    answer.load / answer.requests_rate as request_seconds,
    case
        when answer.along < 1.0
        then
            min(
                answer.requests_per_slot,
                coalesce(
                    answer.lower_requests_per_slot,
                    case when answer.lower_row_id is null then answer.requests_per_slot end
                )
            )
        else answer.requests_per_slot
    end as requests_per_slot,
    answer.tokens_rate * answer.replicas as tokens_per_second,
    answer.requests_rate * answer.replicas as requests_per_second,
    answer.total_watts as power_watts,
    answer.peak_watts as peak_mean_power_watts,
    gpus.rated_power_watts * answer.total_gpus as total_rated_power_watts,
    answer.total_watts / (answer.tokens_rate * answer.replicas) * 1e6 / 3600.0
        as wh_per_million_output_tokens,
    answer.total_watts / (answer.tokens_rate * answer.replicas) / best.joules_per_output_token
        as energy_relative_to_best,
    answer.is_below as estimate,
    :pue as pue,
    answer.kwh as kwh_per_day,
    answer.electricity_usd as electricity_usd_per_day,
    answer.total_gpus * 24.0 as gpu_hours_per_day,
    answer.rent_usd as rent_usd_per_day,
    answer.electricity_usd + answer.rent_usd as usd_per_day,
    (answer.electricity_usd + answer.rent_usd)
        / coalesce(answer.tokens_of_profile, answer.tokens_rate * answer.replicas * 86400.0) * 1e6
        as usd_per_million_output_tokens,
    answer.kwh * :gco2_per_kwh / 1000.0 as co2e_kg_per_day,
    answer.estimated_hours as estimated_hours,
    answer.following_kwh as following_kwh_per_day,
    answer.following_electricity_usd as following_electricity_usd_per_day,
    answer.following_gpu_hours as following_gpu_hours_per_day,
    answer.following_rent_usd as following_rent_usd_per_day,
    answer.following_electricity_usd + answer.following_rent_usd as following_usd_per_day,
    answer.following_kwh * :gco2_per_kwh / 1000.0 as following_co2e_kg_per_day,
    answer.following_estimated_hours as following_estimated_hours,
    answer.tensor_parallel as tensor_parallel,
    answer.data_parallel as data_parallel,
    answer.expert_parallel as expert_parallel,
    case
        when answer.along < 1.0 then coalesce(answer.lower_row_id, answer.row_id)
        else answer.row_id
    end as lower_row_id,
    answer.row_id as upper_row_id,
    measured_points.source as source
from measured_points
left join latencies as answer
    on answer.model = measured_points.model
    and answer.gpu = measured_points.gpu
    and answer.source = measured_points.source
left join gpus on gpus.gpu = measured_points.gpu
left join best
    on best.model = measured_points.model
    and best.gpu = measured_points.gpu
    and best.source = measured_points.source
order by
    measured_points.model,
    answer.objective is null,
    answer.objective,
    measured_points.gpu,
    measured_points.source;
