//! The empty database that every build begins with. The build script makes it, because running the
//! migrations takes longer than loading the built-in data.

use std::io::Read as _;

use anyhow::{Context, Result};
use flate2::read::DeflateDecoder;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, MAIN_DB};

use crate::database::schema::HISTORY;
use crate::embedded::TEMPLATE;

/// Makes the tables and views of the newest schema in an empty database, without the indexes.
///
/// # Errors
/// When SQLite refuses, as on a full disk.
pub fn copy_into(connection: &mut Connection) -> Result<()> {
    let template = opened()?;
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

fn opened() -> Result<Connection> {
    let mut template = Connection::open_in_memory()?;
    let (packed, mut bytes): (&[u8], _) = (&TEMPLATE, Vec::new());
    DeflateDecoder::new(packed).read_to_end(&mut bytes).context("could not unpack the tables")?;
    template.deserialize_read_exact(MAIN_DB, &bytes[..], bytes.len(), true)?;
    Ok(template)
}
