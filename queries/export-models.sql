-- The facts of each model, named as in the published documents.
--
-- :task   task   workload
-- :model  model  model: slug, name or Hugging Face id
--
-- example:
--   what the documents say of each model
-- example: --model qwen-3-14b
--   the same of one model
select
    model as slug,
    model_name as name,
    hugging_face_id as model_id,
    params_b,
    active_params_b,
    architecture
from model_index
where task = :task
    and source = 'published'
    and (:model is null or model = :model)
order by model;
