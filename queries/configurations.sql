-- Every measured configuration with all its figures.
--
-- Rows are in the order of the concurrency curves: model, GPU, number of GPUs, measured load.
--
-- :task   text_task  workload that makes text
-- :model  model      model: slug, name or Hugging Face id
-- :gpu    gpu        GPU, such as B200
-- :source  source     source of the figures, such as published
-- important: task, model, gpu, num_gpus, precision, max_num_seqs
-- important: wh_per_million_output_tokens, median_itl_ms, tokens_per_second
--
-- example: --model qwen-3-14b
--   everything that was measured of one model
-- example: --gpu H100 --sort -tokens_per_second --limit 5
--   the five configurations with the highest throughput on H100
select *
from configuration_energy
where task = :task
    and (:model is null or model = :model)
    and (:gpu is null or gpu = :gpu)
    and (:source is null or source = :source)
order by model, gpu, num_gpus, avg_running_batch, configuration_id;
