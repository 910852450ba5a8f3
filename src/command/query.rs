//! `energydb query`: runs a named query or the user's statement, and prints its rows.

use std::io::Read;

use anyhow::{Context, Result};
use clap::ArgMatches;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Statement};

use super::answer_file::AnswerFile;
use super::{DONE, check_drawn, no_rows, note_built_in, open_database, print_drawn, print_rows};
use crate::catalogue::methods::Sources;
use crate::catalogue::note::{Note, Watch};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::statement::{self, Values};
use crate::catalogue::{Catalogue, Query, asked, flags, left_out, meant};
use crate::cli::{self, Global};
use crate::database::location::Location;
use crate::database::open;
use crate::error::usage;
use crate::output::picture::Sketch;
use crate::output::screen::About;
use crate::output::selection::Selection;
use crate::output::{Format, Layout, RowWriter, terminal};
use crate::signal::Signals;

/// Bytes of the longest statement that is read from standard input.
const LONGEST_STATEMENT: u64 = 1 << 20;

pub(super) fn run(
    arguments: &cli::Query,
    named: Option<(&str, &ArgMatches)>,
    catalogue: &Catalogue,
    global: &Global,
    signals: &Signals,
) -> Result<u8> {
    let named = match named {
        Some((name, matches)) => Some((catalogue.get(name)?, matches)),
        None => None,
    };
    let selection = flags::selection(named, &arguments.selection);
    let format = format(&selection, global.format)?;
    let global = &Global { format, ..global.clone() };
    match (named, &arguments.sql) {
        (Some((query, _)), _) if arguments.list || arguments.sql.is_some() => {
            let flag = if arguments.list { "--list" } else { "--sql" };
            return Err(usage(format!(
                "give the named query '{}' or {flag}, not both",
                query.name
            )));
        }
        (None, None) => return list(catalogue, global),
        (Some((query, matches)), _) => {
            let (connection, location) = open_database(global, signals)?;
            let read = (&connection, &location);
            run_named((query, matches), read, &selection, catalogue, global)?;
            open::leave(connection);
        }
        (None, Some(sql)) => {
            let sql = if sql == "-" { &of_standard_input()? } else { sql };
            let (connection, location) = open_database(global, signals)?;
            let mut prepared = statement::prepare_free(&connection, sql)?;
            let notes = || note_built_in(&location, global);
            let shown = (About::default, None);
            print(&mut prepared, &Values::new(), &selection, shown, global, notes, |_| {})?;
            drop(prepared);
            open::leave(connection);
        }
    }
    Ok(DONE)
}

/// Runs a named query and prints its rows, with the notes that they deserve.
fn run_named(
    (query, matches): (&Query, &ArgMatches),
    (connection, location): (&Connection, &Location),
    selection: &cli::Selection,
    catalogue: &Catalogue,
    global: &Global,
) -> Result<()> {
    let given = |name: &str| flags::word(matches, name);
    let is_given = |parameter: &Parameter| given(&parameter.name).is_some();
    let takes_meant = query.takes("task") && given("task").is_none() && !global.quiet;
    let (values, meant, may_leave_out) = statement::of_one_state(connection, || {
        let values = statement::values(connection, query, given)?;
        let meant = if takes_meant { meant::note(connection, query, &values)? } else { None };
        let may_leave_out = !global.quiet && left_out::may_be(connection, query)?;
        Ok((values, meant, may_leave_out))
    })?;
    let mut prepared = statement::prepare(connection, query)?;
    let notes = || {
        note_built_in(location, global);
        note_broken(catalogue, global);
        meant.iter().for_each(|meant| terminal::note(meant));
    };
    let about = || asked::about(query, &values, is_given);
    let shown = (about, query.head.picture.clone());
    let columns = statement::columns(&prepared);
    let watched: &[Note] = if global.quiet { &[] } else { &query.head.notes };
    let mut watch = Watch::new(watched, &columns, |name| given(name).is_some());
    let mut sources = Sources::of(&columns);
    let count = print(&mut prepared, &values, selection, shown, global, notes, |row| {
        watch.see(row);
        sources.see(row);
    })?;
    watch.notes().iter().for_each(|text| terminal::note(text));
    if global.quiet {
        return Ok(());
    }
    if let Some(differences) = sources.differences(connection, &values)? {
        terminal::note(&differences);
    }
    let left_out = if may_leave_out { left_out::of(connection, query, &values)? } else { None };
    if let Some(left_out) = &left_out {
        terminal::note(&left_out.told);
    }
    // If everything was left out, that note already gives the reason.
    if count == 0 && !left_out.is_some_and(|left_out| left_out.is_all) {
        let reason = no_rows::reason(connection, catalogue, query, &values, is_given)?;
        terminal::note(&format!("no rows: {reason}"));
    }
    Ok(())
}

/// The format that is asked for: by name, by --json or --csv, or by the ending of the file.
fn format(selection: &cli::Selection, named: Option<Format>) -> Result<Option<Format>> {
    let short = match (selection.json, selection.csv) {
        (true, true) => return Err(usage("give --json or --csv, not both")),
        (true, false) => Some(Format::Json),
        (false, true) => Some(Format::Csv),
        (false, false) => None,
    };
    if let (Some(short), Some(named)) = (short, named)
        && short != named
    {
        return Err(usage("give --format or one of --json and --csv, not both"));
    }
    let file = selection.output.as_deref().filter(|path| path.as_os_str() != "-");
    let Some(file) = file.filter(|_| short.is_none() && named.is_none()) else {
        return Ok(short.or(named));
    };
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    Ok(Some(match ending.as_deref() {
        Some("csv") => Format::Csv,
        Some("tsv") => Format::Tsv,
        Some("json") => Format::Json,
        Some("ndjson" | "jsonl") => Format::Ndjson,
        Some("md") => Format::Markdown,
        Some("txt") => Format::Table,
        Some("svg") => Format::Svg,
        _ => {
            return Err(usage(format!(
                "the name {} does not tell the format; give --format, or end the name with .csv, \
                 .tsv, .json, .ndjson, .jsonl, .md, .txt or .svg",
                file.display()
            )));
        }
    }))
}

/// A statement on standard input.
fn of_standard_input() -> Result<String> {
    let mut sql = String::new();
    std::io::stdin()
        .take(LONGEST_STATEMENT)
        .read_to_string(&mut sql)
        .context("could not read a statement from standard input")?;
    Ok(sql)
}

/// Says which files of a user's folder are left out.
fn note_broken(catalogue: &Catalogue, global: &Global) {
    for broken in catalogue.broken.iter().filter(|_| !global.quiet) {
        terminal::note(&format!("left out: {}", broken.fault));
    }
}

/// Prints the names and descriptions of all queries.
fn list(catalogue: &Catalogue, global: &Global) -> Result<u8> {
    note_broken(catalogue, global);
    let rows: Vec<Vec<String>> = catalogue
        .queries
        .iter()
        .map(|query| vec![query.name.clone(), query.head.description.clone()])
        .collect();
    print_rows(&["query", "description"], &rows, global)?;
    if terminal::is_watched() && !global.quiet {
        terminal::note("'energydb query NAME --help' explains a query");
    }
    Ok(DONE)
}

/// Prints the chosen rows, calls `see` for each, and returns their number. An unknown column name is
/// refused before anything is printed. Notes are printed just before the first row, so an error is printed
/// without them.
fn print(
    prepared: &mut Statement<'_>,
    values: &Values,
    chosen: &cli::Selection,
    (about, picture): (impl FnOnce() -> About, Option<Sketch>),
    global: &Global,
    notes: impl FnOnce(),
    mut see: impl FnMut(&[ValueRef<'_>]),
) -> Result<u64> {
    let all = statement::columns(prepared);
    let mut selection =
        Selection::new(&all, chosen.columns.as_deref(), chosen.sort.as_deref(), chosen.limit)
            .map_err(|name| {
                usage(format!("no column is called '{name}'; the columns are {}", all.join(", ")))
            })?;
    let columns = selection.names(&all);
    let file = chosen.output.as_deref().filter(|path| path.as_os_str() != "-");
    let format = global.format.unwrap_or_else(terminal::usual_format);
    let mut about = if format.says_what_was_asked() { about() } else { About::default() };
    about.important.retain(|name| columns.contains(name));
    let columns: Vec<_> = columns.iter().map(String::as_str).collect();
    check_drawn(format, picture.as_ref())?;
    let file = file.map(AnswerFile::prepare).transpose()?;
    let mut notes = Some(notes);
    let mut count = 0;
    let rows = |writer: &mut dyn RowWriter| {
        let mut note = || notes.take().into_iter().for_each(|notes| notes());
        statement::run_while(prepared, values, |row| {
            note();
            see(row);
            Ok(selection.row(row, writer)?)
        })?;
        note();
        count = selection.finish(writer)?;
        Ok(())
    };
    match file {
        Some(file) => {
            let layout = Layout { screen: None, about, picture };
            file.write(&columns, format, &layout, rows)?;
        }
        None => print_drawn(&columns, format, about, picture, global, rows)?,
    }
    Ok(count)
}
