create view model_index as
-- What was measured of each model, and the lowest energy per output token that meets the default
-- deadline. One row per task and model. The lowest figures are null where no configuration meets it,
-- and in a task that does not make text: best_images and best_videos tell of those.
select
    tasks.task as task,
    models.model as model,
    models.model_name as model_name,
    models.hugging_face_id as hugging_face_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture,
    measured.gpus as gpus,
    measured.configurations as configurations,
    lowest.joules_per_output_token as lowest_joules_per_output_token,
    lowest.joules_per_output_token * 1e6 / 3600.0 as lowest_wh_per_million_output_tokens
from (
    select
        configurations.task_id as task_id,
        configurations.model_id as model_id,
        count(distinct configurations.gpu_id) as gpus,
        count(*) as configurations
    from configurations
    group by configurations.task_id, configurations.model_id
    union all
    select
        diffusion_configurations.task_id as task_id,
        diffusion_configurations.model_id as model_id,
        count(distinct diffusion_configurations.gpu_id) as gpus,
        count(*) as configurations
    from diffusion_configurations
    group by diffusion_configurations.task_id, diffusion_configurations.model_id
) as measured
join tasks on tasks.task_id = measured.task_id
join models on models.model_id = measured.model_id
left join (
    select
        configurations.task_id as task_id,
        configurations.model_id as model_id,
        min(configurations.joules_per_output_token) as joules_per_output_token
    from configurations
    cross join release
    where configurations.median_itl_ms <= release.itl_deadline_ms
    group by configurations.task_id, configurations.model_id
) as lowest on lowest.task_id = measured.task_id and lowest.model_id = measured.model_id;
