//! Text files of the leaderboard's version 2, one for each configuration. Times are in seconds. They have the
//! mean time per output token instead of the gaps between tokens.

use crate::input::gpu_reference::of_driver;
use crate::input::kind::{DocumentKind, Holds, Survey};
use crate::input::own::flat::Flat;
use crate::input::own::given::Given;
use crate::input::own::row::Row;
use crate::input::own::serving::results::{self, Tool};
use crate::input::reader::Reader;
use crate::measurement::columns::TEXT;

/// This kind of document.
pub(in crate::input) static KIND: DocumentKind = DocumentKind {
    name: "leaderboard-v2",
    called: "a configuration of the leaderboard's version 2",
    holds: Holds::Own,
    may_be_unstable: false,
    may_repeat: false,
    has_tasks: false,
    is: |survey: &Survey| NEEDED.into_iter().all(|name| survey.member(name)),
    read: |reader, text, document| results::read(reader, text, document, &TOOL),
};

const TOOL: Tool = Tool {
    row,
    say,
    failed: "failed",
    taken: "every result",
    keeps_percentiles: "version 2 has the mean time per output token alone",
};

/// Members that every file has, each a number above 0.
const NEEDED: [&str; 8] = [
    "TP",
    "PP",
    "Energy/req (J)",
    "Avg TPOT (s)",
    "Token tput (tok/s)",
    "Avg Output Tokens",
    "Avg BS (reqs)",
    "Max BS (reqs)",
];

fn row(reader: &mut Reader<'_, '_>, result: &Flat, _: &Given, row: &mut Row) -> bool {
    let numbers = NEEDED.map(|name| result.needed(reader, row, name).unwrap_or_default());
    let [tensor, stages, per_request, tpot_s, throughput, output_tokens, load, limit] = numbers;
    if numbers.contains(&0.0) {
        return false;
    }
    row.put_name("hugging_face_id", result.text("Model"));
    row.put_name("gpu", result.text("GPU").map(of_driver));
    let joules = per_request / output_tokens;
    for (name, figure) in [
        ("num_gpus", tensor * stages),
        ("tensor_parallel", tensor),
        ("data_parallel", 1.0),
        ("expert_parallel", 1.0),
        ("max_num_seqs", limit),
        ("avg_running_batch", load),
        ("tokens_per_second", throughput),
        ("power_watts", joules * throughput),
        ("joules_per_output_token", joules),
        ("joules_per_request", per_request),
        ("mean_tpot_ms", 1000.0 * tpot_s),
        ("avg_output_tokens", output_tokens),
    ] {
        row.put(&TEXT, name, Some(figure));
    }
    true
}

fn say(_: &Flat, name: &str) -> Option<String> {
    match name {
        "energy_boundary" => Some("gpu".into()),
        "runtime" => Some("vLLM".into()),
        _ => None,
    }
}
