//! Checks of the file itself: its pages, keys, schema, history of migrations, views, dictionary.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;

use anyhow::{Context, Result, ensure};
use rusqlite::Connection;
use rusqlite::types::Value;

use super::{Subject, first_of};
use crate::database::schema::{self, HISTORY, SCHEMA_VERSION, quoted};

pub fn sqlite(subject: &Subject<'_>) -> Result<String> {
    let found: Vec<String> = subject
        .connection
        .prepare("pragma integrity_check")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    ensure!(found == ["ok"], "SQLite finds damage: {}", first_of(&found));
    Ok("SQLite finds no damage in any page or index".into())
}

/// Where the file format versions for writers and for readers are.
const FORMAT_VERSIONS: std::ops::Range<usize> = 18..20;

pub fn form(subject: &Subject<'_>) -> Result<String> {
    let Some(path) = subject.connection.path().filter(|path| !path.is_empty()) else {
        return Ok("in memory".into());
    };
    let mut header = [0; FORMAT_VERSIONS.end];
    File::open(path)?.read_exact(&mut header)?;
    ensure!(
        header[FORMAT_VERSIONS] == [1, 1],
        "it is in write-ahead mode, so it cannot be read in a read-only folder"
    );
    let pragma = |name| subject.connection.pragma_query_value(None, name, |row| row.get(0));
    let (pages, page_bytes, free): (i64, i64, i64) =
        (pragma("page_count")?, pragma("page_size")?, pragma("freelist_count")?);
    let bytes = i64::try_from(std::fs::metadata(path)?.len())?;
    ensure!(bytes == pages * page_bytes, "{bytes} bytes, but {pages} pages of {page_bytes} bytes");
    ensure!(free == 0, "{free} pages are unused, so rows were deleted after it was built");
    Ok(format!("{pages} pages of {page_bytes} bytes, readable in any folder"))
}

pub fn foreign_keys(subject: &Subject<'_>) -> Result<String> {
    let broken: Vec<String> = subject
        .connection
        .prepare("pragma foreign_key_check")?
        .query_map([], |row| {
            let (table, row_id): (String, Option<i64>) = (row.get(0)?, row.get(1)?);
            let referred: String = row.get(2)?;
            Ok(format!(
                "row {} of {table} refers to a missing row of {referred}",
                row_id.unwrap_or(0)
            ))
        })?
        .collect::<rusqlite::Result<_>>()?;
    ensure!(broken.is_empty(), "{}", first_of(&broken));
    Ok("every key refers to a row".into())
}

pub fn schema_version(subject: &Subject<'_>) -> Result<String> {
    let version: i32 =
        subject.connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    ensure!(version == SCHEMA_VERSION, "version {version}, not {SCHEMA_VERSION}");
    Ok(version.to_string())
}

pub fn schema(subject: &Subject<'_>) -> Result<String> {
    let faults = subject.differences.sentences();
    ensure!(faults.is_empty(), "{}", first_of(&faults));
    let number = schema::objects(&subject.fresh)?.len();
    Ok(format!("{number} tables, indexes and views, as in schema version {SCHEMA_VERSION}"))
}

pub fn history(subject: &Subject<'_>) -> Result<String> {
    let (found, expected) = (migrations(subject.connection)?, migrations(&subject.fresh)?);
    ensure!(found == expected, "the rows of {HISTORY} are not those that energydb writes");
    Ok(format!("{} migrations", expected.len()))
}

/// The rows of the history of migrations. What is there is taken as it is, since only
/// values that energydb wrote could be parsed without a fault.
fn migrations(connection: &Connection) -> rusqlite::Result<Vec<Vec<Value>>> {
    let sql = format!("select version, name, applied_on, checksum from {HISTORY} order by version");
    connection
        .prepare(&sql)?
        .query_map([], |row| (0..4).map(|column| row.get(column)).collect())?
        .collect()
}

pub fn views(subject: &Subject<'_>) -> Result<String> {
    ensure!(
        subject.differences.sentences().is_empty(),
        "not read, because the schema is not energydb's"
    );
    let mut read = Vec::new();
    for (kind, name) in schema::objects(&subject.fresh)?.into_keys() {
        if kind == "view" {
            let mut statement =
                subject.connection.prepare(&format!("select * from {} limit 1", quoted(&name)))?;
            statement.query([])?.next().with_context(|| format!("could not read {name}"))?;
            read.push(name);
        }
    }
    Ok(format!("{} views can be read", read.len()))
}

pub fn dictionary(subject: &Subject<'_>) -> Result<String> {
    let described = described(subject.connection)?;
    let expected = self::described(&subject.fresh)?;
    let missing: Vec<_> = expected
        .keys()
        .filter(|key| described.get(*key).is_none_or(String::is_empty))
        .map(|(object, column)| match column {
            Some(column) => format!("{object}.{column} is not explained"),
            None => format!("{object} is not explained"),
        })
        .collect();
    ensure!(missing.is_empty(), "{}", first_of(&missing));
    Ok(format!("{} entries", described.len()))
}

/// What a dictionary explains, with the meaning.
fn described(
    connection: &Connection,
) -> rusqlite::Result<BTreeMap<(String, Option<String>), String>> {
    connection
        .prepare("select object_name, column_name, meaning from dictionary")?
        .query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?
        .collect()
}
