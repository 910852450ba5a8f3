//! Every difference, grouped by column. There may be millions, so SQLite sorts them, if necessary on disk.

use anyhow::{Context, Result};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::{Change, Kind, Take};

/// All differences, gathered.
pub struct Details {
    connection: Connection,
}

impl Details {
    /// The columns of the rows.
    pub const COLUMNS: [&'static str; 8] =
        ["change", "table_name", "column_name", "task", "item", "relative_change", "old", "new"];

    /// No differences yet.
    ///
    /// # Errors
    /// When there is no room for them.
    pub fn new() -> Result<Self> {
        let connection = Connection::open("").context("could not make a temporary database")?;
        connection.execute_batch(
            "pragma journal_mode = off; pragma synchronous = off;
            create table tables (table_id integer primary key, name text unique);
            create table changes (
                is_of_schema, table_id, kind, position, change, table_name, column_name, task,
                item, relative_change, old, new
            );
            begin",
        )?;
        Ok(Self { connection })
    }

    /// Hands on every difference: the tables in the order in which they were compared, each column
    /// for itself.
    ///
    /// # Errors
    /// When one is not taken.
    pub fn rows(&self, mut take: impl FnMut(&[ValueRef<'_>]) -> Result<()>) -> Result<()> {
        let mut statement = self.connection.prepare(&format!(
            "select {} from changes \
             order by is_of_schema, table_id, kind, position, column_name, task, rowid",
            Self::COLUMNS.join(", ")
        ))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let cells = (0..Self::COLUMNS.len()).map(|index| row.get_ref(index));
            take(&cells.collect::<rusqlite::Result<Vec<_>>>()?)?;
        }
        Ok(())
    }

    /// How many differences there are.
    ///
    /// # Errors
    /// When they cannot be counted.
    pub fn count(&self) -> Result<u64> {
        let count: i64 =
            self.connection.query_row("select count(*) from changes", [], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }
}

impl Take for Details {
    fn row(&mut self, _: &str, _: Option<&str>, _: [bool; 2]) {}

    fn change(&mut self, change: Change) -> Result<()> {
        let relative = change.relative();
        let Change { kind, table, position, column, task, item, old, new } = change;
        self.connection
            .prepare_cached("insert or ignore into tables (name) values (?1)")?
            .execute([&table])?;
        let mut insert = self.connection.prepare_cached(
            "insert into changes select ?1, table_id, ?2, ?3, ?4, name, ?5, ?6, ?7, ?8, ?9, ?10 \
             from tables where name = ?11",
        )?;
        insert.execute(params![
            matches!(kind, Kind::OnlyInOld | Kind::OnlyInNew),
            kind as i64,
            position as i64,
            kind.name(),
            column,
            task,
            item,
            relative,
            old,
            new,
            table
        ])?;
        Ok(())
    }
}
