-- The lowest-energy way to make images on each GPU within a batch latency, per model and setting.
--
-- Energy is Wh per image: joules per image / 3600. A configuration meets the deadline when a whole
-- batch takes at most deadline_s seconds. Images of different sizes, or made in different numbers of
-- inference steps, do not compare, so there is one row for each model, GPU, size and number of
-- steps. derived_wh_per_megapixel is computed and not measured: energy need not be in proportion to
-- the size. Limits may be given in any combination; power (watts) and images per second are of the
-- whole configuration, all its GPUs together. Equal energies go to the lower latency, then to the
-- first measured.
--
-- :task                   image_task         workload that makes images
-- :model                  model              model: slug, name or Hugging Face id
-- :gpu                    gpu                GPU, such as B200
-- :deadline_s             real above 0 = 30  highest latency of a batch, seconds
-- :max_gpus               integer from 1     highest number of GPUs
-- :min_images_per_second  real above 0       lowest throughput, images per second
-- :max_power_watts        real above 0       highest power, watts
-- :inference_steps        integer from 1     this number of inference steps only
-- caption: batch latency at most :deadline_s s
with ranked as (
    select
        image_energy.image_configuration_id as image_configuration_id,
        row_number() over (
            partition by
                image_energy.model,
                image_energy.gpu,
                image_energy.width_pixels,
                image_energy.height_pixels,
                image_energy.inference_steps
            order by
                image_energy.joules_per_image,
                image_energy.batch_latency_s,
                image_energy.image_configuration_id
        ) as place
    from image_energy
    where image_energy.task = :task
        and (:model is null or image_energy.model = :model)
        and (:gpu is null or image_energy.gpu = :gpu)
        and image_energy.batch_latency_s <= :deadline_s
        and (:max_gpus is null or image_energy.num_gpus <= :max_gpus)
        and (
            :min_images_per_second is null
            or image_energy.images_per_second >= :min_images_per_second
        )
        and (:max_power_watts is null or image_energy.power_watts <= :max_power_watts)
        and (:inference_steps is null or image_energy.inference_steps = :inference_steps)
)

select
    image_energy.model as model,
    image_energy.gpu as gpu,
    image_energy.width_pixels as width_pixels,
    image_energy.height_pixels as height_pixels,
    image_energy.inference_steps as inference_steps,
    image_energy.num_gpus as num_gpus,
    image_energy.batch_size as batch_size,
    image_energy.wh_per_image as wh_per_image,
    :deadline_s as deadline_s,
    image_energy.batch_latency_s as batch_latency_s,
    image_energy.images_per_second as images_per_second,
    image_energy.power_watts as power_watts,
    image_energy.derived_wh_per_megapixel as derived_wh_per_megapixel,
    image_energy.row_id as row_id
from ranked
join image_energy on image_energy.image_configuration_id = ranked.image_configuration_id
where ranked.place = 1
order by
    image_energy.width_pixels,
    image_energy.height_pixels,
    image_energy.joules_per_image,
    image_energy.image_configuration_id;
