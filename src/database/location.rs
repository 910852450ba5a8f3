//! The database that a command reads: the first one that is named. If it cannot be read, the command fails
//! and does not try the next.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rusqlite::Connection;

use super::open;
use crate::embedded::IMAGE;
use crate::signal::Signals;

/// The database of the current folder.
const LOCAL: &str = "energy.sqlite";

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// In a file.
    File(PathBuf),
    /// The one that the program carries.
    BuiltIn,
}

impl Location {
    /// What `--db` or ENERGYDB_DB names, else `./energy.sqlite`, else the built-in data.
    pub fn find(named: Option<&Path>) -> Self {
        match named {
            Some(path) => Self::File(path.to_owned()),
            None => match Path::new(LOCAL).symlink_metadata() {
                Err(error) if error.kind() == ErrorKind::NotFound => Self::BuiltIn,
                // A file that cannot be read is refused when it is opened.
                _ => Self::File(LOCAL.into()),
            },
        }
    }

    /// Opens the database to read it. The signals end what it does.
    ///
    /// # Errors
    /// When the file is missing or is not a database that this program reads.
    pub fn open(&self, signals: &Signals) -> Result<Connection> {
        match self {
            Self::File(path) => open::read_only(path, signals),
            Self::BuiltIn => {
                let mut connection = open::image(&IMAGE)?;
                signals.interrupt(&mut connection)?;
                Ok(connection)
            }
        }
    }

    /// Opens the database to check it.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_to_check(&self, signals: &Signals) -> Result<Connection> {
        match self {
            Self::File(path) => open::to_check(path, signals),
            Self::BuiltIn => {
                let mut connection = self.open(signals)?;
                open::allow_checking(&mut connection)?;
                Ok(connection)
            }
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(formatter),
            Self::BuiltIn => formatter.write_str("the built-in data"),
        }
    }
}
