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
        self.grid = Some(Grid::new(names, |text| escaped(&text)));
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

/// Text that markdown shows as it is.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_inside_word = before.is_some_and(char::is_alphanumeric)
            && characters.peek().is_some_and(|after| after.is_alphanumeric() || *after == '_');
        if is_markup(character) || (character == '_' && !is_inside_word) {
            escaped.push('\\');
        }
        escaped.push(character);
        before = Some(character);
    }
    escaped
}

/// What would end a cell or be read as markup wherever it is. An underscore is not inside a word.
fn is_markup(character: char) -> bool {
    matches!(character, '|' | '\\' | '*' | '`' | '<' | '[' | '&' | '~')
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
    fn text_is_shown_as_it_is() {
        assert_eq!(escaped("&amp; _i_ __b__ ~~s~~"), r"\&amp; \_i\_ \_\_b\_\_ \~\~s\~\~");
        assert_eq!(escaped("max_num_seqs a__b"), "max_num_seqs a__b");
        assert_eq!(escaped("_"), r"\_");
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
