-- Every configuration of a model, with the column names of the published documents.
--
-- Rows are in the order of the concurrency curves: GPU, number of GPUs, measured load.
--
-- :task   text_task  workload that makes text
-- :model  model      model: slug, name or Hugging Face id
--
-- example: --model qwen-3-14b
--   the rows of the document of one model
-- example: --model qwen-3-14b --format json
--   the same rows as JSON, unrounded
select
    gpu,
    num_gpus,
    tensor_parallel,
    data_parallel,
    expert_parallel,
    precision,
    max_num_seqs,
    avg_running_batch as avg_requests_in_flight,
    wh_per_million_output_tokens,
    joules_per_output_token,
    median_itl_ms,
    p90_itl_ms,
    p99_itl_ms,
    tokens_per_second,
    power_watts as gpu_power_watts_total,
    avg_output_tokens,
    median_itl_ms <= release.itl_deadline_ms as under_itl_deadline,
    avg_running_batch,
    p95_itl_ms,
    row_id,
    repeat
from configuration_energy
cross join release
where source = 'published'
    and configuration_id in (
        select configuration_id
        from configurations
        where task_id in (select task_id from tasks where task = :task)
            and model_id in (select model_id from models where :model is null or model = :model)
    )
order by gpu, num_gpus, avg_running_batch, configuration_id;
