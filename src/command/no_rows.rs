//! Why a named query returned no rows: there is no such data, or nothing meets the limits.

use anyhow::Result;
use rusqlite::Connection;
use rusqlite::types::{FromSql, Value};

use crate::catalogue::parameter::{Kind, Parameter};
use crate::catalogue::statement::{self, Values};
use crate::catalogue::{Catalogue, Query, names};
use crate::measurement::product::Product;

/// The query that lists what was measured, for workloads with one kind of output.
struct Measured {
    /// The query that reports on it, a model and GPU at a time or more often.
    query: &'static str,
    /// Its column of latencies.
    latency: &'static str,
    /// The parameter that is a deadline for them.
    deadline: &'static str,
    /// Its unit, what it is a deadline on, and the decimals of a latency.
    on: (&'static str, &'static str, usize),
}

const TEXT: Measured = Measured {
    query: "feasibility",
    latency: "fastest_itl_ms",
    deadline: "deadline_ms",
    on: ("ms", "ITL", 1),
};
const IMAGES: Measured = Measured {
    query: "images",
    latency: "batch_latency_s",
    deadline: "deadline_s",
    on: ("s", "latency of a batch", 3),
};
const VIDEOS: Measured = Measured { query: "videos", ..IMAGES };

/// The reason, as a note gives it. `given` says which parameters the user gave.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn reason(
    connection: &Connection,
    catalogue: &Catalogue,
    query: &Query,
    values: &Values,
    given: impl Fn(&Parameter) -> bool,
) -> Result<String> {
    let product = names::output(connection, &shown(values, "task"))?.unwrap_or_default();
    let measured = match product {
        Product::Tokens => TEXT,
        Product::Images => IMAGES,
        Product::Videos => VIDEOS,
    };
    let (naming, limits): (Vec<_>, Vec<_>) = query
        .head
        .parameters
        .iter()
        .filter(|parameter| given(parameter))
        .filter(|parameter| parameter.name != measured.deadline && parameter.name != "percentile")
        .partition(|parameter| matches!(parameter.kind, Kind::Named(_)));
    let told = |parameters: &[&Parameter]| -> String {
        let flags = parameters
            .iter()
            .map(|parameter| format!(" --{} {}", parameter.flag(), shown(values, &parameter.name)));
        flags.collect()
    };
    let (naming, limits) = (told(&naming), told(&limits));
    let for_naming = if naming.is_empty() { String::new() } else { format!(" for{naming}") };
    let Some((latency, row_id)) =
        fastest(connection, catalogue.get(measured.query)?, &measured, values)?
    else {
        if let Some(elsewhere) = elsewhere(connection, values)? {
            return Ok(elsewhere);
        }
        return Ok(match naming.as_str() {
            "" => "the database has no such data".into(),
            _ => format!("the database has no data{for_naming}"),
        });
    };
    if let Some(reason) = &query.head.no_rows {
        return Ok(match format!("{naming}{limits}").as_str() {
            "" => reason.clone(),
            given => format!("{reason} ({})", given.trim_start()),
        });
    }
    let description = query.head.description.trim_end_matches('.');
    let deadline = values.iter().find_map(|(name, value)| match value {
        Value::Real(deadline) if name == measured.deadline => Some(*deadline),
        _ => None,
    });
    let (unit, on, decimals) = measured.on;
    let on = format!("{} {on}", shown(values, "percentile"));
    let on = on.trim_start();
    Ok(match deadline {
        Some(deadline) if latency > deadline => format!(
            "no configuration meets the deadline of {deadline} {unit} on the {on}; the fastest has \
             {latency:.decimals$} {unit} ({row_id})"
        ),
        Some(deadline) if !limits.is_empty() => format!(
            "some configuration meets the deadline of {deadline} {unit} on the {on}, but none also \
             meets{limits}"
        ),
        None if !limits.is_empty() => format!("there is data{for_naming}, but none with{limits}"),
        _ => format!("there is data{for_naming}, but the query is empty: {description}"),
    })
}

/// The lowest measured latency of the named models and GPUs, without any limits, and its configuration.
fn fastest(
    connection: &Connection,
    query: &Query,
    measured: &Measured,
    values: &Values,
) -> Result<Option<(f64, String)>> {
    let mut prepared = statement::prepare(connection, query)?;
    let mut names: Values = values.iter().filter(|(name, _)| query.takes(name)).cloned().collect();
    if query.takes("percentile") && !names.iter().any(|(name, _)| name == "percentile") {
        // Any will do to learn whether anything was measured.
        names.push(("percentile".into(), Value::Text("median".into())));
    }
    let columns = statement::columns(&prepared);
    let column = |name: &str| columns.iter().position(|known| known == name).unwrap_or(usize::MAX);
    let (latency, row_id) = (column(measured.latency), column("row_id"));
    let mut fastest: Option<(f64, String)> = None;
    statement::run(&mut prepared, &names, |row| {
        let latency = row.get(latency).and_then(|value| f64::column_result(*value).ok());
        let row_id = row.get(row_id).and_then(|value| String::column_result(*value).ok());
        if let (Some(latency), Some(row_id)) = (latency, row_id)
            && fastest.as_ref().is_none_or(|(fastest, _)| latency < *fastest)
        {
            fastest = Some((latency, row_id));
        }
        Ok(())
    })?;
    Ok(fastest)
}

/// The tasks in which a model was measured, if the given task is not one of them.
fn elsewhere(connection: &Connection, values: &Values) -> Result<Option<String>> {
    let (task, model) = (shown(values, "task"), shown(values, "model"));
    let tasks = connection
        .prepare("select distinct task from model_index where model = ?1 order by task")?
        .query_map([&model], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    let is_elsewhere = !task.is_empty() && !tasks.is_empty() && !tasks.contains(&task);
    Ok(is_elsewhere
        .then(|| format!("{model} was not measured in {task}, but in {}", tasks.join(", "))))
}

fn shown(values: &Values, name: &str) -> String {
    match statement::value_of(values, name) {
        Some(Value::Text(text)) => text.clone(),
        Some(Value::Real(number)) => number.to_string(),
        Some(Value::Integer(number)) => number.to_string(),
        _ => String::new(),
    }
}
