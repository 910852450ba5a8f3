-- Every measured configuration that makes videos, with all its figures.
--
-- Latency is that of a whole batch, in seconds; energy is joules and Wh per video; power (watts) and
-- videos per second are of the whole configuration, all its GPUs together. What begins with derived_
-- is computed and not measured. Rows stand in the order of model, GPU, number of GPUs, size, steps and
-- batch size.
--
-- :task   video_task  workload that makes videos
-- :model  model       model: slug, name or Hugging Face id
-- :gpu    gpu         GPU, such as B200
-- important: model, gpu, num_gpus, width_pixels, height_pixels, inference_steps, num_frames
-- important: batch_size, wh_per_video, batch_latency_s
select
    video_energy.task as task,
    video_energy.model as model,
    video_energy.model_name as model_name,
    video_energy.hugging_face_id as hugging_face_id,
    video_energy.params_b as params_b,
    video_energy.active_params_b as active_params_b,
    video_energy.architecture as architecture,
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
    video_energy.repeat as repeat,
    video_energy.row_id as row_id,
    video_energy.batch_latency_s as batch_latency_s,
    video_energy.videos_per_second as videos_per_second,
    video_energy.power_watts as power_watts,
    video_energy.joules_per_video as joules_per_video,
    video_energy.wh_per_video as wh_per_video,
    video_energy.derived_wh_per_frame as derived_wh_per_frame,
    video_energy.derived_wh_per_second_of_video as derived_wh_per_second_of_video,
    video_energy.derived_wh_per_megapixel as derived_wh_per_megapixel
from video_energy
where video_energy.task = :task
    and (:model is null or video_energy.model = :model)
    and (:gpu is null or video_energy.gpu = :gpu)
order by
    video_energy.model,
    video_energy.gpu,
    video_energy.num_gpus,
    video_energy.width_pixels,
    video_energy.height_pixels,
    video_energy.inference_steps,
    video_energy.batch_size,
    video_energy.video_configuration_id;
