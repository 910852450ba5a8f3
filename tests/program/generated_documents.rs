//! The generated documents keep every relation that holds in the published ones.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::generator::Document;

const ROWS: usize = 1234;

fn text(rows: usize, seed: u64, bare_array: bool) -> String {
    let mut bytes = Vec::new();
    Document { rows, seed, bare_array }.write_to(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn rows() -> Vec<Value> {
    let document: Value = serde_json::from_str(&text(ROWS, 1, false)).unwrap();
    document["configurations"].as_array().unwrap().clone()
}

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap()
}

/// Display name in lower case, runs of other characters one hyphen.
fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[test]
fn has_the_members_and_the_layout_of_the_published_document() {
    let published = include_str!("../../data/leaderboard/tasks/lm-arena-chat.json");
    let shape = |document: &str| -> Vec<String> {
        let names = document.lines().map(|line| match line.split_once("\": ") {
            Some((name, _)) => name.to_owned(),
            None => line.to_owned(),
        });
        names.take(60).collect()
    };
    let generated = text(ROWS, 1, false);
    assert_eq!(shape(&generated), shape(published));
    let end = |document: &str| document.split_once("\n  ],\n").unwrap().1.to_owned();
    assert_eq!(end(&generated), end(published));
}

#[test]
fn has_as_many_rows_as_asked_for() {
    for rows in [0, 1, 5, 328, 501, ROWS] {
        let document: Value = serde_json::from_str(&text(rows, 1, false)).unwrap();
        assert_eq!(document["configurations"].as_array().unwrap().len(), rows);
    }
}

#[test]
fn bare_array_holds_the_same_rows() {
    let array: Value = serde_json::from_str(&text(ROWS, 1, true)).unwrap();
    assert_eq!(array.as_array().unwrap(), &rows());
}

#[test]
fn seed_alone_decides_the_figures() {
    assert_eq!(text(ROWS, 7, false), text(ROWS, 7, false));
    assert_ne!(text(ROWS, 7, false), text(ROWS, 8, false));
}

#[test]
fn derived_figures_follow_from_the_measured_ones() {
    for row in rows() {
        let energy = number(&row, "energy_per_token_joules");
        for (derived, factor) in [
            ("energy_per_request_joules", "avg_output_len"),
            ("avg_power_watts", "output_throughput_tokens_per_sec"),
        ] {
            let expected = energy * number(&row, factor);
            assert!((number(&row, derived) - expected).abs() <= 1e-9 * expected, "{row}");
        }
    }
}

#[test]
fn figures_stay_within_what_they_can_mean() {
    for row in rows() {
        let itl = ["median_itl_ms", "p90_itl_ms", "p95_itl_ms", "p99_itl_ms"];
        assert!(number(&row, itl[0]) > 0.0, "{row}");
        assert!(itl.windows(2).all(|two| number(&row, two[0]) <= number(&row, two[1])), "{row}");
        assert!(number(&row, "avg_batch_size") > 0.0, "{row}");
        assert!(number(&row, "avg_batch_size") <= number(&row, "max_num_seqs"), "{row}");
        let active = number(&row, "activated_params_billions");
        assert!(active <= number(&row, "total_params_billions"), "{row}");
        assert!(number(&row, "avg_output_len") > 0.0, "{row}");
        assert!(number(&row, "energy_per_token_joules") > 0.0, "{row}");
    }
}

#[test]
fn one_model_has_one_description_and_one_slug() {
    let described = ["nickname", "architecture", "total_params_billions", "weight_precision"];
    let mut models: HashMap<String, Vec<Value>> = HashMap::new();
    for row in rows() {
        let description: Vec<Value> = described.iter().map(|name| row[name].clone()).collect();
        let id = row["model_id"].as_str().unwrap().to_owned();
        assert_eq!(models.entry(id).or_insert(description.clone()), &description);
    }
    assert_eq!(models.len(), ROWS.div_ceil(500));
    let slugs: HashSet<String> =
        models.values().map(|model| slug(model[0].as_str().unwrap())).collect();
    assert_eq!(slugs.len(), models.len());
}

#[test]
fn few_rows_repeat_a_choice_and_none_repeats_its_figures() {
    let rows = rows();
    let choices: HashSet<String> = rows
        .iter()
        .map(|row| ["model_id", "gpu_model", "num_gpus", "max_num_seqs"].map(|key| &row[key]))
        .map(|choice| format!("{choice:?}"))
        .collect();
    let repeats = rows.len() - choices.len();
    assert!((1..rows.len() / 50).contains(&repeats), "{repeats} repeats");
    let energies: HashSet<u64> =
        rows.iter().map(|row| number(row, "energy_per_token_joules").to_bits()).collect();
    assert_eq!(energies.len(), rows.len());
}
