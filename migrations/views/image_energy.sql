create view image_energy as
-- Every measured configuration that makes images, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, image size, number of inference steps,
-- degrees of parallelism, source and repeat. row_id is unique within a task. Wh per image is
-- joules per image / 3600. Columns that begin with derived_ are computed, not measured: energy at
-- another size need not be in proportion.
select
    task, model, gpu, num_gpus, precision, batch_size, width_pixels, height_pixels, inference_steps,
    wh_per_output as wh_per_image, joules_per_output as joules_per_image, batch_latency_s,
    outputs_per_second as images_per_second, power_watts,
    cast(wh_per_output * 1e6 / (width_pixels * height_pixels) as double)
        as derived_wh_per_megapixel,
    source, row_id, model_name, hugging_face_id, params_b, active_params_b, architecture,
    ulysses_degree, ring_degree, repeat, diffusion_configuration_id as image_configuration_id
from diffusion_energy
where output = 'images';
