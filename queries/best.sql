-- The lowest-energy configuration of each model and GPU that meets a latency deadline.
--
-- Energy is Wh per million output tokens: joules per output token * 10^6 / 3600. A configuration
-- meets the deadline when its inter-token latency (ITL) at the percentile is at most deadline_ms;
-- itl_ms is that latency. A deadline on the median leaves half of all tokens later than it: use
-- --percentile p99 for a promise to nearly every reader.
-- Limits may be given in any combination. Throughput (output tokens per second) and power (watts)
-- are of the whole configuration, all its GPUs together.
-- A configuration that was measured more than once counts, with --repeats lowest, by each of its
-- measurements, as the published documents choose; with highest, by the one of highest energy;
-- with mean, by the mean of each figure, and row_id is that of the first measurement.
-- Equal energies go to the lower median, p90, p95, p99 ITL, then to the first measured.
--
-- :task                   text_task                               workload that makes text
-- :model                  model                                   model: slug, name or Hugging Face id
-- :gpu                    gpu                                     GPU, such as B200
-- :percentile             one of median|p90|p95|p99 = median      which inter-token latency counts
-- :deadline_ms            real above 0 = release.itl_deadline_ms  highest latency allowed, ms
-- :max_gpus               integer from 1                          highest number of GPUs
-- :min_tokens_per_second  real above 0                            lowest throughput, tokens per second
-- :max_power_watts        real above 0                            highest power, watts
-- :precision              precision                               number format of the weights, as FP8
-- :architecture           architecture                            architecture of the model, as MoE
-- :max_params_b           real above 0                            highest number of parameters, 10^9
-- :repeats                one of lowest|mean|highest = lowest     what repeated measurements count
--
-- important: model, gpu, num_gpus, precision, max_num_seqs, wh_per_million_output_tokens
-- important: itl_ms, tokens_per_second
-- caption: :percentile ITL at most :deadline_ms ms
-- picture: points of wh_per_million_output_tokens over itl_ms by gpu
--
-- alias: --deadline :deadline_ms
-- alias: --min-tps :min_tokens_per_second
-- alias: --max-power :max_power_watts
-- alias: --max-params :max_params_b
-- example: --gpu B200 --percentile p99 --deadline-ms 50
--   what uses the least energy where 99 of 100 tokens come within 50 ms
-- example: --model llama-3-1-70b-instruct --max-gpus 2
--   the least energy of one model on at most two GPUs
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
),

-- The search goes along an index, in whose order it stops at the first configuration that meets the
-- deadline, and looks up the rest of a row only for a limit that is given. The + keeps the search
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

means as (
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
        and (:max_gpus is null or num_gpus <= :max_gpus)
        and (:min_tokens_per_second is null or tokens_per_second >= :min_tokens_per_second)
        and (:max_power_watts is null or power_watts <= :max_power_watts)
        and (:precision is null or precision = :precision)
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
),

answers as (
    select
        model, gpu, num_gpus, precision, max_num_seqs, wh_per_million_output_tokens, itl_ms,
        tokens_per_second, power_watts, row_id, joules_per_output_token
    from chosen
    join configuration_latencies using (configuration_id)
    where percentile = :percentile
    union all
    select
        model, gpu, num_gpus, precision, max_num_seqs, wh_per_million_output_tokens, itl_ms,
        tokens_per_second, power_watts, row_id, joules_per_output_token
    from ranked
    where place = 1
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
    tokens_per_second,
    power_watts,
    row_id
from answers
order by joules_per_output_token, row_id;
