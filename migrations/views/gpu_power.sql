create view gpu_power as
-- The measured power of one GPU, and its share of the power that the GPU is rated for.
-- One row per configuration that makes text. per_gpu_power_watts is the power of the whole
-- configuration / its number of GPUs. share_of_rated_power is per_gpu_power_watts / rated_power_watts,
-- and null for a GPU without reference data.
select
    task, model, gpu, num_gpus, precision, max_num_seqs,
    cast(power_watts / num_gpus as double) as per_gpu_power_watts,
    rated_power_watts,
    cast(power_watts / num_gpus / rated_power_watts as double) as share_of_rated_power,
    avg_running_batch, source, row_id, tensor_parallel, data_parallel, expert_parallel, repeat,
    configuration_id
from configuration_energy
join gpus using (gpu);
