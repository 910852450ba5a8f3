-- Which configurations the published documents of images call the best of their setting.
--
-- The lowest energy of each model, GPU, size and number of inference steps within the release's
-- default batch latency.
--
-- :task   image_task  workload that makes images
-- :model  model       model: slug, name or Hugging Face id
select
    best_images.model as slug,
    best_images.gpu as gpu,
    best_images.row_id as row_id
from best_images
where best_images.task = :task
    and (:model is null or best_images.model = :model)
order by best_images.model, best_images.gpu, best_images.row_id;
