//! `energydb query`: run a named query or a statement of the user's and print its rows.

use anyhow::Result;
use clap::ArgMatches;
use rusqlite::Statement;

use super::{DONE, no_rows, note_built_in, open_database, print_drawn, print_rows};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::statement::{self, Values};
use crate::catalogue::{Catalogue, asked, flags, meant};
use crate::cli::{self, Global};
use crate::error::usage;
use crate::output::picture::Sketch;
use crate::output::screen::About;
use crate::output::terminal;
use crate::signal::Signals;

pub(super) fn run(
    arguments: &cli::Query,
    named: Option<(&str, &ArgMatches)>,
    catalogue: &Catalogue,
    global: &Global,
    signals: &Signals,
) -> Result<u8> {
    match (named, &arguments.sql) {
        (Some((name, _)), Some(_)) => {
            return Err(usage(format!("give the named query '{name}' or --sql, not both")));
        }
        (None, None) => return list(catalogue, global),
        (Some((name, matches)), None) => {
            let query = catalogue.get(name)?;
            let (connection, location) = open_database(global, signals)?;
            let values =
                statement::values(&connection, query, |parameter| flags::word(matches, parameter))?;
            if !global.quiet
                && query.takes("task")
                && flags::word(matches, "task").is_none()
                && let Some(note) = meant::note(&connection, query, &values)?
            {
                terminal::line(&format!("note: {note}"));
            }
            let mut prepared = statement::prepare(&connection, query)?;
            note_built_in(&location, global);
            note_broken(catalogue, global);
            let given = |parameter: &Parameter| flags::word(matches, &parameter.name).is_some();
            let about = asked::about(query, &values, given);
            let picture = query.head.picture.clone();
            if print(&mut prepared, &values, about, picture, global)? == 0 && !global.quiet {
                let reason = no_rows::reason(&connection, catalogue, query, &values, given)?;
                terminal::line(&format!("note: no rows: {reason}"));
            }
        }
        (None, Some(sql)) => {
            let (connection, location) = open_database(global, signals)?;
            let mut prepared = statement::prepare_free(&connection, sql)?;
            note_built_in(&location, global);
            print(&mut prepared, &Values::new(), About::default(), None, global)?;
        }
    }
    Ok(DONE)
}

/// Says which files of a user's folder are left out.
fn note_broken(catalogue: &Catalogue, global: &Global) {
    for broken in catalogue.broken.iter().filter(|_| !global.quiet) {
        terminal::line(&format!("note: left out: {}", broken.fault));
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
        terminal::line("note: 'energydb query NAME --help' explains one");
    }
    Ok(DONE)
}

fn print(
    prepared: &mut Statement<'_>,
    values: &Values,
    about: About,
    picture: Option<Sketch>,
    global: &Global,
) -> Result<u64> {
    let columns = statement::columns(prepared);
    let columns: Vec<_> = columns.iter().map(String::as_str).collect();
    let format = global.format.unwrap_or_else(terminal::usual_format);
    let mut count = 0;
    print_drawn(&columns, format, about, picture, global, |writer| {
        statement::run(prepared, values, |row| {
            count += 1;
            Ok(writer.row(row)?)
        })
    })?;
    Ok(count)
}
