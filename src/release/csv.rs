//! A table as CSV, as RFC 4180 has it and as readers take it without options: true and false, days as
//! YYYY-MM-DD, reals with every digit, and nothing for what is missing.
//!
//! No text in it is one that a spreadsheet would run as a formula: every name begins with a letter
//! or a digit, which a check of the data sees to.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::tables::{Cell, Table};
use crate::output::RowWriter;
use crate::output::delimited::DelimitedWriter;

/// Writes a table to a new file. Returns how many rows it has.
///
/// # Errors
/// When it cannot be read or written.
pub fn write(connection: &Connection, table: &Table, path: &Path) -> Result<u64> {
    let cannot_write = || format!("could not write: {}", path.display());
    let mut out = BufWriter::new(File::create_new(path).with_context(cannot_write)?);
    let mut writer = DelimitedWriter::rfc_4180(&mut out);
    let names: Vec<_> = table.columns.iter().map(|column| column.name.clone()).collect();
    writer.columns(&names).with_context(cannot_write)?;
    let mut count = 0;
    table.rows(connection, &[], |cells| {
        count += 1;
        let values: Vec<_> = cells.iter().map(value).collect();
        writer.row(&values).with_context(cannot_write)
    })?;
    writer.finish().with_context(cannot_write)?;
    drop(writer);
    out.flush().with_context(cannot_write)?;
    Ok(count)
}

fn value<'v>(cell: &Cell<'v>) -> ValueRef<'v> {
    match *cell {
        Cell::Null => ValueRef::Null,
        Cell::Boolean(true) => ValueRef::Text(b"true"),
        Cell::Boolean(false) => ValueRef::Text(b"false"),
        Cell::Integer(number) => ValueRef::Integer(number),
        Cell::Real(number) => ValueRef::Real(number),
        Cell::Text(text) | Cell::Day(text) => ValueRef::Text(text.as_bytes()),
    }
}
