create view best_images as
-- The lowest-energy configuration of each task, model, GPU, source, image size and number of inference
-- steps whose batch latency meets the release's default deadline of images. There is no row if none
-- meets it. Energy at different sizes and steps cannot be compared. If energies are equal, the lower
-- batch latency wins, then the configuration measured first.
select
    image_energy.task as task,
    image_energy.model as model,
    image_energy.gpu as gpu,
    image_energy.num_gpus as num_gpus,
    image_energy.precision as precision,
    image_energy.batch_size as batch_size,
    image_energy.width_pixels as width_pixels,
    image_energy.height_pixels as height_pixels,
    image_energy.inference_steps as inference_steps,
    release.image_deadline_s as deadline_s,
    image_energy.wh_per_image as wh_per_image,
    image_energy.joules_per_image as joules_per_image,
    image_energy.batch_latency_s as batch_latency_s,
    image_energy.images_per_second as images_per_second,
    image_energy.power_watts as power_watts,
    image_energy.derived_wh_per_megapixel as derived_wh_per_megapixel,
    image_energy.source as source,
    image_energy.row_id as row_id,
    image_energy.model_name as model_name,
    image_energy.ulysses_degree as ulysses_degree,
    image_energy.ring_degree as ring_degree,
    image_energy.repeat as repeat,
    image_energy.image_configuration_id as image_configuration_id
from image_energy
cross join release
where image_energy.image_configuration_id in (
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
            and candidates.batch_latency_s <= deadline.image_deadline_s
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
