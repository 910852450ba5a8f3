//! `energydb completions`: a script that lets a shell complete commands, queries, flags and values.
//!
//! On every completion the shell runs the program with an environment variable. So the models, GPUs and
//! tasks are those of the database that the command line would read.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Arg, Command};
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete::{ArgValueCompleter, CompletionCandidate};

use super::{DONE, line, location};
use crate::catalogue::parameter::{Kind, Named};
use crate::catalogue::{Catalogue, names};
use crate::cli::{Completions, DATABASE_VARIABLE};
use crate::database::dictionary;
use crate::measurement::check::Check;
use crate::output::terminal;
use crate::signal::Signals;

/// The variable by which a shell asks.
const VARIABLE: &str = "_ENERGYDB_COMPLETE";
/// How long a person waits for a completion.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn run(arguments: &Completions, command: &Command) -> Result<u8> {
    let name = command.get_name();
    let shell = arguments.shell.to_string();
    let mut script = Vec::new();
    Shells::builtins()
        .completer(&shell)
        .with_context(|| format!("no completion is known for {shell}"))?
        .write_registration(VARIABLE, name, name, name, &mut script)?;
    let mut out = terminal::results();
    out.write_all(&script)?;
    out.flush()?;
    Ok(DONE)
}

/// Answers a shell that asks, and returns whether one did.
///
/// # Errors
/// When the answer cannot be written.
pub(super) fn answered(words: &[OsString]) -> Result<bool> {
    if std::env::var_os(VARIABLE).is_none_or(|shell| shell.is_empty()) {
        return Ok(false);
    }
    // The command line to complete follows the first --.
    let line: Vec<OsString> =
        words.iter().skip_while(|word| *word != "--").skip(1).cloned().collect();
    let mut catalogue = Catalogue::built_in();
    if let Some(folder) = line::value_of("--queries", &line) {
        // A completion cannot show an error.
        let _ = catalogue.add_folder(Path::new(&folder));
    }
    let command = with_values(line::command_line(&catalogue, |_| true), &catalogue, &line);
    let answer = CompleteEnv::with_factory(|| command.clone()).var(VARIABLE);
    Ok(answer.try_complete(words.iter().cloned(), std::env::current_dir().ok().as_deref())?)
}

/// The command line whose arguments know their values.
fn with_values(command: Command, catalogue: &Catalogue, line: &[OsString]) -> Command {
    let checks = || Check::ALL.iter().filter(|check| check.acceptable()).map(|check| check.name());
    let checks: Vec<String> = checks().map(Into::into).collect();
    let accept = |argument: Arg| argument.add(of_list(checks.clone()));
    let of_line = |named| of_database(named, line);
    let model_and_task = |command: Command| {
        command
            .mut_arg("model", |argument| argument.add(of_line(Named::Model)))
            .mut_arg("task", |argument| argument.add(of_line(Named::Task)))
    };
    let queries: Vec<String> = catalogue.queries.iter().map(|query| query.name.clone()).collect();
    command
        .mut_subcommand("build", |build| build.mut_arg("accept", accept))
        .mut_subcommand("diff", |diff| diff.mut_arg("accept", accept))
        .mut_subcommand("package", |package| package.mut_arg("accept", accept))
        .mut_subcommand("export", model_and_task)
        .mut_subcommand("man", |man| man.mut_arg("command", |word| word.add(of_list(queries))))
        .mut_subcommand("schema", |schema| schema.mut_arg("name", |name| name.add(of_schema(line))))
        .mut_subcommand("query", |mut command| {
            for query in &catalogue.queries {
                for parameter in &query.head.parameters {
                    let completer = match &parameter.kind {
                        Kind::Named(named) => of_line(*named),
                        Kind::OneOf(choices) => of_list(choices.clone()),
                        _ => continue,
                    };
                    command = command.mut_subcommand(&query.name, |query| {
                        query.mut_arg(&parameter.name, |argument| argument.add(completer))
                    });
                }
            }
            command
        })
}

/// Completes one of these words.
fn of_list(words: Vec<String>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |begun: &OsStr| candidates(&words, begun))
}

/// Completes names of a type from the database that the line would read.
fn of_database(named: Named, line: &[OsString]) -> ArgValueCompleter {
    let database = line::value_of("--db", line);
    ArgValueCompleter::new(move |begun: &OsStr| {
        let known = open(database.as_deref()).and_then(|opened| names::every(&opened, named));
        candidates(&known.unwrap_or_default(), begun)
    })
}

/// Completes a table or view.
fn of_schema(line: &[OsString]) -> ArgValueCompleter {
    let database = line::value_of("--db", line);
    ArgValueCompleter::new(move |begun: &OsStr| {
        let objects = open(database.as_deref()).and_then(|opened| dictionary::read(&opened));
        let objects = objects.unwrap_or_default().into_iter();
        candidates(&objects.map(|object| object.name).collect::<Vec<_>>(), begun)
    })
}

fn open(named: Option<&OsStr>) -> Result<rusqlite::Connection> {
    let of_variable = std::env::var_os(DATABASE_VARIABLE).filter(|value| !value.is_empty());
    let named = named.map(OsStr::to_owned).or(of_variable);
    location(named.as_deref().map(Path::new))?.open(&Signals::clock(Some(PATIENCE)))
}

fn candidates(words: &[String], begun: &OsStr) -> Vec<CompletionCandidate> {
    let begun = begun.to_string_lossy().to_lowercase();
    let fits = words.iter().filter(|word| word.to_lowercase().starts_with(&begun));
    fits.map(CompletionCandidate::new).collect()
}
