//! Text of the leaderboard's version 2. The files of `leaderboard-v2` are two of its own.

use super::{Folder, Value, build, figures, json, with};
use crate::common::in_project;

const FACTS: [&str; 3] = ["task=chat-v2", "precision=BF16", "measurement_window=steady-state"];

fn written(name: &str) -> Value {
    let path = in_project("tests/program/serving/leaderboard-v2").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn the_files_of_the_previous_version_are_configurations_of_a_task_of_their_own() {
    let folder = Folder::new();
    for name in ["llama-a100.json", "llama-h100.json"] {
        folder.write(format!("v2/{name}"), written(name).to_string());
    }
    let built = build(&folder, "v2", &FACTS, &[]).succeeded();
    assert!(built.err.contains("the mean time per output token alone"), "{}", built.err);
    let columns = "gpu, num_gpus, tensor_parallel, max_num_seqs, avg_running_batch, \
         tokens_per_second, round(power_watts, 6), round(joules_per_output_token, 9), \
         joules_per_request, mean_tpot_ms, avg_output_tokens, median_itl_ms, p99_itl_ms";
    let row = |gpu: &str, gpus: u32, limit: u32, name: &str| {
        let document = written(name);
        let figure = |name: &str| document[name].as_f64().unwrap();
        let (joules, length) = (figure("Energy/req (J)"), figure("Avg Output Tokens"));
        let rate = figure("Token tput (tok/s)");
        let per_token = (joules / length * 1e9).round() / 1e9;
        let power = (joules / length * rate * 1e6).round() / 1e6;
        format!(
            "{gpu},{gpus},{gpus},{limit},{:?},{rate:?},{power:?},{per_token:?},{joules:?},{:?},{length:?},,",
            figure("Avg BS (reqs)"),
            1000.0 * figure("Avg TPOT (s)"),
        )
    };
    // 70B at 768 requests in flight: 408 ms a token, 0.96 J each, 1.2 kW of eight A100.
    let expected =
        [row("H100", 4, 64, "llama-h100.json"), row("A100-SXM4-40GB", 8, 768, "llama-a100.json")];
    assert!(expected[1].contains(",408.44") && expected[1].contains(",0.96"), "{expected:?}");
    assert_eq!(figures(&folder, columns), expected);
    assert_eq!(
        folder.csv(
            "x.sqlite",
            "select distinct energy_boundary, runtime, itl_kind is null from sources"
        ),
        ["gpu,vLLM,1"]
    );
    folder.done(["check", "x.sqlite"]);
}

#[test]
fn a_figure_in_a_wrong_unit_is_refused() {
    let folder = Folder::new();
    for (members, parts) in [
        (json!({"Energy/req (J)": 441_467.6}), ["power_watts", "W for each GPU", "rated-power"]),
        (json!({"Energy/req (J)": 0.4415}), ["power_watts", "W for each GPU", "rated-power"]),
        (json!({"Avg TPOT (s)": 408.4}), ["mean_tpot_ms", "408400", "time-per-token"]),
        (json!({"Token tput (tok/s)": 1.229}), ["power_watts", "W for each GPU", "rated-power"]),
        (json!({"Avg BS (reqs)": 769}), ["avg_running_batch", "769", "at most 768"]),
        (json!({"TP": 0}), ["TP", "0", "a number above 0"]),
        (json!({"Avg Output Tokens": "many"}), ["Avg Output Tokens", "many", "a number above 0"]),
    ] {
        folder.write("r.json", with(&written("llama-a100.json"), &members).to_string());
        build(&folder, "r.json", &FACTS, &[]).failed(1, "finding").found(&parts);
    }
    folder.write("r.json", written("llama-a100.json").to_string());
    let asked = build(&folder, "r.json", &[], &["--all-findings"]).failed(1, "nothing was written");
    for name in ["task", "precision", "measurement_window"] {
        assert!(asked.err.contains(&format!("--fact {name}=")), "{name}: {}", asked.err);
    }
}
