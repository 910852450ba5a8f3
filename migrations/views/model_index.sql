create view model_index as
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
