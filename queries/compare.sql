-- Two GPUs, two models or two precisions side by side, at the same latency deadline.
--
-- Each side is the configuration with the lowest energy whose inter-token latency (ITL) at the
-- percentile is at most deadline_ms. For the other side, give exactly one of --other-gpu,
-- --other-model and --other-precision. For the first side, give --gpu, --model and --precision.
-- Without these, every possible first side is compared. Everything else is the same on both
-- sides, except that another model may have any precision.
--
-- In the data, a model in another precision is a separate model. --other-precision finds it by
-- its Hugging Face id: the id of the first model, with the precision at its end, such as -FP8.
-- Both sides have the same source. 'energydb query compare-sources' compares two sources.
--
-- Ratios are the other side / the first side:
--   - energy per output token
--   - output tokens per second for each GPU
--   - power of the whole configuration
--   - US dollars (electricity and rent), where both rates are given
--
-- status is one of 'both meet', 'only the first meets', 'only the other meets', 'neither meets',
-- 'the other was not measured' and 'the first was not measured'. A side that was not measured
-- has a name and no figures.
--
-- within_spread is true if the energies of both sides overlap, counting every repeated
-- measurement. Then the measurements show no difference between the sides. It is empty if neither
-- side was measured more than once.
--
-- :task                text_task                               workload that makes text
-- :model               model                                   model: slug, name or Hugging Face id
-- :other_model         model                                   model of the other side
-- :gpu                 gpu                                     GPU, such as B200
-- :other_gpu           gpu                                     GPU of the other side
-- :precision           precision                               number format of the weights, such as FP8
-- :other_precision     precision                               number format of the other side
-- :source              source                                  source of the figures, such as published
-- :percentile          one of median|p90|p95|p99 = median      percentile of the latency between tokens
-- :deadline_ms         real above 0 = release.itl_deadline_ms  highest inter-token latency allowed, ms
-- :every_deadline      boolean = false                         compare at every usual deadline, 10 to 500 ms
-- :usd_per_kwh         real from 0 up to 1e6                   price of electricity, USD per kWh
-- :usd_per_gpu_hour    real from 0 up to 1e6                   rent of a GPU, USD per hour
-- :host_watts_per_gpu  real from 0 up to 1e6                   power of the host for each GPU, watts
-- :pue                 real from 1 up to 100 = 1               PUE: energy of the facility / of its machines
--
-- needs one of :other_gpu, :other_model, :other_precision
-- needs different :gpu, :other_gpu
-- needs different :model, :other_model
-- needs different :precision, :other_precision
-- needs at most one of :deadline_ms, :every_deadline
-- no rows: nothing was measured on both sides of the comparison
-- important: model, gpu, other_gpu, num_gpus, other_num_gpus, wh_per_million_output_tokens
-- important: other_wh_per_million_output_tokens, energy_ratio, deadline_ms
-- caption: :percentile ITL
--
-- alias: --deadline :deadline_ms
-- requires: :percentile_itl_ms, steady
-- note when within_spread > 0: the difference is within the spread of repeated measurements
-- example: --precision BF16 --other-precision FP8
--   what FP8 changes, for the models that were measured in both
-- example: --gpu H100 --other-gpu B200
--   what changes from H100 to B200, model by model
-- example: --model qwen-3-14b --other-model qwen-3-8b --gpu B200 --every-deadline
--   a smaller model beside a larger one, at every usual deadline
with wanted_precisions as (
    -- Null if any precision may be used.
    select precision_id, precision
    from precisions
    where :precision is not null or :other_precision is not null
    union all
    select null, ''
    where (:precision is null or :other_model is not null) and :other_precision is null
),

measured as materialized (
    select
        tasks.task_id as task_id,
        models.model_id as model_id,
        models.model as model,
        -- The part of the id that a model has in common in all its precisions.
        case
            when :other_precision is null then models.model
            else replace(
                lower(models.hugging_face_id) || ' ',
                '-' || lower(wanted_precisions.precision) || ' ',
                ' '
            )
        end as build_of,
        gpus.gpu_id as gpu_id,
        gpus.gpu as gpu,
        wanted_precisions.precision_id as precision_id,
        wanted_precisions.precision as precision,
        sources.source_id as source_id,
        sources.source as source
    from tasks
    cross join models
    cross join gpus
    cross join wanted_precisions
    cross join sources
    where tasks.task = :task
        and (:source is null or sources.source = :source)
        and models.model_id in (
            select model_id
            from models
            where :model is null
                or :other_precision is not null
                or model in (:model, :other_model)
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
                and configurations.source_id = sources.source_id
                and (
                    wanted_precisions.precision_id is null
                    or configurations.precision_id = wanted_precisions.precision_id
                )
        )
),

firsts as materialized (
    select *
    from measured
    where (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:precision is null or precision = :precision)
        and (:other_model is null or model <> :other_model)
        and (:other_gpu is null or gpu <> :other_gpu)
        and (:other_precision is null or precision <> :other_precision)
),

others as materialized (
    select *
    from measured
    where (:other_model is null or model = :other_model)
        and (:other_gpu is null or gpu = :other_gpu)
        and (:gpu is null or :other_gpu is not null or gpu = :gpu)
        and precision = coalesce(
            :other_precision,
            case when :other_model is null then :precision end,
            ''
        )
        and (
            :model is null
            or :other_model is not null
            or build_of in (select build_of from measured where model = :model)
        )
),

pairs as (
    select
        firsts.model as model,
        firsts.gpu as gpu,
        firsts.precision as precision,
        others.model as other_model,
        others.gpu as other_gpu,
        others.precision as other_precision,
        firsts.source as source
    from firsts
    left join others
        on others.source = firsts.source
        and (:other_model is not null or others.build_of = firsts.build_of)
        and (:other_gpu is not null or others.gpu = firsts.gpu)
        and (
            :other_precision is not null
            or :other_model is not null
            or others.precision = firsts.precision
        )
    union
    select null, null, null, others.model, others.gpu, others.precision, others.source
    from others
    where not exists (
        select 1
        from firsts
        where firsts.source = others.source
            and (:other_model is not null or others.build_of = firsts.build_of)
            and (:other_gpu is not null or others.gpu = firsts.gpu)
            and (
                :other_precision is not null
                or :other_model is not null
                or others.precision = firsts.precision
            )
    )
),

wanted_deadlines as (
    select deadline_ms from deadlines where :every_deadline
    union all
    select :deadline_ms where not :every_deadline
),

sides as materialized (
    select
        measured.model as model,
        measured.gpu as gpu,
        measured.precision as precision,
        measured.source as source,
        wanted_deadlines.deadline_ms as deadline_ms,
        (
            select candidates.configuration_id
            from configurations as candidates
            where candidates.task_id = measured.task_id
                and candidates.model_id = measured.model_id
                and candidates.gpu_id = measured.gpu_id
                and candidates.source_id = measured.source_id
                and candidates.configuration_id not in (
                    select configuration_id from unstable_configurations
                )
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

-- The sides with a configuration that meets the deadline.
answers as (
    select
        sides.model as model,
        sides.gpu as gpu,
        sides.precision as precision_wanted,
        sides.source as source,
        sides.deadline_ms as deadline_ms,
        configuration_energy.precision as precision,
        configuration_energy.num_gpus as num_gpus,
        configuration_energy.joules_per_output_token as joules_per_output_token,
        configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
        configuration_energy.tokens_per_second as tokens_per_second,
        configuration_energy.power_watts as power_watts,
        (
            configuration_energy.wh_per_million_output_tokens
            + coalesce(:host_watts_per_gpu, 0.0)
            * configuration_energy.gpu_hours_per_million_output_tokens
        ) / 1000.0 * :pue * :usd_per_kwh
        + configuration_energy.gpu_hours_per_million_output_tokens * :usd_per_gpu_hour
            as usd_per_million_output_tokens,
        configuration_energy.row_id as row_id,
        count(*) as measurements,
        min(again.joules_per_output_token) as lowest_joules,
        max(again.joules_per_output_token) as highest_joules
    from sides
    join configuration_energy on configuration_energy.configuration_id = sides.configuration_id
    join configurations as own on own.configuration_id = sides.configuration_id
    join configurations as again
        on again.task_id = own.task_id
        and again.model_id = own.model_id
        and again.gpu_id = own.gpu_id
        and again.num_gpus = own.num_gpus
        and again.max_num_seqs = own.max_num_seqs
        and again.source_id = own.source_id
        and again.tensor_parallel = own.tensor_parallel
        and again.data_parallel = own.data_parallel
        and again.expert_parallel = own.expert_parallel
        and again.precision_id = own.precision_id
    group by sides.model, sides.gpu, sides.precision, sides.source, sides.deadline_ms
)

select
    coalesce(pairs.model, case when :other_model is null then pairs.other_model else :model end)
        as model,
    coalesce(pairs.gpu, case when :other_gpu is null then pairs.other_gpu else :gpu end) as gpu,
    coalesce(pairs.other_model, :other_model, pairs.model) as other_model,
    coalesce(pairs.other_gpu, :other_gpu, pairs.gpu) as other_gpu,
    :percentile as percentile,
    wanted_deadlines.deadline_ms as deadline_ms,
    case
        when pairs.other_model is null then 'the other was not measured'
        when pairs.model is null then 'the first was not measured'
        when first.row_id is not null and other.row_id is not null then 'both meet'
        when first.row_id is not null then 'only the first meets'
        when other.row_id is not null then 'only the other meets'
        else 'neither meets'
    end as status,
    first.num_gpus as num_gpus,
    other.num_gpus as other_num_gpus,
    first.wh_per_million_output_tokens as wh_per_million_output_tokens,
    other.wh_per_million_output_tokens as other_wh_per_million_output_tokens,
    other.joules_per_output_token / first.joules_per_output_token as energy_ratio,
    (other.tokens_per_second / other.num_gpus) / (first.tokens_per_second / first.num_gpus)
        as per_gpu_throughput_ratio,
    other.power_watts / first.power_watts as power_ratio,
    case
        when first.measurements + other.measurements > 2
        then
            first.lowest_joules <= other.highest_joules
            and other.lowest_joules <= first.highest_joules
    end as within_spread,
    first.usd_per_million_output_tokens as usd_per_million_output_tokens,
    other.usd_per_million_output_tokens as other_usd_per_million_output_tokens,
    other.usd_per_million_output_tokens / first.usd_per_million_output_tokens as usd_ratio,
    first.precision as precision,
    other.precision as other_precision,
    pairs.source as source,
    first.row_id as row_id,
    other.row_id as other_row_id
from pairs
cross join wanted_deadlines
left join answers as first
    on first.model = pairs.model
    and first.source = pairs.source
    and first.gpu = pairs.gpu
    and first.precision_wanted = pairs.precision
    and first.deadline_ms = wanted_deadlines.deadline_ms
left join answers as other
    on other.model = pairs.other_model
    and other.source = pairs.source
    and other.gpu = pairs.other_gpu
    and other.precision_wanted = pairs.other_precision
    and other.deadline_ms = wanted_deadlines.deadline_ms
order by
    coalesce(pairs.model, pairs.other_model),
    pairs.gpu,
    pairs.other_model,
    pairs.other_gpu,
    pairs.precision,
    pairs.other_precision,
    pairs.source,
    wanted_deadlines.deadline_ms;
