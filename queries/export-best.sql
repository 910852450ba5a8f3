-- Which configuration of a model is best on each GPU, as the published documents choose.
--
-- :task   text_task  workload that makes text
-- :model  model      model: slug, name or Hugging Face id
--
-- example: --model qwen-3-14b
--   the rows that the document of one model calls best
-- example: --limit 5
--   the first rows that any document calls best
select gpu, row_id
from best_configurations
where task = :task
    and source = 'published'
    and (:model is null or model = :model)
order by gpu, row_id;
