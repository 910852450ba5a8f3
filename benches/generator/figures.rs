//! What a configuration measures, on a plausible curve over its load.

use super::model::Model;
use super::random::Random;
use super::settings::Setting;

/// The figures of one row.
pub struct Figures {
    /// Mean requests in flight, at most the limit.
    pub running_batch: f64,
    /// Mean output length of a request.
    pub output_tokens: f64,
    /// Energy for each output token.
    pub joules_per_token: f64,
    /// Output tokens per second, all GPUs together.
    pub tokens_per_second: f64,
    /// Inter-token latency: median, p90, p95, p99, ascending.
    pub itl_ms: [f64; 4],
}

impl Figures {
    /// One measurement. Latency grows with load, throughput flattens and energy falls, each with
    /// some noise, so that none of them is quite monotone.
    pub fn new(model: &Model, setting: &Setting, random: &mut Random) -> Self {
        let limit = f64::from(setting.max_num_seqs);
        let steps = 100.0 + random.below(2000) as f64;
        let running_batch = limit - (1.0 + random.below(6) as f64) * limit.sqrt() / steps;
        let requests = 1024.0;
        let output_tokens = (300.0 * requests + random.below(700 * 1024) as f64) / requests;

        let num_gpus = f64::from(setting.num_gpus);
        let speed = setting.gpu.speed * num_gpus.powf(0.8);
        let base_ms = 2.0 + 0.5 * model.active_params_b / speed;
        let load_ms = (0.01 + 0.004 * model.active_params_b) / speed * running_batch;
        let median = (base_ms + load_ms) * random.between(0.92, 1.08);
        let p90 = median * random.between(1.1, 1.6);
        let p95 = p90 * random.between(1.02, 1.3);
        let p99 = p95 * random.between(1.05, 2.5);

        let tokens_per_second = running_batch * 1000.0 / (median * random.between(1.1, 1.3));
        let busy = 0.45 + 0.45 * load_ms / (base_ms + load_ms);
        let watts = num_gpus * setting.gpu.max_watts * busy * random.between(0.95, 1.05);
        Self {
            running_batch,
            output_tokens,
            joules_per_token: watts / tokens_per_second,
            tokens_per_second,
            itl_ms: [median, p90, p95, p99],
        }
    }

    /// Energy of a whole request, which follows from two other figures.
    pub fn joules_per_request(&self) -> f64 {
        self.joules_per_token * self.output_tokens
    }

    /// Power of all GPUs together, which follows from two other figures.
    pub fn power_watts(&self) -> f64 {
        self.joules_per_token * self.tokens_per_second
    }
}
