create view configuration_latencies as
-- The inter-token latency (ITL) of every measured configuration at each percentile, ms.
-- One row per configuration and percentile: median, p90, p95 and p99.
select
    configurations.configuration_id as configuration_id,
    percentiles.percentile as percentile,
    case percentiles.percentile
        when 'median' then configurations.median_itl_ms
        when 'p90' then configurations.p90_itl_ms
        when 'p95' then configurations.p95_itl_ms
        when 'p99' then configurations.p99_itl_ms
    end as itl_ms
from configurations
cross join percentiles;
