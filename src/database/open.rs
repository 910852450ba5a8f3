//! Opening a database to read it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Once;

use anyhow::{Context, Result, anyhow, bail, ensure};
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags};

use crate::database::schema::{APPLICATION_ID, SCHEMA_VERSION};
use crate::database::{known, schema_pages};
use crate::panics;
use crate::signal::Signals;

/// Bytes of a SQLite file's header.
const HEADER_BYTES: usize = 100;
/// The first schema version that there was.
const FIRST_VERSION: i32 = 1;
/// Bytes of the longest value that a query may make.
const LONGEST_VALUE: i32 = 64 << 20;
/// Bytes of memory that SQLite may use in all. A statement or a file that needs more is refused.
const MOST_MEMORY: i64 = 256 << 20;
/// Tables, indexes and views of the largest schema that is read.
const MOST_OBJECTS: usize = 2000;
/// Bytes of the longest value that may be compared with another. Values of energydb are shorter.
const LONGEST_COMPARED: i32 = 256 << 10;
/// Bytes of the longest statement. A longer one may take minutes to prepare, and cannot be stopped then.
const LONGEST_STATEMENT: i32 = 1_000_000;

/// Opens an energydb database read-only. The signals end what it does, from the reading of the
/// schema on.
///
/// # Errors
/// When the file is missing, is not an energydb database, or has another schema version; the
/// message says what to do.
pub fn read_only(path: &Path, signals: &Signals) -> Result<Connection> {
    version_to_read(path)?;
    let connection = connect(path, signals)?;
    known::refuse_altered(&connection)
        .with_context(|| format!("altered after energydb built it: {}", path.display()))?;
    Ok(connection)
}

/// Leaves a connection that is not used again to the end of the program, since freeing the memory of a
/// schema takes as long as a small query. In write-ahead mode SQLite must close it, to remove its files.
pub fn leave(connection: Connection) {
    let is_file = connection.path().is_some_and(|path| !path.is_empty());
    let has_files_beside = is_file && !connection.is_readonly(MAIN_DB).unwrap_or(false);
    if !has_files_beside {
        std::mem::forget(connection);
    }
}

/// Opens the image of a database in memory read-only, without a copy.
///
/// # Errors
/// When SQLite refuses, as without memory.
pub fn image(bytes: &'static [u8]) -> Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    connection.deserialize_bytes(MAIN_DB, bytes)?;
    distrust(&mut connection)?;
    Ok(connection)
}

/// Refuses a file that is not an energydb database of this schema version.
///
/// # Errors
/// As [`read_only`].
pub fn version_to_read(path: &Path) -> Result<()> {
    match version_to_migrate(path)? {
        SCHEMA_VERSION => Ok(()),
        version => bail!(
            "an older energydb built this database (schema version {version}, this energydb reads \
             {SCHEMA_VERSION}): {0}; upgrade it with 'energydb migrate {0}'",
            path.display()
        ),
    }
}

/// Opens an energydb database of this schema version or an older one read-only, to compare all that
/// is in it.
///
/// # Errors
/// As [`read_only`], except for an older version, and when anything was added to the schema.
pub fn of_any_version(path: &Path, signals: &Signals) -> Result<Connection> {
    let version = version_to_migrate(path)?;
    let connection = connect(path, signals)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_COMPARED)?;
    known::refuse_foreign(&connection, version)
        .with_context(|| format!("altered after energydb built it: {}", path.display()))?;
    Ok(connection)
}

/// Opens an energydb database with any schema, to check it.
///
/// # Errors
/// As [`read_only`].
pub fn to_check(path: &Path, signals: &Signals) -> Result<Connection> {
    version_to_read(path)?;
    let mut connection = connect(path, signals)?;
    allow_checking(&mut connection)?;
    Ok(connection)
}

/// Lets a connection that only reads run SQLite's own checks too.
///
/// # Errors
/// When SQLite refuses.
pub fn allow_checking(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.authorizer(Some(only_checking))
}

/// The schema version of an energydb database. It is at most this program's version.
///
/// # Errors
/// When the file is missing, is not an energydb database, or a newer energydb built it; the message
/// says what to do.
pub fn version_to_migrate(path: &Path) -> Result<i32> {
    let shown = path.display();
    let rebuild = "build one with 'energydb build -o FILE'";
    let Some(header) = header(path)? else {
        if let Some(advice) = packed(path) {
            bail!("not an energydb database, but a compressed file: {shown}; {advice}");
        }
        bail!("not an energydb database, and not a SQLite file: {shown}; {rebuild}");
    };
    if header.application_id != APPLICATION_ID {
        bail!("not an energydb database, but a SQLite file of another kind: {shown}; {rebuild}");
    }
    refuse_large_schema(path)?;
    let version = header.user_version;
    if version > SCHEMA_VERSION {
        bail!(
            "a newer energydb built this database (schema version {version}, this energydb reads \
             {SCHEMA_VERSION}): {shown}; install the newer energydb"
        );
    }
    if version < FIRST_VERSION {
        bail!("unknown schema version {version}: {shown}; {rebuild}");
    }
    Ok(version)
}

/// How to unpack a file that is compressed, as a release's database is too.
fn packed(path: &Path) -> Option<&'static str> {
    const LONGEST: usize = 4;
    let mut start = Vec::new();
    File::open(path).ok()?.take(LONGEST as u64).read_to_end(&mut start).ok()?;
    match start[..] {
        [0x28, 0xb5, 0x2f, 0xfd] => Some("unpack it with 'zstd -d' first"),
        [0x1f, 0x8b, ..] => Some("unpack it with 'gunzip' first"),
        [b'P', b'K', 3, 4] => Some("unpack it with 'unzip' first"),
        _ => None,
    }
}

/// Refuses a schema with so many objects that SQLite would take minutes to read it.
fn refuse_large_schema(path: &Path) -> Result<()> {
    let shown = path.display();
    let objects = File::open(path)
        .and_then(|file| schema_pages::objects(file, MOST_OBJECTS))
        .with_context(|| format!("could not read the database: {shown}"))?;
    ensure!(
        objects <= MOST_OBJECTS,
        "its schema has more than {MOST_OBJECTS} objects, so energydb did not build it: {shown}"
    );
    Ok(())
}

fn connect(path: &Path, signals: &Signals) -> Result<Connection> {
    let shown = path.display();
    // Reading a database in write-ahead mode makes files next to it, and only a writer removes them. If
    // another program has the database open, its files stay.
    let access = if is_write_ahead(path) && !beside(path, "-wal").exists() {
        OpenFlags::SQLITE_OPEN_READ_WRITE
    } else {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    };
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(plain(path)?, flags)
        .with_context(|| format!("could not open the database: {shown}"))?;
    let cannot_open = || format!("could not open the database: {shown}");
    signals.interrupt(&mut connection).with_context(cannot_open)?;
    distrust(&mut connection).with_context(cannot_open)?;
    refuse_broken_names(&connection)
        .map_err(|error| unfinished(error, path))
        .with_context(cannot_open)?;
    Ok(connection)
}

/// Limits a connection to reading, and the schema to columns and functions of SQLite.
///
/// # Errors
/// When SQLite refuses.
pub fn distrust(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST_STATEMENT)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    limit_memory(connection)?;
    refuse_broken_arguments();
    connection.authorizer(Some(only_reading))
}

/// Refuses a pragma's argument that is not UTF-8, as `pragma_table_info(cast(x'ff' as text))` gives
/// it. rusqlite panics before it asks the authorizer, catches this, and SQLite denies the pragma.
fn refuse_broken_arguments() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        panics::silence(|panic| {
            let what = panic.payload_as_str().unwrap_or_default();
            what.starts_with("received non-utf8 string as authorizer param")
        });
    });
}

/// Limits the memory of SQLite, in all connections.
///
/// # Errors
/// When SQLite refuses.
pub fn limit_memory(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "hard_heap_limit", MOST_MEMORY)
}

/// Explains why a file cannot be read without writing: another program left files next to it.
fn unfinished(error: anyhow::Error, path: &Path) -> anyhow::Error {
    let code = error.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code);
    let is_in_way = matches!(code, Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen));
    let advice = "copy it and the files beside it to a folder that you may write to, and open it \
                  there once with another SQLite program";
    let journal = beside(path, "-journal");
    if is_in_way && journal.exists() {
        return anyhow!(
            "another program did not finish a transaction, and {} must be rolled back; {advice}",
            journal.display()
        );
    }
    if is_in_way && is_write_ahead(path) {
        return anyhow!(
            "it is in write-ahead mode, which needs a folder that you may write to; {advice}, and \
             run 'pragma journal_mode = delete'"
        );
    }
    error
}

/// Whether a file is in write-ahead mode, as its header says.
fn is_write_ahead(path: &Path) -> bool {
    const READ_VERSION: usize = 19;
    let mut header = [0; READ_VERSION + 1];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header[READ_VERSION] == 2
}

/// Refuses a schema whose names are not UTF-8, because errors show these names.
fn refuse_broken_names(connection: &Connection) -> Result<()> {
    let mut statement = connection.prepare("select name, tbl_name, sql from sqlite_schema")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..3 {
            let is_text = match row.get_ref(column)? {
                ValueRef::Text(text) => std::str::from_utf8(text).is_ok(),
                ValueRef::Null => true,
                _ => false,
            };
            if !is_text {
                bail!("its schema is not text in UTF-8");
            }
        }
    }
    Ok(())
}

/// Pragmas that read the schema and change nothing.
const TELLING_PRAGMAS: [&str; 7] = [
    "table_info",
    "table_xinfo",
    "table_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "foreign_key_list",
];

/// A statement that SQLite calls read-only may still attach a file, begin a transaction or set a
/// pragma. Only an authorizer prevents this.
fn only_reading(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => {
            Authorization::Allow
        }
        AuthAction::Function { function_name } if function_name != "load_extension" => {
            Authorization::Allow
        }
        AuthAction::Pragma { pragma_name, .. } if TELLING_PRAGMAS.contains(&pragma_name) => {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }
}

/// Pragmas that check a database and change nothing.
const CHECKING_PRAGMAS: [&str; 6] = [
    "foreign_key_check",
    "freelist_count",
    "integrity_check",
    "page_count",
    "page_size",
    "user_version",
];

fn only_checking(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Pragma { pragma_name, .. } if CHECKING_PRAGMAS.contains(&pragma_name) => {
            Authorization::Allow
        }
        _ => only_reading(context),
    }
}

/// The owner in the header of a SQLite file.
pub struct Header {
    /// Whose file it is.
    pub application_id: i32,
    /// Version of its schema.
    pub user_version: i32,
}

/// The header of a file, or `None` if it is not a SQLite file.
///
/// # Errors
/// When the file is missing or cannot be read.
pub fn header(path: &Path) -> Result<Option<Header>> {
    let shown = path.display();
    if path.is_dir() {
        bail!("a folder is not a database: {shown}; name a file");
    }
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        bail!("not a regular file: {shown}");
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && path.is_symlink() => {
            bail!("a symbolic link to a missing file: {shown}; remove it, or name another file")
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("no such database: {shown}; build it with 'energydb build -o FILE'")
        }
        Err(error) => {
            return Err(error).with_context(|| format!("could not read the database: {shown}"));
        }
    };
    let mut bytes = Vec::new();
    file.take(HEADER_BYTES as u64)
        .read_to_end(&mut bytes)
        .with_context(|| format!("could not read the database: {shown}"))?;
    let number = |at: usize| {
        bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map(i32::from_be_bytes)
    };
    if !bytes.starts_with(b"SQLite format 3\0") {
        return Ok(None);
    }
    Ok(match (number(68), number(60)) {
        (Some(application_id), Some(user_version)) => Some(Header { application_id, user_version }),
        _ => None,
    })
}

/// The file that SQLite keeps beside a database, whose name has this ending.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// An absolute path. SQLite gives `:memory:` and the empty path a special meaning.
pub(super) fn plain(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("not a path: '{}'", path.display()))
}
