//! Result folders of the ML.ENERGY benchmark, with the figures that its own toolkit makes of them.
//! `tests/toolkit/runs.json` has the files and the figures; `tests/clients/toolkit.py` wrote both and
//! compares many more.

use serde_json::{Map, Value};

use crate::common::{Folder, in_project};

/// What the order of additions may change.
const TOLERANCE: f64 = 1e-12;

/// Files, and what the toolkit says of them.
fn stored() -> Map<String, Value> {
    let bytes = std::fs::read(in_project("tests/toolkit/runs.json")).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The path that the benchmark writes to; the toolkit reads `llm/h100/current/run/…` alone.
fn as_written(path: &str) -> String {
    let is_compiled = path.starts_with("llm/") || path.starts_with("diffusion/");
    if is_compiled { path.splitn(4, '/').nth(3).unwrap().to_owned() } else { path.to_owned() }
}

fn unchanged(path: &str) -> String {
    path.to_owned()
}

#[test]
fn every_figure_of_a_benchmark_folder_is_that_of_its_toolkit_in_both_layouts() {
    let stored = stored();
    for (layout, place) in [("compiled", unchanged as fn(&str) -> String), ("plain", as_written)] {
        let folder = Folder::new();
        for (path, content) in stored["files"].as_object().unwrap() {
            let text = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
            folder.write(format!("results/{}", place(path)), text);
        }
        folder.run(["build", "results", "-o", "x.sqlite"]).succeeded();
        let mut runs = 0;
        for (kind, view, id) in [
            ("text", "configuration_energy", "configuration_id"),
            ("diffusion", "diffusion_energy", "diffusion_configuration_id"),
        ] {
            let table = if kind == "text" { "configurations" } else { "diffusion_configurations" };
            let sql = format!(
                "select documents.name as path, {view}.* from {view} join {table} using ({id}) \
                 join documents using (document_id)"
            );
            let words = ["query", "--db", "x.sqlite", "--format", "json", "--sql", &sql];
            let rows: Vec<Map<String, Value>> = serde_json::from_str(&folder.done(words)).unwrap();
            let expected = stored[kind].as_object().unwrap();
            assert_eq!(rows.len(), expected.len(), "{layout}, {kind}");
            for (path, run) in expected {
                let path = place(path);
                let row = rows.iter().find(|row| row["path"] == path.as_str()).unwrap();
                for columns in [kind, "both"] {
                    for (column, field) in stored["columns"][columns].as_object().unwrap() {
                        let (found, expected) = (&row[column], &run[field.as_str().unwrap()]);
                        let is_same = match (found.as_f64(), expected.as_f64()) {
                            (Some(found), Some(expected)) => {
                                ((found - expected) / expected).abs() <= TOLERANCE
                            }
                            _ if column == "precision" => {
                                *found
                                    == if expected == "bfloat16" {
                                        "BF16".into()
                                    } else {
                                        expected.as_str().unwrap().to_uppercase()
                                    }
                            }
                            _ => found == expected,
                        };
                        assert!(is_same, "{layout}, {path}, {column}: {found}, {expected}");
                    }
                }
                if kind == "text" {
                    let is_stable = row["unstable_reason"].is_null();
                    assert_eq!(is_stable, run["is_stable"], "{layout}, {path}: {row:?}");
                }
                runs += 1;
            }
        }
        assert!(runs > 20, "{runs}");
    }
}

#[test]
fn a_benchmark_folder_dates_itself_and_its_tasks_stay_apart() {
    let stored = stored();
    let folder = Folder::new();
    for (path, content) in stored["files"].as_object().unwrap() {
        let text = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
        folder.write(format!("results/{path}"), text);
    }
    let mut command = folder.command();
    // No day is given.
    command.args(["build", "results", "-o", "x.sqlite"]);
    crate::common::Ended::of(command.output().unwrap()).succeeded();
    let days: Vec<_> = stored["files"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(|file| file.get("date")?.as_str())
        .collect();
    let latest = days.iter().max().unwrap();
    let latest = format!("{}-{}-{}", &latest[..4], &latest[4..6], &latest[6..8]);
    assert_eq!(folder.csv("x.sqlite", "select data_version from release"), [latest.as_str()]);
    let mut tasks: Vec<_> = ["text", "diffusion"]
        .iter()
        .flat_map(|kind| stored[*kind].as_object().unwrap().values())
        .map(|run| run["task"].as_str().unwrap().to_owned())
        .collect();
    tasks.sort();
    tasks.dedup();
    assert!(tasks.len() > 3, "{tasks:?}");
    assert_eq!(folder.csv("x.sqlite", "select task from tasks order by task"), tasks);
    let sources = "select count(*), max(measured_on) from sources where source = 'mine'";
    assert_eq!(folder.csv("x.sqlite", sources), [format!("{},{latest}", tasks.len())]);
}
