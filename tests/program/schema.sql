-- The whole schema, as a test compares it.
-- application_id 0x454e4442, user_version 5

CREATE VIEW best_configurations as
-- The lowest-energy configuration of each task, model, GPU and source whose median inter-token
-- latency meets the release's default deadline, as in the published documents. There is no row if none
-- meets it. Runs that were not steady are not used. Ties are broken as in best_per_deadline.
select
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    best.num_gpus as num_gpus,
    precisions.precision as precision,
    best.max_num_seqs as max_num_seqs,
    release.itl_deadline_ms as deadline_ms,
    cast(best.joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    best.joules_per_output_token as joules_per_output_token,
    best.median_itl_ms as median_itl_ms,
    best.p90_itl_ms as p90_itl_ms,
    best.p95_itl_ms as p95_itl_ms,
    best.p99_itl_ms as p99_itl_ms,
    best.tokens_per_second as tokens_per_second,
    best.power_watts as power_watts,
    best.avg_running_batch as avg_running_batch,
    best.joules_per_request as joules_per_request,
    best.avg_output_tokens as avg_output_tokens,
    sources.source as source,
    cast((
        select configuration_energy.row_id
        from configuration_energy
        where configuration_energy.configuration_id = best.configuration_id
    ) as text) as row_id,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    best.tensor_parallel as tensor_parallel,
    best.data_parallel as data_parallel,
    best.expert_parallel as expert_parallel,
    best.repeat as repeat,
    best.configuration_id as configuration_id
from release
cross join tasks
cross join models
cross join measured
cross join gpus
cross join sources
cross join configurations as best
cross join precisions
where measured.task_id = tasks.task_id
    and measured.model_id = models.model_id
    and gpus.gpu_id = measured.gpu_id
    and sources.source_id = measured.source_id
    and best.configuration_id = (
        select candidates.configuration_id
        from configurations as candidates
        where candidates.task_id = measured.task_id
            and candidates.model_id = measured.model_id
            and candidates.gpu_id = measured.gpu_id
            and candidates.source_id = measured.source_id
            and candidates.median_itl_ms <= release.itl_deadline_ms
            and candidates.configuration_id not in (
                select configuration_id from unstable_configurations
            )
        order by
            candidates.joules_per_output_token,
            candidates.median_itl_ms,
            candidates.p90_itl_ms,
            candidates.p95_itl_ms,
            candidates.p99_itl_ms,
            candidates.configuration_id
        limit 1
    )
    and precisions.precision_id = best.precision_id;

CREATE VIEW best_images as
-- The lowest-energy configuration of each task, model, GPU, source, image size and number of inference
-- steps whose batch latency meets the release's default deadline of images. There is no row if none
-- meets it. Energy at different sizes and steps cannot be compared. If energies are equal, the lower
-- batch latency wins, then the configuration measured first.
select
    image_energy.task as task,
    image_energy.model as model,
    image_energy.gpu as gpu,
    image_energy.num_gpus as num_gpus,
    image_energy.precision as precision,
    image_energy.batch_size as batch_size,
    image_energy.width_pixels as width_pixels,
    image_energy.height_pixels as height_pixels,
    image_energy.inference_steps as inference_steps,
    release.image_deadline_s as deadline_s,
    image_energy.wh_per_image as wh_per_image,
    image_energy.joules_per_image as joules_per_image,
    image_energy.batch_latency_s as batch_latency_s,
    image_energy.images_per_second as images_per_second,
    image_energy.power_watts as power_watts,
    image_energy.derived_wh_per_megapixel as derived_wh_per_megapixel,
    image_energy.source as source,
    image_energy.row_id as row_id,
    image_energy.model_name as model_name,
    image_energy.ulysses_degree as ulysses_degree,
    image_energy.ring_degree as ring_degree,
    image_energy.repeat as repeat,
    image_energy.image_configuration_id as image_configuration_id
from image_energy
cross join release
where image_energy.image_configuration_id in (
    select (
        select candidates.diffusion_configuration_id
        from diffusion_configurations as candidates
        where candidates.task_id = settings.task_id
            and candidates.model_id = settings.model_id
            and candidates.gpu_id = settings.gpu_id
            and candidates.source_id = settings.source_id
            and candidates.height_pixels = settings.height_pixels
            and candidates.width_pixels = settings.width_pixels
            and candidates.inference_steps = settings.inference_steps
            and coalesce(candidates.num_frames, 0) = settings.num_frames
            and candidates.batch_latency_s <= deadline.image_deadline_s
        order by
            candidates.joules_per_output,
            candidates.batch_latency_s,
            candidates.diffusion_configuration_id
        limit 1
    )
    from release as deadline
    cross join (
        select distinct
            diffusion_configurations.task_id as task_id,
            diffusion_configurations.model_id as model_id,
            diffusion_configurations.gpu_id as gpu_id,
            diffusion_configurations.source_id as source_id,
            diffusion_configurations.height_pixels as height_pixels,
            diffusion_configurations.width_pixels as width_pixels,
            diffusion_configurations.inference_steps as inference_steps,
            coalesce(diffusion_configurations.num_frames, 0) as num_frames
        from diffusion_configurations
    ) as settings
);

CREATE VIEW best_per_deadline as
-- The lowest-energy configuration whose inter-token latency (ITL) meets a deadline.
-- One row per task, model, GPU, source, percentile and deadline_ms that some configuration meets. itl_ms
-- is the ITL at that percentile. Runs that were not steady are not used. If energies are equal, the lower
-- median, p90, p95 and p99 ITL wins, then the configuration measured first.
-- The view has only the deadlines of the table deadlines, 10 to 500 ms. For another deadline, select the
-- rows of configuration_latencies with that percentile and itl_ms <= the deadline. Of these, take the one
-- with the least joules_per_output_token for each task, model, GPU and source.
-- The choice reads only the index configurations_by_energy, whose order is the order of choice.
select
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    best.num_gpus as num_gpus,
    precisions.precision as precision,
    best.max_num_seqs as max_num_seqs,
    percentiles.percentile as percentile,
    deadlines.deadline_ms as deadline_ms,
    cast(
        case percentiles.percentile
            when 'median' then best.median_itl_ms
            when 'p90' then best.p90_itl_ms
            when 'p95' then best.p95_itl_ms
            when 'p99' then best.p99_itl_ms
        end
        as double
    ) as itl_ms,
    cast(best.joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    best.joules_per_output_token as joules_per_output_token,
    best.tokens_per_second as tokens_per_second,
    best.power_watts as power_watts,
    best.avg_running_batch as avg_running_batch,
    sources.source as source,
    cast((
        select configuration_energy.row_id
        from configuration_energy
        where configuration_energy.configuration_id = best.configuration_id
    ) as text) as row_id,
    models.model_name as model_name,
    best.repeat as repeat,
    best.configuration_id as configuration_id
from tasks
cross join models
cross join measured
cross join gpus
cross join sources
cross join percentiles
cross join deadlines
cross join configurations as best
cross join precisions
where measured.task_id = tasks.task_id
    and measured.model_id = models.model_id
    and gpus.gpu_id = measured.gpu_id
    and sources.source_id = measured.source_id
    and best.configuration_id = (
        select candidates.configuration_id
        from configurations as candidates
        where candidates.task_id = measured.task_id
            and candidates.model_id = measured.model_id
            and candidates.gpu_id = measured.gpu_id
            and candidates.source_id = measured.source_id
            and case percentiles.percentile
                when 'median' then candidates.median_itl_ms
                when 'p90' then candidates.p90_itl_ms
                when 'p95' then candidates.p95_itl_ms
                when 'p99' then candidates.p99_itl_ms
            end <= deadlines.deadline_ms
            and candidates.configuration_id not in (
                select configuration_id from unstable_configurations
            )
        order by
            candidates.joules_per_output_token,
            candidates.median_itl_ms,
            candidates.p90_itl_ms,
            candidates.p95_itl_ms,
            candidates.p99_itl_ms,
            candidates.configuration_id
        limit 1
    )
    and precisions.precision_id = best.precision_id;

CREATE VIEW best_videos as
-- The lowest-energy configuration of each task, model, GPU, source, video size, number of inference
-- steps and number of frames whose batch latency meets the release's default deadline of videos. There
-- is no row if none meets it. Energy at different sizes, steps and lengths cannot be compared. If
-- energies are equal, the lower batch latency wins, then the configuration measured first.
select
    video_energy.task as task,
    video_energy.model as model,
    video_energy.gpu as gpu,
    video_energy.num_gpus as num_gpus,
    video_energy.precision as precision,
    video_energy.batch_size as batch_size,
    video_energy.width_pixels as width_pixels,
    video_energy.height_pixels as height_pixels,
    video_energy.num_frames as num_frames,
    video_energy.frames_per_second as frames_per_second,
    video_energy.inference_steps as inference_steps,
    release.video_deadline_s as deadline_s,
    video_energy.wh_per_video as wh_per_video,
    video_energy.joules_per_video as joules_per_video,
    video_energy.batch_latency_s as batch_latency_s,
    video_energy.videos_per_second as videos_per_second,
    video_energy.power_watts as power_watts,
    video_energy.derived_wh_per_frame as derived_wh_per_frame,
    video_energy.derived_wh_per_second_of_video as derived_wh_per_second_of_video,
    video_energy.derived_wh_per_megapixel as derived_wh_per_megapixel,
    video_energy.source as source,
    video_energy.row_id as row_id,
    video_energy.model_name as model_name,
    video_energy.ulysses_degree as ulysses_degree,
    video_energy.ring_degree as ring_degree,
    video_energy.repeat as repeat,
    video_energy.video_configuration_id as video_configuration_id
from video_energy
cross join release
where video_energy.video_configuration_id in (
    select (
        select candidates.diffusion_configuration_id
        from diffusion_configurations as candidates
        where candidates.task_id = settings.task_id
            and candidates.model_id = settings.model_id
            and candidates.gpu_id = settings.gpu_id
            and candidates.source_id = settings.source_id
            and candidates.height_pixels = settings.height_pixels
            and candidates.width_pixels = settings.width_pixels
            and candidates.inference_steps = settings.inference_steps
            and coalesce(candidates.num_frames, 0) = settings.num_frames
            and candidates.batch_latency_s <= deadline.video_deadline_s
        order by
            candidates.joules_per_output,
            candidates.batch_latency_s,
            candidates.diffusion_configuration_id
        limit 1
    )
    from release as deadline
    cross join (
        select distinct
            diffusion_configurations.task_id as task_id,
            diffusion_configurations.model_id as model_id,
            diffusion_configurations.gpu_id as gpu_id,
            diffusion_configurations.source_id as source_id,
            diffusion_configurations.height_pixels as height_pixels,
            diffusion_configurations.width_pixels as width_pixels,
            diffusion_configurations.inference_steps as inference_steps,
            coalesce(diffusion_configurations.num_frames, 0) as num_frames
        from diffusion_configurations
    ) as settings
);

CREATE VIEW configuration_energy as
-- Every measured configuration that makes text, with its names and figures.
-- One row per task, model, GPU, source, number of GPUs, max_num_seqs and repeat. A figure is null if the
-- source does not report it. row_id is unique within a task. Wh per million output tokens is joules per
-- output token * 10^6 / 3600. The time in flight follows from Little's law: load / throughput. Requests
-- per slot are requests / load.
select
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    configurations.num_gpus as num_gpus,
    precisions.precision as precision,
    configurations.max_num_seqs as max_num_seqs,
    cast(configurations.joules_per_output_token * 1e6 / 3600.0 as double)
        as wh_per_million_output_tokens,
    configurations.joules_per_output_token as joules_per_output_token,
    configurations.median_itl_ms as median_itl_ms,
    configurations.p90_itl_ms as p90_itl_ms,
    configurations.p95_itl_ms as p95_itl_ms,
    configurations.p99_itl_ms as p99_itl_ms,
    configurations.tokens_per_second as tokens_per_second,
    configurations.power_watts as power_watts,
    configurations.avg_running_batch as avg_running_batch,
    cast(
        configurations.avg_running_batch * 1000.0 / configurations.tokens_per_second as double
    ) as ms_per_token_in_flight,
    cast(
        configurations.avg_running_batch * configurations.avg_output_tokens
        / configurations.tokens_per_second
        as double
    ) as request_seconds,
    cast(configurations.tokens_per_second / configurations.avg_output_tokens as double)
        as requests_per_second,
    cast(configurations.num_gpus * 1e6 / 3600.0 / configurations.tokens_per_second as double)
        as gpu_hours_per_million_output_tokens,
    cast(
        coalesce(configurations.requests, output_lengths.requests) * 1.0
        / configurations.avg_running_batch
        as double
    ) as requests_per_slot,
    configurations.joules_per_request as joules_per_request,
    configurations.median_ttft_ms as median_ttft_ms,
    configurations.p99_ttft_ms as p99_ttft_ms,
    configurations.mean_tpot_ms as mean_tpot_ms,
    configurations.avg_input_tokens as avg_input_tokens,
    configurations.avg_output_tokens as avg_output_tokens,
    cast(coalesce(configurations.requests, output_lengths.requests) as bigint) as requests,
    configurations.steady_state_s as steady_state_s,
    configurations.window_uncertainty_percent as window_uncertainty_percent,
    unstable_configurations.reason as unstable_reason,
    sources.source as source,
    cast(
        case when sources.source = 'published' then '' else sources.source || ':' end
        || models.model || '/' || gpus.gpu || '/' || configurations.num_gpus
        || '/' || configurations.max_num_seqs
        || case when configurations.repeat > 1 then '/r' || configurations.repeat else '' end
        as text
    ) as row_id,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    configurations.tensor_parallel as tensor_parallel,
    configurations.data_parallel as data_parallel,
    configurations.expert_parallel as expert_parallel,
    configurations.repeat as repeat,
    configurations.configuration_id as configuration_id
from configurations
join tasks on tasks.task_id = configurations.task_id
join models on models.model_id = configurations.model_id
join gpus on gpus.gpu_id = configurations.gpu_id
join sources on sources.source_id = configurations.source_id
join precisions on precisions.precision_id = configurations.precision_id
left join unstable_configurations
    on unstable_configurations.configuration_id = configurations.configuration_id
left join output_lengths
    on output_lengths.task_id = configurations.task_id
    and output_lengths.model_id = configurations.model_id
    and output_lengths.configuration_id = configurations.configuration_id;

CREATE VIEW configuration_latencies as
-- Every measured configuration that makes text, at each percentile of its inter-token latency (ITL).
-- One row per configuration and percentile: median, p90, p95 and p99. itl_ms is the ITL at that
-- percentile.
select
    configuration_energy.task as task,
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    percentiles.percentile as percentile,
    cast(
        case percentiles.percentile
            when 'median' then configuration_energy.median_itl_ms
            when 'p90' then configuration_energy.p90_itl_ms
            when 'p95' then configuration_energy.p95_itl_ms
            when 'p99' then configuration_energy.p99_itl_ms
        end
        as double
    ) as itl_ms,
    configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
    configuration_energy.joules_per_output_token as joules_per_output_token,
    configuration_energy.tokens_per_second as tokens_per_second,
    configuration_energy.power_watts as power_watts,
    configuration_energy.avg_running_batch as avg_running_batch,
    configuration_energy.ms_per_token_in_flight as ms_per_token_in_flight,
    configuration_energy.request_seconds as request_seconds,
    configuration_energy.requests_per_second as requests_per_second,
    configuration_energy.gpu_hours_per_million_output_tokens as gpu_hours_per_million_output_tokens,
    configuration_energy.requests_per_slot as requests_per_slot,
    configuration_energy.avg_output_tokens as avg_output_tokens,
    configuration_energy.unstable_reason as unstable_reason,
    configuration_energy.source as source,
    configuration_energy.row_id as row_id,
    configuration_energy.model_name as model_name,
    configuration_energy.median_itl_ms as median_itl_ms,
    configuration_energy.p90_itl_ms as p90_itl_ms,
    configuration_energy.p95_itl_ms as p95_itl_ms,
    configuration_energy.p99_itl_ms as p99_itl_ms,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    configuration_energy.repeat as repeat,
    configuration_energy.configuration_id as configuration_id
from configuration_energy
cross join percentiles;

CREATE VIEW configuration_means as
-- Every configuration that makes text, once, with the mean of each figure over its measurements.
-- Computed figures are computed from the means, but requests_per_slot is the lowest one. One row per task,
-- model, GPU, source, number of GPUs, degrees of parallelism, precision and max_num_seqs. row_id and
-- configuration_id are those of the first measurement.
select
    configuration_energy.task as task,
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    cast(avg(configuration_energy.joules_per_output_token) * 1e6 / 3600.0 as double)
        as wh_per_million_output_tokens,
    cast(avg(configuration_energy.joules_per_output_token) as double) as joules_per_output_token,
    cast(avg(configuration_energy.median_itl_ms) as double) as median_itl_ms,
    cast(avg(configuration_energy.p90_itl_ms) as double) as p90_itl_ms,
    cast(avg(configuration_energy.p95_itl_ms) as double) as p95_itl_ms,
    cast(avg(configuration_energy.p99_itl_ms) as double) as p99_itl_ms,
    cast(avg(configuration_energy.tokens_per_second) as double) as tokens_per_second,
    cast(avg(configuration_energy.power_watts) as double) as power_watts,
    cast(avg(configuration_energy.avg_running_batch) as double) as avg_running_batch,
    cast(
        avg(configuration_energy.avg_running_batch) * 1000.0
        / avg(configuration_energy.tokens_per_second)
        as double
    ) as ms_per_token_in_flight,
    cast(
        avg(configuration_energy.avg_running_batch) * avg(configuration_energy.avg_output_tokens)
        / avg(configuration_energy.tokens_per_second)
        as double
    ) as request_seconds,
    cast(
        avg(configuration_energy.tokens_per_second) / avg(configuration_energy.avg_output_tokens)
        as double
    ) as requests_per_second,
    cast(
        configuration_energy.num_gpus * 1e6 / 3600.0 / avg(configuration_energy.tokens_per_second)
        as double
    ) as gpu_hours_per_million_output_tokens,
    cast(
        case
            when count(configuration_energy.requests_per_slot) = count(*)
            then min(configuration_energy.requests_per_slot)
        end
        as double
    ) as requests_per_slot,
    cast(avg(configuration_energy.avg_output_tokens) as double) as avg_output_tokens,
    cast(count(*) as bigint) as measurements,
    cast(max(configuration_energy.unstable_reason) as text) as unstable_reason,
    configuration_energy.source as source,
    cast(
        case
            when configuration_energy.source = 'published' then ''
            else configuration_energy.source || ':'
        end
        || configuration_energy.model || '/' || configuration_energy.gpu
        || '/' || configuration_energy.num_gpus || '/' || configuration_energy.max_num_seqs
        || case
            when min(configuration_energy.repeat) > 1 then '/r' || min(configuration_energy.repeat)
            else ''
        end
        as text
    ) as row_id,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    cast(min(configuration_energy.configuration_id) as bigint) as configuration_id
from configuration_energy
group by
    configuration_energy.task,
    configuration_energy.model,
    configuration_energy.gpu,
    configuration_energy.source,
    configuration_energy.num_gpus,
    configuration_energy.tensor_parallel,
    configuration_energy.data_parallel,
    configuration_energy.expert_parallel,
    configuration_energy.precision,
    configuration_energy.max_num_seqs;

CREATE TABLE configurations (
    -- One row per measured configuration: one way to serve a model, and what it measured.
    -- If a configuration was measured again, it has another row with the next repeat.
    -- A figure is null if the source does not report it.
    configuration_id integer not null primary key,
    task_id integer not null references tasks (task_id),
    model_id integer not null references models (model_id),
    gpu_id integer not null references gpus (gpu_id),
    source_id integer not null references sources (source_id),
    num_gpus integer not null check (num_gpus >= 1 and (num_gpus | 0) = num_gpus),
    -- Degrees of parallelism are as published; their product need not be num_gpus.
    tensor_parallel integer not null
        check (tensor_parallel >= 1 and (tensor_parallel | 0) = tensor_parallel),
    data_parallel integer not null
        check (data_parallel >= 1 and (data_parallel | 0) = data_parallel),
    expert_parallel integer not null
        check (expert_parallel >= 1 and (expert_parallel | 0) = expert_parallel),
    precision_id integer not null references precisions (precision_id),
    -- The limit on requests in flight. The measured load is avg_running_batch.
    max_num_seqs integer not null check (max_num_seqs >= 1 and (max_num_seqs | 0) = max_num_seqs),
    -- Numbers the rows with the same task, model, GPU, source, num_gpus and max_num_seqs, from 1.
    repeat integer not null check (repeat >= 1 and (repeat | 0) = repeat),
    -- Mean number of requests in flight, as measured.
    avg_running_batch real check (avg_running_batch > 0 and avg_running_batch < 9e999),
    -- Output tokens per second, all GPUs together.
    tokens_per_second real not null check (tokens_per_second > 0 and tokens_per_second < 9e999),
    -- Watts, all GPUs together.
    power_watts real not null check (power_watts > 0 and power_watts < 9e999),
    -- The measured energy figure.
    joules_per_output_token real not null
        check (joules_per_output_token > 0 and joules_per_output_token < 9e999),
    -- Computed by the source: joules_per_output_token * avg_output_tokens.
    joules_per_request real check (joules_per_request > 0 and joules_per_request < 9e999),
    -- Inter-token latency (ITL): time from one output token of a request to its next, ms.
    median_itl_ms real check (median_itl_ms > 0 and median_itl_ms < 9e999),
    p90_itl_ms real check (p90_itl_ms > 0 and p90_itl_ms < 9e999),
    p95_itl_ms real check (p95_itl_ms > 0 and p95_itl_ms < 9e999),
    p99_itl_ms real check (p99_itl_ms > 0 and p99_itl_ms < 9e999),
    -- Time from a request to its first output token (TTFT), ms.
    median_ttft_ms real check (median_ttft_ms > 0 and median_ttft_ms < 9e999),
    p99_ttft_ms real check (p99_ttft_ms > 0 and p99_ttft_ms < 9e999),
    -- Time per output token after the first (TPOT), mean over requests, ms.
    mean_tpot_ms real check (mean_tpot_ms > 0 and mean_tpot_ms < 9e999),
    -- Mean length of a prompt.
    avg_input_tokens real check (avg_input_tokens > 0 and avg_input_tokens < 9e999),
    -- Mean output length of a request.
    avg_output_tokens real check (avg_output_tokens > 0 and avg_output_tokens < 9e999),
    -- Number of requests that the figures are based on.
    requests integer check (requests >= 1 and (requests | 0) = requests),
    -- Length of the steady state of the measurement, seconds.
    steady_state_s real check (steady_state_s > 0 and steady_state_s < 9e999),
    -- The uncertainty of the window of a power log, as a share of the run.
    window_uncertainty_percent real
        check (window_uncertainty_percent > 0 and window_uncertainty_percent < 9e999),
    document_id integer not null references documents (document_id),
    -- Place in the document: index into its configurations, from 0.
    document_position integer not null
        check (document_position >= 0 and (document_position | 0) = document_position)
);

CREATE INDEX configurations_by_energy on configurations (
    task_id, model_id, gpu_id, source_id, joules_per_output_token,
    median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms
);

CREATE UNIQUE INDEX configurations_by_key on configurations (
    task_id, model_id, gpu_id, num_gpus, max_num_seqs, source_id, repeat
);

CREATE TABLE content_hash (
    -- At most one row: the sha256 of the content of all other tables, as it was when this file was
    -- built. It is taken of the names of the tables, in order, each followed by its rows in the
    -- order of their primary key, each row by its values in the order of the columns. A name and a
    -- value are written as a letter, the number of bytes that follow it in decimal digits, a colon
    -- and the bytes: T and a table's name in UTF-8; n and nothing for null; i and the decimal
    -- digits of an integer; r and the 8 bytes of a real number (IEEE 754 double, big-endian); t and
    -- the UTF-8 bytes of a text; b and the bytes of a blob. Left out are this table, the history of
    -- migrations (refinery_schema_history) and SQLite's own tables (sqlite_...).
    content_hash_id integer not null primary key check (content_hash_id = 1),
    sha256 text not null  -- in hexadecimal, lower case
);

CREATE VIEW curve_segments as
-- Every segment of a concurrency curve, between two neighbouring points.
-- A curve consists of the configurations that make text and differ only in max_num_seqs, in the order of
-- load. A configuration that was measured more than once is one point, at the mean of its figures. One row
-- per point: it is the upper end of a segment. Columns that begin with lower_ are the figures of the lower
-- end, and null at the first point. Columns that begin with reached_ are the highest of all points before.
-- series_id is the configuration_id of the first point. A point is left out if its load is unknown or its
-- run was not steady.
select
    configuration_means.task as task,
    configuration_means.model as model,
    configuration_means.gpu as gpu,
    configuration_means.num_gpus as num_gpus,
    configuration_means.precision as precision,
    configuration_means.max_num_seqs as max_num_seqs,
    configuration_means.median_itl_ms as median_itl_ms,
    configuration_means.p90_itl_ms as p90_itl_ms,
    configuration_means.p95_itl_ms as p95_itl_ms,
    configuration_means.p99_itl_ms as p99_itl_ms,
    configuration_means.tokens_per_second as tokens_per_second,
    configuration_means.power_watts as power_watts,
    configuration_means.avg_running_batch as avg_running_batch,
    configuration_means.requests_per_second as requests_per_second,
    configuration_means.requests_per_slot as requests_per_slot,
    cast(
        last_value(configuration_means.median_itl_ms) over before as double
    ) as lower_median_itl_ms,
    cast(
        last_value(configuration_means.p90_itl_ms) over before as double
    ) as lower_p90_itl_ms,
    cast(
        last_value(configuration_means.p95_itl_ms) over before as double
    ) as lower_p95_itl_ms,
    cast(
        last_value(configuration_means.p99_itl_ms) over before as double
    ) as lower_p99_itl_ms,
    cast(
        last_value(configuration_means.tokens_per_second) over before as double
    ) as lower_tokens_per_second,
    cast(
        last_value(configuration_means.power_watts) over before as double
    ) as lower_power_watts,
    cast(
        last_value(configuration_means.avg_running_batch) over before as double
    ) as lower_avg_running_batch,
    cast(
        last_value(configuration_means.requests_per_second) over before as double
    ) as lower_requests_per_second,
    cast(
        last_value(configuration_means.requests_per_slot) over before as double
    ) as lower_requests_per_slot,
    cast(
        max(configuration_means.tokens_per_second) over before as double
    ) as reached_tokens_per_second,
    cast(
        max(configuration_means.requests_per_second) over before as double
    ) as reached_requests_per_second,
    configuration_means.source as source,
    configuration_means.row_id as row_id,
    cast(
        last_value(configuration_means.row_id) over before as text
    ) as lower_row_id,
    configuration_means.tensor_parallel as tensor_parallel,
    configuration_means.data_parallel as data_parallel,
    configuration_means.expert_parallel as expert_parallel,
    cast(
        coalesce(
            first_value(configuration_means.configuration_id) over before,
            configuration_means.configuration_id
        )
        as bigint
    ) as series_id,
    configuration_means.configuration_id as configuration_id
from configuration_means
where configuration_means.avg_running_batch is not null
    and configuration_means.unstable_reason is null
window before as (
    partition by
        configuration_means.task,
        configuration_means.model,
        configuration_means.gpu,
        configuration_means.source,
        configuration_means.num_gpus,
        configuration_means.tensor_parallel,
        configuration_means.data_parallel,
        configuration_means.expert_parallel,
        configuration_means.precision
    order by configuration_means.avg_running_batch, configuration_means.configuration_id
    rows between unbounded preceding and 1 preceding
);

CREATE TABLE deadlines (
    -- One row per usual deadline on inter-token latency. 10 ms is 100 tokens a second for each
    -- reader, 50 ms is faster than people read, 500 ms is the leaderboard's own default ceiling.
    deadline_id integer not null primary key,
    deadline_ms real not null check (deadline_ms > 0 and deadline_ms < 9e999)
);

CREATE UNIQUE INDEX deadlines_by_ms on deadlines (deadline_ms);

CREATE TABLE dictionary (
    -- One row per table or view, and one per column of each: what it means.
    dictionary_id integer not null primary key,
    object_name text not null,  -- the table or view
    kind text not null,         -- table or view
    column_name text,           -- null in the row that is about the whole table or view
    meaning text not null,
    unit text,                  -- null where there is none
    source text                 -- the source's field or the formula; null where the meaning says it
);

CREATE UNIQUE INDEX dictionary_by_name on dictionary (object_name, column_name);

CREATE TABLE diffusion_configurations (
    -- One row per measured configuration that makes images or videos, and what it measured.
    -- If a configuration was measured again, it has another row with the next repeat.
    diffusion_configuration_id integer not null primary key,
    task_id integer not null references tasks (task_id),
    model_id integer not null references models (model_id),
    gpu_id integer not null references gpus (gpu_id),
    source_id integer not null references sources (source_id),
    num_gpus integer not null check (num_gpus >= 1 and (num_gpus | 0) = num_gpus),
    -- Images or videos made at once.
    batch_size integer not null check (batch_size >= 1 and (batch_size | 0) = batch_size),
    height_pixels integer not null
        check (height_pixels >= 1 and (height_pixels | 0) = height_pixels),
    width_pixels integer not null check (width_pixels >= 1 and (width_pixels | 0) = width_pixels),
    -- Denoising steps.
    inference_steps integer not null
        check (inference_steps >= 1 and (inference_steps | 0) = inference_steps),
    -- Frames of a video; null for an image, or if the source does not report it.
    num_frames integer check (num_frames >= 1 and (num_frames | 0) = num_frames),
    -- Frames per second at which a video plays; null if num_frames is.
    frames_per_second integer
        check (frames_per_second >= 1 and (frames_per_second | 0) = frames_per_second),
    -- Degrees of parallelism; their product is num_gpus.
    ulysses_degree integer not null
        check (ulysses_degree >= 1 and (ulysses_degree | 0) = ulysses_degree),
    ring_degree integer not null check (ring_degree >= 1 and (ring_degree | 0) = ring_degree),
    precision_id integer not null references precisions (precision_id),
    -- Numbers the rows that are equal in all columns above except the precision, from 1.
    repeat integer not null check (repeat >= 1 and (repeat | 0) = repeat),
    -- The measured energy figure: joules per image or video.
    joules_per_output real not null check (joules_per_output > 0 and joules_per_output < 9e999),
    -- Seconds from the start of a batch to its end.
    batch_latency_s real not null check (batch_latency_s > 0 and batch_latency_s < 9e999),
    -- Images or videos per second, all GPUs together.
    outputs_per_second real not null check (outputs_per_second > 0 and outputs_per_second < 9e999),
    -- Watts, all GPUs together.
    power_watts real not null check (power_watts > 0 and power_watts < 9e999),
    document_id integer not null references documents (document_id),
    -- Place in the document: index into its configurations, from 0.
    document_position integer not null
        check (document_position >= 0 and (document_position | 0) = document_position)
);

CREATE INDEX diffusion_configurations_by_energy on diffusion_configurations (
    task_id, model_id, gpu_id, source_id, height_pixels, width_pixels, inference_steps, num_frames,
    joules_per_output, batch_latency_s
);

CREATE UNIQUE INDEX diffusion_configurations_by_key on diffusion_configurations (
    task_id, model_id, gpu_id, num_gpus, batch_size, height_pixels, width_pixels, inference_steps,
    num_frames, frames_per_second, ulysses_degree, ring_degree, source_id, repeat
);

CREATE VIEW diffusion_energy as
-- Every measured configuration that makes images or videos, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, image or video size, frames, frames per
-- second, number of inference steps, degrees of parallelism, source and repeat. row_id is unique
-- within a task, and has a - for a value that the source does not report. output says whether the task
-- makes images or videos. Energy is per image or video: Wh is joules / 3600. image_energy and
-- video_energy show each kind with its own column names.
select
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    diffusion_configurations.num_gpus as num_gpus,
    precisions.precision as precision,
    diffusion_configurations.batch_size as batch_size,
    tasks.output as output,
    diffusion_configurations.width_pixels as width_pixels,
    diffusion_configurations.height_pixels as height_pixels,
    diffusion_configurations.num_frames as num_frames,
    diffusion_configurations.frames_per_second as frames_per_second,
    diffusion_configurations.inference_steps as inference_steps,
    cast(diffusion_configurations.joules_per_output / 3600.0 as double) as wh_per_output,
    diffusion_configurations.joules_per_output as joules_per_output,
    diffusion_configurations.batch_latency_s as batch_latency_s,
    diffusion_configurations.outputs_per_second as outputs_per_second,
    diffusion_configurations.power_watts as power_watts,
    sources.source as source,
    cast(
        case when sources.source = 'published' then '' else sources.source || ':' end
        || models.model || '/' || gpus.gpu || '/' || diffusion_configurations.num_gpus
        || '/' || diffusion_configurations.batch_size
        || '/' || diffusion_configurations.width_pixels
        || 'x' || diffusion_configurations.height_pixels
        || case
            when tasks.output = 'images' then ''
            else '/' || coalesce('' || diffusion_configurations.num_frames, '-')
                || '@' || coalesce('' || diffusion_configurations.frames_per_second, '-')
        end
        || '/' || diffusion_configurations.inference_steps
        || '/u' || diffusion_configurations.ulysses_degree
        || 'r' || diffusion_configurations.ring_degree
        || case
            when diffusion_configurations.repeat > 1 then '/r' || diffusion_configurations.repeat
            else ''
        end
        as text
    ) as row_id,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    diffusion_configurations.ulysses_degree as ulysses_degree,
    diffusion_configurations.ring_degree as ring_degree,
    diffusion_configurations.repeat as repeat,
    diffusion_configurations.diffusion_configuration_id as diffusion_configuration_id
from diffusion_configurations
join tasks on tasks.task_id = diffusion_configurations.task_id
join models on models.model_id = diffusion_configurations.model_id
join gpus on gpus.gpu_id = diffusion_configurations.gpu_id
join sources on sources.source_id = diffusion_configurations.source_id
join precisions on precisions.precision_id = diffusion_configurations.precision_id;

CREATE TABLE documents (
    -- One row per file that was read, and per task if a file has several.
    document_id integer not null primary key,
    task_id integer references tasks (task_id),  -- null for an index, which is for all tasks
    source_id integer not null references sources (source_id),
    name text not null,       -- relative to the given input, with / between its parts
    kind text not null,       -- kind of file, such as task-file or vllm-bench
    sha256 text not null,     -- of the bytes as received
    bytes integer not null check (bytes >= 0 and (bytes | 0) = bytes),
    data_url text,            -- where this file is published, null if that is not known
    -- The power log that the energy of its runs comes from: its name and its sha256.
    power_log text,
    power_log_sha256 text check ((power_log is null) = (power_log_sha256 is null))
);

CREATE UNIQUE INDEX documents_by_sha256 on documents (sha256, task_id);

CREATE TABLE findings (
    -- One row per finding of a check that the publisher chose to accept when building this file.
    -- No row means that every check passed on everything.
    finding_id integer not null primary key,
    check_name text not null,  -- which check, such as power-identity
    document_id integer not null references documents (document_id),
    place text not null,       -- JSON pointer into the document
    value text not null,       -- what the document says
    expected text not null     -- what the check expected
);

CREATE VIEW gpu_power as
-- The measured power of one GPU, and its share of the power that the GPU is rated for.
-- One row per configuration that makes text. per_gpu_power_watts is the power of the whole
-- configuration / its number of GPUs. share_of_rated_power is per_gpu_power_watts / rated_power_watts,
-- and null for a GPU without reference data.
select
    configuration_energy.task as task,
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.precision as precision,
    configuration_energy.max_num_seqs as max_num_seqs,
    cast(configuration_energy.power_watts / configuration_energy.num_gpus as double)
        as per_gpu_power_watts,
    gpus.rated_power_watts as rated_power_watts,
    cast(
        configuration_energy.power_watts / configuration_energy.num_gpus
        / gpus.rated_power_watts
        as double
    ) as share_of_rated_power,
    configuration_energy.avg_running_batch as avg_running_batch,
    configuration_energy.source as source,
    configuration_energy.row_id as row_id,
    configuration_energy.tensor_parallel as tensor_parallel,
    configuration_energy.data_parallel as data_parallel,
    configuration_energy.expert_parallel as expert_parallel,
    configuration_energy.repeat as repeat,
    configuration_energy.configuration_id as configuration_id
from configuration_energy
join gpus on gpus.gpu = configuration_energy.gpu;

CREATE TABLE gpus (
    -- One row per type of GPU.
    gpu_id integer not null primary key,
    gpu text not null  -- such as B200
, product text, vendor text, rated_power_watts real
    check (rated_power_watts > 0 and rated_power_watts < 9e999), memory_gb real check (memory_gb > 0 and memory_gb < 9e999), reference_title text, reference_url text);

CREATE UNIQUE INDEX gpus_by_name on gpus (gpu);

CREATE VIEW image_energy as
-- Every measured configuration that makes images, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, image size, number of inference steps,
-- degrees of parallelism, source and repeat. row_id is unique within a task. Wh per image is
-- joules per image / 3600. Columns that begin with derived_ are computed, not measured: energy at
-- another size need not be in proportion.
select
    diffusion_energy.task as task,
    diffusion_energy.model as model,
    diffusion_energy.gpu as gpu,
    diffusion_energy.num_gpus as num_gpus,
    diffusion_energy.precision as precision,
    diffusion_energy.batch_size as batch_size,
    diffusion_energy.width_pixels as width_pixels,
    diffusion_energy.height_pixels as height_pixels,
    diffusion_energy.inference_steps as inference_steps,
    diffusion_energy.wh_per_output as wh_per_image,
    diffusion_energy.joules_per_output as joules_per_image,
    diffusion_energy.batch_latency_s as batch_latency_s,
    diffusion_energy.outputs_per_second as images_per_second,
    diffusion_energy.power_watts as power_watts,
    cast(
        diffusion_energy.wh_per_output * 1e6
        / (diffusion_energy.width_pixels * diffusion_energy.height_pixels)
        as double
    ) as derived_wh_per_megapixel,
    diffusion_energy.source as source,
    diffusion_energy.row_id as row_id,
    diffusion_energy.model_name as model_name,
    diffusion_energy.hugging_face_id as hugging_face_id,
    diffusion_energy.params_b as params_b,
    diffusion_energy.active_params_b as active_params_b,
    diffusion_energy.architecture as architecture,
    diffusion_energy.ulysses_degree as ulysses_degree,
    diffusion_energy.ring_degree as ring_degree,
    diffusion_energy.repeat as repeat,
    diffusion_energy.diffusion_configuration_id as image_configuration_id
from diffusion_energy
where diffusion_energy.output = 'images';

CREATE TABLE licence_evidence (
    -- One row per piece of evidence for a source's licence, in the order of importance.
    source_id integer not null references sources (source_id),
    position integer not null check (position >= 1 and (position | 0) = position),
    evidence text not null,
    primary key (source_id, position)
);

CREATE TABLE measured (
    -- One row per task, model, GPU and source that has configurations.
    task_id integer not null references tasks (task_id),
    model_id integer not null references models (model_id),
    gpu_id integer not null references gpus (gpu_id),
    source_id integer not null references sources (source_id),
    primary key (task_id, model_id, gpu_id, source_id)
);

CREATE VIEW model_index as
-- Every measured model, with its lowest energy per output token within the default deadline.
-- One row per task, model and source. The lowest figures are null if no configuration meets the deadline.
-- They are also null for a task that makes images or videos; use best_images and best_videos for those.
select
    tasks.task as task,
    models.model as model,
    counts.gpus as gpus,
    counts.configurations as configurations,
    cast(lowest.joules_per_output_token * 1e6 / 3600.0 as double)
        as lowest_wh_per_million_output_tokens,
    lowest.joules_per_output_token as lowest_joules_per_output_token,
    sources.source as source,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture
from (
    select
        rows.task_id as task_id,
        rows.model_id as model_id,
        rows.source_id as source_id,
        cast(count(distinct rows.gpu_id) as bigint) as gpus,
        cast(count(*) as bigint) as configurations
    from (
        select task_id, model_id, gpu_id, source_id from configurations
        union all
        select task_id, model_id, gpu_id, source_id from diffusion_configurations
    ) as rows
    group by rows.task_id, rows.model_id, rows.source_id
) as counts
join tasks on tasks.task_id = counts.task_id
join models on models.model_id = counts.model_id
join sources on sources.source_id = counts.source_id
left join (
    select
        configurations.task_id as task_id,
        configurations.model_id as model_id,
        configurations.source_id as source_id,
        cast(min(configurations.joules_per_output_token) as double) as joules_per_output_token
    from configurations
    cross join release
    where configurations.median_itl_ms <= release.itl_deadline_ms
        and configurations.configuration_id not in (
            select configuration_id from unstable_configurations
        )
    group by configurations.task_id, configurations.model_id, configurations.source_id
) as lowest
    on lowest.task_id = counts.task_id
    and lowest.model_id = counts.model_id
    and lowest.source_id = counts.source_id;

CREATE TABLE models (
    -- One row per model that is served.
    model_id integer not null primary key,
    model text not null,            -- its slug: the name that queries and file names use
    model_name text not null,       -- display name
    hugging_face_id text not null,  -- such as Qwen/Qwen3-14B
    params_b real check (params_b > 0 and params_b < 9e999),
                                    -- parameters, 10^9
    active_params_b real check (active_params_b > 0 and active_params_b < 9e999),
                                    -- parameters used for each token, 10^9
    architecture text               -- null where the source gives none
);

CREATE UNIQUE INDEX models_by_hugging_face_id on models (hugging_face_id);

CREATE UNIQUE INDEX models_by_slug on models (model);

CREATE TABLE output_length_bins (
    -- One row per bin of a histogram: the requests whose output was of such a length.
    output_lengths_id integer not null references output_lengths (output_lengths_id),
    bin integer not null check (bin >= 1 and (bin | 0) = bin),  -- in the order of length, from 1
    from_tokens real not null check (from_tokens >= 0 and from_tokens < 9e999),
    to_tokens real not null check (to_tokens > 0 and to_tokens < 9e999),
    requests integer not null check (requests >= 0 and (requests | 0) = requests),
    primary key (output_lengths_id, bin)
);

CREATE TABLE output_lengths (
    -- One row per histogram of output lengths, from a model's own document: that of one
    -- configuration, or, where configuration_id is null, that of all runs of a model in a task,
    -- of which some are not published as configurations.
    output_lengths_id integer not null primary key,
    task_id integer not null references tasks (task_id),
    model_id integer not null references models (model_id),
    configuration_id integer references configurations (configuration_id),
    document_id integer not null references documents (document_id),
    -- Place in that document: index into its configurations, from 0; null for that of all runs.
    document_position integer
        check (document_position >= 0 and (document_position | 0) = document_position),
    -- Requests in all bins.
    requests integer not null check (requests >= 1 and (requests | 0) = requests)
);

CREATE UNIQUE INDEX output_lengths_by_configuration
    on output_lengths (task_id, model_id, configuration_id);

CREATE VIEW pareto_frontier as
-- The configurations that no other of the same task, model, GPU and source beats in both energy per
-- output token and inter-token latency (ITL). Runs that were not steady are not used. A configuration
-- beats another if it is at least as good in both and better in one. Configurations that are equal in
-- both are all listed.
-- One row per percentile and configuration on its frontier. itl_ms is the ITL at that percentile.
-- The search for a better configuration begins at the nearest energy, where it is found soonest.
select
    tasks.task as task,
    models.model as model,
    gpus.gpu as gpu,
    best.num_gpus as num_gpus,
    precisions.precision as precision,
    best.max_num_seqs as max_num_seqs,
    percentiles.percentile as percentile,
    cast(
        case percentiles.percentile
            when 'median' then best.median_itl_ms
            when 'p90' then best.p90_itl_ms
            when 'p95' then best.p95_itl_ms
            when 'p99' then best.p99_itl_ms
        end
        as double
    ) as itl_ms,
    cast(best.joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    best.joules_per_output_token as joules_per_output_token,
    best.tokens_per_second as tokens_per_second,
    best.power_watts as power_watts,
    best.avg_running_batch as avg_running_batch,
    sources.source as source,
    cast((
        select configuration_energy.row_id
        from configuration_energy
        where configuration_energy.configuration_id = best.configuration_id
    ) as text) as row_id,
    models.model_name as model_name,
    best.repeat as repeat,
    best.configuration_id as configuration_id
from tasks
cross join models
cross join measured
cross join gpus
cross join sources
cross join percentiles
cross join configurations as best
cross join precisions
where measured.task_id = tasks.task_id
    and measured.model_id = models.model_id
    and gpus.gpu_id = measured.gpu_id
    and sources.source_id = measured.source_id
    and precisions.precision_id = best.precision_id
    and best.task_id = measured.task_id
    and best.model_id = measured.model_id
    and best.gpu_id = measured.gpu_id
    and best.source_id = measured.source_id
    and best.configuration_id not in (select configuration_id from unstable_configurations)
    and case percentiles.percentile
        when 'median' then best.median_itl_ms
        when 'p90' then best.p90_itl_ms
        when 'p95' then best.p95_itl_ms
        when 'p99' then best.p99_itl_ms
    end is not null
    and (
        select others.configuration_id
        from configurations as others
        where others.task_id = best.task_id
            and others.model_id = best.model_id
            and others.gpu_id = best.gpu_id
            and others.source_id = best.source_id
            and others.joules_per_output_token <= best.joules_per_output_token
            and others.configuration_id not in (
                select configuration_id from unstable_configurations
            )
            and case percentiles.percentile
                when 'median' then
                    others.median_itl_ms <= best.median_itl_ms
                    and (
                        others.median_itl_ms < best.median_itl_ms
                        or others.joules_per_output_token < best.joules_per_output_token
                    )
                when 'p90' then
                    others.p90_itl_ms <= best.p90_itl_ms
                    and (
                        others.p90_itl_ms < best.p90_itl_ms
                        or others.joules_per_output_token < best.joules_per_output_token
                    )
                when 'p95' then
                    others.p95_itl_ms <= best.p95_itl_ms
                    and (
                        others.p95_itl_ms < best.p95_itl_ms
                        or others.joules_per_output_token < best.joules_per_output_token
                    )
                when 'p99' then
                    others.p99_itl_ms <= best.p99_itl_ms
                    and (
                        others.p99_itl_ms < best.p99_itl_ms
                        or others.joules_per_output_token < best.joules_per_output_token
                    )
            end
        order by others.joules_per_output_token desc
        limit 1
    ) is null;

CREATE TABLE percentiles (
    -- One row per percentile of inter-token latency that a deadline may apply to.
    percentile_id integer not null primary key,
    percentile text not null
);

CREATE UNIQUE INDEX percentiles_by_name on percentiles (percentile);

CREATE TABLE precisions (
    -- One row per number format of the weights.
    precision_id integer not null primary key,
    precision text not null,    -- as published, such as BF16
    source_name text not null   -- as the source names it, such as bfloat16
);

CREATE UNIQUE INDEX precisions_by_name on precisions (precision);

CREATE TABLE refinery_schema_history(
             version int4 PRIMARY KEY,
             name VARCHAR(255),
             applied_on VARCHAR(255),
             checksum VARCHAR(255));

CREATE TABLE release (
    -- Exactly one row: the state of the data that this file holds.
    release_id integer not null primary key check (release_id = 1),
    version text not null,       -- version of the published documents' form
    updated text not null,       -- day on which this release was published, YYYY-MM-DD
    data_version text not null,  -- day that names the state of the data, YYYY-MM-DD
    unit text not null,          -- unit of the figure that configurations are chosen by
    itl_deadline_ms real not null check (itl_deadline_ms > 0 and itl_deadline_ms < 9e999),
                                 -- default deadline: highest median inter-token latency, ms
    caveat text not null,        -- what the figures leave out
    boundary text not null,      -- what was measured: gpu_only
    energydb_version text not null  -- version of the program that built this file
, image_deadline_s real not null default 30.0
    check (image_deadline_s > 0 and image_deadline_s < 9e999), video_deadline_s real not null default 300.0
    check (video_deadline_s > 0 and video_deadline_s < 9e999));

CREATE TABLE sources (
    -- One row per data set that documents come from, published or measured by the user: its licence,
    -- its citation and its method. Unknown values are null.
    source_id integer not null primary key,
    source text not null,     -- the name that queries take: published for the leaderboard's data
    name text,                -- name of the data set
    publisher text,
    url text,
    data_url text,            -- where the document itself is published
    version text,
    released text,            -- day of the source's release, YYYY-MM-DD
    compiled text,            -- day on which the source compiled the data, YYYY-MM-DD
    compiled_evidence text,   -- how that day is known
    retrieved text,           -- day on which the document was fetched, YYYY-MM-DD
    licence text,
    workload text,            -- what was measured
    method text,              -- how it was measured
    selection text,           -- how the best configuration is chosen
    cite text,
    cite_url text,
    used_for text,
    configurations text,      -- which runs the source publishes
    -- What the energy includes: GPUs, GPUs and processors, or the whole node.
    energy_boundary text check (energy_boundary in ('gpu', 'gpu-and-cpu', 'node')),
    -- When energy was measured: while the load was steady, or from the first request to the last.
    measurement_window text check (measurement_window in ('steady-state', 'whole-run')),
    -- How inter-token latency was measured: per token, per chunk of a stream, or as means of requests.
    itl_kind text check (itl_kind in ('per-token', 'per-chunk', 'mean-of-requests')),
    runtime text,             -- the program that served the models, such as vLLM
    runtime_version text,
    measured_on text,         -- day of the measurement, YYYY-MM-DD
    -- Whether the energy was estimated (1) or measured (0).
    is_estimated integer check (is_estimated in (0, 1))
);

CREATE TABLE tasks (
    -- One row per workload that was measured.
    task_id integer not null primary key,
    task text not null,           -- the name that queries take, such as lm-arena-chat
    display_name text             -- the source's own title, null where it gives none
, output text not null default 'tokens'
    check (output in ('tokens', 'images', 'videos')));

CREATE UNIQUE INDEX tasks_by_name on tasks (task);

CREATE TABLE unstable_configurations (
    -- One row per configuration whose run was not steady, with the reason. Own measurements keep such
    -- runs, but they are never chosen as best. Published data has none.
    configuration_id integer not null primary key references configurations (configuration_id),
    reason text not null
);

CREATE VIEW video_energy as
-- Every measured configuration that makes videos, with its names and figures.
-- One row per task, model, GPU, number of GPUs, batch size, video size, frames, frames per second,
-- number of inference steps, degrees of parallelism, source and repeat. row_id is unique within a
-- task, and has a - for a value that the source does not report. Wh per video is joules per video /
-- 3600. Columns that begin with derived_ are computed, not measured: energy at another size or length
-- need not be in proportion. Those that need the number of frames are null if it is not reported.
select
    diffusion_energy.task as task,
    diffusion_energy.model as model,
    diffusion_energy.gpu as gpu,
    diffusion_energy.num_gpus as num_gpus,
    diffusion_energy.precision as precision,
    diffusion_energy.batch_size as batch_size,
    diffusion_energy.width_pixels as width_pixels,
    diffusion_energy.height_pixels as height_pixels,
    diffusion_energy.num_frames as num_frames,
    diffusion_energy.frames_per_second as frames_per_second,
    diffusion_energy.inference_steps as inference_steps,
    diffusion_energy.wh_per_output as wh_per_video,
    diffusion_energy.joules_per_output as joules_per_video,
    diffusion_energy.batch_latency_s as batch_latency_s,
    diffusion_energy.outputs_per_second as videos_per_second,
    diffusion_energy.power_watts as power_watts,
    cast(
        diffusion_energy.wh_per_output / diffusion_energy.num_frames as double
    ) as derived_wh_per_frame,
    cast(
        diffusion_energy.wh_per_output * diffusion_energy.frames_per_second
        / diffusion_energy.num_frames
        as double
    ) as derived_wh_per_second_of_video,
    cast(
        diffusion_energy.wh_per_output * 1e6
        / (diffusion_energy.width_pixels * diffusion_energy.height_pixels)
        / diffusion_energy.num_frames
        as double
    ) as derived_wh_per_megapixel,
    diffusion_energy.source as source,
    diffusion_energy.row_id as row_id,
    diffusion_energy.model_name as model_name,
    diffusion_energy.hugging_face_id as hugging_face_id,
    diffusion_energy.params_b as params_b,
    diffusion_energy.active_params_b as active_params_b,
    diffusion_energy.architecture as architecture,
    diffusion_energy.ulysses_degree as ulysses_degree,
    diffusion_energy.ring_degree as ring_degree,
    diffusion_energy.repeat as repeat,
    diffusion_energy.diffusion_configuration_id as video_configuration_id
from diffusion_energy
where diffusion_energy.output = 'videos';
