-- The whole schema, as a test compares it.
-- application_id 0x454e4442, user_version 5

CREATE VIEW best_configurations as
-- The lowest-energy configuration of each task, model, GPU and source whose median inter-token
-- latency meets the release's default deadline, as in the published documents. There is no row if none
-- meets it. Runs that were not steady are not used. Ties are broken as in best_per_deadline.
select
    task, model, gpu, num_gpus, precision, max_num_seqs, itl_deadline_ms as deadline_ms,
    cast(joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, tokens_per_second,
    power_watts, avg_running_batch, joules_per_request, avg_output_tokens, source,
    cast((
        select row_id from configuration_energy where configuration_id = best.configuration_id
    ) as text) as row_id,
    model_name, hugging_face_id, params_b, active_params_b, architecture, tensor_parallel,
    data_parallel, expert_parallel, repeat, configuration_id
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
        select configuration_id
        from configurations as candidates
        where task_id = measured.task_id
            and model_id = measured.model_id
            and gpu_id = measured.gpu_id
            and source_id = measured.source_id
            and median_itl_ms <= itl_deadline_ms
            and configuration_id not in (
                select configuration_id from unstable_configurations
            )
        order by
            joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms,
            configuration_id
        limit 1
    )
    and precisions.precision_id = best.precision_id;

CREATE VIEW best_images as
-- The lowest-energy configuration of each task, model, GPU, source, image size and number of inference
-- steps whose batch latency meets the release's default deadline of images. There is no row if none
-- meets it. Energy at different sizes and steps cannot be compared. If energies are equal, the lower
-- batch latency wins, then the configuration measured first.
select
    task, model, gpu, num_gpus, precision, batch_size, width_pixels, height_pixels, inference_steps,
    image_deadline_s as deadline_s, wh_per_image, joules_per_image, batch_latency_s,
    images_per_second, power_watts, derived_wh_per_megapixel, source, row_id, model_name,
    ulysses_degree, ring_degree, repeat, image_configuration_id
from image_energy
cross join release
where image_configuration_id in (
    select (
        select diffusion_configuration_id
        from diffusion_configurations as candidates
        where task_id = settings.task_id
            and model_id = settings.model_id
            and gpu_id = settings.gpu_id
            and source_id = settings.source_id
            and height_pixels = settings.height_pixels
            and width_pixels = settings.width_pixels
            and inference_steps = settings.inference_steps
            and coalesce(num_frames, 0) = settings.num_frames
            and batch_latency_s <= image_deadline_s
        order by joules_per_output, batch_latency_s, diffusion_configuration_id
        limit 1
    )
    from release
    cross join (
        select distinct
            task_id, model_id, gpu_id, source_id, height_pixels, width_pixels, inference_steps,
            coalesce(num_frames, 0) as num_frames
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
    task, model, gpu, num_gpus, precision, max_num_seqs, percentile, deadline_ms,
    cast(
        case percentile
            when 'median' then median_itl_ms
            when 'p90' then p90_itl_ms
            when 'p95' then p95_itl_ms
            when 'p99' then p99_itl_ms
        end
        as double
    ) as itl_ms,
    cast(joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    joules_per_output_token, tokens_per_second, power_watts, avg_running_batch, source,
    -- As in configuration_energy. A look-up there would take as long as the choice.
    cast(
        case when source = 'published' then '' else source || ':' end
        || model || '/' || gpu || '/' || num_gpus
        || '/' || max_num_seqs
        || case when repeat > 1 then '/r' || repeat else '' end
        as text
    ) as row_id,
    model_name, repeat, configuration_id
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
        select configuration_id
        from configurations as candidates
        where task_id = measured.task_id
            and model_id = measured.model_id
            and gpu_id = measured.gpu_id
            and source_id = measured.source_id
            and case percentile
                when 'median' then median_itl_ms
                when 'p90' then p90_itl_ms
                when 'p95' then p95_itl_ms
                when 'p99' then p99_itl_ms
            end <= deadline_ms
            and configuration_id not in (
                select configuration_id from unstable_configurations
            )
        order by
            joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms,
            configuration_id
        limit 1
    )
    and precisions.precision_id = best.precision_id;

CREATE VIEW best_videos as
-- The lowest-energy configuration of each task, model, GPU, source, video size, number of inference
-- steps and number of frames whose batch latency meets the release's default deadline of videos. There
-- is no row if none meets it. Energy at different sizes, steps and lengths cannot be compared. If
-- energies are equal, the lower batch latency wins, then the configuration measured first.
select
    task, model, gpu, num_gpus, precision, batch_size, width_pixels, height_pixels, num_frames,
    frames_per_second, inference_steps, video_deadline_s as deadline_s, wh_per_video,
    joules_per_video, batch_latency_s, videos_per_second, power_watts, derived_wh_per_frame,
    derived_wh_per_second_of_video, derived_wh_per_megapixel, source, row_id, model_name,
    ulysses_degree, ring_degree, repeat, video_configuration_id
from video_energy
cross join release
where video_configuration_id in (
    select (
        select diffusion_configuration_id
        from diffusion_configurations as candidates
        where task_id = settings.task_id
            and model_id = settings.model_id
            and gpu_id = settings.gpu_id
            and source_id = settings.source_id
            and height_pixels = settings.height_pixels
            and width_pixels = settings.width_pixels
            and inference_steps = settings.inference_steps
            and coalesce(num_frames, 0) = settings.num_frames
            and batch_latency_s <= video_deadline_s
        order by joules_per_output, batch_latency_s, diffusion_configuration_id
        limit 1
    )
    from release
    cross join (
        select distinct
            task_id, model_id, gpu_id, source_id, height_pixels, width_pixels, inference_steps,
            coalesce(num_frames, 0) as num_frames
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
    task, model, gpu, num_gpus, precision, max_num_seqs,
    cast(joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, tokens_per_second,
    power_watts, avg_running_batch,
    cast(avg_running_batch * 1000.0 / tokens_per_second as double) as ms_per_token_in_flight,
    cast(avg_running_batch * avg_output_tokens / tokens_per_second as double) as request_seconds,
    cast(tokens_per_second / avg_output_tokens as double) as requests_per_second,
    cast(num_gpus * 1e6 / 3600.0 / tokens_per_second as double)
        as gpu_hours_per_million_output_tokens,
    cast(
        coalesce(configurations.requests, output_lengths.requests) * 1.0
        / avg_running_batch
        as double
    ) as requests_per_slot,
    joules_per_request, median_ttft_ms, p99_ttft_ms, mean_tpot_ms, avg_input_tokens,
    avg_output_tokens,
    cast(coalesce(configurations.requests, output_lengths.requests) as bigint) as requests,
    steady_state_s, window_uncertainty_percent, reason as unstable_reason, source,
    cast(
        case when source = 'published' then '' else source || ':' end
        || model || '/' || gpu || '/' || num_gpus
        || '/' || max_num_seqs
        || case when repeat > 1 then '/r' || repeat else '' end
        as text
    ) as row_id,
    model_name, hugging_face_id, params_b, active_params_b, architecture, tensor_parallel,
    data_parallel, expert_parallel, repeat, configuration_id
from configurations
join tasks using (task_id)
join models using (model_id)
join gpus using (gpu_id)
join sources using (source_id)
join precisions using (precision_id)
left join unstable_configurations using (configuration_id)
left join output_lengths using (task_id, model_id, configuration_id);

CREATE VIEW configuration_latencies as
-- Every measured configuration that makes text, at each percentile of its inter-token latency (ITL).
-- One row per configuration and percentile: median, p90, p95 and p99. itl_ms is the ITL at that
-- percentile.
select
    task, model, gpu, num_gpus, precision, max_num_seqs, percentile,
    cast(
        case percentile
            when 'median' then median_itl_ms
            when 'p90' then p90_itl_ms
            when 'p95' then p95_itl_ms
            when 'p99' then p99_itl_ms
        end
        as double
    ) as itl_ms,
    wh_per_million_output_tokens, joules_per_output_token, tokens_per_second, power_watts,
    avg_running_batch, ms_per_token_in_flight, request_seconds, requests_per_second,
    gpu_hours_per_million_output_tokens, requests_per_slot, avg_output_tokens, unstable_reason,
    source, row_id, model_name, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, tensor_parallel,
    data_parallel, expert_parallel, repeat, configuration_id
from configuration_energy
cross join percentiles;

CREATE VIEW configuration_means as
-- Every configuration that makes text, once, with the mean of each figure over its measurements.
-- Computed figures are computed from the means, but requests_per_slot is the lowest one. One row per task,
-- model, GPU, source, number of GPUs, degrees of parallelism, precision and max_num_seqs. row_id and
-- configuration_id are those of the first measurement.
select
    task, model, gpu, num_gpus, precision, max_num_seqs,
    cast(avg(joules_per_output_token) * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    cast(avg(joules_per_output_token) as double) as joules_per_output_token,
    cast(avg(median_itl_ms) as double) as median_itl_ms,
    cast(avg(p90_itl_ms) as double) as p90_itl_ms,
    cast(avg(p95_itl_ms) as double) as p95_itl_ms,
    cast(avg(p99_itl_ms) as double) as p99_itl_ms,
    cast(avg(tokens_per_second) as double) as tokens_per_second,
    cast(avg(power_watts) as double) as power_watts,
    cast(avg(avg_running_batch) as double) as avg_running_batch,
    cast(avg(avg_running_batch) * 1000.0 / avg(tokens_per_second) as double)
        as ms_per_token_in_flight,
    cast(avg(avg_running_batch) * avg(avg_output_tokens) / avg(tokens_per_second) as double)
        as request_seconds,
    cast(avg(tokens_per_second) / avg(avg_output_tokens) as double) as requests_per_second,
    cast(num_gpus * 1e6 / 3600.0 / avg(tokens_per_second) as double)
        as gpu_hours_per_million_output_tokens,
    cast(
        case when count(requests_per_slot) = count(*) then min(requests_per_slot) end
        as double
    ) as requests_per_slot,
    cast(avg(avg_output_tokens) as double) as avg_output_tokens,
    cast(count(*) as bigint) as measurements,
    cast(max(unstable_reason) as text) as unstable_reason,
    source,
    cast(
        case when source = 'published' then '' else source || ':' end
        || model || '/' || gpu
        || '/' || num_gpus || '/' || max_num_seqs
        || case when min(repeat) > 1 then '/r' || min(repeat) else '' end
        as text
    ) as row_id,
    tensor_parallel, data_parallel, expert_parallel,
    cast(min(configuration_id) as bigint) as configuration_id
from configuration_energy
group by
    task, model, gpu, source, num_gpus, tensor_parallel, data_parallel, expert_parallel, precision,
    max_num_seqs;

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
    avg_running_batch real check (avg_running_batch between 1e-300 and 1e300),
    -- Output tokens per second, all GPUs together.
    tokens_per_second real not null check (tokens_per_second between 1e-300 and 1e300),
    -- Watts, all GPUs together.
    power_watts real not null check (power_watts between 1e-300 and 1e300),
    -- The measured energy figure.
    joules_per_output_token real not null
        check (joules_per_output_token between 1e-300 and 1e300),
    -- Computed by the source: joules_per_output_token * avg_output_tokens.
    joules_per_request real check (joules_per_request between 1e-300 and 1e300),
    -- Inter-token latency (ITL): time from one output token of a request to its next, ms.
    median_itl_ms real check (median_itl_ms between 1e-300 and 1e300),
    p90_itl_ms real check (p90_itl_ms between 1e-300 and 1e300),
    p95_itl_ms real check (p95_itl_ms between 1e-300 and 1e300),
    p99_itl_ms real check (p99_itl_ms between 1e-300 and 1e300),
    -- Time from a request to its first output token (TTFT), ms.
    median_ttft_ms real check (median_ttft_ms between 1e-300 and 1e300),
    p99_ttft_ms real check (p99_ttft_ms between 1e-300 and 1e300),
    -- Time per output token after the first (TPOT), mean over requests, ms.
    mean_tpot_ms real check (mean_tpot_ms between 1e-300 and 1e300),
    -- Mean length of a prompt.
    avg_input_tokens real check (avg_input_tokens between 1e-300 and 1e300),
    -- Mean output length of a request.
    avg_output_tokens real check (avg_output_tokens between 1e-300 and 1e300),
    -- Number of requests that the figures are based on.
    requests integer check (requests >= 1 and (requests | 0) = requests),
    -- Length of the steady state of the measurement, seconds.
    steady_state_s real check (steady_state_s between 1e-300 and 1e300),
    -- The uncertainty of the window of a power log, as a share of the run.
    window_uncertainty_percent real
        check (window_uncertainty_percent between 1e-300 and 1e300),
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
    task, model, gpu, num_gpus, precision, max_num_seqs, median_itl_ms, p90_itl_ms, p95_itl_ms,
    p99_itl_ms, tokens_per_second, power_watts, avg_running_batch, requests_per_second,
    requests_per_slot,
    cast(last_value(median_itl_ms) over before as double) as lower_median_itl_ms,
    cast(last_value(p90_itl_ms) over before as double) as lower_p90_itl_ms,
    cast(last_value(p95_itl_ms) over before as double) as lower_p95_itl_ms,
    cast(last_value(p99_itl_ms) over before as double) as lower_p99_itl_ms,
    cast(last_value(tokens_per_second) over before as double) as lower_tokens_per_second,
    cast(last_value(power_watts) over before as double) as lower_power_watts,
    cast(last_value(avg_running_batch) over before as double) as lower_avg_running_batch,
    cast(last_value(requests_per_second) over before as double) as lower_requests_per_second,
    cast(last_value(requests_per_slot) over before as double) as lower_requests_per_slot,
    cast(max(tokens_per_second) over before as double) as reached_tokens_per_second,
    cast(max(requests_per_second) over before as double) as reached_requests_per_second,
    source, row_id,
    cast(last_value(row_id) over before as text) as lower_row_id,
    tensor_parallel, data_parallel, expert_parallel,
    cast(coalesce(first_value(configuration_id) over before, configuration_id) as bigint )
        as series_id,
    configuration_id
from configuration_means
where avg_running_batch is not null
    and unstable_reason is null
window before as (
    partition by
        task, model, gpu, source, num_gpus, tensor_parallel, data_parallel, expert_parallel,
        precision
    order by avg_running_batch, configuration_id
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
    joules_per_output real not null check (joules_per_output between 1e-300 and 1e300),
    -- Seconds from the start of a batch to its end.
    batch_latency_s real not null check (batch_latency_s between 1e-300 and 1e300),
    -- Images or videos per second, all GPUs together.
    outputs_per_second real not null check (outputs_per_second between 1e-300 and 1e300),
    -- Watts, all GPUs together.
    power_watts real not null check (power_watts between 1e-300 and 1e300),
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
    task, model, gpu, num_gpus, precision, batch_size, output, width_pixels, height_pixels,
    num_frames, frames_per_second, inference_steps,
    cast(joules_per_output / 3600.0 as double) as wh_per_output,
    joules_per_output, batch_latency_s, outputs_per_second, power_watts, source,
    cast(
        case when source = 'published' then '' else source || ':' end
        || model || '/' || gpu || '/' || num_gpus
        || '/' || batch_size
        || '/' || width_pixels
        || 'x' || height_pixels
        || case
            when output = 'images' then ''
            else '/' || coalesce('' || num_frames, '-')
                || '@' || coalesce('' || frames_per_second, '-')
        end
        || '/' || inference_steps
        || '/u' || ulysses_degree
        || 'r' || ring_degree
        || case when repeat > 1 then '/r' || repeat else '' end
        as text
    ) as row_id,
    model_name, hugging_face_id, params_b, active_params_b, architecture, ulysses_degree,
    ring_degree, repeat, diffusion_configuration_id
from diffusion_configurations
join tasks using (task_id)
join models using (model_id)
join gpus using (gpu_id)
join sources using (source_id)
join precisions using (precision_id);

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
    task, model, gpu, num_gpus, precision, max_num_seqs,
    cast(power_watts / num_gpus as double) as per_gpu_power_watts,
    rated_power_watts,
    cast(power_watts / num_gpus / rated_power_watts as double) as share_of_rated_power,
    avg_running_batch, source, row_id, tensor_parallel, data_parallel, expert_parallel, repeat,
    configuration_id
from configuration_energy
join gpus using (gpu);

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
    task, model, gpu, num_gpus, precision, batch_size, width_pixels, height_pixels, inference_steps,
    wh_per_output as wh_per_image, joules_per_output as joules_per_image, batch_latency_s,
    outputs_per_second as images_per_second, power_watts,
    cast(wh_per_output * 1e6 / (width_pixels * height_pixels) as double)
        as derived_wh_per_megapixel,
    source, row_id, model_name, hugging_face_id, params_b, active_params_b, architecture,
    ulysses_degree, ring_degree, repeat, diffusion_configuration_id as image_configuration_id
from diffusion_energy
where output = 'images';

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
    task, model, counts.gpus, counts.configurations,
    cast(joules_per_output_token * 1e6 / 3600.0 as double) as lowest_wh_per_million_output_tokens,
    joules_per_output_token as lowest_joules_per_output_token, source, model_name, hugging_face_id,
    params_b, active_params_b, architecture
from (
    select
        task_id, model_id, source_id,
        cast(count(distinct gpu_id) as bigint) as gpus,
        cast(count(*) as bigint) as configurations
    from (
        select task_id, model_id, gpu_id, source_id from configurations
        union all
        select task_id, model_id, gpu_id, source_id from diffusion_configurations
    ) as rows
    group by task_id, model_id, source_id
) as counts
join tasks using (task_id)
join models using (model_id)
join sources using (source_id)
left join (
    select
        task_id, model_id, source_id,
        cast(min(joules_per_output_token) as double) as joules_per_output_token
    from configurations
    cross join release
    where median_itl_ms <= itl_deadline_ms
        and configuration_id not in (
            select configuration_id from unstable_configurations
        )
    group by task_id, model_id, source_id
) as lowest using (task_id, model_id, source_id);

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
-- Few runs were not steady, so that is tested last.
select
    task, model, gpu, num_gpus, precision, max_num_seqs, percentile,
    cast(
        case percentile
            when 'median' then median_itl_ms
            when 'p90' then p90_itl_ms
            when 'p95' then p95_itl_ms
            when 'p99' then p99_itl_ms
        end
        as double
    ) as itl_ms,
    cast(joules_per_output_token * 1e6 / 3600.0 as double) as wh_per_million_output_tokens,
    joules_per_output_token, tokens_per_second, power_watts, avg_running_batch, source,
    cast((
        select row_id from configuration_energy where configuration_id = best.configuration_id
    ) as text) as row_id,
    model_name, repeat, configuration_id
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
    and case percentile
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
            and case percentile
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
            and others.configuration_id not in (
                select configuration_id from unstable_configurations
            )
        order by others.joules_per_output_token desc
        limit 1
    ) is null
    and best.configuration_id not in (select configuration_id from unstable_configurations);

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
    task, model, gpu, num_gpus, precision, batch_size, width_pixels, height_pixels, num_frames,
    frames_per_second, inference_steps, wh_per_output as wh_per_video,
    joules_per_output as joules_per_video, batch_latency_s, outputs_per_second as videos_per_second,
    power_watts,
    cast(wh_per_output / num_frames as double) as derived_wh_per_frame,
    cast(wh_per_output * frames_per_second / num_frames as double)
        as derived_wh_per_second_of_video,
    cast(wh_per_output * 1e6 / (width_pixels * height_pixels) / num_frames as double)
        as derived_wh_per_megapixel,
    source, row_id, model_name, hugging_face_id, params_b, active_params_b, architecture,
    ulysses_degree, ring_degree, repeat, diffusion_configuration_id as video_configuration_id
from diffusion_energy
where output = 'videos';
