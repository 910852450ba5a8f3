//! A run of a workload that makes text: `results.json`. It contains every prompt, answer and gap, and may be
//! large. It is read once, and only the gaps and the figures are kept.

use std::collections::HashMap;

use super::gaps::Gaps;
use super::number;
use super::place::Place;
use crate::date;
use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::json::{JsonError, JsonReader, Kind, Scalar};
use crate::input::kind::{DocumentKind, Holds, Survey};
use crate::input::own::completion::Completion;
use crate::input::own::row::Row;
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::Json;
use crate::measurement::check::Check;
use crate::measurement::columns::{ITL, NULL, TEXT};

/// This kind of document.
pub(in crate::input) static KIND: DocumentKind = DocumentKind {
    name: "benchmark-run",
    called: "a run of the ML.ENERGY benchmark",
    holds: Holds::Own,
    may_be_unstable: true,
    may_repeat: false,
    has_tasks: false,
    is: |survey: &Survey| {
        survey.member("steady_state_duration") && survey.member("steady_state_energy")
    },
    read,
};

/// A steady state that is shorter is unstable, seconds.
const SHORTEST_STEADY_STATE_S: f64 = 20.0;
/// A load that is a lower share of the limit is unstable.
const LOWEST_LOAD: f64 = 0.85;

/// Figures that are read.
const FIGURES: [&str; 13] = [
    "completed",
    "energy_per_token_joules",
    "max_num_seqs",
    "mean_tpot_ms",
    "median_ttft_ms",
    "num_gpus",
    "p99_ttft_ms",
    "steady_state_duration",
    "steady_state_energy",
    "steady_state_energy_per_token",
    "total_input_tokens",
    "total_output_tokens",
    "output_throughput",
];

fn read(
    reader: &mut Reader<'_, '_>,
    text: Text<'_>,
    document: &Document,
) -> Result<Head, JsonError> {
    let mut json = JsonReader::new(text);
    let mut figures = HashMap::new();
    let mut gaps = Gaps::default();
    let mut measured_on = None;
    json.begin_object()?;
    while let Some(name) = json.next_key()? {
        let known = FIGURES.into_iter().find(|known| *known == name);
        let is_results = name == "results";
        let is_time = name == "date";
        match (json.peek()?, known) {
            (Kind::Text, _) if is_time => {
                if let Scalar::Text(time) = json.scalar()? {
                    measured_on = date::of_time(time);
                }
            }
            (Kind::Array, _) if is_results => requests(&mut json, &mut gaps)?,
            (Kind::Number, Some(name)) => {
                if let Some(figure) = number(&mut json)? {
                    figures.insert(name, figure);
                }
            }
            _ => json.skip()?,
        }
    }
    json.finish()?;
    let place = Place::of_text(document);
    let mut completion = Completion::of(document);
    match row(reader, &place, &figures, gaps) {
        Some((row, unstable)) => {
            if let Some(reason) = unstable {
                reader.report.batches.unstable(row.position, reason);
            }
            completion.take(reader, row);
        }
        None => completion.skip(),
    }
    let task = place.task;
    Ok(completion.end(reader, |name| {
        Some(match name {
            "task" => return task.clone(),
            "energy_boundary" => "gpu".into(),
            "measurement_window" => "steady-state".into(),
            "itl_kind" => "per-token".into(),
            "runtime" => "vLLM".into(),
            "measured_on" => return measured_on.clone(),
            _ => return None,
        })
    }))
}

/// Reads the gaps of all requests.
fn requests(json: &mut Json<'_>, gaps: &mut Gaps) -> Result<(), JsonError> {
    json.begin_array()?;
    while json.next_element()? {
        if json.peek()? != Kind::Object {
            json.skip()?;
            continue;
        }
        let mut has_succeeded = false;
        gaps.begin();
        json.begin_object()?;
        while let Some(name) = json.next_key()? {
            let (is_gaps, is_success) = (name == "itl", name == "success");
            match json.peek()? {
                Kind::Array if is_gaps => {
                    json.begin_array()?;
                    while json.next_element()? {
                        if let Some(gap) = number(json)? {
                            gaps.add(gap);
                        }
                    }
                }
                Kind::Boolean if is_success => {
                    has_succeeded = json.scalar()? == Scalar::Boolean(true);
                }
                _ => json.skip()?,
            }
        }
        gaps.end(has_succeeded);
    }
    Ok(())
}

/// What the run measured, and why it is unstable, if it is. None where the energy was not measured.
fn row(
    reader: &mut Reader<'_, '_>,
    place: &Place,
    figures: &HashMap<&str, f64>,
    gaps: Gaps,
) -> Option<(Row, Option<String>)> {
    let figure = |name: &str| figures.get(name).copied();
    let mut row = Row::at(String::new(), 0);
    let mut needed = |name: &'static str, other: Option<f64>| {
        let value = figure(name).or(other).filter(|value| *value > 0.0);
        if value.is_none() {
            let found = figure(name).map_or("nothing".into(), |value| value.to_string());
            reader.add(Check::NumberRange, name, found, "a number above 0");
        }
        value
    };
    let energy = needed("steady_state_energy", None);
    let duration = needed("steady_state_duration", None);
    let joules = needed("steady_state_energy_per_token", figure("energy_per_token_joules"));
    let (energy, duration, joules) = (energy?, duration?, joules?);
    let completed = figure("completed").filter(|completed| *completed > 0.0);
    let of_each = |name: &str| Some(figure(name)? / completed?).filter(|mean| *mean > 0.0);
    let output_tokens = of_each("total_output_tokens");
    let limit = place.setting("max_num_seqs").or_else(|| figure("max_num_seqs"));
    let num_gpus = place.setting("num_gpus").or_else(|| figure("num_gpus"));
    let mut report = |(check, at, value, expected)| {
        reader.add(check, at, value, expected);
        None
    };
    let load = place.running_requests().unwrap_or_else(&mut report);
    let degrees = place.degrees(num_gpus.unwrap_or(1.0)).unwrap_or_else(|fault| {
        report(fault);
        None
    });
    if let Err(fault) = place.model_info(&mut row, true) {
        report(fault);
    }
    let mut put = |name: &str, value: Option<f64>| row.put(&TEXT, name, value);
    put("num_gpus", num_gpus);
    put("max_num_seqs", limit);
    if let Some([tensor, expert, data]) = degrees {
        put("tensor_parallel", Some(tensor));
        put("expert_parallel", Some(expert));
        put("data_parallel", Some(data));
    }
    put("avg_running_batch", load);
    put("tokens_per_second", Some(energy / joules / duration));
    put("power_watts", Some(energy / duration));
    put("joules_per_output_token", Some(joules));
    put("joules_per_request", output_tokens.map(|tokens| joules * tokens));
    if let Some(itl) = gaps.percentiles::<{ ITL.len() }>([50.0, 90.0, 95.0, 99.0]) {
        for (name, seconds) in ITL.into_iter().zip(itl) {
            put(name, Some(seconds * 1000.0));
        }
    }
    for name in ["median_ttft_ms", "p99_ttft_ms", "mean_tpot_ms"] {
        put(name, figure(name));
    }
    put("avg_input_tokens", of_each("total_input_tokens"));
    put("avg_output_tokens", output_tokens);
    put("requests", completed);
    put("steady_state_s", Some(duration));
    let share = load.zip(limit).map(|(load, limit)| load / limit);
    let unstable = if duration < SHORTEST_STEADY_STATE_S {
        Some(format!("the steady state of {duration:.1} s is under {SHORTEST_STEADY_STATE_S} s"))
    } else {
        share.filter(|share| *share < LOWEST_LOAD).map(|share| {
            format!("the load is {share:.3} of the limit, which is under {LOWEST_LOAD}")
        })
    };
    debug_assert!(row.values.iter().all(|value| *value >= NULL));
    Some((row, unstable))
}
