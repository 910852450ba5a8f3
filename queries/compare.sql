-- Two GPUs, two models or two precisions side by side, at the same latency deadline.
--
-- Each side is the lowest-energy configuration whose inter-token latency (ITL) at the percentile is
-- at most deadline_ms; one row for everything that both sides were measured on. Exactly one of
-- --other-gpu, --other-model and --other-precision says what the other side is; --gpu, --model and
-- --precision say what the first side is, and where they do not, every one but the other's is
-- compared with it. Ratios are the other side / the first side: of energy per output token, of
-- output tokens per second for each GPU, and of power of the whole configuration.
-- status is 'both meet', 'only the first meets', 'only the other meets' or 'neither meets'.
-- A model published in two precisions may be two models by name: compare these with --other-model.
--
-- :task             text_task                               workload that makes text
-- :model            model                                   model: slug, name or Hugging Face id
-- :other_model      model                                   model of the other side
-- :gpu              gpu                                     GPU, such as B200
-- :other_gpu        gpu                                     GPU of the other side
-- :precision        precision                               number format of the weights, such as FP8
-- :other_precision  precision                               number format of the other side
-- :percentile       one of median|p90|p95|p99 = median      which inter-token latency counts
-- :deadline_ms      real above 0 = release.itl_deadline_ms  highest inter-token latency allowed, ms
-- :every_deadline   boolean = false                         at every usual deadline, 10 to 500 ms
--
-- needs one of :other_gpu, :other_model, :other_precision
-- needs different :gpu, :other_gpu
-- needs different :model, :other_model
-- needs different :precision, :other_precision
-- needs at most one of :deadline_ms, :every_deadline
-- no rows: nothing was measured on both sides of the comparison
-- important: model, gpu, other_gpu, wh_per_million_output_tokens
-- important: other_wh_per_million_output_tokens, energy_ratio, deadline_ms
-- caption: :percentile ITL
--
-- alias: --deadline :deadline_ms
-- example: --gpu H100 --other-gpu B200
--   what changes from H100 to B200, model by model
-- example: --model qwen-3-14b --other-model qwen-3-8b --gpu B200 --every-deadline
--   a smaller model beside a larger one, at every usual deadline
with wanted_precisions as (
    -- Null where any precision will do.
    select precision_id, precision
    from precisions
    where :precision is not null or :other_precision is not null
    union all
    select null, ''
    where :precision is null and :other_precision is null
),

measured as (
    select
        tasks.task_id as task_id,
        models.model_id as model_id,
        models.model as model,
        gpus.gpu_id as gpu_id,
        gpus.gpu as gpu,
        wanted_precisions.precision_id as precision_id,
        wanted_precisions.precision as precision
    from tasks
    cross join models
    cross join gpus
    cross join wanted_precisions
    where tasks.task = :task
        and models.model_id in (
            select model_id from models where :model is null or model in (:model, :other_model)
        )
        and gpus.gpu_id in (
            select gpu_id from gpus where :gpu is null or gpu in (:gpu, :other_gpu)
        )
        and exists (
            select 1
            from configurations
            where configurations.task_id = tasks.task_id
                and configurations.model_id = models.model_id
                and configurations.gpu_id = gpus.gpu_id
                and (
                    wanted_precisions.precision_id is null
                    or configurations.precision_id = wanted_precisions.precision_id
                )
        )
),

pairs as (
    select
        first.model as model,
        first.gpu as gpu,
        first.precision as precision,
        other.model as other_model,
        other.gpu as other_gpu,
        other.precision as other_precision
    from measured as first
    join measured as other
        on other.model = coalesce(:other_model, first.model)
        and other.gpu = coalesce(:other_gpu, first.gpu)
        and other.precision = coalesce(:other_precision, first.precision)
    where (:model is null or first.model = :model)
        and (:gpu is null or first.gpu = :gpu)
        and (:precision is null or first.precision = :precision)
        and (
            other.model <> first.model
            or other.gpu <> first.gpu
            or other.precision <> first.precision
        )
),

wanted_deadlines as (
    select deadline_ms from deadlines where :every_deadline
    union all
    select :deadline_ms where not :every_deadline
),

sides as (
    select
        measured.model as model,
        measured.gpu as gpu,
        measured.precision as precision,
        wanted_deadlines.deadline_ms as deadline_ms,
        (
            select candidates.configuration_id
            from configurations as candidates
            where candidates.task_id = measured.task_id
                and candidates.model_id = measured.model_id
                and candidates.gpu_id = measured.gpu_id
                and case :percentile
                    when 'median' then candidates.median_itl_ms
                    when 'p90' then candidates.p90_itl_ms
                    when 'p95' then candidates.p95_itl_ms
                    when 'p99' then candidates.p99_itl_ms
                end <= wanted_deadlines.deadline_ms
                and (
                    measured.precision_id is null
                    or candidates.precision_id = measured.precision_id
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
    cross join wanted_deadlines
),

-- The sides that have a configuration which meets the deadline.
answers as (
    select
        sides.model as model,
        sides.gpu as gpu,
        sides.precision as precision_wanted,
        sides.deadline_ms as deadline_ms,
        configuration_energy.precision as precision,
        configuration_energy.num_gpus as num_gpus,
        configuration_energy.joules_per_output_token as joules_per_output_token,
        configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
        configuration_energy.tokens_per_second as tokens_per_second,
        configuration_energy.power_watts as power_watts,
        configuration_energy.row_id as row_id
    from sides
    join configuration_energy on configuration_energy.configuration_id = sides.configuration_id
)

select
    pairs.model as model,
    pairs.gpu as gpu,
    pairs.other_model as other_model,
    pairs.other_gpu as other_gpu,
    :percentile as percentile,
    wanted_deadlines.deadline_ms as deadline_ms,
    case
        when first.row_id is not null and other.row_id is not null then 'both meet'
        when first.row_id is not null then 'only the first meets'
        when other.row_id is not null then 'only the other meets'
        else 'neither meets'
    end as status,
    first.wh_per_million_output_tokens as wh_per_million_output_tokens,
    other.wh_per_million_output_tokens as other_wh_per_million_output_tokens,
    other.joules_per_output_token / first.joules_per_output_token as energy_ratio,
    (other.tokens_per_second / other.num_gpus) / (first.tokens_per_second / first.num_gpus)
        as per_gpu_throughput_ratio,
    other.power_watts / first.power_watts as power_ratio,
    first.precision as precision,
    other.precision as other_precision,
    first.row_id as row_id,
    other.row_id as other_row_id
from pairs
cross join wanted_deadlines
left join answers as first
    on first.model = pairs.model
    and first.gpu = pairs.gpu
    and first.precision_wanted = pairs.precision
    and first.deadline_ms = wanted_deadlines.deadline_ms
left join answers as other
    on other.model = pairs.other_model
    and other.gpu = pairs.other_gpu
    and other.precision_wanted = pairs.other_precision
    and other.deadline_ms = wanted_deadlines.deadline_ms
order by
    pairs.model,
    pairs.gpu,
    pairs.other_model,
    pairs.other_gpu,
    pairs.precision,
    pairs.other_precision,
    wanted_deadlines.deadline_ms;
