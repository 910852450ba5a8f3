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
-- :task                   text_task                            workload that makes text
-- :model                  model                                model: slug, name or Hugging Face id
-- :gpu                    gpu                                  GPU, such as B200
-- :percentile             one of median|p90|p95|p99 = median   which inter-token latency counts
-- :deadline_ms            real above 0 = 500                   highest latency allowed, ms
-- :max_gpus               integer from 1                       highest number of GPUs
-- :min_tokens_per_second  real above 0                         lowest throughput, tokens per second
-- :max_power_watts        real above 0                         highest power, watts
-- :precision              precision                            number format of the weights, as FP8
-- :architecture           architecture                         architecture of the model, as MoE
-- :max_params_b           real above 0                         highest number of parameters, 10^9
-- :repeats                one of lowest|mean|highest = lowest  what repeated measurements count
--
-- important: model, gpu, num_gpus, precision, max_num_seqs, wh_per_million_output_tokens
-- important: itl_ms, tokens_per_second
-- caption: :percentile ITL at most :deadline_ms ms
-- picture: points of wh_per_million_output_tokens over itl_ms by gpu
with searches as (
    select
        measured.task_id as task_id,
        measured.model_id as model_id,
        measured.gpu_id as gpu_id,
        measured.source_id as source_id
    from measured
    where measured.task_id in (select task_id from tasks where task = :task)
        and measured.model_id in (
            select model_id
            from models
            where (:model is null or model = :model)
                and (:architecture is null or architecture = :architecture)
                and (:max_params_b is null or params_b <= :max_params_b)
        )
        and measured.gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
),

-- Without limits the search reads nothing but an index, in whose order it stops at the first
-- configuration that meets the deadline. With limits it goes the same way, but looks up the rest of
-- each that does. The + keeps the search for a higher repeat on the index of the configuration's
-- key.
chosen as materialized (
    select
        case
            when coalesce(
                :max_gpus, :min_tokens_per_second, :max_power_watts, :precision
            ) is null and :repeats = 'lowest' then (
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
                order by
                    candidates.joules_per_output_token,
                    candidates.median_itl_ms,
                    candidates.p90_itl_ms,
                    candidates.p95_itl_ms,
                    candidates.p99_itl_ms,
                    candidates.configuration_id
                limit 1
            )
            else (
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
                                and again.source_id = candidates.source_id
                                and again.num_gpus = candidates.num_gpus
                                and again.max_num_seqs = candidates.max_num_seqs
                                and again.tensor_parallel = candidates.tensor_parallel
                                and again.data_parallel = candidates.data_parallel
                                and again.expert_parallel = candidates.expert_parallel
                                and again.precision_id = candidates.precision_id
                                and +again.joules_per_output_token
                                    > candidates.joules_per_output_token
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
            )
        end as configuration_id
    from searches
    where :repeats <> 'mean'
),

chosen_means as materialized (
    select
        (
            select min(candidates.configuration_id)
            from configurations as candidates
            where candidates.task_id = searches.task_id
                and candidates.model_id = searches.model_id
                and candidates.gpu_id = searches.gpu_id
                and candidates.source_id = searches.source_id
                and (:max_gpus is null or candidates.num_gpus <= :max_gpus)
                and (
                    :precision is null
                    or candidates.precision_id in (
                        select precision_id from precisions where precision = :precision
                    )
                )
            group by
                candidates.num_gpus,
                candidates.tensor_parallel,
                candidates.data_parallel,
                candidates.expert_parallel,
                candidates.precision_id,
                candidates.max_num_seqs
            having
                case :percentile
                    when 'median' then avg(candidates.median_itl_ms)
                    when 'p90' then avg(candidates.p90_itl_ms)
                    when 'p95' then avg(candidates.p95_itl_ms)
                    when 'p99' then avg(candidates.p99_itl_ms)
                end <= :deadline_ms
                and (
                    :min_tokens_per_second is null
                    or avg(candidates.tokens_per_second) >= :min_tokens_per_second
                )
                and (
                    :max_power_watts is null
                    or avg(candidates.power_watts) <= :max_power_watts
                )
            order by
                avg(candidates.joules_per_output_token),
                avg(candidates.median_itl_ms),
                avg(candidates.p90_itl_ms),
                avg(candidates.p95_itl_ms),
                avg(candidates.p99_itl_ms),
                min(candidates.configuration_id)
            limit 1
        ) as configuration_id
    from searches
    where :repeats = 'mean'
),

answers as (
    select
        configurations.configuration_id as configuration_id,
        configurations.joules_per_output_token as joules_per_output_token,
        configurations.median_itl_ms as median_itl_ms,
        configurations.p90_itl_ms as p90_itl_ms,
        configurations.p95_itl_ms as p95_itl_ms,
        configurations.p99_itl_ms as p99_itl_ms,
        configurations.tokens_per_second as tokens_per_second,
        configurations.power_watts as power_watts
    from chosen
    join configurations on configurations.configuration_id = chosen.configuration_id
    union all
    select
        first.configuration_id,
        avg(measured.joules_per_output_token),
        avg(measured.median_itl_ms),
        avg(measured.p90_itl_ms),
        avg(measured.p95_itl_ms),
        avg(measured.p99_itl_ms),
        avg(measured.tokens_per_second),
        avg(measured.power_watts)
    from chosen_means
    join configurations as first on first.configuration_id = chosen_means.configuration_id
    join configurations as measured
        on measured.task_id = first.task_id
        and measured.model_id = first.model_id
        and measured.gpu_id = first.gpu_id
        and measured.source_id = first.source_id
        and measured.num_gpus = first.num_gpus
        and measured.max_num_seqs = first.max_num_seqs
        and measured.tensor_parallel = first.tensor_parallel
        and measured.data_parallel = first.data_parallel
        and measured.expert_parallel = first.expert_parallel
        and measured.precision_id = first.precision_id
    group by first.configuration_id
)

select
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    answers.joules_per_output_token * 1e6 / 3600.0 as wh_per_million_output_tokens,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    case :percentile
        when 'median' then answers.median_itl_ms
        when 'p90' then answers.p90_itl_ms
        when 'p95' then answers.p95_itl_ms
        when 'p99' then answers.p99_itl_ms
    end as itl_ms,
    answers.tokens_per_second as tokens_per_second,
    answers.power_watts as power_watts,
    configuration_energy.row_id as row_id
from answers
join configuration_energy
    on configuration_energy.configuration_id = answers.configuration_id
order by answers.joules_per_output_token, configuration_energy.row_id;
