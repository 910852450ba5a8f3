-- The configurations that the published documents of videos call the best of their setting.
--
-- They have the lowest energy of each model, GPU, size and number of inference steps and frames
-- within the release's default deadline.
--
-- :task   video_task  workload that makes videos
-- :model  model       model: slug, name or Hugging Face id
--
-- example: --task text-to-video
--   the rows that documents of videos call best
-- example: --task text-to-video --limit 5
--   the first five of them
select model as slug, gpu, row_id
from best_videos
where task = :task
    and source = 'published'
    and (:model is null or model = :model)
order by model, gpu, row_id;
