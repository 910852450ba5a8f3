-- The best configuration of a model on each GPU, as in the published documents.
--
-- :task   text_task  workload that makes text
-- :model  model      model: slug, name or Hugging Face id
--
-- example: --model qwen-3-14b
--   the rows that the document of one model calls best
-- example: --limit 5
--   the first five rows of all documents
select gpu, row_id
from best_configurations
where task = :task
    and source = 'published'
    and (:model is null or model = :model)
order by gpu, row_id;
