//! Runs every case in the folder `cases`: a command line, what it prints and its exit status.
//!
//! A case `NAME.trycmd` runs in an empty folder, or in `NAME.in` if there is one. If there is a `NAME.out`, it
//! runs in a copy, and the files in `NAME.out` are compared with the files in that copy afterwards.

use std::fs;
use std::path::Path;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");

#[test]
fn every_case_prints_what_it_shows() {
    let empty = tempfile::tempdir().unwrap();
    std::env::set_current_dir(&empty).unwrap();
    trycmd::TestCases::new()
        .register_bin("energydb", Path::new(env!("CARGO_BIN_EXE_energydb")))
        .env("ENERGYDB_DB", "")
        .case(format!("{CASES}/*.trycmd"))
        .run();
    let left: Vec<_> = fs::read_dir(&empty).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "a case without a folder of its own wrote {left:?}");
}

/// trycmd would skip a command with another name without an error.
#[test]
fn every_case_runs_this_program() {
    for entry in fs::read_dir(CASES).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "trycmd") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let commands: Vec<_> = text.lines().filter(|line| line.starts_with("$ ")).collect();
        assert!(!commands.is_empty(), "{path:?} has no command");
        for command in commands {
            assert!(command.starts_with("$ energydb "), "{path:?}: {command}");
        }
    }
}
