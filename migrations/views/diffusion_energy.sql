create view diffusion_energy as
-- Every measured configuration that makes images or videos, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, image or video size, frames, frames per
-- second, number of inference steps, degrees of parallelism, source and repeat. row_id is unique
-- within a task, and has a - for a value that the source does not report. output says whether the task
-- makes images or videos. Energy is per image or video: Wh is joules / 3600. image_energy and
-- video_energy show each kind with its own column names.
select
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    diffusion_configurations.num_gpus as num_gpus,
    precisions.precision as precision,
    diffusion_configurations.batch_size as batch_size,
    tasks.output as output,
    diffusion_configurations.width_pixels as width_pixels,
    diffusion_configurations.height_pixels as height_pixels,
    diffusion_configurations.num_frames as num_frames,
    diffusion_configurations.frames_per_second as frames_per_second,
    diffusion_configurations.inference_steps as inference_steps,
    cast(diffusion_configurations.joules_per_output / 3600.0 as double) as wh_per_output,
    diffusion_configurations.joules_per_output as joules_per_output,
    diffusion_configurations.batch_latency_s as batch_latency_s,
    diffusion_configurations.outputs_per_second as outputs_per_second,
    diffusion_configurations.power_watts as power_watts,
    sources.source as source,
    cast(
        case when sources.source = 'published' then '' else sources.source || ':' end
        || models.model || '/' || gpus.gpu || '/' || diffusion_configurations.num_gpus
        || '/' || diffusion_configurations.batch_size
        || '/' || diffusion_configurations.width_pixels
        || 'x' || diffusion_configurations.height_pixels
        || case
            when tasks.output = 'images' then ''
            else '/' || coalesce('' || diffusion_configurations.num_frames, '-')
                || '@' || coalesce('' || diffusion_configurations.frames_per_second, '-')
        end
        || '/' || diffusion_configurations.inference_steps
        || '/u' || diffusion_configurations.ulysses_degree
        || 'r' || diffusion_configurations.ring_degree
        || case
            when diffusion_configurations.repeat > 1 then '/r' || diffusion_configurations.repeat
            else ''
        end
        as text
    ) as row_id,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    diffusion_configurations.ulysses_degree as ulysses_degree,
    diffusion_configurations.ring_degree as ring_degree,
    diffusion_configurations.repeat as repeat,
    diffusion_configurations.diffusion_configuration_id as diffusion_configuration_id
from diffusion_configurations
join tasks on tasks.task_id = diffusion_configurations.task_id
join models on models.model_id = diffusion_configurations.model_id
join gpus on gpus.gpu_id = diffusion_configurations.gpu_id
join sources on sources.source_id = diffusion_configurations.source_id
join precisions on precisions.precision_id = diffusion_configurations.precision_id;
