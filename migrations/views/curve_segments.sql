create view curve_segments as
-- Every segment of a concurrency curve, between two neighbouring points.
-- A curve consists of the configurations that make text and differ only in max_num_seqs, in the order of
-- load. A configuration that was measured more than once is one point, at the mean of its figures. One row
-- per point: it is the upper end of a segment. Columns that begin with lower_ are the figures of the lower
-- end, and null at the first point. Columns that begin with reached_ are the highest of all points before.
-- series_id is the configuration_id of the first point. A point is left out if its load is unknown or its
-- run was not steady.
select
    task, model, gpu, num_gpus, precision, max_num_seqs, median_itl_ms, p90_itl_ms, p95_itl_ms,
    p99_itl_ms, tokens_per_second, power_watts, avg_running_batch, requests_per_second,
    requests_per_slot,
    cast(last_value(median_itl_ms) over before as double) as lower_median_itl_ms,
    cast(last_value(p90_itl_ms) over before as double) as lower_p90_itl_ms,
    cast(last_value(p95_itl_ms) over before as double) as lower_p95_itl_ms,
    cast(last_value(p99_itl_ms) over before as double) as lower_p99_itl_ms,
    cast(last_value(tokens_per_second) over before as double) as lower_tokens_per_second,
    cast(last_value(power_watts) over before as double) as lower_power_watts,
    cast(last_value(avg_running_batch) over before as double) as lower_avg_running_batch,
    cast(last_value(requests_per_second) over before as double) as lower_requests_per_second,
    cast(last_value(requests_per_slot) over before as double) as lower_requests_per_slot,
    cast(max(tokens_per_second) over before as double) as reached_tokens_per_second,
    cast(max(requests_per_second) over before as double) as reached_requests_per_second,
    source, row_id,
    cast(last_value(row_id) over before as text) as lower_row_id,
    tensor_parallel, data_parallel, expert_parallel,
    cast(coalesce(first_value(configuration_id) over before, configuration_id) as bigint )
        as series_id,
    configuration_id
from configuration_means
where avg_running_batch is not null
    and unstable_reason is null
window before as (
    partition by
        task, model, gpu, source, num_gpus, tensor_parallel, data_parallel, expert_parallel,
        precision
    order by avg_running_batch, configuration_id
    rows between unbounded preceding and 1 preceding
);
