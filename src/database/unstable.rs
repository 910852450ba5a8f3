//! Own runs that were not steady. Each run of the ML.ENERGY benchmark has its own check. If a run is not
//! steady, all runs of the series at higher limits count as unstable too, because a server that is full
//! stays full under more load.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

/// What the runs of a series have in common: task, source, model, GPU and number of GPUs.
pub(super) type Series = [u32; 5];

/// The runs of own series, as they are loaded.
#[derive(Debug, Default)]
pub(super) struct Runs {
    of_series: BTreeMap<Series, Vec<Run>>,
}

#[derive(Debug)]
struct Run {
    configuration: u32,
    max_num_seqs: u32,
    reason: Option<String>,
}

impl Runs {
    /// Adds a run, and why it is unstable by itself, if it is.
    pub fn add(
        &mut self,
        series: Series,
        configuration: u32,
        max_num_seqs: u32,
        reason: Option<String>,
    ) {
        let run = Run { configuration, max_num_seqs, reason };
        self.of_series.entry(series).or_default().push(run);
    }

    /// Stores the unstable ones with their reasons.
    pub fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut insert = connection.prepare(
            "insert into unstable_configurations (configuration_id, reason) values (?1, ?2)",
        )?;
        for runs in self.of_series.values() {
            let unstable = runs.iter().filter(|run| run.reason.is_some());
            let Some(lowest) = unstable.map(|run| run.max_num_seqs).min() else { continue };
            for run in runs.iter().filter(|run| run.max_num_seqs >= lowest) {
                let follows = || format!("the run at the lower limit {lowest} is unstable");
                let reason = run.reason.clone().unwrap_or_else(follows);
                insert.execute(params![run.configuration, reason])?;
            }
        }
        Ok(())
    }
}
