//! The results of `vllm bench serve --save-result`, also with `--append-result`, and with the members that
//! `vllm bench sweep serve` adds. Times are in milliseconds. The date is in local time, taken after the run.

use crate::input::kind::{DocumentKind, Holds, Survey};
use crate::input::own::flat::Flat;
use crate::input::own::given::Given;
use crate::input::own::row::Row;
use crate::input::own::serving::results::{self, Tool};
use crate::input::own::serving::totals;
use crate::input::reader::Reader;
use crate::measurement::columns::TEXT;

/// This kind of document.
pub(in crate::input) static KIND: DocumentKind = DocumentKind {
    name: "vllm-bench",
    called: "a result of vllm bench serve",
    holds: Holds::Own,
    may_be_unstable: false,
    may_repeat: true,
    has_tasks: false,
    is: |survey: &Survey| {
        let names = ["tokenizer_id", "duration", "total_output_tokens", "output_throughput"];
        names.into_iter().all(|name| survey.member(name))
    },
    read: |reader, text, document| results::read(reader, text, document, &TOOL),
};

const TOOL: Tool = Tool {
    row,
    say,
    failed: "failed",
    taken: "every result",
    keeps_percentiles: "run the benchmark with --metric-percentiles 50,90,95,99 to keep them",
};

fn row(reader: &mut Reader<'_, '_>, result: &Flat, _: &Given, row: &mut Row) -> bool {
    let Some(run) = totals::run(reader, result, row) else { return false };
    let id = result.text("model_id").filter(|_| !row.names.contains_key("model"));
    row.put_name("hugging_face_id", id);
    let completed = result.number("completed");
    let of_each = |total: &str| Some(result.number(total)? / completed?);
    let of_server = row.get(&TEXT, "max_num_seqs");
    let is_queue = totals::limit(result, of_server, row);
    // Little's law. If requests waited in the server, this would count them too, not only those that ran.
    let in_flight = || {
        let seconds = result.number("mean_e2el_ms").filter(|_| !is_queue)? / 1000.0;
        Some(seconds * completed? / run.time.duration_s)
    };
    let mut put = |name: &str, figure: Option<f64>| row.put(&TEXT, name, figure);
    put("requests", completed);
    put("avg_input_tokens", of_each("total_input_tokens"));
    put("avg_output_tokens", of_each("total_output_tokens"));
    put("avg_running_batch", in_flight());
    put("median_itl_ms", result.number("p50_itl_ms"));
    degrees(result, row);
    row.run = Some(run);
    true
}

/// The degrees of parallelism, which a sweep names as the server does.
fn degrees(result: &Flat, row: &mut Row) {
    let tensor = result.number("tensor_parallel_size");
    let data = result.number("data_parallel_size");
    let experts = if result.text("enable_expert_parallel") == Some("true") {
        Some(tensor.unwrap_or(1.0) * data.unwrap_or(1.0))
    } else {
        None
    };
    // As published data has it, an expert's weights are not split again.
    row.put(&TEXT, "tensor_parallel", experts.map(|_| 1.0).or(tensor));
    row.put(&TEXT, "data_parallel", data);
    row.put(&TEXT, "expert_parallel", experts);
}

fn say(result: &Flat, name: &str) -> Option<String> {
    match name {
        "measurement_window" => Some("whole-run".into()),
        "itl_kind" => Some("per-chunk".into()),
        "runtime" => (result.text("backend") == Some("vllm")).then(|| "vLLM".into()),
        "measured_on" => totals::measured_on(result),
        _ => None,
    }
}
