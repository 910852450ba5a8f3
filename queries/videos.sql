-- Every measured configuration that makes videos, with all its figures.
--
-- Latency is that of a whole batch, in seconds. Energy is in joules and Wh per video. Power
-- (watts) and videos per second are of the whole configuration: all its GPUs together. Columns
-- that begin with derived_ are computed, not measured. Rows are in the order of model, GPU,
-- number of GPUs, size, steps and batch size.
--
-- :task   video_task  workload that makes videos
-- :model  model       model: slug, name or Hugging Face id
-- :gpu    gpu         GPU, such as B200
-- :source  source      source of the figures, such as published
-- important: model, gpu, num_gpus, width_pixels, height_pixels, inference_steps, num_frames
-- important: batch_size, wh_per_video, batch_latency_s
--
-- example: --task text-to-video
--   every measurement of videos made from text
-- example: --task text-to-video --gpu B200 --sort wh_per_video --limit 5
--   the five with the least energy on B200
select *
from video_energy
where task = :task
    and (:model is null or model = :model)
    and (:gpu is null or gpu = :gpu)
    and (:source is null or source = :source)
order by
    model, gpu, num_gpus, width_pixels, height_pixels, inference_steps, batch_size,
    video_configuration_id;
