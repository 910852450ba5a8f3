//! Result folders and tables of runs of the ML.ENERGY benchmark, with the figures that its own toolkit derives.
//! `tests/toolkit/runs.json` contains the files and the figures, and the Parquet files contain the tables.
//! `tests/clients/toolkit.py` wrote them, and compares many more.

use serde_json::{Map, Value};

use crate::common::{Folder, in_project};

/// Runs that make text, and those that make images and videos.
const KINDS: [&str; 2] = ["text", "diffusion"];
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

/// What the database has of a kind, each row with the name of its document and its place in it.
fn rows(folder: &Folder, kind: &str) -> Vec<Map<String, Value>> {
    let (view, table, id) = if kind == "text" {
        ("configuration_energy", "configurations", "configuration_id")
    } else {
        ("diffusion_energy", "diffusion_configurations", "diffusion_configuration_id")
    };
    let sql = format!(
        "select documents.name as path, document_position, {view}.* \
         from {view} join {table} using ({id}) join documents using (document_id)"
    );
    let words = ["query", "--db", "x.sqlite", "--format", "json", "--sql", &sql];
    serde_json::from_str(&folder.done(words)).unwrap()
}

/// Compares a row with the run that the toolkit has.
fn compare(
    stored: &Map<String, Value>,
    kind: &str,
    place: &str,
    row: &Map<String, Value>,
    run: &Value,
) {
    for columns in [kind, "both"] {
        for (column, field) in stored["columns"][columns].as_object().unwrap() {
            let (found, expected) = (&row[column], &run[field.as_str().unwrap()]);
            let is_same = match (found.as_f64(), expected.as_f64()) {
                (Some(found), Some(expected)) => ((found - expected) / expected).abs() <= TOLERANCE,
                _ if column == "precision" && expected == "bfloat16" => found == "BF16",
                _ if column == "precision" => *found == expected.as_str().unwrap().to_uppercase(),
                _ => found == expected,
            };
            assert!(is_same, "{place}, {column}: {found}, {expected}");
        }
    }
    if kind == "text" {
        let is_stable = row["unstable_reason"].is_null();
        assert_eq!(is_stable, run["is_stable"], "{place}: {row:?}");
    }
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
        for kind in KINDS {
            let rows = rows(&folder, kind);
            let expected = stored[kind].as_object().unwrap();
            assert_eq!(rows.len(), expected.len(), "{layout}, {kind}");
            for (path, run) in expected {
                let path = place(path);
                let row = rows.iter().find(|row| row["path"] == path.as_str()).unwrap();
                compare(&stored, kind, &format!("{layout}, {path}"), row, run);
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

/// The toolkit's table of runs, as JSON lines.
fn lines(stored: &Map<String, Value>, kind: &str) -> String {
    stored[kind].as_object().unwrap().values().map(|run| format!("{run}\n")).collect()
}

/// Compares the rows of a table of runs with the toolkit's, which are in the same order.
fn compare_table(folder: &Folder, stored: &Map<String, Value>, kind: &str, table: &str) {
    folder.run(["build", table, "-o", "x.sqlite"]).succeeded();
    let rows = rows(folder, kind);
    let runs = stored[kind].as_object().unwrap();
    assert_eq!(rows.len(), runs.len(), "{table}");
    for (position, run) in runs.values().enumerate() {
        let row = rows.iter().find(|row| row["document_position"] == position).unwrap();
        compare(stored, kind, &format!("{table}, {position}"), row, run);
        if kind == "text" {
            let reason = &run["unstable_reason"];
            let reason = if reason == "" { &Value::Null } else { reason };
            assert_eq!(&row["unstable_reason"], reason, "{table}, {position}");
        }
    }
    folder.done(["check", "x.sqlite", "--quiet"]);
}

#[test]
fn a_table_of_runs_has_the_figures_and_the_unstable_runs_of_the_toolkit_in_every_task() {
    let stored = stored();
    let folder = Folder::new();
    for kind in KINDS {
        folder.write("runs.jsonl", lines(&stored, kind));
        compare_table(&folder, &stored, kind, "runs.jsonl");
        let tasks = folder.csv(
            "x.sqlite",
            "select count(*) > 1, min(kind) from tasks join documents using (task_id)",
        );
        let name = if kind == "text" { "benchmark-runs" } else { "benchmark-generations" };
        assert_eq!(tasks, [format!("1,{name}")]);
    }
}

#[test]
fn a_run_without_energy_is_left_out_where_the_table_says_that_it_is_unstable() {
    let stored = stored();
    let folder = Folder::new();
    let mut runs: Vec<Value> = stored["text"].as_object().unwrap().values().cloned().collect();
    runs[1]["energy_per_token_joules"] = 0.0.into();
    runs[1]["is_stable"] = false.into();
    let table = |runs: &[Value]| runs.iter().map(|run| format!("{run}\n")).collect::<String>();
    folder.write("runs.jsonl", table(&runs));
    let built = folder.run(["build", "runs.jsonl", "-o", "x.sqlite"]).succeeded();
    let note = "left out: 1 run without energy, which the table calls unstable; the first is line 2 (row 2)";
    assert!(built.err.contains(note), "{}", built.err);
    assert_eq!(rows(&folder, "text").len(), runs.len() - 1);
    runs[1]["is_stable"] = true.into();
    folder.write("runs.jsonl", table(&runs));
    let refused = folder.run(["build", "runs.jsonl", "-o", "y.sqlite"]);
    refused.failed(1, "").found(&["line 2 (row 2), joules_per_output_token", "number-range"]);
    runs[1]["task"] = "No Slug".into();
    folder.write("runs.jsonl", table(&runs));
    folder
        .run(["build", "runs.jsonl", "-o", "y.sqlite"])
        .failed(1, "")
        .found(&["/task", "No Slug"]);
}

#[cfg(feature = "parquet")]
#[test]
fn tables_of_runs_are_read_as_pandas_and_polars_write_them() {
    let stored = stored();
    let folder = Folder::new();
    for kind in KINDS {
        for writer in ["pandas", "polars"] {
            let table = in_project(format!("tests/toolkit/{kind}-{writer}.parquet").as_str());
            compare_table(&folder, &stored, kind, table.to_str().unwrap());
        }
    }
}

#[cfg(feature = "parquet")]
#[test]
fn damaged_parquet_is_refused_wherever_the_damage_is() {
    let sound = std::fs::read(in_project("tests/toolkit/text-polars.parquet")).unwrap();
    let folder = Folder::new();
    let build = |bytes: &[u8]| {
        folder.write("runs.parquet", bytes);
        folder.run(["build", "runs.parquet", "--dry-run"])
    };
    for length in [4, 12, sound.len() / 2, sound.len() - 1] {
        build(&sound[..length]).failed(1, "runs.parquet: its Parquet is damaged");
    }
    // These make the library that reads Parquet panic.
    let other = std::fs::read(in_project("tests/toolkit/diffusion-polars.parquet")).unwrap();
    for changes in [&[(5867, 150), (7304, 91)][..], &[(5705, 213)]] {
        let mut bytes = other.clone();
        changes.iter().for_each(|(at, byte)| bytes[*at] = *byte);
        build(&bytes).failed(1, "runs.parquet: its Parquet is damaged");
    }
    for at in (0..sound.len()).step_by(sound.len() / 24) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x55;
        let ended = build(&bytes);
        assert!(matches!(ended.status, Some(0 | 1)), "{at}: {}", ended.err);
        assert!(!ended.err.contains("panicked"), "{at}: {}", ended.err);
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_parquet_says_how_to_get_it_where_a_table_of_runs_is_built() {
    let folder = Folder::new();
    let table = in_project("tests/toolkit/text-polars.parquet");
    let why = "it is Parquet, and this energydb was built without Parquet; use the program of a \
               release, or install one with 'cargo install --path . --features parquet'";
    let words = ["build", table.to_str().unwrap(), "-o", "x.sqlite"];
    folder.run(words).failed(1, why);
    assert!(folder.names(".").is_empty());
}
