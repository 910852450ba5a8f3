//! What the tests of the program share: an empty folder, and the program run in it.
#![allow(dead_code, reason = "each test uses a part of this")]

pub mod documents;
#[cfg(target_os = "linux")]
pub mod pseudo_terminal;

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use clap::ValueEnum as _;
use energydb::measurement::check::Check;
use energydb::output::Format;
use flate2::read::GzDecoder;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

/// The file of the source data.
pub const DATA: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/data/leaderboard/tasks/lm-arena-chat.json");

/// Checks of the size of figures of text, for tests that make figures of any size.
pub const SIZES: [Check; 5] = [
    Check::RatedPower,
    Check::TimePerToken,
    Check::EnergyPerToken,
    Check::ItlSpread,
    Check::OutputTokens,
];

/// The day of the built-in data, and of builds of documents that a test makes.
pub const DAY: &str = "2026-10-19";

/// The source data, byte for byte as published.
pub fn source() -> Vec<u8> {
    fs::read(DATA).unwrap()
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

/// The bytes of a database that a program of this schema wrote.
pub fn frozen(schema: u32) -> Vec<u8> {
    let packed = fs::File::open(in_project(&format!("tests/frozen/schema-{schema}.sqlite.gz")));
    let mut bytes = Vec::new();
    GzDecoder::new(packed.unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

/// The bytes of a database of the built-in data, which is built once for all tests.
pub fn built_in() -> &'static [u8] {
    static BUILT: OnceLock<Vec<u8>> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Folder::new();
        folder.done(["build", "--quiet"]);
        folder.read("energy.sqlite")
    })
}

/// Small documents of every workload, in the forms that the leaderboard publishes.
pub fn workloads() -> PathBuf {
    in_project("tests/cases/workloads.in/data")
}

/// The formats that every row can be printed in, by the names that `--format` takes.
pub fn formats() -> impl Iterator<Item = String> {
    let formats = Format::value_variants().iter().filter(|format| !format.is_picture());
    formats.map(|format| format.to_possible_value().unwrap().get_name().to_owned())
}

/// A folder that is gone after the test.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with a database of the source data, `energy.sqlite`.
    pub fn with_database() -> Self {
        let folder = Self::new();
        folder.done(["build", "--quiet", DATA]);
        folder
    }

    /// A folder with a database of every workload, `energy.sqlite`.
    pub fn with_every_workload() -> Self {
        let folder = Self::new();
        folder.done([OsStr::new("build"), workloads().as_os_str(), OsStr::new("--quiet")]);
        folder
    }

    /// A folder with a database of the built-in data, `energy.sqlite`.
    pub fn with_built_in() -> Self {
        let folder = Self::new();
        folder.write("energy.sqlite", built_in());
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
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into()).collect();
        names.sort();
        names
    }

    /// The program, ready to run here.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_energydb"));
        command.current_dir(self.0.path()).env_remove("ENERGYDB_DB").stdin(Stdio::null());
        command
    }

    /// The program, ready to run here with these words. A build is of a day, as documents that a
    /// test makes say none.
    pub fn program(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut words: Vec<_> = words.into_iter().map(|word| word.as_ref().to_owned()).collect();
        let says = |name| words.iter().any(|word| word == name);
        if words.first().is_some_and(|word| word == "build")
            && !["--data-version", "--manifest", "--help"].into_iter().any(says)
        {
            words.splice(1..1, ["--data-version", DAY].map(Into::into));
        }
        let mut command = self.command();
        command.args(words);
        command
    }

    /// Runs the program.
    pub fn run(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ended {
        Ended::of(self.program(words).output().unwrap())
    }

    /// Runs the program with this on its standard input.
    pub fn run_with_input(
        &self,
        words: impl IntoIterator<Item = impl AsRef<OsStr>>,
        input: &[u8],
    ) -> Ended {
        let mut command = self.program(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that refuses early closes its end.
        let _ = child.stdin.take().unwrap().write_all(input);
        Ended::of(child.wait_with_output().unwrap())
    }

    /// Runs the program, which is to succeed, and returns what it printed on standard output.
    pub fn done(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
        self.run(words).succeeded().text()
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

    /// The rows of a statement on a database, as the program prints them in CSV, without the header.
    pub fn csv(&self, name: &str, sql: &str) -> Vec<String> {
        let ran = self.done(["query", "--db", name, "--format", "csv", "--sql", sql]);
        ran.lines().skip(1).map(Into::into).collect()
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

/// How the program ended and what it printed.
pub struct Ended {
    /// The exit status; none when a signal ended it.
    pub status: Option<i32>,
    /// What it printed on standard output.
    pub out: Vec<u8>,
    /// What it printed on standard error.
    pub err: String,
}

impl fmt::Debug for Ended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, out, err } = self;
        write!(formatter, "status {status:?}\n{}{err}", String::from_utf8_lossy(out))
    }
}

impl Ended {
    /// What a run came to.
    pub fn of(output: Output) -> Self {
        Self {
            status: output.status.code(),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What it printed on standard output, as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.out.clone()).unwrap()
    }

    /// The lines of standard error that begin so.
    pub fn lines(&self, start: &str) -> Vec<&str> {
        self.err.lines().filter(|line| line.starts_with(start)).collect()
    }

    /// Asserts that the run succeeded.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert_eq!(self.status, Some(0), "{self:?}");
        assert!(self.lines("error: ").is_empty(), "{self:?}");
        self
    }

    /// Asserts that the run ended with this status and one last line that says so.
    #[track_caller]
    pub fn failed(self, status: i32, why: &str) -> Self {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert_eq!(self.lines("error: ").len(), 1, "{self:?}");
        let last = self.err.lines().last().unwrap_or_default();
        assert!(last.starts_with("error: ") && last.contains(why), "expected {why:?}: {self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        self
    }

    /// Asserts that a finding says all of this on its line.
    #[track_caller]
    pub fn found(self, parts: &[&str]) -> Self {
        let is_found = |line: &&str| parts.iter().all(|part| line.contains(part));
        assert!(self.lines("finding: ").iter().any(is_found), "expected {parts:?}: {self:?}");
        self
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
