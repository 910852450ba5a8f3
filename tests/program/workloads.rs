//! All workloads of the leaderboard: every number comes back exactly, and every question has the
//! answer that a plain computation from the documents gives. The documents are the project's own
//! small ones, and the leaderboard's data, which the program carries.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Folder, formats, in_project, rows, workloads};
use rusqlite::Connection;
use serde_json::Value;

/// The documents of a folder, parsed by another parser than the program's own.
struct Documents {
    index: Value,
    tasks: BTreeMap<String, Value>,
    /// The files of models, with their task.
    models: Vec<(String, Value)>,
}

impl Documents {
    fn of(folder: &Path) -> Self {
        let parse =
            |path: &Path| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
        let within = |name: &str| -> Vec<PathBuf> {
            let entries = fs::read_dir(folder.join(name)).unwrap();
            let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            paths.sort();
            paths
        };
        let task = |document: &Value| document["task"].as_str().unwrap().to_owned();
        Self {
            index: parse(&folder.join("index.json")),
            tasks: within("tasks").iter().map(|path| (task(&parse(path)), parse(path))).collect(),
            models: within("models").iter().map(|path| (task(&parse(path)), parse(path))).collect(),
        }
    }

    /// The configurations of a task: those of its task file, else those of models' own files, each
    /// flat and with the facts of its model, as in a task file.
    fn rows(&self, task: &str) -> Vec<Value> {
        if let Some(document) = self.tasks.get(task) {
            return document["configurations"].as_array().unwrap().clone();
        }
        let of_task = self.models.iter().filter(|(of, _)| of == task);
        of_task.flat_map(|(_, document)| self.flat(document)).collect()
    }

    /// The configurations of a model's own file, as they would be in a task file.
    fn flat(&self, document: &Value) -> Vec<Value> {
        let id = document["model_id"].as_str().unwrap();
        let mut rows = document["configurations"].as_array().unwrap().clone();
        for row in &mut rows {
            let degrees = row["parallelization"].take();
            for (name, value) in degrees.as_object().unwrap() {
                row[name] = value.clone();
            }
            for name in [
                "model_id",
                "architecture",
                "weight_precision",
                "total_params_billions",
                "activated_params_billions",
            ] {
                row[name] = document[name].clone();
            }
            row["nickname"] = self.index["models"][id]["nickname"].clone();
        }
        rows
    }

    fn all_tasks(&self) -> BTreeSet<String> {
        let of_models = self.models.iter().map(|(task, _)| task.clone());
        self.tasks.keys().cloned().chain(of_models).collect()
    }
}

/// What a task makes, by its configurations.
fn output(row: &Value) -> &'static str {
    if !row["energy_per_image_joules"].is_null() {
        "images"
    } else if !row["energy_per_video_joules"].is_null() {
        "videos"
    } else {
        "tokens"
    }
}

/// The fields of a configuration and the columns that hold them.
const TEXT: [(&str, &str); 22] = [
    ("activated_params_billions", "active_params_b"),
    ("architecture", "architecture"),
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
    ("total_params_billions", "params_b"),
    ("weight_precision", "source_name"),
];
const IMAGES: [(&str, &str); 17] = [
    ("activated_params_billions", "active_params_b"),
    ("avg_power_watts", "power_watts"),
    ("batch_latency_s", "batch_latency_s"),
    ("batch_size", "batch_size"),
    ("energy_per_image_joules", "joules_per_output"),
    ("gpu_model", "gpu"),
    ("image_height", "height_pixels"),
    ("image_width", "width_pixels"),
    ("inference_steps", "inference_steps"),
    ("model_id", "hugging_face_id"),
    ("nickname", "model_name"),
    ("num_gpus", "num_gpus"),
    ("ring_degree", "ring_degree"),
    ("throughput_images_per_sec", "outputs_per_second"),
    ("total_params_billions", "params_b"),
    ("ulysses_degree", "ulysses_degree"),
    ("weight_precision", "source_name"),
];
const VIDEOS: [(&str, &str); 19] = [
    ("activated_params_billions", "active_params_b"),
    ("avg_power_watts", "power_watts"),
    ("batch_latency_s", "batch_latency_s"),
    ("batch_size", "batch_size"),
    ("energy_per_video_joules", "joules_per_output"),
    ("fps", "frames_per_second"),
    ("gpu_model", "gpu"),
    ("inference_steps", "inference_steps"),
    ("model_id", "hugging_face_id"),
    ("nickname", "model_name"),
    ("num_frames", "num_frames"),
    ("num_gpus", "num_gpus"),
    ("ring_degree", "ring_degree"),
    ("throughput_videos_per_sec", "outputs_per_second"),
    ("total_params_billions", "params_b"),
    ("ulysses_degree", "ulysses_degree"),
    ("video_height", "height_pixels"),
    ("video_width", "width_pixels"),
    ("weight_precision", "source_name"),
];

fn table(output: &str) -> (&'static str, &'static [(&'static str, &'static str)]) {
    match output {
        "images" => ("diffusion_configurations", &IMAGES),
        "videos" => ("diffusion_configurations", &VIDEOS),
        _ => ("configurations", &TEXT),
    }
}

/// The text of a value in which equal texts are equal values, to the last bit.
fn exact(value: &Value, column: &str) -> String {
    let is_real = ["_b", "_s", "_ms", "_watts", "_per_second", "_batch", "_request"]
        .iter()
        .any(|end| column.ends_with(end))
        || column.starts_with("joules_")
        || column.starts_with("avg_");
    match value {
        Value::Null => "null".into(),
        Value::String(text) => text.clone(),
        // Playback is counted in whole frames.
        number if is_real && column != "frames_per_second" => {
            format!("{:?}", number.as_f64().unwrap())
        }
        number => number.as_u64().unwrap().to_string(),
    }
}

/// Every configuration of a task as it is stored, in its order.
fn stored(connection: &Connection, task: &str, output: &str) -> Vec<Vec<String>> {
    let (table, fields) = table(output);
    let columns: Vec<_> = fields.iter().map(|(_, column)| *column).collect();
    rows(
        connection,
        &format!(
            "select {} from {table}
             join tasks using (task_id) join models using (model_id) join gpus using (gpu_id)
             join precisions using (precision_id) where task = '{task}' order by 1, {}",
            columns.join(", "),
            columns[1..].join(", ")
        ),
    )
}

fn check_numbers(documents: &Documents, connection: &Connection) -> usize {
    let mut all = 0;
    for task in documents.all_tasks() {
        let received = documents.rows(&task);
        let output = output(&received[0]);
        assert_eq!(
            rows(connection, &format!("select output from tasks where task = '{task}'")),
            [[output]],
            "{task}"
        );
        let (_, fields) = table(output);
        let mut received: Vec<Vec<String>> = received
            .iter()
            .map(|row| {
                // No field of a document is left out here.
                let names: BTreeSet<_> = row.as_object().unwrap().keys().collect();
                let unknown: Vec<_> = names
                    .iter()
                    .filter(|name| !fields.iter().any(|(field, _)| field == **name))
                    .filter(|name| {
                        !["notes", "output_length_distribution"].contains(&name.as_str())
                    })
                    .filter(|name| !row[name.as_str()].is_null())
                    .collect();
                assert!(unknown.is_empty(), "{task}: {unknown:?}");
                fields.iter().map(|(field, column)| exact(&row[field], column)).collect()
            })
            .collect();
        received.sort();
        let mut stored = stored(connection, &task, output);
        stored.sort();
        assert_eq!(stored.len(), received.len(), "{task}");
        for (stored, received) in stored.iter().zip(&received) {
            assert_eq!(stored, received, "{task}");
        }
        all += received.len();
    }
    all
}

/// Every histogram is stored exactly, with the configuration that it belongs to.
fn check_lengths(documents: &Documents, connection: &Connection) {
    let mut number = 0;
    let mut check = |task: &str, id: &str, joules: Option<f64>, histogram: &Value| {
        let edges: Vec<f64> = histogram["bins"]
            .as_array()
            .unwrap()
            .iter()
            .map(|edge| edge.as_f64().unwrap())
            .collect();
        let counts: Vec<i64> =
            histogram["counts"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
        let mut statement = connection
            .prepare(
                "select output_lengths.requests, from_tokens, to_tokens, output_length_bins.requests
                 from output_lengths
                 join output_length_bins using (output_lengths_id)
                 join tasks using (task_id) join models using (model_id)
                 left join configurations
                     on configurations.configuration_id = output_lengths.configuration_id
                 where task = ?1 and hugging_face_id = ?2 and joules_per_output_token is ?3
                 order by output_lengths_id, bin",
            )
            .unwrap();
        let stored: Vec<(i64, f64, f64, i64)> = statement
            .query_map((task, id, joules), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let total: i64 = counts.iter().sum();
        let expected: Vec<_> = edges
            .windows(2)
            .zip(&counts)
            .map(|(edges, count)| (total, edges[0], edges[1], *count))
            .collect();
        assert_eq!(stored, expected, "{task} {id} {joules:?}");
        number += 1;
    };
    for (task, document) in &documents.models {
        if document["output_length_distribution"].is_null() {
            continue;
        }
        let id = document["model_id"].as_str().unwrap();
        check(task, id, None, &document["output_length_distribution"]);
        for row in document["configurations"].as_array().unwrap() {
            let joules = row["energy_per_token_joules"].as_f64();
            check(task, id, joules, &row["output_length_distribution"]);
        }
    }
    let stored = rows(connection, "select count(*) from output_lengths");
    assert_eq!(stored, [[number.to_string()]]);
}

/// Every model that the index lists is there with its facts.
fn check_models(documents: &Documents, connection: &Connection) {
    let mut expected: Vec<Vec<String>> = documents.index["models"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(id, model)| {
            vec![
                id.clone(),
                exact(&model["nickname"], "model_name"),
                exact(&model["total_params_billions"], "params_b"),
                exact(&model["activated_params_billions"], "active_params_b"),
                exact(&model["architecture"], "architecture"),
            ]
        })
        .collect();
    expected.sort();
    let mut stored = rows(
        connection,
        "select hugging_face_id, model_name, params_b, active_params_b, architecture from models",
    );
    stored.sort();
    assert_eq!(stored, expected);
}

/// A row of an answer by the names of its columns, as JSON has them.
type Answer = serde_json::Map<String, Value>;

fn ask(folder: &Folder, words: &[&str]) -> Vec<Answer> {
    let words = [&["query"], words, &["--db", "energy.sqlite", "--format", "json", "--quiet"]];
    let text = folder.done(words.concat());
    serde_json::from_str::<Vec<Answer>>(&text).unwrap()
}

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap()
}

fn text<'v>(row: &'v Value, field: &str) -> &'v str {
    row[field].as_str().unwrap()
}

/// The slug of a display name, computed anew.
fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The lowest of some rows in a figure, and then in others; of equal ones the first.
fn lowest<'v>(rows: &[&'v Value], figures: &[&str]) -> Option<&'v Value> {
    let mut best: Option<&Value> = None;
    for row in rows {
        let is_lower = best.is_none_or(|best| {
            figures.iter().map(|field| number(row, field)).collect::<Vec<_>>()
                < figures.iter().map(|field| number(best, field)).collect::<Vec<_>>()
        });
        if is_lower {
            best = Some(row);
        }
    }
    best
}

const BY_ENERGY: [&str; 5] =
    ["energy_per_token_joules", "median_itl_ms", "p90_itl_ms", "p95_itl_ms", "p99_itl_ms"];

/// What the best configurations of a task are, by name of model and GPU, and of images and videos by
/// size, steps and frames.
fn groups<'v>(rows: &'v [Value], output: &str) -> BTreeMap<Vec<String>, Vec<&'v Value>> {
    let keys: &[&str] = match output {
        "images" => &["image_width", "image_height", "inference_steps"],
        "videos" => &["video_width", "video_height", "inference_steps", "num_frames"],
        _ => &[],
    };
    let mut groups: BTreeMap<Vec<String>, Vec<&Value>> = BTreeMap::new();
    for row in rows {
        let mut key = vec![slug(text(row, "nickname")), text(row, "gpu_model").to_owned()];
        key.extend(keys.iter().map(|field| row[field].to_string()));
        groups.entry(key).or_default().push(row);
    }
    groups
}

/// The published figures of every task that makes text: the best of each model and GPU.
fn check_best_text(folder: &Folder, documents: &Documents) {
    for task in documents.all_tasks() {
        let received = documents.rows(&task);
        if output(&received[0]) != "tokens" {
            continue;
        }
        for (field, percentile) in
            ["median", "p90", "p95", "p99"].map(|name| (format!("{name}_itl_ms"), name))
        {
            for deadline in [20.0, 50.0, 500.0] {
                let given = deadline.to_string();
                let words =
                    ["best", "--task", &task, "--percentile", percentile, "--deadline-ms", &given];
                let mut answers: Vec<(String, String, f64, f64)> = ask(folder, &words)
                    .iter()
                    .map(|row| {
                        let real = |name: &str| row[name].as_f64().unwrap();
                        let name = |name: &str| row[name].as_str().unwrap().to_owned();
                        let energy = real("wh_per_million_output_tokens");
                        (name("model"), name("gpu"), energy, real("tokens_per_second"))
                    })
                    .collect();
                answers.sort_by(|left, right| left.partial_cmp(right).unwrap());
                let expected: Vec<_> = groups(&received, "tokens")
                    .into_iter()
                    .filter_map(|(key, rows)| {
                        let rows: Vec<_> = rows
                            .into_iter()
                            .filter(|row| number(row, &field) <= deadline)
                            .collect();
                        let best = lowest(&rows, &BY_ENERGY)?;
                        let energy = number(best, "energy_per_token_joules") * 1e6 / 3600.0;
                        let throughput = number(best, "output_throughput_tokens_per_sec");
                        Some((key[0].clone(), key[1].clone(), energy, throughput))
                    })
                    .collect();
                assert_eq!(answers, expected, "{words:?}");
            }
        }
    }
}

/// The best images and videos, by the queries at any deadline and by the views at the usual one.
fn check_best_generated(folder: &Folder, documents: &Documents) {
    for task in documents.all_tasks() {
        let received = documents.rows(&task);
        let output = output(&received[0]);
        let (one, usual, columns) = match output {
            "images" => ("image", 30.0, &["width_pixels", "height_pixels", "inference_steps"][..]),
            "videos" => (
                "video",
                300.0,
                &["width_pixels", "height_pixels", "inference_steps", "num_frames"][..],
            ),
            _ => continue,
        };
        let (joules, wh) = (format!("energy_per_{one}_joules"), format!("wh_per_{one}"));
        let expected = |deadline: f64| -> Vec<(Vec<String>, f64, f64, f64)> {
            groups(&received, output)
                .into_iter()
                .filter_map(|(key, rows)| {
                    let rows: Vec<_> = rows
                        .into_iter()
                        .filter(|row| number(row, "batch_latency_s") <= deadline)
                        .collect();
                    let best = lowest(&rows, &[&joules, "batch_latency_s"])?;
                    Some((
                        key,
                        number(best, &joules) / 3600.0,
                        number(best, "batch_latency_s"),
                        number(best, "avg_power_watts"),
                    ))
                })
                .collect()
        };
        let answered = |rows: &[Answer]| {
            let mut answers: Vec<(Vec<String>, f64, f64, f64)> = rows
                .iter()
                .map(|row| {
                    let real = |name: &str| row[name].as_f64().unwrap();
                    let mut key = vec![row["model"].as_str().unwrap().to_owned()];
                    key.push(row["gpu"].as_str().unwrap().to_owned());
                    key.extend(columns.iter().map(|name| row[*name].to_string()));
                    (key, real(&wh), real("batch_latency_s"), real("power_watts"))
                })
                .collect();
            answers.sort_by(|left, right| left.partial_cmp(right).unwrap());
            answers
        };
        for deadline in [usual, usual / 10.0, usual * 10.0, usual / 300.0] {
            let given = deadline.to_string();
            let query = format!("best-{output}");
            let rows = ask(folder, &[&query, "--task", &task, "--deadline-s", &given]);
            assert_eq!(answered(&rows), expected(deadline), "{task} {deadline}");
        }
        let sql = format!("select * from best_{output} where task = '{task}'");
        let rows = ask(folder, &["--sql", &sql]);
        assert!(rows.iter().all(|row| row["deadline_s"] == usual));
        assert_eq!(answered(&rows), expected(usual), "{task}");
    }
}

/// The derived figures, and the limits of the queries on images and videos.
fn check_generated(folder: &Folder, documents: &Documents) {
    for task in documents.all_tasks() {
        let received = documents.rows(&task);
        let output = output(&received[0]);
        if output == "tokens" {
            continue;
        }
        let answers = ask(folder, &[output, "--task", &task]);
        assert_eq!(answers.len(), received.len());
        let mut names = BTreeSet::new();
        for row in &answers {
            assert!(names.insert(row["row_id"].to_string()), "{}", row["row_id"]);
            let real = |name: &str| row[name].as_f64();
            let close = |found: Option<f64>, expected: Option<f64>| match (found, expected) {
                (Some(found), Some(expected)) => (found - expected).abs() <= 1e-12 * expected,
                (found, expected) => found == expected,
            };
            let pixels = real("width_pixels").unwrap() * real("height_pixels").unwrap() / 1e6;
            if output == "images" {
                let wh = real("joules_per_image").unwrap() / 3600.0;
                assert!(close(real("wh_per_image"), Some(wh)));
                assert!(close(real("derived_wh_per_megapixel"), Some(wh / pixels)));
            } else {
                let wh = real("joules_per_video").unwrap() / 3600.0;
                let frames = real("num_frames");
                let seconds = frames.zip(real("frames_per_second")).map(|(n, fps)| n / fps);
                assert!(close(real("wh_per_video"), Some(wh)));
                assert!(close(real("derived_wh_per_frame"), frames.map(|n| wh / n)));
                assert!(close(real("derived_wh_per_second_of_video"), seconds.map(|s| wh / s)));
                let megapixels = frames.map(|frames| wh / frames / pixels);
                assert!(close(real("derived_wh_per_megapixel"), megapixels));
            }
        }
    }
}

/// The tasks side by side, of everything and of each model on each GPU.
fn check_tasks(folder: &Folder, documents: &Documents) {
    let mut asked: BTreeSet<(Option<String>, Option<String>)> = BTreeSet::from([(None, None)]);
    for task in documents.all_tasks() {
        for row in documents.rows(&task) {
            let (model, gpu) = (slug(text(&row, "nickname")), text(&row, "gpu_model").to_owned());
            asked.insert((Some(model.clone()), None));
            asked.insert((Some(model), Some(gpu)));
        }
    }
    // Every one of a checkout would take minutes.
    for (model, gpu) in asked.into_iter().take(25) {
        let mut words = vec!["tasks"];
        words.extend(model.iter().flat_map(|model| ["--model", model]));
        words.extend(gpu.iter().flat_map(|gpu| ["--gpu", gpu]));
        let answers = ask(folder, &words);
        let names: Vec<_> = answers.iter().map(|row| row["task"].as_str().unwrap()).collect();
        assert_eq!(names, documents.all_tasks().iter().map(String::as_str).collect::<Vec<_>>());
        for answer in answers {
            let task = answer["task"].as_str().unwrap();
            let all = documents.rows(task);
            let output = output(&all[0]);
            let rows: Vec<&Value> = all
                .iter()
                .filter(|row| model.as_ref().is_none_or(|m| slug(text(row, "nickname")) == *m))
                .filter(|row| gpu.as_ref().is_none_or(|gpu| text(row, "gpu_model") == gpu))
                .collect();
            let distinct = |field: &str| {
                rows.iter().map(|row| text(row, field)).collect::<BTreeSet<_>>().len()
            };
            assert_eq!(answer["configurations"], rows.len(), "{words:?} {task}");
            assert_eq!(answer["models"], distinct("model_id"), "{words:?} {task}");
            assert_eq!(answer["gpus"], distinct("gpu_model"), "{words:?} {task}");
            let (unit, latency, deadline, member, energies, column, per) = match output {
                "images" => (
                    "Wh per image",
                    "batch_latency_s",
                    30.0,
                    "batch_deadline_s",
                    &["energy_per_image_joules", "batch_latency_s"][..],
                    "wh_per_image",
                    3600.0,
                ),
                "videos" => (
                    "Wh per video",
                    "batch_latency_s",
                    300.0,
                    "batch_deadline_s",
                    &["energy_per_video_joules", "batch_latency_s"][..],
                    "wh_per_video",
                    3600.0,
                ),
                _ => (
                    "Wh per million output tokens",
                    "median_itl_ms",
                    500.0,
                    "itl_deadline_ms",
                    &BY_ENERGY[..],
                    "wh_per_million_output_tokens",
                    3600.0 / 1e6,
                ),
            };
            assert_eq!((&answer["unit"], &answer[member]), (&unit.into(), &deadline.into()));
            let rows: Vec<_> =
                rows.into_iter().filter(|row| number(row, latency) <= deadline).collect();
            let best = lowest(&rows, energies);
            let energy = best.map(|best| number(best, energies[0]) / per);
            match (answer[column].as_f64(), energy) {
                (Some(found), Some(expected)) => {
                    assert!((found - expected).abs() <= 1e-12 * expected, "{words:?} {task}");
                }
                (found, expected) => assert_eq!(found, expected, "{words:?} {task}"),
            }
            let latency_of = best.map(|best| number(best, latency));
            assert_eq!(answer[latency].as_f64(), latency_of, "{words:?} {task}");
            let power = best.map(|best| number(best, "avg_power_watts"));
            assert_eq!(answer["power_watts"].as_f64(), power, "{words:?} {task}");
        }
    }
}

/// The length below which a share of the outputs was: by going through the bins one after the other.
fn quantile(histogram: &Value, percent: f64) -> f64 {
    let edges = histogram["bins"].as_array().unwrap();
    let counts: Vec<f64> =
        histogram["counts"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    let wanted = percent * counts.iter().sum::<f64>() / 100.0;
    let mut reached = 0.0;
    for (index, count) in counts.iter().enumerate() {
        if reached + count >= wanted {
            let (low, high) = (edges[index].as_f64().unwrap(), edges[index + 1].as_f64().unwrap());
            return low + (high - low) * ((wanted - reached) / count);
        }
        reached += count;
    }
    panic!("no bin reaches {wanted}")
}

/// The lengths of outputs and the energy of a response of each.
fn check_output_lengths(folder: &Folder, documents: &Documents) {
    let tasks: BTreeSet<_> = documents.models.iter().map(|(task, _)| task.clone()).collect();
    for task in tasks.into_iter().filter(|task| output(&documents.rows(task)[0]) == "tokens") {
        let of_task = documents.models.iter().filter(|(of, _)| *of == task);
        let mut expected: Vec<Vec<f64>> = of_task
            .flat_map(|(_, document)| document["configurations"].as_array().unwrap())
            .filter(|row| !row["output_length_distribution"].is_null())
            .map(|row| {
                let histogram = &row["output_length_distribution"];
                let counts = histogram["counts"].as_array().unwrap();
                let requests: f64 = counts.iter().map(|count| count.as_f64().unwrap()).sum();
                let joules = number(row, "energy_per_token_joules");
                let lengths = [10.0, 50.0, 90.0, 99.0].map(|share| quantile(histogram, share));
                let energies = lengths.map(|length| joules * length / 3600.0);
                [&[joules * 1e6 / 3600.0, requests], &lengths[..], &energies[..]].concat()
            })
            .collect();
        let mut answers: Vec<Vec<f64>> = ask(folder, &["output-lengths", "--task", &task])
            .iter()
            .map(|row| {
                [
                    "wh_per_million_output_tokens",
                    "requests",
                    "p10_output_tokens",
                    "p50_output_tokens",
                    "p90_output_tokens",
                    "p99_output_tokens",
                    "p10_wh_per_response",
                    "p50_wh_per_response",
                    "p90_wh_per_response",
                    "p99_wh_per_response",
                ]
                .map(|name| row[name].as_f64().unwrap())
                .to_vec()
            })
            .collect();
        let order = |left: &Vec<f64>, right: &Vec<f64>| left.partial_cmp(right).unwrap();
        expected.sort_by(order);
        answers.sort_by(order);
        assert_eq!(answers.len(), expected.len(), "{task}");
        for (answer, expected) in answers.iter().zip(&expected) {
            let is_same = answer
                .iter()
                .zip(expected)
                .all(|(found, expected)| (found - expected).abs() <= 1e-9 * expected.abs());
            assert!(is_same, "{task}\n got {answer:?}\nnot {expected:?}");
        }
    }
}

/// Every pointer of a configuration's provenance leads to what it says was received.
fn check_provenance(folder: &Folder, data: &Path, documents: &Documents) {
    for task in documents.all_tasks() {
        let view = match output(&documents.rows(&task)[0]) {
            "images" => "image_energy",
            "videos" => "video_energy",
            _ => "configuration_energy",
        };
        let sql = format!("select row_id from {view} where task = '{task}' order by 1");
        let names = ask(folder, &["--sql", &sql]);
        for name in [&names[0], &names[names.len() / 2], &names[names.len() - 1]] {
            let row_id = name["row_id"].as_str().unwrap();
            let figures = ask(folder, &["provenance", "--task", &task, "--row-id", row_id]);
            assert!(figures.len() > 15, "{row_id}");
            for figure in figures {
                let Some(pointer) = figure["json_pointer"].as_str() else {
                    // What a source says of its method comes from the manifest.
                    let field = figure["field"].as_str().unwrap();
                    let known = ["nickname", "architecture", "source"];
                    assert!(known.contains(&field), "{row_id} {field}");
                    continue;
                };
                let path = data.join(figure["document"].as_str().unwrap());
                let document: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
                let found = document.pointer(pointer).unwrap_or_else(|| panic!("{pointer}"));
                let found = match found.as_array() {
                    Some(counts) => counts.iter().map(|n| n.as_i64().unwrap()).sum::<i64>().into(),
                    None => found.clone(),
                };
                let is_same = found == figure["received"]
                    || (found.is_number() && found.as_f64() == figure["received"].as_f64());
                assert!(is_same, "{row_id} {pointer}: {found} {}", figure["received"]);
            }
        }
    }
}

fn build(data: &Path) -> Folder {
    let folder = Folder::new();
    folder.done([OsStr::new("build"), data.as_os_str(), OsStr::new("--quiet")]);
    folder
}

#[test]
fn every_number_of_every_form_of_file_comes_back_exactly() {
    let folder = build(&workloads());
    let documents = Documents::of(&workloads());
    let connection = folder.open("energy.sqlite");
    assert_eq!(documents.all_tasks().len(), 7);
    assert_eq!(check_numbers(&documents, &connection), 69);
    check_lengths(&documents, &connection);
    check_models(&documents, &connection);
}

#[test]
fn the_best_of_every_workload_is_the_lowest_that_meets_the_deadline() {
    let folder = build(&workloads());
    let documents = Documents::of(&workloads());
    check_best_text(&folder, &documents);
    check_best_generated(&folder, &documents);
    check_generated(&folder, &documents);
}

#[test]
fn feasibility_asks_the_models_that_were_measured_in_the_task() {
    let folder = build(&workloads());
    let documents = Documents::of(&workloads());
    let rows = documents.rows("gpqa");
    let expected: BTreeSet<_> =
        rows.iter().map(|row| row["model_id"].as_str().unwrap().to_owned()).collect();
    let sql = "select model, hugging_face_id from models";
    let names: BTreeMap<_, _> = ask(&folder, &["--sql", sql])
        .into_iter()
        .map(|row| (row["model"].clone().to_string(), row["hugging_face_id"].clone()))
        .collect();
    let asked: BTreeSet<_> = ask(&folder, &["feasibility", "--task", "gpqa"])
        .into_iter()
        .map(|row| names[&row["model"].to_string()].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(asked, expected);
}

#[test]
fn tasks_stand_side_by_side_in_their_own_units() {
    check_tasks(&build(&workloads()), &Documents::of(&workloads()));
}

#[test]
fn lengths_of_outputs_are_linear_inside_a_bin() {
    check_output_lengths(&build(&workloads()), &Documents::of(&workloads()));
}

#[test]
fn every_figure_of_every_workload_leads_to_its_place() {
    let folder = build(&workloads());
    check_provenance(&folder, &workloads(), &Documents::of(&workloads()));
}

#[test]
fn limits_on_images_and_videos_hold_together_with_the_deadline() {
    let folder = build(&workloads());
    let images = |words: &[&str]| ask(&folder, &[&["best-images"], words].concat());
    for row in images(&["--max-gpus", "1"]) {
        assert_eq!(row["num_gpus"], 1);
    }
    for row in images(&["--min-images-per-second", "2", "--max-power-watts", "900"]) {
        assert!(row["images_per_second"].as_f64() >= Some(2.0));
        assert!(row["power_watts"].as_f64() <= Some(900.0));
    }
    let steps = images(&["--inference-steps", "50", "--model", "Lumen XL 1"]);
    assert_eq!(steps.len(), 1);
    assert_eq!(
        (&steps[0]["model"], &steps[0]["inference_steps"]),
        (&"lumen-xl-1".into(), &50.into())
    );
    let frames = ask(&folder, &["best-videos", "--num-frames", "81", "--gpu", "b200"]);
    assert_eq!(frames.len(), 2);
    assert!(frames.iter().all(|row| row["num_frames"] == 81 && row["gpu"] == "B200"));
}

#[test]
fn a_row_id_is_one_of_the_task_that_is_asked() {
    let folder = build(&workloads());
    let row = "maple-7b/b200/1/8";
    let energy = |task: &str| {
        let rows = ask(&folder, &["provenance", "--task", task, "--row-id", row]);
        let energy = rows.iter().find(|row| row["figure"] == "joules_per_output_token").unwrap();
        energy["received"].as_f64().unwrap()
    };
    assert_ne!(energy("gpqa"), energy("lm-arena-chat"));
    let refused = |task: &str, row: &str| {
        let words =
            ["query", "provenance", "--db", "energy.sqlite", "--task", task, "--row-id", row];
        folder.refused(2, words)
    };
    let line = refused("video-chat", row);
    assert_eq!(
        line,
        "no row_id is called 'maple-7b/b200/1/8' in video-chat; there is one in gpqa, lm-arena-chat; \
         use --task"
    );
    let line = refused("gpqa", "pixart/B200/1/1/512x512/20/u1r1");
    assert!(line.ends_with("in gpqa; there is one in text-to-image; use --task"), "{line}");
    let line = refused("text-to-image", "pixart/B200/1/9/512x512/20/u1r1");
    assert!(
        line.starts_with("no row_id is called 'pixart/B200/1/9/512x512/20/u1r1' (did"),
        "{line}"
    );
    let rows = ask(
        &folder,
        &["provenance", "--task", "text-to-image", "--row-id", "PixArt/b200/1/1/512x512/20/U1R1"],
    );
    assert_eq!(rows[0]["received"], "example/PixArt-Sigma-XL");
}

#[test]
fn the_leaderboards_data_builds_whole() {
    let data = in_project("data/leaderboard");
    let folder = build(&data);
    let documents = Documents::of(&data);
    let connection = folder.open("energy.sqlite");
    let numbers = check_numbers(&documents, &connection);
    let in_task_files: usize = documents
        .tasks
        .values()
        .map(|document| document["configurations"].as_array().unwrap().len())
        .sum();
    let alone: usize = documents
        .models
        .iter()
        .filter(|(task, _)| !documents.tasks.contains_key(task))
        .map(|(_, document)| document["configurations"].as_array().unwrap().len())
        .sum();
    assert_eq!(numbers, in_task_files + alone);
    let of_task = |task: &str| {
        let rows = documents.tasks.get(task)?["configurations"].as_array()?.len();
        Some(rows)
    };
    for (task, number) in [("gpqa", 187), ("image-chat", 173), ("text-to-image", 638)] {
        if let Some(found) = of_task(task) {
            assert_eq!(found, number, "{task}");
        }
    }
    check_lengths(&documents, &connection);
    check_models(&documents, &connection);
    check_best_text(&folder, &documents);
    check_best_generated(&folder, &documents);
    check_generated(&folder, &documents);
    check_tasks(&folder, &documents);
    check_output_lengths(&folder, &documents);
    check_provenance(&folder, &data, &documents);
    folder.done(["check", "energy.sqlite", "--quiet"]);

    // The configuration of gpqa that was measured twice, in a smaller and in a larger run.
    let repeats = ask(&folder, &["repeats", "--task", "gpqa"]);
    let repeat = repeats
        .iter()
        .find(|row| row["row_id"] == "gpt-oss-20b/H100/1/96")
        .unwrap_or_else(|| panic!("{repeats:?}"));
    assert_eq!((&repeat["fewest_requests"], &repeat["most_requests"]), (&198.into(), &396.into()));
    assert_eq!(repeat["most_requests_row_id"], "gpt-oss-20b/H100/1/96/r2");

    for format in formats() {
        let words = ["query", "models", "--task", "text-to-image", "--db", "energy.sqlite"];
        let text = folder.done(words.into_iter().chain(["--format", &format]));
        assert!(text.contains("PixArt-Σ"), "{format}");
    }
    folder.done(["export", "--db", "energy.sqlite", "-o", "out", "--quiet"]);
    let document: Value =
        serde_json::from_slice(&folder.read("out/text-to-image/pixart.json")).unwrap();
    assert_eq!(document["name"], "PixArt-Σ");
    assert_eq!(document["unit"], "Wh per image");
}

#[test]
fn every_answer_about_images_and_videos_keeps_the_default_deadline_of_the_release() {
    let folder = Folder::new();
    let mut manifest: Value = serde_json::from_str(&folder.done(["manifest", "--quiet"])).unwrap();
    manifest["release"]["image_deadline_s"] = 3.into();
    manifest["release"]["video_deadline_s"] = 100.into();
    folder.write("manifest.json", manifest.to_string());
    let path = |task: &str| in_project(&format!("data/leaderboard/tasks/{task}.json"));
    let words = ["build", "--quiet", "--manifest", "manifest.json"].map(Into::into);
    folder.done(words.into_iter().chain(["text-to-image", "text-to-video"].map(path)));
    folder.done(["export", "-o", "out", "--quiet"]);
    for (task, one, deadline, usual) in
        [("text-to-image", "image", 3.0, 30.0), ("text-to-video", "video", 100.0, 300.0)]
    {
        let document: Value = serde_json::from_slice(&fs::read(path(task)).unwrap()).unwrap();
        let measured = document["configurations"].as_array().unwrap();
        let output = output(&measured[0]);
        let joules = format!("energy_per_{one}_joules");
        let groups = groups(measured, output);
        // The lowest energy within a deadline of each model, GPU and setting, and its latency.
        let best = |deadline: f64| -> Vec<(f64, f64)> {
            let chosen = groups.values().filter_map(|rows| {
                let is_within = |row: &&&Value| number(row, "batch_latency_s") <= deadline;
                let within: Vec<_> = rows.iter().filter(is_within).copied().collect();
                let best = lowest(&within, &[&joules, "batch_latency_s"])?;
                Some((number(best, &joules) / 3600.0, number(best, "batch_latency_s")))
            });
            let mut chosen: Vec<_> = chosen.collect();
            chosen.sort_by(|left, right| left.partial_cmp(right).unwrap());
            chosen
        };
        let expected = best(deadline);
        assert!(!expected.is_empty() && expected != best(usual), "{task}");
        let answered = |rows: &[Answer], energy: &str| {
            let real = |row: &Answer, name: &str| row[name].as_f64().unwrap();
            assert!(rows.iter().all(|row| row["deadline_s"] == deadline), "{task}");
            let mut found: Vec<_> =
                rows.iter().map(|row| (real(row, energy), real(row, "batch_latency_s"))).collect();
            found.sort_by(|left, right| left.partial_cmp(right).unwrap());
            found
        };
        let wh = format!("wh_per_{one}");
        let rows = ask(&folder, &[&format!("best-{output}"), "--task", task]);
        assert_eq!(answered(&rows, &wh), expected, "best-{output}");
        let rows = ask(&folder, &["--sql", &format!("select * from best_{output}")]);
        assert_eq!(answered(&rows, &wh), expected, "best_{output}");
        let rows = ask(&folder, &["footprint-media", "--task", task]);
        assert_eq!(answered(&rows, "wh_per_output"), expected, "footprint-media");
        for (query, demand) in
            [("feasibility-media", None), ("plan-media", Some("1")), ("capacity-media", Some("64"))]
        {
            let flag = if query == "plan-media" { "--outputs-per-hour" } else { "--max-gpus" };
            let more = demand.map(|demand| [flag, demand]);
            let words = [&[query, "--task", task][..], more.as_slice().as_flattened()].concat();
            let rows = ask(&folder, &words);
            assert!(rows.iter().all(|row| row["deadline_s"] == deadline), "{query}");
            let of = |status: &str| rows.iter().filter(|row| row["status"] == status).count();
            assert_eq!(of("meets"), expected.len(), "{query}");
            assert_eq!(of("none meets"), groups.len() - expected.len(), "{query}");
        }
        let rows = ask(&folder, &["tasks"]);
        let row = rows.iter().find(|row| row["task"] == task).unwrap();
        assert_eq!(row["batch_deadline_s"], deadline);
        assert_eq!(row[&wh].as_f64(), Some(expected[0].0));

        // What is published says the deadline, and which configurations are within it.
        let read = |name: &str| -> Value {
            serde_json::from_slice(&folder.read(format!("out/{task}/{name}"))).unwrap()
        };
        let index = read("index.json");
        assert_eq!(index["batch_deadline_s"].as_f64(), Some(deadline));
        assert_eq!(index["rows"].as_array().unwrap().len(), expected.len());
        let names = folder.names(&format!("out/{task}"));
        let mut within = 0;
        for name in names.iter().filter(|name| *name != "index.json") {
            let document = read(name);
            let rows = document["configurations"].as_array().unwrap();
            within += rows.iter().filter(|row| row["under_batch_deadline"] == true).count();
        }
        let is_within = |row: &&Value| number(row, "batch_latency_s") <= deadline;
        assert_eq!(within, measured.iter().filter(is_within).count());
    }
}
