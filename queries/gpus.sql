-- The GPUs that were measured, with the data that their vendor publishes.
--
-- vendor, product, rated_power_watts (highest power of one GPU) and memory_gb (of one GPU, 10^9
-- bytes) are reference data, not measurements. reference_title and reference_url name the
-- document that they come from. All of these are empty for a GPU without reference data.
--
-- :task    any_task  only this workload
-- :source  source    source of the figures, such as published
-- important: gpu, models, configurations, lowest_num_gpus, highest_num_gpus, rated_power_watts
-- important: memory_gb, product
--
-- example:
--   which GPUs were measured, how often, and what they are
-- example: --task lm-arena-chat
--   the same for chat alone
with rows as (
    select task_id, model_id, gpu_id, source_id, num_gpus from configurations
    union all
    select task_id, model_id, gpu_id, source_id, num_gpus from diffusion_configurations
)

select
    gpu,
    count(distinct model_id) as models,
    count(*) as configurations,
    min(num_gpus) as lowest_num_gpus,
    max(num_gpus) as highest_num_gpus,
    vendor,
    product,
    rated_power_watts,
    memory_gb,
    reference_title,
    reference_url,
    source
from rows
join gpus using (gpu_id)
join sources using (source_id)
where (:task is null or task_id in (select task_id from tasks where task = :task))
    and (:source is null or source = :source)
group by gpu_id, source
order by gpu, source;
