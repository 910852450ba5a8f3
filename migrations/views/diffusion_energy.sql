create view diffusion_energy as
-- Every measured configuration that makes images or videos, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, image or video size, frames, frames per
-- second, number of inference steps, degrees of parallelism, source and repeat. row_id is unique
-- within a task, and has a - for a value that the source does not report. output says whether the task
-- makes images or videos. Energy is per image or video: Wh is joules / 3600. image_energy and
-- video_energy show each kind with its own column names.
select
    task, model, gpu, num_gpus, precision, batch_size, output, width_pixels, height_pixels,
    num_frames, frames_per_second, inference_steps,
    cast(joules_per_output / 3600.0 as double) as wh_per_output,
    joules_per_output, batch_latency_s, outputs_per_second, power_watts, source,
    cast(
        case when source = 'published' then '' else source || ':' end
        || model || '/' || gpu || '/' || num_gpus
        || '/' || batch_size
        || '/' || width_pixels
        || 'x' || height_pixels
        || case
            when output = 'images' then ''
            else '/' || coalesce('' || num_frames, '-')
                || '@' || coalesce('' || frames_per_second, '-')
        end
        || '/' || inference_steps
        || '/u' || ulysses_degree
        || 'r' || ring_degree
        || case when repeat > 1 then '/r' || repeat else '' end
        as text
    ) as row_id,
    model_name, hugging_face_id, params_b, active_params_b, architecture, ulysses_degree,
    ring_degree, repeat, diffusion_configuration_id
from diffusion_configurations
join tasks using (task_id)
join models using (model_id)
join gpus using (gpu_id)
join sources using (source_id)
join precisions using (precision_id);
