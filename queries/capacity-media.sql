-- The most images or videos that a number of GPUs can make within a batch latency.
--
-- Images or videos of different sizes, lengths or numbers of inference steps cannot be compared,
-- so each of these settings has its own row. Without --deadline-s, the release's default deadline
-- applies.
--
-- As many replicas as fit on the GPUs run whole batches of one measured configuration. The row
-- shows the configuration within the deadline that makes the most. If several are equal, the one
-- with less power wins, then fewer GPUs, then the first row_id.
--
-- --headroom 0.2 leaves room for 20 % more. --max-busy-share 0.8 keeps a fifth of the time free.
-- power_watts is the mean power of the GPUs at that rate. Money and CO2e are empty unless you
-- give their rates.
--
-- status is one of:
--   - meets: the row shows the most that the GPUs can make
--   - none meets: no batch is fast enough; fastest_batch_latency_s is the
--     lowest latency
--   - too few GPUs: one replica needs more GPUs
--
-- :task                media_task                  workload that makes images or videos
-- :max_gpus            integer from 1              number of GPUs
-- :model               model                       model: slug, name or Hugging Face id
-- :gpu                 gpu                         GPU, such as B200
-- :source              source                      source of the figures, such as published
-- :deadline_s          real above 0                highest latency of a batch, seconds
-- :inference_steps     integer from 1              only this number of inference steps
-- :headroom            real from 0 up to 1000 = 0  room for growth, 0.2 is 20 %
-- :max_busy_share      real above 0 up to 1        highest share of the time that is busy
-- :usd_per_kwh         real from 0 up to 1e6       price of electricity, USD per kWh
-- :usd_per_gpu_hour    real from 0 up to 1e6       rent of a GPU, USD per hour
-- :gco2_per_kwh        real from 0 up to 1e6       CO2e of electricity, g per kWh
-- :host_watts_per_gpu  real from 0 up to 1e6       power of the host for each GPU, watts
-- :pue                 real from 1 up to 100 = 1   PUE: energy of the facility / of its machines
--
-- needs :max_gpus
-- important: model, gpu, status, outputs_per_hour, total_gpus, batch_size, batch_latency_s
-- important: power_watts, width_pixels
--
-- alias: --gpus :max_gpus
-- alias: --deadline :deadline_s
-- alias: --steps :inference_steps
-- example: --task text-to-image --gpu H100 --max-gpus 8 --deadline-s 10
--   what eight H100s can make within ten seconds a batch
-- example: --task text-to-video --max-gpus 16 --headroom 0.2
--   what 16 GPUs make in an hour with room for 20 % more
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

measured_settings as materialized (
    select
        diffusion_energy.*,
        asked.deadline_s as deadline_s,
        :max_gpus / num_gpus as replicas,
        :max_gpus / num_gpus * num_gpus as total_gpus,
        :max_gpus / num_gpus * outputs_per_second
        / max(1.0 + :headroom, 1.0 / coalesce(:max_busy_share, 1.0)) as rate,
        min(batch_latency_s) over (
            partition by model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames
        ) as fastest_batch_latency_s
    from diffusion_energy
    cross join asked
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and (:inference_steps is null or inference_steps = :inference_steps)
),

leading as (
    select
        *,
        max(rate) over (partition by model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames) as most
    from measured_settings
    where batch_latency_s <= deadline_s and replicas > 0
),

lowest as (
    select
        *,
        min(rate * joules_per_output) over (
            partition by model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames
        ) as least_watts
    from leading
    where rate >= most * (1.0 - 1e-12)
),

ranked as (
    select
        *,
        row_number() over (
            partition by model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames
            order by total_gpus, row_id
        ) as place
    from lowest
    where rate * joules_per_output <= least_watts * (1.0 + 1e-12)
),

settings as (
    select distinct
        model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames, deadline_s, fastest_batch_latency_s
    from measured_settings
),

answers as (
    select
        *,
        rate * joules_per_output as total_watts,
        (rate * joules_per_output + coalesce(:host_watts_per_gpu, 0.0) * total_gpus) * 0.024 * :pue
            as kwh
    from ranked
    where place = 1
)

select
    settings.model as model,
    settings.gpu as gpu,
    settings.width_pixels as width_pixels,
    settings.height_pixels as height_pixels,
    settings.num_frames as num_frames,
    settings.inference_steps as inference_steps,
    case
        when answer.replicas is not null then 'meets'
        when settings.fastest_batch_latency_s > settings.deadline_s then 'none meets'
        else 'too few GPUs'
    end as status,
    rate * 3600.0 as outputs_per_hour,
    rate as outputs_per_second,
    replicas,
    num_gpus,
    total_gpus,
    precision,
    batch_size,
    settings.deadline_s as deadline_s,
    batch_latency_s,
    settings.fastest_batch_latency_s as fastest_batch_latency_s,
    rate / (replicas * outputs_per_second) as busy_share,
    wh_per_output,
    total_watts as power_watts,
    rated_power_watts * total_gpus as total_rated_power_watts,
    kwh as kwh_per_day,
    kwh * :usd_per_kwh as electricity_usd_per_day,
    total_gpus * 24.0 as gpu_hours_per_day,
    total_gpus * 24.0 * :usd_per_gpu_hour as rent_usd_per_day,
    kwh * :usd_per_kwh + total_gpus * 24.0 * :usd_per_gpu_hour as usd_per_day,
    (kwh * :usd_per_kwh + total_gpus * 24.0 * :usd_per_gpu_hour)
    / (rate * 86.4) as usd_per_thousand_outputs,
    kwh * :gco2_per_kwh / 1000.0 as co2e_kg_per_day,
    settings.source as source,
    row_id
from settings
left join answers as answer
    on answer.model = settings.model
    and answer.gpu = settings.gpu
    and answer.source = settings.source
    and answer.width_pixels = settings.width_pixels
    and answer.height_pixels = settings.height_pixels
    and answer.inference_steps = settings.inference_steps
    and answer.num_frames is settings.num_frames
left join gpus on gpus.gpu = settings.gpu
order by
    settings.width_pixels, settings.height_pixels, settings.num_frames, settings.model,
    settings.gpu, settings.inference_steps, settings.source;
