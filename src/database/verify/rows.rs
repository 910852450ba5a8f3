//! Checks of the configurations, whatever they make: their numbers, and the relations between the
//! figures of a row.

use std::collections::{BTreeMap, HashSet};

use anyhow::{Context, Result, anyhow, bail, ensure};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::Subject;
use crate::measurement::check::{self, Check};
use crate::measurement::record::{Figures, GenerationFigures, GenerationKey, Product};

/// Checks of the figures, in the order in which they are told.
pub const OF_FIGURES: [Check; 8] = [
    Check::NumberRange,
    Check::PowerIdentity,
    Check::RequestEnergyIdentity,
    Check::ItlOrder,
    Check::LoadWithinLimit,
    Check::BatchIdentity,
    Check::DegreesIdentity,
    Check::ActiveWithinTotal,
];

/// The tables of configurations, with the key of each.
const TABLES: [(&str, &str, &str); 2] = [
    (
        "configurations",
        "configuration_id",
        "task_id, model_id, gpu_id, source_id, num_gpus, max_num_seqs",
    ),
    (
        "diffusion_configurations",
        "diffusion_configuration_id",
        "task_id, model_id, gpu_id, source_id, num_gpus, batch_size, height_pixels, width_pixels, \
         inference_steps, num_frames, frames_per_second, ulysses_degree, ring_degree",
    ),
];

pub fn rows(subject: &Subject<'_>) -> Result<String> {
    let mut all = 0;
    for (table, id, _) in TABLES {
        let (number, last): (i64, i64) = subject.connection.query_row(
            &format!("select count(*), ifnull(max({id}), 0) from {table}"),
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        ensure!(number == last, "{number} {table} are numbered up to {last}");
        all += number;
    }
    let releases: i64 =
        subject.connection.query_row("select count(*) from release", [], |row| row.get(0))?;
    ensure!(all > 0, "there are no configurations");
    ensure!(releases == 1, "{releases} releases instead of one");
    Ok(format!("{all} configurations"))
}

pub fn repeats(subject: &Subject<'_>) -> Result<String> {
    let mut all = 0;
    for (table, _, key) in TABLES {
        let (repeats, wrong): (i64, i64) = subject.connection.query_row(
            &format!(
                "with counted as (
                    select
                        repeat,
                        row_number() over same_key as expected,
                        count(*) over (partition by {key}, document_id) as in_document,
                        count(*) over (partition by {key}) as in_all
                    from {table}
                    window same_key as (partition by {key} order by document_position)
                )
                select
                    ifnull(sum(repeat > 1), 0),
                    ifnull(sum(repeat <> expected or in_document <> in_all), 0)
                from counted"
            ),
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        ensure!(wrong == 0, "{wrong} {table} have a wrong repeat, or stand in two documents");
        all += repeats;
    }
    Ok(format!("{all} repeats, in the order of their documents"))
}

/// What was found of one check.
#[derive(Default)]
struct Found {
    accepted: u64,
    broken: u64,
    first: Option<String>,
}

/// Findings that the publisher accepted.
struct Accepted {
    /// Check, document and place in it.
    of_rows: HashSet<(String, i64, i64)>,
    /// Check and value.
    values: HashSet<(String, String)>,
}

impl Accepted {
    fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let mut accepted = Self { of_rows: HashSet::new(), values: HashSet::new() };
        let mut statement =
            connection.prepare("select check_name, document_id, place, value from findings")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (check, place): (String, String) = (row.get(0)?, row.get(2)?);
            let position = place.strip_prefix("/configurations/").unwrap_or_default();
            let position = position.split('/').next().unwrap_or_default();
            if let Ok(position) = position.parse() {
                accepted.of_rows.insert((check.clone(), row.get(1)?, position));
            }
            accepted.values.insert((check, row.get(3)?));
        }
        Ok(accepted)
    }
}

/// Every check of the figures, in one reading of the rows.
pub fn figures(subject: &Subject<'_>) -> Vec<(Check, Result<String>)> {
    let mut found: BTreeMap<&str, Found> = BTreeMap::new();
    let read = read_rows(subject.connection, &mut found);
    let of_check = |check: Check| {
        let rows = match &read {
            Ok(rows) => rows,
            Err(error) => bail!("could not read the rows: {error:#}"),
        };
        let Found { accepted, broken, first } = found.remove(check.name()).unwrap_or_default();
        if let Some(first) = first {
            let more = broken - 1;
            return Err(if more > 0 {
                anyhow!("{first}; and {more} more")
            } else {
                anyhow!(first)
            });
        }
        let thing = if check == Check::ActiveWithinTotal { "models" } else { "configurations" };
        let number = match check {
            Check::ActiveWithinTotal => rows.models,
            Check::BatchIdentity | Check::DegreesIdentity => rows.generated,
            Check::NumberRange | Check::PowerIdentity => rows.text + rows.generated,
            _ => rows.text,
        };
        Ok(match accepted {
            0 => format!("{number} {thing}"),
            _ => format!("{number} {thing}, {accepted} accepted by the publisher"),
        })
    };
    OF_FIGURES
        .into_iter()
        .map({
            let mut of_check = of_check;
            move |check| (check, of_check(check))
        })
        .collect()
}

/// How much was read.
#[derive(Default)]
struct ReadRows {
    text: u64,
    /// Configurations that make images or videos.
    generated: u64,
    models: u64,
}

/// Reads configurations and models.
fn read_rows(connection: &Connection, found: &mut BTreeMap<&str, Found>) -> Result<ReadRows> {
    let accepted = Accepted::read(connection)?;
    let mut statement = connection.prepare(
        "select configuration_id, document_id, document_position, max_num_seqs, \
         num_gpus, tensor_parallel, data_parallel, expert_parallel, repeat, \
         avg_running_batch, tokens_per_second, power_watts, joules_per_output_token, \
         joules_per_request, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, avg_output_tokens \
         from configurations order by configuration_id",
    )?;
    let mut rows = statement.query([])?;
    let mut read = ReadRows::default();
    while let Some(row) = rows.next()? {
        read.text += 1;
        let id: i64 = row.get(0)?;
        let figures = match numbers(row) {
            Ok(figures) => figures,
            Err(error) => {
                add(found, Check::NumberRange, || format!("configuration {id}: {error}"));
                continue;
            }
        };
        let (document, position): (i64, i64) = (row.get(1)?, row.get(2)?);
        check::relations(&figures, row.get(3)?, &mut |broken| {
            let name = broken.check.name();
            if accepted.of_rows.contains(&(name.to_owned(), document, position)) {
                found.entry(name).or_default().accepted += 1;
            } else {
                add(found, broken.check, || {
                    let check::Broken { column, value, expected, .. } = &broken;
                    format!("configuration {id}: {column} is {value}, expected {expected}")
                });
            }
        });
    }
    read.generated = read_generations(connection, &accepted, found)?;
    read.models = read_models(connection, &accepted, found)?;
    Ok(read)
}

/// Reads configurations that make images or videos, and returns their number.
fn read_generations(
    connection: &Connection,
    accepted: &Accepted,
    found: &mut BTreeMap<&str, Found>,
) -> Result<u64> {
    let table = "diffusion_configurations";
    let mut statement = connection.prepare(
        "select rows.diffusion_configuration_id, rows.document_id, rows.document_position, \
         rows.num_gpus, rows.batch_size, rows.height_pixels, rows.width_pixels, \
         rows.inference_steps, rows.ulysses_degree, rows.ring_degree, rows.repeat, \
         rows.joules_per_output, rows.batch_latency_s, rows.outputs_per_second, \
         rows.power_watts, rows.num_frames, rows.frames_per_second, tasks.output \
         from diffusion_configurations as rows join tasks on tasks.task_id = rows.task_id \
         order by rows.diffusion_configuration_id",
    )?;
    let mut rows = statement.query([])?;
    let mut configurations = 0;
    while let Some(row) = rows.next()? {
        configurations += 1;
        let id: i64 = row.get(0)?;
        let (key, figures) = match generation(row) {
            Ok(generation) => generation,
            Err(error) => {
                add(found, Check::NumberRange, || format!("{table} {id}: {error}"));
                continue;
            }
        };
        let (document, position): (i64, i64) = (row.get(1)?, row.get(2)?);
        let output: String = row.get(17)?;
        let Some(output) = Product::of_name(&output) else {
            add(found, Check::NumberRange, || format!("{table} {id}: its task makes {output}"));
            continue;
        };
        check::generation_relations(&key, &figures, output, &mut |broken| {
            let name = broken.check.name();
            if accepted.of_rows.contains(&(name.to_owned(), document, position)) {
                found.entry(name).or_default().accepted += 1;
            } else {
                add(found, broken.check, || {
                    let check::Broken { column, value, expected, .. } = &broken;
                    format!("{table} {id}: {column} is {value}, expected {expected}")
                });
            }
        });
    }
    Ok(configurations)
}

/// What a row that makes images or videos holds, if its numbers are all what they should be.
fn generation(row: &Row<'_>) -> Result<(GenerationKey, GenerationFigures)> {
    for column in 3..=10 {
        whole(row, column)?;
    }
    for column in 15..=16 {
        if row.get_ref(column)? != ValueRef::Null {
            whole(row, column)?;
        }
    }
    let position: i64 = row.get(2).context("document_position is not a whole number")?;
    ensure!(position >= 0, "document_position is {position}, not a whole number from 0");
    let key = GenerationKey {
        model: 0,
        gpu: 0,
        num_gpus: row.get(3)?,
        batch_size: row.get(4)?,
        height: row.get(5)?,
        width: row.get(6)?,
        inference_steps: row.get(7)?,
        num_frames: row.get(15)?,
        frames_per_second: row.get(16)?,
        ulysses_degree: row.get(8)?,
        ring_degree: row.get(9)?,
    };
    let figures = GenerationFigures {
        joules: real(row, 11)?,
        batch_latency_s: real(row, 12)?,
        per_second: real(row, 13)?,
        power_watts: real(row, 14)?,
    };
    Ok((key, figures))
}

fn read_models(
    connection: &Connection,
    accepted: &Accepted,
    found: &mut BTreeMap<&str, Found>,
) -> Result<u64> {
    let mut statement = connection.prepare(
        "select model, params_b, active_params_b from models \
         where params_b is not null and active_params_b is not null order by model_id",
    )?;
    let mut rows = statement.query([])?;
    let mut models = 0;
    while let Some(row) = rows.next()? {
        models += 1;
        let model: String = row.get(0)?;
        check::model_relations(row.get(1)?, row.get(2)?, &mut |broken| {
            let name = broken.check.name();
            if accepted.values.contains(&(name.to_owned(), broken.value.to_string())) {
                found.entry(name).or_default().accepted += 1;
            } else {
                add(found, broken.check, || {
                    let check::Broken { column, value, expected, .. } = &broken;
                    format!(
                        "model {}: {column} is {value}, expected {expected}",
                        model.escape_debug()
                    )
                });
            }
        });
    }
    Ok(models)
}

fn add(found: &mut BTreeMap<&str, Found>, check: Check, fault: impl FnOnce() -> String) {
    let found = found.entry(check.name()).or_default();
    found.broken += 1;
    found.first.get_or_insert_with(fault);
}

/// The figures of a row whose numbers are all what they should be.
fn numbers(row: &Row<'_>) -> Result<Figures> {
    for column in 3..=8 {
        whole(row, column)?;
    }
    let real = |column: usize| real(row, column);
    let figures = Figures {
        avg_running_batch: real(9)?,
        tokens_per_second: real(10)?,
        power_watts: real(11)?,
        joules_per_output_token: real(12)?,
        joules_per_request: real(13)?,
        median_itl_ms: real(14)?,
        p90_itl_ms: real(15)?,
        p95_itl_ms: real(16)?,
        p99_itl_ms: real(17)?,
        avg_output_tokens: real(18)?,
    };
    let position: i64 = row.get(2).context("document_position is not a whole number")?;
    ensure!(position >= 0, "document_position is {position}, not a whole number from 0");
    Ok(figures)
}

fn name(row: &Row<'_>, column: usize) -> String {
    row.as_ref().column_name(column).unwrap_or("a column").to_owned()
}

/// Refuses what is not a whole number from 1.
fn whole(row: &Row<'_>, column: usize) -> Result<()> {
    match row.get_ref(column)? {
        ValueRef::Integer(1..=0xffff_ffff) => Ok(()),
        other => bail!("{} is {}, not a whole number from 1", name(row, column), told(other)),
    }
}

/// A real number above 0.
fn real(row: &Row<'_>, column: usize) -> Result<f64> {
    match row.get_ref(column)? {
        ValueRef::Real(value) if value > 0.0 && value.is_finite() => Ok(value),
        other => bail!("{} is {}, not a real number above 0", name(row, column), told(other)),
    }
}

fn told(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".into(),
        ValueRef::Integer(value) => value.to_string(),
        ValueRef::Real(value) => value.to_string(),
        ValueRef::Text(_) => "a text".into(),
        ValueRef::Blob(_) => "a blob".into(),
    }
}
