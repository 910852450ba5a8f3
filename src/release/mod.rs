//! The release folder: the database, and files for readers without energydb.
//!
//! - [`place`] checks the destination, and [`make`] makes the folder.
//! - [`documents`] writes the published documents, and [`exported`] puts them into a folder of the user.
//! - [`tables`] passes rows to [`csv`] and [`parquet`].
//! - The [`description`] of the release becomes [`data_package`] for Frictionless, [`croissant`] for training,
//!   [`hub`] for Hugging Face, [`citation`], and [`zenodo`].
//! - [`metadata`] with [`canned`] is for Datasette. [`queries`], [`changes`] and [`pages`] are for people.

pub mod canned;
pub mod changes;
pub mod citation;
pub mod croissant;
pub mod csv;
pub mod data_package;
pub mod description;
mod document;
pub mod documents;
pub mod exported;
pub mod hub;
pub mod make;
pub mod metadata;
pub mod pages;
pub mod parquet;
pub mod place;
pub mod queries;
pub mod tables;
pub mod zenodo;

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::database::release::is_file_name;

/// The file that lists every other with its sha256.
pub const SUMS: &str = "SHA256SUMS";
/// The file that describes the tables, by which a release is recognised.
pub const DESCRIPTION: &str = "datapackage.json";
/// The file that describes them to programs that train models.
pub const CROISSANT: &str = "croissant.json";
/// The folder of the tables and views as CSV.
pub const CSV: &str = "csv";
/// The folder of the tables and views as Parquet.
pub const PARQUET: &str = "parquet";
/// The folder of Parquet that is split by the values of columns.
pub const PARTITIONS: &str = "hive";
/// The folder of the published documents.
pub const DOCUMENTS: &str = "json";
/// The database in a release folder, or `None` if the path is not such a folder.
///
/// # Errors
/// When the folder cannot be read or contains no database, or several.
pub fn database_in(path: &Path) -> Result<Option<PathBuf>> {
    if ![SUMS, DESCRIPTION].iter().all(|name| path.join(name).is_file()) {
        return Ok(None);
    }
    let shown = path.display();
    let mut found = Vec::new();
    for entry in
        fs::read_dir(path).with_context(|| format!("could not read the folder: {shown}"))?
    {
        let entry = entry.with_context(|| format!("could not read the folder: {shown}"))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if is_file_name(&name) {
            found.push(entry.path());
        }
    }
    match &found[..] {
        [one] => Ok(Some(one.clone())),
        [] => bail!("the release contains no database: {shown}"),
        _ => bail!("the release contains several databases; name one of them: {shown}"),
    }
}

/// Every file of a folder and the folders in it, relative to it, with / between the parts, in order.
/// A link counts as a file.
///
/// # Errors
/// When it cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(within) = folders.pop() {
        for entry in fs::read_dir(folder.join(&within))? {
            let entry = entry?;
            let path = within.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                found.push(with_slashes(&path));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn with_slashes(path: &Path) -> String {
    let parts = path.components().map(Component::as_os_str).map(|part| part.to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}
