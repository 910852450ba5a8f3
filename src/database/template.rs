//! The empty database that every build begins from. The build script makes it: running the
//! migrations takes longer than loading the built-in data.

use anyhow::{Context, Result};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, MAIN_DB};

use crate::database::schema::HISTORY;
use crate::embedded::TEMPLATE;

/// Makes the tables and views of the newest schema in an empty database, without the indexes.
/// `day` stamps the history of migrations.
///
/// # Errors
/// When SQLite refuses, as on a full disk.
pub fn copy_into(connection: &mut Connection, day: &str) -> Result<()> {
    let mut template = Connection::open_in_memory()?;
    template.deserialize_bytes(MAIN_DB, &TEMPLATE)?;
    let copied = Backup::new(&template, connection)?.step(-1)?;
    anyhow::ensure!(matches!(copied, StepResult::Done), "could not make the tables: database busy");
    connection
        .execute(&format!("update {HISTORY} set applied_on = ?1 || 'T00:00:00Z'"), [day])
        .context("could not date the history of migrations")?;
    Ok(())
}
