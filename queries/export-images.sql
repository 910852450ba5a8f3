-- Every configuration that makes images, with the column names of the published documents.
--
-- under_batch_deadline is true if a batch takes at most the release's default deadline, in
-- seconds. Columns that begin with derived_ are computed, not measured.
--
-- :task   image_task  workload that makes images
-- :model  model       model: slug, name or Hugging Face id
--
-- example:
--   the rows of the documents of images
-- example: --limit 5
--   the first five of them
select
    gpu,
    num_gpus,
    ulysses_degree,
    ring_degree,
    precision,
    batch_size,
    width_pixels,
    height_pixels,
    inference_steps,
    joules_per_image,
    wh_per_image,
    batch_latency_s,
    images_per_second,
    power_watts as gpu_power_watts_total,
    batch_latency_s <= release.image_deadline_s as under_batch_deadline,
    derived_wh_per_megapixel,
    row_id,
    repeat
from image_energy
cross join release
where task = :task
    and source = 'published'
    and (:model is null or model = :model)
order by
    gpu, num_gpus, width_pixels, height_pixels, inference_steps, batch_size,
    image_configuration_id;
