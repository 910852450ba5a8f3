//! What the tests of every format share.

use std::io;

use rusqlite::types::ValueRef;

use super::Format;

/// Everything that a format writes for these rows, on a terminal of this width or on a pipe.
pub fn try_written(
    format: Format,
    width: Option<usize>,
    names: &[&str],
    rows: &[&[ValueRef<'_>]],
) -> io::Result<String> {
    let mut out = Vec::new();
    let mut writer = format.writer(&mut out, width);
    writer.columns(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())?;
    for row in rows {
        writer.row(row)?;
    }
    writer.finish()?;
    drop(writer);
    Ok(String::from_utf8(out).unwrap())
}

/// Everything that a format writes for these rows on a pipe.
pub fn written(format: Format, names: &[&str], rows: &[&[ValueRef<'_>]]) -> String {
    try_written(format, None, names, rows).unwrap()
}

/// A text value.
pub fn text(text: &str) -> ValueRef<'_> {
    ValueRef::Text(text.as_bytes())
}
