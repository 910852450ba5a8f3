create view video_energy as
-- Every measured configuration that makes videos, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, video size, frames, frames per second,
-- number of inference steps, degrees of parallelism, source and repeat. row_id is unique within a
-- task, and has a - for a value that the source does not report. Wh per video is joules per video /
-- 3600. Columns that begin with derived_ are computed, not measured: energy at another size or length
-- need not be in proportion. Those that need the number of frames are null if it is not reported.
select
    diffusion_energy.task as task,
    diffusion_energy.model as model,
    diffusion_energy.gpu as gpu,
    diffusion_energy.num_gpus as num_gpus,
    diffusion_energy.precision as precision,
    diffusion_energy.batch_size as batch_size,
    diffusion_energy.width_pixels as width_pixels,
    diffusion_energy.height_pixels as height_pixels,
    diffusion_energy.num_frames as num_frames,
    diffusion_energy.frames_per_second as frames_per_second,
    diffusion_energy.inference_steps as inference_steps,
    diffusion_energy.wh_per_output as wh_per_video,
    diffusion_energy.joules_per_output as joules_per_video,
    diffusion_energy.batch_latency_s as batch_latency_s,
    diffusion_energy.outputs_per_second as videos_per_second,
    diffusion_energy.power_watts as power_watts,
    cast(
        diffusion_energy.wh_per_output / diffusion_energy.num_frames as double
    ) as derived_wh_per_frame,
    cast(
        diffusion_energy.wh_per_output * diffusion_energy.frames_per_second
        / diffusion_energy.num_frames
        as double
    ) as derived_wh_per_second_of_video,
    cast(
        diffusion_energy.wh_per_output * 1e6
        / (diffusion_energy.width_pixels * diffusion_energy.height_pixels)
        / diffusion_energy.num_frames
        as double
    ) as derived_wh_per_megapixel,
    diffusion_energy.source as source,
    diffusion_energy.row_id as row_id,
    diffusion_energy.model_name as model_name,
    diffusion_energy.hugging_face_id as hugging_face_id,
    diffusion_energy.params_b as params_b,
    diffusion_energy.active_params_b as active_params_b,
    diffusion_energy.architecture as architecture,
    diffusion_energy.ulysses_degree as ulysses_degree,
    diffusion_energy.ring_degree as ring_degree,
    diffusion_energy.repeat as repeat,
    diffusion_energy.diffusion_configuration_id as video_configuration_id
from diffusion_energy
where diffusion_energy.output = 'videos';
