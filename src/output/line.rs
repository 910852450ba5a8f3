//! line: one value per line under its name, for rows with more columns than a terminal holds.

use std::io::{self, Write};

use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::output::human::{HumanColumn, as_it_is};

/// Writes the format line.
pub struct LineWriter<'w> {
    out: &'w mut (dyn Write + 'w),
    columns: Vec<HumanColumn>,
    longest_name: usize,
    has_rows: bool,
}

impl<'w> LineWriter<'w> {
    /// A writer to this output.
    pub fn new(out: &'w mut (dyn Write + 'w)) -> Self {
        LineWriter { out, columns: Vec::new(), longest_name: 0, has_rows: false }
    }
}

impl RowWriter for LineWriter<'_> {
    fn columns(&mut self, names: &[String]) -> io::Result<()> {
        self.columns = names.iter().map(|name| HumanColumn::new(name, as_it_is)).collect();
        let lengths = self.columns.iter().map(|column| column.name.chars().count());
        self.longest_name = lengths.max().unwrap_or(0);
        Ok(())
    }

    fn row(&mut self, values: &[ValueRef<'_>]) -> io::Result<()> {
        if self.has_rows {
            writeln!(self.out)?;
        }
        self.has_rows = true;
        for (column, value) in self.columns.iter().zip(values) {
            let line = format!("{:>2$} = {}", column.name, column.text(*value), self.longest_name);
            writeln!(self.out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Format;
    use crate::output::testing::{text, written};

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
    fn no_rows_are_nothing() {
        assert_eq!(written(Format::Line, &["model"], &[]), "");
    }
}
