-- The configurations that the published documents of images call the best of their setting.
--
-- They have the lowest energy of each model, GPU, size and number of inference steps within the
-- release's default deadline.
--
-- :task   image_task  workload that makes images
-- :model  model       model: slug, name or Hugging Face id
--
-- example:
--   the rows that documents of images call best
-- example: --limit 5
--   the first five of them
select model as slug, gpu, row_id
from best_images
where task = :task
    and source = 'published'
    and (:model is null or model = :model)
order by model, gpu, row_id;
