//! table: aligned columns to read in a terminal.
//!
//! Values are never cut short nor broken. Where the table is wider than the terminal, long column
//! names are folded at their underscores, no more than needed; where that does not help either,
//! lines run over.

use std::io::{self, Write};

use comfy_table::{ContentLineStyle, LineStyle, TableStyle};
use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::output::grid::Grid;
use crate::output::human::as_it_is;

const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none().junction('|'))
    .header_separator(LineStyle::none().fill('-').junction('+'))
    .content_lines(ContentLineStyle::none().junction('|'));

/// What stands between two columns: a space on either side and the line.
const GAP: usize = 3;

/// Writes the format table.
pub struct TableWriter<'w> {
    out: &'w mut (dyn Write + 'w),
    width: Option<usize>,
    grid: Option<Grid>,
    is_too_wide: bool,
}

impl<'w> TableWriter<'w> {
    /// A writer for a terminal of this width, or for something that is no terminal.
    pub fn new(out: &'w mut (dyn Write + 'w), width: Option<usize>) -> Self {
        TableWriter { out, width, grid: None, is_too_wide: false }
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
            let mut table = grid.table(STYLE);
            let header = header(&grid, &table.column_max_content_widths(), self.width);
            grid.set_header(&mut table, header);
            for line in table.lines() {
                let line = line.trim_end();
                self.is_too_wide |= self.width.is_some_and(|width| widest_line(line) > width);
                writeln!(self.out, "{line}")?;
            }
        }
        self.out.flush()
    }

    fn is_too_wide(&self) -> bool {
        self.is_too_wide
    }
}

/// The names of the columns, folded where they would make the table wider than the terminal.
fn header(grid: &Grid, value_widths: &[u16], width: Option<usize>) -> Vec<String> {
    // Without rows the table knows no columns, so that there are fewer widths than names.
    let value_widths = || value_widths.iter().copied().map(usize::from).chain(std::iter::repeat(0));
    let folded = |longest: usize| -> Vec<String> {
        grid.names()
            .zip(value_widths())
            .map(|(name, value)| fold(name, longest.max(value)))
            .collect()
    };
    let fits = |header: &Vec<String>| {
        let columns = header.iter().zip(value_widths());
        let taken: usize = columns.map(|(name, value)| GAP + widest_line(name).max(value)).sum();
        // The last column has no line after it.
        width.is_none_or(|width| taken <= width + 1)
    };
    let longest = grid.names().map(widest_line).max().unwrap_or(0);
    (1..=longest).rev().map(folded).find(fits).unwrap_or_else(|| folded(1))
}

/// The name with a line break after those underscores where the line would be too long otherwise.
fn fold(name: &str, width: usize) -> String {
    let mut folded = String::with_capacity(name.len());
    let mut taken = 0;
    for part in name.split_inclusive('_') {
        let length = part.chars().count();
        if taken > 0 && taken + length > width {
            folded.push('\n');
            taken = 0;
        }
        folded.push_str(part);
        taken += length;
    }
    folded
}

fn widest_line(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Format;
    use crate::output::testing::{text, try_written, written};

    const NAMES: [&str; 4] = ["model", "gpu", "wh_per_million_output_tokens", "max_num_seqs"];

    fn rows() -> [[ValueRef<'static>; 4]; 2] {
        [
            [text("qwen-3-14b"), text("B200"), ValueRef::Real(303.2), ValueRef::Integer(64)],
            [text("PixArt-Σ"), ValueRef::Null, ValueRef::Real(17.456), ValueRef::Integer(1024)],
        ]
    }

    fn on_terminal(width: usize) -> String {
        let [first, second] = rows();
        try_written(Format::Table, Some(width), &NAMES, &[&first, &second]).unwrap()
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
    fn a_table_that_just_fits_the_terminal_keeps_its_header() {
        // The longest line, the one below the header, has 65 characters.
        assert_eq!(on_terminal(65), WIDE);
    }

    #[test]
    fn a_table_that_no_folding_makes_fit_is_too_wide() {
        let [first, second] = rows();
        // The narrowest that it can be: 10 + 4 + 8 + 4 characters, of which million_ are 8, 3 between
        // two of them and 1 on either side.
        for (width, is_too_wide) in [(None, false), (Some(37), false), (Some(36), true)] {
            let mut out = Vec::new();
            let mut writer = TableWriter::new(&mut out, width);
            writer.columns(&NAMES.map(str::to_owned)).unwrap();
            writer.row(&first).unwrap();
            writer.row(&second).unwrap();
            writer.finish().unwrap();
            assert_eq!(writer.is_too_wide(), is_too_wide, "{width:?}");
        }
    }

    #[test]
    fn long_names_are_folded_on_a_narrow_terminal() {
        assert_eq!(
            on_terminal(64),
            " model      | gpu  | wh_per_million_output_ | max_num_seqs
            |      |                 tokens |
------------+------+------------------------+--------------
 qwen-3-14b | B200 |                 303.20 |           64
 PixArt-Σ   |      |                  17.46 |         1024
"
        );
    }

    #[test]
    fn values_are_never_broken_even_if_lines_run_over() {
        assert_eq!(
            on_terminal(20),
            " model      | gpu  |      wh_ | max_
            |      |     per_ | num_
            |      | million_ | seqs
            |      |  output_ |
            |      |   tokens |
------------+------+----------+------
 qwen-3-14b | B200 |   303.20 |   64
 PixArt-Σ   |      |    17.46 | 1024
"
        );
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
