//! line: one value per line under its name, for rows with more columns than a terminal holds.

use std::io::{self, Write};

use rusqlite::types::ValueRef;
use unicode_width::UnicodeWidthStr as _;

use super::RowWriter;
use crate::output::grid::padded;
use crate::output::human::{HumanColumn, as_it_is};
use crate::text::folded;

/// A value is folded no narrower than this, however long its name is.
const NARROWEST: usize = 10;

/// Writes the format line.
pub struct LineWriter<'w> {
    out: &'w mut (dyn Write + 'w),
    width: Option<usize>,
    /// What is said before the first row.
    caption: String,
    columns: Vec<HumanColumn>,
    has_rows: bool,
}

impl<'w> LineWriter<'w> {
    /// A writer for a terminal of this width, where long values are folded and a caption says what
    /// was asked for, or for something that is not a terminal.
    pub fn new(out: &'w mut (dyn Write + 'w), width: Option<usize>, asked: &[String]) -> Self {
        let caption = if width.is_some() { asked.join(" · ") } else { String::new() };
        LineWriter { out, width, caption, columns: Vec::new(), has_rows: false }
    }
}

impl RowWriter for LineWriter<'_> {
    fn columns(&mut self, names: &[String]) -> io::Result<()> {
        self.columns = names.iter().map(|name| HumanColumn::new(name, as_it_is)).collect();
        if let Some(width) = self.width
            && !self.caption.is_empty()
        {
            for line in folded(&self.caption, width) {
                writeln!(self.out, "{line}")?;
            }
        }
        Ok(())
    }

    fn row(&mut self, values: &[ValueRef<'_>]) -> io::Result<()> {
        if self.has_rows {
            writeln!(self.out)?;
        }
        self.has_rows = true;
        let names: Vec<_> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let values = self.columns.iter().zip(values).map(|(column, value)| column.text(*value));
        write_row(self.out, &names, values, self.width)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes one row: each value on its line, or on several where a terminal is too narrow.
pub fn write_row(
    out: &mut dyn Write,
    names: &[&str],
    values: impl Iterator<Item = impl AsRef<str>>,
    width: Option<usize>,
) -> io::Result<()> {
    let longest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    for (name, value) in names.iter().zip(values) {
        let lines = match width {
            Some(width) => folded(value.as_ref(), width.saturating_sub(longest + 3).max(NARROWEST)),
            None => vec![value.as_ref().to_owned()],
        };
        for (number, line) in lines.iter().enumerate() {
            let [name, sign] = if number == 0 { [*name, "="] } else { ["", " "] };
            let line = format!("{} {sign} {line}", padded(name, longest, true));
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Format;
    use crate::output::testing::{on_terminal, text, written};

    #[test]
    fn names_stand_to_the_right_and_rows_apart() {
        assert_eq!(
            written(
                Format::Line,
                &["model", "power_watts"],
                &[
                    &[text("PixArt-Σ\u{7}"), ValueRef::Real(2742.4)],
                    &[text("qwen-3-14b"), ValueRef::Null],
                ]
            ),
            "      model = PixArt-Σ\\u{7}\npower_watts = 2742\n\n      model = qwen-3-14b\npower_watts =\n"
        );
    }

    #[test]
    fn a_long_value_is_folded_on_a_terminal_alone() {
        let row: &[ValueRef<'_>] = &[text("one two three four five")];
        assert_eq!(
            on_terminal(Format::Line, 20, &["note"], &[row]),
            "note = one two three\n       four five\n"
        );
        assert_eq!(written(Format::Line, &["note"], &[row]), "note = one two three four five\n");
    }

    #[test]
    fn no_rows_are_nothing() {
        assert_eq!(written(Format::Line, &["model"], &[]), "");
    }
}
