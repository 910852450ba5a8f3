-- Every measured configuration that makes images, with all its figures.
--
-- Latency is that of a whole batch, in seconds. Energy is in joules and Wh per image. Power
-- (watts) and images per second are of the whole configuration: all its GPUs together. Columns
-- that begin with derived_ are computed, not measured. Rows are in the order of model, GPU,
-- number of GPUs, size, steps and batch size.
--
-- :task   image_task  workload that makes images
-- :model  model       model: slug, name or Hugging Face id
-- :gpu    gpu         GPU, such as B200
-- :source  source      source of the figures, such as published
-- important: model, gpu, num_gpus, width_pixels, height_pixels, inference_steps, batch_size
-- important: wh_per_image, batch_latency_s
--
-- example:
--   every measurement of images
-- example: --gpu B200 --sort wh_per_image --limit 5
--   the five with the least energy on B200
select *
from image_energy
where task = :task
    and (:model is null or model = :model)
    and (:gpu is null or gpu = :gpu)
    and (:source is null or source = :source)
order by
    model, gpu, num_gpus, width_pixels, height_pixels, inference_steps, batch_size,
    image_configuration_id;
