//! Results of SGLang's bench_serving. Version 0.5.5 wrote the line in `sglang-0.5.5.jsonl` for 200 requests to a
//! server on loopback that answers 20 tokens each. It does not write the 90th percentile. Tests add it
//! under its name in python/sglang/benchmark/serving.py at 00f9ec47.

use super::{Folder, Value, build, figures, json, with};
use crate::common::in_project;

/// What SGLang does not say.
const FACTS: [&str; 5] =
    ["task=my-chat", "gpu=H100", "precision=BF16", "energy_boundary=gpu", "source=lab"];

fn written() -> String {
    let path = in_project("tests/program/serving/sglang-0.5.5.jsonl");
    std::fs::read_to_string(path).unwrap()
}

/// The line with round figures: 8 requests at a time for 100 s, each of 500 tokens.
fn result() -> Value {
    // The tool writes a rate without a limit as no JSON has it.
    let line = written().replace("Infinity", "null");
    with(
        &serde_json::from_str(&line).unwrap(),
        &json!({
            "duration": 100.0, "completed": 200, "total_input_tokens": 102_400,
            "total_output_tokens": 100_000, "output_throughput": 1000.0,
            "median_itl_ms": 7.25, "p90_itl_ms": 8.5, "p95_itl_ms": 9.75, "p99_itl_ms": 20.5,
            "median_ttft_ms": 30.25, "p99_ttft_ms": 90.75, "mean_tpot_ms": 7.5,
            "concurrency": 7.5, "energy_joules": 104_000.0,
        }),
    )
}

#[test]
fn the_line_that_the_tool_wrote_is_read_as_it_is() {
    let folder = Folder::new();
    let line = written();
    assert!(line.contains(r#""request_rate": Infinity"#), "{line}");
    folder.write("r.jsonl", &line);
    let facts = [&FACTS[..], &["power_watts=900"]].concat();
    let built = build(&folder, "r.jsonl", &facts, &[]).succeeded();
    let note = "the result lacks p90_itl_ms; a newer version of SGLang writes p90, p95 and p99";
    assert!(built.err.contains(note), "{}", built.err);
    let document: Value = serde_json::from_str(&line.replace("Infinity", "null")).unwrap();
    let figure = |name: &str| document[name].as_f64().unwrap();
    let columns = "row_id, avg_running_batch, tokens_per_second, median_itl_ms, p90_itl_ms, \
                   p95_itl_ms, p99_itl_ms, mean_tpot_ms, avg_input_tokens, avg_output_tokens, requests";
    assert_eq!(
        figures(&folder, columns),
        [format!(
            "lab:acme-7b-instruct/H100/2/8,{:?},{:?},{:?},,{:?},{:?},{:?},50.0,20.0,200",
            figure("concurrency"),
            figure("output_throughput"),
            figure("median_itl_ms"),
            figure("p95_itl_ms"),
            figure("p99_itl_ms"),
            figure("mean_tpot_ms"),
        )]
    );
    assert_eq!(
        folder.csv("x.sqlite", "select runtime, runtime_version, itl_kind from sources"),
        ["SGLang,0.5.5,per-chunk"]
    );
    folder.done(["check", "x.sqlite"]);
}

#[test]
fn each_figure_has_its_unit() {
    let folder = Folder::new();
    folder.write("r.jsonl", result().to_string());
    let built = build(&folder, "r.jsonl", &FACTS, &[]).succeeded();
    assert!(!built.err.contains("the result lacks"), "{}", built.err);
    let columns = "row_id, tensor_parallel, data_parallel, expert_parallel, avg_running_batch, \
         tokens_per_second, power_watts, joules_per_output_token, median_itl_ms, p90_itl_ms, \
         p95_itl_ms, p99_itl_ms, median_ttft_ms, p99_ttft_ms, mean_tpot_ms, avg_input_tokens, \
         avg_output_tokens, requests";
    assert_eq!(
        figures(&folder, columns),
        [
            "lab:acme-7b-instruct/H100/2/8,2,1,1,7.5,1000.0,1040.0,1.04,7.25,8.5,9.75,20.5,30.25,90.75,\
          7.5,512.0,500.0,200"
        ]
    );
    for (members, parts) in [
        (
            json!({"output_throughput": 1.0}),
            ["output_throughput", "1000.0 tokens/s", "number-range"],
        ),
        (json!({"duration": 0}), ["duration", "0", "a number above 0"]),
        (json!({"energy_joules": 104.0}), ["power_watts", "1.04", "rated"]),
        (json!({"median_itl_ms": 0.00725}), ["median_itl_ms", "0.00725", "time-per-token"]),
        (json!({"concurrency": 9.0}), ["avg_running_batch", "at most 8", "load-within-limit"]),
    ] {
        folder.write("r.jsonl", with(&result(), &members).to_string());
        build(&folder, "r.jsonl", &FACTS, &[]).failed(1, "finding").found(&parts);
    }
}

#[test]
fn the_server_says_its_gpus_and_limit_and_what_it_does_not_say_is_asked_for() {
    let folder = Folder::new();
    let of = |server: &Value, members: &Value| {
        let mut result = with(&result(), members);
        result["server_info"] = with(&result["server_info"], server);
        result.to_string()
    };
    for (server, members, expected) in [
        (json!({"max_running_requests": 4}), json!({}), "2,2,1,1,4,"),
        (json!({"tp_size": 4, "pp_size": 2}), json!({}), "8,4,1,1,8,7.5"),
        (json!({"tp_size": 2, "dp_size": 2}), json!({}), "4,2,2,1,8,7.5"),
        (
            json!({"tp_size": 8, "dp_size": 8, "ep_size": 8, "enable_dp_attention": true}),
            json!({"energy_joules": 400_000.0}),
            "8,1,8,8,8,7.5",
        ),
    ] {
        let members = with(&json!({"energy_joules": 400_000.0}), &members);
        folder.write("r.jsonl", of(&server, &members));
        build(&folder, "r.jsonl", &FACTS, &[]).succeeded();
        let columns = "num_gpus, tensor_parallel, data_parallel, expert_parallel, max_num_seqs, \
                       avg_running_batch";
        assert_eq!(figures(&folder, columns), [expected], "{server}");
    }
    // An older version says nothing of the server; another has its model in a folder.
    let old = with(&result(), &json!({"server_info": null, "energy_joules": null}));
    let path = of(&json!({"model_path": "/models/acme"}), &json!({}));
    folder.write("r.jsonl", old.to_string());
    let asked =
        build(&folder, "r.jsonl", &[], &["--all-findings"]).failed(1, "nothing was written");
    for name in ["task", "hugging_face_id", "gpu", "num_gpus", "precision", "energy_boundary"] {
        assert!(asked.err.contains(&format!("--fact {name}=")), "{name}: {}", asked.err);
    }
    assert!(asked.err.contains("--power-log FILE"), "{}", asked.err);
    folder.write("r.jsonl", path);
    build(&folder, "r.jsonl", &FACTS, &[]).failed(1, "finding").found(&["--fact hugging_face_id="]);
}

#[test]
fn lines_of_several_runs_are_as_many_configurations_and_a_date_finds_them_in_a_log() {
    let folder = Folder::new();
    let of = |limit: u32, end: &str| {
        with(&result(), &json!({"max_concurrency": limit, "date": end, "energy_joules": null}))
    };
    folder
        .write("r.jsonl", format!("{}\n{}\n", of(8, "20261120-101640"), of(16, "20261120-101840")));
    let mut log = String::from("timestamp, index, power.draw [W]\n");
    for second in 0..300 {
        let (minute, second) = (14 + second / 60, second % 60);
        for gpu in [0, 1] {
            let watts = if minute < 17 { 400.0 } else { 500.0 };
            log += &format!("2026/11/20 10:{minute}:{second:02}.000, {gpu}, {watts} W\n");
        }
    }
    folder.write("p.csv", log);
    build(&folder, "r.jsonl", &FACTS, &["--power-log", "p.csv"]).succeeded();
    assert_eq!(figures(&folder, "max_num_seqs, power_watts"), ["8,800.0", "16,1000.0"]);
    assert_eq!(folder.csv("x.sqlite", "select measured_on from sources"), ["2026-11-20"]);
    folder.write("r.jsonl", with(&result(), &json!({"energy_joules": null})).to_string());
    build(&folder, "r.jsonl", &FACTS, &["--power-log", "p.csv"])
        .failed(1, "finding")
        .found(&["the time at which the run ended"]);
}
