//! The text of a Parquet file: a JSON object in each line, one for each row. A real that is not a
//! number counts as missing, as the libraries write it that have no null.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Cursor, Error, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::{ReaderIter, TreeBuilder};
use parquet::record::{Field, Row};
use serde_json::Value;

use crate::panics;

/// Bytes of text that are always allowed.
const TEXT_FREELY: u64 = 64 << 20;
/// How many times the file's size its text may be beyond that. Measurements come to about ten.
const MOST_EXPANSION: u64 = 1000;

/// The text of the file that comes. Its end says where everything is, so it is kept in a temporary
/// file first.
///
/// # Errors
/// When the bytes cannot be had, or are no sound Parquet.
pub(crate) fn unpacked<'r>(mut received: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
    let mut file = tempfile::tempfile()?;
    let bytes = io::copy(&mut received, &mut file)?;
    let file = sound(|| SerializedFileReader::new(file))?;
    let most = TEXT_FREELY.max(bytes.saturating_mul(MOST_EXPANSION));
    Ok(Box::new(Lines { file, group: 0, rows: None, line: Cursor::default(), written: 0, most }))
}

/// The rows of a file as lines.
struct Lines {
    file: SerializedFileReader<File>,
    /// The group of rows that is read next.
    group: usize,
    rows: Option<ReaderIter>,
    line: Cursor<Vec<u8>>,
    written: u64,
    most: u64,
}

impl Lines {
    /// The next row; none at the end.
    fn next(&mut self) -> io::Result<Option<Row>> {
        loop {
            if let Some(rows) = &mut self.rows
                && let Some(row) = sound(|| rows.next().transpose())?
            {
                return Ok(Some(row));
            }
            if self.group == self.file.num_row_groups() {
                return Ok(None);
            }
            self.rows = Some(sound(|| {
                let group = self.file.get_row_group(self.group)?;
                let columns = group.metadata().schema_descr_ptr();
                TreeBuilder::new().as_iter(columns, group.as_ref())
            })?);
            self.group += 1;
        }
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.line.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let Some(row) = self.next()? else { return Ok(0) };
            let line = line(&row);
            self.written += line.len() as u64;
            if self.written > self.most {
                return Err(Error::other(format!(
                    "its text would be more than {MOST_EXPANSION} times its size"
                )));
            }
            self.line = Cursor::new(line);
        }
    }
}

thread_local! {
    /// Whether this thread runs the library that reads Parquet.
    static IS_READING: Cell<bool> = const { Cell::new(false) };
}

/// What reading came to. The library panics on some damaged files, which is a fault of the file, so it
/// is reported as any other.
fn sound<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
    let fault = |what: String| {
        Error::other(format!("its Parquet is damaged or of an unknown kind: {what}"))
    };
    static QUIET: Once = Once::new();
    QUIET.call_once(|| panics::silence(|_| IS_READING.get()));
    IS_READING.set(true);
    let read = catch_unwind(AssertUnwindSafe(read));
    IS_READING.set(false);
    match read {
        Ok(read) => read.map_err(|error| fault(error.to_string())),
        Err(_) => Err(fault("it cannot be read".into())),
    }
}

/// A row as JSON, with the newline.
fn line(row: &Row) -> Vec<u8> {
    let members: serde_json::Map<String, Value> =
        row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect();
    let mut line = Value::Object(members).to_string().into_bytes();
    line.push(b'\n');
    line
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => (*value).into(),
        Field::Byte(value) => (*value).into(),
        Field::Short(value) => (*value).into(),
        Field::Int(value) => (*value).into(),
        Field::Long(value) => (*value).into(),
        Field::UByte(value) => (*value).into(),
        Field::UShort(value) => (*value).into(),
        Field::UInt(value) => (*value).into(),
        Field::ULong(value) => (*value).into(),
        Field::Float16(value) => real(value.to_f64()),
        Field::Float(value) => real(f64::from(*value)),
        Field::Double(value) => real(*value),
        Field::Str(text) => text.as_str().into(),
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into(),
        Field::Date(_)
        | Field::Decimal(_)
        | Field::TimeMillis(_)
        | Field::TimeMicros(_)
        | Field::TimestampMillis(_)
        | Field::TimestampMicros(_) => field.to_string().into(),
        // No column of measurements has parts, and an array is refused where one value must be.
        Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => {
            Value::Array(Vec::new())
        }
    }
}

/// A real. An infinite one is text, which is refused where a number must be.
fn real(value: f64) -> Value {
    if value.is_nan() {
        return Value::Null;
    }
    serde_json::Number::from_f64(value).map_or_else(|| value.to_string().into(), Value::Number)
}
