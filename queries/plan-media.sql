-- The GPUs and replicas that make a number of images or videos per hour within a batch latency.
--
-- Images or videos of different sizes, lengths or numbers of inference steps cannot be compared,
-- so each of these settings has its own row. Without --deadline-s, the release's default deadline
-- applies.
--
-- Every replica runs whole batches of one measured configuration, and waits if there is nothing
-- to do. Energy is joules per image or video * the demand. The energy of waiting is not included.
-- The plan has the fewest replicas that are enough: more replicas do not change the power, and
-- raise all other costs. Of all configurations within the deadline, the row shows the best by
-- --minimize. If several are equal, the one with less power wins, then fewer GPUs, then fewer
-- replicas, then the first row_id.
--
-- status is one of:
--   - meets: the row shows the plan
--   - none meets: no batch is fast enough; fastest_batch_latency_s is the
--     lowest latency
--   - no number of replicas meets: none is within max_gpus and
--     max_power_watts
--   - cost needs both rates: --minimize cost was given without them
--
-- Columns:
--   - power_watts: mean power over time
--   - busy_share: the share of the time in which a replica works
--   - power_at_work_watts: the power while all replicas work at once
--   - total_rated_power_watts: the power that all GPUs are rated for
--   - headroom: how much the demand may grow. --headroom sets the least
--     headroom.
--
-- Size the power supply for power at work or rated power, not for a mean. Money and CO2e are
-- empty unless you give their rates.
--
-- :task                media_task                      workload that makes images or videos
-- :model               model                           model: slug, name or Hugging Face id
-- :gpu                 gpu                             GPU, such as B200
-- :source              source                          source of the figures, such as published
-- :outputs_per_hour    real from 1e-6 up to 1e12       demand, images or videos per hour
-- :deadline_s          real above 0                    highest latency of a batch, seconds
-- :inference_steps     integer from 1                  only this number of inference steps
-- :headroom            real from 0 up to 1000 = 0      room for growth, 0.2 is 20 %
-- :max_busy_share      real above 0 up to 1            highest share of the time that is busy
-- :max_gpus            integer from 1                  highest number of GPUs of all replicas
-- :max_power_watts     real above 0                    highest mean power of all GPUs, watts
-- :minimize            one of power|gpus|cost = power  what to minimize
-- :usd_per_kwh         real from 0 up to 1e6           price of electricity, USD per kWh
-- :usd_per_gpu_hour    real from 0 up to 1e6           rent of a GPU, USD per hour
-- :gco2_per_kwh        real from 0 up to 1e6           CO2e of electricity, g per kWh
-- :host_watts_per_gpu  real from 0 up to 1e6           power of the host for each GPU, watts
-- :pue                 real from 1 up to 100 = 1       PUE: energy of the facility / of its machines
--
-- needs :outputs_per_hour
-- important: model, gpu, status, total_gpus, batch_size, batch_latency_s, power_watts, busy_share
-- important: replicas, width_pixels, kwh_per_day
--
-- alias: --images-per-hour :outputs_per_hour
-- alias: --videos-per-hour :outputs_per_hour
-- alias: --deadline :deadline_s
-- alias: --steps :inference_steps
-- example: --task text-to-image --images-per-hour 10k --headroom 0.2
--   the GPUs for 10,000 images an hour, with room for 20 % more
-- example: --task text-to-video --videos-per-hour 60 --minimize gpus
--   the fewest GPUs that make a video a minute
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
        :outputs_per_hour / 3600.0 as demand,
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

-- Replicas are rounded up to a whole number, with a relative tolerance of 1e-12.
needs as (
    select
        *,
        demand / outputs_per_second
        * max(1.0 + :headroom, 1.0 / coalesce(:max_busy_share, 1.0)) * (1.0 - 1e-12) as at_least
    from measured_settings
    where batch_latency_s <= deadline_s
),

options as (
    select
        *,
        max(1, cast(at_least as integer) + (at_least > cast(at_least as integer))) as replicas,
        max(1, cast(at_least as integer) + (at_least > cast(at_least as integer))) * num_gpus
            as total_gpus,
        demand * joules_per_output as total_watts
    from needs
),

priced as (
    select
        *,
        case :minimize
            when 'power' then total_watts
            when 'gpus' then total_gpus * 1.0
            else
                (total_watts + coalesce(:host_watts_per_gpu, 0.0) * total_gpus) / 1000.0
                * :pue * :usd_per_kwh
                + total_gpus * :usd_per_gpu_hour
        end as objective
    from options
    where (:max_gpus is null or total_gpus <= :max_gpus)
        and (:max_power_watts is null or total_watts <= :max_power_watts * (1.0 + 1e-12))
),

leading as (
    select
        *,
        min(objective) over (
            partition by model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames
        ) as least_objective
    from priced
),

lowest as (
    select
        *,
        min(total_watts) over (
            partition by model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames
        ) as least_watts
    from leading
    where objective <= least_objective * (1.0 + 1e-12)
),

ranked as (
    select
        *,
        row_number() over (
            partition by model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames
            order by total_gpus, replicas, row_id
        ) as place
    from lowest
    where total_watts <= least_watts * (1.0 + 1e-12)
),

settings as (
    select distinct
        model, gpu, source, width_pixels, height_pixels, inference_steps, num_frames, demand, deadline_s,
        fastest_batch_latency_s
    from measured_settings
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
        when :minimize = 'cost' and (:usd_per_kwh is null or :usd_per_gpu_hour is null)
        then 'cost needs both rates'
        else 'no number of replicas meets'
    end as status,
    replicas,
    num_gpus,
    total_gpus,
    precision,
    batch_size,
    settings.deadline_s as deadline_s,
    batch_latency_s,
    settings.fastest_batch_latency_s as fastest_batch_latency_s,
    settings.demand as outputs_per_second,
    settings.demand / (replicas * answer.outputs_per_second) as busy_share,
    replicas * answer.outputs_per_second / settings.demand - 1.0 as headroom,
    wh_per_output,
    total_watts as power_watts,
    replicas * power_watts as power_at_work_watts,
    rated_power_watts * total_gpus as total_rated_power_watts,
    (total_watts + coalesce(:host_watts_per_gpu, 0.0) * total_gpus) * 0.024 * :pue as kwh_per_day,
    (total_watts + coalesce(:host_watts_per_gpu, 0.0) * total_gpus) * 0.024 * :pue * :usd_per_kwh as electricity_usd_per_day,
    total_gpus * 24.0 as gpu_hours_per_day,
    total_gpus * 24.0 * :usd_per_gpu_hour as rent_usd_per_day,
    (total_watts + coalesce(:host_watts_per_gpu, 0.0) * total_gpus) * 0.024 * :pue * :usd_per_kwh + total_gpus * 24.0 * :usd_per_gpu_hour as usd_per_day,
    ((total_watts + coalesce(:host_watts_per_gpu, 0.0) * total_gpus) * 0.024 * :pue * :usd_per_kwh + total_gpus * 24.0 * :usd_per_gpu_hour)
    / (settings.demand * 86.4) as usd_per_thousand_outputs,
    (total_watts + coalesce(:host_watts_per_gpu, 0.0) * total_gpus) * 0.024 * :pue * :gco2_per_kwh / 1000.0 as co2e_kg_per_day,
    settings.source as source,
    row_id
from settings
left join ranked as answer
    on answer.model = settings.model
    and answer.gpu = settings.gpu
    and answer.source = settings.source
    and answer.width_pixels = settings.width_pixels
    and answer.height_pixels = settings.height_pixels
    and answer.inference_steps = settings.inference_steps
    and answer.num_frames is settings.num_frames
    and answer.place = 1
left join gpus on gpus.gpu = settings.gpu
order by
    settings.width_pixels, settings.height_pixels, settings.num_frames, objective is null,
    objective, settings.model, settings.gpu, settings.inference_steps, settings.source;
