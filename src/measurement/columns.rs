//! The fields of a configuration: which there are in each form of file, how each is read, and the
//! column that holds it.

use crate::input::classify::{Form, Kind};
use crate::measurement::record::Product;

/// How a field is read and where its value goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    Figure(Figure),
    Count(Count),
    /// A count that may be null.
    MaybeCount(Count),
    Name(Name),
    /// An object of degrees of parallelism, and notes.
    Parallelization,
    /// A histogram of output lengths.
    Lengths,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Figure {
    ActiveParamsB,
    AvgRunningBatch,
    AvgOutputTokens,
    PowerWatts,
    JoulesPerRequest,
    /// Per output token, image or video.
    Joules,
    MedianItlMs,
    /// Output tokens, images or videos per second.
    PerSecond,
    P90ItlMs,
    P95ItlMs,
    P99ItlMs,
    ParamsB,
    BatchLatencyS,
}

/// How many figures there are.
pub(crate) const FIGURES: usize = Figure::BatchLatencyS as usize + 1;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Count {
    DataParallel,
    ExpertParallel,
    MaxNumSeqs,
    NumGpus,
    TensorParallel,
    BatchSize,
    Height,
    Width,
    InferenceSteps,
    NumFrames,
    FramesPerSecond,
    RingDegree,
    UlyssesDegree,
}

/// How many counts there are.
pub(crate) const COUNTS: usize = Count::UlyssesDegree as usize + 1;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Name {
    Architecture,
    Gpu,
    ModelId,
    Nickname,
    Precision,
}

/// How many names there are.
pub(crate) const NAMES: usize = Name::Precision as usize + 1;

/// A field of a configuration: its name in the document, its column in the database, its target.
pub(crate) type Field = (&'static str, &'static str, Target);

/// A degree of parallelism in an object of its own: its name there, its path from the
/// configuration, its column, its target.
pub(crate) type Degree = (&'static str, &'static str, &'static str, Count);

/// The fields of a configuration in one form of file, in the order in which the leaderboard writes
/// them.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) product: Product,
    pub(crate) fields: &'static [Field],
    /// What stands in `parallelization`.
    pub(crate) degrees: &'static [Degree],
}

const ACTIVE_PARAMS: Field =
    ("activated_params_billions", "active_params_b", Target::Figure(Figure::ActiveParamsB));
const ARCHITECTURE: Field = ("architecture", "architecture", Target::Name(Name::Architecture));
const LOAD: Field =
    ("avg_batch_size", "avg_running_batch", Target::Figure(Figure::AvgRunningBatch));
const OUTPUT_TOKENS: Field =
    ("avg_output_len", "avg_output_tokens", Target::Figure(Figure::AvgOutputTokens));
const POWER: Field = ("avg_power_watts", "power_watts", Target::Figure(Figure::PowerWatts));
const BATCH_LATENCY: Field =
    ("batch_latency_s", "batch_latency_s", Target::Figure(Figure::BatchLatencyS));
const BATCH_SIZE: Field = ("batch_size", "batch_size", Target::Count(Count::BatchSize));
const JOULES_PER_REQUEST: Field =
    ("energy_per_request_joules", "joules_per_request", Target::Figure(Figure::JoulesPerRequest));
const JOULES_PER_TOKEN: Field =
    ("energy_per_token_joules", "joules_per_output_token", Target::Figure(Figure::Joules));
const JOULES_PER_IMAGE: Field =
    ("energy_per_image_joules", "joules_per_image", Target::Figure(Figure::Joules));
const JOULES_PER_VIDEO: Field =
    ("energy_per_video_joules", "joules_per_video", Target::Figure(Figure::Joules));
const FPS: Field = ("fps", "frames_per_second", Target::MaybeCount(Count::FramesPerSecond));
const GPU: Field = ("gpu_model", "gpu", Target::Name(Name::Gpu));
const IMAGE_HEIGHT: Field = ("image_height", "height_pixels", Target::Count(Count::Height));
const IMAGE_WIDTH: Field = ("image_width", "width_pixels", Target::Count(Count::Width));
const STEPS: Field = ("inference_steps", "inference_steps", Target::Count(Count::InferenceSteps));
const MAX_NUM_SEQS: Field = ("max_num_seqs", "max_num_seqs", Target::Count(Count::MaxNumSeqs));
const MEDIAN_ITL: Field = ("median_itl_ms", "median_itl_ms", Target::Figure(Figure::MedianItlMs));
const MODEL_ID: Field = ("model_id", "hugging_face_id", Target::Name(Name::ModelId));
const NICKNAME: Field = ("nickname", "model_name", Target::Name(Name::Nickname));
const NUM_FRAMES: Field = ("num_frames", "num_frames", Target::MaybeCount(Count::NumFrames));
const NUM_GPUS: Field = ("num_gpus", "num_gpus", Target::Count(Count::NumGpus));
const LENGTHS: Field = ("output_length_distribution", "output_lengths", Target::Lengths);
const TOKENS_PER_SECOND: Field =
    ("output_throughput_tokens_per_sec", "tokens_per_second", Target::Figure(Figure::PerSecond));
const P90_ITL: Field = ("p90_itl_ms", "p90_itl_ms", Target::Figure(Figure::P90ItlMs));
const P95_ITL: Field = ("p95_itl_ms", "p95_itl_ms", Target::Figure(Figure::P95ItlMs));
const P99_ITL: Field = ("p99_itl_ms", "p99_itl_ms", Target::Figure(Figure::P99ItlMs));
const PARALLELIZATION: Field = ("parallelization", "parallelization", Target::Parallelization);
const RING: Field = ("ring_degree", "ring_degree", Target::Count(Count::RingDegree));
const IMAGES_PER_SECOND: Field =
    ("throughput_images_per_sec", "images_per_second", Target::Figure(Figure::PerSecond));
const VIDEOS_PER_SECOND: Field =
    ("throughput_videos_per_sec", "videos_per_second", Target::Figure(Figure::PerSecond));
const PARAMS: Field = ("total_params_billions", "params_b", Target::Figure(Figure::ParamsB));
const ULYSSES: Field = ("ulysses_degree", "ulysses_degree", Target::Count(Count::UlyssesDegree));
const VIDEO_HEIGHT: Field = ("video_height", "height_pixels", Target::Count(Count::Height));
const VIDEO_WIDTH: Field = ("video_width", "width_pixels", Target::Count(Count::Width));
const PRECISION: Field = ("weight_precision", "precision", Target::Name(Name::Precision));

const DATA_PARALLEL: Field = ("data_parallel", "data_parallel", Target::Count(Count::DataParallel));
const EXPERT_PARALLEL: Field =
    ("expert_parallel", "expert_parallel", Target::Count(Count::ExpertParallel));
const TENSOR_PARALLEL: Field =
    ("tensor_parallel", "tensor_parallel", Target::Count(Count::TensorParallel));

static TOKENS: Shape = Shape {
    product: Product::Tokens,
    fields: &[
        ACTIVE_PARAMS,
        ARCHITECTURE,
        LOAD,
        OUTPUT_TOKENS,
        POWER,
        DATA_PARALLEL,
        JOULES_PER_REQUEST,
        JOULES_PER_TOKEN,
        EXPERT_PARALLEL,
        GPU,
        MAX_NUM_SEQS,
        MEDIAN_ITL,
        MODEL_ID,
        NICKNAME,
        NUM_GPUS,
        TOKENS_PER_SECOND,
        P90_ITL,
        P95_ITL,
        P99_ITL,
        TENSOR_PARALLEL,
        PARAMS,
        PRECISION,
    ],
    degrees: &[],
};

static TOKENS_OF_A_MODEL: Shape = Shape {
    product: Product::Tokens,
    fields: &[
        LOAD,
        OUTPUT_TOKENS,
        POWER,
        JOULES_PER_REQUEST,
        JOULES_PER_TOKEN,
        GPU,
        MAX_NUM_SEQS,
        MEDIAN_ITL,
        NUM_GPUS,
        LENGTHS,
        TOKENS_PER_SECOND,
        P90_ITL,
        P95_ITL,
        P99_ITL,
        PARALLELIZATION,
    ],
    degrees: &[
        ("data_parallel", "parallelization/data_parallel", "data_parallel", Count::DataParallel),
        (
            "expert_parallel",
            "parallelization/expert_parallel",
            "expert_parallel",
            Count::ExpertParallel,
        ),
        (
            "tensor_parallel",
            "parallelization/tensor_parallel",
            "tensor_parallel",
            Count::TensorParallel,
        ),
    ],
};

static IMAGES: Shape = Shape {
    product: Product::Images,
    fields: &[
        ACTIVE_PARAMS,
        POWER,
        BATCH_LATENCY,
        BATCH_SIZE,
        JOULES_PER_IMAGE,
        GPU,
        IMAGE_HEIGHT,
        IMAGE_WIDTH,
        STEPS,
        MODEL_ID,
        NICKNAME,
        NUM_GPUS,
        RING,
        IMAGES_PER_SECOND,
        PARAMS,
        ULYSSES,
        PRECISION,
    ],
    degrees: &[],
};

const DIFFUSION_DEGREES: &[Degree] = &[
    ("ring_degree", "parallelization/ring_degree", "ring_degree", Count::RingDegree),
    ("ulysses_degree", "parallelization/ulysses_degree", "ulysses_degree", Count::UlyssesDegree),
];

static IMAGES_OF_A_MODEL: Shape = Shape {
    product: Product::Images,
    fields: &[
        POWER,
        BATCH_LATENCY,
        BATCH_SIZE,
        JOULES_PER_IMAGE,
        GPU,
        IMAGE_HEIGHT,
        IMAGE_WIDTH,
        STEPS,
        NUM_GPUS,
        PARALLELIZATION,
        IMAGES_PER_SECOND,
    ],
    degrees: DIFFUSION_DEGREES,
};

static VIDEOS: Shape = Shape {
    product: Product::Videos,
    fields: &[
        ACTIVE_PARAMS,
        POWER,
        BATCH_LATENCY,
        BATCH_SIZE,
        JOULES_PER_VIDEO,
        FPS,
        GPU,
        STEPS,
        MODEL_ID,
        NICKNAME,
        NUM_FRAMES,
        NUM_GPUS,
        RING,
        VIDEOS_PER_SECOND,
        PARAMS,
        ULYSSES,
        VIDEO_HEIGHT,
        VIDEO_WIDTH,
        PRECISION,
    ],
    degrees: &[],
};

static VIDEOS_OF_A_MODEL: Shape = Shape {
    product: Product::Videos,
    fields: &[
        POWER,
        BATCH_LATENCY,
        BATCH_SIZE,
        JOULES_PER_VIDEO,
        FPS,
        GPU,
        STEPS,
        NUM_FRAMES,
        NUM_GPUS,
        PARALLELIZATION,
        VIDEOS_PER_SECOND,
        VIDEO_HEIGHT,
        VIDEO_WIDTH,
    ],
    degrees: DIFFUSION_DEGREES,
};

/// The shape of the configurations in a form of file.
pub(crate) fn of(form: Form) -> &'static Shape {
    match (form.product, form.kind) {
        (Product::Tokens, Kind::ModelFile) => &TOKENS_OF_A_MODEL,
        (Product::Tokens, _) => &TOKENS,
        (Product::Images, Kind::ModelFile) => &IMAGES_OF_A_MODEL,
        (Product::Images, _) => &IMAGES,
        (Product::Videos, Kind::ModelFile) => &VIDEOS_OF_A_MODEL,
        (Product::Videos, _) => &VIDEOS,
    }
}

impl Shape {
    /// One bit for every field.
    pub(crate) fn all_fields(&self) -> u32 {
        (1 << self.fields.len()) - 1
    }

    /// The field of this name. Fields mostly come in their order, so `next` is tried first.
    pub(crate) fn field_named(&self, key: &str, next: usize) -> Option<usize> {
        let is_named =
            |index: &usize| self.fields.get(*index).is_some_and(|(name, ..)| *name == key);
        Some(next).filter(is_named).or_else(|| (0..self.fields.len()).find(|index| is_named(index)))
    }

    /// The document's own name for a column.
    pub(crate) fn field_of_column(&self, column: &'static str) -> &'static str {
        let field = self.fields.iter().find(|(_, known, _)| *known == column);
        let degree = self.degrees.iter().find(|(.., known, _)| *known == column);
        match (field, degree) {
            (Some((name, ..)), _) => name,
            (_, Some((_, path, ..))) => path,
            _ => column,
        }
    }
}

/// The name that a form of file has for a column.
pub fn field_of_column(form: Form, column: &'static str) -> &'static str {
    of(form).field_of_column(column)
}
