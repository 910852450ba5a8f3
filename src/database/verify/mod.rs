//! Checking a database that comes from anywhere: is it whole, is it what energydb makes, and do its
//! rows keep what was checked before they were stored?
//!
//! Nothing of the file is trusted. A check that SQLite cannot carry out fails, and so does none
//! other. Everything is read through one connection, which can do nothing but read.

mod file;
mod lengths;
mod names;
mod origin;
mod rows;

use anyhow::Result;
use rusqlite::Connection;

use crate::database::schema;
use crate::embedded;
use crate::input::document::Document;
use crate::measurement::check::Check;
use crate::signal::Signals;

/// What a check came to.
pub struct Checked {
    /// Name of the check.
    pub check: &'static str,
    /// What was found to hold, or why it does not.
    pub outcome: Result<String>,
}

/// A database and what it is compared with.
struct Subject<'s> {
    connection: &'s Connection,
    /// An empty database of the schema that this program makes.
    fresh: Connection,
    /// Files that are said to be its documents.
    inputs: Option<&'s [Document]>,
}

type CheckOne = fn(&Subject<'_>) -> Result<String>;

const OF_THE_FILE: [(&str, CheckOne); 8] = [
    ("sqlite", file::sqlite),
    ("file-form", file::form),
    ("foreign-keys", file::foreign_keys),
    ("schema-version", file::schema_version),
    ("schema", file::schema),
    ("history", file::history),
    ("views", file::views),
    ("dictionary", file::dictionary),
];

const OF_THE_CONTENT: [(Check, CheckOne); 6] = [
    (Check::Rows, rows::rows),
    (Check::OutputLengths, lengths::histograms),
    (Check::SameConfiguration, rows::repeats),
    (Check::NameForm, names::form),
    (Check::NameSpelling, names::spelling),
    (Check::ModelSlug, names::slugs),
];

/// Runs every check.
///
/// # Errors
/// When a signal asks to end, or this program's own schema cannot be made. What is wrong with the
/// database is among the outcomes.
pub fn all(
    connection: &Connection,
    inputs: Option<&[Document]>,
    signals: &Signals,
) -> Result<Vec<Checked>> {
    let mut fresh = Connection::open_in_memory()?;
    schema::create(&mut fresh, embedded::VIEWS, &origin::data_version(connection))?;
    let subject = Subject { connection, fresh, inputs };
    let mut checked = Vec::new();
    let mut add = |check, outcome| {
        checked.push(Checked { check, outcome });
        signals.check()
    };
    for (name, check) in OF_THE_FILE {
        add(name, check(&subject))?;
    }
    for (check, run) in OF_THE_CONTENT {
        add(check.name(), run(&subject))?;
    }
    for (check, outcome) in rows::figures(&subject) {
        add(check.name(), outcome)?;
    }
    add("content-hash", origin::content_hash(&subject))?;
    if subject.inputs.is_some() {
        add("documents", origin::documents(&subject))?;
    }
    Ok(checked)
}

/// The first of several faults, and how many more there are.
fn first_of(faults: &[String]) -> String {
    match faults {
        [] => String::new(),
        [one] => one.clone(),
        [first, more @ ..] => format!("{first}; and {} more", more.len()),
    }
}
