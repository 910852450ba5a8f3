//! Checks of where the content came from: its hash as it was built, and the documents themselves.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use rusqlite::Connection;

use super::{Subject, first_of};
use crate::database::content_hash;
use crate::hash::sha256;

/// The day that names the state of the data; empty where the database does not say.
pub fn data_version(connection: &Connection) -> String {
    connection
        .query_row("select data_version from release", [], |row| row.get(0))
        .unwrap_or_default()
}

pub fn content_hash(subject: &Subject<'_>) -> Result<String> {
    let others: i64 = subject.connection.query_row(
        "select count(*) from content_hash where content_hash_id is not 1",
        [],
        |row| row.get(0),
    )?;
    ensure!(others == 0, "content_hash has a row whose content_hash_id is not 1");
    let computed = content_hash::computed(subject.connection)?;
    match content_hash::recorded(subject.connection)? {
        None => bail!("none is recorded; computed: {computed}"),
        Some(recorded) if recorded != computed => {
            bail!("recorded: {}; computed: {computed}", recorded.escape_debug())
        }
        Some(_) => Ok(computed),
    }
}

pub fn documents(subject: &Subject<'_>) -> Result<String> {
    let mut recorded: BTreeMap<String, String> = subject
        .connection
        .prepare("select sha256, name from documents")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let number = recorded.len();
    let mut faults = Vec::new();
    for document in subject.inputs.unwrap_or_default() {
        let sha256 = sha256(document.open()?).with_context(|| document.cannot_read())?;
        if recorded.remove(&sha256).is_none() {
            faults.push(format!(
                "{} ({sha256}) is not a document that this database was built from",
                document.shown
            ));
        }
    }
    for (sha256, name) in recorded {
        faults.push(format!("{} ({sha256}) is not among the inputs", name.escape_debug()));
    }
    ensure!(faults.is_empty(), "{}", first_of(&faults));
    Ok(format!("{number} documents, each with the recorded sha256"))
}
