-- The configurations that no other beats in both energy and latency.
--
-- A configuration beats another if it is at least as good in both figures and
-- better in one. Configurations that are equal in both are all listed, and each
-- measurement counts by itself. One figure is energy per output token (lower is
-- better). --against selects the other:
--   - itl: inter-token latency (ITL) at the percentile, ms (lower is
--     better)
--   - throughput: tokens per second / number of GPUs (higher is better)
--   - request-time: the time of a request in flight (lower is better)
--
-- Only configurations of one source compete with each other. With --scope gpu, they also have the
-- same model and GPU. With --scope model, they have the same model. With --scope all, everything
-- that --model and --gpu select competes. Within each group, rows are in the order of energy.
--
-- :task                 text_task                                 workload that makes text
-- :model                model                                     model: slug, name or Hugging Face id
-- :gpu                  gpu                                       GPU, such as B200
-- :source               source                                    source of the figures, such as published
-- :percentile           one of median|p90|p95|p99 = median        percentile of the latency between tokens
-- :scope                one of gpu|model|all = gpu                which configurations compete
-- :against              one of itl|throughput|request-time = itl  figure to weigh energy against
-- :max_request_seconds  real above 0                              longest time of a request, seconds
-- :unstable             boolean = false                           include own runs that were not steady
-- important: model, gpu, num_gpus, precision, max_num_seqs, wh_per_million_output_tokens
-- important: itl_ms
-- caption: :percentile ITL
-- picture: points of wh_per_million_output_tokens over itl_ms by gpu, source
--
-- requires: :percentile_itl_ms, steady unless :unstable
-- example: --model llama-3-1-70b-instruct --gpu B200
--   the trade-off of energy and latency: what nothing else beats in both
-- example: --gpu H100 --scope all --against throughput
--   the best trade-offs of energy and throughput on H100
with points as (
    select
        *,
        tokens_per_second / num_gpus as per_gpu_tokens_per_second,
        case when :scope in ('gpu', 'model') then model else '' end as scope_model,
        case when :scope = 'gpu' then gpu else '' end as scope_gpu,
        case :against
            when 'itl' then itl_ms
            when 'throughput' then -tokens_per_second / num_gpus
            else request_seconds
        end as other_figure
    from configuration_latencies
    where task = :task
        and percentile = :percentile
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:unstable or unstable_reason is null)
        and (:max_request_seconds is null or request_seconds <= :max_request_seconds)
),

rivals as (
    select
        *,
        min(other_figure) over (
            partition by source, scope_model, scope_gpu
            order by joules_per_output_token
            groups between unbounded preceding and 1 preceding
        ) as best_of_lower,
        min(other_figure) over (
            partition by source, scope_model, scope_gpu, joules_per_output_token
        ) as best_of_equal
    from points
)

select
    model,
    gpu,
    num_gpus,
    precision,
    max_num_seqs,
    wh_per_million_output_tokens,
    percentile,
    itl_ms,
    per_gpu_tokens_per_second,
    avg_running_batch,
    ms_per_token_in_flight,
    request_seconds,
    source,
    row_id
from rivals
where other_figure = best_of_equal
    and (best_of_lower is null or other_figure < best_of_lower)
order by scope_model, scope_gpu, joules_per_output_token, configuration_id;
