-- The tables of an energydb database: one published release of measurements of the energy that
-- language models use, and where every figure came from.
--
-- Figures are stored as received, unrounded. A CHECK keeps one column within what it can mean; it
-- is written so that it refuses text and blobs too, since SQLite accepts them in any column.
-- Relations between columns are checked by the program that builds the file, not here, because
-- a publisher may have to accept a row that breaks one.

create table release (
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
);

create table sources (
    -- One row per published data set that documents come from, with licence and citation.
    source_id integer not null primary key,
    name text not null,
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
    configurations text       -- which runs the source publishes
);

create table licence_evidence (
    -- One row per piece of evidence for a source's licence, in the order of importance.
    source_id integer not null references sources (source_id),
    position integer not null check (position >= 1 and (position | 0) = position),
    evidence text not null,
    primary key (source_id, position)
);

create table tasks (
    -- One row per workload that was measured.
    task_id integer not null primary key,
    task text not null,           -- the name that queries take, such as lm-arena-chat
    display_name text             -- the source's own title, null where it gives none
);

create unique index tasks_by_name on tasks (task);

create table documents (
    -- One row per ingested file.
    document_id integer not null primary key,
    task_id integer not null references tasks (task_id),
    source_id integer references sources (source_id),  -- null where no source is known
    name text not null,       -- relative to the input that was given, / between its parts
    kind text not null,       -- which form of file it is, such as task-file
    sha256 text not null,     -- of the bytes as received
    bytes integer not null check (bytes >= 0 and (bytes | 0) = bytes)
);

create unique index documents_by_sha256 on documents (sha256);

create table models (
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

create unique index models_by_slug on models (model);
create unique index models_by_hugging_face_id on models (hugging_face_id);

create table gpus (
    -- One row per type of GPU.
    gpu_id integer not null primary key,
    gpu text not null  -- such as B200
);

create unique index gpus_by_name on gpus (gpu);

create table precisions (
    -- One row per number format of the weights.
    precision_id integer not null primary key,
    precision text not null,    -- as published, such as BF16
    source_name text not null   -- as the source names it, such as bfloat16
);

create unique index precisions_by_name on precisions (precision);

create table configurations (
    -- One row per measured configuration: one way to serve a model, and what it measured.
    -- A configuration that was measured again is a further row with the next repeat.
    configuration_id integer not null primary key,
    task_id integer not null references tasks (task_id),
    model_id integer not null references models (model_id),
    gpu_id integer not null references gpus (gpu_id),
    num_gpus integer not null check (num_gpus >= 1 and (num_gpus | 0) = num_gpus),
    -- Degrees of parallelism are as published; their product need not be num_gpus.
    tensor_parallel integer not null
        check (tensor_parallel >= 1 and (tensor_parallel | 0) = tensor_parallel),
    data_parallel integer not null
        check (data_parallel >= 1 and (data_parallel | 0) = data_parallel),
    expert_parallel integer not null
        check (expert_parallel >= 1 and (expert_parallel | 0) = expert_parallel),
    precision_id integer not null references precisions (precision_id),
    -- The limit on requests in flight; what ran is avg_running_batch.
    max_num_seqs integer not null
        check (max_num_seqs >= 1 and (max_num_seqs | 0) = max_num_seqs),
    -- Counts rows equal in task, model, GPU, num_gpus and max_num_seqs, from 1.
    repeat integer not null check (repeat >= 1 and (repeat | 0) = repeat),
    -- Requests in flight, measured mean.
    avg_running_batch real not null check (avg_running_batch > 0 and avg_running_batch < 9e999),
    -- Output tokens per second, all GPUs together.
    tokens_per_second real not null check (tokens_per_second > 0 and tokens_per_second < 9e999),
    -- Watts, all GPUs together.
    power_watts real not null check (power_watts > 0 and power_watts < 9e999),
    -- The measured energy figure.
    joules_per_output_token real not null
        check (joules_per_output_token > 0 and joules_per_output_token < 9e999),
    -- Derived by the source: joules_per_output_token * avg_output_tokens.
    joules_per_request real not null check (joules_per_request > 0 and joules_per_request < 9e999),
    -- Inter-token latency (ITL): time from one output token of a request to its next, ms.
    median_itl_ms real not null check (median_itl_ms > 0 and median_itl_ms < 9e999),
    p90_itl_ms real not null check (p90_itl_ms > 0 and p90_itl_ms < 9e999),
    p95_itl_ms real not null check (p95_itl_ms > 0 and p95_itl_ms < 9e999),
    p99_itl_ms real not null check (p99_itl_ms > 0 and p99_itl_ms < 9e999),
    -- Mean output length of a request.
    avg_output_tokens real not null check (avg_output_tokens > 0 and avg_output_tokens < 9e999),
    document_id integer not null references documents (document_id),
    -- Place in the document: index into its configurations, from 0.
    document_position integer not null
        check (document_position >= 0 and (document_position | 0) = document_position)
);

create unique index configurations_by_key
    on configurations (task_id, model_id, gpu_id, num_gpus, max_num_seqs, repeat);

-- Holds all that the choice of the lowest energy within a deadline reads, in the order in which
-- ties are broken, so that the choice never touches the table.
create index configurations_by_energy on configurations (
    task_id, model_id, gpu_id, joules_per_output_token,
    median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms
);

create table percentiles (
    -- One row per percentile of inter-token latency that a deadline may apply to.
    percentile_id integer not null primary key,
    percentile text not null
);

create unique index percentiles_by_name on percentiles (percentile);

insert into percentiles (percentile_id, percentile) values
    (1, 'median'), (2, 'p90'), (3, 'p95'), (4, 'p99');

create table deadlines (
    -- One row per usual deadline on inter-token latency. 10 ms is 100 tokens a second for each
    -- reader, 50 ms is faster than people read, 500 ms is the leaderboard's own default ceiling.
    deadline_id integer not null primary key,
    deadline_ms real not null check (deadline_ms > 0 and deadline_ms < 9e999)
);

create unique index deadlines_by_ms on deadlines (deadline_ms);

insert into deadlines (deadline_id, deadline_ms) values
    (1, 10.0), (2, 15.0), (3, 20.0), (4, 25.0), (5, 30.0), (6, 40.0), (7, 50.0), (8, 75.0),
    (9, 100.0), (10, 150.0), (11, 200.0), (12, 300.0), (13, 400.0), (14, 500.0);

create table findings (
    -- One row per finding of a check that the publisher chose to accept when building this file.
    -- No row means that every check passed on everything.
    finding_id integer not null primary key,
    check_name text not null,  -- which check, such as power-identity
    document_id integer not null references documents (document_id),
    place text not null,       -- JSON pointer into the document
    value text not null,       -- what the document says
    expected text not null     -- what the check expected
);
