create view video_energy as
-- Every measured configuration that makes videos, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, video size, frames, frames per second,
-- number of inference steps, degrees of parallelism, source and repeat. row_id is unique within a
-- task, and has a - for a value that the source does not report. Wh per video is joules per video /
-- 3600. Columns that begin with derived_ are computed, not measured: energy at another size or length
-- need not be in proportion. Those that need the number of frames are null if it is not reported.
select
    task, model, gpu, num_gpus, precision, batch_size, width_pixels, height_pixels, num_frames,
    frames_per_second, inference_steps, wh_per_output as wh_per_video,
    joules_per_output as joules_per_video, batch_latency_s, outputs_per_second as videos_per_second,
    power_watts,
    cast(wh_per_output / num_frames as double) as derived_wh_per_frame,
    cast(wh_per_output * frames_per_second / num_frames as double)
        as derived_wh_per_second_of_video,
    cast(wh_per_output * 1e6 / (width_pixels * height_pixels) / num_frames as double)
        as derived_wh_per_megapixel,
    source, row_id, model_name, hugging_face_id, params_b, active_params_b, architecture,
    ulysses_degree, ring_degree, repeat, diffusion_configuration_id as video_configuration_id
from diffusion_energy
where output = 'videos';
