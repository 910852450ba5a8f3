create view gpu_power as
-- The measured power of one GPU, and its share of the power that the GPU is rated for.
-- One row per configuration that makes text. per_gpu_power_watts is the power of the whole
-- configuration / its number of GPUs. share_of_rated_power is per_gpu_power_watts / rated_power_watts,
-- and null for a GPU without reference data.
select
    configuration_energy.task as task,
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    cast(configuration_energy.power_watts / configuration_energy.num_gpus as double)
        as per_gpu_power_watts,
    gpus.rated_power_watts as rated_power_watts,
    cast(
        configuration_energy.power_watts / configuration_energy.num_gpus
        / gpus.rated_power_watts
        as double
    ) as share_of_rated_power,
    configuration_energy.avg_running_batch as avg_running_batch,
    configuration_energy.source as source,
    configuration_energy.row_id as row_id,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    configuration_energy.repeat as repeat,
    configuration_energy.configuration_id as configuration_id
from configuration_energy
join gpus on gpus.gpu = configuration_energy.gpu;
