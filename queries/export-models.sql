-- The facts of each model, named as in the published documents.
--
-- :task   task   workload
-- :model  model  model: slug, name or Hugging Face id
select
    models.model as slug,
    models.model_name as name,
    models.hugging_face_id as model_id,
    models.params_b as params_b,
    models.active_params_b as active_params_b,
    models.architecture as architecture
from models
where (:model is null or models.model = :model)
    and exists (
        select 1
        from measured
        join tasks on tasks.task_id = measured.task_id
        where tasks.task = :task and measured.model_id = models.model_id
    )
order by models.model;
