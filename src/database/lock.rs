//! SQLite's locks on a database that is to be copied or replaced, so that no transaction of another program
//! is lost or applied to the wrong file.
//!
//! A transaction has a journal next to the database. If the database were replaced during the transaction,
//! the journal would be next to the new file, and the next reader would write old pages into it. SQLite
//! refuses to begin a transaction on a file that was moved, but only with a rollback journal. So a database
//! in write-ahead mode is switched to a rollback journal first.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::open;
use crate::platform;

/// How long to wait for the transaction of another program.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a lock is tried again after another program has replaced the file.
const MOST_TRIES: usize = 100;

/// A database on which no other program begins or ends a transaction.
pub struct Held {
    /// Holds the lock. It is closed before the file, since closing any handle of a file gives up
    /// every lock on it.
    connection: Connection,
    file: File,
}

/// Keeps other programs from beginning a transaction on a database, until the value is dropped. They may
/// still read. Returns `None` if SQLite cannot lock the file, because then no program can change it with
/// SQLite. It also returns `None` on systems that do not replace an open file.
///
/// # Errors
/// When another program has a transaction open, or changed the file and did not end the change.
pub fn to_replace(path: &Path, given: &Path) -> Result<Option<Held>> {
    // SQLite would begin a database in an empty file.
    let is_database =
        path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
    let held = if platform::REPLACES_OPEN_FILES && is_database {
        match hold(path, given, lock_for_replacing) {
            Err(error) if !is_busy(&error) && error.is::<rusqlite::Error>() => None,
            held => Some(held?),
        }
    } else {
        None
    };
    refuse_journals(path, given)?;
    Ok(held)
}

/// Keeps other programs from changing a database that is to be copied, until the value is dropped.
///
/// # Errors
/// As [`to_replace`], and when SQLite cannot read the file.
pub fn to_copy(path: &Path) -> Result<Held> {
    refuse_journals(path, path)?;
    let held = hold(path, path, |connection| {
        connection.execute_batch("begin; select count(*) from sqlite_schema")
    })
    .with_context(|| format!("could not read the database: {}", path.display()))?;
    refuse_journals(path, path)?;
    Ok(held)
}

impl Held {
    /// Copies the database, byte for byte.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn copy_to(&self, path: &Path) -> io::Result<()> {
        io::copy(&mut &self.file, &mut File::create(path)?)?;
        Ok(())
    }
}

/// Locks a database, and makes sure that its path still leads to the locked file.
fn hold(
    path: &Path,
    given: &Path,
    lock: impl Fn(&Connection) -> rusqlite::Result<()>,
) -> Result<Held> {
    for _ in 0..MOST_TRIES {
        let shown = given.display();
        let file = File::open(path).with_context(|| format!("could not read: {shown}"))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let locked =
            Connection::open_with_flags(open::plain(path)?, flags).and_then(|connection| {
                connection.busy_timeout(PATIENCE)?;
                lock(&connection)?;
                Ok(connection)
            });
        let connection = locked.map_err(Error::from).map_err(|error| {
            if is_busy(&error) {
                return error.context(format!(
                    "another program has a transaction open in {}, or has it open in write-ahead \
                     mode; close that program and try again",
                    given.display()
                ));
            }
            error
        })?;
        let held = Held { connection, file };
        if held.is_at(path) {
            return Ok(held);
        }
    }
    bail!("other programs keep replacing {}; try again later", given.display())
}

impl Held {
    /// Whether a path is still that of the file.
    fn is_at(&self, path: &Path) -> bool {
        let held = self.file.metadata().ok().and_then(|held| platform::identity(&held));
        let named = fs::metadata(path).ok().and_then(|named| platform::identity(&named));
        held == named && !self.connection.is_autocommit()
    }
}

/// Takes the lock of a writer, in a database with a rollback journal.
fn lock_for_replacing(connection: &Connection) -> rusqlite::Result<()> {
    loop {
        let mode = |name| connection.pragma_query_value(None, name, |row| row.get::<_, String>(0));
        if mode("journal_mode")? == "wal" {
            // Fails if another program has it open, which could continue in write-ahead mode.
            connection.pragma_update(None, "journal_mode", "delete")?;
        }
        connection.execute_batch("begin immediate")?;
        if mode("journal_mode")? != "wal" {
            return Ok(());
        }
        // Another program went back to write-ahead mode before the lock was taken.
        connection.execute_batch("rollback")?;
    }
}

fn is_busy(error: &Error) -> bool {
    let code = error.downcast_ref::<rusqlite::Error>().and_then(|error| error.sqlite_error_code());
    matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Whether a path is that of a file which SQLite keeps beside a database while it is open.
pub fn is_beside(path: &Path, database: &Path) -> bool {
    ["-journal", "-wal", "-shm"].iter().any(|ending| path == open::beside(database, ending))
}

/// Refuses a database with changes of another program next to it. SQLite would apply them to any file of
/// this name, even if the database is gone.
///
/// # Errors
/// When there are some.
pub fn refuse_journals(path: &Path, given: &Path) -> Result<()> {
    for ending in ["-journal", "-wal"] {
        let beside = open::beside(path, ending);
        if beside.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            bail!(
                "another program is writing to {}, or was killed while it was writing: {} contains its \
                 changes; close that program, or remove both files",
                given.display(),
                beside.display()
            );
        }
    }
    Ok(())
}
