//! The folder of a release: the database, and what readers without energydb need of it.
//!
//! [`crate::replace::folder`] makes it beside its place and puts it there in one step. [`summary`] reads what the
//! database says of the release; [`views`] writes each view as CSV; [`data_package`], [`metadata`]
//! with [`canned`], and [`pages`] describe it to Frictionless, to Datasette and to people.

pub mod canned;
pub mod data_package;
pub mod document_file;
pub mod metadata;
pub mod pages;
pub mod summary;
pub mod views;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The file that lists every other with its sha256.
pub const SUMS: &str = "SHA256SUMS";
/// The file that describes the tables, by which a release is recognised.
pub const DESCRIPTION: &str = "datapackage.json";
/// The folder of the views.
pub const VIEWS: &str = "csv";
/// The folder of the published documents.
pub const DOCUMENTS: &str = "json";
/// How the name of the database begins, before the day that names the state of the data.
const DATABASE_PREFIX: &str = "energydb-";
/// How the name of the database ends.
const DATABASE_ENDING: &str = ".sqlite";

/// The name of the database of a release, without its ending.
pub fn database_stem(data_version: &str) -> String {
    format!("{DATABASE_PREFIX}{data_version}")
}

/// The name of the database of a release.
pub fn database_name(data_version: &str) -> String {
    format!("{}{DATABASE_ENDING}", database_stem(data_version))
}

/// The database in the folder of a release; none where the path is no such folder.
///
/// # Errors
/// When the folder cannot be read or holds no database, or several.
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
        if name.starts_with(DATABASE_PREFIX) && name.ends_with(DATABASE_ENDING) {
            found.push(entry.path());
        }
    }
    match &found[..] {
        [one] => Ok(Some(one.clone())),
        [] => bail!("the release holds no database: {shown}"),
        _ => bail!("the release holds several databases; name one of them: {shown}"),
    }
}
