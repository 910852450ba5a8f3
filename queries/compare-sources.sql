-- The figures of two sources for the same configuration, side by side.
--
-- One row per configuration of the first source. It is compared with the configuration of the
-- other source that has the same model, GPU, number of GPUs, precision and limit: status is 'same
-- limit'. If there is none, it is compared with the curve of the other source at the same load:
-- status is 'same load'. The curve is linear between two neighbours. Repeats count as their mean.
--
-- Ratios are the other source / the first. exceeds_spread is true if the energies differ by more
-- than the repeats of either side (highest - lowest). It is empty if neither side was repeated.
-- differing_method names the facts of the method in which the sources differ. Figures of
-- different methods do not measure the same thing.
--
-- :task          text_task                           workload that makes text
-- :model         model                               model: slug, name or Hugging Face id
-- :gpu           gpu                                 GPU, such as B200
-- :precision     precision                           number format of the weights, such as FP8
-- :source        source                              source of the figures, such as published
-- :other_source  source                              source of the other side
-- :percentile    one of median|p90|p95|p99 = median  percentile of the latency between tokens
--
-- needs :other_source
-- needs different :source, :other_source
-- no rows: the two sources have no configuration of the same model and GPU in common
-- important: model, gpu, num_gpus, max_num_seqs, wh_per_million_output_tokens
-- important: other_wh_per_million_output_tokens, energy_ratio, exceeds_spread, differing_method
-- caption: :percentile ITL · :source beside :other_source
--
-- requires: steady
-- example: --source mine --other-source published
--   how far every own configuration is from the published one
-- example: --other-source published --gpu B200
--   every own measurement on B200 beside the published one
with of_task as (
    select source_id, source
    from sources
    where source_id in (
        select measured.source_id
        from measured
        join tasks on tasks.task_id = measured.task_id
        where tasks.task = :task
    )
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

-- The spread of the repeats of a configuration.
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

-- Each configuration of the first source with the same one of the other source. If there is none, with
-- its two neighbours by load, and its position between the lower and the upper one.
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
)

select
    model,
    gpu,
    num_gpus,
    precision,
    max_num_seqs,
    avg_running_batch,
    status,
    :percentile as percentile,
    wh_per_million_output_tokens,
    other_joules * 1e6 / 3600.0 as other_wh_per_million_output_tokens,
    other_joules / joules_per_output_token as energy_ratio,
    other_tokens_per_second / tokens_per_second as throughput_ratio,
    other_watts / power_watts as power_ratio,
    itl_ms,
    other_itl_ms,
    other_itl_ms / itl_ms as itl_ratio,
    abs(other_joules - joules_per_output_token) > spread as exceeds_spread,
    differing_method,
    source,
    other_source,
    row_id,
    other_row_id
from answers_of_sources
order by
    model, gpu, source, num_gpus, precision, avg_running_batch, max_num_seqs, row_id, other_row_id;
