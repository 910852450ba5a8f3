//! The empty database that every build begins with. The build script makes it, because running the
//! migrations takes longer than loading the built-in data.

use anyhow::{Context, Result};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, MAIN_DB};

use crate::database::schema::HISTORY;
use crate::embedded::TEMPLATE;

/// Makes the tables and views of the newest schema in an empty database, without the indexes.
///
/// # Errors
/// When SQLite refuses, as on a full disk.
pub fn copy_into(connection: &mut Connection) -> Result<()> {
    let mut template = Connection::open_in_memory()?;
    template.deserialize_bytes(MAIN_DB, &TEMPLATE)?;
    let copied = Backup::new(&template, connection)?.step(-1)?;
    anyhow::ensure!(matches!(copied, StepResult::Done), "could not make the tables: database busy");
    Ok(())
}

/// Writes a day into the history of migrations, so that the file does not depend on the time of the build.
///
/// # Errors
/// When SQLite refuses.
pub fn stamp(connection: &Connection, day: &str) -> Result<()> {
    connection
        .execute(&format!("update {HISTORY} set applied_on = ?1 || 'T00:00:00Z'"), [day])
        .context("could not date the history of migrations")?;
    Ok(())
}
