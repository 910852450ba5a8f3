//! What the tests of the program share: an empty folder, and the program run in it.
#![allow(dead_code, reason = "each test uses a part of this")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

/// The source data, byte for byte as published.
pub fn source() -> Vec<u8> {
    fs::read(in_project("data/lm-arena-chat.json")).unwrap()
}

/// The configurations of the source data, by a parser that is not the program's own.
pub fn source_configurations() -> Vec<Value> {
    let mut document: Value = serde_json::from_slice(&source()).unwrap();
    let Value::Array(configurations) = document["configurations"].take() else {
        panic!("no configurations")
    };
    configurations
}

/// A task file of these configurations.
pub fn task_file(task: &str, configurations: &[Value]) -> Vec<u8> {
    let document = serde_json::json!({"task": task, "configurations": configurations});
    serde_json::to_vec(&document).unwrap()
}

/// A file of the project.
pub fn in_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Small documents of every workload, in the forms that the leaderboard publishes.
pub fn workloads() -> PathBuf {
    in_project("tests/cases/workloads.in/data")
}

/// A folder that is gone after the test.
pub struct Folder(tempfile::TempDir);

/// How the program ended and what it printed.
pub struct Ended {
    /// The exit status; none when a signal ended it.
    pub status: Option<i32>,
    /// What it printed on standard output.
    pub out: Vec<u8>,
    /// What it printed on standard error.
    pub err: String,
}

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with a database of the built-in data, `energy.sqlite`.
    pub fn with_database() -> Self {
        let folder = Self::new();
        folder.done(["build", "--quiet"]);
        folder
    }

    /// A folder with a database of every workload, `energy.sqlite`.
    pub fn with_every_workload() -> Self {
        let folder = Self::new();
        folder.done([OsStr::new("build"), workloads().as_os_str(), OsStr::new("--quiet")]);
        folder
    }

    /// A path in the folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Reads a file.
    pub fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The names in a folder, sorted.
    pub fn names(&self, of: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(of)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program, ready to run here.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_energydb"));
        command.current_dir(self.0.path()).env_remove("ENERGYDB_DB");
        command
    }

    /// Runs the program.
    pub fn run(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ended {
        let output = self.command().args(words).output().unwrap();
        Ended {
            status: output.status.code(),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the program, which is to succeed, and returns what it printed on standard output.
    pub fn done(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
        let ended = self.run(words);
        assert_eq!(ended.status, Some(0), "{}", ended.err);
        String::from_utf8(ended.out).unwrap()
    }

    /// Runs the program, which is to refuse with a status and one line, and returns the line.
    pub fn refused(
        &self,
        status: i32,
        words: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> String {
        let ended = self.run(words);
        assert_eq!(ended.status, Some(status), "{}", ended.err);
        assert_eq!(ended.out, b"", "{}", ended.err);
        let line = ended.err.strip_prefix("error: ").unwrap_or_else(|| panic!("{}", ended.err));
        let line = line.strip_suffix('\n').unwrap();
        assert!(!line.contains('\n'), "{line}");
        line.to_owned()
    }

    /// Opens a database of the folder to read it.
    pub fn open(&self, name: &str) -> Connection {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        Connection::open_with_flags(self.path(name), flags).unwrap()
    }

    /// Opens a database of the folder to change it, as any other program may.
    pub fn open_to_change(&self, name: &str) -> Connection {
        Connection::open_with_flags(self.path(name), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
    }
}

/// The rows of a query with their values as text. Its parameters are null.
pub fn rows(connection: &Connection, sql: &str) -> Vec<Vec<String>> {
    use rusqlite::types::Value::{Blob, Integer, Null, Real, Text};
    let mut statement = connection.prepare(sql).unwrap();
    let count = statement.column_count();
    let text = |value| match value {
        Null => "null".into(),
        Integer(number) => number.to_string(),
        Real(number) => format!("{number:?}"),
        Text(text) => text,
        Blob(bytes) => format!("{bytes:?}"),
    };
    let row = |row: &rusqlite::Row<'_>| {
        (0..count).map(|index| row.get(index).map(text)).collect::<rusqlite::Result<Vec<_>>>()
    };
    statement.raw_query().mapped(row).map(Result::unwrap).collect()
}
