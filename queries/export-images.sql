-- Every configuration of one model or all that makes images, named as in the published documents.
--
-- under_batch_deadline is whether a batch takes at most the release's default deadline, in seconds.
-- What begins with derived_ is computed and not measured.
--
-- :task   image_task  workload that makes images
-- :model  model       model: slug, name or Hugging Face id
select
    image_energy.gpu as gpu,
    image_energy.num_gpus as num_gpus,
    image_energy.ulysses_degree as ulysses_degree,
    image_energy.ring_degree as ring_degree,
    image_energy.precision as precision,
    image_energy.batch_size as batch_size,
    image_energy.width_pixels as width_pixels,
    image_energy.height_pixels as height_pixels,
    image_energy.inference_steps as inference_steps,
    image_energy.joules_per_image as joules_per_image,
    image_energy.wh_per_image as wh_per_image,
    image_energy.batch_latency_s as batch_latency_s,
    image_energy.images_per_second as images_per_second,
    image_energy.power_watts as gpu_power_watts_total,
    case when image_energy.batch_latency_s <= release.image_deadline_s then 1 else 0 end
        as under_batch_deadline,
    image_energy.derived_wh_per_megapixel as derived_wh_per_megapixel,
    image_energy.row_id as row_id,
    image_energy.repeat as repeat
from image_energy
cross join release
where image_energy.task = :task
    and (:model is null or image_energy.model = :model)
order by
    image_energy.gpu,
    image_energy.num_gpus,
    image_energy.width_pixels,
    image_energy.height_pixels,
    image_energy.inference_steps,
    image_energy.batch_size,
    image_energy.image_configuration_id;
