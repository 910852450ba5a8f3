//! The results of serving benchmarks, beside the published figures.

use serde_json::{Value, json};

use crate::common::{Ended, Folder};

mod aiperf;
mod inferencex;
mod power;
mod previous;
mod sglang;
mod vllm;

/// What no tool says of its run.
const FACTS: [&str; 6] = [
    "task=my-chat",
    "gpu=H100",
    "num_gpus=1",
    "precision=BF16",
    "energy_boundary=gpu",
    "source=lab",
];

/// Builds an input with facts.
fn build(folder: &Folder, input: &str, facts: &[&str], more: &[&str]) -> Ended {
    let mut words = vec!["build", input, "-o", "x.sqlite"];
    words.extend(more);
    words.extend(facts.iter().flat_map(|fact| ["--fact", fact]));
    folder.run(words)
}

/// One column of every configuration, in the order of the limits.
fn figures(folder: &Folder, columns: &str) -> Vec<String> {
    let sql = format!("select {columns} from configuration_energy order by max_num_seqs, row_id");
    folder.csv("x.sqlite", &sql)
}

/// The document with other members.
fn with(document: &Value, members: &Value) -> Value {
    let mut document = document.clone();
    for (name, value) in members.as_object().unwrap() {
        document[name] = value.clone();
    }
    document
}
