//! Aggregated results of InferenceX. The fields and their units are those of utils/process_result.py and
//! utils/aggregate_power.py at 02fff9ee; the figures are invented.

use super::{Folder, Value, build, figures, json, with};

/// What InferenceX does not say.
const FACTS: [&str; 2] = ["task=random-8k-1k", "source=lab"];

/// 8 GPUs that make 2,400 tokens/s for 3,600 W: 1.5 J for each, and 1,500 J for each of the requests of
/// 1,000 tokens.
fn result() -> Value {
    json!({
        "hw": "h200", "conc": 64, "image": "vllm/vllm-openai:v0.21.0",
        "model": "acme/Acme-70B-Instruct-FP8", "infmax_model_prefix": "acme70b",
        "framework": "vllm", "precision": "fp8", "spec_decoding": "none", "disagg": false,
        "isl": 8192, "osl": 1024, "is_multinode": false, "tp": 8, "pp": 1, "dcp_size": 1,
        "pcp_size": 1, "ep": 1, "dp_attention": "false", "tput_per_gpu": 2700.0,
        "output_tput_per_gpu": 300.0, "input_tput_per_gpu": 2400.0,
        "mean_ttft": 0.5, "median_ttft": 0.4375, "p99_ttft": 1.75, "mean_tpot": 0.025,
        "mean_intvty": 40.0, "mean_itl": 0.025, "median_itl": 0.0234375, "p90_itl": 0.03125,
        "p99_itl": 0.0625, "p99.9_itl": 0.09, "mean_e2el": 26.25,
        "power_metric_schema_version": 2, "power_valid": 1, "avg_power_w": 450.0,
        "avg_total_gpu_power_w": 3600.0, "total_gpu_energy_j": 960_000.0,
        "joules_per_successful_query": 1500.0, "joules_per_input_token": 0.1875,
        "joules_per_output_token": 1.5, "joules_per_total_token": 0.166667,
    })
}

const COLUMNS: &str = "row_id, precision, tensor_parallel, data_parallel, expert_parallel, \
     avg_running_batch, tokens_per_second, power_watts, joules_per_output_token, \
     joules_per_request, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, median_ttft_ms, \
     p99_ttft_ms, mean_tpot_ms, avg_input_tokens, avg_output_tokens";

#[test]
fn each_figure_has_its_unit() {
    let folder = Folder::new();
    let expected = "lab:acme-70b-instruct-fp8/H200/8/64,FP8,8,1,1,63.0,2400.0,3600.0,1.5,1500.0,\
         23.4375,31.25,,62.5,437.5,1750.0,25.0,8000.0,1000.0";
    // One line, which could be a table, and an array.
    for document in [result(), json!([result()])] {
        folder.write("agg.json", document.to_string());
        let built = build(&folder, "agg.json", &FACTS, &[]).succeeded();
        assert!(built.err.contains("the result lacks p95_itl_ms"), "{}", built.err);
        assert_eq!(figures(&folder, COLUMNS), [expected]);
    }
    let columns = "energy_boundary, measurement_window, itl_kind, runtime, workload";
    assert_eq!(
        folder.csv("x.sqlite", &format!("select {columns} from sources")),
        ["gpu,whole-run,per-chunk,vLLM,random requests of 8192 input and 1024 output tokens"]
    );
    folder.done(["check", "x.sqlite"]);
}

#[test]
fn a_figure_in_a_wrong_unit_is_refused() {
    let folder = Folder::new();
    for (members, parts) in [
        (json!({"conc": 6.4e301}), ["max_num_seqs", "a whole number from 1", "number-range"]),
        (json!({"conc": 64.5}), ["max_num_seqs", "64.5", "number-range"]),
        (json!({"output_tput_per_gpu": 0.3}), ["avg_total_gpu_power_w", "3600", "3.6 W"]),
        (json!({"avg_total_gpu_power_w": 3.6}), ["avg_total_gpu_power_w", "3.6", "3600.0 W"]),
        // The mean of each GPU is not the power of all.
        (json!({"avg_total_gpu_power_w": 450.0}), ["avg_total_gpu_power_w", "450", "3600.0 W"]),
        (json!({"joules_per_output_token": 1500.0}), ["avg_total_gpu_power_w", "3600", "3600000"]),
        (json!({"median_itl": 23.4}), ["median_itl_ms", "23400", "time-per-token"]),
        (json!({"tp": 0}), ["tp", "0", "a number above 0"]),
        (json!({"avg_total_gpu_power_w": null}), ["avg_total_gpu_power_w", "nothing", "above 0"]),
    ] {
        folder.write("agg.json", json!([with(&result(), &members)]).to_string());
        build(&folder, "agg.json", &FACTS, &[]).failed(1, "finding").found(&parts);
    }
}

#[test]
fn only_energy_that_was_measured_and_is_valid_is_read() {
    let folder = Folder::new();
    let bad = [
        json!({"power_valid": 0}),
        json!({"power_valid": null}),
        json!({"power_metric_schema_version": 1}),
        json!({"power_metric_schema_version": null}),
        json!({"is_multinode": true}),
        json!({"disagg": true}),
    ];
    for members in &bad {
        folder.write("agg.json", json!([with(&result(), members)]).to_string());
        build(&folder, "agg.json", &FACTS, &[]).failed(1, "finding").found(&[
            "none to take",
            "power_valid 1 of power_metric_schema_version 2",
            "[rows]",
        ]);
    }
    let mut all: Vec<_> = bad.iter().map(|members| with(&result(), members)).collect();
    all.push(result());
    folder.write("agg.json", json!(all).to_string());
    let built = build(&folder, "agg.json", &FACTS, &[]).succeeded();
    assert!(
        built.err.contains("6 of 7 results are left out; energydb reads runs"),
        "{}",
        built.err
    );
    assert_eq!(figures(&folder, "max_num_seqs"), ["64"]);
}

#[test]
fn rows_of_other_requests_or_programs_are_for_another_file() {
    let folder = Folder::new();
    for (members, parts) in [
        (json!({"conc": 8, "isl": 1024}), ["workload", "1024 input", "a file for each"]),
        (json!({"conc": 8, "framework": "sglang"}), ["runtime", "SGLang", "a file for each"]),
    ] {
        folder.write("agg.json", json!([result(), with(&result(), &members)]).to_string());
        build(&folder, "agg.json", &FACTS, &[]).failed(1, "finding").found(&parts);
    }
}

#[test]
fn what_is_spread_counts_as_in_the_published_data() {
    let folder = Folder::new();
    for (members, expected) in [
        (json!({"ep": 8}), "8,1,1,8"),
        (json!({"ep": 8, "dp_attention": "true"}), "8,1,8,8"),
        (json!({"tp": 4, "pp": 2}), "8,4,1,1"),
    ] {
        folder.write("agg.json", with(&result(), &members).to_string());
        build(&folder, "agg.json", &FACTS, &[]).succeeded();
        let columns = "num_gpus, tensor_parallel, data_parallel, expert_parallel";
        assert_eq!(figures(&folder, columns), [expected]);
    }
}
