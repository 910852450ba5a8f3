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
    -- With cross join, SQLite reads the tables in this order, and need not look for a better one.
    select task_id, model_id, gpu_id, source_id
    from tasks
    cross join measured using (task_id)
    cross join models using (model_id)
    cross join gpus using (gpu_id)
    cross join sources using (source_id)
    where task = :task
        and (:model is null or model = :model)
        and (:architecture is null or architecture = :architecture)
        and (:max_params_b is null or params_b <= :max_params_b)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
),

-- The first is for means, of all measurements of a configuration. The second follows an index in the
-- order of choice, and stops at the first configuration that meets the deadline. It looks up the rest
-- of a row only for a limit that is given. The + keeps the search for a higher repeat on the index of
-- the configuration's key.
chosen as materialized (
    select
        case
            when :repeats = 'mean' then (
                select min(configuration_id)
                from configurations
                left join output_lengths using (task_id, model_id, configuration_id)
                where task_id = searches.task_id
                    and model_id = searches.model_id
                    and gpu_id = searches.gpu_id
                    and source_id = searches.source_id
                    and (:max_gpus is null or num_gpus <= :max_gpus)
                    and (
                        :precision is null
                        or precision_id in (
                            select precision_id from precisions where precision = :precision
                        )
                    )
                group by
                    num_gpus, tensor_parallel, data_parallel, expert_parallel, precision_id,
                    max_num_seqs
                having
                    case :percentile
                        when 'median' then avg(median_itl_ms)
                        when 'p90' then avg(p90_itl_ms)
                        when 'p95' then avg(p95_itl_ms)
                        when 'p99' then avg(p99_itl_ms)
                    end <= :deadline_ms
                    and (
                        :unstable
                        or not max(
                            configuration_id in (
                                select configuration_id from unstable_configurations
                            )
                        )
                    )
                    and (:median_ms is null or avg(median_itl_ms) <= :median_ms)
                    and (:p90_ms is null or avg(p90_itl_ms) <= :p90_ms)
                    and (:p95_ms is null or avg(p95_itl_ms) <= :p95_ms)
                    and (:p99_ms is null or avg(p99_itl_ms) <= :p99_ms)
                    and (
                        :max_request_seconds is null
                        or avg(avg_running_batch) * avg(avg_output_tokens) / avg(tokens_per_second)
                        <= :max_request_seconds
                    )
                    and (
                        :min_requests_per_slot is null
                        or min(
                            coalesce(
                                configurations.requests / avg_running_batch,
                                output_lengths.requests / avg_running_batch,
                                0.0
                            )
                        ) >= :min_requests_per_slot
                    )
                    and (
                        :min_tokens_per_second is null
                        or avg(tokens_per_second) >= :min_tokens_per_second
                    )
                    and (:max_power_watts is null or avg(power_watts) <= :max_power_watts)
                order by
                    avg(joules_per_output_token), avg(median_itl_ms), avg(p90_itl_ms),
                    avg(p95_itl_ms), avg(p99_itl_ms), min(configuration_id)
                limit 1
            )
            else (
                select configuration_id
                from configurations as candidates
                where task_id = searches.task_id
                    and model_id = searches.model_id
                    and gpu_id = searches.gpu_id
                    and source_id = searches.source_id
                    and case :percentile
                        when 'median' then median_itl_ms
                        when 'p90' then p90_itl_ms
                        when 'p95' then p95_itl_ms
                        when 'p99' then p99_itl_ms
                    end <= :deadline_ms
                    and (
                        :unstable
                        or configuration_id not in (
                            select configuration_id from unstable_configurations
                        )
                    )
                    and (:median_ms is null or median_itl_ms <= :median_ms)
                    and (:p90_ms is null or p90_itl_ms <= :p90_ms)
                    and (:p95_ms is null or p95_itl_ms <= :p95_ms)
                    and (:p99_ms is null or p99_itl_ms <= :p99_ms)
                    and (
                        :max_request_seconds is null
                        or avg_running_batch * avg_output_tokens / tokens_per_second
                        <= :max_request_seconds
                    )
                    and (
                        :min_requests_per_slot is null
                        or coalesce(
                            requests,
                            (
                                select requests
                                from output_lengths
                                where task_id = candidates.task_id
                                    and model_id = candidates.model_id
                                    and configuration_id = candidates.configuration_id
                            )
                        )
                        / avg_running_batch >= :min_requests_per_slot
                    )
                    and (:max_gpus is null or num_gpus <= :max_gpus)
                    and (
                        :min_tokens_per_second is null
                        or tokens_per_second >= :min_tokens_per_second
                    )
                    and (:max_power_watts is null or power_watts <= :max_power_watts)
                    and (
                        :precision is null
                        or precision_id in (
                            select precision_id from precisions where precision = :precision
                        )
                    )
                    and (
                        :repeats = 'lowest'
                        or not exists (
                            select 1
                            from configurations as again
                            where task_id = candidates.task_id
                                and model_id = candidates.model_id
                                and gpu_id = candidates.gpu_id
                                and num_gpus = candidates.num_gpus
                                and max_num_seqs = candidates.max_num_seqs
                                and source_id = candidates.source_id
                                and tensor_parallel = candidates.tensor_parallel
                                and data_parallel = candidates.data_parallel
                                and expert_parallel = candidates.expert_parallel
                                and precision_id = candidates.precision_id
                                and +again.joules_per_output_token > candidates.joules_per_output_token
                        )
                    )
                order by
                    joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms,
                    configuration_id
                limit 1
            )
        end as configuration_id
    from searches
),

-- Every measurement of each chosen configuration. The figures are those of the chosen one, or the
-- means of all.
measurements as (
    select
        one.configuration_id as configuration_id,
        :repeats = 'mean' or again.configuration_id = one.configuration_id as is_used,
        one.num_gpus as num_gpus,
        again.joules_per_output_token as joules_per_output_token,
        case :percentile
            when 'median' then again.median_itl_ms
            when 'p90' then again.p90_itl_ms
            when 'p95' then again.p95_itl_ms
            when 'p99' then again.p99_itl_ms
        end as itl_ms,
        again.p99_itl_ms as p99_itl_ms,
        again.tokens_per_second as tokens_per_second,
        again.power_watts as power_watts,
        again.avg_running_batch as avg_running_batch,
        again.avg_output_tokens as avg_output_tokens,
        coalesce(again.requests, output_lengths.requests) / again.avg_running_batch
            as requests_per_slot
    from chosen
    join configurations as one on one.configuration_id = chosen.configuration_id
    join configurations as again
        on again.task_id = one.task_id
        and again.model_id = one.model_id
        and again.gpu_id = one.gpu_id
        and again.num_gpus = one.num_gpus
        and again.max_num_seqs = one.max_num_seqs
        and again.source_id = one.source_id
        and again.tensor_parallel = one.tensor_parallel
        and again.data_parallel = one.data_parallel
        and again.expert_parallel = one.expert_parallel
        and again.precision_id = one.precision_id
    left join output_lengths
        on output_lengths.task_id = again.task_id
        and output_lengths.model_id = again.model_id
        and output_lengths.configuration_id = again.configuration_id
),

answers as materialized (
    select
        configuration_id,
        avg(joules_per_output_token) filter (where is_used) as joules,
        avg(itl_ms) filter (where is_used) as itl_ms,
        avg(p99_itl_ms) filter (where is_used) as p99_itl_ms,
        avg(tokens_per_second) filter (where is_used) as tokens_per_second,
        avg(power_watts) filter (where is_used) as power_watts,
        avg(avg_running_batch) filter (where is_used) as load,
        avg(avg_output_tokens) filter (where is_used) as output_tokens,
        num_gpus * 1e6 / 3600.0 / avg(tokens_per_second) filter (where is_used) as gpu_hours,
        case
            when count(requests_per_slot) filter (where is_used) = count(*) filter (where is_used)
            then min(requests_per_slot) filter (where is_used)
        end as requests_per_slot,
        case
            when count(*) > 1
            then (max(joules_per_output_token) - min(joules_per_output_token))
                / avg(joules_per_output_token) * 100.0
        end as energy_spread_percent
    from measurements
    group by configuration_id
)

select
    model,
    gpu,
    one.num_gpus as num_gpus,
    precision,
    one.max_num_seqs as max_num_seqs,
    joules * 1e6 / 3600.0 as wh_per_million_output_tokens,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    itl_ms,
    answers.p99_itl_ms as p99_itl_ms,
    answers.tokens_per_second as tokens_per_second,
    answers.power_watts as power_watts,
    load * 1000.0 / answers.tokens_per_second as ms_per_token_in_flight,
    load * output_tokens / answers.tokens_per_second as request_seconds,
    answers.requests_per_slot as requests_per_slot,
    -- The nearest by load on either side. With min(), SQLite takes the other columns from the row that
    -- has it.
    (
        select min(energy)
        from (
            select
                joules_per_output_token as energy,
                min(abs(avg_running_batch - one.avg_running_batch)),
                avg_running_batch < one.avg_running_batch as is_below
            from configurations
            where task_id = one.task_id
                and model_id = one.model_id
                and gpu_id = one.gpu_id
                and num_gpus = one.num_gpus
                and source_id = one.source_id
                and max_num_seqs <> one.max_num_seqs
                and avg_running_batch - one.avg_running_batch is not null
                and tensor_parallel = one.tensor_parallel
                and data_parallel = one.data_parallel
                and expert_parallel = one.expert_parallel
                and precision_id = one.precision_id
            group by is_below
        )
    ) / joules as neighbours_energy_ratio,
    energy_spread_percent,
    (joules * 1e6 / 3600.0 + coalesce(:host_watts_per_gpu, 0.0) * gpu_hours)
    / 1000.0 * :pue * :usd_per_kwh + gpu_hours * :usd_per_gpu_hour as usd_per_million_output_tokens,
    source,
    -- As in configuration_energy, whose other columns would take longer than the answer.
    case when source = 'published' then '' else source || ':' end
    || model || '/' || gpu || '/' || one.num_gpus || '/' || one.max_num_seqs
    || case when repeat > 1 then '/r' || repeat else '' end as row_id
from answers
cross join configurations as one using (configuration_id)
cross join models using (model_id)
cross join gpus using (gpu_id)
cross join precisions using (precision_id)
cross join sources using (source_id)
order by joules, row_id;
