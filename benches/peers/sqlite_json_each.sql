-- Fills the tables from :input with SQLite's own JSON functions, in the sqlite3 shell.
-- Staged once, since the document is read whole for every json_each over it.
create temporary table staged as
select
    entry.key as position,
    entry.value ->> 'activated_params_billions' as active_params_b,
    entry.value ->> 'architecture' as architecture,
    entry.value ->> 'avg_batch_size' as avg_running_batch,
    entry.value ->> 'avg_output_len' as avg_output_tokens,
    entry.value ->> 'avg_power_watts' as power_watts,
    entry.value ->> 'data_parallel' as data_parallel,
    entry.value ->> 'energy_per_request_joules' as joules_per_request,
    entry.value ->> 'energy_per_token_joules' as joules_per_output_token,
    entry.value ->> 'expert_parallel' as expert_parallel,
    entry.value ->> 'gpu_model' as gpu,
    entry.value ->> 'max_num_seqs' as max_num_seqs,
    entry.value ->> 'median_itl_ms' as median_itl_ms,
    entry.value ->> 'model_id' as hugging_face_id,
    entry.value ->> 'nickname' as model_name,
    entry.value ->> 'num_gpus' as num_gpus,
    entry.value ->> 'output_throughput_tokens_per_sec' as tokens_per_second,
    entry.value ->> 'p90_itl_ms' as p90_itl_ms,
    entry.value ->> 'p95_itl_ms' as p95_itl_ms,
    entry.value ->> 'p99_itl_ms' as p99_itl_ms,
    entry.value ->> 'tensor_parallel' as tensor_parallel,
    entry.value ->> 'total_params_billions' as params_b,
    entry.value ->> 'weight_precision' as precision_name
from json_each(readfile(:input), '$.configurations') as entry;

insert into tasks (task_id, task, display_name)
select
    1,
    max(case member.key when 'task' then member.atom end),
    max(case member.key when 'task_display_name' then member.atom end)
from json_each(readfile(:input)) as member;

insert into sources (source_id, source) values (1, 'published');

insert into documents (document_id, task_id, source_id, name, kind, sha256, bytes)
values (1, 1, 1, :name, 'task-file', :sha256, :bytes);

-- A slug is the name in lower case with hyphens. Plain names only need these replaced.
insert into models (
    model_id, model, model_name, hugging_face_id, params_b, active_params_b, architecture
)
select
    row_number() over (order by min(position)),
    replace(replace(lower(model_name), ' ', '-'), '.', '-'),
    model_name,
    hugging_face_id,
    params_b,
    active_params_b,
    architecture
from staged
group by hugging_face_id;

insert into gpus (gpu_id, gpu)
select row_number() over (order by min(position)), gpu
from staged
group by gpu;

insert into precisions (precision_id, precision, source_name)
select
    row_number() over (order by min(position)),
    case precision_name when 'bfloat16' then 'BF16' else upper(precision_name) end,
    precision_name
from staged
group by precision_name;

insert into configurations (
    configuration_id, task_id, model_id, gpu_id, source_id, num_gpus, tensor_parallel,
    data_parallel, expert_parallel, precision_id, max_num_seqs, repeat, avg_running_batch,
    tokens_per_second, power_watts, joules_per_output_token, joules_per_request, median_itl_ms,
    p90_itl_ms, p95_itl_ms, p99_itl_ms, avg_output_tokens, document_id, document_position
)
select
    staged.position + 1,
    1,
    models.model_id,
    gpus.gpu_id,
    1,
    staged.num_gpus,
    staged.tensor_parallel,
    staged.data_parallel,
    staged.expert_parallel,
    precisions.precision_id,
    staged.max_num_seqs,
    row_number() over (
        partition by models.model_id, gpus.gpu_id, staged.num_gpus, staged.max_num_seqs
        order by staged.position
    ),
    staged.avg_running_batch,
    staged.tokens_per_second,
    staged.power_watts,
    staged.joules_per_output_token,
    staged.joules_per_request,
    staged.median_itl_ms,
    staged.p90_itl_ms,
    staged.p95_itl_ms,
    staged.p99_itl_ms,
    staged.avg_output_tokens,
    1,
    staged.position
from staged
join models on models.hugging_face_id = staged.hugging_face_id
join gpus on gpus.gpu = staged.gpu
join precisions on precisions.source_name = staged.precision_name
order by staged.position;

insert into measured (task_id, model_id, gpu_id, source_id)
select distinct task_id, model_id, gpu_id, source_id
from configurations
order by 1, 2, 3;
