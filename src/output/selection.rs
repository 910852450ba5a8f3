//! A choice of rows and columns: the first few, sorted by a column, some columns in an order.
//!
//! Rows are selected when they are written, so the query itself does not change. Rows that are equal in the
//! sorted column keep the query's order.

use std::cmp::Ordering;
use std::io;

use rusqlite::types::{Value, ValueRef};

use super::RowWriter;

/// Which of the rows and columns are written.
#[derive(Debug)]
pub struct Selection {
    /// The places of the columns that are written, in order.
    columns: Vec<usize>,
    /// The place of the column to sort by, and whether the highest comes first.
    sort: Option<(usize, bool)>,
    limit: Option<u64>,
    /// Rows that wait to be sorted.
    held: Vec<Vec<Value>>,
    written: u64,
}

impl Selection {
    /// A choice among rows of these columns.
    ///
    /// # Errors
    /// The name that is not a column.
    pub fn new(
        all: &[String],
        columns: Option<&str>,
        sort: Option<&str>,
        limit: Option<u64>,
    ) -> Result<Self, String> {
        let place = |name: &str| {
            all.iter().position(|column| column == name).ok_or_else(|| name.to_owned())
        };
        let columns = match columns {
            Some(names) => {
                names.split(',').map(|name| place(name.trim())).collect::<Result<_, _>>()?
            }
            None => (0..all.len()).collect(),
        };
        let sort = match sort {
            Some(name) => Some(match name.strip_prefix('-') {
                Some(name) => (place(name)?, true),
                None => (place(name)?, false),
            }),
            None => None,
        };
        Ok(Self { columns, sort, limit, held: Vec::new(), written: 0 })
    }

    /// Of these names, those of the columns that are written.
    pub fn names(&self, all: &[String]) -> Vec<String> {
        self.columns.iter().filter_map(|&place| all.get(place).cloned()).collect()
    }

    /// Takes a row. Returns whether there can be more.
    ///
    /// # Errors
    /// When the writer does not take it.
    pub fn row(&mut self, row: &[ValueRef<'_>], writer: &mut dyn RowWriter) -> io::Result<bool> {
        if self.sort.is_some() {
            self.held.push(row.iter().map(|value| owned(*value)).collect());
            return Ok(true);
        }
        self.write(row, writer)?;
        Ok(self.limit.is_none_or(|limit| self.written < limit))
    }

    /// Writes the rows that waited.
    ///
    /// # Errors
    /// When the writer does not take one.
    pub fn finish(mut self, writer: &mut dyn RowWriter) -> io::Result<u64> {
        if let Some((place, is_descending)) = self.sort {
            let mut held = std::mem::take(&mut self.held);
            held.sort_by(|left, right| compare(left.get(place), right.get(place), is_descending));
            let most = self.limit.and_then(|limit| usize::try_from(limit).ok());
            for row in held.iter().take(most.unwrap_or(usize::MAX)) {
                let row: Vec<ValueRef<'_>> = row.iter().map(ValueRef::from).collect();
                self.write(&row, writer)?;
            }
        }
        Ok(self.written)
    }

    fn write(&mut self, row: &[ValueRef<'_>], writer: &mut dyn RowWriter) -> io::Result<()> {
        let values = self.columns.iter().filter_map(|&place| row.get(place).copied());
        self.written += 1;
        writer.row(&values.collect::<Vec<_>>())
    }
}

fn owned(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}

/// The order of two values: numbers, then text, then bytes. Null is last either way.
fn compare(left: Option<&Value>, right: Option<&Value>, is_descending: bool) -> Ordering {
    let (left, right) = (left.unwrap_or(&Value::Null), right.unwrap_or(&Value::Null));
    let is_null = |value: &Value| matches!(value, Value::Null);
    let nulls = is_null(left).cmp(&is_null(right));
    let values = match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Blob(left), Value::Blob(right)) => left.cmp(right),
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => left.total_cmp(&right),
            _ => kind(left).cmp(&kind(right)),
        },
    };
    nulls.then(if is_descending { values.reverse() } else { values })
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        Value::Null | Value::Text(_) | Value::Blob(_) => None,
    }
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::Integer(_) | Value::Real(_) => 0,
        Value::Text(_) => 1,
        Value::Blob(_) => 2,
        Value::Null => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::delimited::DelimitedWriter;
    use crate::output::testing::text;

    fn chosen(columns: Option<&str>, sort: Option<&str>, limit: Option<u64>) -> (String, usize) {
        let names = ["gpu", "n"].map(str::to_owned);
        let rows = [
            [text("b"), ValueRef::Integer(10)],
            [text("c"), ValueRef::Null],
            [text("a"), ValueRef::Real(9.5)],
            [text("d"), ValueRef::Integer(10)],
        ];
        let mut out = Vec::new();
        let mut selection = Selection::new(&names, columns, sort, limit).unwrap();
        let mut writer = DelimitedWriter::new(&mut out, b',');
        writer.columns(&selection.names(&names)).unwrap();
        let mut taken = 0;
        for row in &rows {
            taken += 1;
            if !selection.row(row, &mut writer).unwrap() {
                break;
            }
        }
        selection.finish(&mut writer).unwrap();
        writer.finish().unwrap();
        drop(writer);
        (String::from_utf8(out).unwrap(), taken)
    }

    #[test]
    fn rows_are_limited_sorted_and_cut_to_columns() {
        assert_eq!(chosen(None, None, None).0, "gpu,n\nb,10\nc,\na,9.5\nd,10\n");
        // No more rows are asked for than are wanted.
        assert_eq!(chosen(None, None, Some(1)), ("gpu,n\nb,10\n".into(), 1));
        assert_eq!(chosen(Some("n, gpu"), None, Some(1)).0, "n,gpu\n10,b\n");
        // Equal values keep their order, and null is last.
        assert_eq!(chosen(Some("gpu"), Some("n"), None).0, "gpu\na\nb\nd\nc\n");
        assert_eq!(chosen(Some("gpu"), Some("-n"), Some(3)).0, "gpu\nb\nd\na\n");
        assert_eq!(chosen(Some("gpu"), Some("-gpu"), Some(1)).0, "gpu\nd\n");
    }

    #[test]
    fn a_name_that_is_no_column_is_returned() {
        let all = ["gpu".to_owned()];
        assert_eq!(Selection::new(&all, Some("gpu,x"), None, None).unwrap_err(), "x");
        assert_eq!(Selection::new(&all, None, Some("-y"), None).unwrap_err(), "y");
    }
}
