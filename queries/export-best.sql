-- Which configuration of a model is best on each GPU, as the published documents choose.
--
-- :task   text_task  workload that makes text
-- :model  model      model: slug, name or Hugging Face id
select
    best_configurations.gpu as gpu,
    best_configurations.row_id as row_id
from best_configurations
where best_configurations.task = :task
    and (:model is null or best_configurations.model = :model)
order by best_configurations.gpu, best_configurations.row_id;
