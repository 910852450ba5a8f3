-- The measured power of one GPU by model and load, and its share of the rated power.
--
-- One row per configuration, in the order of measured load (avg_running_batch, requests in flight).
-- per_gpu_power_watts is the power of the whole configuration / its number of GPUs.
-- rated_power_watts is the highest power that the vendor rates one GPU for, and
-- share_of_rated_power the first divided by the second; both are empty for a GPU without reference
-- data. 'energydb query gpus' has the reference data and its source.
--
-- :task      text_task       workload that makes text
-- :model     model           model: slug, name or Hugging Face id
-- :gpu       gpu             GPU, such as B200
-- :num_gpus  integer from 1  number of GPUs
select
    gpu_power.model as model,
    gpu_power.gpu as gpu,
    gpu_power.num_gpus as num_gpus,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    configuration_energy.precision as precision,
    gpu_power.max_num_seqs as max_num_seqs,
    gpu_power.avg_running_batch as avg_running_batch,
    gpu_power.per_gpu_power_watts as per_gpu_power_watts,
    gpu_power.rated_power_watts as rated_power_watts,
    gpu_power.share_of_rated_power as share_of_rated_power,
    gpu_power.row_id as row_id
from gpu_power
join configuration_energy on configuration_energy.configuration_id = gpu_power.configuration_id
where gpu_power.configuration_id in (
    select configurations.configuration_id
    from configurations
    where configurations.task_id in (select task_id from tasks where task = :task)
        and configurations.model_id in (
            select model_id from models where :model is null or model = :model
        )
        and configurations.gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
)
    and (:num_gpus is null or gpu_power.num_gpus = :num_gpus)
order by
    gpu_power.model,
    gpu_power.gpu,
    gpu_power.num_gpus,
    gpu_power.avg_running_batch,
    gpu_power.configuration_id;
