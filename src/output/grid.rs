//! Collects all rows before they are printed, because the width and alignment of a column depend on all its
//! values. The formats table and markdown share it.

use rusqlite::types::ValueRef;
use unicode_width::UnicodeWidthStr as _;

use crate::output::human::{Escape, HumanColumn};

/// The rows of one result as text.
#[derive(Debug)]
pub struct Grid {
    columns: Vec<GridColumn>,
    rows: Vec<Vec<String>>,
}

#[derive(Debug)]
struct GridColumn {
    column: HumanColumn,
    has_numbers: bool,
    has_texts: bool,
}

impl Grid {
    /// A grid with these columns and no rows.
    pub fn new(names: &[String], escape: Escape) -> Self {
        let columns = names.iter().map(|name| GridColumn {
            column: HumanColumn::new(name, escape),
            has_numbers: false,
            has_texts: false,
        });
        Grid { columns: columns.collect(), rows: Vec::new() }
    }

    /// Adds one row.
    pub fn push(&mut self, values: &[ValueRef<'_>]) {
        let row = self.columns.iter_mut().zip(values).map(|(column, value)| column.take(*value));
        self.rows.push(row.collect());
    }

    /// The names of the columns as they are shown.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.column.name.as_str())
    }

    /// The rows, each with one text for each column.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// The values of a column.
    pub fn values(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(move |row| row.get(column)).map(String::as_str)
    }

    /// Whether a column is aligned to the right, as one of numbers is.
    pub fn is_right_aligned(&self, column: usize) -> bool {
        self.columns.get(column).is_some_and(|column| column.has_numbers && !column.has_texts)
    }

    /// Whether no value of a column is a number.
    pub fn is_of_texts(&self, column: usize) -> bool {
        self.columns.get(column).is_some_and(|column| !column.has_numbers)
    }

    /// How wide the widest value of a column is.
    pub fn widest(&self, column: usize) -> usize {
        self.values(column).map(str::width).max().unwrap_or(0)
    }

    /// The names and the rows, each value as wide as its column, and the widths.
    pub fn padded(&self) -> (Vec<usize>, impl Iterator<Item = Vec<String>>) {
        let widths: Vec<usize> = self
            .names()
            .enumerate()
            .map(|(column, name)| name.width().max(self.widest(column)))
            .collect();
        let of_row = widths.clone();
        let names = std::iter::once(self.names().collect::<Vec<_>>());
        let rows = self.rows.iter().map(|row| row.iter().map(String::as_str).collect());
        let padded = names.chain(rows).map(move |row| {
            let cells = row.into_iter().zip(&of_row).enumerate();
            cells
                .map(|(column, (text, width))| padded(text, *width, self.is_right_aligned(column)))
                .collect()
        });
        (widths, padded)
    }
}

/// The text with blanks before or behind it, so that it takes so many columns.
pub fn padded(text: &str, width: usize, to_the_right: bool) -> String {
    let blanks = " ".repeat(width.saturating_sub(text.width()));
    if to_the_right { blanks + text } else { text.to_owned() + &blanks }
}

impl GridColumn {
    fn take(&mut self, value: ValueRef<'_>) -> String {
        if value != ValueRef::Null {
            let is_number = self.column.is_number(value);
            self.has_numbers |= is_number;
            self.has_texts |= !is_number;
        }
        self.column.text(value)
    }
}
