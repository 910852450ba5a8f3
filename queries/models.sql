-- The models that were measured, with their workloads and the lowest energy in each.
--
-- There is a row for each workload and source of a model. The lowest figure is over all GPUs and configurations
-- whose median inter-token latency meets the release's default deadline; it is empty where none does,
-- and for a workload that makes images or videos, of which best-images and best-videos tell the
-- lowest.
--
-- :task    any_task  only this workload
-- :source  source    source, such as published
-- important: model, task, params_b, architecture, gpus, configurations
-- important: lowest_wh_per_million_output_tokens
--
-- example:
--   which models were measured, and in which workloads
-- example: --task gpqa
--   which models were measured in one workload
select
    model,
    task,
    model_name,
    hugging_face_id,
    params_b,
    active_params_b,
    architecture,
    gpus,
    configurations,
    lowest_wh_per_million_output_tokens,
    source
from model_index
where (:task is null or task = :task)
    and (:source is null or source = :source)
order by model, task, source;
