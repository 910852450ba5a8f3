-- The lowest-energy way to make images on each GPU within a batch latency, per model and setting.
--
-- Energy is Wh per image: joules per image / 3600. A configuration meets the deadline if a whole
-- batch takes at most deadline_s seconds. Images of different sizes or numbers of inference steps
-- cannot be compared, so each model, GPU, size and number of steps has its own row.
--
-- You can combine all limits. Power (watts) and images per second are of the whole configuration:
-- all its GPUs together. derived_wh_per_megapixel is computed, not measured: energy need not be
-- in proportion to the size. If energies are equal, the lower latency wins, then the one measured
-- first.
--
-- :task                   image_task                               workload that makes images
-- :model                  model                                    model: slug, name or Hugging Face id
-- :gpu                    gpu                                      GPU, such as B200
-- :source                 source                                   source of the figures, such as published
-- :deadline_s             real above 0 = release.image_deadline_s  highest latency of a batch, seconds
-- :max_gpus               integer from 1                           highest number of GPUs
-- :min_images_per_second  real above 0                             lowest throughput, images per second
-- :max_power_watts        real above 0                             highest power, watts
-- :inference_steps        integer from 1                           only this number of inference steps
-- caption: batch latency at most :deadline_s s
--
-- alias: --deadline :deadline_s
-- alias: --steps :inference_steps
-- alias: --max-power :max_power_watts
-- example: --gpu H100
--   the least energy of each image model and size on H100
-- example: --deadline-s 10 --max-gpus 1
--   what makes a batch of images within 10 seconds on one GPU
with ranked as (
    select
        *,
        row_number() over (
            partition by
                model, gpu, source, width_pixels, height_pixels, inference_steps
            order by joules_per_image, batch_latency_s, image_configuration_id
        ) as place
    from image_energy
    where task = :task
        and (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
        and batch_latency_s <= :deadline_s
        and (:max_gpus is null or num_gpus <= :max_gpus)
        and (:min_images_per_second is null or images_per_second >= :min_images_per_second)
        and (:max_power_watts is null or power_watts <= :max_power_watts)
        and (:inference_steps is null or inference_steps = :inference_steps)
)

select
    model,
    gpu,
    width_pixels,
    height_pixels,
    inference_steps,
    num_gpus,
    batch_size,
    wh_per_image,
    :deadline_s as deadline_s,
    batch_latency_s,
    images_per_second,
    power_watts,
    derived_wh_per_megapixel,
    source,
    row_id
from ranked
where place = 1
order by width_pixels, height_pixels, joules_per_image, image_configuration_id;
