-- The workloads, with what was measured of each and its lowest energy: of a model, side by side.
--
-- models, gpus and configurations count what :model and :gpu let through; a task that has none of it
-- stays, with 0. The lowest energy is that of the configuration row_id among them which meets the
-- task's default deadline: on the median inter-token latency (itl_deadline_ms) where a task makes
-- text, on the latency of a batch (batch_deadline_s) where it makes images or videos. It is in the
-- task's unit, so that one of the three energy columns is filled. Of images and videos it is the
-- lowest over all sizes and steps, which row_id tells; best-images and best-videos compare like with
-- like.
--
-- :model  model  model: slug, name or Hugging Face id
-- :gpu    gpu    GPU, such as B200
-- important: task, output, models, gpus, configurations
with counts as (
    select
        configurations.task_id as task_id,
        configurations.model_id as model_id,
        configurations.gpu_id as gpu_id,
        configurations.source_id as source_id,
        count(*) as configurations
    from configurations
    group by
        configurations.task_id,
        configurations.model_id,
        configurations.gpu_id,
        configurations.source_id
    union all
    select
        diffusion_configurations.task_id as task_id,
        diffusion_configurations.model_id as model_id,
        diffusion_configurations.gpu_id as gpu_id,
        diffusion_configurations.source_id as source_id,
        count(*) as configurations
    from diffusion_configurations
    group by
        diffusion_configurations.task_id,
        diffusion_configurations.model_id,
        diffusion_configurations.gpu_id,
        diffusion_configurations.source_id
),

asked as (
    select
        counts.task_id as task_id,
        counts.model_id as model_id,
        counts.gpu_id as gpu_id,
        counts.source_id as source_id,
        counts.configurations as configurations
    from counts
    where counts.model_id in (
            select model_id from models where :model is null or model = :model
        )
        and counts.gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
),

counted as (
    select
        asked.task_id as task_id,
        count(distinct asked.model_id) as models,
        count(distinct asked.gpu_id) as gpus,
        sum(asked.configurations) as configurations
    from asked
    group by asked.task_id
),

-- The best of each task, model and GPU, which reads nothing but an index.
best_of_each as materialized (
    select
        asked.task_id as task_id,
        (
            select candidates.configuration_id
            from configurations as candidates
            where candidates.task_id = asked.task_id
                and candidates.model_id = asked.model_id
                and candidates.gpu_id = asked.gpu_id
                and candidates.source_id = asked.source_id
                and candidates.median_itl_ms <= release.itl_deadline_ms
            order by
                candidates.joules_per_output_token,
                candidates.median_itl_ms,
                candidates.p90_itl_ms,
                candidates.p95_itl_ms,
                candidates.p99_itl_ms,
                candidates.configuration_id
            limit 1
        ) as configuration_id
    from asked
    cross join release
),

ranked as (
    select
        best_of_each.task_id as task_id,
        configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
        null as wh_per_image,
        null as wh_per_video,
        configuration_energy.tokens_per_second as tokens_per_second,
        null as images_per_second,
        null as videos_per_second,
        configuration_energy.median_itl_ms as median_itl_ms,
        null as batch_latency_s,
        configuration_energy.power_watts as power_watts,
        configuration_energy.avg_output_tokens as avg_output_tokens,
        configuration_energy.row_id as row_id,
        row_number() over (
            partition by best_of_each.task_id
            order by
                configuration_energy.joules_per_output_token,
                configuration_energy.median_itl_ms,
                configuration_energy.p90_itl_ms,
                configuration_energy.p95_itl_ms,
                configuration_energy.p99_itl_ms,
                configuration_energy.configuration_id
        ) as place
    from best_of_each
    join configuration_energy
        on configuration_energy.configuration_id = best_of_each.configuration_id
    union all
    select
        tasks.task_id,
        null,
        image_energy.wh_per_image,
        null,
        null,
        image_energy.images_per_second,
        null,
        null,
        image_energy.batch_latency_s,
        image_energy.power_watts,
        null,
        image_energy.row_id,
        row_number() over (
            partition by tasks.task_id
            order by
                image_energy.joules_per_image,
                image_energy.batch_latency_s,
                image_energy.image_configuration_id
        )
    from image_energy
    join tasks on tasks.task = image_energy.task
    cross join release
    where image_energy.batch_latency_s <= release.image_deadline_s
        and (:model is null or image_energy.model = :model)
        and (:gpu is null or image_energy.gpu = :gpu)
    union all
    select
        tasks.task_id,
        null,
        null,
        video_energy.wh_per_video,
        null,
        null,
        video_energy.videos_per_second,
        null,
        video_energy.batch_latency_s,
        video_energy.power_watts,
        null,
        video_energy.row_id,
        row_number() over (
            partition by tasks.task_id
            order by
                video_energy.joules_per_video,
                video_energy.batch_latency_s,
                video_energy.video_configuration_id
        )
    from video_energy
    join tasks on tasks.task = video_energy.task
    cross join release
    where video_energy.batch_latency_s <= release.video_deadline_s
        and (:model is null or video_energy.model = :model)
        and (:gpu is null or video_energy.gpu = :gpu)
)

select
    tasks.task as task,
    coalesce(
        tasks.display_name,
        (
            select sources.workload
            from documents
            join sources on sources.source_id = documents.source_id
            where documents.task_id = tasks.task_id
            order by documents.document_id
            limit 1
        )
    ) as workload,
    tasks.output as output,
    case tasks.output
        when 'tokens' then 'Wh per million output tokens'
        when 'images' then 'Wh per image'
        when 'videos' then 'Wh per video'
    end as unit,
    case tasks.output when 'tokens' then release.itl_deadline_ms end as itl_deadline_ms,
    case tasks.output
        when 'images' then release.image_deadline_s
        when 'videos' then release.video_deadline_s
    end as batch_deadline_s,
    coalesce(counted.models, 0) as models,
    coalesce(counted.gpus, 0) as gpus,
    coalesce(counted.configurations, 0) as configurations,
    ranked.wh_per_million_output_tokens as wh_per_million_output_tokens,
    ranked.wh_per_image as wh_per_image,
    ranked.wh_per_video as wh_per_video,
    ranked.tokens_per_second as tokens_per_second,
    ranked.images_per_second as images_per_second,
    ranked.videos_per_second as videos_per_second,
    ranked.median_itl_ms as median_itl_ms,
    ranked.batch_latency_s as batch_latency_s,
    ranked.power_watts as power_watts,
    ranked.avg_output_tokens as avg_output_tokens,
    ranked.row_id as row_id
from tasks
cross join release
left join counted on counted.task_id = tasks.task_id
left join ranked on ranked.task_id = tasks.task_id and ranked.place = 1
order by tasks.task;
