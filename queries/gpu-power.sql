-- The measured power of one GPU by model and load, and its share of the rated power.
--
-- One row per configuration, in the order of measured load (avg_running_batch, requests in
-- flight).
--
-- Columns:
--   - per_gpu_power_watts: power of the whole configuration / its number of
--     GPUs
--   - rated_power_watts: the highest power of one GPU, as its vendor rates
--     it
--   - share_of_rated_power: per_gpu_power_watts / rated_power_watts
--
-- The last two are empty for a GPU without reference data. 'energydb query gpus' shows the
-- reference data and its source.
--
-- :task      text_task       workload that makes text
-- :model     model           model: slug, name or Hugging Face id
-- :gpu       gpu             GPU, such as B200
-- :source    source          source of the figures, such as published
-- :num_gpus  integer from 1  number of GPUs
--
-- example: --gpu B200
--   how much of its rated power each configuration on B200 draws
-- example: --model llama-3-1-70b-instruct --num-gpus 4
--   the power of one model on four GPUs
select
    model,
    gpu,
    num_gpus,
    tensor_parallel,
    data_parallel,
    expert_parallel,
    precision,
    max_num_seqs,
    avg_running_batch,
    per_gpu_power_watts,
    rated_power_watts,
    share_of_rated_power,
    source,
    row_id
from gpu_power
where task = :task
    and (:model is null or model = :model)
    and (:gpu is null or gpu = :gpu)
    and (:source is null or source = :source)
    and (:num_gpus is null or num_gpus = :num_gpus)
order by model, gpu, num_gpus, avg_running_batch, configuration_id;
