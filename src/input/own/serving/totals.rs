//! The totals of a run, which vLLM and SGLang write under the same names.

use crate::date;
use crate::input::own::flat::Flat;
use crate::input::own::power::Time;
use crate::input::own::power::moment::{self, Clock};
use crate::input::own::row::Row;
use crate::input::own::run::Run;
use crate::input::reader::Reader;
use crate::measurement::check::Check;
use crate::measurement::columns::TEXT;

/// The date has whole seconds.
const RESOLUTION_S: f64 = 1.0;
/// How far the throughput may be from what follows from tokens and duration.
const TOLERANCE: f64 = 0.01;

/// The run whose energy is to be found, or `None` if it served nothing.
pub(super) fn run(reader: &mut Reader<'_, '_>, result: &Flat, row: &Row) -> Option<Run> {
    let mut needed = |name| result.needed(reader, row, name);
    let [duration_s, output_tokens, throughput] =
        ["duration", "total_output_tokens", "output_throughput"].map(&mut needed);
    let (duration_s, output_tokens, throughput) = (duration_s?, output_tokens?, throughput?);
    let energy_joules = match result.text("energy_joules") {
        Some(_) => Some(needed("energy_joules")?),
        None => None,
    };
    let expected = output_tokens / duration_s;
    if (throughput / expected - 1.0).abs() > TOLERANCE {
        let name = "output_throughput";
        let expected = format!("total_output_tokens / duration, {expected:.1} tokens/s");
        reader.add(Check::NumberRange, row.place_of(name), throughput.to_string(), expected);
        return None;
    }
    let end = result.text("date").and_then(|date| moment::read(date, Clock::Local));
    let time = Time { end, uncertainty_s: RESOLUTION_S, duration_s };
    Some(Run { time, output_tokens, energy_joules })
}

/// Fills in the limit on requests in flight: that of the client or of the server, whichever is lower.
/// Returns whether the client allows more.
pub(super) fn limit(result: &Flat, of_server: Option<f64>, row: &mut Row) -> bool {
    let Some(of_client) = result.number("max_concurrency") else { return false };
    let of_server = of_server.unwrap_or(of_client);
    row.values[TEXT.at("max_num_seqs")] = of_client.min(of_server);
    of_client > of_server
}

/// The day on which the run ended, where it is said.
pub(super) fn measured_on(result: &Flat) -> Option<String> {
    date::of_time(result.text("date")?)
}
