-- Which configurations the published documents of videos call the best of their setting.
--
-- The lowest energy of each model, GPU, size and number of inference steps and frames within the
-- release's default batch latency.
--
-- :task   video_task  workload that makes videos
-- :model  model       model: slug, name or Hugging Face id
select
    best_videos.model as slug,
    best_videos.gpu as gpu,
    best_videos.row_id as row_id
from best_videos
where best_videos.task = :task
    and (:model is null or best_videos.model = :model)
order by best_videos.model, best_videos.gpu, best_videos.row_id;
