//! The results of AIPerf: `profile_export_aiperf.json`. Each metric has its unit. The energy is that of every
//! GPU that AIPerf watched, and times are local.

use std::collections::BTreeSet;

use crate::date::check_date;
use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::gpu_reference::of_driver;
use crate::input::json::JsonError;
use crate::input::kind::{DocumentKind, Holds, Survey};
use crate::input::own::flat::Flat;
use crate::input::own::given::Given;
use crate::input::own::power::moment::{self, Clock, Moment};
use crate::input::own::power::{Time, certain};
use crate::input::own::row::Row;
use crate::input::own::run::Run;
use crate::input::own::serving::results::{self, Tool};
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::measurement::check::{Check, NOTHING};
use crate::measurement::columns::TEXT;

/// This kind of document.
pub(in crate::input) static KIND: DocumentKind = DocumentKind {
    name: "aiperf",
    called: "a result of AIPerf",
    holds: Holds::Own,
    may_be_unstable: false,
    may_repeat: false,
    has_tasks: false,
    is: |survey: &Survey| survey.member("aiperf_version") && survey.object("input_config"),
    read,
};

const TOOL: Tool = Tool {
    row,
    say,
    failed: "error_request_count/avg",
    taken: "every result",
    keeps_percentiles: "run AIPerf with --streaming to have them",
};

/// Units, and how many of the wanted unit each is.
type Units = &'static [(&'static str, f64)];
const MILLISECONDS: Units = &[("ns", 1e-6), ("us", 1e-3), ("ms", 1.0), ("sec", 1e3)];
const SECONDS: Units = &[("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("sec", 1.0)];
const JOULES: Units = &[("mJ", 1e-3), ("J", 1.0), ("MJ", 1e6)];
const JOULES_PER_TOKEN: Units = &[("mJ/token", 1e-3), ("J/token", 1.0)];
const TOKENS: Units = &[("tokens", 1.0)];
const TOKENS_PER_SECOND: Units = &[("tokens/sec", 1.0)];
const REQUESTS: Units = &[("requests", 1.0)];

/// How metrics of energy begin.
const VENDORS: [&str; 2] = ["nvidia_", "amd_"];
/// By how much the window of the energy is longer than the run, at most.
const GRACE_S: f64 = 0.666;
/// How far the throughput may be from tokens and duration, whose ends differ by a moment.
const TOLERANCE: f64 = 0.1;
/// How far two figures of one energy may be apart.
const ENERGY_TOLERANCE: f64 = 0.01;

fn read(
    reader: &mut Reader<'_, '_>,
    text: Text<'_>,
    document: &Document,
) -> Result<Head, JsonError> {
    results::read(reader, text, document, &TOOL)
}

fn row(reader: &mut Reader<'_, '_>, result: &Flat, given: &Given, row: &mut Row) -> bool {
    for (name, bad) in [("was_cancelled", "true"), ("is_complete", "false")] {
        if result.text(name) == Some(bad) {
            let expected = "a run that came to its end";
            reader.add(Check::DocumentForm, row.place_of(name), bad, expected);
            return false;
        }
    }
    let models: BTreeSet<_> = inside(result, "input_config/models/items/", "/name").collect();
    let id = one_of(reader, row, "input_config", "model", &models);
    row.put_name("hugging_face_id", id);
    let gpus = gpus(reader, result, row);
    let mut metrics = Metrics { reader, result, row };
    metrics.put("median_itl_ms", "inter_chunk_latency", "p50", MILLISECONDS);
    metrics.put("p90_itl_ms", "inter_chunk_latency", "p90", MILLISECONDS);
    metrics.put("p95_itl_ms", "inter_chunk_latency", "p95", MILLISECONDS);
    metrics.put("p99_itl_ms", "inter_chunk_latency", "p99", MILLISECONDS);
    metrics.put("median_ttft_ms", "time_to_first_token", "p50", MILLISECONDS);
    metrics.put("p99_ttft_ms", "time_to_first_token", "p99", MILLISECONDS);
    // Each request's mean gap, which is its time per output token.
    metrics.put("mean_tpot_ms", "inter_token_latency", "avg", MILLISECONDS);
    metrics.put("avg_input_tokens", "input_sequence_length", "avg", TOKENS);
    metrics.put("avg_output_tokens", "output_sequence_length", "avg", TOKENS);
    metrics.put("requests", "request_count", "avg", REQUESTS);
    let concurrency = inside(result, "input_config/phases/", "/kind")
        .position(|kind| kind == "profiling")
        .and_then(|at| result.number(&format!("input_config/phases/{at}/concurrency")));
    metrics.row.put(&TEXT, "max_num_seqs", concurrency);
    let Some(mut run) = metrics.run() else { return false };
    // Little's law.
    let latency = metrics.figure("request_latency", "avg", SECONDS);
    let in_flight = || Some(latency? * row.get(&TEXT, "requests")? / run.time.duration_s);
    row.put(&TEXT, "avg_running_batch", in_flight());
    let of_run = given.get("num_gpus").map_or(Some(gpus), |gpus| gpus.parse().ok());
    row.put(&TEXT, "num_gpus", of_run.map(|gpus| gpus as f64));
    run.energy_joules = result.number("energy_joules");
    // That of other GPUs, too, is not that of the run.
    if run.energy_joules.is_none() && of_run == Some(gpus) {
        run.energy_joules = energy(reader, result, row, &run);
    }
    row.run = Some(run);
    true
}

/// The values of all members with this beginning and end of their paths, and one name between.
fn inside<'f>(result: &'f Flat, path: &'f str, end: &'f str) -> impl Iterator<Item = &'f str> {
    let of_end = move |(name, text): (&'f str, &'f str)| {
        name.strip_suffix(end).filter(|between| !between.contains('/')).map(|_| text)
    };
    result.inside(path).filter_map(of_end)
}

/// The only one of several names, or `None` if there is none, or several, as is reported.
fn one_of<'f>(
    reader: &mut Reader<'_, '_>,
    row: &Row,
    place: &str,
    what: &str,
    names: &BTreeSet<&'f str>,
) -> Option<&'f str> {
    if names.len() > 1 {
        let found = names.iter().copied().collect::<Vec<_>>().join(", ");
        reader.add(Check::Table, row.place_of(place), found, format!("one {what} in a run"));
    }
    names.first().copied()
}

/// How many GPUs AIPerf watched, whose type goes into the row. One that was watched at two addresses
/// is refused, since its energy counts twice.
fn gpus(reader: &mut Reader<'_, '_>, result: &Flat, row: &mut Row) -> usize {
    let path = "telemetry_data/endpoints/";
    let of = |end: &'static str| {
        result.inside(path).filter_map(move |(name, text)| name.ends_with(end).then_some(text))
    };
    let names: BTreeSet<_> = of("/gpu_name").collect();
    let gpu = one_of(reader, row, "telemetry_data", "type of GPU", &names);
    row.put_name("gpu", gpu.map(of_driver));
    let mut seen = BTreeSet::new();
    if let Some(again) = of("/gpu_uuid").find(|id| !seen.insert(*id)) {
        let expected = "each GPU at one address of --gpu-telemetry: its energy counts twice";
        reader.add(
            Check::Table,
            row.place_of("telemetry_data"),
            format!("{again} twice"),
            expected,
        );
    }
    of("/gpu_name").count()
}

/// The joules of the run, as far as its window is certain.
fn energy(reader: &mut Reader<'_, '_>, result: &Flat, row: &mut Row, run: &Run) -> Option<f64> {
    let mut metrics = Metrics { reader, result, row };
    let mut joules = None;
    for vendor in VENDORS {
        let name = format!("{vendor}total_gpu_energy");
        let Some(of_vendor) = metrics.figure(&name, "avg", JOULES) else { continue };
        joules = Some(joules.unwrap_or_default() + of_vendor);
        let per_token = format!("{vendor}energy_per_output_token");
        let Some(figure) = metrics.figure(&per_token, "avg", JOULES_PER_TOKEN) else { continue };
        let expected = of_vendor / run.output_tokens;
        if (figure / expected - 1.0).abs() > ENERGY_TOLERANCE {
            let expected = format!("{name} / total_osl, {expected} J/token");
            metrics.refuse(&per_token, format!("{figure} J/token"), expected);
            return None;
        }
    }
    match certain(joules?, GRACE_S / run.time.duration_s) {
        Ok(energy) => {
            let percent = Some(100.0 * energy.uncertainty);
            row.put(&TEXT, "window_uncertainty_percent", percent);
            Some(energy.joules)
        }
        Err((found, expected)) => {
            reader.add(Check::PowerLog, row.place_of("benchmark_duration"), found, expected);
            joules
        }
    }
}

/// Metrics as they are read.
struct Metrics<'m, 'r, 'd> {
    reader: &'m mut Reader<'r, 'd>,
    result: &'m Flat,
    row: &'m mut Row,
}

impl Metrics<'_, '_, '_> {
    fn refuse(&mut self, name: &str, found: String, expected: impl Into<String>) {
        self.reader.add(Check::NumberRange, self.row.place_of(name), found, expected);
    }

    /// A statistic of a metric in the wanted unit, or `None` if it is missing, or in a unit that is not
    /// known, as is reported.
    fn figure(&mut self, name: &str, statistic: &str, units: Units) -> Option<f64> {
        let figure = self.result.number(&format!("{name}/{statistic}"))?;
        let unit = self.result.text(&format!("{name}/unit")).unwrap_or("no unit");
        let known = units.iter().find(|(known, _)| *known == unit);
        if known.is_none() {
            let names: Vec<_> = units.iter().map(|(name, _)| *name).collect();
            self.refuse(name, format!("{figure} {unit}"), format!("in {}", names.join(", ")));
        }
        known.map(|(_, factor)| figure * factor)
    }

    fn put(&mut self, column: &str, name: &str, statistic: &str, units: Units) {
        let figure = self.figure(name, statistic, units);
        self.row.put(&TEXT, column, figure);
    }

    /// The run that gave the throughput, or `None` if a figure is missing or does not fit the others, as
    /// is reported.
    fn run(&mut self) -> Option<Run> {
        let mut needed = |name: &str, units| {
            let figure = self.figure(name, "avg", units);
            let path = format!("{name}/avg");
            if self.result.number(&path).is_none() {
                let found = self.result.text(&path).unwrap_or(NOTHING);
                self.refuse(name, found.to_owned(), "a number above 0");
            }
            figure
        };
        let output_tokens = needed("total_osl", TOKENS);
        let benchmark_s = needed("benchmark_duration", SECONDS);
        let throughput = needed("output_token_throughput", TOKENS_PER_SECOND);
        let (output_tokens, throughput) = (output_tokens?, throughput?);
        let expected = output_tokens / benchmark_s?;
        if (throughput / expected - 1.0).abs() > TOLERANCE {
            let expected = format!("total_osl / benchmark_duration, {expected:.1} tokens/s");
            self.refuse("output_token_throughput", throughput.to_string(), expected);
            return None;
        }
        let duration_s = output_tokens / throughput;
        let at = |name| moment::read(self.result.text(name)?, Clock::Local);
        let end = at("end_time");
        let lasted = |start: Moment| Some(1e-9 * (end?.nanoseconds - start.nanoseconds) as f64);
        let lasted_s = at("start_time").and_then(lasted).unwrap_or(duration_s);
        let uncertainty_s = (lasted_s - duration_s).abs();
        let time = Time { end, uncertainty_s, duration_s };
        Some(Run { time, output_tokens, energy_joules: None })
    }
}

fn say(result: &Flat, name: &str) -> Option<String> {
    match name {
        "energy_boundary" => {
            let is_said = |vendor| result.text(&format!("{vendor}total_gpu_energy/avg")).is_some();
            VENDORS.into_iter().any(is_said).then(|| "gpu".into())
        }
        "measurement_window" => Some("whole-run".into()),
        "itl_kind" => result.text("inter_chunk_latency/p50").map(|_| "per-chunk".into()),
        "measured_on" => {
            let day = result.text("start_time")?.get(..10)?;
            check_date(day).is_ok().then(|| day.to_owned())
        }
        _ => None,
    }
}
