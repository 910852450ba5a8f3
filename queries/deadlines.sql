-- The lowest energy of each model and GPU at every usual latency deadline.
--
-- The deadlines are 10 to 500 ms, on the inter-token latency (ITL) at the percentile. A deadline
-- that no configuration meets has no row. itl_ms is the measured ITL of the chosen configuration.
--
-- :task        text_task                           workload that makes text
-- :model       model                               model: slug, name or Hugging Face id
-- :gpu         gpu                                 GPU, such as B200
-- :source      source                              source of the figures, such as published
-- :percentile  one of median|p90|p95|p99 = median  percentile of the latency between tokens
-- caption: :percentile ITL
-- picture: curve of wh_per_million_output_tokens over deadline_ms by gpu, model, source
--
-- requires: :percentile_itl_ms, steady
-- example: --model llama-3-1-70b-instruct --percentile p99
--   the lowest energy of one model at every usual deadline on the p99
-- example: --gpu B200 --model qwen-3-14b
--   how much energy a tighter deadline costs on B200
select
    model,
    gpu,
    percentile,
    deadline_ms,
    wh_per_million_output_tokens,
    itl_ms,
    num_gpus,
    max_num_seqs,
    source,
    row_id
from best_per_deadline
where task = :task
    and percentile = :percentile
    and (:model is null or model = :model)
    and (:gpu is null or gpu = :gpu)
    and (:source is null or source = :source)
order by model, gpu, deadline_ms, source;
