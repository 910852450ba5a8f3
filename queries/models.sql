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
    model_index.model as model,
    model_index.model_name as model_name,
    model_index.hugging_face_id as hugging_face_id,
    model_index.params_b as params_b,
    model_index.active_params_b as active_params_b,
    model_index.architecture as architecture,
    model_index.gpus as gpus,
    model_index.configurations as configurations,
    model_index.lowest_wh_per_million_output_tokens as lowest_wh_per_million_output_tokens
from model_index
where model_index.task = :task
order by model_index.model;
