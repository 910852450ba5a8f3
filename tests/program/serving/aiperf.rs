//! Results of AIPerf. Version 0.13.0 wrote `aiperf-0.13.0.json` for 800 requests to a server on loopback that
//! answers 20 tokens each. Another server reported that two GPUs take 400 and 500 W. Metrics of the client's
//! connections, and most of the warm-up, are left out of the file.

use super::{Folder, Value, build, figures, json};
use crate::common::in_project;

/// What AIPerf does not say.
const FACTS: [&str; 4] = ["task=my-chat", "precision=BF16", "tensor_parallel=2", "source=lab"];

fn written() -> Value {
    let path = in_project("tests/program/serving/aiperf-0.13.0.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The document with other values at pointers.
fn with(values: &[(&str, Value)]) -> String {
    let mut document = written();
    for (pointer, value) in values {
        let (object, name) = pointer.rsplit_once('/').unwrap();
        document.pointer_mut(object).unwrap()[name] = value.clone();
    }
    document.to_string()
}

const COLUMNS: &str = "row_id, avg_running_batch, tokens_per_second, power_watts, \
     joules_per_output_token, median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, median_ttft_ms, \
     p99_ttft_ms, mean_tpot_ms, avg_input_tokens, avg_output_tokens, requests, \
     window_uncertainty_percent";

#[test]
fn each_figure_is_what_the_tool_wrote() {
    let folder = Folder::new();
    folder.write("r.json", with(&[]));
    build(&folder, "r.json", &FACTS, &[]).succeeded();
    let document = written();
    let figure = |pointer: &str| document.pointer(pointer).and_then(Value::as_f64).unwrap();
    let (tokens, rate) = (figure("/total_osl/avg"), figure("/output_token_throughput/avg"));
    let seconds = tokens / rate;
    let joules = figure("/nvidia_total_gpu_energy/avg");
    let latency = |metric: &str, of: &str| figure(&format!("/{metric}/{of}"));
    let gap = |of: &str| latency("inter_chunk_latency", of);
    // 16,000 tokens in 51.8 s, at 900 W. The power is AIPerf's own.
    assert_eq!((tokens, seconds.round(), (joules / seconds).round()), (16000.0, 52.0, 904.0));
    let own_power = figure("/nvidia_average_gpu_power/avg");
    assert!((joules / seconds / own_power - 1.0).abs() < 1e-9);
    let row = [
        latency("request_latency", "avg") * 1e-3 * 800.0 / seconds,
        tokens / seconds,
        joules / seconds,
        joules / tokens,
        gap("p50"),
        gap("p90"),
        gap("p95"),
        gap("p99"),
        latency("time_to_first_token", "p50"),
        latency("time_to_first_token", "p99"),
        latency("inter_token_latency", "avg"),
        50.0,
        20.0,
    ];
    let columns: Vec<_> = row.iter().map(|figure| format!("{figure:?}")).collect();
    let uncertainty = 100.0 * (0.666 / seconds);
    let expected =
        format!("lab:acme-7b-instruct/H100/2/4,{},800,{uncertainty:?}", columns.join(","));
    assert_eq!(figures(&folder, COLUMNS), [expected]);
    assert_eq!(
        folder.csv(
            "x.sqlite",
            "select energy_boundary, measurement_window, itl_kind, measured_on from sources"
        ),
        ["gpu,whole-run,per-chunk,2026-12-02"]
    );
    folder.done(["check", "x.sqlite"]);
}

#[test]
fn the_unit_is_that_of_the_document() {
    let folder = Folder::new();
    for (values, column, same) in [
        (
            json!([["/inter_chunk_latency", {"unit": "us", "p50": 11500.0}]]),
            "median_itl_ms",
            "11.5",
        ),
        (json!([["/inter_chunk_latency", {"unit": "ns", "p50": 11.5e6}]]), "median_itl_ms", "11.5"),
        (
            json!([["/inter_chunk_latency", {"unit": "sec", "p50": 0.0115}]]),
            "median_itl_ms",
            "11.5",
        ),
        (
            json!([["/time_to_first_token", {"unit": "sec", "p50": 0.0245}]]),
            "median_ttft_ms",
            "24.5",
        ),
        (
            json!([["/nvidia_total_gpu_energy", {"unit": "MJ", "avg": 0.048}],
                   ["/nvidia_energy_per_output_token", {"unit": "mJ/token", "avg": 3000.0}]]),
            "joules_per_output_token",
            "3.0",
        ),
        (
            json!([["/nvidia_total_gpu_energy", {"unit": "mJ", "avg": 48e6}],
                   ["/nvidia_energy_per_output_token", {"unit": "J/token", "avg": 3.0}]]),
            "joules_per_output_token",
            "3.0",
        ),
    ] {
        let values: Vec<(String, Value)> = serde_json::from_value(values).unwrap();
        let values: Vec<_> =
            values.iter().map(|(at, value)| (at.as_str(), value.clone())).collect();
        folder.write("r.json", with(&values));
        build(&folder, "r.json", &FACTS, &[]).succeeded();
        assert_eq!(figures(&folder, column), [same], "{values:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_reason() {
    let folder = Folder::new();
    let mut again = written().pointer("/telemetry_data/endpoints/localhost:9400").unwrap().clone();
    let twice = again.clone();
    for gpu in ["gpu_0", "gpu_1"] {
        again["gpus"][gpu]["gpu_uuid"] = json!(format!("other-{gpu}"));
        again["gpus"][gpu]["gpu_name"] = json!("NVIDIA A100-SXM4-40GB");
    }
    for (at, value, parts) in [
        ("/was_cancelled", json!(true), ["was_cancelled", "a run that came to its end"]),
        ("/is_complete", json!(false), ["is_complete", "a run that came to its end"]),
        ("/total_osl/unit", json!("requests"), ["16000 requests", "in tokens"]),
        ("/inter_chunk_latency/unit", json!("min"), ["inter_chunk_latency", "in ns, us, ms, sec"]),
        ("/benchmark_duration/unit", json!("ms"), ["output_token_throughput", "309141.4 tokens/s"]),
        ("/benchmark_duration/avg", json!(0), ["benchmark_duration", "a number above 0"]),
        ("/output_token_throughput", json!(null), ["output_token_throughput", "nothing"]),
        ("/nvidia_total_gpu_energy/unit", json!("kWh"), ["kWh", "in mJ, J, MJ"]),
        (
            "/nvidia_energy_per_output_token/unit",
            json!("J/token"),
            ["nvidia_energy_per_output_token", "nvidia_total_gpu_energy / total_osl, 2.92"],
        ),
        (
            "/input_config/models/items",
            json!([{"name": "acme/A"}, {"name": "acme/B"}]),
            ["acme/A, acme/B", "one model in a run"],
        ),
        ("/telemetry_data/endpoints/node:9400", twice, ["GPU-0 twice", "its energy counts twice"]),
        (
            "/telemetry_data/endpoints/node:9400",
            again,
            ["NVIDIA A100-SXM4-40GB, NVIDIA H100 80GB HBM3", "one type of GPU in a run"],
        ),
    ] {
        folder.write("r.json", with(&[(at, value)]));
        build(&folder, "r.json", &FACTS, &[]).failed(1, "finding").found(&parts);
    }
    // AIPerf counts energy for a moment after the end.
    let tenth = |name: &str, by: f64| {
        let figure = written().pointer(name).and_then(Value::as_f64).unwrap();
        json!(figure * by)
    };
    folder.write(
        "r.json",
        with(&[
            ("/benchmark_duration/avg", tenth("/benchmark_duration/avg", 0.1)),
            ("/output_token_throughput/avg", tenth("/output_token_throughput/avg", 10.0)),
        ]),
    );
    build(&folder, "r.json", &FACTS, &[]).failed(1, "finding").found(&[
        "benchmark_duration",
        "uncertain by 12.9 %",
        "at most 2 %: measure a longer run",
    ]);
}

#[test]
fn what_was_not_measured_is_missing_and_asked_for_where_it_is_needed() {
    let folder = Folder::new();
    let gone = |names: &[&str]| {
        let mut document = written();
        let members = document.as_object_mut().unwrap();
        members.retain(|name, _| !names.iter().any(|gone| name.starts_with(gone)));
        document.to_string()
    };
    // Without --streaming.
    folder.write("r.json", gone(&["inter_", "time_to_"]));
    let built = build(&folder, "r.json", &FACTS, &[]).succeeded();
    assert!(built.err.contains("run AIPerf with --streaming to have them"), "{}", built.err);
    let columns = "median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, median_ttft_ms, mean_tpot_ms";
    assert_eq!(figures(&folder, columns), [",,,,,"]);
    assert_eq!(folder.csv("x.sqlite", "select itl_kind is null from sources"), ["1"]);
    // Without GPU telemetry, and with a rate in place of a concurrency.
    folder.write("r.json", gone(&["nvidia_", "telemetry_data", "input_config"]));
    let mut document: Value = serde_json::from_str(&gone(&["nvidia_", "telemetry_data"])).unwrap();
    document["input_config"]["phases"] =
        json!([{"name": "profiling", "kind": "profiling", "rate": 20.0}]);
    folder.write("r.json", document.to_string());
    let asked =
        build(&folder, "r.json", &FACTS, &["--all-findings"]).failed(1, "nothing was written");
    for name in [
        "--fact gpu=",
        "--fact num_gpus=",
        "--fact max_num_seqs=",
        "energy_joules",
        "--fact energy_boundary=",
    ] {
        assert!(asked.err.contains(name), "{name}: {}", asked.err);
    }
}

#[test]
fn energy_of_more_gpus_than_the_run_s_gives_way_to_a_log() {
    let folder = Folder::new();
    folder.write("r.json", with(&[]));
    let one = ["task=my-chat", "precision=BF16", "num_gpus=1"];
    build(&folder, "r.json", &one, &[])
        .failed(1, "finding")
        .found(&["energy_joules", "give --power-log FILE"]);
    folder.write("r.json", with(&[("/energy_joules", json!(25_000.0))]));
    build(&folder, "r.json", &one, &[]).succeeded();
    assert_eq!(figures(&folder, "joules_per_output_token"), ["1.5625"]);
    folder.write("r.json", with(&[]));
    // Times are local, as those of the log.
    let mut log = String::from("timestamp, index, power.draw [W]\n");
    for second in 30..180 {
        let (minute, second) = (58 + second / 60, second % 60);
        let (hour, minute) = (15 + minute / 60, minute % 60);
        log += &format!("2026/12/02 {hour}:{minute:02}:{second:02}.000, 1, 450.00 W\n");
    }
    folder.write("p.csv", log);
    build(&folder, "r.json", &one, &["--power-log", "p.csv"]).succeeded();
    assert_eq!(figures(&folder, "num_gpus, power_watts"), ["1,450.0"]);
}

#[test]
fn a_folder_of_a_run_is_one_configuration() {
    let folder = Folder::new();
    folder.write("out/profile_export_aiperf.json", with(&[]));
    folder.write("out/phases/warmup/profile_export_aiperf.json", with(&[]));
    folder.write("out/inputs.json", "{}");
    folder.write("out/profile_export.jsonl", "{}");
    let built = build(&folder, "out", &FACTS, &[]).succeeded();
    assert!(!built.err.contains("not read"), "{}", built.err);
    assert_eq!(figures(&folder, "num_gpus"), ["2"]);
}
