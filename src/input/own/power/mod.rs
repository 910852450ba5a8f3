//! The energy of a run from a separate power log.
//!
//! A log contains [`samples`] of the power of each GPU, or the energy of [`windows`] that Zeus measured. A
//! [`moment`] is a time on the clock of a log or a result.

pub mod moment;
mod samples;
mod windows;

use std::path::Path;

use anyhow::{Result, bail};

use self::moment::Moment;
use self::samples::Samples;
use self::windows::Windows;
use crate::error::usage;
use crate::hash::sha256;
use crate::text::{counted, printable};

/// The largest share of a run by which its window may be uncertain.
const MOST_UNCERTAIN: f64 = 0.02;

/// A power log, and how to read it.
#[derive(Debug)]
pub struct Power {
    /// What messages call the log.
    pub shown: String,
    /// Which file it is.
    pub origin: Origin,
    log: Log,
    options: Options,
}

/// Which file a log is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its name, without folders.
    pub name: String,
    /// Of its bytes.
    pub sha256: String,
}

/// How a log is to be read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The GPUs of the run, where the log has more.
    pub gpus: Vec<u32>,
    /// Seconds that local time is ahead of UTC.
    pub utc_offset_s: Option<i64>,
    /// The name of the run's window in a log of Zeus.
    pub window: Option<String>,
}

#[derive(Debug)]
enum Log {
    Samples(Samples),
    Windows(Windows),
}

/// The time of a run.
#[derive(Debug, Clone, Copy)]
pub struct Time {
    /// When it ended, as far as its result says.
    pub end: Option<Moment>,
    /// By how much that may be wrong, seconds.
    pub uncertainty_s: f64,
    /// How long it took, seconds.
    pub duration_s: f64,
}

/// What a log says of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Energy {
    /// Joules of all its GPUs.
    pub joules: f64,
    /// By how much its window may be wrong, as a share of its duration.
    pub uncertainty: f64,
}

/// Why the energy of a run cannot be taken from a log: what was found and what was expected.
pub type Refusal = (String, String);

impl Power {
    /// Reads a log.
    ///
    /// # Errors
    /// When its kind is unknown, a line is broken, or an option is for another kind.
    pub fn read(path: &Path, bytes: &[u8], options: Options) -> Result<Self> {
        let shown = printable(&path.display().to_string());
        let log = match (Windows::read(bytes), &options.window) {
            (Some(windows), Some(_)) => Log::Windows(windows?),
            (Some(_), None) => {
                return Err(usage(
                    "it is a ZeusMonitor log; name the window of the run with --window NAME",
                ));
            }
            (None, Some(_)) => bail!("--window is for a ZeusMonitor log, but this is not one"),
            (None, None) => Log::Samples(Samples::read(bytes)?),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let origin = Origin { name, sha256: sha256(bytes)? };
        Ok(Self { shown, origin, log, options })
    }

    /// The energy of a run on this many GPUs.
    ///
    /// # Errors
    /// When the log does not determine it with enough certainty.
    pub fn energy(&self, time: Time, gpus: u32) -> Result<Energy, Refusal> {
        match &self.log {
            Log::Windows(windows) => windows.energy(&self.options, time, gpus),
            Log::Samples(samples) => samples.energy(&self.options, time, gpus),
        }
    }
}

/// The GPUs of a run among those of a log.
fn chosen(options: &Options, of_log: &[u32], gpus: u32) -> Result<Vec<u32>, Refusal> {
    let list = |gpus: &[u32]| gpus.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let found = |gpus: &[u32]| format!("GPU {}", list(gpus));
    if let Some(missing) = options.gpus.iter().find(|gpu| !of_log.contains(gpu)) {
        return Err((found(of_log), format!("GPU {missing}, which --gpu-index selects")));
    }
    let chosen = if options.gpus.is_empty() { of_log } else { &options.gpus };
    if chosen.len() < gpus as usize {
        return Err((found(chosen), format!("the {} of the run", counted(gpus.into(), "GPU"))));
    }
    if chosen.len() > gpus as usize {
        let expected = format!(
            "only the {} of the run, as with --gpu-index {}",
            counted(gpus.into(), "GPU"),
            list(&(0..gpus).collect::<Vec<_>>())
        );
        return Err((found(chosen), expected));
    }
    Ok(chosen.to_vec())
}

/// Refuses a window that is too uncertain.
pub(super) fn certain(joules: f64, uncertainty: f64) -> Result<Energy, Refusal> {
    if uncertainty > MOST_UNCERTAIN {
        return Err((
            format!("a window that is uncertain by {:.1} % of the run", 100.0 * uncertainty),
            format!("at most {} %: measure a longer run", 100.0 * MOST_UNCERTAIN),
        ));
    }
    Ok(Energy { joules, uncertainty })
}
