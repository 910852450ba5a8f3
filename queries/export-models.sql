-- The facts of each model, with the column names of the published documents.
--
-- :task   task   workload
-- :model  model  model: slug, name or Hugging Face id
--
-- example:
--   the facts of all models
-- example: --model qwen-3-14b
--   the facts of one model
select
    model as slug,
    model_name as name,
    hugging_face_id as model_id,
    params_b,
    active_params_b,
    architecture
from models
where (:model is null or model = :model)
    and model_id in (
        select model_id
        from measured
        where task_id in (select task_id from tasks where task = :task)
            and source_id in (select source_id from sources where source = 'published')
    )
order by model;
