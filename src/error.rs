//! Errors that end a command, and their exit status.

use std::fmt;
use std::io;

use crate::text::printable;

/// Exit status when the data, the database or the machine refused, or a check failed.
pub const REFUSED: u8 = 1;
/// Exit status when the command line was wrong.
pub const USAGE: u8 = 2;

/// Exit status when two releases differ and that was asked for.
pub const DIFFERENT: u8 = 3;

/// The message of an error after `--timeout`.
pub const TIME_IS_OVER: &str = "stopped after the time given with --timeout";

/// The command line was wrong: an unknown name, or a value of the wrong type.
#[derive(Debug)]
pub struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// An error that says the command line was wrong.
pub fn usage(message: impl Into<String>) -> anyhow::Error {
    UsageError(message.into()).into()
}

/// What a program without the feature `parquet` says where it is needed.
pub const WITHOUT_PARQUET: &str = "this energydb was built without Parquet; use the program of a release, or install one with \
     'cargo install --path . --features parquet'";

/// The command was ended from outside by this signal.
#[derive(Debug)]
pub struct Interrupted(pub u8);

impl fmt::Display for Interrupted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// The time of `--timeout` is over.
#[derive(Debug)]
pub struct TimeIsOver;

impl fmt::Display for TimeIsOver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(TIME_IS_OVER)
    }
}

impl std::error::Error for TimeIsOver {}

/// The exit status for an error.
pub fn exit_status(error: &anyhow::Error) -> u8 {
    if error.downcast_ref::<UsageError>().is_some() {
        USAGE
    } else if let Some(Interrupted(signal)) = error.downcast_ref() {
        128 + signal
    } else {
        REFUSED
    }
}

/// Whether the reader of our output went away, which ends a command quietly.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let of_json = || cause.downcast_ref::<serde_json::Error>()?.io_error_kind();
        cause.downcast_ref::<io::Error>().map(io::Error::kind).or_else(of_json)
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}

/// Ignores the error of a closed pipe, for commands whose exit status gives the result.
///
/// # Errors
/// When the outcome is any other error.
pub fn unless_closed_pipe(outcome: anyhow::Result<()>) -> anyhow::Result<()> {
    outcome.or_else(|error| if is_closed_pipe(&error) { Ok(()) } else { Err(error) })
}

/// The whole chain of causes on one line. A cause that an outer one already states is left out.
pub fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        // The number of SQLite's error: its message says more.
        if cause.is::<rusqlite::ffi::Error>() && !line.is_empty() {
            continue;
        }
        let text = told(cause).lines().map(str::trim).collect::<Vec<_>>().join(" ");
        let text = printable(text.trim());
        if line.is_empty() {
            line = text;
        } else if !line.contains(&text) {
            line = format!("{line}: {text}");
        }
    }
    line
}

/// The message of a cause. Messages of libraries are replaced by words for the user.
fn told(cause: &(dyn std::error::Error + 'static)) -> String {
    use rusqlite::Error::{InvalidColumnType, QueryReturnedNoRows, Utf8Error};
    use rusqlite::ErrorCode::{DatabaseCorrupt, OperationInterrupted, OutOfMemory};
    const CHECK: &str = "'energydb check' reports what is wrong";
    match cause.downcast_ref() {
        Some(QueryReturnedNoRows) => {
            format!("the database lacks a row that every energydb database has; {CHECK}")
        }
        Some(InvalidColumnType(_, name, found)) => {
            format!("the database contains a {found} where {name} is expected; {CHECK}")
        }
        Some(Utf8Error(..)) => format!("the database contains text that is not UTF-8; {CHECK}"),
        // A signal ends SQLite's work too, and is reported instead.
        Some(error) if error.sqlite_error_code() == Some(OperationInterrupted) => {
            TIME_IS_OVER.into()
        }
        Some(error) if error.sqlite_error_code() == Some(OutOfMemory) => {
            "it needs more memory than energydb allows".into()
        }
        Some(error) if error.sqlite_error_code() == Some(DatabaseCorrupt) => {
            "the file is damaged or incomplete".into()
        }
        _ => cause.to_string(),
    }
}

/// The known name nearest to an unknown one, if any is near enough to be meant.
pub fn nearest<'n>(unknown: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let unknown = unknown.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&unknown, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness >= 0.7)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, name)| name)
}

/// ` (did you mean 'NAME'?)` or nothing.
pub fn did_you_mean<'n>(unknown: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    nearest(unknown, known).map(|name| format!(" (did you mean '{name}'?)")).unwrap_or_default()
}
