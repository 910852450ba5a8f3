//! The tables and views of a database as a release ships them: what each is, the type of every column,
//! and the rows.

use anyhow::{Context, Result, bail};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::database::dictionary::Object;
use crate::database::schema::{HISTORY, quoted};
use crate::measurement::published::{self, Precision};

/// How the dictionary says that a column contains days.
const DAY: &str = "YYYY-MM-DD";

/// A table or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Whether it is a view.
    pub is_view: bool,
    /// What it is, and what one row is.
    pub meaning: String,
    /// Its columns, in order.
    pub columns: Vec<Column>,
    /// The columns of its primary key, in order. A view has none.
    pub primary_key: Vec<String>,
}

/// A column of a table or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub kind: Kind,
    /// What it means.
    pub meaning: Option<String>,
    /// The unit of its values.
    pub unit: Option<String>,
    /// The source's field, or the formula.
    pub source: Option<String>,
}

/// The type of the values of a column. Each may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Boolean,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Real,
    /// Text.
    Text,
    /// Days of the calendar.
    Day,
}

/// A value of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'v> {
    /// A value that is missing.
    Null,
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(&'v str),
    /// A day, written YYYY-MM-DD.
    Day(&'v str),
}

impl Table {
    /// Where the column of this name is.
    pub fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|of| of.name == column)
    }

    /// Hands over every row, in the order of these columns, then of all from left to right.
    ///
    /// # Errors
    /// When the table cannot be read, a value is not of its column's type, or `take` refuses.
    pub fn rows(
        &self,
        connection: &Connection,
        first: &[usize],
        mut take: impl FnMut(&[Cell<'_>]) -> Result<()>,
    ) -> Result<()> {
        let order = first.iter().copied().chain(0..self.columns.len());
        let order = order.map(|place| (place + 1).to_string()).collect::<Vec<_>>().join(", ");
        let name = quoted(&self.name);
        let mut statement =
            connection.prepare(&format!("select * from {name} order by {order}"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let cells = self.columns.iter().enumerate().map(|(place, column)| {
                cell(column.kind, row.get_ref(place)?)
                    .with_context(|| format!("the column {} of {}", column.name, self.name))
            });
            take(&cells.collect::<Result<Vec<_>>>()?)?;
        }
        Ok(())
    }
}

/// The views and tables that a database's dictionary describes, views first, each in order of their
/// names. The record of migrations is not of the data.
///
/// # Errors
/// When a column declares no type, or SQLite refuses.
pub fn read(connection: &Connection, dictionary: &[Object]) -> Result<Vec<Table>> {
    let mut columns =
        connection.prepare("select name, lower(type) from pragma_table_info(?1) order by cid")?;
    let mut keys =
        connection.prepare("select name from pragma_table_info(?1) where pk > 0 order by pk")?;
    let mut tables = Vec::new();
    for object in dictionary.iter().filter(|object| object.name != HISTORY) {
        let declared = columns
            .query_map([&object.name], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<Vec<(String, String)>>>()?;
        let columns = declared.into_iter().map(|(name, declared)| {
            let described = object.columns.iter().find(|column| column.name == name);
            let known = described.cloned();
            let mut column = Column {
                kind: kind(&name, &declared)
                    .with_context(|| format!("the column {name} of {} has no type", object.name))?,
                name,
                meaning: known.as_ref().and_then(|of| of.meaning.clone()),
                unit: known.as_ref().and_then(|of| of.unit.clone()),
                source: known.and_then(|of| of.source),
            };
            if column.kind == Kind::Text && holds_days(connection, &object.name, &column)? {
                column.kind = Kind::Day;
            }
            Ok(column)
        });
        tables.push(Table {
            name: object.name.clone(),
            is_view: object.kind == "view",
            meaning: object.meaning.clone(),
            columns: columns.collect::<Result<_>>()?,
            primary_key: keys
                .query_map([&object.name], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?,
        });
    }
    tables.sort_by(|one, other| (!one.is_view, &one.name).cmp(&(!other.is_view, &other.name)));
    Ok(tables)
}

/// The type that a column declares, or `None` if it declares none.
fn kind(name: &str, declared: &str) -> Option<Kind> {
    let declares = |words: &[&str]| words.iter().any(|word| declared.contains(word));
    if declares(&["int"]) {
        let is_boolean = published::of(name) == Precision::Boolean;
        return Some(if is_boolean { Kind::Boolean } else { Kind::Integer });
    }
    if declares(&["real", "double"]) {
        return Some(Kind::Real);
    }
    declares(&["text", "char"]).then_some(Kind::Text)
}

/// Whether a column is one of days. A publisher may have written something else there.
fn holds_days(connection: &Connection, table: &str, column: &Column) -> Result<bool> {
    if !column.meaning.as_ref().is_some_and(|meaning| meaning.contains(DAY)) {
        return Ok(false);
    }
    let (table, name) = (quoted(table), quoted(&column.name));
    let others = format!("select 1 from {table} where {name} is not date({name})");
    Ok(!connection.prepare(&others)?.exists([])?)
}

fn cell(kind: Kind, value: ValueRef<'_>) -> Result<Cell<'_>> {
    Ok(match (kind, value) {
        (_, ValueRef::Null) => Cell::Null,
        (Kind::Boolean, ValueRef::Integer(number @ (0 | 1))) => Cell::Boolean(number == 1),
        (Kind::Integer, ValueRef::Integer(number)) => Cell::Integer(number),
        (Kind::Real, ValueRef::Real(number)) => Cell::Real(number),
        (Kind::Text, ValueRef::Text(text)) => Cell::Text(std::str::from_utf8(text)?),
        (Kind::Day, ValueRef::Text(text)) => Cell::Day(std::str::from_utf8(text)?),
        (kind, value) => bail!("it has a value of type {}, not {kind:?}", value.data_type()),
    })
}
