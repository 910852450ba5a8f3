//! One of the two releases that are compared: a database, the folder of a release, or source
//! documents, of which a database is made for the moment.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use rusqlite::Connection;

use super::{build, limit};
use crate::cli::Global;
use crate::database::build::{Plan, accepted};
use crate::database::open;
use crate::release;
use crate::signal::Signals;
use crate::source::document::Document;

/// The bytes that begin what zstd writes.
const ZSTD_START: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Opens a release to read it. A database may be of an older schema.
///
/// # Errors
/// When it is none of these, or cannot be read.
pub(super) fn open(
    path: &Path,
    accept: &[String],
    global: &Global,
    signals: &Signals,
) -> Result<Connection> {
    let accept = accepted(accept)?;
    let path = release::database_in(path)?.unwrap_or_else(|| path.to_owned());
    if is_zstd(&path) {
        let shown = path.display();
        bail!("{shown} is compressed, as a release's second database is; unpack it with 'zstd -d'");
    }
    let mut connection = if is_database(&path)? {
        open::of_any_version(&path)?
    } else {
        let documents = Document::of_inputs(&[PathBuf::from(&path)], signals)?;
        build::temporary(&Plan::new(documents, accept)?, global, signals)?
    };
    limit(&mut connection, global, signals)?;
    Ok(connection)
}

/// Whether a file is what zstd writes. No document begins so.
fn is_zstd(path: &Path) -> bool {
    let mut start = [0; ZSTD_START.len()];
    let is_read = path.is_file()
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok());
    is_read && start == ZSTD_START
}

/// Whether a path is that of a SQLite file. Only a file can be one.
fn is_database(path: &Path) -> Result<bool> {
    Ok(path.is_file() && open::header(path)?.is_some())
}
