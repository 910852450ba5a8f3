//! The lines that SGLang's `bench_serving --output-file` appends for each run. Times are in milliseconds.
//! Newer versions add the facts of the server.

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
    name: "sglang-bench",
    called: "a result of SGLang's bench_serving",
    holds: Holds::Own,
    may_be_unstable: false,
    may_repeat: true,
    has_tasks: false,
    is: |survey: &Survey| {
        let names = ["duration", "output_throughput", "total_output_tokens_retokenized"];
        names.into_iter().all(|name| survey.member(name))
    },
    read: |reader, text, document| results::read(reader, text, document, &TOOL),
};

const TOOL: Tool = Tool {
    row,
    say,
    failed: "failed",
    taken: "every result",
    keeps_percentiles: "a newer version of SGLang writes p90, p95 and p99",
};

fn row(reader: &mut Reader<'_, '_>, result: &Flat, _: &Given, row: &mut Row) -> bool {
    let Some(run) = totals::run(reader, result, row) else { return false };
    let of_server = |name: &str| result.number(&format!("server_info/{name}"));
    let path = result.text("server_info/model_path").filter(|path| is_id(path));
    let id = path.filter(|_| !row.names.contains_key("model"));
    row.put_name("hugging_face_id", id);
    let is_queue = totals::limit(result, of_server("max_running_requests"), row);
    let completed = result.number("completed");
    let of_each = |total: &str| Some(result.number(total)? / completed?);
    let mut put = |name: &str, figure: Option<f64>| row.put(&TEXT, name, figure);
    put("requests", completed);
    put("avg_input_tokens", of_each("total_input_tokens"));
    put("avg_output_tokens", of_each("total_output_tokens"));
    // The sum of all latencies over the duration.
    put("avg_running_batch", result.number("concurrency").filter(|_| !is_queue));
    let (tensor, experts) = (of_server("tp_size"), of_server("ep_size"));
    let (data, stages) = (of_server("dp_size").unwrap_or(1.0), of_server("pp_size").unwrap_or(1.0));
    // Attention that runs in data parallel shares the GPUs of the tensors.
    let is_shared = result.text("server_info/enable_dp_attention") == Some("true");
    let copies = if is_shared { 1.0 } else { data };
    put("num_gpus", tensor.map(|tensor| tensor * stages * copies));
    put("data_parallel", tensor.map(|_| data));
    put("expert_parallel", experts);
    // As in the published data, an expert's weights are not split again.
    let has_experts = experts.is_some_and(|experts| experts > 1.0);
    put("tensor_parallel", if has_experts { Some(1.0) } else { tensor });
    row.run = Some(run);
    true
}

/// Whether a path of a model is its name on Hugging Face.
fn is_id(path: &str) -> bool {
    let parts: Vec<_> = path.split('/').collect();
    parts.len() == 2 && !parts[0].is_empty() && !path.starts_with(['.', '~'])
}

fn say(result: &Flat, name: &str) -> Option<String> {
    match name {
        "measurement_window" => Some("whole-run".into()),
        "itl_kind" => Some("per-chunk".into()),
        "runtime" => result.text("backend")?.starts_with("sglang").then(|| "SGLang".into()),
        "runtime_version" => result.text("server_info/version").map(str::to_owned),
        "measured_on" => totals::measured_on(result),
        _ => None,
    }
}
