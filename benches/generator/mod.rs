//! Writes leaderboard task files of any size, for measuring and testing.
//!
//! The documents look like the published ones: the same members in the same order, the same indentation, and
//! figures of 15 to 17 digits. They keep every relation of the published figures, so a strict reader accepts
//! them. The same rows and seed give the same bytes. A document is written while it is generated, so a large one
//! needs no more memory.
//!
//! A command, a test or a benchmark includes this module with
//! `#[path = "…/benches/generator/mod.rs"] mod generator;`.

use std::fmt::Debug;
use std::io::{self, Write};

mod figures;
mod model;
mod random;
mod settings;

use figures::Figures;
use model::Model;
use random::Random;
use settings::Setting;

/// The most rows of one model. For more rows there are more models.
const ROWS_PER_MODEL: usize = 500;

/// One row in this many repeats the measurement of the row before.
const ROWS_PER_REPEAT: u64 = 200;

/// Which document to write.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// Number of measured configurations.
    pub rows: usize,
    /// Chooses the figures.
    pub seed: u64,
    /// Write the array of configurations alone, without the object around it.
    pub bare_array: bool,
}

impl Document {
    /// Writes the document, without a newline after it, as the published ones are.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        if self.bare_array {
            out.write_all(b"[")?;
            self.write_rows(out, "  ")?;
            return out.write_all(b"\n]");
        }
        out.write_all(b"{\n  \"configurations\": [")?;
        self.write_rows(out, "    ")?;
        out.write_all(
            b"\n  ],\n  \"task\": \"lm-arena-chat\",\n  \"task_display_name\": \"LLM Chat (LM Arena)\"\n}",
        )
    }

    fn write_rows(&self, out: &mut impl Write, indent: &str) -> io::Result<()> {
        let models = self.rows.div_ceil(ROWS_PER_MODEL);
        let mut separator = "\n";
        for number in 0..models {
            // Each model has its own stream, so that adding rows changes no name.
            let mut random = Random::new(self.seed, number);
            let model = Model::new(number, &mut random);
            let rows = share(self.rows, models, number);
            for (gpu_number, gpu) in settings::GPUS.iter().enumerate() {
                let rows = share(rows, settings::GPUS.len(), gpu_number);
                let mut distinct = 0;
                let mut setting = Setting::new(gpu, &model, 0, rows);
                for row in 0..rows {
                    if row == 0 || random.below(ROWS_PER_REPEAT) != 0 {
                        setting = Setting::new(gpu, &model, distinct, rows);
                        distinct += 1;
                    }
                    let figures = Figures::new(&model, &setting, &mut random);
                    out.write_all(separator.as_bytes())?;
                    write_row(out, indent, &model, &setting, &figures)?;
                    separator = ",\n";
                }
            }
        }
        Ok(())
    }
}

/// The part of `total` that falls to one of `parts`, when they share it as evenly as can be.
fn share(total: usize, parts: usize, number: usize) -> usize {
    total / parts + usize::from(number < total % parts)
}

/// Writes one configuration. The debug form of a double is the shortest text that reads back as
/// the same double, and that of these names, which are plain, is a JSON string.
fn write_row(
    out: &mut impl Write,
    indent: &str,
    model: &Model,
    setting: &Setting,
    figures: &Figures,
) -> io::Result<()> {
    let [median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms] = &figures.itl_ms;
    let members: [(&str, &dyn Debug); 22] = [
        ("activated_params_billions", &model.active_params_b),
        ("architecture", &model.architecture),
        ("avg_batch_size", &figures.running_batch),
        ("avg_output_len", &figures.output_tokens),
        ("avg_power_watts", &figures.power_watts()),
        ("data_parallel", &1),
        ("energy_per_request_joules", &figures.joules_per_request()),
        ("energy_per_token_joules", &figures.joules_per_token),
        ("expert_parallel", &setting.expert_parallel),
        ("gpu_model", &setting.gpu.name),
        ("max_num_seqs", &setting.max_num_seqs),
        ("median_itl_ms", median_itl_ms),
        ("model_id", &model.hugging_face_id),
        ("nickname", &model.name),
        ("num_gpus", &setting.num_gpus),
        ("output_throughput_tokens_per_sec", &figures.tokens_per_second),
        ("p90_itl_ms", p90_itl_ms),
        ("p95_itl_ms", p95_itl_ms),
        ("p99_itl_ms", p99_itl_ms),
        ("tensor_parallel", &setting.tensor_parallel),
        ("total_params_billions", &model.params_b),
        ("weight_precision", &model.precision),
    ];
    write!(out, "{indent}{{")?;
    let mut separator = "\n";
    for (name, value) in members {
        write!(out, "{separator}{indent}  \"{name}\": {value:?}")?;
        separator = ",\n";
    }
    write!(out, "\n{indent}}}")
}
