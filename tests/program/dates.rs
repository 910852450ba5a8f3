//! Which day a release is of: what says so of its documents, and nothing else.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Ended, Folder, built_in, in_project, rows, workloads};

const RELEASE: &str = "select data_version, updated from release";
const SOURCES: &str = "select distinct compiled, compiled_evidence, version, released, retrieved
                       from sources";
const NO_DAY: &str = "the date of this data is unknown";

/// The index of a leaderboard that was compiled when this says, with one task file.
fn newer(folder: &Folder, last_updated: &str) {
    let read = |name: &str| fs::read(workloads().join(name)).unwrap();
    folder.write("lb/tasks/gpqa.json", read("tasks/gpqa.json"));
    let mut index: Value = serde_json::from_slice(&read("index.json")).unwrap();
    index["last_updated"] = json!(last_updated);
    folder.write("lb/index.json", index.to_string());
}

/// Builds, without a word of a day beside these.
fn build(folder: &Folder, words: &[&str]) -> Ended {
    Ended::of(folder.command().args(["build", "--quiet"]).args(words).output().unwrap())
}

#[test]
fn documents_that_the_manifest_lists_have_its_days() {
    let folder = Folder::new();
    let file = in_project("data/leaderboard/tasks/gpqa.json");
    build(&folder, &[file.to_str().unwrap()]).succeeded();
    let database = folder.open("energy.sqlite");
    assert_eq!(rows(&database, RELEASE), [["2026-10-19", "2026-10-19"]]);
    let compiled = "select compiled, version like '3.0%' from sources";
    assert_eq!(rows(&database, compiled), [["2026-02-16", "1"]]);
}

#[test]
fn other_documents_have_the_day_of_their_index() {
    let folder = Folder::new();
    newer(&folder, "2026-11-30");
    build(&folder, &["lb"]).succeeded();
    let database = folder.open("energy.sqlite");
    assert_eq!(rows(&database, RELEASE), [["2026-11-30", "2026-11-30"]]);
    let evidence = "last_updated of the leaderboard's index";
    assert_eq!(rows(&database, SOURCES), [["2026-11-30", evidence, "null", "null", "null"]]);
    build(&folder, &["lb", "--updated", "2026-12-05"]).succeeded();
    assert_eq!(rows(&folder.open("energy.sqlite"), RELEASE), [["2026-11-30", "2026-12-05"]]);

    folder.write("built-in.sqlite", built_in());
    folder.done(["package", "--db", "energy.sqlite", "--since", "built-in.sqlite", "-o", "r"]);
    let changes = String::from_utf8(folder.read("r/CHANGES.md")).unwrap();
    assert!(changes.starts_with("# Changes from 2026-10-19 to 2026-11-30"), "{changes}");
}

#[test]
fn a_day_must_be_named_where_nothing_says_it() {
    let folder = Folder::new();
    newer(&folder, "yesterday");
    for inputs in [&["lb"][..], &["lb/tasks/gpqa.json"]] {
        build(&folder, inputs).failed(2, NO_DAY);
        assert_eq!(folder.names(""), ["lb"]);
    }
    build(&folder, &["lb", "--dry-run"]).succeeded();
    build(&folder, &["lb", "--data-version", "2026-11-30"]).succeeded();
    let database = folder.open("energy.sqlite");
    assert_eq!(rows(&database, RELEASE), [["2026-11-30", "2026-11-30"]]);
    assert_eq!(rows(&database, SOURCES), [["null"; 5]]);
    // Comparing needs no day.
    folder.done(["diff", "lb/tasks/gpqa.json", "energy.sqlite"]);
}

#[test]
fn the_printed_manifest_is_one_to_begin_with() {
    let folder = Folder::new();
    let printed = folder.done(["manifest", "--quiet"]);
    assert_eq!(folder.names(""), [""; 0]);
    let mut manifest: Value = serde_json::from_str(&printed).unwrap();
    newer(&folder, "yesterday");
    folder.write("listed.json", &printed);
    build(&folder, &["lb", "--manifest", "listed.json"]).failed(2, NO_DAY);
    manifest["release"]["data_version"] = json!("2026-11-29");
    manifest.as_object_mut().unwrap().remove("checkout");
    folder.write("mine.json", manifest.to_string());
    build(&folder, &["lb", "--manifest", "mine.json"]).succeeded();
    assert_eq!(rows(&folder.open("energy.sqlite"), RELEASE), [["2026-11-29", "2026-11-29"]]);
}
