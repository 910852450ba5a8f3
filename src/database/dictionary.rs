//! The dictionary: what every table, view and column means, as a table of the database itself.
//!
//! Every text has one source. The comment of a table or view explains it. `migrations/dictionary.csv`
//! explains a column, either for all tables and views with a column of that name (`*`) or for one of them.

use std::collections::HashMap;

use anyhow::Result;
use rusqlite::{Connection, params};
use serde::Deserialize;

/// What columns mean.
const ENTRIES: &str = include_str!("../../migrations/dictionary.csv");
/// Stands for any table or view.
const ANY: &str = "*";

/// A line of the file: what one thing means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Entry {
    /// The table or view; `*` is any.
    pub object_name: String,
    /// The column; none for a table whose own text has no comment.
    pub column_name: Option<String>,
    /// What it means.
    pub meaning: String,
    /// The unit of its values.
    pub unit: Option<String>,
    /// The source's field, or the formula.
    pub source: Option<String>,
}

/// The lines of the file.
///
/// # Errors
/// When one is broken, which the tests rule out.
pub fn entries() -> Result<Vec<Entry>> {
    Ok(csv::Reader::from_reader(ENTRIES.as_bytes()).deserialize().collect::<csv::Result<_>>()?)
}

/// Writes the dictionary of the schema as it is now into its table, anew.
///
/// # Errors
/// When SQLite refuses.
pub fn fill(connection: &Connection) -> Result<()> {
    let entries = entries()?;
    let known: HashMap<_, _> = entries
        .iter()
        .map(|entry| ((entry.object_name.as_str(), entry.column_name.as_deref()), entry))
        .collect();
    let mut objects = connection.prepare(
        "select name, type, sql from sqlite_schema where type in ('table', 'view') order by name",
    )?;
    // Each object by itself: a join would carry its text along with every column.
    let mut columns = connection.prepare("select name from pragma_table_info(?1) order by cid")?;
    let mut insert = connection.prepare(
        "insert into dictionary (dictionary_id, object_name, kind, column_name, meaning, unit, \
         source) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    connection.execute_batch("begin; delete from dictionary")?;
    let mut number = 0;
    let mut add = |object: &str, kind: &str, column: Option<&str>, entry: &Entry| {
        number += 1;
        let Entry { meaning, unit, source, .. } = entry;
        insert.execute(params![number, object, kind, column, meaning, unit, source]).map(drop)
    };
    let mut objects = objects.query([])?;
    while let Some(row) = objects.next()? {
        let object = row.get_ref(0)?.as_str()?;
        let kind = row.get_ref(1)?.as_str()?;
        if let Some(entry) = known.get(&(object, None)) {
            add(object, kind, None, entry)?;
        } else if let Some(meaning) = head_comment(row.get_ref(2)?.as_str()?) {
            add(object, kind, None, &Entry { meaning, ..Entry::default() })?;
        }
        let mut columns = columns.query([object])?;
        while let Some(row) = columns.next()? {
            let column = row.get_ref(0)?.as_str()?;
            let own = known.get(&(object, Some(column)));
            if let Some(entry) = own.or_else(|| known.get(&(ANY, Some(column)))) {
                add(object, kind, Some(column), entry)?;
            }
        }
    }
    connection.execute_batch("commit")?;
    Ok(())
}

/// What a database's own dictionary says of a table or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Table or view.
    pub kind: String,
    /// What it is.
    pub meaning: String,
    /// Its columns, in order.
    pub columns: Vec<Described>,
}

/// What a dictionary says of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// The type that the schema declares or SQLite finds; none for an expression of a view.
    pub kind: Option<String>,
    /// What it means.
    pub meaning: Option<String>,
    /// The unit of its values.
    pub unit: Option<String>,
    /// The source's field, or the formula.
    pub source: Option<String>,
}

/// Reads the dictionary of a database.
///
/// # Errors
/// When SQLite refuses.
pub fn read(connection: &Connection) -> Result<Vec<Object>> {
    // A pragma is only asked about names of the schema. A name in a damaged dictionary may not be UTF-8.
    let mut statement = connection.prepare(
        "select dictionary.object_name, dictionary.kind, dictionary.column_name, \
             (select lower(nullif(columns.type, '')) \
             from sqlite_schema as objects \
             join pragma_table_info(objects.name) as columns \
             where objects.name = dictionary.object_name \
                 and columns.name = dictionary.column_name), \
             dictionary.meaning, dictionary.unit, dictionary.source \
         from dictionary order by dictionary.dictionary_id",
    )?;
    let mut rows = statement.query([])?;
    let mut objects: Vec<Object> = Vec::new();
    while let Some(row) = rows.next()? {
        let column: Option<String> = row.get(2)?;
        match (column, objects.last_mut()) {
            (Some(name), Some(object)) => object.columns.push(Described {
                name,
                kind: row.get(3)?,
                meaning: row.get(4)?,
                unit: row.get(5)?,
                source: row.get(6)?,
            }),
            _ => objects.push(Object {
                name: row.get(0)?,
                kind: row.get(1)?,
                meaning: row.get(4)?,
                columns: Vec::new(),
            }),
        }
    }
    Ok(objects)
}

/// The comment that a table's or view's text begins with, as one paragraph.
fn head_comment(text: &str) -> Option<String> {
    let lines: Vec<_> = text
        .lines()
        .skip(1)
        .map_while(|line| line.trim_start().strip_prefix("--"))
        .map(str::trim)
        .collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_comment_is_one_paragraph() {
        let view = "create view v as\n-- One thing.\n-- Another.\nselect 1 -- and so on";
        assert_eq!(head_comment(view).as_deref(), Some("One thing. Another."));
        let table = "CREATE TABLE t (\n    -- One row per thing.\n    x integer -- a column\n)";
        assert_eq!(head_comment(table).as_deref(), Some("One row per thing."));
        assert_eq!(head_comment("create table t (x)"), None);
    }
}
