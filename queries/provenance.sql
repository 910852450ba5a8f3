-- Where every figure of one configuration comes from, and how it follows from what was received.
--
-- One row per figure. received is the source's figure as it stands in the document, at the JSON
-- pointer; unrounded_value is the figure as the queries have it, and how says how it is derived and
-- how it is rounded (to the nearest, ties to even) where it is published. document is the file and
-- sha256 that of its bytes; source_url is where the source publishes it, empty where no source is
-- known.
--
-- :task    task    workload
-- :row_id  row_id  the configuration, such as qwen-3-14b/B200/1/8
--
-- needs :row_id
with chosen as (
    select configuration_energy.configuration_id as configuration_id
    from configuration_energy
    where configuration_energy.task = :task and configuration_energy.row_id = :row_id
),

-- One row per figure, in the order in which they are told.
figures (position, figure, field, how) as (
    values
        (1, 'hugging_face_id', 'model_id', 'as received'),
        (2, 'model_name', 'nickname', 'as received'),
        (
            3, 'model', 'nickname',
            'the slug of the name: lower case, a hyphen for what is not a-z or 0-9'
        ),
        (4, 'architecture', 'architecture', 'as received'),
        (5, 'params_b', 'total_params_billions', 'as received, always with a decimal point'),
        (
            6, 'active_params_b', 'activated_params_billions',
            'as received, always with a decimal point'
        ),
        (7, 'gpu', 'gpu_model', 'as received'),
        (8, 'num_gpus', 'num_gpus', 'as received'),
        (9, 'tensor_parallel', 'tensor_parallel', 'as received'),
        (10, 'data_parallel', 'data_parallel', 'as received'),
        (11, 'expert_parallel', 'expert_parallel', 'as received'),
        (
            12, 'precision', 'weight_precision',
            'in capitals; bfloat16, float16 and float32 as BF16, FP16 and FP32'
        ),
        (13, 'max_num_seqs', 'max_num_seqs', 'as received'),
        (
            14, 'avg_running_batch', 'avg_batch_size',
            'rounded to 1 decimal; published as avg_requests_in_flight too'
        ),
        (15, 'tokens_per_second', 'output_throughput_tokens_per_sec', 'rounded to 1 decimal'),
        (
            16, 'power_watts', 'avg_power_watts',
            'rounded to a whole number; published as gpu_power_watts_total'
        ),
        (17, 'joules_per_output_token', 'energy_per_token_joules', 'rounded to 7 decimals'),
        (
            18, 'wh_per_million_output_tokens', 'energy_per_token_joules',
            '* 10^6 / 3600, then rounded to 2 decimals'
        ),
        (
            19, 'joules_per_request', 'energy_per_request_joules',
            'not published: energy_per_token_joules * avg_output_len, by the source'
        ),
        (20, 'median_itl_ms', 'median_itl_ms', 'rounded to 1 decimal'),
        (
            21, 'under_itl_deadline', 'median_itl_ms',
            'true when at most the default deadline of the release'
        ),
        (22, 'p90_itl_ms', 'p90_itl_ms', 'rounded to 1 decimal'),
        (23, 'p95_itl_ms', 'p95_itl_ms', 'rounded to 1 decimal'),
        (24, 'p99_itl_ms', 'p99_itl_ms', 'rounded to 1 decimal'),
        (25, 'avg_output_tokens', 'avg_output_len', 'rounded to a whole number')
)

select
    figures.figure as figure,
    figures.field as field,
    case figures.field
        when 'model_id' then models.hugging_face_id
        when 'nickname' then models.model_name
        when 'architecture' then models.architecture
        when 'total_params_billions' then models.params_b
        when 'activated_params_billions' then models.active_params_b
        when 'gpu_model' then gpus.gpu
        when 'num_gpus' then configurations.num_gpus
        when 'tensor_parallel' then configurations.tensor_parallel
        when 'data_parallel' then configurations.data_parallel
        when 'expert_parallel' then configurations.expert_parallel
        when 'weight_precision' then precisions.source_name
        when 'max_num_seqs' then configurations.max_num_seqs
        when 'avg_batch_size' then configurations.avg_running_batch
        when 'output_throughput_tokens_per_sec' then configurations.tokens_per_second
        when 'avg_power_watts' then configurations.power_watts
        when 'energy_per_token_joules' then configurations.joules_per_output_token
        when 'energy_per_request_joules' then configurations.joules_per_request
        when 'median_itl_ms' then configurations.median_itl_ms
        when 'p90_itl_ms' then configurations.p90_itl_ms
        when 'p95_itl_ms' then configurations.p95_itl_ms
        when 'p99_itl_ms' then configurations.p99_itl_ms
        when 'avg_output_len' then configurations.avg_output_tokens
    end as received,
    figures.how as how,
    case figures.figure
        when 'hugging_face_id' then models.hugging_face_id
        when 'model_name' then models.model_name
        when 'model' then models.model
        when 'architecture' then models.architecture
        when 'params_b' then models.params_b
        when 'active_params_b' then models.active_params_b
        when 'gpu' then gpus.gpu
        when 'num_gpus' then configurations.num_gpus
        when 'tensor_parallel' then configurations.tensor_parallel
        when 'data_parallel' then configurations.data_parallel
        when 'expert_parallel' then configurations.expert_parallel
        when 'precision' then precisions.precision
        when 'max_num_seqs' then configurations.max_num_seqs
        when 'avg_running_batch' then configurations.avg_running_batch
        when 'tokens_per_second' then configurations.tokens_per_second
        when 'power_watts' then configurations.power_watts
        when 'joules_per_output_token' then configurations.joules_per_output_token
        when 'wh_per_million_output_tokens' then
            configurations.joules_per_output_token * 1e6 / 3600.0
        when 'joules_per_request' then configurations.joules_per_request
        when 'median_itl_ms' then configurations.median_itl_ms
        when 'under_itl_deadline' then
            case when configurations.median_itl_ms <= release.itl_deadline_ms then 1 else 0 end
        when 'p90_itl_ms' then configurations.p90_itl_ms
        when 'p95_itl_ms' then configurations.p95_itl_ms
        when 'p99_itl_ms' then configurations.p99_itl_ms
        when 'avg_output_tokens' then configurations.avg_output_tokens
    end as unrounded_value,
    '/configurations/' || configurations.document_position || '/' || figures.field as json_pointer,
    documents.name as document,
    documents.sha256 as sha256,
    coalesce(sources.data_url, sources.url) as source_url
from chosen
join configurations on configurations.configuration_id = chosen.configuration_id
join models on models.model_id = configurations.model_id
join gpus on gpus.gpu_id = configurations.gpu_id
join precisions on precisions.precision_id = configurations.precision_id
join documents on documents.document_id = configurations.document_id
left join sources on sources.source_id = documents.source_id
cross join release
cross join figures
order by figures.position;
