//! Logs of ZeusMonitor: the energy of each GPU in named windows. Its times are on a separate clock, so a
//! window is found by its name.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use super::{Energy, Options, Refusal, Time, certain, chosen};
use crate::input::number;

/// How such a log begins.
const HEADER: &str = "start_time,window_name,elapsed_time,gpu";
/// Windows that a message names.
const MOST_NAMES: usize = 10;

/// A log.
#[derive(Debug)]
pub(super) struct Windows {
    /// The GPUs in the order of their columns.
    gpus: Vec<u32>,
    all: Vec<Window>,
    /// Whether a run has a window already.
    is_taken: AtomicBool,
}

#[derive(Debug)]
struct Window {
    name: String,
    elapsed_s: f64,
    /// Joules of each GPU.
    joules: Vec<f64>,
}

impl Windows {
    /// Reads a log, or `None` if it is not one of Zeus.
    pub fn read(bytes: &[u8]) -> Option<Result<Self>> {
        bytes.starts_with(HEADER.as_bytes()).then(|| read(bytes))
    }

    /// The energy of the window that was named.
    pub fn energy(&self, options: &Options, time: Time, gpus: u32) -> Result<Energy, Refusal> {
        let name = options.window.as_deref().unwrap_or_default();
        let mut named = self.all.iter().filter(|window| window.name == name);
        let window = match (named.next(), named.count()) {
            (Some(window), 0) => window,
            (None, _) => {
                let names: BTreeSet<_> = self.all.iter().map(|window| &*window.name).collect();
                let names: Vec<_> = names.into_iter().take(MOST_NAMES).collect();
                let expected = format!("one of the windows {}", names.join(", "));
                return Err((format!("no window '{name}'"), expected));
            }
            (Some(_), more) => {
                return Err((format!("{} windows '{name}'", more + 1), "only one".into()));
            }
        };
        if self.is_taken.swap(true, Ordering::Relaxed) {
            let found = "a second run".into();
            return Err((
                found,
                format!("one run in the window '{name}': build each run separately"),
            ));
        }
        let mut joules = 0.0;
        for gpu in chosen(options, &self.gpus, gpus)? {
            let at = self.gpus.iter().position(|of| *of == gpu).unwrap_or_default();
            joules += window.joules[at];
        }
        certain(joules, (window.elapsed_s / time.duration_s - 1.0).abs())
    }
}

fn read(bytes: &[u8]) -> Result<Windows> {
    let mut csv = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let gpu = |name: &str| name.strip_prefix("gpu")?.strip_suffix("_energy")?.parse().ok();
    let gpus = csv.headers()?.iter().skip(3).map(gpu).collect::<Option<Vec<u32>>>();
    let gpus = gpus.context("its columns behind elapsed_time are not gpu0_energy and so on")?;
    let mut all = Vec::new();
    for record in csv.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        let figures = record.iter().skip(2).map(|text| {
            let figure = text.parse().ok().and_then(number::above_zero);
            figure
                .with_context(|| format!("line {line}: found '{text}', expected a number above 0"))
        });
        let figures = figures.collect::<Result<Vec<_>>>()?;
        let [elapsed_s, joules @ ..] = &figures[..] else { continue };
        all.push(Window {
            name: record[1].to_owned(),
            elapsed_s: *elapsed_s,
            joules: joules.to_vec(),
        });
    }
    Ok(Windows { gpus, all, is_taken: AtomicBool::new(false) })
}
