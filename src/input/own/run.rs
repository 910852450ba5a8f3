//! The energy of a run of a serving benchmark. Few tools measure it, so it comes from the document,
//! from what the user wrote into it, or from what is given beside it.

use crate::input::own::given::Given;
use crate::input::own::row::Row;
use crate::input::reader::Reader;
use crate::measurement::check::Check;
use crate::measurement::columns::TEXT;

/// A run whose energy is to be found.
#[derive(Debug, Clone)]
pub(super) struct Run {
    /// From its first request to its last, seconds.
    pub duration_s: f64,
    /// Tokens that it made.
    pub output_tokens: f64,
    /// Its energy, joules, where the document has it.
    pub energy_joules: Option<f64>,
}

/// Columns of which one gives the others, with the throughput.
pub(super) const OF_ENERGY: [&str; 2] = ["joules_per_output_token", "power_watts"];

/// Fills in the figures that follow from the energy of a row's run. What is given by the name of a
/// column counts instead. False where the energy is nowhere, which is reported.
pub(super) fn fill_in(reader: &mut Reader<'_, '_>, _given: &Given, row: &mut Row) -> bool {
    let Some(run) = row.run.take() else { return true };
    row.put(&TEXT, "tokens_per_second", Some(run.output_tokens / run.duration_s));
    if OF_ENERGY.into_iter().any(|name| row.get(&TEXT, name).is_some()) {
        return true;
    }
    let Some(joules) = run.energy_joules else {
        let expected = "the joules of the run: put energy_joules into the file, or give --fact \
                        power_watts=W";
        reader.add(Check::MissingField, row.place_of("energy_joules"), "nothing", expected);
        return false;
    };
    row.put(&TEXT, "power_watts", Some(joules / run.duration_s));
    row.put(&TEXT, "joules_per_output_token", Some(joules / run.output_tokens));
    true
}
