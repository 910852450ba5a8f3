-- The ways to make images or videos that no other beats in both energy and latency.
--
-- A configuration beats another if it is at least as good in both figures and
-- better in one. Configurations that are equal in both are all listed. One
-- figure is energy per image or video (lower is better). --against selects the
-- other:
--   - latency: the latency of a batch (lower is better)
--   - throughput: images or videos per second for each GPU (higher is
--     better)
--
-- Only configurations with the same size, length and number of inference steps compete with each
-- other. With --scope gpu, they also have the same model and GPU. With --scope model, they have
-- the same model. With --scope all, every model and GPU competes.
--
-- :task     media_task                           workload that makes images or videos
-- :model    model                                model: slug, name or Hugging Face id
-- :gpu      gpu                                  GPU, such as B200
-- :source   source                               source of the figures, such as published
-- :scope    one of gpu|model|all = gpu           which configurations compete
-- :against  one of latency|throughput = latency  figure to weigh energy against
-- important: model, gpu, width_pixels, num_gpus, batch_size, wh_per_output, batch_latency_s
--
-- picture: points of wh_per_output over batch_latency_s by gpu, source
-- example: --task text-to-image --gpu H100 --scope all
--   the best trade-offs of energy and latency on H100
-- example: --task text-to-video --gpu B200 --against throughput
--   the best trade-offs of energy and throughput on B200
with points as (
    select
        *,
        outputs_per_second / num_gpus as per_gpu_outputs_per_second,
        case when :scope in ('gpu', 'model') then model else '' end as scope_model,
        case when :scope = 'gpu' then gpu else '' end as scope_gpu,
        case :against
            when 'latency' then batch_latency_s
            else -outputs_per_second / num_gpus
        end as other_figure
    from diffusion_energy
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
),

rivals as (
    select
        *,
        min(other_figure) over (
            partition by
                source, scope_model, scope_gpu, width_pixels, height_pixels, inference_steps, num_frames
            order by joules_per_output
            groups between unbounded preceding and 1 preceding
        ) as best_of_lower,
        min(other_figure) over (
            partition by
                source, scope_model, scope_gpu, width_pixels, height_pixels, inference_steps, num_frames,
                joules_per_output
        ) as best_of_equal
    from points
)

select
    model,
    gpu,
    width_pixels,
    height_pixels,
    num_frames,
    inference_steps,
    num_gpus,
    precision,
    batch_size,
    wh_per_output,
    batch_latency_s,
    per_gpu_outputs_per_second,
    source,
    row_id
from rivals
where other_figure = best_of_equal
    and (best_of_lower is null or other_figure < best_of_lower)
order by
    width_pixels, height_pixels, num_frames, inference_steps, source, scope_model, scope_gpu,
    joules_per_output, diffusion_configuration_id;
