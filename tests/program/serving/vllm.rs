//! What `vllm bench serve` writes. The fields, their units and their order are those of
//! vllm/benchmarks/serve.py at 009e6d4a, the overrides and files of a sweep those of
//! vllm/benchmarks/sweep/serve.py at 0031557f; the figures are invented. `vllm-0.21.0.json` is what the
//! benchmark's own code of version 0.21.0 wrote of 64 requests to a server on loopback that answers 40
//! tokens each; only its data sets and its tokenizer, which need a GPU's libraries, were replaced.

use super::{FACTS, Folder, Value, build, figures, json, with};
use crate::common::in_project;

/// A result as it is without any flag: the 99th percentile alone. 64 requests run for 50 s and make
/// 100 tokens each.
fn result() -> Value {
    json!({
        "date": "20261120-101615", "endpoint_type": "openai-chat", "backend": "openai-chat",
        "label": null, "model_id": "acme/Acme-7B-Instruct",
        "tokenizer_id": "acme/Acme-7B-Instruct", "num_prompts": 2000, "request_rate": "inf",
        "burstiness": 1.0, "max_concurrency": 64, "duration": 50.0, "completed": 2000, "failed": 0,
        "total_input_tokens": 1_024_000, "total_output_tokens": 200_000,
        "request_throughput": 40.0, "request_goodput": null, "output_throughput": 4000.0,
        "total_token_throughput": 24480.0, "max_output_tokens_per_s": 4400.0,
        "max_concurrent_requests": 70, "rtfx": 0.0,
        "mean_ttft_ms": 210.5, "median_ttft_ms": 180.25, "std_ttft_ms": 90.0, "p99_ttft_ms": 612.75,
        "mean_tpot_ms": 15.5, "median_tpot_ms": 15.25, "std_tpot_ms": 0.5, "p99_tpot_ms": 17.0,
        "mean_itl_ms": 15.5, "median_itl_ms": 14.5, "std_itl_ms": 8.5, "p99_itl_ms": 61.25,
    })
}

/// As [`result`], of a run with every flag that the guide names.
fn full() -> Value {
    with(
        &result(),
        &json!({
            "gpu": "H100", "num_gpus": "2", "tensor_parallel": "2", "precision": "bfloat16",
            "energy_joules": "52000.0", "energy_boundary": "gpu", "task": "my-chat",
            "p50_itl_ms": 14.5, "p90_itl_ms": 20.5, "p95_itl_ms": 24.75, "mean_e2el_ms": 1550.0,
        }),
    )
}

#[test]
fn the_document_that_the_tool_wrote_is_read_as_it_is() {
    let folder = Folder::new();
    let path = in_project("tests/program/serving/vllm-0.21.0.json");
    let text = std::fs::read_to_string(path).unwrap();
    folder.write("r.json", &text);
    let built = build(&folder, "r.json", &[], &["--strict"]).succeeded();
    assert!(!built.err.contains("the result lacks"), "{}", built.err);
    let document: Value = serde_json::from_str(&text).unwrap();
    let figure = |name: &str| document[name].as_f64().unwrap();
    let columns = "row_id, tokens_per_second, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, \
                   median_ttft_ms, p99_ttft_ms, mean_tpot_ms, joules_per_output_token, \
                   joules_per_request, avg_input_tokens, avg_output_tokens, requests";
    assert_eq!(
        figures(&folder, columns),
        [format!(
            "mine:acme-7b-instruct/H100/2/8,{:?},{:?},{:?},{:?},{:?},{:?},{:?},{:?},0.1953125,7.8125,\
             128.0,40.0,64",
            figure("output_throughput"),
            figure("median_itl_ms"),
            figure("p90_itl_ms"),
            figure("p95_itl_ms"),
            figure("p99_itl_ms"),
            figure("median_ttft_ms"),
            figure("p99_ttft_ms"),
            figure("mean_tpot_ms"),
        )]
    );
    // 64 requests of 499.6 ms in 4.0228 s, and 500 J in that time.
    assert_eq!(
        figures(&folder, "round(avg_running_batch, 6), round(power_watts, 6)"),
        ["7.94825,124.291586"]
    );
    folder.done(["check", "x.sqlite"]);
}

const COLUMNS: &str = "row_id, precision, tensor_parallel, data_parallel, expert_parallel, \
     avg_running_batch, tokens_per_second, power_watts, joules_per_output_token, \
     joules_per_request, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, median_ttft_ms, \
     p99_ttft_ms, mean_tpot_ms, avg_input_tokens, avg_output_tokens, requests";

#[test]
fn each_figure_has_its_unit() {
    let folder = Folder::new();
    folder.write("r.json", full().to_string());
    let built = build(&folder, "r.json", &[], &["--strict"]).succeeded();
    assert!(!built.err.contains("the result lacks"), "{}", built.err);
    assert_eq!(
        figures(&folder, COLUMNS),
        [
            "mine:acme-7b-instruct/H100/2/64,BF16,2,1,1,62.0,4000.0,1040.0,0.26,26.0,14.5,20.5,24.75,\
          61.25,180.25,612.75,15.5,512.0,100.0,2000"
        ]
    );
    assert_eq!(
        folder.csv(
            "x.sqlite",
            "select energy_boundary, measurement_window, itl_kind, runtime, measured_on from sources"
        ),
        ["gpu,whole-run,per-chunk,,2026-11-20"]
    );
    folder.done(["check", "x.sqlite"]);
}

#[test]
fn percentiles_that_were_not_kept_are_missing_with_the_flag_that_keeps_them() {
    let folder = Folder::new();
    folder.write("r.json", with(&result(), &json!({"energy_joules": "26000"})).to_string());
    let built = build(&folder, "r.json", &FACTS, &[]).succeeded();
    let note = "r.json: the result lacks p90_itl_ms, p95_itl_ms; run the benchmark with \
                --metric-percentiles 50,90,95,99 to keep them";
    assert!(built.err.contains(note), "{}", built.err);
    assert_eq!(
        figures(&folder, "source, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms"),
        ["lab,14.5,,,61.25"]
    );
}

#[test]
fn what_no_file_says_is_asked_for_by_name() {
    let folder = Folder::new();
    folder.write("r.json", with(&result(), &json!({"max_concurrency": null})).to_string());
    let asked = build(&folder, "r.json", &[], &["--all-findings"]).failed(1, "nothing was written");
    for name in [
        "task",
        "gpu",
        "num_gpus",
        "precision",
        "max_num_seqs",
        "energy_boundary",
        "tensor_parallel",
    ] {
        assert!(asked.err.contains(&format!("--fact {name}=")), "{name}: {}", asked.err);
    }
    assert!(asked.err.contains("energy_joules"), "{}", asked.err);
    assert!(!asked.err.contains("--fact joules_per_output_token"), "{}", asked.err);
    let power = [&FACTS[..], &["power_watts=520", "max_num_seqs=8"]].concat();
    build(&folder, "r.json", &power, &[]).succeeded();
    assert_eq!(
        figures(&folder, "power_watts, joules_per_output_token, max_num_seqs"),
        ["520.0,0.13,8"]
    );
}

#[test]
fn several_results_in_a_row_are_as_many_configurations() {
    let folder = Folder::new();
    let of = |limit: u32, joules: &str| {
        with(
            &full(),
            &json!({
                "max_concurrency": limit, "energy_joules": joules, "mean_e2el_ms": 350.0
            }),
        )
    };
    let pretty = serde_json::to_string_pretty(&of(32, "60000")).unwrap();
    folder.write("r.json", format!("{}\n{pretty}\n{}", of(16, "40000"), of(32, "80000")));
    build(&folder, "r.json", &[], &[]).succeeded();
    assert_eq!(
        figures(&folder, "row_id, power_watts"),
        [
            "mine:acme-7b-instruct/H100/2/16,800.0",
            "mine:acme-7b-instruct/H100/2/32,1200.0",
            "mine:acme-7b-instruct/H100/2/32/r2,1600.0"
        ]
    );
    folder.write("r.json", format!("{}\n{}", of(16, "40000"), of(32, "many")));
    build(&folder, "r.json", &[], &[]).failed(1, "finding").found(&[
        "line 2 (row 2), energy_joules",
        "many",
        "a number above 0",
    ]);
    folder.write("r.json", format!("{}\n{{", of(16, "40000")));
    build(&folder, "r.json", &["task=my-chat"], &[]).failed(1, "finding").found(&["[json]"]);
    folder.write("r.json", format!("{}\n[1]", of(16, "40000")));
    build(&folder, "r.json", &["task=my-chat"], &[]).failed(1, "finding").found(&["line 2"]);
}

#[test]
fn a_sweep_gives_one_configuration_for_each_run_and_passes_over_what_is_beside_them() {
    let folder = Folder::new();
    let of = |concurrency: u32, run: i32| {
        let overrides = json!({
            "run_number": run, "max_num_seqs": 32, "max_concurrency": concurrency,
            "tensor-parallel-size": 2, "tensor_parallel": null, "duration": 50.0 + f64::from(run),
            "mean_e2el_ms": if concurrency > 32 { 1550.0 } else { 350.0 },
            "output_throughput": 200_000.0 / (50.0 + f64::from(run)),
        });
        with(&full(), &overrides)
    };
    for (concurrency, run) in [(16, 0), (16, 1), (64, 0)] {
        let name = format!("sweep/SERVE--BENCH--c{concurrency}/run={run}.json");
        folder.write(name, of(concurrency, run).to_string());
    }
    let beside = "sweep/SERVE--BENCH--c16";
    folder.write(format!("{beside}/warmup.json"), of(16, -1).to_string());
    folder.write(format!("{beside}/run=2.failure.json"), r#"{"run_number": 2, "error": "x"}"#);
    folder.write(format!("{beside}/run=0.pytorch.json"), r#"[{"benchmark": {"name": "x"}}]"#);
    folder.write("sweep/SERVE--c16-failure.json", r#"{"error_type": "x", "error": "y"}"#);
    folder.write(format!("{beside}/summary.json"), json!([of(16, 0), of(16, 1)]).to_string());
    let built = build(&folder, "sweep", &[], &[]).succeeded();
    assert!(built.err.contains("summary.json was skipped"), "{}", built.err);
    for name in ["warmup", "failure", "pytorch"] {
        assert!(!built.err.contains(name), "{}", built.err);
    }
    assert_eq!(
        figures(&folder, "row_id, tensor_parallel, power_watts, avg_running_batch"),
        [
            "mine:acme-7b-instruct/H100/2/16,2,1040.0,14.0".to_owned(),
            format!(
                "mine:acme-7b-instruct/H100/2/16/r2,2,{:?},{:?}",
                52000.0 / 51.0,
                0.35 * 2000.0 / 51.0
            ),
            "mine:acme-7b-instruct/H100/2/32,2,1040.0,".to_owned(),
        ]
    );
}

#[test]
fn experts_that_are_spread_count_as_in_the_published_data() {
    let folder = Folder::new();
    let experts = json!({"tensor_parallel": null, "tensor_parallel_size": 2,
                         "enable_expert_parallel": true});
    folder.write("r.json", with(&full(), &experts).to_string());
    build(&folder, "r.json", &[], &[]).succeeded();
    assert_eq!(figures(&folder, "tensor_parallel, expert_parallel"), ["1,2"]);
}

#[test]
fn requests_that_failed_are_noted() {
    let folder = Folder::new();
    folder.write("r.json", with(&full(), &json!({"failed": 3})).to_string());
    let built = build(&folder, "r.json", &[], &[]).succeeded();
    assert!(built.err.contains("3 requests failed; their energy is included"), "{}", built.err);
}

#[test]
fn a_figure_in_a_wrong_unit_is_refused() {
    let folder = Folder::new();
    for (members, parts) in [
        (
            json!({"output_throughput": 4.0}),
            ["output_throughput", "4000.0 tokens/s", "number-range"],
        ),
        (json!({"duration": 0}), ["duration", "0", "a number above 0"]),
        (json!({"total_output_tokens": 0}), ["total_output_tokens", "0", "a number above 0"]),
        (json!({"energy_joules": "52.0"}), ["power_watts", "1.04", "rated"]),
        (json!({"median_itl_ms": 0.0145}), ["median_itl_ms", "0.0145", "time-per-token"]),
        (json!({"num_gpus": "two"}), ["num_gpus", "two", "whole number"]),
    ] {
        folder.write("r.json", with(&full(), &members).to_string());
        build(&folder, "r.json", &[], &[]).failed(1, "finding").found(&parts);
    }
}
