//! Tables as Parquet: zstd, statistics, and what each column means in the metadata of the file. The
//! same table gives the same bytes.
//!
//! Only a program with the cargo feature `parquet` has the writer, because the crate takes minutes to compile.

#[cfg(not(feature = "parquet"))]
#[path = "absent.rs"]
mod writer;
#[cfg(feature = "parquet")]
mod writer;

use std::fs;
use std::path::Path;

use anyhow::{Context, Error, Result, bail};
use rusqlite::Connection;

use super::tables::{Cell, Kind, Table};
use crate::error::{WITHOUT_PARQUET, usage};
use crate::signal::Signals;
use writer::Writer;

/// How the name of a file ends.
pub const ENDING: &str = ".parquet";
/// The value of a partition whose rows lack one, as Hive names it.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";
/// The one file in the folder of a partition.
const PART: &str = "part-0.parquet";

/// Refuses where the program has no writer.
///
/// # Errors
/// When it has none.
pub fn available() -> Result<()> {
    if cfg!(feature = "parquet") { Ok(()) } else { Err(absent()) }
}

fn absent() -> Error {
    usage(WITHOUT_PARQUET)
}

/// Writes a table to a new file.
///
/// # Errors
/// When it cannot be read or written.
pub fn write(connection: &Connection, table: &Table, path: &Path) -> Result<()> {
    let all: Vec<_> = (0..table.columns.len()).collect();
    let mut writer = Writer::create(path, table, &all)?;
    table.rows(connection, &[], |cells| writer.row(cells))?;
    writer.finish()
}

/// Writes a table into a new folder, in which each value of the given columns has a folder of its own.
/// These columns are not in the files. A table that lacks one of them is left out.
///
/// # Errors
/// When a column is of reals, or the table cannot be read or written.
pub fn write_partitions(
    connection: &Connection,
    table: &Table,
    by: &[String],
    folder: &Path,
    signals: &Signals,
) -> Result<()> {
    let Some(keys) = by.iter().map(|name| table.position(name)).collect::<Option<Vec<_>>>() else {
        return Ok(());
    };
    for column in keys.iter().map(|&key| &table.columns[key]) {
        if column.kind == Kind::Real {
            return Err(usage(format!(
                "--partition takes columns of text or whole numbers; {} has reals",
                column.name
            )));
        }
    }
    let others: Vec<_> = (0..table.columns.len()).filter(|place| !keys.contains(place)).collect();
    let mut at_hand: Option<(String, Writer)> = None;
    table.rows(connection, &keys, |cells| {
        let parts = keys
            .iter()
            .map(|&key| Ok(format!("{}={}", table.columns[key].name, folder_of(&cells[key])?)));
        let place = parts.collect::<Result<Vec<_>>>()?.join("/");
        if at_hand.as_ref().is_none_or(|(of, _)| *of != place) {
            signals.check()?;
            if let Some((_, writer)) = at_hand.take() {
                writer.finish()?;
            }
            let within = folder.join(&place);
            fs::create_dir_all(&within)
                .with_context(|| format!("could not make the folder: {}", within.display()))?;
            at_hand = Some((place, Writer::create(&within.join(PART), table, &others)?));
        }
        match &mut at_hand {
            Some((_, writer)) => writer.row(cells),
            None => Ok(()),
        }
    })?;
    at_hand.map_or(Ok(()), |(_, writer)| writer.finish())
}

/// A value in the name of a folder. What Hive and Spark escape there is escaped.
fn folder_of(cell: &Cell<'_>) -> Result<String> {
    let text = match cell {
        Cell::Null => return Ok(MISSING.into()),
        Cell::Boolean(value) => value.to_string(),
        Cell::Integer(number) => number.to_string(),
        Cell::Text("") => return Ok(MISSING.into()),
        Cell::Text(text) | Cell::Day(text) => (*text).to_owned(),
        Cell::Real(number) => bail!("{number} names no partition"),
    };
    let is_escaped =
        |letter: char| letter.is_ascii_control() || "\"#%'*/:=?\\{[]^".contains(letter);
    Ok(text
        .chars()
        .map(|letter| match letter {
            letter if is_escaped(letter) => format!("%{:02X}", u32::from(letter)),
            letter => letter.to_string(),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_partition_is_named_as_hive_names_it() {
        for (cell, name) in [
            (Cell::Text("lm-arena-chat"), "lm-arena-chat"),
            (Cell::Text("meta/Llama: 100%"), "meta%2FLlama%3A 100%25"),
            (Cell::Text("PixArt-Σ"), "PixArt-Σ"),
            (Cell::Integer(8), "8"),
            (Cell::Null, "__HIVE_DEFAULT_PARTITION__"),
        ] {
            assert_eq!(folder_of(&cell).unwrap(), name);
        }
    }
}
