//! Opens a release to compare: a database, a release folder, or source documents, from which a temporary
//! database is built.

use std::path::{Path, PathBuf};

use anyhow::Result;
use rusqlite::Connection;

use super::build;
use crate::cli::Global;
use crate::database::build::{Plan, accepted};
use crate::database::open;
use crate::input::document::Document;
use crate::input::exclude::exclude;
use crate::release;
use crate::signal::Signals;

/// Opens a release to read it. A database may be of an older schema.
///
/// # Errors
/// When it is none of these, or cannot be read.
pub(super) fn open(
    path: &Path,
    accept: &[String],
    excluded: &[String],
    global: &Global,
    signals: &Signals,
) -> Result<Connection> {
    let accept = accepted(accept)?;
    let path = release::database_in(path)?.unwrap_or_else(|| path.to_owned());
    if is_database(&path)? {
        return open::of_any_version(&path, signals);
    }
    let mut documents = Document::of_inputs(&[PathBuf::from(&path)], signals)?;
    // The pattern may match files in only one of the two folders.
    exclude(&mut documents, excluded, false)?;
    let (connection, _) = build::temporary(&Plan::new(documents, accept)?, global, signals)?;
    Ok(connection)
}

/// Whether a path is that of a SQLite file. Only a file can be one.
fn is_database(path: &Path) -> Result<bool> {
    Ok(path.is_file() && open::header(path)?.is_some())
}
