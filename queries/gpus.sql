-- The GPUs that were measured, with how many models and configurations of each.
--
-- :task  task  workload
select
    gpus.gpu as gpu,
    count(distinct configurations.model_id) as models,
    count(*) as configurations,
    min(configurations.num_gpus) as lowest_num_gpus,
    max(configurations.num_gpus) as highest_num_gpus
from configurations
join gpus on gpus.gpu_id = configurations.gpu_id
join tasks on tasks.task_id = configurations.task_id
where tasks.task = :task
group by gpus.gpu
order by gpus.gpu;
