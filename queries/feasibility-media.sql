-- For each model, GPU and setting of images or videos, whether any batch meets a deadline.
--
-- Images or videos of different sizes, lengths or numbers of inference steps cannot be compared,
-- so each of these settings has its own row. Without --deadline-s, the release's default deadline
-- applies. Every setting in which a model was measured has a row for every GPU.
-- fastest_batch_latency_s is the lowest measured latency of a batch, and row_id names the
-- configuration that reached it.
--
-- status is one of:
--   - meets: at least one configuration meets the deadline
--   - none meets: measured, but no configuration is fast enough
--   - no data: measured on other GPUs only
--
-- :task        media_task    workload that makes images or videos
-- :model       model         model: slug, name or Hugging Face id
-- :gpu         gpu           GPU, such as B200
-- :source      source        source of the figures, such as published
-- :deadline_s  real above 0  highest latency of a batch, seconds
-- important: model, gpu, width_pixels, height_pixels, status, fastest_batch_latency_s, batch_size
--
-- alias: --deadline :deadline_s
-- example: --task text-to-video --deadline-s 60
--   which models make a video within a minute, and on which GPU
-- example: --task text-to-image --gpu H100 --deadline-s 2
--   which models make an image on H100 within two seconds
with asked as materialized (
    select
        coalesce(
            :deadline_s,
            case tasks.output
                when 'images' then release.image_deadline_s
                else release.video_deadline_s
            end
        ) as deadline_s
    from tasks
    cross join release
    where tasks.task = :task
),

ranked as (
    select
        *,
        row_number() over (
            partition by model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames
            order by batch_latency_s, joules_per_output, diffusion_configuration_id
        ) as place
    from diffusion_energy
    where task = :task
        and (:model is null or model = :model)
        and (:source is null or source = :source)
),

settings as (
    select distinct model, source, width_pixels, height_pixels, inference_steps, num_frames
    from ranked
)

select
    settings.model as model,
    gpus.gpu as gpu,
    settings.width_pixels as width_pixels,
    settings.height_pixels as height_pixels,
    settings.num_frames as num_frames,
    settings.inference_steps as inference_steps,
    asked.deadline_s as deadline_s,
    case
        when fastest.row_id is null then 'no data'
        when fastest.batch_latency_s <= asked.deadline_s then 'meets'
        else 'none meets'
    end as status,
    fastest.batch_latency_s as fastest_batch_latency_s,
    fastest.batch_size as batch_size,
    fastest.num_gpus as num_gpus,
    settings.source as source,
    fastest.row_id as row_id
from settings
cross join gpus
cross join asked
left join ranked as fastest
    on fastest.model = settings.model
    and fastest.source = settings.source
    and fastest.gpu = gpus.gpu
    and fastest.width_pixels = settings.width_pixels
    and fastest.height_pixels = settings.height_pixels
    and fastest.inference_steps = settings.inference_steps
    and fastest.num_frames is settings.num_frames
    and fastest.place = 1
where :gpu is null or gpus.gpu = :gpu
order by
    settings.model, settings.width_pixels, settings.height_pixels, settings.num_frames,
    settings.inference_steps, gpus.gpu, settings.source;
