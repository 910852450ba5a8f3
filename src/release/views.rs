//! The views of a database as CSV, one file each, as RFC 4180 has it.
//!
//! No text in them is one that a spreadsheet would run as a formula: every name begins with a letter
//! or a digit, which a check of the data sees to.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::database::schema::quoted;
use crate::output::RowWriter;
use crate::output::delimited::DelimitedWriter;

/// A view as it was written.
#[derive(Debug, Clone)]
pub struct Written {
    /// Its name.
    pub view: String,
    /// Its columns, in order.
    pub columns: Vec<(String, Kind)>,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// There are none.
    Nothing,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// Text.
    Text,
}

/// The names of the views, in order.
///
/// # Errors
/// When they cannot be read.
pub fn names(connection: &Connection) -> Result<Vec<String>> {
    let mut statement =
        connection.prepare("select name from sqlite_schema where type = 'view' order by name")?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

/// Writes a view to a file, its rows in the order of its columns.
///
/// # Errors
/// When it cannot be read or written.
pub fn write(connection: &Connection, view: &str, path: &Path) -> Result<Written> {
    let cannot_write = || format!("could not write: {}", path.display());
    let mut out = BufWriter::new(File::create_new(path).with_context(cannot_write)?);
    let count = connection.prepare(&format!("select * from {}", quoted(view)))?.column_count();
    let order = (1..=count).map(|place| place.to_string()).collect::<Vec<_>>().join(", ");
    let mut statement =
        connection.prepare(&format!("select * from {} order by {order}", quoted(view)))?;
    let names: Vec<String> = statement.column_names().map(Into::into).collect();
    let mut kinds = vec![Kind::Nothing; count];
    let mut writer = DelimitedWriter::rfc_4180(&mut out);
    writer.columns(&names).with_context(cannot_write)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let values =
            (0..count).map(|index| row.get_ref(index)).collect::<rusqlite::Result<Vec<_>>>()?;
        for (kind, value) in kinds.iter_mut().zip(&values) {
            *kind = (*kind).max(kind_of(*value));
        }
        writer.row(&values).with_context(cannot_write)?;
    }
    writer.finish().with_context(cannot_write)?;
    drop(writer);
    out.flush().with_context(cannot_write)?;
    Ok(Written { view: view.into(), columns: names.into_iter().zip(kinds).collect() })
}

fn kind_of(value: ValueRef<'_>) -> Kind {
    match value {
        ValueRef::Null => Kind::Nothing,
        ValueRef::Integer(_) => Kind::Integer,
        ValueRef::Real(_) => Kind::Number,
        ValueRef::Text(_) | ValueRef::Blob(_) => Kind::Text,
    }
}
