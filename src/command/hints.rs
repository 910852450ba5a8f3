//! Hints for a wrong command line: the command or flag that was probably meant, in one line.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::line::value_of;
use super::location;
use crate::catalogue::parameter::{Kind, Named, Parameter};
use crate::catalogue::{Catalogue, Query, names, number};
use crate::cli::{Cli, DATABASE_VARIABLE};
use crate::error::{nearest, usage};
use crate::signal::Signals;
use crate::text::printable;

/// The error that says what was meant, or `None` if clap's own words say enough. What cannot be looked
/// up gives no hint.
pub(super) fn of(
    error: &clap::Error,
    words: &[OsString],
    catalogue: &Catalogue,
) -> Option<anyhow::Error> {
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = text(error, ContextKind::InvalidSubcommand)?;
            if is_of_query(error) {
                Some(of_query(name, words, catalogue))
            } else {
                of_command(name, words, catalogue)
            }
        }
        ErrorKind::UnknownArgument => {
            let word = text(error, ContextKind::InvalidArg)?;
            of_argument(word, words, catalogue).map(usage)
        }
        _ => None,
    }
}

/// What a word in the place of a command means.
fn of_command(word: &str, words: &[OsString], catalogue: &Catalogue) -> Option<anyhow::Error> {
    let behind = behind(word, words);
    let shown = printable(word);
    if catalogue.queries.iter().any(|query| query.name == word) {
        return Some(usage(format!(
            "'{shown}' is a named query; run: energydb query {shown}{behind}"
        )));
    }
    if is_statement(word) {
        return Some(usage("to run a statement, use: energydb query --sql 'SELECT ...'"));
    }
    if Path::new(word).is_file() {
        return Some(usage(format!(
            "'{shown}' is not a command; to read a database, run: energydb query best --db {shown}"
        )));
    }
    if let Some(flag) = flag_of(word, words, catalogue.get("best").ok()?) {
        return Some(usage(format!(
            "'{shown}' is not a command; to ask about it, run: energydb query best {flag}{behind}"
        )));
    }
    let commands: Vec<String> = <Cli as clap::CommandFactory>::command()
        .get_subcommands()
        .map(|c| c.get_name().to_owned())
        .collect();
    let queries = catalogue.queries.iter().map(|query| query.name.as_str());
    let near = nearest(word, commands.iter().map(String::as_str).chain(queries));
    let meant = match near {
        Some(near) if commands.iter().any(|command| command == near) => {
            format!(" (did you mean 'energydb {near}'?)")
        }
        Some(near) => format!(" (did you mean 'energydb query {near}'?)"),
        None => String::new(),
    };
    Some(usage(format!("no command is called '{shown}'{meant}; --help lists the commands")))
}

/// What a word in the place of a query's name means.
fn of_query(word: &str, words: &[OsString], catalogue: &Catalogue) -> anyhow::Error {
    let unknown = match catalogue.get(word) {
        Err(unknown) => unknown,
        Ok(_) => return usage("name one query"),
    };
    if catalogue.broken.iter().any(|broken| broken.name == word) {
        return unknown;
    }
    if word == "-" {
        return usage("to read a statement from standard input, run: energydb query --sql -");
    }
    if is_statement(word) {
        return usage("to run a statement, use: energydb query --sql 'SELECT ...'");
    }
    let flag = catalogue.get("best").ok().and_then(|best| flag_of(word, words, best));
    match flag {
        Some(flag) => usage(format!(
            "'{}' is not a query; to ask about it, run: energydb query best {flag}",
            printable(word)
        )),
        None => unknown,
    }
}

/// What a word or flag means that a command does not take.
fn of_argument(word: &str, words: &[OsString], catalogue: &Catalogue) -> Option<String> {
    let shown = printable(word);
    if word.starts_with("--ttft") || word.starts_with("--time-to-first-token") {
        return Some(format!(
            "{shown}: the time to first token is not in the data; --deadline-ms limits the latency \
             between tokens (ITL)"
        ));
    }
    if word.starts_with('-') {
        return None;
    }
    let named = words.iter().filter_map(|word| word.to_str());
    let query = named
        .filter_map(|name| catalogue.queries.iter().find(|query| query.name == name))
        .next()?;
    Some(match flag_of(word, words, query) {
        Some(flag) => format!("'{shown}' needs a flag: {flag}"),
        None => {
            format!("'{shown}' has no flag; 'energydb query {} --help' lists the flags", query.name)
        }
    })
}

/// The flag of a query that takes the word, with the canonical value: a name from the database, a choice,
/// or a number with its unit.
fn flag_of(word: &str, words: &[OsString], query: &Query) -> Option<String> {
    let flag = |parameter: &Parameter, value: &str| {
        let value = if value.contains(' ') { format!("'{value}'") } else { value.to_owned() };
        format!("--{} {value}", parameter.flag())
    };
    let parameters = &query.head.parameters;
    if let Some((named, name)) = meaning(word, words) {
        let is_task = |kind: Named| kind.makes().is_some() && kind != Named::AnyTask;
        let takes = |parameter: &&Parameter| match parameter.kind {
            Kind::Named(kind) => kind == named || (named == Named::Task && is_task(kind)),
            _ => false,
        };
        return parameters.iter().find(takes).map(|parameter| flag(parameter, &name));
    }
    let takes = |parameter: &&Parameter| {
        let says_what = match parameter.kind {
            Kind::OneOf(_) => true,
            Kind::Real(_) | Kind::Integer(_) => {
                number::unit_of(&parameter.name).is_some() && number::has_unit(word)
            }
            _ => false,
        };
        says_what && parameter.read(word).is_ok()
    };
    parameters.iter().find(takes).map(|parameter| flag(parameter, word))
}

/// What a word names in the database that would be read, or `None` if that cannot be read.
fn meaning(word: &str, words: &[OsString]) -> Option<(Named, String)> {
    let database = value_of("--db", words)
        .or_else(|| std::env::var_os(DATABASE_VARIABLE).filter(|value| !value.is_empty()));
    let location = location(database.as_deref().map(Path::new)).ok()?;
    let connection = location.open(&Signals::none()).ok()?;
    names::meaning(&connection, word).ok()?
}

/// Whether a word is a statement of SQL.
fn is_statement(word: &str) -> bool {
    let mut words = word.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    ["select", "with", "values"].contains(&first.as_str()) && words.next().is_some()
}

/// The words after a word, with a blank before them.
fn behind(word: &str, words: &[OsString]) -> String {
    let rest = words.iter().skip_while(|known| *known != word).skip(1);
    rest.map(|word| {
        let word = printable(&word.to_string_lossy());
        if word.contains(' ') { format!(" '{word}'") } else { format!(" {word}") }
    })
    .collect()
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// Whether the word was in the place of a query's name.
fn is_of_query(error: &clap::Error) -> bool {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    usage.is_some_and(|usage| usage.contains("energydb query"))
}
