-- Energy, cost and CO2e of a number of requests, at the lowest energy within a latency deadline.
--
-- One row per model and GPU, in the order of energy per request. It shows the configuration that
-- 'energydb query best' chooses for the deadline.
--
-- wh_per_million_output_tokens is as measured, of the GPUs only. The energy of a request is this
-- figure times output_tokens. Without --output-tokens, the measured average of the configuration
-- is used. The measured energy includes the processing of the prompts, which does not grow with
-- the output. So the estimate is too high for longer outputs, and too low for shorter outputs.
-- output_length_ratio is the given length / the measured one.
--
-- The energy in the columns after pue is multiplied by pue (power usage effectiveness), which is
-- 1 unless given. Electricity and CO2e follow from this energy.
--
-- Columns:
--   - kwh_per_thousand_requests: energy of a thousand requests
--   - kwh_per_day: energy of all users, who each make requests_per_user a
--     day. Empty without users.
--   - gpu_hours: hours of GPUs that work all the time at this load
--   - rent_usd: the rent of gpu_hours
--
-- Money and CO2e are empty unless you give their rates.
--
-- :task               text_task                               workload that makes text
-- :model              model                                   model: slug, name or Hugging Face id
-- :gpu                gpu                                     GPU, such as B200
-- :source             source                                  source of the figures, such as published
-- :percentile         one of median|p90|p95|p99 = median      percentile of the latency between tokens
-- :deadline_ms        real above 0 = release.itl_deadline_ms  highest inter-token latency allowed, ms
-- :requests           integer from 1 up to 1e15 = 1           number of requests
-- :output_tokens      real above 0 up to 1e9                  output length per request, tokens
-- :users              integer from 1 up to 1e12               number of users
-- :requests_per_user  real above 0 up to 1e9 = 1              requests per user and day
-- :usd_per_kwh        real from 0 up to 1e6                   price of electricity, USD per kWh
-- :usd_per_gpu_hour   real from 0 up to 1e6                   rent of a GPU, USD per hour
-- :gco2_per_kwh       real from 0 up to 1e6                   CO2e of electricity, g per kWh
-- :pue                real from 1 up to 100 = 1               PUE: energy of the facility / of its machines
-- :unstable           boolean = false                         include own runs that were not steady
-- important: model, gpu, num_gpus, wh_per_request, kwh, electricity_usd, co2e_kg, kwh_per_day
-- important: output_tokens
-- caption: :percentile ITL at most :deadline_ms ms
--
-- alias: --deadline :deadline_ms
-- requires: :percentile_itl_ms, avg_output_tokens unless :output_tokens
-- requires: steady unless :unstable
-- note when output_length_ratio > 1: the outputs are longer than measured, so the estimate is too high: it also scales the energy of the prompts
-- note when output_length_ratio < 1: the outputs are shorter than measured, so the estimate is too low: it also scales the energy of the prompts
-- example: --model qwen-3-14b --requests 1M
--   the energy of a million requests
-- example: --gpu B200 --requests 1M --usd-per-kwh 0.12 --gco2-per-kwh 400
--   the same on B200, with its cost and its CO2e
-- example: --model qwen-3-14b --users 10k --requests-per-user 20
--   the electricity of 10,000 users a day
with chosen as (
    select (
        select candidates.configuration_id
        from configurations as candidates
        where candidates.task_id = measured.task_id
            and candidates.model_id = measured.model_id
            and candidates.gpu_id = measured.gpu_id
            and candidates.source_id = measured.source_id
            and case :percentile
                when 'median' then candidates.median_itl_ms
                when 'p90' then candidates.p90_itl_ms
                when 'p95' then candidates.p95_itl_ms
                when 'p99' then candidates.p99_itl_ms
            end <= :deadline_ms
            and (:output_tokens is not null or candidates.avg_output_tokens is not null)
            and (
                :unstable
                or candidates.configuration_id not in (
                    select configuration_id from unstable_configurations
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
    from measured
    where task_id in (select task_id from tasks where task = :task)
        and source_id in (select source_id from sources where :source is null or source = :source)
        and model_id in (select model_id from models where :model is null or model = :model)
        and gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
),

answers as (
    select
        configuration_latencies.*,
        coalesce(:output_tokens * 1.0, avg_output_tokens) as output_tokens,
        gpu_hours_per_million_output_tokens / 1e6
        * coalesce(:output_tokens * 1.0, avg_output_tokens) as gpu_hours_per_request,
        joules_per_output_token * coalesce(:output_tokens * 1.0, avg_output_tokens) / 3600.0 * :pue
            as wh_per_request
    from chosen
    join configuration_latencies using (configuration_id)
    where percentile = :percentile
)

select
    model,
    gpu,
    num_gpus,
    precision,
    max_num_seqs,
    percentile,
    :deadline_ms as deadline_ms,
    itl_ms,
    wh_per_million_output_tokens,
    output_tokens,
    output_tokens / avg_output_tokens as output_length_ratio,
    :pue as pue,
    wh_per_request,
    :requests as requests,
    wh_per_request * :requests / 1000.0 as kwh,
    wh_per_request * :requests / 1000.0 * :usd_per_kwh as electricity_usd,
    gpu_hours_per_request * :requests as gpu_hours,
    gpu_hours_per_request * :requests * :usd_per_gpu_hour as rent_usd,
    (wh_per_request / 1000.0 * :usd_per_kwh + gpu_hours_per_request * :usd_per_gpu_hour) * :requests
        as usd,
    wh_per_request * :requests / 1e6 * :gco2_per_kwh as co2e_kg,
    wh_per_request as kwh_per_thousand_requests,
    wh_per_request / 1000.0 * :users * :requests_per_user as kwh_per_day,
    source,
    row_id
from answers
where wh_per_request is not null
order by wh_per_request, row_id;
