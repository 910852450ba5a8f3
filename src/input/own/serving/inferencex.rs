//! The aggregated results of InferenceX, with one row for each run. Times are in seconds, and throughput is
//! per GPU. Only energy that InferenceX measured and marked as valid is read, not energy that it derives from
//! the provisioned power of a machine. Runs that separate prefill and decode on several nodes are left out.

use crate::input::kind::{DocumentKind, Holds, Survey};
use crate::input::own::flat::Flat;
use crate::input::own::given::Given;
use crate::input::own::row::Row;
use crate::input::own::serving::results::{self, Tool};
use crate::input::reader::Reader;
use crate::measurement::check::Check;
use crate::measurement::columns::TEXT;

/// This kind of document.
pub(in crate::input) static KIND: DocumentKind = DocumentKind {
    name: "inferencex",
    called: "aggregated results of InferenceX",
    holds: Holds::Own,
    may_be_unstable: false,
    may_repeat: false,
    has_tasks: false,
    is: |survey: &Survey| {
        let names = ["infmax_model_prefix", "output_tput_per_gpu"];
        names.into_iter().all(|name| survey.member(name) || survey.field(name))
    },
    read: |reader, text, document| results::read(reader, text, document, &TOOL),
};

const TOOL: Tool = Tool {
    row,
    say,
    failed: "failed",
    taken: "runs on one node with power_valid 1 of power_metric_schema_version 2",
    keeps_percentiles: "InferenceX does not keep all",
};

/// How much power may differ from energy times throughput, because their windows differ slightly.
const TOLERANCE: f64 = 0.05;

fn row(reader: &mut Reader<'_, '_>, result: &Flat, _: &Given, row: &mut Row) -> bool {
    let is = |name: &str, value: f64| result.number(name) == Some(value);
    let is_parted = |name: &str| result.text(name) == Some("true");
    if !is("power_valid", 1.0)
        || !is("power_metric_schema_version", 2.0)
        || is_parted("is_multinode")
        || is_parted("disagg")
    {
        return false;
    }
    let mut needed = |name| result.needed(reader, row, name);
    let names = ["tp", "output_tput_per_gpu", "joules_per_output_token", "avg_total_gpu_power_w"];
    let [tensor, throughput, joules, power] = names.map(&mut needed);
    let (Some(tensor), Some(throughput)) = (tensor, throughput) else { return false };
    let (Some(joules), Some(power)) = (joules, power) else { return false };
    let or_one = |name: &str| result.number(name).unwrap_or(1.0);
    let num_gpus = tensor * or_one("pp") * or_one("pcp_size");
    let tokens_per_second = throughput * num_gpus;
    let expected = joules * tokens_per_second;
    if (power / expected - 1.0).abs() > TOLERANCE {
        let name = "avg_total_gpu_power_w";
        let expected =
            format!("joules_per_output_token * output_tput_per_gpu * GPUs, {expected:.1} W");
        reader.add(Check::NumberRange, row.place_of(name), power.to_string(), expected);
        return false;
    }
    row.put_name("gpu", result.text("hw").map(str::to_uppercase));
    let per_query = result.number("joules_per_successful_query");
    let of_each = |per_token: &str| Some(per_query? / result.number(per_token)?);
    let output_tokens = of_each("joules_per_output_token");
    // Little's law.
    let in_flight = || Some(result.number("mean_e2el")? * tokens_per_second / output_tokens?);
    let ms = |name: &str| Some(1000.0 * result.number(name)?);
    let experts = result.number("ep").filter(|experts| *experts > 1.0);
    let is_spread = result.text("dp_attention") == Some("true");
    let mut put = |name: &str, figure: Option<f64>| row.put(&TEXT, name, figure);
    put("num_gpus", Some(num_gpus));
    // As published data has it, what is spread is not split again.
    put("tensor_parallel", Some(if experts.is_some() || is_spread { 1.0 } else { tensor }));
    put("data_parallel", Some(if is_spread { tensor } else { 1.0 }));
    put("expert_parallel", Some(experts.unwrap_or(1.0)));
    put("max_num_seqs", result.number("conc"));
    put("avg_running_batch", in_flight());
    put("tokens_per_second", Some(tokens_per_second));
    put("power_watts", Some(expected));
    put("joules_per_request", per_query);
    put("avg_input_tokens", of_each("joules_per_input_token"));
    put("avg_output_tokens", output_tokens);
    put("median_itl_ms", ms("median_itl"));
    put("p90_itl_ms", ms("p90_itl"));
    put("p95_itl_ms", ms("p95_itl"));
    put("p99_itl_ms", ms("p99_itl"));
    put("median_ttft_ms", ms("median_ttft"));
    put("p99_ttft_ms", ms("p99_ttft"));
    put("mean_tpot_ms", ms("mean_tpot"));
    true
}

fn say(result: &Flat, name: &str) -> Option<String> {
    match name {
        "workload" => {
            let (input, output) = (result.text("isl")?, result.text("osl")?);
            Some(format!("random requests of {input} input and {output} output tokens"))
        }
        "energy_boundary" => Some("gpu".into()),
        "measurement_window" => Some("whole-run".into()),
        "itl_kind" => Some("per-chunk".into()),
        "runtime" => Some(match result.text("framework")? {
            "vllm" => "vLLM".into(),
            "sglang" => "SGLang".into(),
            other => other.to_owned(),
        }),
        _ => None,
    }
}
