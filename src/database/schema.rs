//! The schema: migrations for tables and indexes, then every view anew, then the versions that
//! the file's header carries.
//!
//! Only this module runs migrations, because refinery trusts the history that it finds. They run only on a
//! new file, or on a file whose tables and history are equal to energydb's own. The build script also runs
//! them, to make the template that every build begins with.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use refinery::Target;
use rusqlite::Connection;

use super::dictionary;

/// Marks a SQLite file as an energydb database: "ENDB" in ASCII.
pub const APPLICATION_ID: i32 = 0x454E_4442;

/// Version of the schema: raised with any change of a table, an index or a view.
pub const SCHEMA_VERSION: i32 = 5;

/// The table in which refinery keeps the history of migrations.
pub const HISTORY: &str = "refinery_schema_history";

/// Small enough for the smallest database, large enough that inserting in bulk is fast.
const PAGE_BYTES: u32 = 8192;

/// When the year 10000 begins, in seconds since 1970.
const YEAR_10000_SECONDS: u64 = 253_402_300_800;

mod migrations {
    refinery::embed_migrations!("migrations");
}

/// Makes the newest schema in an empty database, or in one of an older version without its views.
/// `views` has the name and the text of each view. `day` is the date in the history of migrations. With the
/// time of the build in it, no two files would be the same.
///
/// # Errors
/// When SQLite refuses, as on a full disk.
pub fn create(connection: &mut Connection, views: &[(&str, &str)], day: &str) -> Result<()> {
    create_tables(connection, SCHEMA_VERSION)?;
    date_history(connection, day).context("could not date the history of migrations")?;
    for (name, sql) in views {
        connection.execute_batch(sql).with_context(|| format!("could not make the view {name}"))?;
    }
    dictionary::fill(connection).context("could not write the dictionary")?;
    connection.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    Ok(())
}

/// Makes the tables and indexes of a schema version.
///
/// # Errors
/// When SQLite refuses.
pub fn create_tables(connection: &mut Connection, version: i32) -> Result<()> {
    refuse_clock(SystemTime::now())?;
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    // A version that only changed views has no migration of its own.
    migrations::migrations::runner()
        .set_grouped(true)
        .set_target(Target::Version(version))
        .run(connection)
        .context("could not make the tables")?;
    Ok(())
}

/// Refuses a clock whose year has more than four digits, because refinery panics on it.
fn refuse_clock(now: SystemTime) -> Result<()> {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    ensure!(
        since.as_secs() < YEAR_10000_SECONDS,
        "the clock of this machine is after the year 9999; set it"
    );
    Ok(())
}

/// Tables, indexes, views and triggers: the text of each by kind and name.
pub type Objects = BTreeMap<(String, String), Option<String>>;

/// Everything that a schema contains.
///
/// # Errors
/// When it cannot be read.
pub fn objects(connection: &Connection) -> rusqlite::Result<Objects> {
    connection
        .prepare("select type, name, sql from sqlite_schema")?
        .query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?
        .collect()
}

/// Writes the history of migrations again, with one day for all rows. The table is made again from its own
/// text, because an updated row leaves traces of the old one in its page.
///
/// # Errors
/// When SQLite refuses.
pub fn date_history(connection: &Connection, day: &str) -> rusqlite::Result<()> {
    connection.pragma_update(None, "secure_delete", true)?;
    let text: String = connection.query_row(
        "select sql from sqlite_schema where name = 'refinery_schema_history'",
        [],
        |row| row.get(0),
    )?;
    connection
        .execute_batch("create temp table history as select * from refinery_schema_history")?;
    connection.execute_batch("drop table refinery_schema_history")?;
    connection.execute_batch(&text)?;
    connection.execute(
        "insert into refinery_schema_history (version, name, applied_on, checksum) \
         select version, name, ?1 || 'T00:00:00Z', checksum from history order by version",
        [day],
    )?;
    connection.execute_batch("drop table temp.history")?;
    connection.pragma_update(None, "secure_delete", false)
}

/// A name, quoted for SQL.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_past_the_year_9999_is_refused() {
        let last = UNIX_EPOCH + Duration::from_secs(YEAR_10000_SECONDS - 1);
        assert!(refuse_clock(last).is_ok());
        assert!(refuse_clock(last + Duration::from_secs(1)).is_err());
        assert!(refuse_clock(UNIX_EPOCH - Duration::from_secs(1)).is_ok());
    }
}
