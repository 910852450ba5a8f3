-- The models that were measured, with the lowest energy of each at the default deadline.
--
-- The lowest figure is over all GPUs and configurations whose median inter-token latency meets the
-- release's default deadline; it is empty where none does, and for a workload that makes images or
-- videos, of which best-images and best-videos tell the lowest.
--
-- :task  task  workload
-- important: model, params_b, architecture, gpus, configurations
-- important: lowest_wh_per_million_output_tokens
select
    model,
    model_name,
    hugging_face_id,
    params_b,
    active_params_b,
    architecture,
    gpus,
    configurations,
    lowest_wh_per_million_output_tokens
from model_index
where task = :task
order by model, source;
