-- All workloads of the leaderboard: beside text, images and videos, which have figures of their own;
-- and the lengths of outputs, which a model's own document gives.

-- Default deadline of images: highest latency of a batch, seconds.
alter table release add column image_deadline_s real not null default 30.0
    check (image_deadline_s > 0 and image_deadline_s < 9e999);

-- Default deadline of videos: highest latency of a batch, seconds.
alter table release add column video_deadline_s real not null default 300.0
    check (video_deadline_s > 0 and video_deadline_s < 9e999);

-- What the workload makes: tokens, images or videos.
alter table tasks add column output text not null default 'tokens'
    check (output in ('tokens', 'images', 'videos'));

-- An index is of no one task, so task_id may be null, which takes making the table anew.
create table new_documents (
    -- One row per ingested file.
    document_id integer not null primary key,
    task_id integer references tasks (task_id),        -- null for an index, which is of all tasks
    source_id integer references sources (source_id),  -- null where no source is known
    name text not null,       -- relative to the input that was given, / between its parts
    kind text not null,       -- which form of file it is: index, task-file or model-file
    sha256 text not null,     -- of the bytes as received
    bytes integer not null check (bytes >= 0 and (bytes | 0) = bytes),
    data_url text             -- where this very file is published, null where that is not known
);

insert into new_documents (document_id, task_id, source_id, name, kind, sha256, bytes, data_url)
select
    documents.document_id,
    documents.task_id,
    documents.source_id,
    documents.name,
    documents.kind,
    documents.sha256,
    documents.bytes,
    sources.data_url
from documents
left join sources on sources.source_id = documents.source_id
order by documents.document_id;

drop table documents;

alter table new_documents rename to documents;

create unique index documents_by_sha256 on documents (sha256);

create table image_configurations (
    -- One row per measured configuration that makes images, and what it measured.
    -- One that was measured again is a further row with the next repeat.
    image_configuration_id integer not null primary key,
    task_id integer not null references tasks (task_id),
    model_id integer not null references models (model_id),
    gpu_id integer not null references gpus (gpu_id),
    num_gpus integer not null check (num_gpus >= 1 and (num_gpus | 0) = num_gpus),
    -- Images made at once.
    batch_size integer not null check (batch_size >= 1 and (batch_size | 0) = batch_size),
    height_pixels integer not null
        check (height_pixels >= 1 and (height_pixels | 0) = height_pixels),
    width_pixels integer not null check (width_pixels >= 1 and (width_pixels | 0) = width_pixels),
    -- Denoising steps.
    inference_steps integer not null
        check (inference_steps >= 1 and (inference_steps | 0) = inference_steps),
    -- Degrees of parallelism; they multiply to num_gpus.
    ulysses_degree integer not null
        check (ulysses_degree >= 1 and (ulysses_degree | 0) = ulysses_degree),
    ring_degree integer not null check (ring_degree >= 1 and (ring_degree | 0) = ring_degree),
    precision_id integer not null references precisions (precision_id),
    -- Counts rows equal in all of the above but the precision, from 1.
    repeat integer not null check (repeat >= 1 and (repeat | 0) = repeat),
    -- The measured energy figure.
    joules_per_image real not null check (joules_per_image > 0 and joules_per_image < 9e999),
    -- Seconds from the start of a batch to its end.
    batch_latency_s real not null check (batch_latency_s > 0 and batch_latency_s < 9e999),
    -- Images per second, all GPUs together.
    images_per_second real not null check (images_per_second > 0 and images_per_second < 9e999),
    -- Watts, all GPUs together.
    power_watts real not null check (power_watts > 0 and power_watts < 9e999),
    document_id integer not null references documents (document_id),
    -- Place in the document: index into its configurations, from 0.
    document_position integer not null
        check (document_position >= 0 and (document_position | 0) = document_position)
);

create unique index image_configurations_by_key on image_configurations (
    task_id, model_id, gpu_id, num_gpus, batch_size, height_pixels, width_pixels, inference_steps,
    ulysses_degree, ring_degree, repeat
);

-- Holds all that the choice of the lowest energy within a deadline reads, in the order in which
-- ties are broken.
create index image_configurations_by_energy on image_configurations (
    task_id, model_id, gpu_id, height_pixels, width_pixels, inference_steps, joules_per_image,
    batch_latency_s
);

create table video_configurations (
    -- One row per measured configuration that makes videos, and what it measured.
    -- One that was measured again is a further row with the next repeat.
    video_configuration_id integer not null primary key,
    task_id integer not null references tasks (task_id),
    model_id integer not null references models (model_id),
    gpu_id integer not null references gpus (gpu_id),
    num_gpus integer not null check (num_gpus >= 1 and (num_gpus | 0) = num_gpus),
    -- Videos made at once.
    batch_size integer not null check (batch_size >= 1 and (batch_size | 0) = batch_size),
    height_pixels integer not null
        check (height_pixels >= 1 and (height_pixels | 0) = height_pixels),
    width_pixels integer not null check (width_pixels >= 1 and (width_pixels | 0) = width_pixels),
    -- Denoising steps.
    inference_steps integer not null
        check (inference_steps >= 1 and (inference_steps | 0) = inference_steps),
    -- Frames of a video, null where the source says nothing.
    num_frames integer check (num_frames >= 1 and (num_frames | 0) = num_frames),
    -- Frames per second at which a video plays, null where the source says nothing.
    frames_per_second integer
        check (frames_per_second >= 1 and (frames_per_second | 0) = frames_per_second),
    -- Degrees of parallelism; they multiply to num_gpus.
    ulysses_degree integer not null
        check (ulysses_degree >= 1 and (ulysses_degree | 0) = ulysses_degree),
    ring_degree integer not null check (ring_degree >= 1 and (ring_degree | 0) = ring_degree),
    precision_id integer not null references precisions (precision_id),
    -- Counts rows equal in all of the above but the precision, from 1.
    repeat integer not null check (repeat >= 1 and (repeat | 0) = repeat),
    -- The measured energy figure.
    joules_per_video real not null check (joules_per_video > 0 and joules_per_video < 9e999),
    -- Seconds from the start of a batch to its end.
    batch_latency_s real not null check (batch_latency_s > 0 and batch_latency_s < 9e999),
    -- Videos per second, all GPUs together.
    videos_per_second real not null check (videos_per_second > 0 and videos_per_second < 9e999),
    -- Watts, all GPUs together.
    power_watts real not null check (power_watts > 0 and power_watts < 9e999),
    document_id integer not null references documents (document_id),
    -- Place in the document: index into its configurations, from 0.
    document_position integer not null
        check (document_position >= 0 and (document_position | 0) = document_position)
);

create unique index video_configurations_by_key on video_configurations (
    task_id, model_id, gpu_id, num_gpus, batch_size, height_pixels, width_pixels, inference_steps,
    num_frames, frames_per_second, ulysses_degree, ring_degree, repeat
);

-- As image_configurations_by_energy.
create index video_configurations_by_energy on video_configurations (
    task_id, model_id, gpu_id, height_pixels, width_pixels, inference_steps, num_frames,
    joules_per_video, batch_latency_s
);

create table output_lengths (
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

create unique index output_lengths_by_configuration
    on output_lengths (task_id, model_id, configuration_id);

create table output_length_bins (
    -- One row per bin of a histogram: the requests whose output was of such a length.
    output_lengths_id integer not null references output_lengths (output_lengths_id),
    bin integer not null check (bin >= 1 and (bin | 0) = bin),  -- in the order of length, from 1
    from_tokens real not null check (from_tokens >= 0 and from_tokens < 9e999),
    to_tokens real not null check (to_tokens > 0 and to_tokens < 9e999),
    requests integer not null check (requests >= 0 and (requests | 0) = requests),
    primary key (output_lengths_id, bin)
);
