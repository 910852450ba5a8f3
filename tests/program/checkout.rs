//! A checkout of the leaderboard as input: folders, the forms of files, and documents that agree or
//! contradict each other.

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use crate::common::{Ended, Folder, formats, rows, workloads};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

const PIXART: &str = "models/example__PixArt-Sigma-XL__text-to-image.json";
const REEL: &str = "models/example__Reel-A14B__text-to-video.json";
const MAPLE: &str = "models/example__Maple-7B__gpqa.json";
const CHAT: &str = "models/example__Maple-7B__lm-arena-chat.json";
const IMAGES: &str = "tasks/text-to-image.json";

/// A folder with a copy of the documents, in `data`.
fn checkout() -> Folder {
    let folder = Folder::new();
    for part in ["", "tasks", "models"] {
        for entry in fs::read_dir(workloads().join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.file_name().unwrap().to_str().unwrap();
                folder.write(format!("data/{part}/{name}"), fs::read(&path).unwrap());
            }
        }
    }
    folder
}

/// Changes a document of a checkout.
fn change(folder: &Folder, name: &str, change: impl FnOnce(&mut Value)) {
    let name = format!("data/{name}");
    let mut document: Value = serde_json::from_slice(&folder.read(&name)).unwrap();
    change(&mut document);
    folder.write(&name, serde_json::to_vec_pretty(&document).unwrap());
}

fn check(folder: &Folder, words: &[&str]) -> Ended {
    folder.run([&["build", "--dry-run"], words].concat())
}

/// The findings of a build of a whole checkout.
fn findings(folder: &Folder) -> Vec<String> {
    let ended = check(folder, &["data"]);
    assert_eq!(ended.status, Some(1), "{}", ended.err);
    let findings = ended.err.lines().filter_map(|line| line.strip_prefix("finding: "));
    findings.map(Into::into).collect()
}

/// Checks that a build of a checkout has one finding, which says all of this.
#[track_caller]
fn refuses(folder: &Folder, parts: &[&str]) {
    let found = findings(folder);
    assert_eq!(found.len(), 1, "{found:#?}");
    for part in parts {
        assert!(found[0].contains(part), "expected {part:?}: {}", found[0]);
    }
}

fn content_hash(folder: &Folder, words: impl IntoIterator<Item = OsString>) -> String {
    let start = ["build", "--quiet", "-o", "x.sqlite"].map(OsString::from);
    let report = folder.done(start.into_iter().chain(words));
    report.lines().find_map(|line| line.strip_prefix("content hash")).unwrap().trim().to_owned()
}

#[test]
fn a_checkout_is_built_whole_and_every_overlap_is_stored_once() {
    let folder = Folder::with_every_workload();
    let connection = folder.open("energy.sqlite");
    let counts = "select task, output, sum(configurations) from model_index
                  join tasks using (task) group by task order by task";
    let expected = [
        ["gpqa", "tokens", "7"],
        ["image-chat", "tokens", "4"],
        ["lm-arena-chat", "tokens", "3"],
        ["sourcegraph-fim", "tokens", "4"],
        ["text-to-image", "images", "28"],
        ["text-to-video", "videos", "19"],
        ["video-chat", "tokens", "4"],
    ];
    assert_eq!(rows(&connection, counts), expected);
    // A model of several tasks is one row, and one that is only listed has its facts too.
    let models = "select model, architecture, params_b from models order by model";
    let models = rows(&connection, models);
    assert_eq!(models.len(), 8);
    assert!(models.contains(&["maple-7b", "Dense Transformer", "7.0"].map(Into::into).to_vec()));
    assert!(models.contains(&["pixart", "null", "0.6"].map(Into::into).to_vec()));
    let parallel = "select data_parallel from configurations
                    join tasks using (task_id) where task = 'sourcegraph-fim' order by 1";
    assert_eq!(rows(&connection, parallel).concat(), ["1", "1", "4", "8"]);
    let kinds = "select kind, count(*), count(task_id), count(data_url), count(source_id)
                 from documents group by kind order by kind";
    assert_eq!(
        rows(&connection, kinds),
        [
            ["index", "1", "0", "1", "1"],
            ["model-file", "6", "6", "6", "6"],
            ["task-file", "6", "6", "6", "6"]
        ]
    );
    let url = "select data_url from documents where name like '%Reel%'";
    let published = "https://raw.githubusercontent.com/ml-energy/leaderboard/master/public/data/";
    assert_eq!(rows(&connection, url), [[format!("{published}{REEL}")]]);
}

#[test]
fn the_order_of_inputs_and_their_number_do_not_matter() {
    let folder = checkout();
    let mut files: Vec<OsString> = Vec::new();
    for part in ["data", "data/tasks", "data/models"] {
        let names = folder.names(part).into_iter().filter(|name| name.ends_with(".json"));
        files.extend(names.map(|name| format!("{part}/{name}").into()));
    }
    assert_eq!(files.len(), 13);
    let by_file = content_hash(&folder, files.clone());
    files.reverse();
    assert_eq!(content_hash(&folder, files.clone()), by_file);
    files.rotate_left(5);
    assert_eq!(content_hash(&folder, files), by_file);
    let whole = content_hash(&folder, ["data".into()]);
    assert_eq!(whole, by_file);
    assert_eq!(content_hash(&folder, [workloads().into_os_string()]), whole);
    let named = content_hash(&folder, ["data".into(), "data/index.json".into()]);
    assert_eq!(named, whole);
}

#[test]
fn one_broken_file_of_a_checkout_can_be_left_out() {
    let folder = checkout();
    folder.write("data/models/broken__gpqa.json", "{");
    assert_eq!(check(&folder, &["data"]).status, Some(1));
    let expected = content_hash(&folder, [workloads().into_os_string()]);
    for pattern in ["broken__*", "models/broken__gpqa.json", "**/broken__gpqa.json"] {
        let words = ["data", "--exclude", pattern].map(OsString::from);
        assert_eq!(content_hash(&folder, words), expected, "{pattern}");
    }
    let line = folder.refused(2, ["build", "data", "--exclude", "*.toml"]);
    assert_eq!(line, "--exclude '*.toml' matches no input");
    let line = folder.refused(2, ["build", "data", "--exclude", "*"]);
    assert_eq!(line, "--exclude leaves out every input");
}

#[test]
fn a_folder_is_read_at_any_depth_and_only_what_may_be_a_document() {
    let folder = checkout();
    let expected = content_hash(&folder, ["data".into()]);
    folder.write("data/notes.txt", "not JSON");
    folder.write("data/.hidden.json", "not JSON");
    folder.write("data/.git/config.json", "not JSON");
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        // Circles of links end.
        symlink("..", folder.path("data/tasks/up")).unwrap();
        symlink("loop", folder.path("data/loop")).unwrap();
        // A pipe that nobody writes to would be waited for.
        let made = std::process::Command::new("mkfifo").arg(folder.path("data/pipe.json")).status();
        assert!(made.unwrap().success());
    }
    assert_eq!(content_hash(&folder, ["data".into()]), expected);

    // JSON of another kind is left out, with a note.
    folder.write("data/package.json", r#"{"name": "web", "models": {}}"#);
    let ended = check(&folder, &["data"]);
    assert_eq!(ended.status, Some(0), "{}", ended.err);
    let note = "note: data/package.json was skipped: energydb does not read files of this kind\n";
    assert!(ended.err.contains(note), "{}", ended.err);
    folder.write("data/web/tsconfig.json", "[]");
    let ended = check(&folder, &["data"]);
    let note = "note: data/package.json and 1 more were skipped: energydb does not read files of these kinds\n";
    assert!(ended.err.contains(note), "{}", ended.err);
    // It is refused if it is named itself. So is a file that is not JSON.
    let ended = check(&folder, &["data/package.json"]);
    assert_eq!(ended.status, Some(1));
    assert!(ended.err.contains("[document-form]"), "{}", ended.err);
    folder.write("data/cut.json", r#"{"configurations": ["#);
    refuses(&folder, &["data/cut.json: ", "[json]"]);
}

#[test]
fn a_folder_without_documents_is_refused() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("empty/within")).unwrap();
    let line = folder.refused(1, ["build", "empty"]);
    assert!(line.starts_with("the folder contains no .json"), "{line}");
    folder.write("empty/package.json", "{}");
    let line = folder.refused(1, ["build", "empty"]);
    assert!(
        line.starts_with("there is nothing to build: empty/package.json was skipped"),
        "{line}"
    );
    folder.write("empty/package.json", fs::read(workloads().join("index.json")).unwrap());
    let ended = folder.run(["build", "empty"]);
    assert_eq!(ended.status, Some(1));
    assert!(ended.err.contains("only an index"), "{}", ended.err);
    assert_eq!(folder.names("."), ["empty"]);
}

#[test]
fn packed_files_and_a_pipe_are_read_as_well() {
    let folder = checkout();
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&folder.read(format!("data/{IMAGES}"))).unwrap();
    folder.write(format!("data/{IMAGES}.gz"), packed.finish().unwrap());
    fs::remove_file(folder.path(format!("data/{IMAGES}"))).unwrap();
    let report = folder.done(["build", "data", "--quiet"]);
    assert!(report.contains("configurations 69, of which 1 "), "{report}");

    // A model's own file on standard input, with the facts of the model after its configurations.
    for (name, number) in [(PIXART, "24"), (REEL, "3"), (IMAGES, "28")] {
        let content = fs::read(workloads().join(name)).unwrap();
        let mut command = folder.program(["build", "-", "-o", "pipe.sqlite", "--quiet"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&content).unwrap();
        let output = child.wait_with_output().unwrap();
        let report = String::from_utf8(output.stdout).unwrap();
        assert!(report.contains(&format!("configurations {number},")), "{name}: {report}");
    }
}

#[test]
fn repeats_in_both_kinds_of_file_are_paired_by_their_figures() {
    let folder = checkout();
    // The model's own file has the two measurements in the other order.
    change(&folder, MAPLE, |document| {
        let rows = document["configurations"].as_array_mut().unwrap();
        let (first, second) = (4, 5);
        assert_eq!(rows[first]["max_num_seqs"], rows[second]["max_num_seqs"]);
        rows.swap(first, second);
    });
    folder.done(["build", "data", "--quiet"]);
    let connection = folder.open("energy.sqlite");
    let requests = "select repeat, output_lengths.requests from configurations
                    join output_lengths using (configuration_id) join tasks
                        on tasks.task_id = configurations.task_id
                    where task = 'gpqa' and max_num_seqs = 64 and gpu_id = (
                        select gpu_id from gpus where gpu = 'H100') order by repeat";
    assert_eq!(rows(&connection, requests), [["1", "198"], ["2", "396"]]);

    // One of them twice is not the other.
    change(&folder, MAPLE, |document| {
        let rows = document["configurations"].as_array_mut().unwrap();
        rows[5] = rows[4].clone();
    });
    refuses(
        &folder,
        &[
            MAPLE,
            "/configurations/5/",
            "data/tasks/gpqa.json: /configurations/",
            "[same-configuration]",
        ],
    );
}

#[test]
fn images_may_have_the_fields_of_videos_as_null() {
    let folder = checkout();
    change(&folder, IMAGES, |document| {
        for row in document["configurations"].as_array_mut().unwrap() {
            row["fps"] = Value::Null;
            row["num_frames"] = Value::Null;
        }
    });
    let ended = check(&folder, &["data"]);
    assert_eq!(ended.status, Some(0), "{}", ended.err);
}

#[test]
fn the_same_figures_for_other_settings_are_a_contradiction() {
    for (name, task, field, value, found) in [
        (MAPLE, "gpqa", "max_num_seqs", json!(4096), "found 4096, expected "),
        (MAPLE, "gpqa", "num_gpus", json!(7), "found 7, expected "),
        (MAPLE, "gpqa", "gpu_model", json!("B300"), "found another GPU, expected the same"),
        (PIXART, "text-to-image", "inference_steps", json!(77), "found 77, expected "),
        (PIXART, "text-to-image", "image_height", json!(4096), "found 4096, expected "),
        (PIXART, "text-to-image", "gpu_model", json!("B300"), "found another GPU, "),
        (REEL, "text-to-video", "num_frames", Value::Null, "found null, expected "),
    ] {
        let folder = checkout();
        change(&folder, name, |document| {
            document["configurations"][0][field] = value;
        });
        let place = format!("/configurations/0/{field}: {found}");
        let other = format!("data/tasks/{task}.json: /configurations/");
        refuses(&folder, &[name, &place, &other, "[same-configuration]"]);
    }
}

#[test]
fn figures_that_contradict_each_other_name_both_places() {
    let folder = checkout();
    change(&folder, MAPLE, |document| {
        document["configurations"][0]["p99_itl_ms"] = json!(99.5);
    });
    refuses(
        &folder,
        &[
            MAPLE,
            "/configurations/0/p99_itl_ms: found 99.5",
            "data/tasks/gpqa.json: /configurations/0",
            "[same-configuration]",
        ],
    );
    let folder = checkout();
    change(&folder, MAPLE, |document| {
        document["configurations"][0]["parallelization"]["tensor_parallel"] = json!(2);
    });
    refuses(&folder, &["/configurations/0/parallelization/tensor_parallel: found 2, expected 1"]);
    for (name, field) in [(PIXART, "energy_per_image_joules"), (REEL, "energy_per_video_joules")] {
        let folder = checkout();
        change(&folder, name, |document| {
            let row = &mut document["configurations"][1];
            for field in [field, "avg_power_watts"] {
                row[field] = json!(row[field].as_f64().unwrap() * 1.5);
            }
        });
        let task = name.rsplit_once("__").unwrap().1;
        refuses(
            &folder,
            &[
                name,
                &format!("/configurations/1/{field}: found "),
                &format!("data/tasks/{task}: /configurations/"),
                "[same-configuration]",
            ],
        );
    }
    let folder = checkout();
    change(&folder, CHAT, |document| document["configurations"][1]["gpu_model"] = json!("H100"));
    let copy = folder.read(format!("data/{CHAT}"));
    folder.write("data/models/again.json", copy);
    change(&folder, "models/again.json", |document| {
        document["configurations"][2]["output_length_distribution"]["counts"][0] = json!(7);
    });
    let found = findings(&folder);
    let place = "/configurations/2/output_length_distribution";
    assert!(
        found.iter().any(
            |found| found.matches(place).count() == 2 && found.contains("[same-configuration]")
        ),
        "{found:#?}"
    );
}

#[test]
fn facts_of_a_model_that_contradict_each_other_name_both_places() {
    for (member, value, field) in [
        ("total_params_billions", json!(7.5), "total_params_billions: found 7, expected 7.5"),
        ("activated_params_billions", json!(6.5), "activated_params_billions: found 7"),
        (
            "nickname",
            json!("Maple Seven"),
            "nickname: found \"Maple 7B\", expected \"Maple Seven\"",
        ),
        ("architecture", json!("MoE"), "architecture: found \"Dense Transformer\""),
        (
            "weight_precision",
            json!("fp8"),
            "weight_precision: found \"bfloat16\", expected \"fp8\"",
        ),
    ] {
        let folder = checkout();
        change(&folder, "index.json", |index| {
            index["models"]["example/Maple-7B"][member] = value.clone();
        });
        let found = findings(&folder);
        let place = "as for example/Maple-7B at data/index.json: /models/example~1Maple-7B";
        for file in [MAPLE, "tasks/gpqa.json", CHAT] {
            // The files of models that make text do not say the name.
            let is_told = !(member == "nickname" && file != "tasks/gpqa.json");
            let told = found.iter().any(|found| {
                found.contains(file) && found.contains(field) && found.contains(place)
            });
            assert_eq!(told, is_told, "{file} {field}: {found:#?}");
        }
    }
}

#[test]
fn a_name_of_a_file_that_contradicts_its_content_names_both() {
    let folder = checkout();
    fs::remove_file(folder.path("data/tasks/video-chat.json")).unwrap();
    fs::rename(folder.path("data/tasks/gpqa.json"), folder.path("data/tasks/video-chat.json"))
        .unwrap();
    refuses(
        &folder,
        &[
            "data/tasks/video-chat.json: /task: found \"gpqa\", expected \"video-chat\"",
            "as the file is named (tasks/video-chat.json) [file-name]",
        ],
    );
    let folder = checkout();
    let other = "data/models/example__Maple-7B__video-chat.json";
    fs::rename(folder.path(format!("data/{MAPLE}")), folder.path(other)).unwrap();
    refuses(
        &folder,
        &[
            "/model_id: found \"example/Maple-7B\" and \"gpqa\"",
            "those of \"example__Maple-7B__video-chat\"",
            "[file-name]",
        ],
    );
    let folder = checkout();
    let other = "data/models/example__Maple-7B__image-chat.json";
    fs::rename(folder.path("data/tasks/image-chat.json"), folder.path(other)).unwrap();
    refuses(
        &folder,
        &["found a task file, expected the file of the model and task", "[file-name]"],
    );
    let folder = checkout();
    fs::rename(folder.path("data/index.json"), folder.path("data/tasks/gpqa2.json")).unwrap();
    refuses(&folder, &["found an index, expected the task file of \"gpqa2\"", "[file-name]"]);
    // Any other name says nothing.
    let folder = checkout();
    fs::rename(folder.path("data/tasks/gpqa.json"), folder.path("data/mine.json")).unwrap();
    assert_eq!(check(&folder, &["data"]).status, Some(0));
}

#[test]
fn a_family_that_contradicts_the_configurations_names_both_places() {
    // A task in two families is in a wrong one.
    let folder = checkout();
    change(&folder, "index.json", |index| {
        index["architectures"]["diffusion"].as_array_mut().unwrap().push(json!("gpqa"));
    });
    let found = findings(&folder);
    let [task_file, model_file] = &found[..] else { panic!("{found:?}") };
    assert!(task_file.contains("data/tasks/gpqa.json: /configurations: found"), "{task_file}");
    assert!(model_file.contains(MAPLE), "{model_file}");

    let folder = checkout();
    change(&folder, "index.json", |index| {
        index["architectures"]["llm"].as_array_mut().unwrap().push(json!("text-to-image"));
        index["architectures"]["diffusion"] = json!(["text-to-video"]);
    });
    let found = findings(&folder);
    assert_eq!(found.len(), 2, "{found:#?}");
    for (found, file) in found.iter().zip([IMAGES, PIXART]) {
        let place = format!("data/{file}: /configurations: ");
        assert!(found.starts_with(&place), "{found}");
        assert!(found.contains("as data/index.json says at /architectures"), "{found}");
    }
    let folder = checkout();
    change(&folder, IMAGES, |document| document["architecture"] = json!("llm"));
    refuses(&folder, &["/architecture: found \"llm\", expected \"diffusion\"", "[document-form]"]);
}

#[test]
fn a_model_needs_a_name_from_some_document() {
    let folder = checkout();
    let chat = format!("data/{CHAT}");
    let ended = check(&folder, &[&chat]);
    assert_eq!(ended.status, Some(1));
    let expected = "example/Maple-7B without a nickname, expected a nickname: build it together with \
                    an index.json or a task file that has one [model-name]";
    assert!(ended.err.contains(expected), "{}", ended.err);
    // The index names it, and so does the task file of another task, before it or after.
    for other in ["data/index.json", "data/tasks/gpqa.json", "data/tasks/sourcegraph-fim.json"] {
        let ended = check(&folder, &[&chat, other]);
        assert_eq!(ended.status, Some(0), "{other}: {}", ended.err);
    }
    assert_eq!(check(&folder, &[&chat, "data/tasks/image-chat.json"]).status, Some(1));
    // Files of models that make images name it themselves.
    let images = format!("data/{PIXART}");
    assert_eq!(check(&folder, &[&images]).status, Some(0));
}

#[test]
fn what_is_missing_or_wrong_in_any_form_is_told_at_its_place() {
    type Change = fn(&mut Value);
    let cases: [(&str, Change, &str); 19] = [
        (
            IMAGES,
            |d| drop(remove(&mut d["configurations"][3], "ring_degree")),
            "/configurations/3/ring_degree: missing; the document needs this field [missing-field]",
        ),
        (
            IMAGES,
            |d| d["configurations"][3]["image_width"] = json!(10.5),
            "/configurations/3/image_width: found 10.5, expected a whole number",
        ),
        (
            IMAGES,
            |d| d["configurations"][3]["batch_latency_s"] = json!("1"),
            "/configurations/3/batch_latency_s: found \"1\", expected a number [field-type]",
        ),
        (
            IMAGES,
            |d| d["configurations"][3]["gpu_model"] = json!("a/b"),
            "/configurations/3/gpu_model: found \"a/b\", expected a name without a slash",
        ),
        (
            "tasks/text-to-video.json",
            |d| d["configurations"][0]["num_frames"] = json!(0),
            "/configurations/0/num_frames: found 0, expected a whole number",
        ),
        (
            "tasks/text-to-video.json",
            |d| drop(remove(&mut d["configurations"][0], "fps")),
            "/configurations/0/fps: missing; the document needs this field [missing-field]",
        ),
        (
            PIXART,
            |d| drop(remove(&mut d["configurations"][0], "parallelization")),
            "/configurations/0/parallelization: missing; the document needs this field",
        ),
        (
            PIXART,
            |d| d["configurations"][0]["parallelization"] = json!([1, 1]),
            "/configurations/0/parallelization: found an array, expected an object of degrees",
        ),
        (
            PIXART,
            |d| drop(remove(&mut d["configurations"][0]["parallelization"], "ring_degree")),
            "/configurations/0/parallelization/ring_degree: missing; the document needs this field",
        ),
        (
            PIXART,
            |d| d["configurations"][0]["parallelization"]["ulysses_degree"] = json!(0),
            "/configurations/0/parallelization/ulysses_degree: found 0, expected a whole number",
        ),
        (
            PIXART,
            |d| drop(remove(d, "weight_precision")),
            "/weight_precision: missing; the document needs this field [missing-field]",
        ),
        (
            PIXART,
            |d| d["total_params_billions"] = json!("0.6"),
            "/total_params_billions: found \"0.6\", expected a number [field-type]",
        ),
        (
            MAPLE,
            |d| drop(remove(d, "output_length_distribution")),
            "/output_length_distribution: missing; the document needs this field [missing-field]",
        ),
        (
            MAPLE,
            |d| drop(remove(&mut d["configurations"][1], "output_length_distribution")),
            "/configurations/1/output_length_distribution: missing; the document needs this field",
        ),
        (
            MAPLE,
            |d| d["configurations"][1]["output_length_distribution"]["counts"] = json!([1, 2]),
            "/configurations/1/output_length_distribution: found 51 bins and 2 counts",
        ),
        (
            MAPLE,
            |d| d["output_length_distribution"]["bins"][3] = json!(1),
            "/output_length_distribution/bins/3: found 1, expected edges that ascend",
        ),
        (
            MAPLE,
            |d| d["configurations"] = json!([]),
            "/configurations: found no configurations, expected at least one [rows]",
        ),
        (
            "index.json",
            |d| drop(remove(&mut d["models"]["example/Maple-7B"], "nickname")),
            "/models/example~1Maple-7B/nickname: missing; the document needs this field",
        ),
        (
            "index.json",
            |d| d["models"]["example/Maple-7B"] = json!(7),
            "/models/example~1Maple-7B: found 7, expected an object [field-type]",
        ),
    ];
    for (name, broken, expected) in cases {
        let folder = checkout();
        change(&folder, name, broken);
        let found = findings(&folder);
        let expected = format!("data/{name}: {expected}");
        assert!(found.iter().any(|found| found.starts_with(&expected)), "{expected}: {found:#?}");
    }
}

fn remove(object: &mut Value, member: &str) -> Option<Value> {
    object.as_object_mut().unwrap().remove(member)
}

#[test]
fn broken_text_and_keys_that_stand_twice_are_found_in_every_form() {
    for (name, from, to, expected) in [
        (IMAGES, "\"batch_size\": 1,", "\"batch_size\": NaN,", "JSON has no NaN"),
        (IMAGES, "\"batch_size\": 1,", "\"batch_size\": 1, \"batch_size\": 1,", "[duplicate-key]"),
        (PIXART, "\"ring_degree\": 1", "\"ring_degree\": 1, \"ring_degree\": 1", "[duplicate-key]"),
        (PIXART, "\"model_id\":", "\"model_id\": \"a\", \"model_id\":", "[duplicate-key]"),
        (MAPLE, "\"counts\": [", "\"counts\": [], \"counts\": [", "[duplicate-key]"),
        (MAPLE, "\"counts\": [", "\"counts\": [-Infinity, ", "JSON has no NaN or Infinity"),
        ("index.json", "\"example/Maple-7B\": {", "\"example/Reel-5B\": {", "[duplicate-key]"),
        ("index.json", "\"nickname\":", "\"nickname\" ", "[json]"),
    ] {
        let folder = checkout();
        let path = format!("data/{name}");
        let text = String::from_utf8(folder.read(&path)).unwrap();
        assert!(text.contains(from), "{name} {from}");
        folder.write(&path, text.replacen(from, to, 1));
        let found = findings(&folder);
        let is_told = |found: &String| found.contains(name) && found.contains(expected);
        assert!(found.iter().any(is_told), "{name} {expected}: {found:#?}");
    }
}

#[test]
fn unknown_fields_are_warnings_that_strict_refuses_in_every_form() {
    for (name, pointer) in [
        ("index.json", ""),
        ("index.json", "/models/example~1Maple-7B"),
        (IMAGES, "/configurations/0"),
        (PIXART, ""),
        (PIXART, "/configurations/0/parallelization"),
        (MAPLE, "/configurations/0/output_length_distribution"),
    ] {
        let folder = checkout();
        change(&folder, name, |document| {
            document.pointer_mut(pointer).unwrap()["colour"] = json!("red");
        });
        let ended = check(&folder, &["data"]);
        assert_eq!(ended.status, Some(0), "{}", ended.err);
        let warning = format!("warning: data/{name}: unknown field \"colour\", once");
        assert!(ended.err.contains(&warning), "{}", ended.err);
        let ended = check(&folder, &["data", "--strict"]);
        assert_eq!(ended.status, Some(1), "{}", ended.err);
    }
    // Notes that are not empty may say something of the figures.
    let folder = checkout();
    assert_eq!(check(&folder, &["data", "--strict"]).status, Some(0));
    change(&folder, MAPLE, |document| {
        document["configurations"][0]["parallelization"]["notes"] = json!("measured on Sunday");
    });
    let ended = check(&folder, &["data"]);
    assert!(ended.err.contains("unknown field \"notes\", once"), "{}", ended.err);
}

#[test]
fn relations_of_images_and_videos_are_checked_and_may_be_accepted() {
    type Change = fn(&mut Value);
    let cases: [(&str, Change, &str, &str); 4] = [
        (IMAGES, |row| row["avg_power_watts"] = json!(300.0), "avg_power_watts", "power-identity"),
        (
            IMAGES,
            |row| row["batch_latency_s"] = json!(1e4),
            "throughput_images_per_sec",
            "batch-identity",
        ),
        (
            "tasks/text-to-video.json",
            |row| row["batch_latency_s"] = json!(1e-4),
            "throughput_videos_per_sec",
            "batch-identity",
        ),
        (
            "tasks/text-to-video.json",
            |row| row["ring_degree"] = json!(3),
            "num_gpus",
            "degrees-identity",
        ),
    ];
    for (name, broken, field, check_name) in cases {
        let folder = checkout();
        for model in [PIXART, REEL] {
            fs::remove_file(folder.path(format!("data/{model}"))).unwrap();
        }
        change(&folder, name, |document| broken(&mut document["configurations"][2]));
        refuses(
            &folder,
            &[
                &format!("data/{name}: /configurations/2/{field}: found "),
                &format!("[{check_name}]"),
            ],
        );
        folder.done(["build", "data", "--accept", check_name, "--quiet"]);
        let connection = folder.open("energy.sqlite");
        let stored = rows(&connection, "select check_name, place from findings");
        assert_eq!(stored, [[check_name.to_owned(), format!("/configurations/2/{field}")]]);
        let report = folder.done(["check", "energy.sqlite", "--format", "csv"]);
        let line = report.lines().find(|line| line.starts_with(check_name)).unwrap();
        assert!(line.ends_with("1 accepted by the publisher\""), "{line}");
    }
}

#[test]
fn what_was_altered_of_any_workload_is_found_out() {
    for (alter, expected) in [
        (
            "update diffusion_configurations set joules_per_output = 2 * joules_per_output
          where diffusion_configuration_id = 3",
            "power-identity",
        ),
        (
            "update diffusion_configurations set batch_size = batch_size + 1
          where diffusion_configuration_id = 3",
            "batch-identity",
        ),
        (
            "update diffusion_configurations set ring_degree = 5 where num_frames > 1",
            "degrees-identity",
        ),
        (
            "update diffusion_configurations set repeat = 2 where diffusion_configuration_id = 3",
            "same-configuration",
        ),
        ("delete from diffusion_configurations where diffusion_configuration_id = 3", "rows"),
        ("update output_length_bins set requests = requests + 1 where bin = 3", "output-lengths"),
        ("update output_length_bins set from_tokens = 1 where bin = 3", "output-lengths"),
        ("delete from output_length_bins where bin = 50", "output-lengths"),
        ("update output_lengths set model_id = 1 + model_id % 8", "output-lengths"),
        ("update documents set data_url = 'x' where kind = 'index'", "content-hash"),
        ("update tasks set output = 'videos' where task = 'text-to-image'", "content-hash"),
    ] {
        let folder = Folder::with_every_workload();
        folder.open_to_change("energy.sqlite").execute_batch(alter).unwrap();
        let ended = folder.run(["check", "energy.sqlite", "--format", "csv"]);
        assert_eq!(ended.status, Some(1), "{alter}");
        let report = String::from_utf8(ended.out).unwrap();
        for check in [expected, "content-hash"] {
            let failed = format!("\n{check},failed,");
            assert!(report.contains(&failed), "{alter}: {report}");
        }
    }
}

#[test]
fn documents_of_images_and_videos_are_published_as_those_of_text() {
    let folder = Folder::with_every_workload();
    folder.done(["export", "-o", "out", "--quiet"]);
    assert_eq!(folder.names("out").len(), 7);
    assert_eq!(folder.names("out/text-to-image"), ["index.json", "lumen-xl-1.json", "pixart.json"]);
    let read = |name: &str| -> Value {
        serde_json::from_slice(&folder.read(format!("out/{name}"))).unwrap()
    };
    let document = read("text-to-image/pixart.json");
    let members: Vec<_> = document.as_object().unwrap().keys().cloned().collect();
    assert_eq!(
        members,
        [
            "version",
            "updated",
            "data_version",
            "unit",
            "batch_deadline_s",
            "source",
            "caveat",
            "boundary",
            "slug",
            "name",
            "model_id",
            "params_b",
            "active_params_b",
            "architecture",
            "gpus",
            "configurations",
            "best"
        ]
    );
    assert_eq!(document["name"], "PixArt-Σ");
    assert_eq!(document["architecture"], Value::Null);
    assert_eq!(
        (&document["unit"], &document["batch_deadline_s"]),
        (&"Wh per image".into(), &30.into())
    );
    assert_eq!(document["source"]["workload"], "Text to Image (text-to-image)");
    assert_eq!(document["gpus"], json!(["B200", "H100"]));
    assert_eq!(document["configurations"].as_array().unwrap().len(), 24);
    // The best of each GPU and size.
    assert_eq!(document["best"].as_array().unwrap().len(), 4);
    let videos = read("text-to-video/index.json");
    assert_eq!(
        (&videos["unit"], &videos["batch_deadline_s"]),
        (&"Wh per video".into(), &300.into())
    );
    let rows = videos["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row["under_batch_deadline"] == true));
    // Figures are rounded on the way out only.
    let sql =
        "select wh_per_image from image_energy where row_id = 'pixart/B200/1/1/512x512/20/u1r1'";
    let exact = folder.done(["query", "--format", "csv", "--sql", sql]);
    let exact: f64 = exact.lines().nth(1).unwrap().parse().unwrap();
    let row = &document["configurations"][0];
    assert_eq!(row["row_id"], "pixart/B200/1/1/512x512/20/u1r1");
    assert_eq!(row["wh_per_image"].as_f64(), format!("{exact:.5}").parse().ok());
    let one = folder.done(["export", "--model", "PixArt-Σ", "--task", "text-to-image"]);
    assert_eq!(serde_json::from_str::<Value>(&one).unwrap(), document);
    let line = folder.refused(2, ["export", "--model", "unmeasured-1b"]);
    assert_eq!(line, "the index lists unmeasured-1b, but it was not measured");
}

#[test]
fn a_name_reads_right_in_every_format() {
    let folder = Folder::with_every_workload();
    for format in formats() {
        for name in ["PixArt-Σ", "PIXART-Σ", "pixart-σ", "PixArt-ς"] {
            let words = ["query", "images", "--model", name, "--format", &format];
            let text = folder.done(words);
            assert!(text.contains("PixArt-Σ"), "{name} as {format}: {text}");
        }
    }
}

#[test]
fn a_manifest_of_ones_own_describes_every_form() {
    let folder = checkout();
    let manifest = json!({
        "release": {
            "version": "1", "data_version": "2026-03-01", "unit": "Wh per million output tokens",
            "itl_deadline_ms": 500, "image_deadline_s": 1.5, "caveat": "none", "boundary": "gpu_only"
        },
        "source": {"name": "Mine", "compiled": "2026-03-01"},
        "folder_url": "https://data.example/",
        "tasks": {"text-to-image": {"workload": "Pictures", "data_url": "https://data.example/p"}}
    });
    folder.write("mine.json", manifest.to_string());
    let ended = folder.run(["build", "data", "--manifest", "mine.json"]);
    assert_eq!(ended.status, Some(0), "{}", ended.err);
    let note = "note: data/index.json was last updated on 2026-02-16, but the manifest is for data \
                compiled on 2026-03-01; --manifest FILE gives another manifest\n";
    assert!(ended.err.contains(note), "{}", ended.err);
    let connection = folder.open("energy.sqlite");
    let urls = "select kind, documents.data_url, sources.workload from documents
                left join sources using (source_id)
                where task_id is null or task_id = (
                    select task_id from tasks where task = 'text-to-image') order by kind";
    assert_eq!(
        rows(&connection, urls),
        [
            ["index", "https://data.example/index.json", "null"],
            ["model-file", &format!("https://data.example/{PIXART}"), "Pictures"],
            ["task-file", "https://data.example/p", "Pictures"]
        ]
    );
    let deadlines = "select image_deadline_s, video_deadline_s from release";
    assert_eq!(rows(&connection, deadlines), [["1.5", "300.0"]]);
    let late = rows(&connection, "select count(*) from best_images where batch_latency_s > 1.5");
    assert_eq!(late, [["0"]]);
}
