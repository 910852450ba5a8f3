-- Sources have a name and a method, figures may be missing, and images and videos share a table.

-- SQLite cannot change a column, so the tables are made again. Temporary tables keep their rows.
create temp table old_sources as select * from sources;
create temp table old_documents as select * from documents;
create temp table old_configurations as select * from configurations;

drop table sources;
drop table documents;
drop table configurations;

create table sources (
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

create table documents (
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

create table configurations (
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

create table diffusion_configurations (
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

create table measured (
    -- One row per task, model, GPU and source that has configurations.
    task_id integer not null references tasks (task_id),
    model_id integer not null references models (model_id),
    gpu_id integer not null references gpus (gpu_id),
    source_id integer not null references sources (source_id),
    primary key (task_id, model_id, gpu_id, source_id)
);

create table unstable_configurations (
    -- One row per configuration whose run was not steady, with the reason. Own measurements keep such
    -- runs, but they are never chosen as best. Published data has none.
    configuration_id integer not null primary key references configurations (configuration_id),
    reason text not null
);

insert into sources (
    source_id, source, name, publisher, url, data_url, version, released, compiled,
    compiled_evidence, retrieved, licence, workload, method, selection, cite, cite_url, used_for,
    configurations
)
select
    source_id, 'published', name, publisher, url, data_url, version, released, compiled,
    compiled_evidence, retrieved, licence, workload, method, selection, cite, cite_url, used_for,
    configurations
from temp.old_sources
order by source_id;

-- Of the source of documents without one, only the name is known.
insert into sources (source_id, source)
select (select coalesce(max(source_id), 0) + 1 from temp.old_sources), 'published'
where exists (select 1 from temp.old_documents where source_id is null);

insert into documents (document_id, task_id, source_id, name, kind, sha256, bytes, data_url)
select
    document_id, task_id, coalesce(source_id, (select max(source_id) from sources)), name, kind,
    sha256, bytes, data_url
from temp.old_documents
order by document_id;

insert into configurations (
    configuration_id, task_id, model_id, gpu_id, source_id, num_gpus, tensor_parallel,
    data_parallel, expert_parallel, precision_id, max_num_seqs, repeat, avg_running_batch,
    tokens_per_second, power_watts, joules_per_output_token, joules_per_request, median_itl_ms,
    p90_itl_ms, p95_itl_ms, p99_itl_ms, avg_output_tokens, document_id, document_position
)
select
    rows.configuration_id, rows.task_id, rows.model_id, rows.gpu_id, documents.source_id,
    rows.num_gpus, rows.tensor_parallel, rows.data_parallel, rows.expert_parallel,
    rows.precision_id, rows.max_num_seqs, rows.repeat, rows.avg_running_batch,
    rows.tokens_per_second, rows.power_watts, rows.joules_per_output_token,
    rows.joules_per_request, rows.median_itl_ms, rows.p90_itl_ms, rows.p95_itl_ms, rows.p99_itl_ms,
    rows.avg_output_tokens, rows.document_id, rows.document_position
from temp.old_configurations as rows
join documents on documents.document_id = rows.document_id
order by rows.configuration_id;

-- Numbered as a build numbers them: by task, document and place.
insert into diffusion_configurations (
    diffusion_configuration_id, task_id, model_id, gpu_id, source_id, num_gpus, batch_size,
    height_pixels, width_pixels, inference_steps, num_frames, frames_per_second, ulysses_degree,
    ring_degree, precision_id, repeat, joules_per_output, batch_latency_s, outputs_per_second,
    power_watts, document_id, document_position
)
select
    row_number() over (order by rows.task_id, rows.id), rows.task_id, rows.model_id, rows.gpu_id,
    documents.source_id, rows.num_gpus, rows.batch_size, rows.height_pixels, rows.width_pixels,
    rows.inference_steps, rows.num_frames, rows.frames_per_second, rows.ulysses_degree,
    rows.ring_degree, rows.precision_id, rows.repeat, rows.joules_per_output, rows.batch_latency_s,
    rows.outputs_per_second, rows.power_watts, rows.document_id, rows.document_position
from (
    select
        image_configuration_id as id, task_id, model_id, gpu_id, num_gpus, batch_size,
        height_pixels, width_pixels, inference_steps, null as num_frames,
        null as frames_per_second, ulysses_degree, ring_degree, precision_id, repeat,
        joules_per_image as joules_per_output, batch_latency_s,
        images_per_second as outputs_per_second, power_watts, document_id, document_position
    from image_configurations
    union all
    select
        video_configuration_id, task_id, model_id, gpu_id, num_gpus, batch_size, height_pixels,
        width_pixels, inference_steps, num_frames, frames_per_second, ulysses_degree, ring_degree,
        precision_id, repeat, joules_per_video, batch_latency_s, videos_per_second, power_watts,
        document_id, document_position
    from video_configurations
) as rows
join documents on documents.document_id = rows.document_id
order by rows.task_id, rows.id;

insert into measured (task_id, model_id, gpu_id, source_id)
select task_id, model_id, gpu_id, source_id from configurations
union
select task_id, model_id, gpu_id, source_id from diffusion_configurations
order by 1, 2, 3, 4;

drop table image_configurations;
drop table video_configurations;
drop table temp.old_sources;
drop table temp.old_documents;
drop table temp.old_configurations;

create unique index documents_by_sha256 on documents (sha256, task_id);

create unique index configurations_by_key on configurations (
    task_id, model_id, gpu_id, num_gpus, max_num_seqs, source_id, repeat
);

-- Contains all columns that the choice of the lowest energy within a deadline reads, in the order in
-- which ties are broken. So the choice never reads the table.
create index configurations_by_energy on configurations (
    task_id, model_id, gpu_id, source_id, joules_per_output_token,
    median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms
);

create unique index diffusion_configurations_by_key on diffusion_configurations (
    task_id, model_id, gpu_id, num_gpus, batch_size, height_pixels, width_pixels, inference_steps,
    num_frames, frames_per_second, ulysses_degree, ring_degree, source_id, repeat
);

-- Like configurations_by_energy.
create index diffusion_configurations_by_energy on diffusion_configurations (
    task_id, model_id, gpu_id, source_id, height_pixels, width_pixels, inference_steps, num_frames,
    joules_per_output, batch_latency_s
);
