-- Energy, latency, throughput and power against load: the concurrency curves.
--
-- One row per configuration, in the order of measured load (avg_running_batch, requests in flight)
-- within each series: the configurations that differ only in max_num_seqs and repeat.
-- energy_relative_to_best is joules per output token divided by the lowest of the series: 1 at its
-- best. energy_rises is true where the energy is above that of the load before. Nothing is monotone
-- in load: energy may rise again, and throughput may dip.
--
-- :task      text_task       workload that makes text
-- :model     model           model: slug, name or Hugging Face id
-- :gpu       gpu             GPU, such as B200
-- :num_gpus  integer from 1  number of GPUs
-- important: model, gpu, num_gpus, precision, max_num_seqs, avg_running_batch
-- important: wh_per_million_output_tokens, median_itl_ms, tokens_per_second
-- picture: curve of wh_per_million_output_tokens over avg_running_batch by gpu, model, num_gpus
select
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    configuration_energy.avg_running_batch as avg_running_batch,
    configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
    configuration_energy.joules_per_output_token
        / min(configuration_energy.joules_per_output_token) over series as energy_relative_to_best,
    case
        when configuration_energy.joules_per_output_token
            > lag(configuration_energy.joules_per_output_token) over by_load then 1
        else 0
    end as energy_rises,
    configuration_energy.median_itl_ms as median_itl_ms,
    configuration_energy.p90_itl_ms as p90_itl_ms,
    configuration_energy.p95_itl_ms as p95_itl_ms,
    configuration_energy.p99_itl_ms as p99_itl_ms,
    configuration_energy.tokens_per_second as tokens_per_second,
    configuration_energy.power_watts as power_watts,
    configuration_energy.row_id as row_id
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
    and (:num_gpus is null or configuration_energy.num_gpus = :num_gpus)
window
    series as (
        partition by
            configuration_energy.model,
            configuration_energy.gpu,
            configuration_energy.num_gpus,
            configuration_energy.tensor_parallel,
            configuration_energy.data_parallel,
            configuration_energy.expert_parallel,
            configuration_energy.precision
    ),
    by_load as (
        series
        order by configuration_energy.avg_running_batch, configuration_energy.configuration_id
    )
order by
    configuration_energy.model,
    configuration_energy.gpu,
    configuration_energy.num_gpus,
    configuration_energy.tensor_parallel,
    configuration_energy.data_parallel,
    configuration_energy.expert_parallel,
    configuration_energy.precision,
    configuration_energy.avg_running_batch,
    configuration_energy.configuration_id;
