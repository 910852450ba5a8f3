//! The tables of runs that the benchmark's authors compile: `runs/llm.parquet` and
//! `runs/diffusion.parquet`, with one row for each run, also for runs that were not steady. Parquet is
//! converted to JSON lines before it is read.
//!
//! A table contains runs of several tasks. It is read once for each, as a document of that task.

use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::json::{JsonError, JsonReader};
use crate::input::kind::{DocumentKind, Holds, Survey};
use crate::input::own::completion::{Completion, read as read_value};
use crate::input::own::flat::Flat;
use crate::input::own::row::{Row, place};
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::measurement::product::Product;
use crate::text::counted;

/// Runs that make text.
pub(in crate::input) static TEXT_KIND: DocumentKind = DocumentKind {
    name: "benchmark-runs",
    called: "a table of runs of the ML.ENERGY benchmark",
    holds: Holds::Own,
    may_be_unstable: true,
    may_repeat: true,
    has_tasks: true,
    is: |survey: &Survey| is_table(survey, "max_num_seqs", "energy_per_token_joules"),
    read,
};

/// Runs that make images or videos.
pub(in crate::input) static DIFFUSION_KIND: DocumentKind = DocumentKind {
    name: "benchmark-generations",
    called: "a table of images and videos of the ML.ENERGY benchmark",
    holds: Holds::Own,
    may_be_unstable: false,
    may_repeat: true,
    has_tasks: true,
    is: |survey: &Survey| is_table(survey, "batch_size", "energy_per_generation_joules"),
    read,
};

fn is_table(survey: &Survey, of_load: &str, of_energy: &str) -> bool {
    let names = ["task", "model_id", "gpu_model", "weight_precision", of_load, of_energy];
    names.into_iter().all(|name| survey.member(name))
}

/// What the tables call the names and facts of a model and a GPU.
const NAMES: [(&str, &str); 7] = [
    ("model_id", "hugging_face_id"),
    ("nickname", "model_name"),
    ("total_params_billions", "params_b"),
    ("activated_params_billions", "active_params_b"),
    ("architecture", "architecture"),
    ("gpu_model", "gpu"),
    ("weight_precision", "precision"),
];
/// What they call columns that the leaderboard's documents lack or call otherwise.
const COLUMNS: [(&str, &str); 6] = [
    ("completed_requests", "requests"),
    ("steady_state_duration_seconds", "steady_state_s"),
    ("height", "height_pixels"),
    ("width", "width_pixels"),
    ("energy_per_generation_joules", "joules_per_output"),
    ("throughput_generations_per_sec", "outputs_per_second"),
];

fn read(
    reader: &mut Reader<'_, '_>,
    text: Text<'_>,
    document: &Document,
) -> Result<Head, JsonError> {
    let mut json = JsonReader::new(text);
    let product = document.form.product;
    let mut completion = Completion::of(document);
    let mut unmeasured = Vec::new();
    reader.check_task(document.part.as_deref());
    for position in 0.. {
        let run = Flat::read(reader, &mut json)?;
        if run.text("task").is_none() {
            reader.missing(format!("{}, task", place(run.line, position)));
        }
        if run.text("task") == document.part.as_deref() {
            let reason = reason(&run);
            if reason.is_some() && run.number(energy(product)).is_none() {
                unmeasured.push(place(run.line, position));
            } else {
                let faults_before = reader.report.findings.count;
                let row = row(reader, &run, position, product);
                if let Some(reason) = reason {
                    reader.report.batches.unstable(position, reason);
                }
                if reader.report.findings.count == faults_before {
                    completion.take(reader, row);
                } else {
                    completion.skip();
                }
            }
        }
        if !json.begins_again()? {
            break;
        }
    }
    if let [first, ..] = &unmeasured[..] {
        completion.note(&format!(
            "left out: {} without energy, which the table calls unstable; the first is {first}",
            counted(unmeasured.len() as u64, "run")
        ));
    }
    let (window, itl_kind, runtime) = match product {
        Product::Tokens => ("steady-state", Some("per-token"), Some("vLLM")),
        Product::Images | Product::Videos => ("whole-run", None, None),
    };
    Ok(completion.end(reader, |name| match name {
        "task" => document.part.clone(),
        "energy_boundary" => Some("gpu".into()),
        "measurement_window" => Some(window.into()),
        "itl_kind" => itl_kind.map(Into::into),
        "runtime" => runtime.map(Into::into),
        _ => None,
    }))
}

/// The member that has the energy of a run.
fn energy(product: Product) -> &'static str {
    match product {
        Product::Tokens => "energy_per_token_joules",
        Product::Images | Product::Videos => "energy_per_generation_joules",
    }
}

/// Why a run is unstable, if it is.
fn reason(run: &Flat) -> Option<String> {
    let is_unstable = run.text("is_stable") == Some("false");
    let reason = run.text("unstable_reason").unwrap_or("the table says so");
    is_unstable.then(|| reason.to_owned())
}

/// What a run measured. A figure of 0 that a run may lack was not measured.
fn row(reader: &mut Reader<'_, '_>, run: &Flat, position: u32, product: Product) -> Row {
    let table = product.table();
    let mut row = Row::at(place(run.line, position), position);
    for (name, column) in NAMES {
        if let Some(text) = run.text(name) {
            row.names.insert(column, text.to_owned());
        }
    }
    for (at, column) in table.columns.iter().enumerate() {
        let other = COLUMNS.into_iter().find(|(_, of)| *of == column.name);
        let names = [table.field(column, product), other.map(|(name, _)| name)];
        let mut found = names.into_iter().flatten().filter_map(|name| run.text(name));
        let is_measured = |text: &&str| column.is_needed || text.parse() != Ok(0.0);
        let Some(text) = found.next().filter(is_measured) else { continue };
        // A library without a null for whole numbers writes reals if some are missing.
        let text = if column.is_whole { text.strip_suffix(".0").unwrap_or(text) } else { text };
        match read_value(column, text) {
            Ok(value) => row.values[at] = value,
            Err(refusal) => reader.refuse(row.place_of(column.name), refusal),
        }
    }
    row
}
