//! The energy of a run of a serving benchmark. Few tools measure it. It comes from the document, from a value
//! that the user added to the document, or from a power log.

use crate::input::own::given::Given;
use crate::input::own::power::{Energy, Power, Time};
use crate::input::own::row::Row;
use crate::input::reader::Reader;
use crate::measurement::check::{Check, NOTHING};
use crate::measurement::columns::TEXT;

/// A run whose energy is to be found.
#[derive(Debug, Clone)]
pub(super) struct Run {
    /// From its first request to its last.
    pub time: Time,
    /// Tokens that it made.
    pub output_tokens: f64,
    /// Its energy, joules, where the document has it.
    pub energy_joules: Option<f64>,
}

/// Columns of which one gives the others, with the throughput.
pub(super) const OF_ENERGY: [&str; 2] = ["joules_per_output_token", "power_watts"];

/// Where the energy of a run is from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum From {
    /// The document, or a fact.
    Document,
    /// The log of power, which has the energy of GPUs alone.
    Log,
    /// It is missing or uncertain, and a finding was reported.
    Nowhere,
}

/// Fills in the figures that follow from the energy of a row's run. A given value of a column takes
/// precedence.
pub(super) fn fill_in(reader: &mut Reader<'_, '_>, given: &Given, row: &mut Row) -> From {
    let Some(run) = row.run.take() else { return From::Document };
    let duration_s = run.time.duration_s;
    row.put(&TEXT, "tokens_per_second", Some(run.output_tokens / duration_s));
    if OF_ENERGY.into_iter().any(|name| row.get(&TEXT, name).is_some()) {
        return From::Document;
    }
    let (joules, from) = match (run.energy_joules, &given.power) {
        (Some(joules), _) => (joules, From::Document),
        (None, Some(power)) => match of_log(reader, power, run.time, row) {
            Some(joules) => (joules, From::Log),
            None => return From::Nowhere,
        },
        (None, None) => {
            let expected = "put the energy of the run into the file, or give --power-log FILE";
            reader.add(Check::MissingField, row.place_of("energy_joules"), NOTHING, expected);
            return From::Nowhere;
        }
    };
    row.put(&TEXT, "power_watts", Some(joules / duration_s));
    row.put(&TEXT, "joules_per_output_token", Some(joules / run.output_tokens));
    from
}

/// The joules of a run in a log. `None` if the log does not determine them, which is reported, or if the
/// number of GPUs is not known yet.
fn of_log(reader: &mut Reader<'_, '_>, power: &Power, time: Time, row: &mut Row) -> Option<f64> {
    let gpus = row.get(&TEXT, "num_gpus")?;
    match power.energy(time, gpus as u32) {
        Ok(Energy { joules, uncertainty }) => {
            row.put(&TEXT, "window_uncertainty_percent", Some(100.0 * uncertainty));
            Some(joules)
        }
        Err((found, expected)) => {
            let place = row.place_of(&format!("--power-log {}", power.shown));
            reader.add(Check::PowerLog, place, found, expected);
            None
        }
    }
}
