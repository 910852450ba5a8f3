//! `energydb template`: what a table of own measurements looks like.

use std::collections::HashMap;
use std::io::Write;

use anyhow::Result;

use super::DONE;
use crate::cli::Template;
use crate::database::dictionary;
use crate::input::own::given::{NAMES, of_file};
use crate::measurement::columns::{Column, Table};
use crate::measurement::method;
use crate::measurement::product::Product;
use crate::output::terminal;

/// An example in each column; the others are empty.
const OF_ALL: [(&str, &str); 15] = [
    ("source", "mine"),
    ("workload", "my own requests"),
    ("energy_boundary", "gpu"),
    ("measurement_window", "steady-state"),
    ("runtime", "vLLM"),
    ("runtime_version", "0.11.1"),
    ("measured_on", "2026-11-20"),
    ("is_estimated", "false"),
    ("hugging_face_id", "acme/Acme-7B-Instruct"),
    ("model_name", "Acme 7B Instruct"),
    ("params_b", "7"),
    ("active_params_b", "7"),
    ("gpu", "H100"),
    ("precision", "BF16"),
    ("num_gpus", "1"),
];
const OF_TEXT: [(&str, &str); 13] = [
    ("task", "my-chat"),
    ("itl_kind", "per-token"),
    ("architecture", "Dense"),
    ("max_num_seqs", "64"),
    ("avg_running_batch", "60.0"),
    ("tokens_per_second", "3200.0"),
    ("power_watts", "512.0"),
    ("joules_per_output_token", "0.16"),
    ("median_itl_ms", "17.5"),
    ("p90_itl_ms", "20.4"),
    ("p95_itl_ms", "24.9"),
    ("p99_itl_ms", "61.3"),
    ("avg_output_tokens", "400.0"),
];
const OF_IMAGES: [(&str, &str); 9] = [
    ("task", "my-images"),
    ("batch_size", "4"),
    ("height_pixels", "1024"),
    ("width_pixels", "1024"),
    ("inference_steps", "28"),
    ("joules_per_output", "1200.0"),
    ("batch_latency_s", "8.0"),
    ("outputs_per_second", "0.5"),
    ("power_watts", "600.0"),
];
const OF_VIDEOS: [(&str, &str); 11] = [
    ("task", "my-videos"),
    ("batch_size", "1"),
    ("height_pixels", "480"),
    ("width_pixels", "832"),
    ("inference_steps", "50"),
    ("num_frames", "81"),
    ("frames_per_second", "16"),
    ("joules_per_output", "65000.0"),
    ("batch_latency_s", "100.0"),
    ("outputs_per_second", "0.01"),
    ("power_watts", "650.0"),
];

const HEAD: &str = "\
# One row for each measured configuration. Lines that begin with # are comments.
# You may leave out columns and cells. Columns marked with * are required: if the table lacks one,
# give it to 'energydb build' as --fact NAME=VALUE. If the built-in data contains the model, its
# slug, name or Hugging Face id is enough, and the other facts are taken from there.
";

pub(super) fn run(arguments: &Template) -> Result<u8> {
    let product = arguments.output;
    let table = product.table();
    let examples: HashMap<_, _> = OF_ALL.iter().chain(examples(product)).copied().collect();
    let is_meant = |column: &&Column| match product {
        // An image has no frames.
        Product::Images => !["num_frames", "frames_per_second"].contains(&column.name),
        Product::Tokens | Product::Videos => true,
    };
    let columns: Vec<&Column> = table.columns.iter().filter(is_meant).collect();
    let meanings = meanings(table)?;
    let mut out = terminal::results();
    out.write_all(HEAD.as_bytes())?;
    out.write_all(filled_in(product).as_bytes())?;
    let mut names = Vec::new();
    for name in of_file().chain(NAMES) {
        let (meaning, unit) = method::place(name).map_or_else(
            || meanings.get(name).cloned().unwrap_or_default(),
            |at| {
                let fact = &method::FACTS[at];
                let choices = fact.choices.join("|");
                let part = if choices.is_empty() { "" } else { ": " };
                (format!("{}{part}{choices}", fact.help), String::new())
            },
        );
        let is_needed = ["task", "energy_boundary", "measurement_window", "hugging_face_id", "gpu"]
            .contains(&name)
            || name == "precision";
        explain(&mut out, name, &unit, is_needed, &meaning)?;
        names.push(name);
    }
    for column in columns {
        let (meaning, unit) = meanings.get(column.name).cloned().unwrap_or_default();
        explain(&mut out, column.name, &unit, column.is_needed, &meaning)?;
        names.push(column.name);
    }
    let cells = names.iter().map(|name| examples.get(name).copied().unwrap_or_default());
    writeln!(out, "{}", names.join(","))?;
    writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))?;
    out.flush()?;
    Ok(DONE)
}

fn examples(product: Product) -> &'static [(&'static str, &'static str)] {
    match product {
        Product::Tokens => &OF_TEXT,
        Product::Images => &OF_IMAGES,
        Product::Videos => &OF_VIDEOS,
    }
}

/// Explains how missing columns are filled in.
fn filled_in(product: Product) -> &'static str {
    match product {
        Product::Tokens => {
            "\
# energydb fills in what is missing: one of joules_per_output_token, tokens_per_second and
# power_watts from the other two; joules_per_request = joules_per_output_token * avg_output_tokens;
# data_parallel and expert_parallel 1; tensor_parallel 1 on one GPU; is_estimated false; source mine.
# itl_kind is required if there is an inter-token latency (ITL).
"
        }
        Product::Images | Product::Videos => {
            "\
# energydb fills in what is missing: outputs_per_second = batch_size / batch_latency_s, or the
# reverse; one of joules_per_output, outputs_per_second and power_watts from the other two; degrees 1
# on one GPU; is_estimated false; source mine.
"
        }
    }
}

/// The meaning and unit of each column, from the dictionary.
fn meanings(table: &Table) -> Result<HashMap<String, (String, String)>> {
    let mut meanings = HashMap::new();
    for of in ["*", "models", "tasks", "sources", table.name] {
        for entry in dictionary::entries()? {
            if let (true, Some(name)) = (entry.object_name == of, entry.column_name) {
                meanings.insert(name, (entry.meaning, entry.unit.unwrap_or_default()));
            }
        }
    }
    Ok(meanings)
}

fn explain(
    out: &mut impl Write,
    name: &str,
    unit: &str,
    is_needed: bool,
    meaning: &str,
) -> std::io::Result<()> {
    let mark = if is_needed { "*" } else { " " };
    let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
    writeln!(out, "# {mark} {name}{unit}: {meaning}")
}
