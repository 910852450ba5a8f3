//! Checks a database from any origin: whether it is complete, whether energydb built it, and whether its rows
//! pass the checks that they passed before they were stored.
//!
//! Nothing in the file is trusted. Everything is read through one read-only connection. The schema is
//! compared first. Added or altered objects never run, and a check that would run them fails. A check that
//! SQLite cannot run also fails.

mod file;
mod lengths;
mod names;
mod origin;
mod rows;

use anyhow::{Result, ensure};
use rusqlite::Connection;

use crate::database::known::{self, Differences};
use crate::database::schema::{self, SCHEMA_VERSION};
use crate::embedded;
use crate::input::document::Document;
use crate::measurement::check::Check;
use crate::progress::enter;
use crate::signal::Signals;

/// What a check came to.
pub struct Checked {
    /// Name of the check.
    pub check: &'static str,
    /// What was found, or why the check failed.
    pub outcome: Result<String>,
}

/// A database and what it is compared with.
struct Subject<'s> {
    connection: &'s Connection,
    /// An empty database of the schema that this program makes.
    fresh: Connection,
    /// How its schema differs from that.
    differences: Differences,
    /// Files that are said to be its documents.
    inputs: Option<&'s [Document]>,
}

type CheckOne = fn(&Subject<'_>) -> Result<String>;

/// What a check reads. This part of the schema must be energydb's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// The header, and the text of the schema.
    Header,
    /// Tables of energydb.
    Tables,
    /// All that there is.
    Everything,
}

const OF_THE_FILE: &[(&str, Reads, CheckOne)] = &[
    ("sqlite", Reads::Everything, file::sqlite),
    ("file-form", Reads::Header, file::form),
    ("foreign-keys", Reads::Everything, file::foreign_keys),
    ("schema-version", Reads::Header, file::schema_version),
    ("schema", Reads::Header, file::schema),
    ("history", Reads::Tables, file::history),
    ("views", Reads::Everything, file::views),
    ("dictionary", Reads::Tables, file::dictionary),
];

const OF_THE_CONTENT: &[(Check, CheckOne)] = &[
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
    let differences = known::differences(connection, SCHEMA_VERSION)?;
    let day = if differences.tables_are_known() {
        origin::data_version(connection)
    } else {
        String::new()
    };
    let mut fresh = Connection::open_in_memory()?;
    schema::create(&mut fresh, embedded::VIEWS, &day)?;
    let subject = Subject { connection, fresh, differences, inputs };
    let mut checked = Vec::new();
    let mut add = |check, outcome| {
        checked.push(Checked { check, outcome });
        signals.check()
    };
    let run = |reads, check: CheckOne| subject.may(reads).and_then(|()| check(&subject));
    for &(name, reads, check) in OF_THE_FILE {
        enter(&format!("checking {name}"));
        add(name, run(reads, check))?;
    }
    for &(check, of_content) in OF_THE_CONTENT {
        enter(&format!("checking {}", check.name()));
        add(check.name(), run(Reads::Tables, of_content))?;
    }
    if subject.may(Reads::Tables).is_ok() {
        enter("checking figures");
        for (check, outcome) in rows::figures(&subject) {
            add(check.name(), outcome)?;
        }
    } else {
        for check in rows::of_figures() {
            add(check.name(), subject.may(Reads::Tables).map(|()| String::new()))?;
        }
    }
    enter("checking content-hash");
    add("content-hash", run(Reads::Everything, origin::content_hash))?;
    if subject.inputs.is_some() {
        add("documents", run(Reads::Tables, origin::documents))?;
    }
    Ok(checked)
}

impl Subject<'_> {
    /// Refuses to read what runs a text that energydb did not write.
    fn may(&self, reads: Reads) -> Result<()> {
        let is_known = match reads {
            Reads::Header => true,
            Reads::Tables => self.differences.tables_are_known(),
            Reads::Everything => !self.differences.is_foreign(),
        };
        ensure!(is_known, "not read, because the schema is not energydb's");
        Ok(())
    }
}

/// The first of several faults, and how many more there are.
fn first_of(faults: &[String]) -> String {
    match faults {
        [] => String::new(),
        [one] => one.clone(),
        [first, more @ ..] => format!("{first}; and {} more", more.len()),
    }
}
