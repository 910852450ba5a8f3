//! markdown: a pipe table, to paste where Markdown is read.

use std::io::{self, Write};

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
        self.grid = Some(Grid::new(names, escaped));
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
            let (widths, rows) = grid.padded();
            for (number, row) in rows.enumerate() {
                writeln!(self.out, "| {} |", row.join(" | "))?;
                if number == 0 {
                    writeln!(self.out, "{}", alignment_row(&grid, &widths))?;
                }
            }
        }
        self.out.flush()
    }
}

/// Text that markdown shows as it is.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut is_after_word = false;
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == '_' {
            let rest = text.get(at..).unwrap_or_default();
            let behind = rest.trim_start_matches('_');
            let run = rest.len() - behind.len();
            let is_inside_word = is_after_word && behind.starts_with(char::is_alphanumeric);
            escaped.push_str(&if is_inside_word { "_" } else { "\\_" }.repeat(run));
            if run > 1 {
                characters.nth(run - 2);
            }
            is_after_word = false;
            continue;
        }
        if is_markup(character) {
            escaped.push('\\');
        }
        escaped.push(character);
        is_after_word = character.is_alphanumeric();
    }
    escaped
}

/// What would end a cell or be read as markup wherever it is. An underscore inside a word is neither.
fn is_markup(character: char) -> bool {
    matches!(character, '|' | '\\' | '*' | '`' | '<' | '[' | '&' | '~')
}

/// The line of hyphens below the header, with a colon at the end of each column aligned to the
/// right.
fn alignment_row(grid: &Grid, widths: &[usize]) -> String {
    let cells = widths.iter().enumerate().map(|(column, width)| {
        let end = if grid.is_right_aligned(column) { ':' } else { '-' };
        format!("{}{end}|", "-".repeat(width + 1))
    });
    format!("|{}", cells.collect::<String>())
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
