//! Export: the published documents byte for byte, and nothing outside of the folder.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;

use crate::common::{Folder, in_project, source_configurations};
use serde_json::Value;

/// A folder with the release that the published documents are of, and its export.
fn published() -> Folder {
    let folder = Folder::new();
    folder.done(["build", "--data-version", "2026-09-27", "-o", "e.sqlite", "--quiet"]);
    folder.done(["export", "--db", "e.sqlite", "-o", "out", "--quiet"]);
    folder
}

fn document(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.read(format!("out/lm-arena-chat/{name}"))).unwrap()
}

#[test]
fn the_two_published_documents_are_exported_byte_for_byte() {
    let folder = published();
    for name in ["qwen-3-30b-a3b-instruct.json", "llama-3-1-70b-instruct.json"] {
        let expected = fs::read_to_string(in_project("tests/published").join(name)).unwrap();
        let found = String::from_utf8(folder.read(format!("out/lm-arena-chat/{name}"))).unwrap();
        for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
            assert_eq!(found, expected, "{name}, line {}", number + 1);
        }
        assert!(found == expected, "{name} ends otherwise");
    }
}

#[test]
fn there_is_one_document_per_model_and_an_index() {
    let folder = published();
    let tasks = [
        ("gpqa", 12),
        ("image-chat", 11),
        ("lm-arena-chat", 18),
        ("sourcegraph-fim", 3),
        ("text-to-image", 7),
        ("text-to-video", 5),
        ("video-chat", 6),
    ];
    assert_eq!(folder.names("out"), tasks.map(|(task, _)| task));
    for (task, models) in tasks {
        assert_eq!(folder.names(&format!("out/{task}")).len(), models + 1, "{task}");
    }
    assert_eq!(
        folder.names("out/lm-arena-chat"),
        [
            "deepseek-v3-1.json",
            "gemma-3-12b.json",
            "gemma-3-27b.json",
            "index.json",
            "llama-3-1-405b-instruct-fp8.json",
            "llama-3-1-405b-instruct.json",
            "llama-3-1-70b-instruct.json",
            "llama-3-1-8b-instruct.json",
            "llama-3-3-70b-instruct.json",
            "llama-4-maverick-17b-128e-instruct-fp8.json",
            "llama-4-scout-17b-16e-instruct.json",
            "nvidia-nemotron-nano-12b-v2.json",
            "nvidia-nemotron-nano-9b-v2.json",
            "qwen-3-14b.json",
            "qwen-3-235b-a22b-instruct-fp8.json",
            "qwen-3-235b-a22b-instruct.json",
            "qwen-3-30b-a3b-instruct.json",
            "qwen-3-32b.json",
            "qwen-3-8b.json",
        ]
    );
}

/// The members of every object in a document, in their order, by the place of the object. The
/// names of GPUs, which are data, are left out.
fn members(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            let keys: Vec<_> = object.keys().map(String::as_str).collect();
            if place != "/best" {
                found.push(format!("{place}: {}", keys.join(", ")));
            }
            for (key, value) in object {
                let key = if place == "/best" { "*" } else { key };
                members(value, &format!("{place}/{key}"), found);
            }
        }
        Value::Array(array) => {
            array.iter().for_each(|value| members(value, &format!("{place}/*"), found));
        }
        _ => {}
    }
}

#[test]
fn the_other_documents_have_the_members_of_the_published_ones_in_their_order() {
    let shape = |document: &Value| {
        let mut found = Vec::new();
        members(document, "", &mut found);
        found.sort();
        found.dedup();
        found
    };
    let example = in_project("tests/published/llama-3-1-70b-instruct.json");
    let expected = shape(&serde_json::from_slice(&fs::read(example).unwrap()).unwrap());
    assert_eq!(expected.len(), 4, "{expected:?}");
    let folder = published();
    for name in folder.names("out/lm-arena-chat") {
        if name != "index.json" {
            assert_eq!(shape(&document(&folder, &name)), expected, "{name}");
        }
    }
}

#[test]
fn halves_are_published_to_the_even_digit() {
    // Requests in flight of Llama 4 Scout on H100: 383.25 as measured.
    let scout = document(&published(), "llama-4-scout-17b-16e-instruct.json");
    let loads = scout["configurations"].as_array().unwrap();
    let found = loads.iter().filter(|row| row["avg_requests_in_flight"] == 383.2);
    assert_eq!(found.count(), 1);
    assert!(loads.iter().all(|row| row["avg_requests_in_flight"] != 383.3));
}

#[test]
fn the_index_is_the_release_and_the_best_of_every_document() {
    let folder = published();
    let Value::Object(mut index) = document(&folder, "index.json") else { panic!("no object") };
    let Some(Value::Array(rows)) = index.shift_remove("rows") else { panic!("no rows") };
    let mut expected = Vec::new();
    let names = folder.names("out/lm-arena-chat");
    let mut slugs: Vec<_> = names.iter().map(|name| name.strip_suffix(".json").unwrap()).collect();
    slugs.sort_unstable();
    for name in slugs.into_iter().filter(|name| *name != "index") {
        let Value::Object(mut document) = document(&folder, &format!("{name}.json")) else {
            panic!("no object")
        };
        let take = |document: &mut serde_json::Map<String, Value>, key: &str| {
            document.shift_remove(key).unwrap_or_else(|| panic!("{name} without {key}"))
        };
        let Value::Object(best) = take(&mut document, "best") else { panic!("no best") };
        let gpus = take(&mut document, "gpus");
        let Value::Array(configurations) = take(&mut document, "configurations") else {
            panic!("no configurations")
        };
        let facts: serde_json::Map<_, _> =
            ["slug", "name", "model_id", "params_b", "active_params_b", "architecture"]
                .into_iter()
                .map(|key| (key.to_owned(), take(&mut document, key)))
                .collect();
        assert_eq!(document, index, "{name} has another release than the index");
        assert_eq!(gpus, best.keys().map(String::as_str).collect::<Value>(), "{name}");
        for (gpu, best) in best {
            assert_eq!(best["gpu"], gpu.as_str());
            assert!(configurations.contains(&best), "{name}: {gpu}");
            let mut row = facts.clone();
            row.extend(best.as_object().unwrap().clone());
            expected.push(Value::Object(row));
        }
    }
    // 16 models on each GPU, as in the source.
    assert_eq!(rows.len(), 32);
    for (found, expected) in rows.iter().zip(&expected) {
        // As text, since the order of members counts.
        assert_eq!(found.to_string(), expected.to_string());
    }
}

#[test]
fn one_model_is_printed_as_its_file_is_written_whatever_it_is_called_by() {
    let folder = published();
    let file = folder.read("out/lm-arena-chat/qwen-3-14b.json");
    for name in
        ["qwen-3-14b", "QWEN-3-14B", "Qwen 3 14B", "qwen 3 14b", "Qwen/Qwen3-14B", "qwen/QWEN3-14b"]
    {
        let ended = folder.run(["export", "--db", "e.sqlite", "--model", name]);
        assert_eq!(ended.status, Some(0), "{}", ended.err);
        assert!(ended.out == file, "{name}");
        assert_eq!(ended.err, "");
    }
    folder.done(["export", "--db", "e.sqlite", "--model", "qwen-3-14b", "-o", "one.json"]);
    assert!(folder.read("one.json") == file);
}

#[test]
fn an_export_again_gives_the_same_and_leaves_other_files_alone() {
    let folder = published();
    let before = folder.read("out/lm-arena-chat/index.json");
    folder.write("out/lm-arena-chat/notes.txt", "mine");
    let old = String::from_utf8(folder.read("out/lm-arena-chat/qwen-3-8b.json")).unwrap();
    folder.write("out/lm-arena-chat/qwen-3-8b.json", old.replace("qwen-3-8b", "old"));
    folder.done(["export", "--db", "e.sqlite", "-o", "out", "--task", "LM-Arena-Chat"]);
    assert!(folder.read("out/lm-arena-chat/index.json") == before);
    assert_eq!(folder.read("out/lm-arena-chat/notes.txt"), b"mine");
    assert_eq!(document(&folder, "qwen-3-8b.json")["slug"], "qwen-3-8b");
    // Nothing half-written stays behind.
    assert_eq!(folder.names("out/lm-arena-chat").len(), 20);
}

#[test]
fn a_hostile_database_writes_nothing_outside_of_the_folder() {
    for (change, told) in [
        ("update models set model = '../../x' where model = 'qwen-3-8b'", "'../../x'"),
        ("update models set model = '/x' where model = 'qwen-3-8b'", "'/x'"),
        ("update models set model = '' where model = 'qwen-3-8b'", "''"),
        ("update models set model = 'a' || char(10) where model = 'qwen-3-8b'", "'a\\n'"),
        ("update tasks set task = '..'", "'..'"),
        ("update tasks set task = '../out2'", "'../out2'"),
    ] {
        let folder = Folder::with_database();
        folder.open_to_change("energy.sqlite").execute_batch(change).unwrap();
        let line = folder.refused(1, ["export", "-o", "deep/out", "--quiet"]);
        assert!(line.starts_with(told), "{line}");
        assert!(line.contains("cannot name a file"), "{line}");
        assert!(folder.names("").iter().all(|name| name == "energy.sqlite" || name == "deep"));
        if folder.path("deep").exists() {
            assert_eq!(folder.names("deep"), ["out"], "{change}");
        }
    }
}

#[test]
fn a_model_whose_document_the_index_would_replace_is_refused() {
    let folder = Folder::with_database();
    let change = "update models set model = 'index' where model = 'qwen-3-8b'";
    folder.open_to_change("energy.sqlite").execute_batch(change).unwrap();
    let line = folder.refused(1, ["export", "-o", "out", "--quiet"]);
    assert!(line.starts_with("the document of the model 'index'"), "{line}");
}

#[test]
fn an_export_of_one_document_replaces_a_document_and_nothing_else() {
    let folder = Folder::with_database();
    let export = |name: &'static str| {
        ["export", "--db", "energy.sqlite", "--model", "qwen-3-8b", "-o", name]
    };
    let before = folder.read("energy.sqlite");
    folder.write("notes.txt", "mine");
    folder.write("empty.json", "");
    for name in ["energy.sqlite", "notes.txt", "empty.json"] {
        let line = folder.refused(1, export(name));
        assert!(line.contains("is not a document that energydb exported"), "{line}");
    }
    assert!(folder.read("energy.sqlite") == before);
    assert_eq!(folder.read("notes.txt"), b"mine");
    folder.done(export("qwen.json"));
    let document = folder.read("qwen.json");
    folder.done(export("qwen.json"));
    assert!(folder.read("qwen.json") == document);
    // A hyphen is standard output, for one document.
    assert_eq!(folder.done(export("-")).as_bytes(), document);
    let line = folder.refused(2, ["export", "--db", "energy.sqlite", "-o", "-"]);
    assert!(line.contains("name its model with --model"), "{line}");
    assert_eq!(folder.names(""), ["empty.json", "energy.sqlite", "notes.txt", "qwen.json"]);
}

#[test]
fn what_a_killed_export_left_is_removed_by_the_next() {
    let folder = Folder::with_database();
    let export = ["export", "--db", "energy.sqlite", "-o", "out"];
    folder.done(export);
    let names = [folder.names("out"), folder.names("out/lm-arena-chat")];
    folder.write("out/.energydb.export-Ab12Cd/lock", "");
    folder.write("out/.energydb.export-Ab12Cd/new/lm-arena-chat/qwen-3-8b.json", "half a docum");
    folder.done(export);
    assert_eq!([folder.names("out"), folder.names("out/lm-arena-chat")], names);
}

#[cfg(unix)]
#[test]
fn no_link_inside_of_the_folder_leads_a_write_out_of_it() {
    use std::os::unix::fs::symlink;

    let folder = Folder::with_database();
    fs::create_dir_all(folder.path("elsewhere")).unwrap();
    fs::create_dir_all(folder.path("out")).unwrap();
    symlink(folder.path("elsewhere"), folder.path("out/lm-arena-chat")).unwrap();
    let line = folder.refused(1, ["export", "-o", "out", "--quiet"]);
    assert!(line.contains("a symbolic link is not written through"), "{line}");
    assert_eq!(folder.names("elsewhere"), Vec::<String>::new());

    fs::remove_file(folder.path("out/lm-arena-chat")).unwrap();
    let kept = folder.write("elsewhere/kept.json", "mine");
    fs::create_dir_all(folder.path("out/lm-arena-chat")).unwrap();
    symlink(&kept, folder.path("out/lm-arena-chat/index.json")).unwrap();
    let line = folder.refused(1, ["export", "-o", "out", "--quiet"]);
    assert!(line.contains("is not a document that energydb exported"), "{line}");
    assert_eq!(folder.read("elsewhere/kept.json"), b"mine");
    assert_eq!(folder.names("out/lm-arena-chat"), ["index.json"]);
}

#[test]
fn every_task_has_a_folder_of_its_own_and_an_unknown_source_is_null() {
    let folder = Folder::new();
    let all = crate::common::source_configurations();
    folder.write("chat.json", crate::common::task_file("lm-arena-chat", &all[..20]));
    folder.write("custom.json", crate::common::task_file("custom", &all[..9]));
    folder.done(["build", "chat.json", "custom.json", "--quiet"]);
    folder.done(["export", "-o", "out", "--quiet"]);
    assert_eq!(folder.names("out"), ["custom", "lm-arena-chat"]);
    assert_eq!(folder.names("out/custom"), ["index.json", "qwen-3-14b.json"]);
    let custom: Value = serde_json::from_slice(&folder.read("out/custom/qwen-3-14b.json")).unwrap();
    assert_eq!(custom["source"], Value::Null);
    assert_eq!(custom["configurations"].as_array().unwrap().len(), 9);
    // Rows 17 to 19 of the source are of another model, which only the first document has.
    let model = "qwen-3-235b-a22b-instruct";
    let line = folder.refused(2, ["export", "--model", model, "--task", "custom"]);
    assert_eq!(
        line,
        format!(
            "{model} was not measured in custom, but in lm-arena-chat; choose one of these with --task"
        )
    );
}

/// The permissions of a file or folder.
#[cfg(unix)]
fn mode(folder: &Folder, name: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777
}

#[cfg(unix)]
fn set_mode(folder: &Folder, name: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder.path(name), fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_folder_after_an_export_is_what_the_database_holds() {
    let folder = Folder::new();
    let all = crate::common::source_configurations();
    folder.write("chat.json", crate::common::task_file("lm-arena-chat", &all));
    folder.write("custom.json", crate::common::task_file("custom", &all[..9]));
    folder.done(["build", "chat.json", "custom.json", "--quiet", "-o", "both.sqlite"]);
    folder.done(["build", "chat.json", "--quiet", "-o", "chat.sqlite"]);
    folder.write("few.json", crate::common::task_file("lm-arena-chat", &all[..9]));
    folder.done(["build", "few.json", "--quiet", "-o", "few.sqlite"]);
    folder.done(["export", "--db", "both.sqlite", "-o", "out", "--quiet"]);
    assert_eq!(folder.names("out"), ["custom", "lm-arena-chat"]);
    assert_eq!(folder.names("out/lm-arena-chat").len(), 19);
    // What is not energydb's stays, in a folder that is exported to and elsewhere.
    folder.write("out/lm-arena-chat/notes.json", "{\n  \"version\": \"1\"\n}");
    folder.write("out/other/index.json", "{\n  \"version\": \"1\"\n}");
    folder.write("out/README.md", "mine");
    // One task leaves the others alone.
    let export = ["export", "--db", "few.sqlite", "-o", "out", "--task", "lm-arena-chat"];
    let note = folder.run(export).succeeded().err;
    assert!(note.contains("2 documents written to out; 17 older documents"), "{note}");
    let left = ["index.json", "notes.json", "qwen-3-14b.json"];
    assert_eq!(folder.names("out/lm-arena-chat"), left);
    assert_eq!(folder.names("out/custom"), ["index.json", "qwen-3-14b.json"]);
    folder.done(["export", "--db", "few.sqlite", "-o", "out", "--quiet"]);
    assert_eq!(folder.names("out"), ["README.md", "lm-arena-chat", "other"]);
    assert_eq!(folder.names("out/lm-arena-chat"), left);
    // The same as in a folder of its own.
    folder.done(["export", "--db", "few.sqlite", "-o", "new", "--quiet"]);
    for name in folder.names("new/lm-arena-chat") {
        let path = |of: &str| format!("{of}/lm-arena-chat/{name}");
        assert!(folder.read(path("out")) == folder.read(path("new")), "{name}");
    }
}

#[test]
fn an_export_replaces_no_index_of_another_program_and_then_writes_nothing() {
    let folder = Folder::with_database();
    for foreign in ["{}", "", "{\n  \"version\": 3,\n  \"sources\": []\n}"] {
        folder.write("out/lm-arena-chat/index.json", foreign);
        let line = folder.refused(1, ["export", "-o", "out", "--quiet"]);
        assert!(line.starts_with("out/lm-arena-chat/index.json exists and is not"), "{line}");
        assert_eq!(folder.read("out/lm-arena-chat/index.json"), foreign.as_bytes());
        assert_eq!(folder.names("out/lm-arena-chat"), ["index.json"]);
        assert_eq!(folder.names("out"), ["lm-arena-chat"]);
    }
}

#[cfg(unix)]
#[test]
fn who_may_read_a_document_may_read_the_one_that_replaces_it() {
    let folder = published();
    let (one, other) = ("out/lm-arena-chat/index.json", "out/lm-arena-chat/qwen-3-8b.json");
    set_mode(&folder, one, 0o600);
    set_mode(&folder, other, 0o640);
    folder.done(["export", "--db", "e.sqlite", "-o", "out", "--quiet"]);
    assert_eq!([mode(&folder, one), mode(&folder, other)], [0o600, 0o640]);
    folder.done(["export", "--db", "e.sqlite", "--model", "qwen-3-8b", "-o", other]);
    assert_eq!(mode(&folder, other), 0o640);
}

#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_ends_an_export_with_an_error_and_leaves_the_older_one() {
    let folder = published();
    let before = folder.read("out/lm-arena-chat/index.json");
    let names = [folder.names("out"), folder.names("out/lm-arena-chat")];
    let program = env!("CARGO_BIN_EXE_energydb");
    for words in ["-o out", "-o new", "--model qwen-3-8b -o out/lm-arena-chat/qwen-3-8b.json"] {
        let script = format!("ulimit -f 1; exec '{program}' export -q --db e.sqlite {words}");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
        crate::common::Ended::of(output).failed(1, "could not write");
        assert!(folder.read("out/lm-arena-chat/index.json") == before);
        assert_eq!([folder.names("out"), folder.names("out/lm-arena-chat")], names);
    }
    assert_eq!(folder.names("new"), [""; 0]);
}

#[test]
fn a_name_that_no_file_can_have_somewhere_is_refused_when_it_is_built() {
    let folder = Folder::new();
    let mut rows = crate::common::source_configurations();
    rows.truncate(1);
    for name in ["Con", "AUX", "nul", "prn", "COM1", "Lpt9", "Index"] {
        rows[0]["nickname"] = name.into();
        folder.write("in.json", crate::common::task_file("gpqa", &rows));
        let ended = folder.run(["build", "in.json"]).failed(1, "1 finding");
        assert!(ended.err.contains("[model-slug]"), "{ended:?}");
    }
    rows[0]["nickname"] = "Con 2".into();
    for task in ["con", "aux", "com1"] {
        folder.write("in.json", crate::common::task_file(task, &rows));
        let ended = folder.run(["build", "in.json"]).failed(1, "1 finding");
        assert!(ended.err.contains("[name-form]"), "{ended:?}");
    }
    folder.write("in.json", crate::common::task_file("console", &rows));
    folder.done(["build", "-q", "in.json"]);
    folder.done(["export", "-q", "-o", "out"]);
    assert_eq!(folder.names("out/console"), ["con-2.json", "index.json"]);
}

#[test]
fn the_index_and_the_best_keep_the_default_deadline_of_the_release() {
    let folder = Folder::new();
    let mut manifest: Value = serde_json::from_str(&folder.done(["manifest", "--quiet"])).unwrap();
    manifest["release"]["itl_deadline_ms"] = 50.into();
    folder.write("manifest.json", manifest.to_string());
    let data = in_project("data/leaderboard");
    let build = ["build", "--manifest", "manifest.json", "--quiet"].map(OsStr::new);
    folder.done(build.into_iter().chain([data.as_os_str()]));
    folder.done(["export", "--task", "lm-arena-chat", "-o", "out", "--quiet"]);

    // The lowest energy within 50 ms, by model and GPU: its median.
    let mut lowest: BTreeMap<_, (f64, f64)> = BTreeMap::new();
    for row in source_configurations() {
        let number = |field: &str| row[field].as_f64().unwrap();
        let (energy, median) = (number("energy_per_token_joules"), number("median_itl_ms"));
        let text = |field: &str| row[field].as_str().unwrap().to_owned();
        let best = lowest.entry((text("nickname"), text("gpu_model"))).or_insert((energy, median));
        if median <= 50.0 && (best.1 > 50.0 || energy < best.0) {
            *best = (energy, median);
        }
    }
    let mut expected: Vec<_> =
        lowest.into_values().map(|best| best.1).filter(|median| *median <= 50.0).collect();
    expected.sort_by(f64::total_cmp);
    let printed = folder.done(["query", "best", "--columns", "itl_ms", "--quiet"]);
    let mut found: Vec<f64> = printed.lines().skip(1).map(|line| line.parse().unwrap()).collect();
    found.sort_by(f64::total_cmp);
    assert_eq!(found, expected);

    let index = document(&folder, "index.json");
    assert_eq!(index["itl_deadline_ms"], 50);
    let rows = index["rows"].as_array().unwrap();
    assert_eq!(rows.len(), expected.len());
    let mut published: Vec<_> =
        rows.iter().map(|row| row["median_itl_ms"].as_f64().unwrap()).collect();
    published.sort_by(f64::total_cmp);
    for (published, expected) in published.iter().zip(expected) {
        assert!((published - expected).abs() <= 0.05 + 1e-9, "{published} for {expected}");
    }
}
