create view best_videos as
-- The lowest-energy configuration of each task, model, GPU, source, video size, number of inference
-- steps and number of frames whose batch latency meets the release's default deadline of videos. There
-- is no row if none meets it. Energy at different sizes, steps and lengths cannot be compared. If
-- energies are equal, the lower batch latency wins, then the configuration measured first.
select
    video_energy.task as task,
    video_energy.model as model,
    video_energy.gpu as gpu,
    video_energy.num_gpus as num_gpus,
    video_energy.precision as precision,
    video_energy.batch_size as batch_size,
    video_energy.width_pixels as width_pixels,
    video_energy.height_pixels as height_pixels,
    video_energy.num_frames as num_frames,
    video_energy.frames_per_second as frames_per_second,
    video_energy.inference_steps as inference_steps,
    release.video_deadline_s as deadline_s,
    video_energy.wh_per_video as wh_per_video,
    video_energy.joules_per_video as joules_per_video,
    video_energy.batch_latency_s as batch_latency_s,
    video_energy.videos_per_second as videos_per_second,
    video_energy.power_watts as power_watts,
    video_energy.derived_wh_per_frame as derived_wh_per_frame,
    video_energy.derived_wh_per_second_of_video as derived_wh_per_second_of_video,
    video_energy.derived_wh_per_megapixel as derived_wh_per_megapixel,
    video_energy.source as source,
    video_energy.row_id as row_id,
    video_energy.model_name as model_name,
    video_energy.ulysses_degree as ulysses_degree,
    video_energy.ring_degree as ring_degree,
    video_energy.repeat as repeat,
    video_energy.video_configuration_id as video_configuration_id
from video_energy
cross join release
where video_energy.video_configuration_id in (
    select (
        select candidates.diffusion_configuration_id
        from diffusion_configurations as candidates
        where candidates.task_id = settings.task_id
            and candidates.model_id = settings.model_id
            and candidates.gpu_id = settings.gpu_id
            and candidates.source_id = settings.source_id
            and candidates.height_pixels = settings.height_pixels
            and candidates.width_pixels = settings.width_pixels
            and candidates.inference_steps = settings.inference_steps
            and coalesce(candidates.num_frames, 0) = settings.num_frames
            and candidates.batch_latency_s <= deadline.video_deadline_s
        order by
            candidates.joules_per_output,
            candidates.batch_latency_s,
            candidates.diffusion_configuration_id
        limit 1
    )
    from release as deadline
    cross join (
        select distinct
            diffusion_configurations.task_id as task_id,
            diffusion_configurations.model_id as model_id,
            diffusion_configurations.gpu_id as gpu_id,
            diffusion_configurations.source_id as source_id,
            diffusion_configurations.height_pixels as height_pixels,
            diffusion_configurations.width_pixels as width_pixels,
            diffusion_configurations.inference_steps as inference_steps,
            coalesce(diffusion_configurations.num_frames, 0) as num_frames
        from diffusion_configurations
    ) as settings
);
