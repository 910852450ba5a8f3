-- The configurations that were measured more than once, with the spread of their measurements.
--
-- The row shows the lowest, mean and highest energy (Wh per million output tokens) and
-- inter-token latency (ITL, ms) of all measurements of one configuration. The spread is highest -
-- lowest, and in percent it is divided by the mean. row_id is that of the first measurement.
--
-- A measurement with more requests is better evidence. fewest_requests and most_requests are the
-- numbers of requests of the smallest and the largest measurement.
-- most_requests_wh_per_million_output_tokens and most_requests_row_id are those of the largest.
-- They are empty if the source does not report the requests of every measurement.
--
-- :task        text_task                           workload that makes text
-- :model       model                               model: slug, name or Hugging Face id
-- :gpu         gpu                                 GPU, such as B200
-- :source      source                              source of the figures, such as published
-- :percentile  one of median|p90|p95|p99 = median  percentile of the latency between tokens
--
-- no rows: no configuration was measured more than once
--
-- example:
--   what was measured more than once, and how much the results differ
-- example: --percentile p99
--   the same, with the spread of the p99
with measurements as (
    select
        configuration_latencies.*,
        output_lengths.requests as requests,
        count(*) over same as measurements,
        count(output_lengths.requests) over same as sized,
        row_number() over (same order by configuration_id) as place,
        row_number() over (same order by output_lengths.requests desc, configuration_id)
            as place_of_size
    from configuration_latencies
    left join output_lengths using (configuration_id)
    where task = :task
        and percentile = :percentile
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        -- repeat counts the rows with the same key. Without a second row, nothing was measured twice.
        and configuration_id in (
            select one.configuration_id
            from configurations as again
            join configurations as one
                using (task_id, model_id, gpu_id, num_gpus, max_num_seqs, source_id)
            where again.repeat > 1
        )
    window same as (
        partition by
            model, gpu, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision,
            max_num_seqs, source
    )
),

repeated as (
    select
        model,
        gpu,
        source,
        num_gpus,
        max_num_seqs,
        measurements,
        min(wh_per_million_output_tokens) as lowest_wh,
        avg(wh_per_million_output_tokens) as mean_wh,
        max(wh_per_million_output_tokens) as highest_wh,
        min(itl_ms) as lowest_itl_ms,
        avg(itl_ms) as mean_itl_ms,
        max(itl_ms) as highest_itl_ms,
        min(case when sized = measurements then requests end) as fewest_requests,
        max(case when sized = measurements then requests end) as most_requests,
        max(
            case
                when sized = measurements and place_of_size = 1 then wh_per_million_output_tokens
            end
        ) as most_requests_wh_per_million_output_tokens,
        max(case when sized = measurements and place_of_size = 1 then row_id end)
            as most_requests_row_id,
        max(case when place = 1 then row_id end) as row_id,
        min(configuration_id) as configuration_id
    from measurements
    where measurements > 1
    group by
        model, gpu, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision,
        max_num_seqs, source
)

select
    model,
    gpu,
    num_gpus,
    max_num_seqs,
    measurements,
    lowest_wh as lowest_wh_per_million_output_tokens,
    mean_wh as mean_wh_per_million_output_tokens,
    highest_wh as highest_wh_per_million_output_tokens,
    highest_wh - lowest_wh as spread_wh_per_million_output_tokens,
    (highest_wh - lowest_wh) / mean_wh * 100.0 as energy_spread_percent,
    :percentile as percentile,
    lowest_itl_ms,
    mean_itl_ms,
    highest_itl_ms,
    highest_itl_ms - lowest_itl_ms as spread_itl_ms,
    (highest_itl_ms - lowest_itl_ms) / mean_itl_ms * 100.0 as itl_spread_percent,
    fewest_requests,
    most_requests,
    most_requests_wh_per_million_output_tokens,
    most_requests_row_id,
    source,
    row_id
from repeated
order by model, gpu, num_gpus, max_num_seqs, source, configuration_id;
