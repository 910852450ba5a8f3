//! The checked record of one measured configuration, as it is stored.

/// One measured way to serve a model. Models, GPUs and precisions are numbered by
/// [`crate::source::identities::Identities`], from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Configuration {
    /// Number of the model.
    pub model: u32,
    /// Number of the type of GPU.
    pub gpu: u32,
    /// Number of the weights' precision.
    pub precision: u32,
    /// GPUs used.
    pub num_gpus: u32,
    /// Degree of tensor parallelism, as published.
    pub tensor_parallel: u32,
    /// Degree of data parallelism, as published.
    pub data_parallel: u32,
    /// Degree of expert parallelism, as published.
    pub expert_parallel: u32,
    /// The limit on requests in flight.
    pub max_num_seqs: u32,
    /// What was measured.
    pub figures: Figures,
    /// Place in the document: index into its `configurations`, from 0.
    pub position: u32,
}

/// The measured figures of one configuration, as received.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Figures {
    /// Requests in flight, mean.
    pub avg_running_batch: f64,
    /// Output tokens per second, all GPUs together.
    pub tokens_per_second: f64,
    /// Watts, all GPUs together.
    pub power_watts: f64,
    /// Joules per output token.
    pub joules_per_output_token: f64,
    /// Joules per request, derived by the source.
    pub joules_per_request: f64,
    /// Median inter-token latency, ms.
    pub median_itl_ms: f64,
    /// 90th percentile of inter-token latency, ms.
    pub p90_itl_ms: f64,
    /// 95th percentile of inter-token latency, ms.
    pub p95_itl_ms: f64,
    /// 99th percentile of inter-token latency, ms.
    pub p99_itl_ms: f64,
    /// Mean output length of a request, tokens.
    pub avg_output_tokens: f64,
}

impl Configuration {
    /// The first column of the database in which two measurements of one configuration differ, with
    /// both values. Precisions are numbered, so their values are told by number.
    pub fn first_difference(&self, other: &Self) -> Option<(&'static str, f64, f64)> {
        let columns = |of: &Self| {
            let figures = &of.figures;
            [
                ("precision", of.precision.into()),
                ("tensor_parallel", of.tensor_parallel.into()),
                ("data_parallel", of.data_parallel.into()),
                ("expert_parallel", of.expert_parallel.into()),
                ("avg_running_batch", figures.avg_running_batch),
                ("tokens_per_second", figures.tokens_per_second),
                ("power_watts", figures.power_watts),
                ("joules_per_output_token", figures.joules_per_output_token),
                ("joules_per_request", figures.joules_per_request),
                ("median_itl_ms", figures.median_itl_ms),
                ("p90_itl_ms", figures.p90_itl_ms),
                ("p95_itl_ms", figures.p95_itl_ms),
                ("p99_itl_ms", figures.p99_itl_ms),
                ("avg_output_tokens", figures.avg_output_tokens),
            ]
        };
        let pairs = columns(self).into_iter().zip(columns(other));
        pairs
            .map(|((column, value), (_, other))| (column, value, other))
            .find(|(_, value, other)| value != other)
    }
}
