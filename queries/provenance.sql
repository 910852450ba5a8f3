-- Where every figure of one configuration comes from, and how it is computed from the source.
--
-- One row per figure. The last rows show how the source measured, and the power log if there is
-- one.
--
-- Columns:
--   - received: the value in the source's document, at the JSON pointer
--   - unrounded_value: the figure as queries use it
--   - how: how the figure is computed, and how it is rounded when it is
--     published (to the nearest, ties to even)
--   - document, sha256: the file and the hash of its bytes
--   - source_url: where the source publishes the file. Empty if that is not
--     known.
--   - requests: the number of requests that the figures are based on, if a
--     model's own file has the lengths of the outputs
--
-- The display name or the architecture of a model may come from another document than its
-- configurations. Then document and pointer are empty. For sources other than published, field is
-- the name of the column, and the row of the document is shown instead of the pointer.
--
-- :task    task    workload
-- :row_id  row_id  row_id of the configuration, such as qwen-3-14b/B200/1/8
--
-- needs :row_id
-- important: figure, field, received, unrounded_value
--
-- example: --row-id qwen-3-14b/B200/1/8
--   the document and field of each figure of a row
-- example: --task lm-arena-chat --row-id qwen-3-14b/H100/1/8
--   the same for a row of a named workload
with chosen as (
    select
        'tokens' as output,
        configurations.configuration_id as configuration_id,
        configurations.model_id as model_id,
        configurations.gpu_id as gpu_id,
        configurations.precision_id as precision_id,
        configurations.document_id as document_id,
        configurations.document_position as document_position
    from configurations
    join configuration_energy
        on configuration_energy.configuration_id = configurations.configuration_id
    where configurations.task_id in (select task_id from tasks where task = :task)
        and configurations.model_id in (
            select model_id
            from models
            where model = substr(
                :row_id,
                instr(:row_id, ':') + 1,
                instr(:row_id, '/') - 1 - instr(:row_id, ':')
            )
        )
        and configuration_energy.row_id = :row_id
    union all
    select
        diffusion_energy.output,
        diffusion_configurations.diffusion_configuration_id,
        diffusion_configurations.model_id,
        diffusion_configurations.gpu_id,
        diffusion_configurations.precision_id,
        diffusion_configurations.document_id,
        diffusion_configurations.document_position
    from diffusion_energy
    join diffusion_configurations on diffusion_configurations.diffusion_configuration_id
        = diffusion_energy.diffusion_configuration_id
    where diffusion_energy.task = :task and diffusion_energy.row_id = :row_id
),

-- One row per figure, in the order of the answer, with the kinds of task that have it: tokens, images or
-- videos, both of these (diffusion) or all.
figures (position, output, figure, field, how) as (
    values
        (1, 'all', 'hugging_face_id', 'model_id', 'as received'),
        (2, 'all', 'model_name', 'nickname', 'as received'),
        (
            3, 'all', 'model', 'nickname',
            'the slug of the name: lower case, a hyphen for what is not a-z or 0-9'
        ),
        (4, 'all', 'architecture', 'architecture', 'as received'),
        (
            5, 'all', 'params_b', 'total_params_billions',
            'as received, always with a decimal point'
        ),
        (
            6, 'all', 'active_params_b', 'activated_params_billions',
            'as received, always with a decimal point'
        ),
        (7, 'all', 'gpu', 'gpu_model', 'as received'),
        (8, 'all', 'num_gpus', 'num_gpus', 'as received'),
        (9, 'tokens', 'tensor_parallel', 'tensor_parallel', 'as received'),
        (10, 'tokens', 'data_parallel', 'data_parallel', 'as received'),
        (11, 'tokens', 'expert_parallel', 'expert_parallel', 'as received'),
        (
            12, 'all', 'precision', 'weight_precision',
            'in capitals; bfloat16, float16 and float32 as BF16, FP16 and FP32'
        ),
        (13, 'tokens', 'max_num_seqs', 'max_num_seqs', 'as received'),
        (
            14, 'tokens', 'avg_running_batch', 'avg_batch_size',
            'rounded to 1 decimal; published as avg_requests_in_flight too'
        ),
        (
            15, 'tokens', 'tokens_per_second', 'output_throughput_tokens_per_sec',
            'rounded to 1 decimal'
        ),
        (
            16, 'tokens', 'power_watts', 'avg_power_watts',
            'rounded to a whole number; published as gpu_power_watts_total'
        ),
        (
            17, 'tokens', 'joules_per_output_token', 'energy_per_token_joules',
            'rounded to 7 decimals'
        ),
        (
            18, 'tokens', 'wh_per_million_output_tokens', 'energy_per_token_joules',
            '* 10^6 / 3600, then rounded to 2 decimals'
        ),
        (
            19, 'tokens', 'joules_per_request', 'energy_per_request_joules',
            'not published: energy_per_token_joules * avg_output_len, by the source'
        ),
        (20, 'tokens', 'median_itl_ms', 'median_itl_ms', 'rounded to 1 decimal'),
        (
            21, 'tokens', 'under_itl_deadline', 'median_itl_ms',
            'true when at most the default deadline of the release'
        ),
        (22, 'tokens', 'p90_itl_ms', 'p90_itl_ms', 'rounded to 1 decimal'),
        (23, 'tokens', 'p95_itl_ms', 'p95_itl_ms', 'rounded to 1 decimal'),
        (24, 'tokens', 'p99_itl_ms', 'p99_itl_ms', 'rounded to 1 decimal'),
        (25, 'tokens', 'avg_output_tokens', 'avg_output_len', 'rounded to a whole number'),
        (26, 'diffusion', 'ulysses_degree', 'ulysses_degree', 'as received'),
        (27, 'diffusion', 'ring_degree', 'ring_degree', 'as received'),
        (28, 'diffusion', 'batch_size', 'batch_size', 'as received'),
        (29, 'images', 'height_pixels', 'image_height', 'as received'),
        (30, 'images', 'width_pixels', 'image_width', 'as received'),
        (31, 'videos', 'height_pixels', 'video_height', 'as received'),
        (32, 'videos', 'width_pixels', 'video_width', 'as received'),
        (33, 'videos', 'num_frames', 'num_frames', 'as received'),
        (34, 'videos', 'frames_per_second', 'fps', 'as received'),
        (35, 'diffusion', 'inference_steps', 'inference_steps', 'as received'),
        (36, 'diffusion', 'batch_latency_s', 'batch_latency_s', 'rounded to 3 decimals'),
        (37, 'images', 'images_per_second', 'throughput_images_per_sec', 'rounded to 4 decimals'),
        (38, 'videos', 'videos_per_second', 'throughput_videos_per_sec', 'rounded to 6 decimals'),
        (
            39, 'diffusion', 'power_watts', 'avg_power_watts',
            'rounded to a whole number; published as gpu_power_watts_total'
        ),
        (40, 'images', 'joules_per_image', 'energy_per_image_joules', 'rounded to 2 decimals'),
        (
            41, 'images', 'wh_per_image', 'energy_per_image_joules',
            '/ 3600, then rounded to 5 decimals'
        ),
        (42, 'videos', 'joules_per_video', 'energy_per_video_joules', 'rounded to 1 decimal'),
        (
            43, 'videos', 'wh_per_video', 'energy_per_video_joules',
            '/ 3600, then rounded to 3 decimals'
        ),
        (
            44, 'diffusion', 'under_batch_deadline', 'batch_latency_s',
            'true when at most the default deadline of the release'
        ),
        (
            45, 'videos', 'derived_wh_per_frame', 'energy_per_video_joules',
            '/ 3600 / num_frames'
        ),
        (
            46, 'videos', 'derived_wh_per_second_of_video', 'energy_per_video_joules',
            '/ 3600 * fps / num_frames'
        ),
        (
            47, 'images', 'derived_wh_per_megapixel', 'energy_per_image_joules',
            '/ 3600 * 10^6 / (image_width * image_height)'
        ),
        (
            48, 'videos', 'derived_wh_per_megapixel', 'energy_per_video_joules',
            '/ 3600 * 10^6 / (video_width * video_height) / num_frames'
        )
),

-- The figures of the configuration: the received value and the stored value.
valued as (
    select
        figures.position as position,
        figures.figure as figure,
        figures.field as field,
        figures.how as how,
        case figures.field
            when 'model_id' then models.hugging_face_id
            when 'nickname' then models.model_name
            when 'architecture' then models.architecture
            when 'total_params_billions' then models.params_b
            when 'activated_params_billions' then models.active_params_b
            when 'gpu_model' then gpus.gpu
            when 'num_gpus' then
                coalesce(configurations.num_gpus, diffusion_configurations.num_gpus)
            when 'weight_precision' then precisions.source_name
            when 'tensor_parallel' then configurations.tensor_parallel
            when 'data_parallel' then configurations.data_parallel
            when 'expert_parallel' then configurations.expert_parallel
            when 'max_num_seqs' then configurations.max_num_seqs
            when 'avg_batch_size' then configurations.avg_running_batch
            when 'output_throughput_tokens_per_sec' then configurations.tokens_per_second
            when 'energy_per_token_joules' then configurations.joules_per_output_token
            when 'energy_per_request_joules' then configurations.joules_per_request
            when 'median_itl_ms' then configurations.median_itl_ms
            when 'p90_itl_ms' then configurations.p90_itl_ms
            when 'p95_itl_ms' then configurations.p95_itl_ms
            when 'p99_itl_ms' then configurations.p99_itl_ms
            when 'avg_output_len' then configurations.avg_output_tokens
            when 'avg_power_watts' then
                coalesce(configurations.power_watts, diffusion_configurations.power_watts)
            when 'ulysses_degree' then diffusion_configurations.ulysses_degree
            when 'ring_degree' then diffusion_configurations.ring_degree
            when 'batch_size' then diffusion_configurations.batch_size
            when 'inference_steps' then diffusion_configurations.inference_steps
            when 'batch_latency_s' then diffusion_configurations.batch_latency_s
            when 'image_height' then diffusion_configurations.height_pixels
            when 'image_width' then diffusion_configurations.width_pixels
            when 'throughput_images_per_sec' then diffusion_configurations.outputs_per_second
            when 'energy_per_image_joules' then diffusion_configurations.joules_per_output
            when 'video_height' then diffusion_configurations.height_pixels
            when 'video_width' then diffusion_configurations.width_pixels
            when 'num_frames' then diffusion_configurations.num_frames
            when 'fps' then diffusion_configurations.frames_per_second
            when 'throughput_videos_per_sec' then diffusion_configurations.outputs_per_second
            when 'energy_per_video_joules' then diffusion_configurations.joules_per_output
        end as received,
        models.model as model,
        precisions.precision as precision,
        chosen.output as output,
        chosen.configuration_id as configuration_id,
        case
            -- Only some documents contain it; those of images and videos do not.
            when figures.field = 'architecture' and chosen.output <> 'tokens' then null
            when documents.kind <> 'model-file' then
                '/configurations/' || chosen.document_position || '/' || figures.field
            when figures.field = 'nickname' and chosen.output = 'tokens' then null
            when figures.field in (
                'model_id', 'nickname', 'architecture', 'total_params_billions',
                'activated_params_billions', 'weight_precision'
            ) then '/' || figures.field
            when figures.field in (
                'tensor_parallel', 'data_parallel', 'expert_parallel', 'ulysses_degree',
                'ring_degree'
            ) then
                '/configurations/' || chosen.document_position || '/parallelization/'
                || figures.field
            else '/configurations/' || chosen.document_position || '/' || figures.field
        end as json_pointer,
        chosen.document_id as document_id,
        chosen.document_position as document_position
    from chosen
    join figures
        on figures.output = 'all'
        or figures.output = chosen.output
        or (figures.output = 'diffusion' and chosen.output <> 'tokens')
    join models on models.model_id = chosen.model_id
    join gpus on gpus.gpu_id = chosen.gpu_id
    join precisions on precisions.precision_id = chosen.precision_id
    join documents on documents.document_id = chosen.document_id
    left join configurations
        on chosen.output = 'tokens' and configurations.configuration_id = chosen.configuration_id
    left join diffusion_configurations
        on chosen.output <> 'tokens'
        and diffusion_configurations.diffusion_configuration_id = chosen.configuration_id
),

-- How the source of the configuration measured.
methods as (
    select sources.source as source, facts.column1 as position, facts.column2 as fact,
        case facts.column2
            when 'energy_boundary' then sources.energy_boundary
            when 'measurement_window' then sources.measurement_window
            when 'itl_kind' then sources.itl_kind
            when 'runtime' then sources.runtime
            when 'runtime_version' then sources.runtime_version
            when 'measured_on' then sources.measured_on
            when 'is_estimated' then
                case sources.is_estimated when 1 then 'true' when 0 then 'false' end
            when 'power_log' then documents.power_log
            when 'power_log_sha256' then documents.power_log_sha256
        end as value
    from chosen
    join documents on documents.document_id = chosen.document_id
    join sources on sources.source_id = documents.source_id
    cross join (
        values
            (1, 'energy_boundary'), (2, 'measurement_window'), (3, 'itl_kind'), (4, 'runtime'),
            (5, 'runtime_version'), (6, 'measured_on'), (7, 'is_estimated'), (8, 'power_log'),
            (9, 'power_log_sha256')
    ) as facts
),

told as (
    select
        valued.position as position,
        valued.figure as figure,
        valued.field as field,
        valued.received as received,
        valued.how as how,
        case valued.figure
            when 'model' then valued.model
            when 'precision' then valued.precision
            when 'wh_per_million_output_tokens' then valued.received * 1e6 / 3600.0
            when 'wh_per_image' then valued.received / 3600.0
            when 'wh_per_video' then valued.received / 3600.0
            when 'under_itl_deadline' then valued.received <= release.itl_deadline_ms
            when 'under_batch_deadline' then
                valued.received <= case valued.output
                    when 'images' then release.image_deadline_s
                    when 'videos' then release.video_deadline_s
                end
            when 'derived_wh_per_frame' then (
                select derived_wh_per_frame
                from video_energy
                where video_configuration_id = valued.configuration_id
            )
            when 'derived_wh_per_second_of_video' then (
                select derived_wh_per_second_of_video
                from video_energy
                where video_configuration_id = valued.configuration_id
            )
            when 'derived_wh_per_megapixel' then (
                select derived_wh_per_megapixel
                from image_energy
                where image_configuration_id = valued.configuration_id
                union all
                select derived_wh_per_megapixel
                from video_energy
                where video_configuration_id = valued.configuration_id
            )
            else valued.received
        end as unrounded_value,
        valued.json_pointer as json_pointer,
        case when valued.json_pointer is not null then valued.document_id end as document_id,
        valued.document_position as document_position
    from valued
    cross join release
    union all
    select
        1000,
        'requests',
        'output_length_distribution',
        output_lengths.requests,
        'sum of the counts',
        output_lengths.requests,
        '/configurations/' || output_lengths.document_position
            || '/output_length_distribution/counts',
        output_lengths.document_id,
        output_lengths.document_position
    from chosen
    join output_lengths on output_lengths.configuration_id = chosen.configuration_id
        and output_lengths.model_id = chosen.model_id
    where chosen.output = 'tokens'
    union all
    select
        1000 + methods.position,
        methods.fact,
        case when methods.fact like 'power_log%' then 'document' else 'source' end,
        methods.value,
        case
            when methods.fact like 'power_log%' then 'the log that the energy is from'
            else 'of the source ' || methods.source
        end,
        methods.value,
        null,
        null,
        null
    from methods
    where methods.value is not null
)

select
    told.figure as figure,
    case
        when coalesce(sources.source, 'published') = 'published' then told.field
        when told.figure = 'model' then 'model_name'
        when told.figure = 'wh_per_million_output_tokens' then 'joules_per_output_token'
        when told.figure = 'under_itl_deadline' then 'median_itl_ms'
        when told.figure = 'under_batch_deadline' then 'batch_latency_s'
        when told.figure in ('images_per_second', 'videos_per_second') then 'outputs_per_second'
        when told.field in ('energy_per_image_joules', 'energy_per_video_joules')
            then 'joules_per_output'
        else told.figure
    end as field,
    told.received as received,
    case
        when sources.source <> 'published' and told.how = 'as received'
            then 'as received, or filled in when it was built'
        else told.how
    end as how,
    told.unrounded_value as unrounded_value,
    case
        when coalesce(sources.source, 'published') = 'published' then told.json_pointer
        when documents.kind in ('table', 'benchmark-runs', 'benchmark-generations')
            then 'row ' || (told.document_position + 1)
    end as json_pointer,
    documents.name as document,
    documents.sha256 as sha256,
    case
        when told.document_id is not null
            then coalesce(documents.data_url, sources.data_url, sources.url)
    end as source_url
from told
left join documents on documents.document_id = told.document_id
left join sources on sources.source_id = documents.source_id
order by told.position;
