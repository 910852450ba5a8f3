//! Rows held back until all are known, because a column is as wide as its widest value and
//! aligned by the kind of all its values. Shared by the formats table and markdown.

use comfy_table::{CellAlignment, ContentArrangement, Table, TableStyle};
use rusqlite::types::ValueRef;

use crate::output::human::{HumanColumn, Escape};

/// The rows of one result as text.
#[derive(Debug)]
pub struct Grid {
    columns: Vec<GridColumn>,
    rows: Vec<Vec<String>>,
}

#[derive(Debug)]
struct GridColumn {
    column: HumanColumn,
    /// Whether all values so far are numbers; none while all are null.
    numbers: Option<bool>,
}

impl Grid {
    /// A grid with these columns and no rows.
    pub fn new(names: &[String], escape: Escape) -> Self {
        let columns = names
            .iter()
            .map(|name| GridColumn {
                column: HumanColumn::new(name, escape),
                numbers: None,
            })
            .collect();
        Grid { columns, rows: Vec::new() }
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

    /// For each column, whether it stands to the right, as numbers do.
    pub fn right_aligned(&self) -> impl Iterator<Item = bool> {
        self.columns.iter().map(|column| column.numbers == Some(true))
    }

    /// The rows laid out in a style, still without a header. A value is broken into lines only
    /// from 65,535 characters on, which is as wide as a column can be.
    pub fn table(&self, style: TableStyle) -> Table {
        let mut table = Table::new();
        table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
        table.add_rows(&self.rows);
        table
    }

    /// Puts the header on the table, and numbers and their header to the right.
    pub fn set_header(&self, table: &mut Table, header: Vec<String>) {
        table.set_header(header);
        for (column, right) in table.column_iter_mut().zip(self.right_aligned()) {
            if right {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
}

impl GridColumn {
    fn take(&mut self, value: ValueRef<'_>) -> String {
        if value != ValueRef::Null {
            self.numbers = Some(self.numbers != Some(false) && self.column.is_number(value));
        }
        self.column.text(value)
    }
}
