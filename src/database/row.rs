//! Rows of a table of configurations: written, hashed and read back in the order of the table's columns.

use anyhow::{Result, bail, ensure};
use rusqlite::types::{Null, ValueRef};
use rusqlite::{Connection, Statement};

use crate::database::content_hash::ContentHash;
use crate::database::metadata::number;
use crate::database::schema::quoted;
use crate::measurement::columns::{FIGURES, NULL, Table};
use crate::measurement::record::Configuration;

/// A configuration as it is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) task: u32,
    pub(super) source: u32,
    /// Index of its document.
    pub(super) document: usize,
    pub(super) repeat: u32,
    pub(super) configuration: Configuration,
}

/// What a column of a table contains.
#[derive(Debug, Clone, Copy)]
enum Place {
    Number,
    Task,
    Model,
    Gpu,
    Source,
    Precision,
    Repeat,
    Document,
    Position,
    /// The value at this place.
    Value(usize),
    /// Null, in a column that nothing is declared for.
    Nothing,
}

/// A value on its way into a table.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    Whole(i64),
    Real(f64),
    Null,
}

/// The columns of a table in their order.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) table: &'static Table,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    name: String,
    place: Place,
    is_nullable: bool,
    /// The value of the latest row, which stays bound to its parameter. At first that is null.
    bound: Value,
}

impl Layout {
    /// How a database lays out a table.
    ///
    /// # Errors
    /// When it cannot be read, or a declared column is missing.
    pub(super) fn of(connection: &Connection, table: &'static Table) -> Result<Self> {
        let declared = |name: &str| table.find(name).map_or(Place::Nothing, Place::Value);
        let columns = connection
            .prepare("select name, \"notnull\" from pragma_table_info(?1) order by cid")?
            .query_map([table.name], |row| {
                let name: String = row.get(0)?;
                let place = match name.as_str() {
                    id if id == table.id => Place::Number,
                    "task_id" => Place::Task,
                    "model_id" => Place::Model,
                    "gpu_id" => Place::Gpu,
                    "source_id" => Place::Source,
                    "precision_id" => Place::Precision,
                    "repeat" => Place::Repeat,
                    "document_id" => Place::Document,
                    "document_position" => Place::Position,
                    other => declared(other),
                };
                let is_nullable = !row.get::<_, bool>(1)?;
                Ok(Column { name, place, is_nullable, bound: Value::Null })
            })?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        for declared in table.columns {
            let is_there = columns.iter().any(|column| column.name == declared.name);
            ensure!(is_there, "the table {} has no column {}", table.name, declared.name);
        }
        Ok(Self { table, columns })
    }

    /// The statement that inserts a row.
    pub(super) fn insertion(&self) -> String {
        let values = vec!["?"; self.columns.len()].join(", ");
        format!("insert or fail into {} ({}) values ({values})", self.table.name, self.names())
    }

    /// The statement that selects all rows.
    pub(super) fn selection(&self) -> String {
        format!("select {} from {}", self.names(), self.table.name)
    }

    fn names(&self) -> String {
        self.columns.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>().join(", ")
    }

    /// Inserts a row by the one statement of [`insertion`](Self::insertion), and hashes it.
    pub(super) fn insert(
        &mut self,
        row: &Row,
        statement: &mut Statement<'_>,
        mut hash: Option<&mut ContentHash>,
    ) -> rusqlite::Result<()> {
        for index in 0..self.columns.len() {
            let value = self.value(row, self.columns[index].place);
            if let Some(hash) = &mut hash {
                match value {
                    Value::Whole(value) => hash.integer(value),
                    Value::Real(value) => hash.real(value),
                    Value::Null => hash.null(),
                }
            }
            let bound = std::mem::replace(&mut self.columns[index].bound, value);
            if value != bound {
                let parameter = index + 1;
                match value {
                    Value::Whole(value) => statement.raw_bind_parameter(parameter, value)?,
                    Value::Real(value) => statement.raw_bind_parameter(parameter, value)?,
                    Value::Null => statement.raw_bind_parameter(parameter, Null)?,
                }
            }
        }
        hash.iter_mut().for_each(|hash| hash.end_row());
        statement.raw_execute()?;
        Ok(())
    }

    fn value(&self, row: &Row, place: Place) -> Value {
        let configuration = &row.configuration;
        Value::Whole(match place {
            Place::Number => row.number.into(),
            Place::Task => row.task.into(),
            Place::Model => configuration.model.into(),
            Place::Gpu => configuration.gpu.into(),
            Place::Source => row.source.into(),
            Place::Precision => configuration.precision.into(),
            Place::Repeat => row.repeat.into(),
            Place::Document => number(row.document),
            Place::Position => configuration.position.into(),
            Place::Nothing => return Value::Null,
            Place::Value(at) => match configuration.values[at] {
                NULL => return Value::Null,
                whole if self.table.columns[at].is_whole => whole as i64,
                real => return Value::Real(real),
            },
        })
    }

    /// The row that a statement of [`selection`](Self::selection) gave.
    ///
    /// # Errors
    /// When a value is not what its column contains.
    pub(super) fn read(&self, stored: &rusqlite::Row<'_>) -> Result<Row> {
        let values = [NULL; _];
        let configuration = Configuration { model: 0, gpu: 0, precision: 0, values, position: 0 };
        let mut row = Row { number: 0, task: 0, source: 0, document: 0, repeat: 0, configuration };
        for (index, column) in self.columns.iter().enumerate() {
            let value = stored.get_ref(index)?;
            let whole = |lowest| whole(&column.name, value, lowest);
            let configuration = &mut row.configuration;
            match column.place {
                Place::Number => row.number = whole(1)?,
                Place::Task => row.task = whole(1)?,
                Place::Model => configuration.model = whole(1)?,
                Place::Gpu => configuration.gpu = whole(1)?,
                Place::Source => row.source = whole(1)?,
                Place::Precision => configuration.precision = whole(1)?,
                Place::Repeat => row.repeat = whole(1)?,
                Place::Document => row.document = whole(1)? as usize - 1,
                Place::Position => configuration.position = whole(0)?,
                Place::Nothing => {}
                Place::Value(_) if column.is_nullable && value == ValueRef::Null => {}
                Place::Value(at) if self.table.columns[at].is_whole => {
                    configuration.values[at] = whole(1)?.into();
                }
                Place::Value(at) => configuration.values[at] = real(&column.name, value)?,
            }
        }
        Ok(row)
    }
}

fn whole(name: &str, value: ValueRef<'_>, lowest: u32) -> Result<u32> {
    if let ValueRef::Integer(value) = value
        && let Ok(value) = u32::try_from(value)
        && value >= lowest
    {
        return Ok(value);
    }
    bail!("{name} is {}, not a whole number from {lowest}", shown(value))
}

fn real(name: &str, value: ValueRef<'_>) -> Result<f64> {
    match value {
        ValueRef::Real(value) if FIGURES.contains(&value) => Ok(value),
        other => bail!("{name} is {}, not a real number from 1e-300 to 1e300", shown(other)),
    }
}

fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".into(),
        ValueRef::Integer(value) => value.to_string(),
        ValueRef::Real(value) => value.to_string(),
        ValueRef::Text(_) => "a text".into(),
        ValueRef::Blob(_) => "a blob".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::template;
    use crate::measurement::columns::TEXT;

    #[test]
    fn a_value_that_stays_changes_or_becomes_null_is_stored_as_it_is() {
        let mut connection = Connection::open_in_memory().unwrap();
        template::copy_into(&mut connection).unwrap();
        connection.pragma_update(None, "foreign_keys", false).unwrap();
        let mut layout = Layout::of(&connection, &TEXT).unwrap();
        let row = |number: u32, figure: f64, last: f64| {
            let mut values = [1.0; _];
            values[TEXT.find("median_itl_ms").unwrap()] = figure;
            values[TEXT.find("requests").unwrap()] = last;
            let configuration =
                Configuration { model: 1, gpu: 1, precision: 1, values, position: number };
            Row { number, task: 1, source: 1, document: 0, repeat: 1, configuration }
        };
        let rows = [
            row(1, NULL, 3.0),
            row(2, 2.5, 3.0),
            row(3, 2.5, NULL),
            row(4, NULL, NULL),
            row(5, 2.5, 4.0),
        ];
        let mut statement = connection.prepare(&layout.insertion()).unwrap();
        for row in &rows {
            layout.insert(row, &mut statement, None).unwrap();
        }
        let stored = connection
            .prepare("select median_itl_ms, requests from configurations order by configuration_id")
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<rusqlite::Result<Vec<(Option<f64>, Option<i64>)>>>()
            .unwrap();
        let figure = Some(2.5);
        let expected =
            [(None, Some(3)), (figure, Some(3)), (figure, None), (None, None), (figure, Some(4))];
        assert_eq!(stored, expected);
    }
}
