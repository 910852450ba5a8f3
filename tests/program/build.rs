//! Building: the same input always gives the same bytes, every figure is kept exactly, and nothing
//! but an energydb database is ever replaced.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::{
    DATA, Folder, formats, in_project, rows, source, source_configurations, task_file,
};
use energydb::embedded::IMAGE;
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What a report says on the line of this name.
fn reported<'r>(report: &'r str, name: &str) -> &'r str {
    let line = report.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {report}")).trim()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Everything that was measured, without where it came from.
const MEASURED: &str = "select * from configuration_energy order by task, row_id";

#[test]
fn an_optional_figure_is_stored_where_a_document_has_it_and_is_else_null() {
    let folder = Folder::new();
    let mut some = source_configurations()[..4].to_vec();
    some[0]["median_ttft_ms"] = json!(81.25);
    some[0]["p99_ttft_ms"] = json!(250.5);
    some[1]["median_ttft_ms"] = json!(null);
    some[2]["p99_ttft_ms"] = json!(1e3);
    folder.write("some.json", task_file("a", &some));
    folder.done(["build", "some.json", "--quiet", "--strict"]);
    let stored = "select median_ttft_ms, p99_ttft_ms from configurations order by 1, 2";
    let stored = rows(&folder.open("energy.sqlite"), stored);
    let null = || "null".to_owned();
    let text = |value: &str| value.to_owned();
    assert_eq!(
        stored,
        [
            [null(), null()],
            [null(), null()],
            [null(), text("1000.0")],
            [text("81.25"), text("250.5")]
        ]
    );
    folder.done(["check"]);
    // What is there is checked as any other figure.
    for wrong in [json!(0), json!(-1.5), json!("81"), json!([])] {
        some[3]["p99_ttft_ms"] = wrong;
        folder.write("wrong.json", task_file("a", &some));
        let ended = folder.run(["build", "wrong.json", "-o", "wrong.sqlite", "--quiet"]);
        ended.found(&["/configurations/3/p99_ttft_ms", "number"]);
    }
}

#[test]
fn the_report_says_what_was_built() {
    let folder = Folder::new();
    let report = folder.done(["build", "-o", "e.sqlite", "--quiet"]);
    assert_eq!(reported(&report, "built "), "e.sqlite");
    assert_eq!(reported(&report, "tasks "), "7");
    assert_eq!(reported(&report, "models "), "46");
    assert_eq!(reported(&report, "gpus "), "2");
    assert_eq!(reported(&report, "configurations "), "1858, of which 3 are repeats");
    assert_eq!(reported(&report, "release "), "2026-10-19 (updated 2026-10-19)");
    let bytes = folder.read("e.sqlite");
    assert_eq!(reported(&report, "size "), format!("{} bytes", bytes.len()));
    let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(reported(&report, "sha256 "), sha256);
    assert!(reported(&report, "time ").ends_with(" s"));
}

#[test]
fn the_same_input_gives_the_same_bytes_wherever_it_lies() {
    let folder = Folder::new();
    let build = |to: &str, input: Option<&str>| {
        folder.done(["build", "--quiet", "-o", to].into_iter().chain(input));
        folder.read(to)
    };
    folder.write("lm-arena-chat.json", source());
    folder.write("some/other folder/lm-arena-chat.json", source());
    let built = build("1.sqlite", Some("lm-arena-chat.json"));
    assert!(build("2.sqlite", Some("lm-arena-chat.json")) == built);
    assert!(build("3.sqlite", Some("some/other folder/lm-arena-chat.json")) == built);
    let absolute = folder.path("lm-arena-chat.json");
    assert!(build("4.sqlite", absolute.to_str()) == built);
}

#[test]
fn the_built_in_database_is_what_its_documents_build() {
    let folder = Folder::new();
    let checkout = in_project("data/leaderboard");
    folder.done(["build", "--quiet", "-o", "documents.sqlite", checkout.to_str().unwrap()]);
    folder.done(["build", "--quiet", "-o", "built-in.sqlite"]);
    assert!(folder.read("documents.sqlite") == IMAGE);
    assert!(folder.read("built-in.sqlite") == IMAGE);
}

#[test]
fn every_figure_is_kept_bit_for_bit_and_every_name_as_it_stands() {
    let folder = Folder::with_database();
    let connection = folder.open("energy.sqlite");
    let columns = [
        ("activated_params_billions", "models.active_params_b"),
        ("architecture", "models.architecture"),
        ("avg_batch_size", "avg_running_batch"),
        ("avg_output_len", "avg_output_tokens"),
        ("avg_power_watts", "power_watts"),
        ("data_parallel", "data_parallel"),
        ("energy_per_request_joules", "joules_per_request"),
        ("energy_per_token_joules", "joules_per_output_token"),
        ("expert_parallel", "expert_parallel"),
        ("gpu_model", "gpu"),
        ("max_num_seqs", "max_num_seqs"),
        ("median_itl_ms", "median_itl_ms"),
        ("model_id", "hugging_face_id"),
        ("nickname", "model_name"),
        ("num_gpus", "num_gpus"),
        ("output_throughput_tokens_per_sec", "tokens_per_second"),
        ("p90_itl_ms", "p90_itl_ms"),
        ("p95_itl_ms", "p95_itl_ms"),
        ("p99_itl_ms", "p99_itl_ms"),
        ("tensor_parallel", "tensor_parallel"),
        ("total_params_billions", "models.params_b"),
        ("weight_precision", "source_name"),
    ];
    let names: Vec<_> = columns.iter().map(|(_, column)| *column).collect();
    let mut statement = connection
        .prepare(&format!(
            "select {} from configurations join models using (model_id) join gpus using (gpu_id) \
             join precisions using (precision_id) order by document_position",
            names.join(", ")
        ))
        .unwrap();
    let mut found = statement.query([]).unwrap();
    let configurations = source_configurations();
    assert_eq!(configurations.len(), 328);
    for (position, expected) in configurations.iter().enumerate() {
        let row = found.next().unwrap().unwrap();
        assert_eq!(expected.as_object().unwrap().len(), columns.len());
        for (index, (field, _)) in columns.iter().enumerate() {
            let place = format!("/configurations/{position}/{field}");
            match &expected[*field] {
                Value::String(text) => {
                    assert_eq!(row.get::<_, String>(index).unwrap(), *text, "{place}");
                }
                Value::Number(number) if number.is_f64() => {
                    let found: f64 = row.get(index).unwrap();
                    assert_eq!(found.to_bits(), number.as_f64().unwrap().to_bits(), "{place}");
                }
                number => assert_eq!(row.get::<_, i64>(index).unwrap(), number.as_i64().unwrap()),
            }
        }
    }
    assert!(found.next().unwrap().is_none());
}

#[test]
fn every_document_is_known_by_its_bytes_and_every_row_by_its_place() {
    let folder = Folder::with_database();
    let connection = folder.open("energy.sqlite");
    assert_eq!(
        rows(&connection, "select name, kind, sha256, bytes from documents"),
        [[
            "tasks/lm-arena-chat.json",
            "task-file",
            "24e25d46cdd6a9d9d58f8de63928d6f42601f9966d22e4d7a478e5f11f89a7ec",
            "286127"
        ]]
    );
    let places = "select count(distinct document_position), min(document_position), \
                  max(document_position) from configurations where document_id = 1";
    assert_eq!(rows(&connection, places), [["328", "0", "327"]]);
}

#[test]
fn a_configuration_measured_again_is_a_repeat_in_the_order_of_the_document() {
    let folder = Folder::with_database();
    // The two second measurements in the source, found by counting equal keys there.
    let mut seen = std::collections::HashMap::new();
    let mut expected = Vec::new();
    for (position, row) in source_configurations().iter().enumerate() {
        let key = ["nickname", "gpu_model", "num_gpus", "max_num_seqs"].map(|f| row[f].to_string());
        let count = seen.entry(key).or_insert(0);
        *count += 1;
        if *count > 1 {
            expected.push(vec![position.to_string(), count.to_string()]);
        }
    }
    assert_eq!(expected.len(), 2);
    let connection = folder.open("energy.sqlite");
    let found = "select document_position, repeat from configurations where repeat > 1 order by 1";
    assert_eq!(rows(&connection, found), expected);
    let found = "select row_id from configuration_energy where repeat > 1 order by 1";
    assert_eq!(
        rows(&connection, found).concat(),
        ["qwen-3-30b-a3b-instruct/H100/2/256/r2", "qwen-3-30b-a3b-instruct/H100/2/512/r2"]
    );
}

#[test]
fn gzip_and_standard_input_give_the_same_rows() {
    let folder = Folder::with_database();
    let expected = rows(&folder.open("energy.sqlite"), MEASURED);
    let gzip = folder.write("chat.json.gz", packed(&source()));
    folder.done(["build", "chat.json.gz", "-o", "gzip.sqlite", "--quiet"]);
    let connection = folder.open("gzip.sqlite");
    assert!(rows(&connection, MEASURED) == expected);
    // The document is what was received, not what it unpacks to.
    let bytes = fs::metadata(gzip).unwrap().len().to_string();
    assert_eq!(
        rows(&connection, "select name, bytes from documents"),
        [["tasks/lm-arena-chat.json", &bytes]]
    );

    let input = fs::File::open(in_project("data/leaderboard/tasks/lm-arena-chat.json")).unwrap();
    let built = folder.command().args(["build", "-", "-o", "stdin.sqlite"]).stdin(input).output();
    assert!(built.unwrap().status.success());
    assert!(rows(&folder.open("stdin.sqlite"), MEASURED) == expected);
}

#[test]
fn a_gzip_file_that_was_cut_short_is_refused() {
    let folder = Folder::new();
    let whole = packed(&source());
    folder.write("cut.json.gz", &whole[..whole.len() / 2]);
    let ended = folder.run(["build", "cut.json.gz"]);
    assert_eq!(ended.status, Some(1), "{}", ended.err);
    assert!(ended.err.starts_with("finding: cut.json.gz: "), "{}", ended.err);
    assert_eq!(folder.names(""), ["cut.json.gz"]);
}

#[test]
fn several_documents_give_the_same_bytes_in_either_order() {
    let folder = Folder::new();
    let all = source_configurations();
    // The halves share a model, and the second names GPUs and models in another order.
    folder.write("first.json", task_file("lm-arena-chat", &all[..170]));
    let reversed: Vec<_> = all[165..].iter().rev().cloned().collect();
    folder.write("second.json", task_file("custom", &reversed));
    folder.write("third.json", task_file("custom", &all[..5]));
    let inputs = ["first.json", "second.json", "third.json"];
    let build = |order: [usize; 3]| {
        let words = ["build", "--quiet", "-o", "e.sqlite"];
        folder.done(words.into_iter().chain(order.map(|index| inputs[index])));
        folder.read("e.sqlite")
    };
    let expected = build([0, 1, 2]);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert!(build(order) == expected, "{order:?}");
    }
    let connection = folder.open("e.sqlite");
    let counts = "select task, count(*) from configuration_energy group by task order by task";
    assert_eq!(rows(&connection, counts), [["custom", "168"], ["lm-arena-chat", "170"]]);
    // Of a task of which the manifest knows nothing the source is a name alone.
    let sources = "select distinct task, source, sources.name from documents join tasks \
                   using (task_id) join sources using (source_id) order by task";
    assert_eq!(
        rows(&connection, sources),
        [["custom", "published", "null"], ["lm-arena-chat", "published", "ML.ENERGY Leaderboard"]]
    );
    let listed = folder.done(["query", "gpus", "--db", "e.sqlite", "--task", "Custom", "--quiet"]);
    let header = "gpu,models,configurations,lowest_num_gpus,highest_num_gpus,vendor";
    assert!(listed.starts_with(header), "{listed}");
}

#[test]
fn one_of_several_tasks_must_be_named_unless_it_is_the_usual_one() {
    let folder = Folder::new();
    let all = source_configurations();
    folder.write("gpqa.json", task_file("gpqa", &all[..9]));
    folder.write("code.json", task_file("code", &all[..9]));
    folder.done(["build", "gpqa.json", "--quiet"]);
    let listed = folder.done(["query", "gpus"]);
    assert!(listed.contains("\nB200,1,9,1,1,"), "{listed}");
    folder.done(["build", "gpqa.json", "code.json", "--quiet"]);
    let line = folder.refused(2, ["query", "configurations"]);
    assert_eq!(line, "choose a task with --task: code, gpqa");
    let line = folder.refused(2, ["export", "--model", "qwen-3-8b"]);
    assert_eq!(line, "the model 'qwen-3-8b' was not measured; the nearest are qwen-3-14b");
    let line = folder.refused(2, ["export", "--model", "qwen-3-14b"]);
    assert_eq!(line, "choose a task with --task: code, gpqa");
}

#[test]
fn the_same_bytes_are_read_once() {
    let folder = Folder::new();
    folder.write("a.json", source());
    folder.write("b.json", source());
    for inputs in [["a.json", "b.json"], ["b.json", "a.json"], ["a.json", "a.json"]] {
        let ended = folder.run(["build"].into_iter().chain(inputs));
        assert_eq!(ended.status, Some(0), "{}", ended.err);
        let report = String::from_utf8(ended.out).unwrap();
        assert_eq!(reported(&report, "configurations "), "328, of which 2 are repeats");
        let again = if inputs == ["a.json", "a.json"] { "a.json" } else { "b.json" };
        let note = format!("note: {again} has the same bytes as a.json and is read once\n");
        assert_eq!(ended.err, note);
        let documents = rows(&folder.open("energy.sqlite"), "select name from documents");
        assert_eq!(documents, [["tasks/lm-arena-chat.json"]]);
    }
}

#[test]
fn a_configuration_in_two_documents_is_stored_once_where_its_figures_are_equal() {
    let folder = Folder::new();
    let all = source_configurations();
    folder.write("first.json", task_file("lm-arena-chat", &all[..10]));
    folder.write("second.json", task_file("lm-arena-chat", &all[7..20]));
    let ended = folder.run(["build", "first.json", "second.json"]);
    assert_eq!(ended.status, Some(0), "{}", ended.err);
    let report = String::from_utf8(ended.out).unwrap();
    assert_eq!(reported(&report, "configurations "), "20, of which 0 are repeats");
    let shared = "note: 3 configurations of ";
    let equal = ".json are also in another document with equal figures, and are stored once\n";
    assert!(ended.err.contains(shared) && ended.err.contains(equal), "{}", ended.err);
}

#[test]
fn a_configuration_with_other_figures_in_another_document_is_refused_at_both_places() {
    let folder = Folder::with_database();
    let before = folder.read("energy.sqlite");
    let all = source_configurations();
    let mut other = all[3].clone();
    other["p99_itl_ms"] = json!(99.5);
    folder.write("first.json", task_file("lm-arena-chat", &all[..10]));
    folder.write("second.json", task_file("lm-arena-chat", &[all[12].clone(), other]));
    for inputs in [["first.json", "second.json"], ["second.json", "first.json"]] {
        let ended = folder.run(["build"].into_iter().chain(inputs));
        assert_eq!(ended.status, Some(1), "{}", ended.err);
        assert_eq!(ended.out, b"");
        for place in ["first.json: /configurations/3", "second.json: /configurations/1"] {
            assert!(ended.err.contains(place), "{place} is not in {}", ended.err);
        }
        assert!(ended.err.contains("[same-configuration]"), "{}", ended.err);
        assert!(ended.err.contains("nothing was written to energy.sqlite"), "{}", ended.err);
        assert!(folder.read("energy.sqlite") == before);
        assert_eq!(folder.names(""), ["energy.sqlite", "first.json", "second.json"]);
    }
}

#[test]
fn a_build_replaces_an_energydb_database_and_leaves_nothing_beside_it() {
    let folder = Folder::with_database();
    let before = folder.read("energy.sqlite");
    // A reader keeps what it opened.
    let reader = folder.open("energy.sqlite");
    assert_eq!(rows(&reader, "select data_version from release"), [["2026-10-19"]]);
    folder.done(["build", "--data-version", "2026-11-02", "--quiet"]);
    assert!(folder.read("energy.sqlite") != before);
    assert_eq!(rows(&reader, "select data_version from release"), [["2026-10-19"]]);
    let opened_now = folder.open("energy.sqlite");
    assert_eq!(rows(&opened_now, "select data_version from release"), [["2026-11-02"]]);
    assert_eq!(folder.names(""), ["energy.sqlite"]);
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = Folder::new();
    let report = folder.done(["build", "--dry-run", "--quiet"]);
    assert_eq!(reported(&report, "configurations "), "1858, of which 3 are repeats");
    assert_eq!(folder.names(""), Vec::<String>::new());
}

#[test]
fn a_database_that_another_program_is_changing_is_not_replaced() {
    let folder = Folder::with_database();
    folder.write("energy.sqlite-journal", "the start of a change");
    let line = folder.refused(1, ["build", "--quiet"]);
    assert!(line.contains("energy.sqlite-journal contains its changes"), "{line}");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_to_the_destination_stays_one() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    fs::create_dir(folder.path("releases")).unwrap();
    symlink("releases/1.sqlite", folder.path("newest.sqlite")).unwrap();
    // Once into nothing, once over a database.
    for _ in 0..2 {
        folder.done(["build", DATA, "-o", "newest.sqlite", "--quiet"]);
        let link = fs::read_link(folder.path("newest.sqlite")).unwrap();
        assert_eq!(link.to_str(), Some("releases/1.sqlite"));
        assert_eq!(folder.names("releases"), ["1.sqlite"]);
        assert_eq!(folder.names(""), ["newest.sqlite", "releases"]);
    }
    symlink("b", folder.path("a")).unwrap();
    symlink("a", folder.path("b")).unwrap();
    let line = folder.refused(1, ["build", "-o", "a", "--quiet"]);
    assert!(line.contains("symbolic links"), "{line}");
}

#[test]
#[cfg(unix)]
fn a_database_that_is_replaced_keeps_its_permissions() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_database();
    let path = folder.path("energy.sqlite");
    set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    folder.done(["build", DATA, "--quiet"]);
    assert_eq!(metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_build_does_not_take_a_database_to_read() {
    let folder = Folder::new();
    let line = folder.refused(2, ["build", "--db", "mine.sqlite"]);
    assert_eq!(line, "build does not take --db; -o names the database to write");
    assert!(folder.names("").is_empty());
}

#[test]
fn any_name_is_a_file_and_nothing_else() {
    let names = [
        "a#b.sqlite",
        "a?mode=memory.sqlite",
        "a%20b.sqlite",
        "a b.sqlite",
        "Ünïcödé-模型-Σ.sqlite",
        ":memory:",
        "file:x.sqlite",
        "'quoted\".sqlite",
    ];
    let folder = Folder::new();
    for name in names {
        folder.done(["build", DATA, "-o", name, "--quiet"]);
        let listed = folder.done(["query", "gpus", "--db", name]);
        assert!(listed.contains("\nB200,16,151,1,8,"), "{name}: {listed}");
    }
    let mut expected = names.to_vec();
    expected.sort_unstable();
    assert_eq!(folder.names(""), expected);

    // The same of an input, which is stored by what it is.
    for name in ["a#b?c%20d é.json", "-.json"] {
        folder.write(name, source());
        let input = format!("./{name}");
        folder.done(["build", &input, "-o", "input.sqlite", "--quiet"]);
        let stored = rows(&folder.open("input.sqlite"), "select name from documents");
        assert_eq!(stored, [["tasks/lm-arena-chat.json"]]);
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let folder = Folder::with_database();
    for format in formats() {
        let mut child = folder
            .command()
            .args(["query", "configurations", "--format", &format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // 328 rows of 26 columns are more than a pipe holds, so the program still writes then.
        let mut reader = BufReader::with_capacity(16, child.stdout.take().unwrap());
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "{format}");
        drop(reader);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{format}");
        // None where the signal ended it.
        assert!(matches!(ended.status.code(), Some(0) | None), "{format}: {:?}", ended.status);
    }
}

#[test]
fn the_database_that_is_named_is_used_or_refused_and_never_skipped() {
    let folder = Folder::with_database();
    folder.done(["build", "--data-version", "2026-11-02", "-o", "named.sqlite", "--quiet"]);
    let day = |variable: Option<&str>, words: &[&str]| {
        let mut command = folder.command();
        variable.map(|name| command.env("ENERGYDB_DB", name));
        command.args(["query", "--sql", "select data_version from release"]).args(words);
        let ended = command.output().unwrap();
        let text =
            String::from_utf8(if ended.status.success() { ended.stdout } else { ended.stderr });
        text.unwrap().lines().last().unwrap().to_owned()
    };
    assert_eq!(day(None, &[]), "2026-10-19");
    assert_eq!(day(Some("named.sqlite"), &[]), "2026-11-02");
    assert_eq!(day(Some("named.sqlite"), &["--db", "energy.sqlite"]), "2026-10-19");
    assert_eq!(day(Some(""), &[]), "2026-10-19");
    let missing = "error: no such database: none.sqlite; build it with 'energydb build -o FILE'";
    assert_eq!(day(Some("none.sqlite"), &[]), missing);
    assert_eq!(day(Some("named.sqlite"), &["--db", "none.sqlite"]), missing);
    assert_eq!(folder.names(""), ["energy.sqlite", "named.sqlite"]);
}

#[test]
fn what_a_publisher_accepted_stands_in_the_database() {
    let folder = Folder::new();
    let mut rows_given = source_configurations()[..3].to_vec();
    rows_given[1]["avg_power_watts"] = json!(700.5);
    rows_given[2]["p95_itl_ms"] = json!(1.25);
    folder.write("chat.json", task_file("lm-arena-chat", &rows_given));
    let ended = folder.run(["build", "chat.json", "--accept", "power-identity"]);
    assert_eq!(ended.status, Some(1), "one of two is not accepted: {}", ended.err);
    let accept = ["--accept", "power-identity", "--accept", "itl-order"];
    let report = folder.done(["build", "chat.json", "--quiet"].into_iter().chain(accept));
    assert!(reported(&report, "accepted ").starts_with("2 findings"), "{report}");
    let connection = folder.open("energy.sqlite");
    assert_eq!(
        rows(&connection, "select check_name, place, value from findings order by place"),
        [
            ["power-identity", "/configurations/1/avg_power_watts", "700.5"],
            ["itl-order", "/configurations/2/p95_itl_ms", "1.25"],
        ]
    );
    let stored = "select power_watts from configurations where document_position = 1";
    assert_eq!(rows(&connection, stored), [["700.5"]]);
    let folder = Folder::with_database();
    let none = Vec::<Vec<String>>::new();
    assert_eq!(rows(&folder.open("energy.sqlite"), "select * from findings"), none);
}

#[test]
fn an_empty_file_is_filled_as_mktemp_makes_one() {
    let folder = Folder::new();
    folder.write("fresh.sqlite", "");
    folder.done(["build", "-o", "fresh.sqlite", "--quiet"]);
    folder.done(["check", "fresh.sqlite", "--quiet"]);
}

#[test]
fn files_of_other_kinds_are_named_as_what_they_are() {
    let folder = Folder::new();
    let packed = [0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0];
    folder.write("energy.sqlite.zst", packed);
    let line = folder.refused(1, ["query", "gpus", "--db", "energy.sqlite.zst"]);
    assert!(line.ends_with("energy.sqlite.zst; unpack it with 'zstd -d' first"), "{line}");
    for (name, expected) in [
        ("utf-16.json", "it is text in UTF-16; save it as UTF-8"),
        ("utf-16-be-without-mark.json", "it is text in UTF-16; save it as UTF-8"),
        ("packed.json.xz", "it is compressed by xz; unpack it with 'xz -d' first"),
        ("garbage-behind.json.gz", "something that is not gzip follows the compressed text"),
    ] {
        let input = crate::common::in_project("tests/fuzz/documents").join(name);
        let ended = folder.run([OsStr::new("build"), input.as_os_str(), OsStr::new("--dry-run")]);
        assert_eq!(ended.status, Some(1), "{name}");
        ended.found(&[name, expected]);
    }
}

#[test]
fn many_unknown_fields_are_counted_and_not_all_named() {
    let folder = Folder::new();
    let mut document: serde_json::Value = serde_json::from_slice(&source()).unwrap();
    for number in 0..50 {
        document[format!("key{number}")] = number.into();
    }
    folder.write("many.json", serde_json::to_vec(&document).unwrap());
    let ended = folder.run(["build", "many.json", "--dry-run"]).succeeded();
    assert_eq!(ended.lines("warning: ").len(), 11, "{}", ended.err);
    assert!(ended.err.contains("many.json: and 40 more unknown fields"), "{}", ended.err);
    let ended = folder.run(["build", "many.json", "--dry-run", "--quiet"]).succeeded();
    assert_eq!(ended.err, "");
}

#[test]
fn an_object_of_more_members_than_memory_is_for_is_refused_in_every_form() {
    let folder = Folder::new();
    let members: String = (0..250_000).map(|number| format!(", \"u{number:015}\": 1")).collect();
    let result = "\"model_id\": \"a/b\", \"tokenizer_id\": \"x\", \"output_throughput\": 5.0, \
                  \"duration\": 60, \"max_concurrency\": 4, \"total_output_tokens\": 300";
    for text in [
        format!("{{\"configurations\": [{{\"model_id\": \"a/b\"{members}}}], \"task\": \"gpqa\"}}"),
        format!("{{\"task\": \"gpqa\", \"configurations\": []{members}}}"),
        format!("{{{result}{members}}}"),
    ] {
        folder.write("x.json", &text);
        let ended = folder.run(["build", "x.json"]).failed(1, "finding");
        ended.found(&["line 1, column", "members of more than 16 MiB", "[json]"]);
    }
}

#[test]
fn a_name_that_looks_like_another_is_refused() {
    let folder = Folder::new();
    let corpus = in_project("tests/fuzz/documents");
    let build = |name: &str| {
        let input = corpus.join(name);
        let ended = folder.run([OsStr::new("build"), input.as_os_str(), OsStr::new("--dry-run")]);
        assert_eq!(ended.status, Some(1), "{name}: {}", ended.err);
        ended
    };
    build("model-combining.json").found(&["/nickname", "Unicode NFC", "[name-form]"]);
    let mut two: Value = serde_json::from_slice(&source()).unwrap();
    // A letter of the Cyrillic script.
    two["configurations"][0]["gpu_model"] = "\u{412}200".into();
    folder.write("two.json", serde_json::to_vec(&two).unwrap());
    let ended = folder.run(["build", "two.json", "--dry-run"]);
    assert_eq!(ended.status, Some(1));
    ended.found(&["gpu_model", "the same name spelled otherwise", "[name-spelling]"]);
}

#[test]
fn a_name_of_two_models_is_refused_with_both() {
    let folder = Folder::new();
    let mut rows = source_configurations();
    for row in &mut rows {
        match row["nickname"].as_str().unwrap() {
            "Qwen 3 14B" => row["nickname"] = "x/y".into(),
            "Qwen 3 8B" => row["model_id"] = "x/y".into(),
            _ => (),
        }
    }
    folder.write("two.json", task_file("lm-arena-chat", &rows));
    folder.done(["build", "two.json", "--quiet"]);
    let refused = folder.refused(2, ["query", "best", "--model", "X/Y", "--quiet"]);
    assert_eq!(refused, "'X/Y' is the name of several models; give one of qwen-3-8b, x-y");
    let best = ["query", "best", "--model", "x-y", "--columns", "model", "--quiet"];
    assert_eq!(folder.done(best), "model\nx-y\nx-y\n");
}
