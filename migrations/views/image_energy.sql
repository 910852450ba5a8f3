create view image_energy as
-- Every measured configuration that makes images, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, image size, number of inference steps,
-- degrees of parallelism and repeat. row_id is unique within a task. Wh per image is
-- joules per image / 3600. What begins with derived_ is computed from figures, not measured: energy
-- at another size need not be in proportion.
select
    image_configurations.image_configuration_id as image_configuration_id,
    tasks.task as task,
    models.model as model,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    gpus.gpu as gpu,
    image_configurations.num_gpus as num_gpus,
    image_configurations.ulysses_degree as ulysses_degree,
    image_configurations.ring_degree as ring_degree,
    precisions.precision as precision,
    image_configurations.batch_size as batch_size,
    image_configurations.width_pixels as width_pixels,
    image_configurations.height_pixels as height_pixels,
    image_configurations.inference_steps as inference_steps,
    image_configurations.repeat as repeat,
    models.model || '/' || gpus.gpu || '/' || image_configurations.num_gpus
        || '/' || image_configurations.batch_size
        || '/' || image_configurations.width_pixels || 'x' || image_configurations.height_pixels
        || '/' || image_configurations.inference_steps
        || '/u' || image_configurations.ulysses_degree || 'r' || image_configurations.ring_degree
        || case
            when image_configurations.repeat > 1 then '/r' || image_configurations.repeat
            else ''
        end
        as row_id,
    image_configurations.batch_latency_s as batch_latency_s,
    image_configurations.images_per_second as images_per_second,
    image_configurations.power_watts as power_watts,
    image_configurations.joules_per_image as joules_per_image,
    image_configurations.joules_per_image / 3600.0 as wh_per_image,
    image_configurations.joules_per_image / 3600.0 * 1e6
        / (image_configurations.width_pixels * image_configurations.height_pixels)
        as derived_wh_per_megapixel
from image_configurations
join tasks on tasks.task_id = image_configurations.task_id
join models on models.model_id = image_configurations.model_id
join gpus on gpus.gpu_id = image_configurations.gpu_id
join precisions on precisions.precision_id = image_configurations.precision_id;
