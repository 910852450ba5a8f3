//! Ways to serve a model: GPU, number of GPUs, parallelism and concurrency limit.

use super::model::Model;

/// A type of GPU.
pub struct Gpu {
    /// Its name.
    pub name: &'static str,
    /// Most that one draws.
    pub max_watts: f64,
    /// How fast it is, where an H100 is 1.
    pub speed: f64,
}

/// All GPUs, in the order in which a document has them.
pub const GPUS: [Gpu; 6] = [
    Gpu { name: "A100", max_watts: 400.0, speed: 0.5 },
    Gpu { name: "B200", max_watts: 1000.0, speed: 2.0 },
    Gpu { name: "B300", max_watts: 1400.0, speed: 2.3 },
    Gpu { name: "H100", max_watts: 700.0, speed: 1.0 },
    Gpu { name: "H200", max_watts: 700.0, speed: 1.3 },
    Gpu { name: "L40S", max_watts: 350.0, speed: 0.25 },
];

const NUM_GPUS: [u32; 4] = [1, 2, 4, 8];
const LIMITS: [u32; 21] = [
    8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024, 1280, 1536, 2048,
    3072, 4096,
];

/// One way to serve a model.
pub struct Setting {
    /// What it runs on.
    pub gpu: &'static Gpu,
    /// How many of them.
    pub num_gpus: u32,
    /// GPUs that share each tensor.
    pub tensor_parallel: u32,
    /// GPUs that share the experts; where they do, tensors are not shared.
    pub expert_parallel: u32,
    /// Limit on requests in flight.
    pub max_num_seqs: u32,
}

impl Setting {
    /// The setting with this number of `count`, all of them different. There may be as many as
    /// numbers of GPUs times limits; fewer are spread evenly, so that a curve reaches from low to
    /// high load.
    pub fn new(gpu: &'static Gpu, model: &Model, number: usize, count: usize) -> Self {
        let all = NUM_GPUS.len() * LIMITS.len();
        let place = number * all / count.max(1);
        let num_gpus = NUM_GPUS[place / LIMITS.len()];
        let (tensor_parallel, expert_parallel) =
            if model.has_experts() { (1, num_gpus) } else { (num_gpus, 1) };
        let max_num_seqs = LIMITS[place % LIMITS.len()];
        Self { gpu, num_gpus, tensor_parallel, expert_parallel, max_num_seqs }
    }
}
