-- The GPUs that were measured, with what their vendor publishes of them.
--
-- vendor, product, rated_power_watts (highest power of one GPU) and memory_gb (of one GPU, 10^9
-- bytes) are reference data, not measurements; reference_title and reference_url are the document
-- that they come from. They are empty for a GPU without reference data.
--
-- :task  task  workload
with measured as (
    select
        configurations.gpu_id as gpu_id,
        count(distinct configurations.model_id) as models,
        count(*) as configurations,
        min(configurations.num_gpus) as lowest_num_gpus,
        max(configurations.num_gpus) as highest_num_gpus
    from configurations
    join tasks on tasks.task_id = configurations.task_id
    where tasks.task = :task
    group by configurations.gpu_id
    union all
    select
        diffusion_configurations.gpu_id as gpu_id,
        count(distinct diffusion_configurations.model_id) as models,
        count(*) as configurations,
        min(diffusion_configurations.num_gpus) as lowest_num_gpus,
        max(diffusion_configurations.num_gpus) as highest_num_gpus
    from diffusion_configurations
    join tasks on tasks.task_id = diffusion_configurations.task_id
    where tasks.task = :task
    group by diffusion_configurations.gpu_id
)

select
    gpus.gpu as gpu,
    measured.models as models,
    measured.configurations as configurations,
    measured.lowest_num_gpus as lowest_num_gpus,
    measured.highest_num_gpus as highest_num_gpus,
    gpus.vendor as vendor,
    gpus.product as product,
    gpus.rated_power_watts as rated_power_watts,
    gpus.memory_gb as memory_gb,
    gpus.reference_title as reference_title,
    gpus.reference_url as reference_url
from measured
join gpus on gpus.gpu_id = measured.gpu_id
order by gpus.gpu;
