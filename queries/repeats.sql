-- The configurations that were measured more than once, with the spread of their measurements.
--
-- Lowest, mean and highest energy (Wh per million output tokens) and inter-token latency (ITL) at
-- the percentile (ms), each over the measurements of one configuration. The spread is highest -
-- lowest; in percent it is divided by the mean. row_id is that of the first measurement.
-- The larger run is the better evidence: fewest_requests and most_requests are the requests that the
-- smallest and the largest measurement rest on, and most_requests_wh_per_million_output_tokens and
-- most_requests_row_id are those of the largest. They are empty where the source does not say it of
-- every measurement.
--
-- :task        text_task                           workload that makes text
-- :model       model                               model: slug, name or Hugging Face id
-- :gpu         gpu                                 GPU, such as B200
-- :percentile  one of median|p90|p95|p99 = median  which inter-token latency
--
-- no rows: no configuration was measured more than once
with measurements as (
    select
        configurations.configuration_id as configuration_id,
        configurations.model_id as model_id,
        configurations.gpu_id as gpu_id,
        configurations.num_gpus as num_gpus,
        configurations.tensor_parallel as tensor_parallel,
        configurations.data_parallel as data_parallel,
        configurations.expert_parallel as expert_parallel,
        configurations.precision_id as precision_id,
        configurations.max_num_seqs as max_num_seqs,
        configurations.joules_per_output_token * 1e6 / 3600.0 as wh_per_million_output_tokens,
        configuration_latencies.itl_ms as itl_ms
    from tasks
    join configurations on configurations.task_id = tasks.task_id
    join configuration_latencies
        on configuration_latencies.configuration_id = configurations.configuration_id
        and configuration_latencies.percentile = :percentile
    where tasks.task = :task
        and configurations.model_id in (
            select model_id from models where :model is null or model = :model
        )
        and configurations.gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
),

repeated as materialized (
    select
        min(measurements.configuration_id) as configuration_id,
        count(*) as measurements,
        min(measurements.wh_per_million_output_tokens) as lowest_wh_per_million_output_tokens,
        avg(measurements.wh_per_million_output_tokens) as mean_wh_per_million_output_tokens,
        max(measurements.wh_per_million_output_tokens) as highest_wh_per_million_output_tokens,
        min(measurements.itl_ms) as lowest_itl_ms,
        avg(measurements.itl_ms) as mean_itl_ms,
        max(measurements.itl_ms) as highest_itl_ms
    from measurements
    group by
        measurements.model_id,
        measurements.gpu_id,
        measurements.num_gpus,
        measurements.tensor_parallel,
        measurements.data_parallel,
        measurements.expert_parallel,
        measurements.precision_id,
        measurements.max_num_seqs
    having count(*) > 1
),

-- The requests of each measurement of these, the most first.
sizes as (
    select
        repeated.configuration_id as configuration_id,
        others.configuration_id as largest_configuration_id,
        output_lengths.requests as most_requests,
        row_number() over largest_first as place,
        min(output_lengths.requests) over same_configuration as fewest_requests,
        count(*) over same_configuration as measurements
    from repeated
    join configurations as firsts on firsts.configuration_id = repeated.configuration_id
    join configurations as others
        on others.task_id = firsts.task_id
        and others.model_id = firsts.model_id
        and others.gpu_id = firsts.gpu_id
        and others.num_gpus = firsts.num_gpus
        and others.max_num_seqs = firsts.max_num_seqs
        and others.tensor_parallel = firsts.tensor_parallel
        and others.data_parallel = firsts.data_parallel
        and others.expert_parallel = firsts.expert_parallel
        and others.precision_id = firsts.precision_id
    join output_lengths
        on output_lengths.task_id = others.task_id
        and output_lengths.model_id = others.model_id
        and output_lengths.configuration_id = others.configuration_id
    window
        same_configuration as (partition by repeated.configuration_id),
        largest_first as (
            partition by repeated.configuration_id
            order by output_lengths.requests desc, others.configuration_id
        )
)

select
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.max_num_seqs as max_num_seqs,
    repeated.measurements as measurements,
    repeated.lowest_wh_per_million_output_tokens as lowest_wh_per_million_output_tokens,
    repeated.mean_wh_per_million_output_tokens as mean_wh_per_million_output_tokens,
    repeated.highest_wh_per_million_output_tokens as highest_wh_per_million_output_tokens,
    repeated.highest_wh_per_million_output_tokens - repeated.lowest_wh_per_million_output_tokens
        as spread_wh_per_million_output_tokens,
    (
        repeated.highest_wh_per_million_output_tokens
        - repeated.lowest_wh_per_million_output_tokens
    ) / repeated.mean_wh_per_million_output_tokens * 100.0 as energy_spread_percent,
    :percentile as percentile,
    repeated.lowest_itl_ms as lowest_itl_ms,
    repeated.mean_itl_ms as mean_itl_ms,
    repeated.highest_itl_ms as highest_itl_ms,
    repeated.highest_itl_ms - repeated.lowest_itl_ms as spread_itl_ms,
    (repeated.highest_itl_ms - repeated.lowest_itl_ms) / repeated.mean_itl_ms * 100.0
        as itl_spread_percent,
    sizes.fewest_requests as fewest_requests,
    sizes.most_requests as most_requests,
    largest.wh_per_million_output_tokens as most_requests_wh_per_million_output_tokens,
    largest.row_id as most_requests_row_id,
    configuration_energy.row_id as row_id
from repeated
join configuration_energy
    on configuration_energy.configuration_id = repeated.configuration_id
left join sizes
    on sizes.configuration_id = repeated.configuration_id
    and sizes.place = 1
    and sizes.measurements = repeated.measurements
left join configuration_energy as largest
    on largest.configuration_id = sizes.largest_configuration_id
order by
    configuration_energy.model,
    configuration_energy.gpu,
    configuration_energy.num_gpus,
    configuration_energy.max_num_seqs,
    configuration_energy.configuration_id;
