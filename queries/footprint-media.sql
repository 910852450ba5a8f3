-- Energy, cost and CO2e of a number of images or videos, at the lowest energy within a deadline.
--
-- Images or videos of different sizes, lengths or numbers of inference steps cannot be compared,
-- so each of these settings has its own row. Without --deadline-s, the release's default deadline
-- applies. The row shows the configuration with the lowest energy. Rows are in the order of kwh.
--
-- Columns:
--   - wh_per_output: as measured, of the GPUs only
--   - kwh and the columns after it: multiplied by pue (power usage
--     effectiveness)
--   - kwh_per_thousand: energy of a thousand images or videos
--   - kwh_per_day: energy of all users, who each make outputs_per_user a
--     day. Empty without users.
--
-- Rent is of the GPUs while they work. Money and CO2e are empty unless you give their rates.
--
-- :task              media_task                     workload that makes images or videos
-- :model             model                          model: slug, name or Hugging Face id
-- :gpu               gpu                            GPU, such as B200
-- :source            source                         source of the figures, such as published
-- :deadline_s        real above 0                   highest latency of a batch, seconds
-- :inference_steps   integer from 1                 only this number of inference steps
-- :outputs           integer from 1 up to 1e15 = 1  number of images or videos
-- :users             integer from 1 up to 1e12      number of users
-- :outputs_per_user  real above 0 up to 1e9 = 1     images or videos per user and day
-- :usd_per_kwh       real from 0 up to 1e6          price of electricity, USD per kWh
-- :usd_per_gpu_hour  real from 0 up to 1e6          rent of a GPU, USD per hour
-- :gco2_per_kwh      real from 0 up to 1e6          CO2e of electricity, g per kWh
-- :pue               real from 1 up to 100 = 1      PUE: energy of the facility / of its machines
-- important: model, gpu, width_pixels, wh_per_output, kwh, electricity_usd, co2e_kg, kwh_per_day
--
-- alias: --images :outputs
-- alias: --videos :outputs
-- alias: --deadline :deadline_s
-- alias: --steps :inference_steps
-- example: --task text-to-image --images 1M --usd-per-kwh 0.12 --gco2-per-kwh 400
--   the energy, cost and CO2e of a million images
-- example: --task text-to-video --gpu B200 --videos 1000 --pue 1.2
--   the energy of a thousand videos on B200, including the data center
with asked as materialized (
    select
        coalesce(
            :deadline_s,
            case tasks.output
                when 'images' then release.image_deadline_s
                else release.video_deadline_s
            end
        ) as deadline_s
    from tasks
    cross join release
    where tasks.task = :task
),

ranked as (
    select
        diffusion_energy.*,
        asked.deadline_s as deadline_s,
        joules_per_output / 3.6e6 * :pue as kwh_per_output,
        num_gpus / outputs_per_second / 3600.0 as gpu_hours_per_output,
        row_number() over (
            partition by model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames
            order by joules_per_output, batch_latency_s, diffusion_configuration_id
        ) as place
    from diffusion_energy
    cross join asked
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:inference_steps is null or inference_steps = :inference_steps)
        and batch_latency_s <= asked.deadline_s
)

select
    model,
    gpu,
    width_pixels,
    height_pixels,
    num_frames,
    inference_steps,
    num_gpus,
    batch_size,
    deadline_s,
    batch_latency_s,
    wh_per_output,
    :pue as pue,
    :outputs as outputs,
    kwh_per_output * :outputs as kwh,
    kwh_per_output * :outputs * :usd_per_kwh as electricity_usd,
    gpu_hours_per_output * :outputs as gpu_hours,
    gpu_hours_per_output * :outputs * :usd_per_gpu_hour as rent_usd,
    (kwh_per_output * :usd_per_kwh + gpu_hours_per_output * :usd_per_gpu_hour) * :outputs as usd,
    kwh_per_output * :outputs / 1000.0 * :gco2_per_kwh as co2e_kg,
    kwh_per_output * 1000.0 as kwh_per_thousand,
    kwh_per_output * :users * :outputs_per_user as kwh_per_day,
    source,
    row_id
from ranked
where place = 1
order by width_pixels, height_pixels, num_frames, kwh, row_id;
