create view best_images as
-- The lowest-energy configuration of each task, model, GPU, source, image size and number of inference
-- steps whose batch latency meets the release's default deadline of images. There is no row if none
-- meets it. Energy at different sizes and steps cannot be compared. If energies are equal, the lower
-- batch latency wins, then the configuration measured first.
select
    task, model, gpu, num_gpus, precision, batch_size, width_pixels, height_pixels, inference_steps,
    image_deadline_s as deadline_s, wh_per_image, joules_per_image, batch_latency_s,
    images_per_second, power_watts, derived_wh_per_megapixel, source, row_id, model_name,
    ulysses_degree, ring_degree, repeat, image_configuration_id
from image_energy
cross join release
where image_configuration_id in (
    select (
        select diffusion_configuration_id
        from diffusion_configurations as candidates
        where task_id = settings.task_id
            and model_id = settings.model_id
            and gpu_id = settings.gpu_id
            and source_id = settings.source_id
            and height_pixels = settings.height_pixels
            and width_pixels = settings.width_pixels
            and inference_steps = settings.inference_steps
            and coalesce(num_frames, 0) = settings.num_frames
            and batch_latency_s <= image_deadline_s
        order by joules_per_output, batch_latency_s, diffusion_configuration_id
        limit 1
    )
    from release
    cross join (
        select distinct
            task_id, model_id, gpu_id, source_id, height_pixels, width_pixels, inference_steps,
            coalesce(num_frames, 0) as num_frames
        from diffusion_configurations
    ) as settings
);
