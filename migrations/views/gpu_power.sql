create view gpu_power as
-- The measured power of one GPU, and its share of the power that the GPU is rated for.
-- One row per configuration. per_gpu_power_watts is the power of the whole configuration divided by
-- its number of GPUs; share_of_rated_power is that divided by rated_power_watts, and null for a GPU
-- without reference data.
select
    configurations.configuration_id as configuration_id,
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    configurations.num_gpus as num_gpus,
    configurations.max_num_seqs as max_num_seqs,
    configurations.repeat as repeat,
    models.model || '/' || gpus.gpu || '/' || configurations.num_gpus
        || '/' || configurations.max_num_seqs
        || case when configurations.repeat > 1 then '/r' || configurations.repeat else '' end
        as row_id,
    configurations.avg_running_batch as avg_running_batch,
    configurations.power_watts / configurations.num_gpus as per_gpu_power_watts,
    gpus.rated_power_watts as rated_power_watts,
    configurations.power_watts / configurations.num_gpus / gpus.rated_power_watts
        as share_of_rated_power
from configurations
join tasks on tasks.task_id = configurations.task_id
join models on models.model_id = configurations.model_id
join gpus on gpus.gpu_id = configurations.gpu_id;
