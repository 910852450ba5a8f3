-- The lowest-energy configuration of each model and GPU that meets a latency deadline.
--
-- Energy is Wh per million output tokens: joules per output token * 10^6 / 3600. A configuration
-- meets the deadline when its inter-token latency (ITL) at the percentile is at most deadline_ms;
-- itl_ms is that latency. A deadline on the median leaves half of all tokens later than it: use
-- --percentile p99 for a promise to nearly every reader.
-- Equal energies go to the lower median, p90, p95, p99 ITL, then to the first measured.
--
-- :task         task                             workload
-- :model        model                            model: slug, name or Hugging Face id
-- :gpu          gpu                              GPU, such as B200
-- :percentile   one of median|p90|p95|p99 = median  which inter-token latency must meet the deadline
-- :deadline_ms  real = 500                       highest inter-token latency allowed, ms
select
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
    :percentile as percentile,
    :deadline_ms as deadline_ms,
    case :percentile
        when 'median' then configuration_energy.median_itl_ms
        when 'p90' then configuration_energy.p90_itl_ms
        when 'p95' then configuration_energy.p95_itl_ms
        when 'p99' then configuration_energy.p99_itl_ms
    end as itl_ms,
    configuration_energy.tokens_per_second as tokens_per_second,
    configuration_energy.power_watts as power_watts,
    configuration_energy.row_id as row_id
from tasks
cross join models
cross join gpus
cross join configuration_energy
where configuration_energy.configuration_id = (
    select candidates.configuration_id
    from configurations as candidates
    where candidates.task_id = tasks.task_id
        and candidates.model_id = models.model_id
        and candidates.gpu_id = gpus.gpu_id
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
    and tasks.task = :task
    and models.model_id in (
        select model_id from models where :model is null or model = :model
    )
    and gpus.gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
order by
    configuration_energy.joules_per_output_token,
    configuration_energy.row_id;
