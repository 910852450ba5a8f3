-- Two GPUs, models or precisions at the same latency deadline, or two sources, side by side.
--
-- Each side is the lowest-energy configuration whose inter-token latency (ITL) at the percentile is
-- at most deadline_ms; one row for everything that both sides were measured on. Exactly one of
-- --other-gpu, --other-model, --other-precision and --other-source says what the other side is;
-- --gpu, --model and --precision say what the first side is, and where they do not, every one but
-- the other's is compared with it. Ratios are the other side / the first side: of energy per output token, of
-- output tokens per second for each GPU, and of power of the whole configuration.
-- With --other-source a row is a configuration of the first source beside that of the other with the
-- same model, GPU, number of GPUs, precision and limit (status 'same limit'), else beside the curve of
-- the other at the same load (status 'same load', linear between two neighbours). Repeats count as
-- their mean. exceeds_spread is whether the energies differ by more than the repeats of either side
-- do, highest - lowest; it is empty where neither was repeated. differing_method names the facts of
-- the method in which the sources differ: such figures are not of the same quantity. Without
-- --other-source both sides are of one source.
-- Otherwise status is 'both meet', 'only the first meets', 'only the other meets' or 'neither meets'.
-- A model published in two precisions may be two models by name: compare these with --other-model.
--
-- :task             text_task                               workload that makes text
-- :model            model                                   model: slug, name or Hugging Face id
-- :other_model      model                                   model of the other side
-- :gpu              gpu                                     GPU, such as B200
-- :other_gpu        gpu                                     GPU of the other side
-- :precision        precision                               number format of the weights, such as FP8
-- :other_precision  precision                               number format of the other side
-- :source           source                                  source, such as published
-- :other_source     source                                  source of the other side
-- :percentile       one of median|p90|p95|p99 = median      which inter-token latency counts
-- :deadline_ms      real above 0 = release.itl_deadline_ms  highest inter-token latency allowed, ms
-- :every_deadline   boolean = false                         at every usual deadline, 10 to 500 ms
--
-- needs one of :other_gpu, :other_model, :other_precision, :other_source
-- needs different :source, :other_source
-- needs at most one of :other_source, :every_deadline
-- needs at most one of :other_source, :deadline_ms
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

of_task as (
    select source_id, source
    from sources
    where source_id in (
        select measured.source_id
        from measured
        join tasks on tasks.task_id = measured.task_id
        where tasks.task = :task
    )
),

sides_measured as (
    select
        tasks.task_id as task_id,
        models.model_id as model_id,
        models.model as model,
        gpus.gpu_id as gpu_id,
        gpus.gpu as gpu,
        wanted_precisions.precision_id as precision_id,
        wanted_precisions.precision as precision,
        of_task.source_id as source_id,
        of_task.source as source
    from tasks
    cross join models
    cross join gpus
    cross join wanted_precisions
    cross join of_task
    where tasks.task = :task
        and :other_source is null
        and (:source is null or of_task.source = :source)
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
                and configurations.source_id = of_task.source_id
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
        other.precision as other_precision,
        first.source as source
    from sides_measured as first
    join sides_measured as other
        on other.source = first.source
        and other.model = coalesce(:other_model, first.model)
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
        sides_measured.model as model,
        sides_measured.gpu as gpu,
        sides_measured.precision as precision,
        sides_measured.source as source,
        wanted_deadlines.deadline_ms as deadline_ms,
        (
            select candidates.configuration_id
            from configurations as candidates
            where candidates.task_id = sides_measured.task_id
                and candidates.model_id = sides_measured.model_id
                and candidates.gpu_id = sides_measured.gpu_id
                and candidates.source_id = sides_measured.source_id
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
                    sides_measured.precision_id is null
                    or candidates.precision_id = sides_measured.precision_id
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
    from sides_measured
    cross join wanted_deadlines
),

-- The sides that have a configuration which meets the deadline.
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
        configuration_energy.row_id as row_id
    from sides
    join configuration_energy on configuration_energy.configuration_id = sides.configuration_id
),

-- The configurations of two sources, each as the mean of its repeats.
means as materialized (
    select *
    from configuration_means
    where :other_source is not null
        and task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:precision is null or precision = :precision)
        and unstable_reason is null
        and (:source is null or source in (:source, :other_source))
),

-- How far the repeats of a configuration are apart.
spreads as materialized (
    select
        source, model, gpu, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision,
        max_num_seqs,
        max(joules_per_output_token) - min(joules_per_output_token) as spread
    from configuration_energy
    where :other_source is not null and task = :task and unstable_reason is null
    group by
        source, model, gpu, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision,
        max_num_seqs
    having count(*) > 1
),

-- Each configuration of the first source with the same of the other, else with its two neighbours
-- by load, and how far along from the lower to the upper it is.
matches as (
    select first.*, other.configuration_id as lower_id, other.configuration_id as upper_id,
        'same limit' as status
    from means as first
    join means as other
        on other.model = first.model
        and other.gpu = first.gpu
        and other.num_gpus = first.num_gpus
        and other.precision = first.precision
        and other.max_num_seqs = first.max_num_seqs
        and other.source = :other_source
    where first.source <> :other_source
    union all
    select first.*,
        (
            select lower.configuration_id
            from means as lower
            where lower.source = :other_source
                and lower.model = first.model
                and lower.gpu = first.gpu
                and lower.num_gpus = first.num_gpus
                and lower.precision = first.precision
                and lower.avg_running_batch <= first.avg_running_batch
            order by lower.avg_running_batch desc, lower.configuration_id
            limit 1
        ),
        (
            select upper.configuration_id
            from means as upper
            where upper.source = :other_source
                and upper.model = first.model
                and upper.gpu = first.gpu
                and upper.num_gpus = first.num_gpus
                and upper.precision = first.precision
                and upper.avg_running_batch >= first.avg_running_batch
            order by upper.avg_running_batch, upper.configuration_id
            limit 1
        ),
        'same load'
    from means as first
    where first.source <> :other_source
        and not exists (
            select 1
            from means as other
            where other.model = first.model
                and other.gpu = first.gpu
                and other.num_gpus = first.num_gpus
                and other.precision = first.precision
                and other.max_num_seqs = first.max_num_seqs
                and other.source = :other_source
        )
),

beside as (
    select
        matches.*,
        case :percentile
            when 'median' then matches.median_itl_ms
            when 'p90' then matches.p90_itl_ms
            when 'p95' then matches.p95_itl_ms
            when 'p99' then matches.p99_itl_ms
        end as itl_ms,
        coalesce(
            (matches.avg_running_batch - lower.avg_running_batch)
            / nullif(upper.avg_running_batch - lower.avg_running_batch, 0.0),
            1.0
        ) as f,
        lower.power_watts as l0, upper.power_watts as u0,
        lower.tokens_per_second as l1, upper.tokens_per_second as u1,
        case :percentile
            when 'median' then lower.median_itl_ms
            when 'p90' then lower.p90_itl_ms
            when 'p95' then lower.p95_itl_ms
            when 'p99' then lower.p99_itl_ms
        end as l2,
        case :percentile
            when 'median' then upper.median_itl_ms
            when 'p90' then upper.p90_itl_ms
            when 'p95' then upper.p95_itl_ms
            when 'p99' then upper.p99_itl_ms
        end as u2,
        upper.joules_per_output_token as upper_joules,
        upper.source as other_source,
        upper.row_id as other_row_id,
        upper.tensor_parallel as other_tensor_parallel,
        upper.data_parallel as other_data_parallel,
        upper.expert_parallel as other_expert_parallel
    from matches
    join means as lower on lower.configuration_id = matches.lower_id
    join means as upper on upper.configuration_id = matches.upper_id
),

figures as (
    select
        *,
        (1.0 - f) * l0 + f * u0 as other_watts,
        (1.0 - f) * l1 + f * u1 as other_tokens_per_second,
        (1.0 - f) * l2 + f * u2 as other_itl_ms,
        case
            when status = 'same limit' then upper_joules
            else ((1.0 - f) * l0 + f * u0) / ((1.0 - f) * l1 + f * u1)
        end as other_joules
    from beside
),

-- The facts of the method in which two sources differ.
differences as (
    select
        first.source as source,
        nullif(
            substr(
                case when first.energy_boundary is other.energy_boundary then ''
                    else ', energy_boundary' end
                || case when first.measurement_window is other.measurement_window then ''
                    else ', measurement_window' end
                || case when first.itl_kind is other.itl_kind then '' else ', itl_kind' end
                || case when first.runtime is other.runtime then '' else ', runtime' end
                || case when first.runtime_version is other.runtime_version then ''
                    else ', runtime_version' end
                || case when first.is_estimated is other.is_estimated then ''
                    else ', is_estimated' end,
                3
            ),
            ''
        ) as differing_method
    from sources as first
    join sources as other on other.source = :other_source
    where first.source_id in (select source_id from of_task)
        and other.source_id in (select source_id from of_task)
),

answers_of_sources as (
    select
        figures.*,
        differences.differing_method as differing_method,
        max(coalesce(of_first.spread, of_other.spread), coalesce(of_other.spread, of_first.spread))
            as spread
    from figures
    join differences on differences.source = figures.source
    left join spreads as of_first
        on of_first.source = figures.source
        and of_first.model = figures.model
        and of_first.gpu = figures.gpu
        and of_first.num_gpus = figures.num_gpus
        and of_first.tensor_parallel = figures.tensor_parallel
        and of_first.data_parallel = figures.data_parallel
        and of_first.expert_parallel = figures.expert_parallel
        and of_first.precision = figures.precision
        and of_first.max_num_seqs = figures.max_num_seqs
    left join spreads as of_other
        on of_other.source = figures.other_source
        and figures.status = 'same limit'
        and of_other.model = figures.model
        and of_other.gpu = figures.gpu
        and of_other.num_gpus = figures.num_gpus
        and of_other.tensor_parallel = figures.other_tensor_parallel
        and of_other.data_parallel = figures.other_data_parallel
        and of_other.expert_parallel = figures.other_expert_parallel
        and of_other.precision = figures.precision
        and of_other.max_num_seqs = figures.max_num_seqs
),

rows as (
    select
        pairs.model as model,
        pairs.gpu as gpu,
        pairs.other_model as other_model,
        pairs.other_gpu as other_gpu,
        null as num_gpus,
        null as max_num_seqs,
        null as avg_running_batch,
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
        null as itl_ms,
        null as other_itl_ms,
        null as itl_ratio,
        null as exceeds_spread,
        null as differing_method,
        first.precision as precision,
        other.precision as other_precision,
        pairs.source as source,
        null as other_source,
        first.row_id as row_id,
        other.row_id as other_row_id,
        pairs.precision as precision_wanted,
        pairs.other_precision as other_precision_wanted
    from pairs
    cross join wanted_deadlines
    left join answers as first
        on first.model = pairs.model
        and first.gpu = pairs.gpu
        and first.source = pairs.source
        and first.precision_wanted = pairs.precision
        and first.deadline_ms = wanted_deadlines.deadline_ms
    left join answers as other
        on other.model = pairs.other_model
        and other.gpu = pairs.other_gpu
        and other.source = pairs.source
        and other.precision_wanted = pairs.other_precision
        and other.deadline_ms = wanted_deadlines.deadline_ms
    union all
    select
        model,
        gpu,
        model,
        gpu,
        num_gpus,
        max_num_seqs,
        avg_running_batch,
        :percentile,
        null,
        status,
        wh_per_million_output_tokens,
        other_joules * 1e6 / 3600.0,
        other_joules / joules_per_output_token,
        other_tokens_per_second / tokens_per_second,
        other_watts / power_watts,
        itl_ms,
        other_itl_ms,
        other_itl_ms / itl_ms,
        abs(other_joules - joules_per_output_token) > spread,
        differing_method,
        precision,
        precision,
        source,
        other_source,
        row_id,
        other_row_id,
        '',
        ''
    from answers_of_sources
)

select
    model,
    gpu,
    other_model,
    other_gpu,
    num_gpus,
    max_num_seqs,
    avg_running_batch,
    percentile,
    deadline_ms,
    status,
    wh_per_million_output_tokens,
    other_wh_per_million_output_tokens,
    energy_ratio,
    per_gpu_throughput_ratio,
    power_ratio,
    itl_ms,
    other_itl_ms,
    itl_ratio,
    exceeds_spread,
    differing_method,
    precision,
    other_precision,
    source,
    other_source,
    row_id,
    other_row_id
from rows
order by
    model, gpu, other_model, other_gpu, precision_wanted, other_precision_wanted, source,
    num_gpus, precision, avg_running_batch, max_num_seqs, deadline_ms, row_id, other_row_id;
