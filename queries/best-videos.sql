-- The lowest-energy way to make videos on each GPU within a batch latency, per model and setting.
--
-- Energy is Wh per video: joules per video / 3600. A configuration meets the deadline when a whole
-- batch takes at most deadline_s seconds. Videos of different sizes or numbers of frames, or made in
-- different numbers of inference steps, do not compare, so there is one row for each model, GPU,
-- size, number of steps and number of frames. What begins with derived_ is computed and not
-- measured: energy need not be in proportion to size or length. Limits may be given in any
-- combination; power (watts) and videos per second are of the whole configuration, all its GPUs
-- together. Equal energies go to the lower latency, then to the first measured.
--
-- :task                   video_task          workload that makes videos
-- :model                  model               model: slug, name or Hugging Face id
-- :gpu                    gpu                 GPU, such as B200
-- :deadline_s             real above 0 = 300  highest latency of a batch, seconds
-- :max_gpus               integer from 1      highest number of GPUs
-- :min_videos_per_second  real above 0        lowest throughput, videos per second
-- :max_power_watts        real above 0        highest power, watts
-- :inference_steps        integer from 1      this number of inference steps only
-- :num_frames             integer from 1      this number of frames only
-- caption: batch latency at most :deadline_s s
with ranked as (
    select
        video_energy.video_configuration_id as video_configuration_id,
        row_number() over (
            partition by
                video_energy.model,
                video_energy.gpu,
                video_energy.width_pixels,
                video_energy.height_pixels,
                video_energy.inference_steps,
                video_energy.num_frames
            order by
                video_energy.joules_per_video,
                video_energy.batch_latency_s,
                video_energy.video_configuration_id
        ) as place
    from video_energy
    where video_energy.task = :task
        and (:model is null or video_energy.model = :model)
        and (:gpu is null or video_energy.gpu = :gpu)
        and video_energy.batch_latency_s <= :deadline_s
        and (:max_gpus is null or video_energy.num_gpus <= :max_gpus)
        and (
            :min_videos_per_second is null
            or video_energy.videos_per_second >= :min_videos_per_second
        )
        and (:max_power_watts is null or video_energy.power_watts <= :max_power_watts)
        and (:inference_steps is null or video_energy.inference_steps = :inference_steps)
        and (:num_frames is null or video_energy.num_frames = :num_frames)
)

select
    video_energy.model as model,
    video_energy.gpu as gpu,
    video_energy.width_pixels as width_pixels,
    video_energy.height_pixels as height_pixels,
    video_energy.num_frames as num_frames,
    video_energy.frames_per_second as frames_per_second,
    video_energy.inference_steps as inference_steps,
    video_energy.num_gpus as num_gpus,
    video_energy.batch_size as batch_size,
    video_energy.wh_per_video as wh_per_video,
    :deadline_s as deadline_s,
    video_energy.batch_latency_s as batch_latency_s,
    video_energy.videos_per_second as videos_per_second,
    video_energy.power_watts as power_watts,
    video_energy.derived_wh_per_frame as derived_wh_per_frame,
    video_energy.derived_wh_per_second_of_video as derived_wh_per_second_of_video,
    video_energy.derived_wh_per_megapixel as derived_wh_per_megapixel,
    video_energy.row_id as row_id
from ranked
join video_energy on video_energy.video_configuration_id = ranked.video_configuration_id
where ranked.place = 1
order by
    video_energy.width_pixels,
    video_energy.height_pixels,
    video_energy.num_frames,
    video_energy.joules_per_video,
    video_energy.video_configuration_id;
