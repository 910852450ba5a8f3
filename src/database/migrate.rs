//! Upgrades a database of an older schema to the newest. A copy is migrated and checked, and then replaces
//! the file, so the file is never half migrated.
//!
//! A migration runs SQL from the file itself, such as triggers, and refinery trusts the history that it
//! finds. So the tables, indexes and history must first be equal to those that energydb makes for that
//! version.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};

use super::destination::Destination;
use super::{content_hash, open, verify};
use crate::database::schema::{self, HISTORY, SCHEMA_VERSION, quoted};
use crate::embedded;
use crate::error::one_line;
use crate::replace::Sealed;
use crate::signal::Signals;

/// The result of a migration.
pub struct Migrated {
    /// The schema version that it had.
    pub from: i32,
    /// The schema version that it has.
    pub to: i32,
    /// What was done, or `None` if it already had the newest schema.
    pub done: Option<Done>,
}

/// The new file of a migration.
pub struct Done {
    /// The new file.
    pub sealed: Sealed,
    /// Its content hash.
    pub content_hash: String,
    /// Columns that are null in every row, since the older version did not record them.
    pub unknown: Vec<String>,
}

/// Brings a file to the newest schema.
///
/// # Errors
/// When it is not an energydb database that this program can migrate, or the disk refuses; it then
/// stays as it was.
pub fn migrate(path: &Path, signals: &Signals) -> Result<Migrated> {
    let from = open::version_to_migrate(path)?;
    let to = SCHEMA_VERSION;
    if from == to {
        return Ok(Migrated { from, to, done: None });
    }
    let shown = path.display();
    let destination = Destination::prepare(path)?;
    let held = destination.copy_old()?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(destination.beside(), flags)?;
    signals.interrupt(&mut connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    open::limit_memory(&connection)?;
    // The copy is private until it is complete.
    connection.pragma_update(None, "journal_mode", "off")?;
    connection.pragma_update(None, "synchronous", "off")?;
    connection.pragma_update(None, "locking_mode", "exclusive")?;

    let day = check_before(&connection, from).with_context(|| {
        format!("{shown} was changed after energydb built it, so it is not migrated")
    })?;
    let unknown = run(&mut connection, &day)?;
    let content_hash = content_hash::computed(&connection)?;
    content_hash::record(&connection, &content_hash)?;
    for checked in verify::all(&connection, None, signals)? {
        if let Err(error) = checked.outcome {
            let (check, error) = (checked.check, one_line(&error));
            bail!("{shown} was not migrated: the check {check} failed on its copy: {error}");
        }
    }
    connection.close().map_err(|(_, error)| error)?;
    signals.check()?;
    let sealed = destination.seal()?;
    destination.replace(held)?;
    Ok(Migrated { from, to, done: Some(Done { sealed, content_hash, unknown }) })
}

/// Refuses a file whose tables, indexes, pages or history are not what this version had. Returns
/// the day that names the state of its data.
fn check_before(connection: &Connection, version: i32) -> Result<String> {
    let mut fresh = Connection::open_in_memory()?;
    schema::create_tables(&mut fresh, version)?;
    // Views are not compared: they are dropped before anything runs, and made again.
    let found = tables_and_indexes(connection)?;
    let expected = tables_and_indexes(&fresh)?;
    ensure!(found == expected, "its tables and indexes are not those of schema version {version}");
    // This runs the file's own CHECK constraints, so their text was compared before.
    let damage: String = connection.query_row("pragma integrity_check(1)", [], |row| row.get(0))?;
    ensure!(damage == "ok", "SQLite finds damage: {damage}");
    let history = format!("select version, name, checksum from {HISTORY} order by version");
    let rows = |connection: &Connection| -> rusqlite::Result<Vec<[Value; 3]>> {
        let mut statement = connection.prepare(&history)?;
        let rows = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))?;
        rows.collect()
    };
    ensure!(rows(connection)? == rows(&fresh)?, "its history of migrations is not energydb's");
    let day: String = connection
        .query_row("select data_version from release", [], |row| row.get(0))
        .context("it has no release")?;
    crate::date::check_date(&day)?;
    Ok(day)
}

fn tables_and_indexes(connection: &Connection) -> rusqlite::Result<schema::Objects> {
    let mut objects = schema::objects(connection)?;
    objects.retain(|(kind, _), _| kind != "view");
    Ok(objects)
}

/// Migrates the tables and makes the views and everything else again. Returns the new columns of tables
/// that have rows.
fn run(connection: &mut Connection, day: &str) -> Result<Vec<String>> {
    let before = columns(connection)?;
    let views: Vec<_> = schema::objects(connection)?.into_keys().collect();
    for (_, name) in views.iter().filter(|(kind, _)| kind == "view") {
        connection.execute_batch(&format!("drop view {}", quoted(name)))?;
    }
    // A migration that rebuilds a table would delete the rows that refer to it. The pragma does
    // nothing inside a transaction.
    connection.pragma_update(None, "foreign_keys", false)?;
    // refinery parses the dates in the history, which were not compared, so they are written again.
    schema::date_history(connection, day)?;
    schema::create(connection, embedded::VIEWS, day)?;
    let mut unknown = Vec::new();
    for (table, column) in columns(connection)? {
        if before.contains(&(table.clone(), column.clone()))
            || !before.iter().any(|(known, _)| *known == table)
        {
            continue;
        }
        let (rows, known): (i64, i64) = connection.query_row(
            &format!("select count(*), count({}) from {}", quoted(&column), quoted(&table)),
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        if rows > 0 && known == 0 {
            unknown.push(format!("{table}.{column}"));
        }
    }
    Ok(unknown)
}

/// Every column of every table.
fn columns(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    connection
        .prepare(
            "select tables.name, columns.name \
             from sqlite_schema as tables join pragma_table_info(tables.name) as columns \
             where tables.type = 'table' order by tables.name, columns.cid",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}
