create view curve_segments as
-- Every segment of a concurrency curve, between two neighbouring points.
-- A curve consists of the configurations that make text and differ only in max_num_seqs, in the order of
-- load. A configuration that was measured more than once is one point, at the mean of its figures. One row
-- per point: it is the upper end of a segment. Columns that begin with lower_ are the figures of the lower
-- end, and null at the first point. Columns that begin with reached_ are the highest of all points before.
-- series_id is the configuration_id of the first point. A point is left out if its load is unknown or its
-- run was not steady.
select
    configuration_means.task as task,
    configuration_means.model as model,
    configuration_means.gpu as gpu,
    configuration_means.num_gpus as num_gpus,
    configuration_means.precision as precision,
    configuration_means.max_num_seqs as max_num_seqs,
    configuration_means.median_itl_ms as median_itl_ms,
    configuration_means.p90_itl_ms as p90_itl_ms,
    configuration_means.p95_itl_ms as p95_itl_ms,
    configuration_means.p99_itl_ms as p99_itl_ms,
    configuration_means.tokens_per_second as tokens_per_second,
    configuration_means.power_watts as power_watts,
    configuration_means.avg_running_batch as avg_running_batch,
    configuration_means.requests_per_second as requests_per_second,
    configuration_means.requests_per_slot as requests_per_slot,
    cast(
        last_value(configuration_means.median_itl_ms) over before as double
    ) as lower_median_itl_ms,
    cast(
        last_value(configuration_means.p90_itl_ms) over before as double
    ) as lower_p90_itl_ms,
    cast(
        last_value(configuration_means.p95_itl_ms) over before as double
    ) as lower_p95_itl_ms,
    cast(
        last_value(configuration_means.p99_itl_ms) over before as double
    ) as lower_p99_itl_ms,
    cast(
        last_value(configuration_means.tokens_per_second) over before as double
    ) as lower_tokens_per_second,
    cast(
        last_value(configuration_means.power_watts) over before as double
    ) as lower_power_watts,
    cast(
        last_value(configuration_means.avg_running_batch) over before as double
    ) as lower_avg_running_batch,
    cast(
        last_value(configuration_means.requests_per_second) over before as double
    ) as lower_requests_per_second,
    cast(
        last_value(configuration_means.requests_per_slot) over before as double
    ) as lower_requests_per_slot,
    cast(
        max(configuration_means.tokens_per_second) over before as double
    ) as reached_tokens_per_second,
    cast(
        max(configuration_means.requests_per_second) over before as double
    ) as reached_requests_per_second,
    configuration_means.source as source,
    configuration_means.row_id as row_id,
    cast(
        last_value(configuration_means.row_id) over before as text
    ) as lower_row_id,
    configuration_means.tensor_parallel as tensor_parallel,
    configuration_means.data_parallel as data_parallel,
    configuration_means.expert_parallel as expert_parallel,
    cast(
        coalesce(
            first_value(configuration_means.configuration_id) over before,
            configuration_means.configuration_id
        )
        as bigint
    ) as series_id,
    configuration_means.configuration_id as configuration_id
from configuration_means
where configuration_means.avg_running_batch is not null
    and configuration_means.unstable_reason is null
window before as (
    partition by
        configuration_means.task,
        configuration_means.model,
        configuration_means.gpu,
        configuration_means.source,
        configuration_means.num_gpus,
        configuration_means.tensor_parallel,
        configuration_means.data_parallel,
        configuration_means.expert_parallel,
        configuration_means.precision
    order by configuration_means.avg_running_batch, configuration_means.configuration_id
    rows between unbounded preceding and 1 preceding
);
