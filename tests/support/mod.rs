//! What the tests of the ingest share: real rows to break, and the program to run on them.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The real file.
pub const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/lm-arena-chat.json");

/// A configuration: its fields in order, each with the text of its value.
#[derive(Clone)]
pub struct Row(pub Vec<(String, Vec<u8>)>);

impl Row {
    /// The text of a field's value.
    pub fn text(&self, field: &str) -> &str {
        let value = &self.0.iter().find(|(name, _)| name == field).expect(field).1;
        std::str::from_utf8(value).unwrap()
    }

    /// A field's number.
    pub fn number(&self, field: &str) -> f64 {
        self.text(field).parse().unwrap()
    }

    /// The row with another value in a field.
    pub fn with(&self, field: &str, text: impl AsRef<[u8]>) -> Self {
        let mut row = self.clone();
        let value = row.0.iter_mut().find(|(name, _)| name == field).expect(field);
        value.1 = text.as_ref().to_vec();
        row
    }

    /// The row with another number in a field.
    pub fn with_number(&self, field: &str, number: f64) -> Self {
        self.with(field, format!("{number:?}"))
    }

    /// The row without a field.
    pub fn without(&self, field: &str) -> Self {
        Self(self.0.iter().filter(|(name, _)| name != field).cloned().collect())
    }

    /// The row with one more field at its end.
    pub fn and(&self, field: &str, text: impl AsRef<[u8]>) -> Self {
        let mut row = self.clone();
        row.0.push((field.into(), text.as_ref().to_vec()));
        row
    }

    fn write_to(&self, out: &mut Vec<u8>) {
        let mut separator = "{";
        for (name, value) in &self.0 {
            out.extend(
                format!("{separator}\n  {}: ", serde_json::to_string(name).unwrap()).bytes(),
            );
            out.extend(value);
            separator = ",";
        }
        out.extend(b"\n}");
    }
}

/// Every row of the real file.
pub fn real_rows() -> Vec<Row> {
    let document: serde_json::Value = serde_json::from_slice(&fs::read(DATA).unwrap()).unwrap();
    let rows = document["configurations"].as_array().unwrap();
    let row = |row: &serde_json::Value| {
        let fields = row.as_object().unwrap().iter();
        Row(fields.map(|(name, value)| (name.clone(), value.to_string().into_bytes())).collect())
    };
    rows.iter().map(row).collect()
}

/// A document of a task.
pub fn document_of(task: &str, rows: &[Row]) -> Vec<u8> {
    let mut text = b"{\"configurations\": [".to_vec();
    for (position, row) in rows.iter().enumerate() {
        text.extend(if position > 0 { &b",\n"[..] } else { b"\n" });
        row.write_to(&mut text);
    }
    text.extend(format!("\n], \"task\": \"{task}\", \"task_display_name\": \"Chat\"}}").bytes());
    text
}

/// A document of the real task.
pub fn document(rows: &[Row]) -> Vec<u8> {
    document_of("lm-arena-chat", rows)
}

/// Packs bytes with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A folder to work in, in which the program runs.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into()).collect();
        names.sort();
        names
    }

    /// The program, to be run in the folder.
    pub fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_energydb"));
        command.args(arguments).current_dir(self.path()).env_remove("ENERGYDB_DB");
        command.stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&self.program(arguments).output().unwrap())
    }

    /// Runs the program with this on its standard input.
    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = self.program(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that refuses early closes its end.
        let _ = child.stdin.take().unwrap().write_all(input);
        Ran::of(&child.wait_with_output().unwrap())
    }

    /// Rows of a statement on a database, as csv without its header.
    pub fn rows(&self, db: &str, sql: &str) -> Vec<String> {
        let ran = self.run(&["query", "--db", db, "--format", "csv", "--sql", sql]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        ran.out.lines().skip(1).map(Into::into).collect()
    }
}

/// What a run came to.
#[derive(Debug)]
pub struct Ran {
    /// None where a signal ended it.
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: &Output) -> Self {
        Self {
            status: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into(),
            err: String::from_utf8(output.stderr.clone()).unwrap(),
        }
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
