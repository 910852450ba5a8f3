//! Writes one Parquet file, a group of rows at a time.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::date::days_since_1970;
use crate::release::tables::{Cell, Column, Kind, Table};

/// Rows that are written together.
const ROWS_OF_A_GROUP: usize = 100_000;
/// How hard zstd works.
const ZSTD_LEVEL: i32 = 9;
/// The level of definition of a value that is there; that of a missing one is 0.
const PRESENT: i16 = 1;

/// A file that is being written.
pub struct Writer {
    path: PathBuf,
    file: SerializedFileWriter<File>,
    /// The columns of the table that the file has.
    places: Vec<usize>,
    columns: Vec<Values>,
    rows: usize,
}

/// The values of a column in a group of rows, and which of them are there.
struct Values {
    present: Vec<i16>,
    values: Typed,
}

enum Typed {
    Booleans(Vec<bool>),
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Texts(Vec<ByteArray>),
    Days(Vec<i32>),
}

impl Writer {
    /// A new file of these columns of a table.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(path: &Path, table: &Table, places: &[usize]) -> Result<Self> {
        let shown = || format!("could not write: {}", path.display());
        let columns: Vec<_> = places.iter().map(|&place| &table.columns[place]).collect();
        let fields: String = columns.iter().map(|column| declared(column)).collect();
        let schema = parse_message_type(&format!("message {} {{ {fields} }}", table.name));
        let properties = WriterProperties::builder()
            .set_created_by(format!("energydb version {}", env!("CARGO_PKG_VERSION")))
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
            .set_statistics_enabled(EnabledStatistics::Page)
            .set_key_value_metadata(Some(explained(table, &columns)))
            .build();
        let file = File::create_new(path).with_context(shown)?;
        let file = SerializedFileWriter::new(file, Arc::new(schema?), Arc::new(properties))
            .with_context(shown)?;
        let columns = columns.iter().map(|column| Values::new(column.kind)).collect();
        Ok(Self { path: path.into(), file, places: places.into(), columns, rows: 0 })
    }

    /// Writes a row of the table.
    ///
    /// # Errors
    /// When a value is not of its column's type, or the system refuses.
    pub fn row(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        for (column, &place) in self.columns.iter_mut().zip(&self.places) {
            column.add(&cells[place])?;
        }
        self.rows += 1;
        if self.rows == ROWS_OF_A_GROUP { self.end_group() } else { Ok(()) }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn finish(mut self) -> Result<()> {
        if self.rows > 0 {
            self.end_group()?;
        }
        self.file.close().with_context(|| format!("could not write: {}", self.path.display()))?;
        Ok(())
    }

    fn end_group(&mut self) -> Result<()> {
        let columns = &mut self.columns;
        let file = &mut self.file;
        let mut write = || -> parquet::errors::Result<()> {
            let mut group = file.next_row_group()?;
            for column in columns.iter_mut() {
                column.write(&mut group)?;
            }
            group.close()?;
            Ok(())
        };
        write().with_context(|| format!("could not write: {}", self.path.display()))?;
        self.rows = 0;
        Ok(())
    }
}

impl Values {
    fn new(kind: Kind) -> Self {
        let values = match kind {
            Kind::Boolean => Typed::Booleans(Vec::new()),
            Kind::Integer => Typed::Integers(Vec::new()),
            Kind::Real => Typed::Reals(Vec::new()),
            Kind::Text => Typed::Texts(Vec::new()),
            Kind::Day => Typed::Days(Vec::new()),
        };
        Self { present: Vec::new(), values }
    }

    fn add(&mut self, cell: &Cell<'_>) -> Result<()> {
        match (&mut self.values, *cell) {
            (_, Cell::Null) => {
                self.present.push(0);
                return Ok(());
            }
            (Typed::Booleans(values), Cell::Boolean(value)) => values.push(value),
            (Typed::Integers(values), Cell::Integer(value)) => values.push(value),
            (Typed::Reals(values), Cell::Real(value)) => values.push(value),
            (Typed::Texts(values), Cell::Text(value)) => values.push(value.into()),
            (Typed::Days(values), Cell::Day(value)) => values.push(days_since_1970(value)?),
            (_, other) => bail!("{other:?} is not of the type of its column"),
        }
        self.present.push(PRESENT);
        Ok(())
    }

    fn write(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, File>,
    ) -> parquet::errors::Result<()> {
        let present = &mut self.present;
        match &mut self.values {
            Typed::Booleans(values) => write::<BoolType>(group, values, present),
            Typed::Integers(values) => write::<Int64Type>(group, values, present),
            Typed::Reals(values) => write::<DoubleType>(group, values, present),
            Typed::Texts(values) => write::<ByteArrayType>(group, values, present),
            Typed::Days(values) => write::<Int32Type>(group, values, present),
        }
    }
}

/// Writes the next column of a group, and forgets its values.
fn write<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &mut Vec<T::T>,
    present: &mut Vec<i16>,
) -> parquet::errors::Result<()> {
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(values, Some(present), None)?;
        column.close()?;
    }
    values.clear();
    present.clear();
    Ok(())
}

/// A column in the language of Parquet's schemas.
fn declared(column: &Column) -> String {
    let name = &column.name;
    match column.kind {
        Kind::Boolean => format!("optional boolean {name}; "),
        Kind::Integer => format!("optional int64 {name}; "),
        Kind::Real => format!("optional double {name}; "),
        Kind::Text => format!("optional byte_array {name} (STRING); "),
        Kind::Day => format!("optional int32 {name} (DATE); "),
    }
}

/// What the table and its columns mean. Readers find it in the metadata of the file.
fn explained(table: &Table, columns: &[&Column]) -> Vec<KeyValue> {
    let mut known = vec![KeyValue::new("description".into(), table.meaning.clone())];
    for column in columns {
        for (what, text) in
            [("description", &column.meaning), ("unit", &column.unit), ("source", &column.source)]
        {
            let key = format!("{}.{what}", column.name);
            known.extend(text.clone().map(|text| KeyValue::new(key, text)));
        }
    }
    known
}
