-- Every measured configuration that makes images, with all its figures.
--
-- Latency is that of a whole batch, in seconds; energy is joules and Wh per image; power (watts) and
-- images per second are of the whole configuration, all its GPUs together. What begins with derived_
-- is computed and not measured. Rows stand in the order of model, GPU, number of GPUs, size, steps and
-- batch size.
--
-- :task   image_task  workload that makes images
-- :model  model       model: slug, name or Hugging Face id
-- :gpu    gpu         GPU, such as B200
-- important: model, gpu, num_gpus, width_pixels, height_pixels, inference_steps, batch_size
-- important: wh_per_image, batch_latency_s
select
    image_energy.task as task,
    image_energy.model as model,
    image_energy.model_name as model_name,
    image_energy.hugging_face_id as hugging_face_id,
    image_energy.params_b as params_b,
    image_energy.active_params_b as active_params_b,
    image_energy.architecture as architecture,
    image_energy.gpu as gpu,
    image_energy.num_gpus as num_gpus,
    image_energy.ulysses_degree as ulysses_degree,
    image_energy.ring_degree as ring_degree,
    image_energy.precision as precision,
    image_energy.batch_size as batch_size,
    image_energy.width_pixels as width_pixels,
    image_energy.height_pixels as height_pixels,
    image_energy.inference_steps as inference_steps,
    image_energy.repeat as repeat,
    image_energy.row_id as row_id,
    image_energy.batch_latency_s as batch_latency_s,
    image_energy.images_per_second as images_per_second,
    image_energy.power_watts as power_watts,
    image_energy.joules_per_image as joules_per_image,
    image_energy.wh_per_image as wh_per_image,
    image_energy.derived_wh_per_megapixel as derived_wh_per_megapixel
from image_energy
where image_energy.task = :task
    and (:model is null or image_energy.model = :model)
    and (:gpu is null or image_energy.gpu = :gpu)
order by
    image_energy.model,
    image_energy.gpu,
    image_energy.num_gpus,
    image_energy.width_pixels,
    image_energy.height_pixels,
    image_energy.inference_steps,
    image_energy.batch_size,
    image_energy.image_configuration_id;
