-- The models that were measured, with their workloads and the lowest energy in each.
--
-- One row per model, workload and source. The lowest energy is that of all configurations on any
-- GPU whose median inter-token latency meets the release's default deadline. It is empty if none
-- meets it. It is also empty for workloads that make images or videos: use best-images and
-- best-videos for those.
--
-- :task    any_task  only this workload
-- :source  source    source of the figures, such as published
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
