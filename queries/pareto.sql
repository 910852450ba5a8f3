-- The configurations that no other beats in both energy and latency.
--
-- A configuration beats another when it is at least as good in both figures and better in one.
-- Configurations that are equal in both all stay, and each measurement stands for itself.
-- The figures are energy per output token (lower is better) and, with --against itl, inter-token
-- latency (ITL) at the percentile in ms (lower is better), or, with --against throughput, output
-- tokens per second for each GPU: tokens per second / number of GPUs (higher is better).
-- --scope says which compete: those of one model and GPU, those of one model, or all that --model
-- and --gpu let through. Rows stand in the order of energy within each.
--
-- :task        text_task                           workload that makes text
-- :model       model                               model: slug, name or Hugging Face id
-- :gpu         gpu                                 GPU, such as B200
-- :percentile  one of median|p90|p95|p99 = median  which inter-token latency counts
-- :scope       one of gpu|model|all = gpu          which compete with each other
-- :against     one of itl|throughput = itl         what energy is weighed against
-- important: model, gpu, num_gpus, precision, max_num_seqs, wh_per_million_output_tokens
-- important: itl_ms
-- caption: :percentile ITL
-- picture: points of wh_per_million_output_tokens over itl_ms by gpu
with points as (
    select
        configuration_energy.configuration_id as configuration_id,
        case when :scope in ('gpu', 'model') then configuration_energy.model else '' end
            as scope_model,
        case when :scope = 'gpu' then configuration_energy.gpu else '' end as scope_gpu,
        configuration_energy.joules_per_output_token as joules_per_output_token,
        configuration_latencies.itl_ms as itl_ms,
        configuration_energy.tokens_per_second / configuration_energy.num_gpus
            as per_gpu_tokens_per_second,
        case :against
            when 'itl' then configuration_latencies.itl_ms
            else -configuration_energy.tokens_per_second / configuration_energy.num_gpus
        end as other_figure
    from configuration_energy
    join configuration_latencies
        on configuration_latencies.configuration_id = configuration_energy.configuration_id
        and configuration_latencies.percentile = :percentile
    where configuration_energy.configuration_id in (
        select configurations.configuration_id
        from configurations
        where configurations.task_id in (select task_id from tasks where task = :task)
            and configurations.model_id in (
                select model_id from models where :model is null or model = :model
            )
            and configurations.gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
    )
),

-- The best other figure among those of lower energy, and among those of the same energy.
rivals as (
    select
        points.configuration_id as configuration_id,
        points.scope_model as scope_model,
        points.scope_gpu as scope_gpu,
        points.itl_ms as itl_ms,
        points.per_gpu_tokens_per_second as per_gpu_tokens_per_second,
        points.other_figure as other_figure,
        min(points.other_figure) over (
            partition by points.scope_model, points.scope_gpu
            order by points.joules_per_output_token
            groups between unbounded preceding and 1 preceding
        ) as best_of_lower,
        min(points.other_figure) over (
            partition by points.scope_model, points.scope_gpu, points.joules_per_output_token
        ) as best_of_equal
    from points
)

select
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
    :percentile as percentile,
    rivals.itl_ms as itl_ms,
    rivals.per_gpu_tokens_per_second as per_gpu_tokens_per_second,
    configuration_energy.avg_running_batch as avg_running_batch,
    configuration_energy.row_id as row_id
from rivals
join configuration_energy on configuration_energy.configuration_id = rivals.configuration_id
where rivals.other_figure = rivals.best_of_equal
    and (rivals.best_of_lower is null or rivals.other_figure < rivals.best_of_lower)
order by
    rivals.scope_model,
    rivals.scope_gpu,
    configuration_energy.joules_per_output_token,
    configuration_energy.configuration_id;
