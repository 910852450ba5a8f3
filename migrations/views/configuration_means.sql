create view configuration_means as
-- Every configuration once: one that was measured more than once has the mean of each figure.
-- One row per task, model, GPU, number of GPUs, degrees of parallelism, precision and max_num_seqs.
-- row_id and configuration_id are those of the first measurement.
select
    min(configurations.configuration_id) as configuration_id,
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    configurations.num_gpus as num_gpus,
    configurations.tensor_parallel as tensor_parallel,
    configurations.data_parallel as data_parallel,
    configurations.expert_parallel as expert_parallel,
    precisions.precision as precision,
    configurations.max_num_seqs as max_num_seqs,
    count(*) as measurements,
    models.model || '/' || gpus.gpu || '/' || configurations.num_gpus
        || '/' || configurations.max_num_seqs
        || case
            when min(configurations.repeat) > 1 then '/r' || min(configurations.repeat)
            else ''
        end
        as row_id,
    avg(configurations.avg_running_batch) as avg_running_batch,
    avg(configurations.tokens_per_second) as tokens_per_second,
    avg(configurations.power_watts) as power_watts,
    avg(configurations.joules_per_output_token) as joules_per_output_token,
    avg(configurations.joules_per_output_token) * 1e6 / 3600.0 as wh_per_million_output_tokens,
    avg(configurations.median_itl_ms) as median_itl_ms,
    avg(configurations.p90_itl_ms) as p90_itl_ms,
    avg(configurations.p95_itl_ms) as p95_itl_ms,
    avg(configurations.p99_itl_ms) as p99_itl_ms,
    avg(configurations.avg_output_tokens) as avg_output_tokens
from configurations
join tasks on tasks.task_id = configurations.task_id
join models on models.model_id = configurations.model_id
join gpus on gpus.gpu_id = configurations.gpu_id
join precisions on precisions.precision_id = configurations.precision_id
group by
    tasks.task,
    models.model,
    gpus.gpu,
    configurations.num_gpus,
    configurations.tensor_parallel,
    configurations.data_parallel,
    configurations.expert_parallel,
    precisions.precision,
    configurations.max_num_seqs;
