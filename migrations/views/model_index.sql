create view model_index as
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
