-- Every measured configuration with all its figures.
--
-- Rows stand in the order of the concurrency curves: model, GPU, number of GPUs, measured load.
--
-- :task   text_task  workload that makes text
-- :model  model      model: slug, name or Hugging Face id
-- :gpu    gpu        GPU, such as B200
-- important: task, model, gpu, num_gpus, precision, max_num_seqs
-- important: wh_per_million_output_tokens, median_itl_ms, tokens_per_second
select
    configuration_energy.task as task,
    configuration_energy.model as model,
    configuration_energy.model_name as model_name,
    configuration_energy.hugging_face_id as hugging_face_id,
    configuration_energy.params_b as params_b,
    configuration_energy.active_params_b as active_params_b,
    configuration_energy.architecture as architecture,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    configuration_energy.repeat as repeat,
    configuration_energy.row_id as row_id,
    configuration_energy.avg_running_batch as avg_running_batch,
    configuration_energy.tokens_per_second as tokens_per_second,
    configuration_energy.power_watts as power_watts,
    configuration_energy.joules_per_output_token as joules_per_output_token,
    configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
    configuration_energy.median_itl_ms as median_itl_ms,
    configuration_energy.p90_itl_ms as p90_itl_ms,
    configuration_energy.p95_itl_ms as p95_itl_ms,
    configuration_energy.p99_itl_ms as p99_itl_ms,
    configuration_energy.avg_output_tokens as avg_output_tokens
from configuration_energy
where configuration_energy.configuration_id in (
    select configurations.configuration_id
    from configurations
    where configurations.task_id in (select task_id from tasks where task = :task)
        and configurations.model_id in (
            select model_id from models where :model is null or model = :model
        )
        and configurations.gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
)
order by
    configuration_energy.model,
    configuration_energy.gpu,
    configuration_energy.num_gpus,
    configuration_energy.avg_running_batch,
    configuration_energy.configuration_id;
