-- The lowest-energy way to make videos on each GPU within a batch latency, per model and setting.
--
-- Energy is Wh per video: joules per video / 3600. A configuration meets the deadline if a whole
-- batch takes at most deadline_s seconds. Videos of different sizes, numbers of frames or numbers
-- of inference steps cannot be compared, so each of these settings has its own row.
--
-- You can combine all limits. Power (watts) and videos per second are of the whole configuration:
-- all its GPUs together. Columns that begin with derived_ are computed, not measured: energy need
-- not be in proportion to size or length. If energies are equal, the lower latency wins, then the
-- one measured first.
--
-- :task                   video_task                               workload that makes videos
-- :model                  model                                    model: slug, name or Hugging Face id
-- :gpu                    gpu                                      GPU, such as B200
-- :source                 source                                   source of the figures, such as published
-- :deadline_s             real above 0 = release.video_deadline_s  highest latency of a batch, seconds
-- :max_gpus               integer from 1                           highest number of GPUs
-- :min_videos_per_second  real above 0                             lowest throughput, videos per second
-- :max_power_watts        real above 0                             highest power, watts
-- :inference_steps        integer from 1                           only this number of inference steps
-- :num_frames             integer from 1                           only this number of frames
-- caption: batch latency at most :deadline_s s
--
-- alias: --deadline :deadline_s
-- alias: --steps :inference_steps
-- alias: --frames :num_frames
-- alias: --max-power :max_power_watts
-- example: --task text-to-video
--   the least energy of each video model, size and length
-- example: --task text-to-video --gpu B200 --deadline-s 600
--   what makes a batch of videos within ten minutes on B200
with ranked as (
    select
        *,
        row_number() over (
            partition by
                model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames
            order by joules_per_video, batch_latency_s, video_configuration_id
        ) as place
    from video_energy
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and batch_latency_s <= :deadline_s
        and (:max_gpus is null or num_gpus <= :max_gpus)
        and (:min_videos_per_second is null or videos_per_second >= :min_videos_per_second)
        and (:max_power_watts is null or power_watts <= :max_power_watts)
        and (:inference_steps is null or inference_steps = :inference_steps)
        and (:num_frames is null or num_frames = :num_frames)
)

select
    model,
    gpu,
    width_pixels,
    height_pixels,
    num_frames,
    frames_per_second,
    inference_steps,
    num_gpus,
    batch_size,
    wh_per_video,
    :deadline_s as deadline_s,
    batch_latency_s,
    videos_per_second,
    power_watts,
    derived_wh_per_frame,
    derived_wh_per_second_of_video,
    derived_wh_per_megapixel,
    source,
    row_id
from ranked
where place = 1
order by width_pixels, height_pixels, num_frames, joules_per_video, video_configuration_id;
