//! markdown: a pipe table, to paste where Markdown is read.

use std::io::{self, Write};

use comfy_table::presets::ASCII_MARKDOWN;
use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::output::grid::Grid;

/// Writes the format markdown.
pub struct MarkdownWriter<'w> {
    out: &'w mut (dyn Write + 'w),
    grid: Option<Grid>,
}

impl<'w> MarkdownWriter<'w> {
    /// A writer to this output.
    pub fn new(out: &'w mut (dyn Write + 'w)) -> Self {
        MarkdownWriter { out, grid: None }
    }
}

impl RowWriter for MarkdownWriter<'_> {
    fn columns(&mut self, names: &[String]) -> io::Result<()> {
        self.grid = Some(Grid::new(names, is_markup));
        Ok(())
    }

    fn row(&mut self, values: &[ValueRef<'_>]) -> io::Result<()> {
        if let Some(grid) = &mut self.grid {
            grid.push(values);
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if let Some(grid) = self.grid.take() {
            let mut table = grid.table(ASCII_MARKDOWN);
            grid.set_header(&mut table, grid.names().map(str::to_owned).collect());
            for (number, line) in table.lines().enumerate() {
                if number == 1 {
                    writeln!(self.out, "{}", alignment_row(&grid, &line))?;
                } else {
                    writeln!(self.out, "{line}")?;
                }
            }
        }
        self.out.flush()
    }
}

/// What would end a cell or be read as markup. An underscore inside a word is neither.
fn is_markup(character: char) -> bool {
    matches!(character, '|' | '\\' | '*' | '`' | '<' | '[')
}

/// Text that markdown shows as it is.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if is_markup(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// The line of hyphens below the header, with a colon at the end of each column that stands to the
/// right.
fn alignment_row(grid: &Grid, hyphens: &str) -> String {
    let mut row = String::from("|");
    for (column, right) in hyphens.trim_matches('|').split('|').zip(grid.right_aligned()) {
        match column.strip_suffix('-') {
            Some(shorter) if right => row.extend([shorter, ":|"]),
            _ => row.extend([column, "|"]),
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Format;
    use crate::output::testing::{text, written};

    #[test]
    fn numbers_stand_to_the_right() {
        assert_eq!(
            written(
                Format::Markdown,
                &["model", "power_watts", "n"],
                &[
                    &[text("PixArt-Σ"), ValueRef::Real(2741.5), ValueRef::Integer(8)],
                    &[text("llama"), ValueRef::Null, ValueRef::Integer(12)],
                ]
            ),
            "\
| model    | power_watts |  n |
|----------|------------:|---:|
| PixArt-Σ |        2742 |  8 |
| llama    |             | 12 |
"
        );
    }

    #[test]
    fn text_cannot_end_a_cell_nor_a_row() {
        assert_eq!(
            written(Format::Markdown, &["a|b"], &[&[text("x|y\\|z\nw")], &[text("<b>*[`")]]),
            r"| a\|b         |
|--------------|
| x\|y\\\|z\nw |
| \<b>\*\[\`   |
"
        );
    }

    #[test]
    fn without_rows_the_header_remains() {
        assert_eq!(
            written(Format::Markdown, &["model", "gpu"], &[]),
            "\
| model | gpu |
|-------|-----|
"
        );
    }
}
