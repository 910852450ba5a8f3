-- How long the outputs of a configuration were, and the energy of a response of that length.
--
-- requests is the number of requests that the figures are based on. More requests are better
-- evidence. p10, p50, p90 and p99 are percentiles of the output length, in tokens. They are
-- computed from the source's histogram, as if outputs were spread evenly within each bin.
--
-- The energy of a response is joules per output token * length / 3600, in Wh. It is an estimate,
-- because energy per token is a mean over all requests. Configurations without a histogram in the
-- source are not listed.
--
-- :task    text_task  workload that makes text
-- :model   model      model: slug, name or Hugging Face id
-- :gpu     gpu        GPU, such as B200
-- :source  source     source of the figures, such as published
-- :row_id  row_id     only this configuration, such as qwen-3-14b/B200/1/8
--
-- no rows: the database contains no output lengths, which come only from models' own files
--
-- example: --model qwen-3-14b
--   how long the outputs of one model are
-- example: --gpu B200 --limit 5
--   the first rows for B200
with chosen as (
    select
        output_lengths.output_lengths_id as output_lengths_id,
        output_lengths.configuration_id as configuration_id,
        output_lengths.requests as requests
    from output_lengths
    where output_lengths.configuration_id is not null
        and output_lengths.task_id in (select task_id from tasks where task = :task)
        and output_lengths.model_id in (
            select model_id from models where :model is null or model = :model
        )
),

-- Each bin with the number of requests in the bins before it.
bins as (
    select
        output_length_bins.output_lengths_id as output_lengths_id,
        output_length_bins.from_tokens as from_tokens,
        output_length_bins.to_tokens as to_tokens,
        output_length_bins.requests as requests,
        chosen.requests as all_requests,
        sum(output_length_bins.requests) over (
            partition by output_length_bins.output_lengths_id
            order by output_length_bins.bin
        ) - output_length_bins.requests as requests_before
    from chosen
    join output_length_bins
        on output_length_bins.output_lengths_id = chosen.output_lengths_id
),

quantiles (quantile, percent) as (values ('p10', 10), ('p50', 50), ('p90', 90), ('p99', 99)),

-- A length is linear within its bin.
lengths as (
    select
        bins.output_lengths_id as output_lengths_id,
        quantiles.quantile as quantile,
        bins.from_tokens + (bins.to_tokens - bins.from_tokens)
            * (quantiles.percent * bins.all_requests / 100.0 - bins.requests_before) / bins.requests
            as output_tokens
    from bins
    cross join quantiles
    where bins.requests_before < quantiles.percent * bins.all_requests / 100.0
        and bins.requests_before + bins.requests >= quantiles.percent * bins.all_requests / 100.0
),

in_columns as (
    select
        output_lengths_id,
        max(case quantile when 'p10' then output_tokens end) as p10_output_tokens,
        max(case quantile when 'p50' then output_tokens end) as p50_output_tokens,
        max(case quantile when 'p90' then output_tokens end) as p90_output_tokens,
        max(case quantile when 'p99' then output_tokens end) as p99_output_tokens
    from lengths
    group by output_lengths_id
)

select
    configuration_energy.model as model,
    configuration_energy.gpu as gpu,
    configuration_energy.num_gpus as num_gpus,
    configuration_energy.max_num_seqs as max_num_seqs,
    chosen.requests as requests,
    configuration_energy.avg_output_tokens as avg_output_tokens,
    in_columns.p10_output_tokens as p10_output_tokens,
    in_columns.p50_output_tokens as p50_output_tokens,
    in_columns.p90_output_tokens as p90_output_tokens,
    in_columns.p99_output_tokens as p99_output_tokens,
    configuration_energy.wh_per_million_output_tokens as wh_per_million_output_tokens,
    configuration_energy.joules_per_output_token * in_columns.p10_output_tokens / 3600.0
        as p10_wh_per_response,
    configuration_energy.joules_per_output_token * in_columns.p50_output_tokens / 3600.0
        as p50_wh_per_response,
    configuration_energy.joules_per_output_token * in_columns.p90_output_tokens / 3600.0
        as p90_wh_per_response,
    configuration_energy.joules_per_output_token * in_columns.p99_output_tokens / 3600.0
        as p99_wh_per_response,
    configuration_energy.source as source,
    configuration_energy.row_id as row_id
from chosen
join in_columns on in_columns.output_lengths_id = chosen.output_lengths_id
join configuration_energy
    on configuration_energy.configuration_id = chosen.configuration_id
where (:gpu is null or configuration_energy.gpu = :gpu)
    and (:source is null or configuration_energy.source = :source)
    and (:row_id is null or configuration_energy.row_id = :row_id)
order by
    configuration_energy.model,
    configuration_energy.gpu,
    configuration_energy.num_gpus,
    configuration_energy.avg_running_batch,
    configuration_energy.configuration_id;
