//! What the tests of every format share.

use std::io;

use rusqlite::types::ValueRef;

use super::screen::Screen;
use super::{Format, Layout};

/// Everything that a format writes for these rows in this layout.
pub fn try_written(
    format: Format,
    layout: &Layout,
    names: &[&str],
    rows: &[&[ValueRef<'_>]],
) -> io::Result<String> {
    let mut out = Vec::new();
    let mut writer = format.writer(&mut out, layout);
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
    try_written(format, &Layout::default(), names, rows).unwrap()
}

/// Everything that a format writes for these rows on a terminal of this width.
pub fn on_terminal(
    format: Format,
    width: usize,
    names: &[&str],
    rows: &[&[ValueRef<'_>]],
) -> String {
    let screen = Some(Screen { width, is_styled: false });
    try_written(format, &Layout { screen, ..Layout::default() }, names, rows).unwrap()
}

/// A text value.
pub fn text(text: &str) -> ValueRef<'_> {
    ValueRef::Text(text.as_bytes())
}
