-- The lowest energy of each model and GPU at every usual latency deadline.
--
-- Deadlines run from 10 to 500 ms of inter-token latency (ITL) at the percentile. A deadline that
-- no configuration meets has no row. itl_ms is the ITL that the chosen configuration reached.
--
-- :task        text_task                           workload that makes text
-- :model       model                               model: slug, name or Hugging Face id
-- :gpu         gpu                                 GPU, such as B200
-- :percentile  one of median|p90|p95|p99 = median  which inter-token latency must meet the deadline
-- caption: :percentile ITL
-- picture: curve of wh_per_million_output_tokens over deadline_ms by gpu, model
select
    best_per_deadline.model as model,
    best_per_deadline.gpu as gpu,
    best_per_deadline.percentile as percentile,
    best_per_deadline.deadline_ms as deadline_ms,
    best_per_deadline.wh_per_million_output_tokens as wh_per_million_output_tokens,
    best_per_deadline.itl_ms as itl_ms,
    best_per_deadline.num_gpus as num_gpus,
    best_per_deadline.max_num_seqs as max_num_seqs,
    best_per_deadline.row_id as row_id
from best_per_deadline
where best_per_deadline.task = :task
    and best_per_deadline.percentile = :percentile
    and (:model is null or best_per_deadline.model = :model)
    and (:gpu is null or best_per_deadline.gpu = :gpu)
order by best_per_deadline.model, best_per_deadline.gpu, best_per_deadline.deadline_ms;
