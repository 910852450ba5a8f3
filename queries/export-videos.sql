-- Every configuration of one model or all that makes videos, named as in the published documents.
--
-- under_batch_deadline is whether a batch takes at most the release's default deadline, in seconds.
-- What begins with derived_ is computed and not measured.
--
-- :task   video_task  workload that makes videos
-- :model  model       model: slug, name or Hugging Face id
select
    video_energy.gpu as gpu,
    video_energy.num_gpus as num_gpus,
    video_energy.ulysses_degree as ulysses_degree,
    video_energy.ring_degree as ring_degree,
    video_energy.precision as precision,
    video_energy.batch_size as batch_size,
    video_energy.width_pixels as width_pixels,
    video_energy.height_pixels as height_pixels,
    video_energy.num_frames as num_frames,
    video_energy.frames_per_second as frames_per_second,
    video_energy.inference_steps as inference_steps,
    video_energy.joules_per_video as joules_per_video,
    video_energy.wh_per_video as wh_per_video,
    video_energy.batch_latency_s as batch_latency_s,
    video_energy.videos_per_second as videos_per_second,
    video_energy.power_watts as gpu_power_watts_total,
    case when video_energy.batch_latency_s <= release.video_deadline_s then 1 else 0 end
        as under_batch_deadline,
    video_energy.derived_wh_per_frame as derived_wh_per_frame,
    video_energy.derived_wh_per_second_of_video as derived_wh_per_second_of_video,
    video_energy.derived_wh_per_megapixel as derived_wh_per_megapixel,
    video_energy.row_id as row_id,
    video_energy.repeat as repeat
from video_energy
cross join release
where video_energy.task = :task
    and (:model is null or video_energy.model = :model)
order by
    video_energy.gpu,
    video_energy.num_gpus,
    video_energy.width_pixels,
    video_energy.height_pixels,
    video_energy.num_frames,
    video_energy.inference_steps,
    video_energy.batch_size,
    video_energy.video_configuration_id;
