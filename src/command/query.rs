//! `energydb query`: run a named query or a statement of the user's and print its rows.

use std::io::Write;

use anyhow::Result;
use clap::ArgMatches;
use rusqlite::types::{FromSql, Value};
use rusqlite::{Connection, OptionalExtension};

use super::{DONE, open_database, print_rows};
use crate::catalogue::parameter::{Kind, Named, Parameter};
use crate::catalogue::statement::{self, Values};
use crate::catalogue::{Catalogue, Query, flags};
use crate::cli::{self, Global};
use crate::error::usage;
use crate::output::terminal;

/// The queries that are about whatever a task makes.
const ABOUT_EVERY_TASK: [&str; 5] = ["export-models", "gpus", "models", "provenance", "tasks"];

/// The query that tells, for each model and GPU, whether a configuration meets a deadline.
const FEASIBILITY: &str = "feasibility";

pub(super) fn run(
    arguments: &cli::Query,
    named: Option<(&str, &ArgMatches)>,
    catalogue: &Catalogue,
    global: &Global,
) -> Result<u8> {
    match (named, &arguments.sql) {
        (Some((name, _)), Some(_)) => {
            return Err(usage(format!("give the named query '{name}' or --sql, not both")));
        }
        (None, None) => return list(catalogue, global),
        (Some((name, matches)), None) => {
            let query = catalogue.get(name)?;
            let connection = open_database(global)?;
            prepare_users(&connection, catalogue)?;
            let values =
                statement::values(&connection, query, |parameter| flags::word(matches, parameter))?;
            let mut prepared = statement::prepare(&connection, query)?;
            if print(&mut prepared, &values, global)? == 0 && !global.quiet {
                let given =
                    |parameter: &&Parameter| flags::word(matches, &parameter.name).is_some();
                let why = why_nothing(&connection, catalogue, query, &values, given)?;
                terminal::line(&format!("note: no rows: {why}"));
            }
        }
        (None, Some(sql)) => {
            let connection = open_database(global)?;
            let mut prepared = statement::prepare_free(&connection, sql)?;
            print(&mut prepared, &Values::new(), global)?;
        }
    }
    Ok(DONE)
}

/// Prints the names and descriptions of all queries.
fn list(catalogue: &Catalogue, global: &Global) -> Result<u8> {
    let rows: Vec<Vec<String>> = catalogue
        .queries
        .iter()
        .map(|query| vec![query.name.clone(), query.head.description.clone()])
        .collect();
    print_rows(&["query", "description"], &rows, global)?;
    if terminal::is_watched() && !global.quiet {
        terminal::line("note: 'energydb query NAME --help' explains one");
    }
    Ok(DONE)
}

/// Finds a broken file among a user's queries before one of them answers.
fn prepare_users(connection: &Connection, catalogue: &Catalogue) -> Result<()> {
    for query in catalogue.queries.iter().filter(|query| query.file.is_some()) {
        statement::prepare(connection, query)?;
    }
    Ok(())
}

fn print(prepared: &mut rusqlite::Statement<'_>, values: &Values, global: &Global) -> Result<u64> {
    let mut out = terminal::results();
    let format = global.format.unwrap_or_else(terminal::usual_format);
    let mut writer = format.writer(&mut out, terminal::width());
    let rows = statement::print(prepared, values, writer.as_mut())?;
    drop(writer);
    out.flush()?;
    Ok(rows)
}

/// Why a query gave no rows: there is no such data, or nothing meets what was asked.
fn why_nothing(
    connection: &Connection,
    catalogue: &Catalogue,
    query: &Query,
    values: &Values,
    given: impl Fn(&&Parameter) -> bool,
) -> Result<String> {
    if let Some(why) = why_nothing_generated(connection, catalogue, query, values, &given)? {
        return Ok(why);
    }
    let feasibility = catalogue.get(FEASIBILITY)?;
    let (by_name, limits): (Vec<_>, Vec<_>) = query
        .head
        .parameters
        .iter()
        .filter(&given)
        .partition(|known| feasibility.takes(&known.name));
    let told = |parameters: &[&Parameter]| -> String {
        let flags = parameters
            .iter()
            .map(|parameter| format!(" --{} {}", parameter.flag(), shown(values, &parameter.name)));
        flags.collect()
    };
    let has_deadline = query.takes("deadline_ms") && query.takes("percentile");
    let mut prepared = statement::prepare(connection, feasibility)?;
    let mut values_of_both: Values =
        values.iter().filter(|(name, _)| feasibility.takes(name)).cloned().collect();
    if !has_deadline {
        // Any deadline and percentile will do to learn whether anything was measured.
        values_of_both.retain(|(name, _)| name != "percentile");
        values_of_both.push(("percentile".into(), Value::Text("median".into())));
    }
    let names = statement::columns(&prepared);
    let column = |name: &str| names.iter().position(|known| known == name).unwrap_or(usize::MAX);
    let (status, itl, row_id) = (column("status"), column("fastest_itl_ms"), column("row_id"));
    let mut is_met = false;
    let mut fastest: Option<(f64, String)> = None;
    statement::run(&mut prepared, &values_of_both, |row| {
        let text =
            |index: usize| row.get(index).and_then(|value| String::column_result(*value).ok());
        is_met |= text(status).as_deref() == Some("meets");
        let itl = row.get(itl).and_then(|value| f64::column_result(*value).ok());
        if let (Some(itl), Some(row_id)) = (itl, text(row_id))
            && fastest.as_ref().is_none_or(|(fastest, _)| itl < *fastest)
        {
            fastest = Some((itl, row_id));
        }
        Ok(())
    })?;
    if let (Some(reason), Some(_)) = (&query.head.no_rows, &fastest) {
        let given: Vec<_> = by_name.iter().chain(&limits).copied().collect();
        return Ok(format!("{reason}{}", of(&told(&given))));
    }
    Ok(match fastest {
        None if by_name.is_empty() => "the database has no such data".into(),
        None => format!("the database has no data for{}", told(&by_name)),
        Some(_) if !has_deadline && limits.is_empty() => {
            let description = query.head.description.trim_end_matches('.');
            format!("there is data{}, but none for '{description}'", of(&told(&by_name)))
        }
        Some(_) if !has_deadline => {
            format!("there is data{}, but none with{}", of(&told(&by_name)), told(&limits))
        }
        Some(_) if is_met && limits.is_empty() => {
            let description = query.head.description.trim_end_matches('.');
            format!("a configuration meets the deadline, but there is none for '{description}'")
        }
        Some(_) if is_met => {
            format!("a configuration meets the deadline, but not together with{}", told(&limits))
        }
        Some((itl, row_id)) => format!(
            "none meets the deadline of {} ms on the {} ITL; the fastest measured is {itl:.1} ms ({row_id})",
            shown(values, "deadline_ms"),
            shown(values, "percentile")
        ),
    })
}

/// The same of workloads that make images or videos. None for one that makes text.
fn why_nothing_generated(
    connection: &Connection,
    catalogue: &Catalogue,
    query: &Query,
    values: &Values,
    given: &impl Fn(&&Parameter) -> bool,
) -> Result<Option<String>> {
    let task = shown(values, "task");
    let output: Option<String> = connection
        .prepare("select output from tasks where task = ?1 and output <> 'tokens'")?
        .query_row([&task], |row| row.get(0))
        .optional()?;
    // The query that lists what was measured has the name of what is made.
    let Some(output) = output else { return Ok(None) };
    let kind = query.head.parameters.iter().find(|parameter| parameter.name == "task");
    let is_about_it = kind.is_some_and(|parameter| parameter.kind != Kind::Named(Named::Task));
    let may_be_about_it = query.file.is_some() || ABOUT_EVERY_TASK.contains(&query.name.as_str());
    if !is_about_it && !may_be_about_it {
        return Ok(Some(format!(
            "{task} makes {output}, and {} is about text; 'energydb query best-{output}' and \
             'energydb query {output}' tell of {output}",
            query.name
        )));
    }
    let measured = catalogue.get(&output)?;
    let mut prepared = statement::prepare(connection, measured)?;
    let values_of_both: Values =
        values.iter().filter(|(name, _)| measured.takes(name)).cloned().collect();
    let names = statement::columns(&prepared);
    let column = |name: &str| names.iter().position(|known| known == name).unwrap_or(usize::MAX);
    let (latency, row_id) = (column("batch_latency_s"), column("row_id"));
    let mut fastest: Option<(f64, String)> = None;
    statement::run(&mut prepared, &values_of_both, |row| {
        let latency = row.get(latency).and_then(|value| f64::column_result(*value).ok());
        let row_id = row.get(row_id).and_then(|value| String::column_result(*value).ok());
        if let (Some(latency), Some(row_id)) = (latency, row_id)
            && fastest.as_ref().is_none_or(|(fastest, _)| latency < *fastest)
        {
            fastest = Some((latency, row_id));
        }
        Ok(())
    })?;
    let told: String = query
        .head
        .parameters
        .iter()
        .filter(given)
        .map(|parameter| format!(" --{} {}", parameter.flag(), shown(values, &parameter.name)))
        .collect();
    let deadline = values.iter().find_map(|(name, value)| match value {
        Value::Real(deadline) if name == "deadline_s" => Some(*deadline),
        _ => None,
    });
    Ok(Some(match (fastest, deadline) {
        (None, _) if told.is_empty() => "the database has no such data".into(),
        (None, _) => format!("the database has no data for{told}"),
        (Some((fastest, row_id)), Some(deadline)) if fastest > deadline => format!(
            "none meets the deadline of {deadline} s on the latency of a batch; the fastest \
             measured is {fastest:.3} s ({row_id})"
        ),
        (Some(_), _) => format!("there are {output}, but none with{told}"),
    }))
}

fn of(told: &str) -> String {
    if told.is_empty() { String::new() } else { format!(" for{told}") }
}

fn shown(values: &Values, name: &str) -> String {
    match values.iter().find(|(known, _)| known == name) {
        Some((_, Value::Text(text))) => text.clone(),
        Some((_, Value::Real(number))) => number.to_string(),
        Some((_, Value::Integer(number))) => number.to_string(),
        _ => String::new(),
    }
}
