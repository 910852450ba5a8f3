//! The complete command line: the commands, a subcommand for every named query, and for each command only
//! the shared flags that it uses.

use std::ffi::OsString;

use anyhow::Result;
use clap::builder::Resettable;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory};

use crate::catalogue::{Catalogue, flags};
use crate::cli::{Cli, DATABASE_VARIABLE};
use crate::database::schema::SCHEMA_VERSION;
use crate::embedded::DATA_VERSION;
use crate::error::usage;
use crate::text::paragraphs;

/// The flags that may be anywhere.
const SHARED: [&str; 5] = ["db", "format", "wide", "quiet", "timeout"];

/// Why a command does not take a shared flag, or `None` if it does.
fn refusal(command: &str, flag: &str) -> Option<String> {
    let reason = match (command, flag) {
        ("build", "db") => "does not take --db; -o names the database to write",
        ("diff", "db") => "does not take --db; OLD and NEW name the databases to compare",
        ("migrate", "db") => "does not take --db; FILE names the database to change",
        ("checks" | "completions" | "man", "db") => "reads no database, so it does not take --db",
        (
            "build" | "completions" | "export" | "info" | "man" | "migrate" | "package" | "page",
            "format",
        ) => "prints no rows, so it does not take --format",
        ("build" | "checks" | "completions" | "man" | "migrate", "timeout") => {
            "does not take --timeout"
        }
        ("build" | "completions" | "export" | "info" | "man" | "migrate" | "package", "wide") => {
            "prints no table, so it does not take --wide"
        }
        ("checks" | "completions" | "man", "quiet") => {
            "prints no notes, so it does not take --quiet"
        }
        _ => return None,
    };
    Some(format!("{command} {reason}"))
}

/// The command line of the names wanted: named queries under `query`, and the whole help of the commands.
/// To make all of it takes longer than many a query.
pub(super) fn command_line(catalogue: &Catalogue, is_wanted: impl Fn(&str) -> bool) -> Command {
    let version = format!(
        "{} (schema {SCHEMA_VERSION}, built-in release {DATA_VERSION})",
        env!("CARGO_PKG_VERSION")
    );
    let mut command = Cli::command().version(version);
    if is_wanted("query") {
        command = command.mut_subcommand("query", |query| flags::add(query, catalogue, &is_wanted));
    }
    // An empty variable names no database, as usual in a shell.
    if std::env::var_os(DATABASE_VARIABLE).is_some_and(|value| value.is_empty()) {
        command = command.mut_arg("db", |db| db.env(Resettable::Reset));
    }
    // If a command does not use a shared flag, its help does not list the flag.
    let hidden: Vec<_> =
        command.get_arguments().cloned().map(|argument| argument.hide(true)).collect();
    command.mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        if !is_wanted(&name) {
            return subcommand;
        }
        let subcommand = match subcommand.get_after_help().map(ToString::to_string) {
            Some(text) => subcommand.after_help(paragraphs(&text)),
            None => subcommand,
        };
        let unused =
            hidden.iter().filter(|shared| refusal(&name, shared.get_id().as_str()).is_some());
        subcommand.args(unused)
    })
}

/// The words with `query` before a query's name where the page or help of it is asked for:
/// `help best` and `man best`.
pub(super) fn with_query(mut words: Vec<OsString>, catalogue: &Catalogue) -> Vec<OsString> {
    let explains = words.get(1).is_some_and(|word| word == "help" || word == "man");
    let is_query = |word: &OsString| catalogue.queries.iter().any(|query| *word == *query.name);
    if explains && words.get(2).is_some_and(is_query) {
        words.insert(2, "query".into());
    }
    words
}

/// The value of a flag that must be known before the line can be read.
pub(super) fn value_of(flag: &str, words: &[OsString]) -> Option<OsString> {
    let mut words = words.iter().skip(1).take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        if word == flag {
            return words.next().cloned();
        }
        let behind = |word: &OsString| {
            let value = word.to_str()?.strip_prefix(flag)?.strip_prefix('=')?;
            Some(OsString::from(value))
        };
        if let Some(value) = behind(word) {
            return Some(value);
        }
    }
    None
}

/// Refuses shared flags that the command does not use.
///
/// # Errors
/// When one is on the command line.
pub(super) fn refuse_unused(matches: &ArgMatches) -> Result<()> {
    let Some((command, own)) = matches.subcommand() else { return Ok(()) };
    let is_given = |flag: &str| matches.value_source(flag) == Some(ValueSource::CommandLine);
    let mut given = SHARED.into_iter().filter(|flag| is_given(flag));
    if let Some(refusal) = given.find_map(|flag| refusal(command, flag)) {
        return Err(usage(refusal));
    }
    if command == "check" && is_given("db") && own.contains_id("file") {
        return Err(usage("check takes either FILE or --db, not both"));
    }
    Ok(())
}
