-- Every configuration that makes videos, with the column names of the published documents.
--
-- under_batch_deadline is true if a batch takes at most the release's default deadline, in
-- seconds. Columns that begin with derived_ are computed, not measured.
--
-- :task   video_task  workload that makes videos
-- :model  model       model: slug, name or Hugging Face id
--
-- example: --task text-to-video
--   the rows of the documents of videos
-- example: --task text-to-video --limit 5
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
    num_frames,
    frames_per_second,
    inference_steps,
    joules_per_video,
    wh_per_video,
    batch_latency_s,
    videos_per_second,
    power_watts as gpu_power_watts_total,
    batch_latency_s <= release.video_deadline_s as under_batch_deadline,
    derived_wh_per_frame,
    derived_wh_per_second_of_video,
    derived_wh_per_megapixel,
    row_id,
    repeat
from video_energy
cross join release
where task = :task
    and source = 'published'
    and (:model is null or model = :model)
order by
    gpu, num_gpus, width_pixels, height_pixels, num_frames, inference_steps, batch_size,
    video_configuration_id;
