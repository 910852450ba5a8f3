create view video_energy as
-- Every measured configuration that makes videos, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, video size, frames, frames per second,
-- number of inference steps, degrees of parallelism and repeat. row_id is unique within a task; a -
-- in it is what the source does not say. Wh per video is joules per video / 3600. What begins with
-- derived_ is computed from figures, not measured, and null where the source does not say how many
-- frames: energy at another size or length need not be in proportion.
select
    video_configurations.video_configuration_id as video_configuration_id,
    tasks.task as task,
    models.model as model,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    gpus.gpu as gpu,
    video_configurations.num_gpus as num_gpus,
    video_configurations.ulysses_degree as ulysses_degree,
    video_configurations.ring_degree as ring_degree,
    precisions.precision as precision,
    video_configurations.batch_size as batch_size,
    video_configurations.width_pixels as width_pixels,
    video_configurations.height_pixels as height_pixels,
    video_configurations.num_frames as num_frames,
    video_configurations.frames_per_second as frames_per_second,
    video_configurations.inference_steps as inference_steps,
    video_configurations.repeat as repeat,
    models.model || '/' || gpus.gpu || '/' || video_configurations.num_gpus
        || '/' || video_configurations.batch_size
        || '/' || video_configurations.width_pixels || 'x' || video_configurations.height_pixels
        || '/' || case
            when video_configurations.num_frames is null then '-'
            else '' || video_configurations.num_frames
        end
        || '@' || case
            when video_configurations.frames_per_second is null then '-'
            else '' || video_configurations.frames_per_second
        end
        || '/' || video_configurations.inference_steps
        || '/u' || video_configurations.ulysses_degree || 'r' || video_configurations.ring_degree
        || case
            when video_configurations.repeat > 1 then '/r' || video_configurations.repeat
            else ''
        end
        as row_id,
    video_configurations.batch_latency_s as batch_latency_s,
    video_configurations.videos_per_second as videos_per_second,
    video_configurations.power_watts as power_watts,
    video_configurations.joules_per_video as joules_per_video,
    video_configurations.joules_per_video / 3600.0 as wh_per_video,
    video_configurations.joules_per_video / 3600.0 / video_configurations.num_frames
        as derived_wh_per_frame,
    video_configurations.joules_per_video / 3600.0 * video_configurations.frames_per_second
        / video_configurations.num_frames as derived_wh_per_second_of_video,
    video_configurations.joules_per_video / 3600.0 * 1e6
        / (video_configurations.width_pixels * video_configurations.height_pixels)
        / video_configurations.num_frames as derived_wh_per_megapixel
from video_configurations
join tasks on tasks.task_id = video_configurations.task_id
join models on models.model_id = video_configurations.model_id
join gpus on gpus.gpu_id = video_configurations.gpu_id
join precisions on precisions.precision_id = video_configurations.precision_id;
