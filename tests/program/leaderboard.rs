//! Every number of the leaderboard's files is in the database that the program carries. The files are
//! read here by a reader of their own: serde_json, and nothing of the program.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use energydb::embedded::IMAGE;
use rusqlite::{Connection, MAIN_DB};
use serde_json::Value;

use crate::common::in_project;

fn built_in() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.deserialize_bytes(MAIN_DB, &IMAGE).unwrap();
    connection
}

/// The files of a folder of the data, as JSON.
fn files(folder: &str) -> Vec<(PathBuf, Value)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(in_project("data/leaderboard").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            (path, value)
        })
        .collect()
}

/// Every column of a view's row that is a number or text, by its name.
type Row = BTreeMap<String, Value>;

fn rows(connection: &Connection, sql: &str) -> Vec<Row> {
    let mut statement = connection.prepare(sql).unwrap();
    let names: Vec<String> = statement.column_names().map(Into::into).collect();
    let mut found = statement.query([]).unwrap();
    let mut rows = Vec::new();
    while let Some(row) = found.next().unwrap() {
        let value = |index| match row.get::<_, rusqlite::types::Value>(index).unwrap() {
            rusqlite::types::Value::Integer(whole) => whole.into(),
            rusqlite::types::Value::Real(real) => real.into(),
            rusqlite::types::Value::Text(text) => text.into(),
            _ => Value::Null,
        };
        rows.push(names.iter().cloned().enumerate().map(|(at, name)| (name, value(at))).collect());
    }
    rows
}

/// The fields of each workload's rows with the columns that hold them.
const TEXT: [(&str, &str); 20] = [
    ("activated_params_billions", "active_params_b"),
    ("architecture", "architecture"),
    ("avg_batch_size", "avg_running_batch"),
    ("avg_output_len", "avg_output_tokens"),
    ("avg_power_watts", "power_watts"),
    ("data_parallel", "data_parallel"),
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
];
const IMAGES: [(&str, &str); 16] = [
    ("activated_params_billions", "active_params_b"),
    ("avg_power_watts", "power_watts"),
    ("batch_latency_s", "batch_latency_s"),
    ("batch_size", "batch_size"),
    ("energy_per_image_joules", "joules_per_image"),
    ("gpu_model", "gpu"),
    ("image_height", "height_pixels"),
    ("image_width", "width_pixels"),
    ("inference_steps", "inference_steps"),
    ("model_id", "hugging_face_id"),
    ("nickname", "model_name"),
    ("num_gpus", "num_gpus"),
    ("ring_degree", "ring_degree"),
    ("throughput_images_per_sec", "images_per_second"),
    ("total_params_billions", "params_b"),
    ("ulysses_degree", "ulysses_degree"),
];
const VIDEOS: [(&str, &str); 18] = [
    ("activated_params_billions", "active_params_b"),
    ("avg_power_watts", "power_watts"),
    ("batch_latency_s", "batch_latency_s"),
    ("batch_size", "batch_size"),
    ("energy_per_video_joules", "joules_per_video"),
    ("fps", "frames_per_second"),
    ("gpu_model", "gpu"),
    ("inference_steps", "inference_steps"),
    ("model_id", "hugging_face_id"),
    ("nickname", "model_name"),
    ("num_frames", "num_frames"),
    ("num_gpus", "num_gpus"),
    ("ring_degree", "ring_degree"),
    ("throughput_videos_per_sec", "videos_per_second"),
    ("total_params_billions", "params_b"),
    ("ulysses_degree", "ulysses_degree"),
    ("video_height", "height_pixels"),
    ("video_width", "width_pixels"),
];

/// Fields that no view has as received; the figure is checked by itself, the other is not a number.
const ELSEWHERE: [&str; 2] = ["energy_per_request_joules", "weight_precision"];

/// Text as it is, numbers to the last bit, whole numbers as whole numbers.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => {
            format!("{:016x}", number.as_f64().unwrap().to_bits())
        }
        other => other.to_string(),
    }
}

#[test]
fn every_number_of_every_row_of_the_leaderboard_is_built_in() {
    let connection = built_in();
    let mut count = 0;
    for (path, document) in files("tasks") {
        let task = document["task"].as_str().unwrap();
        let configurations = document["configurations"].as_array().unwrap();
        let first = configurations[0].as_object().unwrap();
        let (view, fields): (_, &[(&str, &str)]) = if first.contains_key("image_height") {
            ("image_energy", &IMAGES)
        } else if first.contains_key("video_height") {
            ("video_energy", &VIDEOS)
        } else {
            ("configuration_energy", &TEXT)
        };
        // What the view does not have is a field that this test forgot.
        for field in first.keys() {
            let is_known = fields.iter().any(|(known, _)| known == field);
            assert!(is_known || ELSEWHERE.contains(&field.as_str()), "{field}");
        }
        let mut expected: Vec<Vec<String>> = configurations
            .iter()
            .map(|row| fields.iter().map(|(field, _)| shown(&row[*field])).collect())
            .collect();
        let mut found: Vec<Vec<String>> =
            rows(&connection, &format!("select * from {view} where task = '{task}'"))
                .iter()
                .map(|row| fields.iter().map(|(_, column)| shown(&row[*column])).collect())
                .collect();
        expected.sort();
        found.sort();
        assert_eq!(found.len(), expected.len(), "{}", path.display());
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "{}", path.display());
        }
        count += found.len();
    }
    assert_eq!(count, 1858);
    // What the views do not have of text.
    let mut requests: Vec<String> = files("tasks")
        .iter()
        .flat_map(|(_, document)| document["configurations"].as_array().unwrap().clone())
        .filter_map(|row| row.get("energy_per_request_joules").map(shown))
        .collect();
    let mut found: Vec<String> =
        rows(&connection, "select joules_per_request as joules from configurations")
            .iter()
            .map(|row| shown(&row["joules"]))
            .collect();
    requests.sort();
    found.sort();
    assert_eq!(found.len(), 838);
    assert_eq!(found, requests);
}

#[test]
fn every_bin_of_every_histogram_of_the_leaderboard_is_built_in() {
    let connection = built_in();
    let mut histograms = Vec::new();
    let mut read = |of: &Value| {
        let Some(histogram) = of.get("output_length_distribution").filter(|of| !of.is_null())
        else {
            return;
        };
        let bins = histogram["bins"].as_array().unwrap();
        let counts = histogram["counts"].as_array().unwrap();
        assert_eq!(bins.len(), counts.len() + 1);
        let lines: Vec<String> = counts
            .iter()
            .enumerate()
            .map(|(at, count)| {
                format!("{}-{}: {}", number(&bins[at]), number(&bins[at + 1]), number(count))
            })
            .collect();
        histograms.push(lines);
    };
    for (_, document) in files("models") {
        read(&document);
        document["configurations"].as_array().unwrap().iter().for_each(&mut read);
    }
    let bins: usize = histograms.iter().map(Vec::len).sum();
    assert_eq!((histograms.len(), bins), (888, 44_400));

    let sql = "select output_lengths_id, from_tokens, to_tokens, requests \
               from output_length_bins order by output_lengths_id, bin";
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows(&connection, sql) {
        let line = format!(
            "{}-{}: {}",
            number(&row["from_tokens"]),
            number(&row["to_tokens"]),
            number(&row["requests"])
        );
        found.entry(row["output_lengths_id"].to_string()).or_default().push(line);
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort();
    histograms.sort();
    assert_eq!(found.len(), histograms.len());
    for (found, expected) in found.iter().zip(&histograms) {
        assert_eq!(found, expected);
    }
}

fn number(value: &Value) -> String {
    format!("{:?}", value.as_f64().unwrap())
}

#[test]
fn the_files_are_those_that_the_manifest_lists() {
    let manifest: Value =
        serde_json::from_slice(&fs::read(in_project("data/manifest.json")).unwrap()).unwrap();
    let listed = manifest["checkout"]["documents"].as_array().unwrap();
    let root = in_project("data/leaderboard");
    let mut names = vec![root.join("index.json")];
    for folder in ["tasks", "models"] {
        names.extend(files(folder).into_iter().map(|(path, _)| path));
    }
    assert_eq!((names.len(), listed.len()), (70, 70));
    for document in listed {
        let path = root.join(document["name"].as_str().unwrap());
        assert!(names.contains(&path), "{}", path.display());
        let bytes = fs::read(Path::new(&path)).unwrap();
        assert_eq!(document["bytes"].as_u64(), Some(bytes.len() as u64));
        assert_eq!(document["sha256"], energydb::hash::sha256(&bytes[..]).unwrap());
    }
}
