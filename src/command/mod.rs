//! The commands, one file each, and what they share: the command line and the database.

mod answer_file;
mod build;
mod check;
mod checks;
mod completions;
mod diff;
mod export;
mod facts;
mod findings;
mod hints;
mod info;
mod line;
mod man;
mod manifest;
mod migrate;
mod no_rows;
mod open_release;
mod package;
mod page;
mod query;
mod schema;
mod template;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{ArgMatches, FromArgMatches};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::catalogue::Catalogue;
use crate::cli::{Cli, Command, Global};
use crate::database::location::Location;
use crate::error::{self, usage};
use crate::output::picture::Sketch;
use crate::output::screen::About;
use crate::output::{Format, Layout, RowWriter, terminal};
use crate::release;
use crate::replace::Beside;
use crate::signal::Signals;
use crate::text::counted;

/// Exit status when all went well.
const DONE: u8 = 0;
/// How long SQLite may take to notice that the timeout has passed.
const GRACE: Duration = Duration::from_millis(500);

/// Runs a command line and returns its exit status.
///
/// # Errors
/// When the command failed; [`crate::error`] says which status that is.
pub fn run(words: impl Iterator<Item = OsString>) -> Result<u8> {
    let words: Vec<OsString> = words.collect();
    if completions::answered(&words)? {
        return Ok(DONE);
    }
    let mut catalogue = Catalogue::built_in();
    if let Some(folder) = line::value_of("--queries", &words) {
        catalogue.add_folder(Path::new(&folder))?;
    }
    let words = line::with_query(words, &catalogue);
    let is_wanted = |name: &str| words.iter().any(|word| *word == *name);
    let matches = match line::command_line(&catalogue, is_wanted).try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(error) => {
            return match hints::of(&error, &words, &catalogue) {
                Some(hint) => Err(hint),
                None => explain(&error),
            };
        }
    };
    line::refuse_unused(&matches)?;
    let cli = Cli::from_arg_matches(&matches)?;
    let signals = watched(&cli)?;
    // Work that a signal interrupted ends with an error of a file or of SQLite. Report the signal instead.
    dispatch(&cli, &matches, &catalogue, &signals)
        .or_else(|error| signals.interrupted().and(Err(error)))
}

/// Watches for what may end the command: the timeout, and signals if the command must not leave
/// incomplete files.
fn watched(cli: &Cli) -> Result<Signals> {
    let limit = cli.global.timeout.map(Duration::from_secs_f64);
    let end_in_time = || limit.iter().for_each(|limit| end_after(*limit + GRACE));
    use Command::{
        Build, Check, Checks, Completions, Diff, Export, Info, Man, Manifest, Migrate, Package,
        Page, Query, Schema, Template,
    };
    match cli.command {
        // What writes ends where it leaves nothing behind.
        Build(_) | Export(_) | Migrate(_) | Package(_) | Page(_) => Signals::watch(limit),
        // Of documents that are read, a database may be made for the moment.
        Check(_) | Diff(_) | Manifest(_) => {
            end_in_time();
            Signals::watch(limit)
        }
        Checks | Completions(_) | Info | Man(_) | Query(_) | Schema(_) | Template(_) => {
            end_in_time();
            Ok(Signals::clock(limit))
        }
    }
}

fn dispatch(
    cli: &Cli,
    matches: &ArgMatches,
    catalogue: &Catalogue,
    signals: &Signals,
) -> Result<u8> {
    let global = &cli.global;
    match &cli.command {
        Command::Build(arguments) => build::run(arguments, global, signals),
        Command::Query(arguments) => {
            let named = matches.subcommand_matches("query").and_then(|query| query.subcommand());
            query::run(arguments, named, catalogue, global, signals)
        }
        Command::Export(arguments) => export::run(arguments, catalogue, global, signals),
        Command::Check(arguments) => check::run(arguments, global, signals),
        Command::Checks => checks::run(global),
        Command::Template(arguments) => template::run(arguments),
        Command::Diff(arguments) => diff::run(arguments, global, signals),
        Command::Migrate(arguments) => migrate::run(arguments, global, signals),
        Command::Package(arguments) => package::run(arguments, catalogue, global, signals),
        Command::Page(arguments) => page::run(arguments, catalogue, global, signals),
        Command::Completions(arguments) => {
            completions::run(arguments, &line::command_line(catalogue, |_| false))
        }
        Command::Manifest(arguments) => manifest::run(arguments, global, signals),
        Command::Man(arguments) => man::run(arguments, line::command_line(catalogue, |_| true)),
        Command::Schema(arguments) => schema::run(arguments, global, signals),
        Command::Info => info::run(global, signals),
    }
}

/// Prints help and the version; makes one line of what clap says of a wrong command line.
fn explain(error: &clap::Error) -> Result<u8> {
    if !error.use_stderr() {
        let help = error.render();
        if terminal::has_style() {
            let mut out = terminal::styled_results();
            write!(out, "{}", help.ansi())?;
            out.flush()?;
        } else {
            let mut out = terminal::results();
            write!(out, "{help}")?;
            out.flush()?;
        }
        return Ok(DONE);
    }
    let text = error.render().to_string();
    if matches!(error.kind(), ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand) {
        terminal::lines(text.trim_end());
        return Ok(crate::error::USAGE);
    }
    let mut sentences = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with("Usage:") || line.starts_with("For more information") {
            continue;
        }
        sentences.push(line.trim_start_matches("error: ").trim_start_matches("tip: ").to_owned());
    }
    // A list follows its heading after a blank.
    let line = sentences.join("; ").replace(":; ", ": ");
    let line = line.replace(
        "the following required arguments were not provided:",
        "required arguments are missing:",
    );
    Err(usage(format!("{line}; --help explains")))
}

/// Opens the database that the command line means, and says where it is.
fn open_database(global: &Global, signals: &Signals) -> Result<(Connection, Location)> {
    let location = location(global.db.as_deref())?;
    Ok((location.open(signals)?, location))
}

/// The database that a path names, as a file or in the folder of a release; without a path, the one
/// that is read then.
fn location(named: Option<&Path>) -> Result<Location> {
    let of_release = named.map(release::database_in).transpose()?.flatten();
    Ok(Location::find(of_release.as_deref().or(named)))
}

/// Notes that the answer is from the built-in data. It is printed just before the answer, so an error is
/// printed without it.
fn note_built_in(location: &Location, global: &Global) {
    if *location == Location::BuiltIn && !global.quiet {
        terminal::note("answering from the built-in data; --db FILE reads another database");
    }
}

/// Ends the program after the timeout. SQLite checks the clock only between its steps, and one step, such
/// as a search in a long text, may take hours.
fn end_after(limit: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        Beside::remove_all();
        terminal::error(error::TIME_IS_OVER);
        std::process::exit(error::REFUSED.into());
    });
}

/// Prints rows of text that do not come from a database, as a query's rows are printed. Empty text
/// is null.
fn print_rows(columns: &[&str], rows: &[Vec<String>], global: &Global) -> Result<()> {
    let format = global.format.unwrap_or_else(terminal::usual_format);
    let about = About { is_prose: true, ..About::default() };
    print_with(columns, format, about, global, |writer| {
        rows.iter().try_for_each(|row| {
            let values: Vec<_> = row.iter().map(|text| text_or_null(text)).collect();
            Ok(writer.row(&values)?)
        })
    })
}

/// Prints rows that are handed to the writer one by one.
fn print_with(
    columns: &[&str],
    format: Format,
    about: About,
    global: &Global,
    rows: impl FnOnce(&mut dyn RowWriter) -> Result<()>,
) -> Result<()> {
    print_drawn(columns, format, about, None, global, rows)
}

/// Refuses a picture of rows that are not drawn.
fn check_drawn(format: Format, picture: Option<&Sketch>) -> Result<()> {
    if format.is_picture() && picture.is_none() {
        let queries = Catalogue::built_in().queries;
        let drawn = queries.iter().filter(|query| query.head.picture.is_some());
        let names: Vec<_> = drawn.map(|query| query.name.as_str()).collect();
        return Err(usage(format!(
            "these rows cannot be drawn; queries that can be drawn: {}",
            names.join(", ")
        )));
    }
    Ok(())
}

/// Prints rows that may be drawn as well.
fn print_drawn(
    columns: &[&str],
    format: Format,
    about: About,
    picture: Option<Sketch>,
    global: &Global,
    rows: impl FnOnce(&mut dyn RowWriter) -> Result<()>,
) -> Result<()> {
    check_drawn(format, picture.as_ref())?;
    let layout = Layout { screen: terminal::screen(global.wide), about, picture };
    let mut out =
        if format.is_for_people() { terminal::styled_results() } else { terminal::results() };
    let mut writer = format.writer(&mut out, &layout);
    writer.columns(&columns.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())?;
    rows(writer.as_mut())?;
    writer.finish()?;
    let left_out = writer.left_out().to_vec();
    drop(writer);
    out.flush()?;
    if !left_out.is_empty() && terminal::is_watched() && !global.quiet {
        terminal::note(&format!(
            "{} left out: {}; --wide or --format line shows all",
            counted(left_out.len() as u64, "column"),
            left_out.join(", ")
        ));
    }
    Ok(())
}

fn text_or_null(text: &str) -> ValueRef<'_> {
    if text.is_empty() { ValueRef::Null } else { ValueRef::Text(text.as_bytes()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The narrowest terminal that help is laid out for.
    const NARROWEST: usize = 80;

    fn check(command: &mut clap::Command) {
        for help in [command.render_help(), command.render_long_help()] {
            let help = help.to_string();
            let wide = help.lines().find(|line| line.chars().count() > NARROWEST);
            // One word, such as the choices of a flag, cannot be broken.
            assert!(wide.is_none_or(|line| line.split_whitespace().count() <= 2), "{wide:?}");
        }
        let own = command.get_after_long_help().or(command.get_after_help());
        for line in own.map(ToString::to_string).unwrap_or_default().lines() {
            let is_laid_out = line.starts_with(' ');
            assert!(!is_laid_out || line.chars().count() <= NARROWEST, "{line}");
        }
        command.get_subcommands_mut().for_each(check);
    }

    #[test]
    fn help_fits_a_terminal_of_80_columns_and_breaks_no_line_twice() {
        let mut command =
            line::command_line(&Catalogue::built_in(), |_| true).term_width(NARROWEST);
        command.build();
        assert!(command.find_subcommand("query").unwrap().find_subcommand("best").is_some());
        check(&mut command);
    }
}
