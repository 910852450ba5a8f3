//! table: aligned columns. On a terminal the table fits the screen; elsewhere it has all columns, as wide as
//! their values.

use std::io::{self, Write};

use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::output::Layout;
use crate::output::grid::Grid;
use crate::output::human::as_it_is;
use crate::output::screen::fit;

/// Writes the format table.
pub struct TableWriter<'w> {
    out: &'w mut (dyn Write + 'w),
    layout: &'w Layout,
    grid: Option<Grid>,
    left_out: Vec<String>,
}

impl<'w> TableWriter<'w> {
    /// A writer for a terminal, or for something that is none.
    pub fn new(out: &'w mut (dyn Write + 'w), layout: &'w Layout) -> Self {
        TableWriter { out, layout, grid: None, left_out: Vec::new() }
    }
}

impl RowWriter for TableWriter<'_> {
    fn columns(&mut self, names: &[String]) -> io::Result<()> {
        self.grid = Some(Grid::new(names, as_it_is));
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
            match self.layout.screen {
                Some(screen) => {
                    let fitted = fit(&grid, screen.width, &self.layout.about);
                    fitted.write(self.out, screen)?;
                    self.left_out = fitted.left_out;
                }
                None => write_whole(self.out, &grid)?,
            }
        }
        self.out.flush()
    }

    fn left_out(&self) -> &[String] {
        &self.left_out
    }
}

/// Writes all columns, with lines between them.
fn write_whole(out: &mut dyn Write, grid: &Grid) -> io::Result<()> {
    let (widths, rows) = grid.padded();
    for (number, row) in rows.enumerate() {
        writeln!(out, "{}", format!(" {}", row.join(" | ")).trim_end())?;
        if number == 0 {
            let hyphens: Vec<_> = widths.iter().map(|width| "-".repeat(width + 2)).collect();
            writeln!(out, "{}", hyphens.join("+"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Format;
    use crate::output::testing::{text, written};

    const NAMES: [&str; 4] = ["model", "gpu", "wh_per_million_output_tokens", "max_num_seqs"];

    fn rows() -> [[ValueRef<'static>; 4]; 2] {
        [
            [text("qwen-3-14b"), text("B200"), ValueRef::Real(303.2), ValueRef::Integer(64)],
            [text("PixArt-Σ"), ValueRef::Null, ValueRef::Real(17.456), ValueRef::Integer(1024)],
        ]
    }

    const WIDE: &str = " model      | gpu  | wh_per_million_output_tokens | max_num_seqs
------------+------+------------------------------+--------------
 qwen-3-14b | B200 |                       303.20 |           64
 PixArt-Σ   |      |                        17.46 |         1024
";

    #[test]
    fn numbers_stand_to_the_right_with_their_header() {
        let [first, second] = rows();
        assert_eq!(written(Format::Table, &NAMES, &[&first, &second]), WIDE);
    }

    #[test]
    fn without_rows_the_header_remains() {
        assert_eq!(
            written(Format::Table, &["model", "gpu"], &[]),
            " model | gpu
-------+-----
"
        );
    }

    #[test]
    fn a_column_with_any_text_stands_to_the_left() {
        assert_eq!(
            written(
                Format::Table,
                &["mixed", "under_itl_deadline"],
                &[
                    &[ValueRef::Integer(1), ValueRef::Integer(1)],
                    &[text("n/a"), ValueRef::Integer(0)],
                    &[ValueRef::Integer(2), ValueRef::Null],
                ]
            ),
            " mixed | under_itl_deadline
-------+--------------------
 1     | true
 n/a   | false
 2     |
"
        );
    }

    #[test]
    fn a_value_of_several_lines_stays_on_one() {
        assert_eq!(
            written(Format::Table, &["note"], &[&[text("a\nb\u{1b}[2J")]]),
            " note
---------------
 a\\nb\\u{1b}[2J
"
        );
    }
}
