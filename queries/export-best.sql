-- Which configuration of a model is best on each GPU, as the published documents choose.
--
-- :task   text_task  workload that makes text
-- :model  model      model: slug, name or Hugging Face id
select gpu, row_id
from best_configurations
where task = :task
    and source = 'published'
    and (:model is null or model = :model)
order by gpu, row_id;
