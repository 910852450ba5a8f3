//! What workloads make, and the checked records, as they are stored: a measured configuration of a
//! workload that makes text, one of a workload that makes images or videos, and a histogram of output
//! lengths.

/// What a workload makes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Product {
    /// Text, counted in tokens.
    #[default]
    Tokens,
    /// Images.
    Images,
    /// Videos.
    Videos,
}

impl Product {
    /// The name that the database has for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Images => "images",
            Self::Videos => "videos",
        }
    }

    /// Every product.
    pub fn all() -> impl Iterator<Item = Self> {
        // A match, so that a new product does not compile until it is among them.
        std::iter::successors(Some(Self::Tokens), |product| match product {
            Self::Tokens => Some(Self::Images),
            Self::Images => Some(Self::Videos),
            Self::Videos => None,
        })
    }

    /// The product of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::all().find(|product| product.name() == name)
    }
}

/// One measured way to serve a model. Models, GPUs and precisions are numbered by
/// [`crate::input::identities::Identities`], from 1.
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

impl Figures {
    /// The figures in the order of the columns that hold them.
    pub fn all(&self) -> [f64; 10] {
        [
            self.avg_running_batch,
            self.tokens_per_second,
            self.power_watts,
            self.joules_per_output_token,
            self.joules_per_request,
            self.median_itl_ms,
            self.p90_itl_ms,
            self.p95_itl_ms,
            self.p99_itl_ms,
            self.avg_output_tokens,
        ]
    }
}

impl Configuration {
    /// The first column of the database in which two configurations of one model differ, with both
    /// values. GPUs and precisions are numbered, so their values are told by number.
    pub fn first_difference(&self, other: &Self) -> Option<(&'static str, f64, f64)> {
        let columns = |of: &Self| {
            let figures = &of.figures;
            [
                ("gpu", of.gpu.into()),
                ("num_gpus", of.num_gpus.into()),
                ("max_num_seqs", of.max_num_seqs.into()),
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
        first_different(columns(self), columns(other))
    }
}

/// The first column whose values differ, with both.
fn first_different<V: PartialEq, const COLUMNS: usize>(
    columns: [(&'static str, V); COLUMNS],
    others: [(&'static str, V); COLUMNS],
) -> Option<(&'static str, V, V)> {
    let pairs = columns.into_iter().zip(others);
    pairs
        .map(|((column, value), (_, other))| (column, value, other))
        .find(|(_, value, other)| value != other)
}

/// One measured way to generate images or videos. Models, GPUs and precisions are numbered as in
/// [`Configuration`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Generation {
    /// What tells it from others.
    pub key: GenerationKey,
    /// Number of the weights' precision.
    pub precision: u32,
    /// What was measured.
    pub figures: GenerationFigures,
    /// Place in the document: index into its `configurations`, from 0.
    pub position: u32,
}

/// What tells one way to generate images or videos from another within its task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GenerationKey {
    /// Number of the model.
    pub model: u32,
    /// Number of the type of GPU.
    pub gpu: u32,
    /// GPUs used.
    pub num_gpus: u32,
    /// Images or videos made at once.
    pub batch_size: u32,
    /// Height, pixels.
    pub height: u32,
    /// Width, pixels.
    pub width: u32,
    /// Denoising steps.
    pub inference_steps: u32,
    /// Frames of a video; none for an image, and where the source says nothing.
    pub num_frames: Option<u32>,
    /// Frames per second at which a video plays; none as above.
    pub frames_per_second: Option<u32>,
    /// Degree of Ulysses parallelism.
    pub ulysses_degree: u32,
    /// Degree of ring parallelism.
    pub ring_degree: u32,
}

impl GenerationKey {
    /// The first column of the database in which two configurations of one model differ, with both
    /// values; none are 0. GPUs are numbered, so their values are told by number.
    pub fn first_difference(&self, other: &Self) -> Option<(&'static str, u32, u32)> {
        let columns = |of: &Self| {
            [
                ("gpu", of.gpu),
                ("num_gpus", of.num_gpus),
                ("batch_size", of.batch_size),
                ("height_pixels", of.height),
                ("width_pixels", of.width),
                ("inference_steps", of.inference_steps),
                ("num_frames", of.num_frames.unwrap_or_default()),
                ("frames_per_second", of.frames_per_second.unwrap_or_default()),
                ("ulysses_degree", of.ulysses_degree),
                ("ring_degree", of.ring_degree),
            ]
        };
        first_different(columns(self), columns(other))
    }
}

/// The measured figures of one way to generate images or videos, as received.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GenerationFigures {
    /// Joules per image or video.
    pub joules: f64,
    /// Seconds that a batch takes.
    pub batch_latency_s: f64,
    /// Images or videos per second, all GPUs together.
    pub per_second: f64,
    /// Watts, all GPUs together.
    pub power_watts: f64,
}

impl GenerationFigures {
    /// The figures in the order of the columns that hold them.
    pub fn all(&self) -> [f64; 4] {
        [self.joules, self.batch_latency_s, self.per_second, self.power_watts]
    }
}

/// How many requests had an output of which length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Histogram {
    /// The edges of the bins, tokens, ascending: one more than there are bins.
    pub edges: Vec<f64>,
    /// Requests in each bin.
    pub counts: Vec<u32>,
}

impl Histogram {
    /// Requests in all bins.
    pub fn requests(&self) -> u64 {
        self.counts.iter().copied().map(u64::from).sum()
    }
}

/// A configuration with the lengths of its outputs, as a model's own file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    /// The configuration.
    pub configuration: Configuration,
    /// The lengths of its outputs.
    pub lengths: Histogram,
}
