-- The most that a number of GPUs can serve within latency deadlines, for each model and GPU.
--
-- One row per model, GPU and source that was measured. As many replicas as fit on the GPUs each
-- serve the highest equal share that meets all limits. A series has one number of GPUs for each
-- replica, one parallelism and one precision. The row shows the series with the most output
-- tokens per second. If several are equal, the one with less power wins, then fewer GPUs, then
-- the first upper_row_id. Figures are equal within a relative tolerance of 1e-12.
--
-- A replica works between two measured points of its curve. There power, load, requests per
-- second and inter-token latency (ITL) are linear in load. The columns have the same meaning as
-- in 'energydb query plan'.
--
-- --headroom 0.2 leaves room for 20 % more within the deadlines. --max-busy-share 0.8 keeps a
-- fifth of the slots free. Without them, the load goes right up to a deadline. Own runs that were
-- not steady are never used.
--
-- status is one of:
--   - meets: the row shows the most that the GPUs can serve
--   - none meets: no measured point of any curve is within all deadlines
--   - too few GPUs: one replica needs more GPUs
--   - no load within all limits: some points are within the deadlines, but
--     no load meets every limit
--
-- Columns:
--   - estimate: true if the share is below the lowest measured load.
--     --measured-only excludes such shares.
--   - total_gpus: below max_gpus if the remaining GPUs are too few for
--     another replica
--   - waiting_share: the share of requests that would wait for a slot if
--     they arrived at random (Erlang C). This is an upper bound, not a
--     forecast.
--   - power_watts: mean power of the GPUs over time
--   - total_rated_power_watts: the power that all GPUs are rated for
--
-- Money is empty unless you give its rate.
--
-- :task                   text_task                               workload that makes text
-- :max_gpus               integer from 1                          number of GPUs
-- :model                  model                                   model: slug, name or Hugging Face id
-- :gpu                    gpu                                     GPU, such as B200
-- :source                 source                                  source of the figures, such as published
-- :precision              precision                               number format of the weights, such as FP8
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
-- :usd_per_kwh            real from 0 up to 1e6                   price of electricity, USD per kWh
-- :usd_per_gpu_hour       real from 0 up to 1e6                   rent of a GPU, USD per hour
-- :gco2_per_kwh           real from 0 up to 1e6                   CO2e of electricity, g per kWh
-- :host_watts_per_gpu     real from 0 up to 1e6                   power of the host for each GPU, watts
-- :pue                    real from 1 up to 100 = 1               PUE: energy of the facility / of its machines
--
-- needs :max_gpus
-- important: model, gpu, status, tokens_per_second, requests_per_second, total_gpus, itl_ms
-- important: power_watts
-- caption: :percentile ITL at most :deadline_ms ms · median ITL at most :median_ms ms
-- caption: p90 ITL at most :p90_ms ms · p95 ITL at most :p95_ms ms · p99 ITL at most :p99_ms ms
--
-- alias: --gpus :max_gpus
-- alias: --deadline :deadline_ms
-- requires: avg_running_batch
-- requires: :percentile_itl_ms, median_itl_ms for :median_ms, p90_itl_ms for :p90_ms
-- requires: p95_itl_ms for :p95_ms, p99_itl_ms for :p99_ms
-- requires: request_seconds for :max_request_seconds, requests_per_slot for :min_requests_per_slot, steady
-- note when ms_per_token_in_flight > deadline_ms: the time in flight per token is above the deadline: requests also spend time on prompts or in a queue
-- note when requests_per_slot < 2: fewer than two requests per slot were measured, so the figures are uncertain
-- example: --gpu H100 --max-gpus 8 --p99-ms 100
--   what eight H100s can serve of each model
-- example: --gpu B200 --max-gpus 8 --headroom 0.2 --max-busy-share 0.8
--   the same for B200s, with room for 20 % more and a fifth of the slots free
with limits as materialized (
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

-- The segments of every curve. Below the first measured load, power and latency stay as measured there,
-- and load is in proportion to the share.
curve as materialized (
    select
        *,
        tokens_per_second as rate,
        coalesce(lower_tokens_per_second, 0.0) as lower_rate,
        reached_tokens_per_second as reached,
        coalesce(lower_power_watts, power_watts) as lower_watts,
        coalesce(lower_avg_running_batch, 0.0) as lower_load
    from curve_segments
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:precision is null or precision = :precision)
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
-- The highest share of each segment, with all replicas that fit on the GPUs.
options as (
    select
        *,
        :max_gpus / num_gpus as replicas,
        :max_gpus / num_gpus * num_gpus as total_gpus,
        min(highest_share, busy_share_end, room_end / (1.0 + :headroom)) as share
    from rooms
    where num_gpus <= :max_gpus
),

powered as (
    select
        *,
        reached is null and share < rate as is_below,
        case when share = rate then 1.0 else (share - lower_rate) / (rate - lower_rate) end as along,
        share * replicas as total_rate,
        max(share * replicas) over (partition by model, gpu, source) as most
    from options
    where share >= lowest_share and share > coalesce(reached, 0.0)
),

leading as (
    select
        *,
        ((1.0 - along) * lower_watts + along * power_watts) * replicas as total_watts
    from powered
    where total_rate >= most * (1.0 - 1e-12)
),

lowest as (
    select *, min(total_watts) over (partition by model, gpu, source) as least_watts
    from leading
),

ranked as (
    select
        *,
        row_number() over (
            partition by model, gpu, source
            order by total_gpus, row_id
        ) as place
    from lowest
    where total_watts <= least_watts * (1.0 + 1e-12)
),

-- The figures at the place where each replica works.
figures as materialized (
    select
        curve.*,
        ranked.upper_id as upper_id,
        replicas,
        total_gpus,
        along,
        is_below,
        total_watts,
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
        (total_watts + coalesce(:host_watts_per_gpu, 0.0) * total_gpus) * 24.0 / 1000.0 * :pue
            as kwh
    from curve
    cross join ranked
    where ranked.upper_id = curve.configuration_id and place = 1
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
        max(is_within and to_along >= 1.0) as meets,
        min(num_gpus) as fewest_gpus
    from stretches
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
        total_gpus * 24.0 * :usd_per_gpu_hour as rent_usd
    from figures
)

select
    measured_points.model as model,
    measured_points.gpu as gpu,
    case
        when answer.replicas is not null then 'meets'
        when not coalesce(measured_points.meets, 0) then 'none meets'
        when measured_points.fewest_gpus > :max_gpus then 'too few GPUs'
        else 'no load within all limits'
    end as status,
    answer.tokens_rate * answer.replicas as tokens_per_second,
    answer.requests_rate * answer.replicas as requests_per_second,
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
    answer.total_watts as power_watts,
    gpus.rated_power_watts * answer.total_gpus as total_rated_power_watts,
    answer.total_watts / (answer.tokens_rate * answer.replicas) * 1e6 / 3600.0
        as wh_per_million_output_tokens,
    answer.is_below as estimate,
    :pue as pue,
    answer.kwh as kwh_per_day,
    answer.electricity_usd as electricity_usd_per_day,
    answer.total_gpus * 24.0 as gpu_hours_per_day,
    answer.rent_usd as rent_usd_per_day,
    answer.electricity_usd + answer.rent_usd as usd_per_day,
    (answer.electricity_usd + answer.rent_usd)
        / (answer.tokens_rate * answer.replicas * 86400.0) * 1e6
        as usd_per_million_output_tokens,
    answer.kwh * :gco2_per_kwh / 1000.0 as co2e_kg_per_day,
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
order by
    measured_points.model,
    measured_points.gpu,
    measured_points.source;
