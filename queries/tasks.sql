-- The workloads, with the number of models, GPUs and configurations of each, and its lowest energy.
--
-- models, gpus and configurations count what --model and --gpu select. A task without any is
-- listed with 0. --model shows one model in all workloads side by side.
--
-- The lowest energy is that of the configuration row_id, within the task's default deadline. If a
-- task makes text, the deadline applies to the median inter-token latency (itl_deadline_ms). If
-- it makes images or videos, the deadline applies to the latency of a batch (batch_deadline_s).
-- Only one of the three energy columns has a value: the one in the task's unit.
--
-- For images and videos, the energy is the lowest over all sizes and steps. Use best-images and
-- best-videos to compare equal sizes.
--
-- :model  model  model: slug, name or Hugging Face id
-- :gpu    gpu    GPU, such as B200
-- :source  source  source of the figures, such as published
-- important: task, models, gpus, configurations, wh_per_million_output_tokens, wh_per_image
-- important: wh_per_video
--
-- example:
--   which workloads were measured
-- example: --model qwen-3-14b
--   the workloads of one model, side by side
with best as (
    select
        task, source, model, gpu, wh_per_million_output_tokens, null as wh_per_image,
        null as wh_per_video,
        tokens_per_second, null as images_per_second, null as videos_per_second, median_itl_ms,
        null as batch_latency_s, power_watts, avg_output_tokens, row_id,
        row_number() over (
            partition by task, source
            order by
                joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms,
                configuration_id
        ) as place
    from best_configurations
    where (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
    union all
    select
        task, source, model, gpu, null, wh_per_image, null, null, images_per_second, null, null,
        batch_latency_s, power_watts, null, row_id,
        row_number() over (
            partition by task, source
            order by joules_per_image, batch_latency_s, image_configuration_id
        )
    from best_images
    where (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
    union all
    select
        task, source, model, gpu, null, null, wh_per_video, null, null, videos_per_second, null,
        batch_latency_s, power_watts, null, row_id,
        row_number() over (
            partition by task, source
            order by joules_per_video, batch_latency_s, video_configuration_id
        )
    from best_videos
    where (:model is null or model = :model)
        and (:gpu is null or gpu = :gpu)
        and (:source is null or source = :source)
),

rows as (
    select task_id, model_id, gpu_id, source_id from configurations
    union all
    select task_id, model_id, gpu_id, source_id from diffusion_configurations
),

counts as (
    select
        task_id,
        source_id,
        count(distinct model_id) as models,
        count(distinct gpu_id) as gpus,
        count(*) as configurations
    from rows
    where model_id in (select model_id from models where :model is null or model = :model)
        and gpu_id in (select gpu_id from gpus where :gpu is null or gpu = :gpu)
    group by task_id, source_id
),

-- The sources of each task.
of_tasks as (
    select distinct
        measured.task_id as task_id,
        sources.source_id as source_id,
        sources.source as source
    from measured
    join sources on sources.source_id = measured.source_id
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
                and documents.source_id = of_tasks.source_id
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
    coalesce(counts.models, 0) as models,
    coalesce(counts.gpus, 0) as gpus,
    coalesce(counts.configurations, 0) as configurations,
    best.wh_per_million_output_tokens as wh_per_million_output_tokens,
    best.wh_per_image as wh_per_image,
    best.wh_per_video as wh_per_video,
    best.tokens_per_second as tokens_per_second,
    best.images_per_second as images_per_second,
    best.videos_per_second as videos_per_second,
    best.median_itl_ms as median_itl_ms,
    best.batch_latency_s as batch_latency_s,
    best.power_watts as power_watts,
    best.avg_output_tokens as avg_output_tokens,
    of_tasks.source as source,
    best.row_id as row_id
from of_tasks
cross join tasks
cross join release
left join counts
    on counts.task_id = tasks.task_id and counts.source_id = of_tasks.source_id
left join best
    on best.task = tasks.task and best.source = of_tasks.source and best.place = 1
where tasks.task_id = of_tasks.task_id
    and (:source is null or of_tasks.source = :source)
order by tasks.task, of_tasks.source;
