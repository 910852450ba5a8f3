-- The lowest-energy configuration of each model and GPU that meets a latency deadline.
--
-- Energy is Wh per million output tokens: joules per output token * 10^6 / 3600. A configuration
-- meets the deadline if its inter-token latency (ITL) at the percentile is at most deadline_ms.
-- The column itl_ms has that latency. If the deadline applies to the median, half of all tokens
-- may be later. Use --percentile p99 if nearly every token must be in time.
--
-- You can combine all limits, and give each percentile its own deadline. Each source has its own
-- rows. Throughput (output tokens per second) and power (watts) are of the whole configuration:
-- all its GPUs together. If energies are equal, the row with the lower median, p90, p95 and p99
-- ITL wins, then the one measured first.
--
-- Some configurations were measured more than once. --repeats selects the
-- measurement to use:
--   - lowest: each measurement counts by itself, as in the published
--     documents
--   - highest: the measurement with the highest energy
--   - mean: the mean of each figure; row_id is that of the first
--     measurement
--
-- Columns:
--   - ms_per_token_in_flight: requests in flight / tokens per second. It is
--     how long a request is in flight for each output token. If it is above
--     the ITL, requests also spend time on prompts, in an encoder or in a
--     queue.
--   - request_seconds: ms_per_token_in_flight times the mean output length,
--     in seconds
--   - requests_per_slot: how many requests each slot served during the
--     measurement. Below two, the figures are uncertain. Empty if the
--     source does not report the number of requests.
--   - neighbours_energy_ratio: the lower energy of the two neighbours on
--     the curve / the energy of the row. Far above 1, the row may be an
--     outlier.
--   - energy_spread_percent: (highest - lowest) / mean energy of a
--     configuration that was measured more than once
--   - usd_per_million_output_tokens: electricity and rent. Empty unless
--     both rates are given.
--
-- :task                   text_task                               workload that makes text
-- :model                  model                                   model: slug, name or Hugging Face id
-- :gpu                    gpu                                     GPU, such as B200
-- :source                 source                                  source of the figures, such as published
-- :percentile             one of median|p90|p95|p99 = median      percentile of the latency between tokens
-- :deadline_ms            real above 0 = release.itl_deadline_ms  highest latency allowed, ms
-- :median_ms              real above 0                            highest median ITL, ms
-- :p90_ms                 real above 0                            highest p90 ITL, ms
-- :p95_ms                 real above 0                            highest p95 ITL, ms
-- :p99_ms                 real above 0                            highest p99 ITL, ms
-- :max_request_seconds    real above 0                            longest time of a request, seconds
-- :min_requests_per_slot  real above 0                            lowest number of requests per slot
-- :max_gpus               integer from 1                          highest number of GPUs
-- :min_tokens_per_second  real above 0                            lowest throughput, tokens per second
-- :max_power_watts        real above 0                            highest power, watts
-- :precision              precision                               number format of the weights, such as FP8
-- :architecture           architecture                            architecture of the model, such as MoE
-- :max_params_b           real above 0                            highest number of parameters, billions
-- :repeats                one of lowest|mean|highest = lowest     how to use repeated measurements
-- :usd_per_kwh            real from 0 up to 1e6                   price of electricity, USD per kWh
-- :usd_per_gpu_hour       real from 0 up to 1e6                   rent of a GPU, USD per hour
-- :host_watts_per_gpu     real from 0 up to 1e6                   power of the host for each GPU, watts
-- :pue                    real from 1 up to 100 = 1               PUE: energy of the facility / of its machines
-- :unstable               boolean = false                         include own runs that were not steady
--
-- important: model, gpu, num_gpus, precision, max_num_seqs, wh_per_million_output_tokens
-- important: itl_ms, tokens_per_second
-- caption: :percentile ITL at most :deadline_ms ms · median ITL at most :median_ms ms
-- caption: p90 ITL at most :p90_ms ms · p95 ITL at most :p95_ms ms · p99 ITL at most :p99_ms ms
-- caption: TTFT not measured
-- picture: points of wh_per_million_output_tokens over itl_ms by gpu, source
--
-- alias: --deadline :deadline_ms
-- alias: --min-tps :min_tokens_per_second
-- alias: --max-power :max_power_watts
-- alias: --max-params :max_params_b
-- requires: :percentile_itl_ms, median_itl_ms for :median_ms, p90_itl_ms for :p90_ms
-- requires: p95_itl_ms for :p95_ms, p99_itl_ms for :p99_ms
-- requires: request_seconds for :max_request_seconds, requests_per_slot for :min_requests_per_slot
-- requires: steady unless :unstable
-- note when ms_per_token_in_flight > deadline_ms: the time in flight per token is above the deadline: requests also spend time on prompts or in a queue
-- note when requests_per_slot < 2: fewer than two requests per slot were measured, so the figures are uncertain
-- note when neighbours_energy_ratio > 1.25: the neighbouring points on the curve take over 25 % more energy, so the row may be an outlier
-- note without :deadline_ms, :median_ms, :p90_ms, :p95_ms, :p99_ms: no deadline was given, so the default applies; p99 ITL in ms: {p99_itl_ms}
-- example: --gpu B200 --percentile p99 --deadline-ms 50
--   the least energy on B200 if 99 of 100 tokens arrive within 50 ms
-- example: --model llama-3-1-70b-instruct --max-gpus 2
--   the least energy of one model on at most two GPUs
-- example: --median-ms 30 --p99-ms 100 --max-request-seconds 30
--   several deadlines at once
-- example: --gpu H100 --usd-per-kwh 0.12 --usd-per-gpu-hour 2.5
--   what a million output tokens cost in electricity and rent
with searches as (
    select *
    from measured
    where task_id in (select task_id from tasks where task = :task)
        and model_id in (
            select model_id
            from models
            where (:model is null or model = :model)
                and (:architecture is null or architecture = :architecture)
                and (:max_params_b is null or params_b <= :max_params_b)
        )
        and gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
        and source_id in (
            select source_id from sources where :source is null or source = :source
        )
),

-- The search follows an index in the order of choice, and stops at the first configuration that meets
-- the deadline. It looks up the rest of a row only for a limit that is given. The + keeps the search
-- for a higher repeat on the index of the configuration's key.
chosen as materialized (
    select (
        select candidates.configuration_id
        from configurations as candidates
        where candidates.task_id = searches.task_id
            and candidates.model_id = searches.model_id
            and candidates.gpu_id = searches.gpu_id
            and candidates.source_id = searches.source_id
            and case :percentile
                when 'median' then candidates.median_itl_ms
                when 'p90' then candidates.p90_itl_ms
                when 'p95' then candidates.p95_itl_ms
                when 'p99' then candidates.p99_itl_ms
            end <= :deadline_ms
            and (
                :unstable
                or candidates.configuration_id not in (
                    select configuration_id from unstable_configurations
                )
            )
            and (:median_ms is null or candidates.median_itl_ms <= :median_ms)
            and (:p90_ms is null or candidates.p90_itl_ms <= :p90_ms)
            and (:p95_ms is null or candidates.p95_itl_ms <= :p95_ms)
            and (:p99_ms is null or candidates.p99_itl_ms <= :p99_ms)
            and (
                (:max_request_seconds is null and :min_requests_per_slot is null)
                or candidates.configuration_id in (
                    select configuration_id
                    from configuration_energy
                    where task = :task
                        and (
                            :max_request_seconds is null
                            or request_seconds <= :max_request_seconds
                        )
                        and (
                            :min_requests_per_slot is null
                            or requests_per_slot >= :min_requests_per_slot
                        )
                )
            )
            and (:max_gpus is null or candidates.num_gpus <= :max_gpus)
            and (
                :min_tokens_per_second is null
                or candidates.tokens_per_second >= :min_tokens_per_second
            )
            and (:max_power_watts is null or candidates.power_watts <= :max_power_watts)
            and (
                :precision is null
                or candidates.precision_id in (
                    select precision_id from precisions where precision = :precision
                )
            )
            and (
                :repeats = 'lowest'
                or not exists (
                    select 1
                    from configurations as again
                    where again.task_id = candidates.task_id
                        and again.model_id = candidates.model_id
                        and again.gpu_id = candidates.gpu_id
                        and again.num_gpus = candidates.num_gpus
                        and again.max_num_seqs = candidates.max_num_seqs
                        and again.source_id = candidates.source_id
                        and again.tensor_parallel = candidates.tensor_parallel
                        and again.data_parallel = candidates.data_parallel
                        and again.expert_parallel = candidates.expert_parallel
                        and again.precision_id = candidates.precision_id
                        and +again.joules_per_output_token > candidates.joules_per_output_token
                )
            )
        order by
            candidates.joules_per_output_token,
            candidates.median_itl_ms,
            candidates.p90_itl_ms,
            candidates.p95_itl_ms,
            candidates.p99_itl_ms,
            candidates.configuration_id
        limit 1
    ) as configuration_id
    from searches
    where :repeats <> 'mean'
),

means as materialized (
    select
        *,
        case :percentile
            when 'median' then median_itl_ms
            when 'p90' then p90_itl_ms
            when 'p95' then p95_itl_ms
            when 'p99' then p99_itl_ms
        end as itl_ms
    from configuration_means
    where :repeats = 'mean'
        and task = :task
        and model in (select model from models where model_id in (select model_id from searches))
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
),

ranked as (
    select
        *,
        row_number() over (
            partition by model, gpu, source
            order by
                joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms,
                configuration_id
        ) as place
    from means
    where itl_ms <= :deadline_ms
        and (:unstable or unstable_reason is null)
        and (:median_ms is null or median_itl_ms <= :median_ms)
        and (:p90_ms is null or p90_itl_ms <= :p90_ms)
        and (:p95_ms is null or p95_itl_ms <= :p95_ms)
        and (:p99_ms is null or p99_itl_ms <= :p99_ms)
        and (:max_request_seconds is null or request_seconds <= :max_request_seconds)
        and (:min_requests_per_slot is null or requests_per_slot >= :min_requests_per_slot)
        and (:max_gpus is null or num_gpus <= :max_gpus)
        and (:min_tokens_per_second is null or tokens_per_second >= :min_tokens_per_second)
        and (:max_power_watts is null or power_watts <= :max_power_watts)
        and (:precision is null or precision = :precision)
),

answers as (
    select
        model, gpu, num_gpus, precision, max_num_seqs, wh_per_million_output_tokens, itl_ms,
        p99_itl_ms, tokens_per_second, power_watts, ms_per_token_in_flight, request_seconds,
        requests_per_slot, gpu_hours_per_million_output_tokens, source, row_id,
        joules_per_output_token, configuration_id
    from chosen
    join configuration_latencies using (configuration_id)
    where percentile = :percentile
    union all
    select
        model, gpu, num_gpus, precision, max_num_seqs, wh_per_million_output_tokens, itl_ms,
        p99_itl_ms, tokens_per_second, power_watts, ms_per_token_in_flight, request_seconds,
        requests_per_slot, gpu_hours_per_million_output_tokens, source, row_id,
        joules_per_output_token, configuration_id
    from ranked
    where place = 1
),

-- Every measurement with each one of its series. It is looked up for the answers alone.
series as not materialized (
    select
        own.configuration_id as configuration_id,
        others.joules_per_output_token as joules,
        others.max_num_seqs = own.max_num_seqs as is_repeat,
        others.avg_running_batch - own.avg_running_batch as load_above
    from configurations as own
    join configurations as others
        on others.task_id = own.task_id
        and others.model_id = own.model_id
        and others.gpu_id = own.gpu_id
        and others.num_gpus = own.num_gpus
        and others.source_id = own.source_id
        and others.tensor_parallel = own.tensor_parallel
        and others.data_parallel = own.data_parallel
        and others.expert_parallel = own.expert_parallel
        and others.precision_id = own.precision_id
)

select
    model,
    gpu,
    num_gpus,
    precision,
    max_num_seqs,
    wh_per_million_output_tokens,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    itl_ms,
    p99_itl_ms,
    tokens_per_second,
    power_watts,
    ms_per_token_in_flight,
    request_seconds,
    requests_per_slot,
    -- The nearest by load on either side. 9e999 is infinity, where there is none.
    nullif(
        min(
            coalesce(
                (
                    select joules
                    from series
                    where series.configuration_id = answers.configuration_id
                        and not is_repeat
                        and load_above < 0.0
                    order by load_above desc
                    limit 1
                ),
                9e999
            ),
            coalesce(
                (
                    select joules
                    from series
                    where series.configuration_id = answers.configuration_id
                        and not is_repeat
                        and load_above >= 0.0
                    order by load_above
                    limit 1
                ),
                9e999
            )
        ),
        9e999
    )
    / joules_per_output_token as neighbours_energy_ratio,
    (
        select
            case when count(*) > 1 then (max(joules) - min(joules)) / avg(joules) * 100.0 end
        from series
        where series.configuration_id = answers.configuration_id and is_repeat
    ) as energy_spread_percent,
    (
        wh_per_million_output_tokens
        + coalesce(:host_watts_per_gpu, 0.0) * gpu_hours_per_million_output_tokens
    ) / 1000.0 * :pue * :usd_per_kwh + gpu_hours_per_million_output_tokens * :usd_per_gpu_hour
        as usd_per_million_output_tokens,
    source,
    row_id
from answers
order by joules_per_output_token, row_id;
