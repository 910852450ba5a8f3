//! The result of reading: rows and findings in batches while documents are read, and other facts of the
//! documents at the end.

use crate::input::bytes::Received;
use crate::input::findings::Findings;
use crate::input::identities::Identities;
use crate::input::own::power::Origin;
use crate::measurement::check::Finding;
use crate::measurement::method::Method;
use crate::measurement::record::{Configuration, Histogram};

/// Rows handed on at a time.
const BATCH: usize = 512;
/// Histograms handed on at a time, which are many times as large.
const BATCH_OF_LENGTHS: usize = 32;

/// Some of what a document contains, in its order.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// Which document: an index into the documents read.
    pub document: usize,
    /// Its next configurations, each with the lengths of its outputs where the document has them.
    pub rows: Vec<(Configuration, Option<Box<Histogram>>)>,
    /// The lengths of all outputs of a model.
    pub lengths: Vec<(u32, Histogram)>,
    /// Its next accepted findings.
    pub accepted: Vec<Finding>,
    /// Why configurations of it are unstable, by their position.
    pub unstable: Vec<(u32, String)>,
}

/// Where batches go, in the order of the documents; false when nobody takes them any more.
pub type Take<'t> = dyn FnMut(Batch) -> bool + 't;

/// A document as it was read.
#[derive(Debug)]
pub struct ReadDocument {
    /// Its bytes.
    pub received: Received,
    /// What is beside its configurations.
    pub head: Head,
    /// What the checks found in it.
    pub findings: Findings,
}

/// What is beside the configurations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The task's name.
    pub task: Option<String>,
    /// The task's title.
    pub display_name: Option<String>,
    /// Number of configurations read.
    pub configurations: u32,
    /// The id of the model that the document is about.
    pub hugging_face_id: Option<String>,
    /// The day on which the source compiled the data, as the index says.
    pub last_updated: Option<String>,
    /// The tasks that the index says are of the diffusion family, and those that it says are not.
    pub families: Vec<(String, bool)>,
    /// What was measured, as the user says of own measurements.
    pub workload: Option<String>,
    /// How own measurements were made.
    pub method: Method,
    /// The log that the energy of its runs is from.
    pub power_log: Option<Origin>,
    /// What the user should know of the document.
    pub notes: Vec<String>,
    /// Facts that were given for it, such as `gpu=H100`, and hold of nothing in it.
    pub idle_facts: Vec<String>,
}

/// Everything that was read, beside the rows.
#[derive(Debug, Default)]
pub struct Reading {
    /// The documents, in the order in which they were read.
    pub documents: Vec<ReadDocument>,
    /// What they name.
    pub identities: Identities,
}

/// Gathers what a document contains and hands it on.
pub(crate) struct Batches<'b> {
    take: &'b mut Take<'b>,
    batch: Batch,
    lengths: usize,
    pub(crate) is_over: bool,
}

impl<'b> Batches<'b> {
    pub(crate) fn new(document: usize, take: &'b mut Take<'b>) -> Self {
        let batch = Batch { document, ..Batch::default() };
        Self { take, batch, lengths: 0, is_over: false }
    }

    pub(crate) fn hand_on(&mut self) {
        let Batch { document, rows, .. } = &self.batch;
        let room = Vec::with_capacity(rows.len());
        let next = Batch { document: *document, rows: room, ..Batch::default() };
        let batch = std::mem::replace(&mut self.batch, next);
        self.lengths = 0;
        self.is_over = self.is_over || !(self.take)(batch);
    }

    fn hand_on_full(&mut self) {
        let Batch { rows, accepted, .. } = &self.batch;
        if rows.len() >= BATCH || accepted.len() >= BATCH || self.lengths >= BATCH_OF_LENGTHS {
            self.hand_on();
        }
    }

    /// A configuration that passed every check, or whose findings are accepted.
    pub(crate) fn row(&mut self, configuration: Configuration, lengths: Option<Histogram>) {
        self.lengths += usize::from(lengths.is_some());
        self.batch.rows.push((configuration, lengths.map(Box::new)));
        self.hand_on_full();
    }

    /// The lengths of all outputs of a model.
    pub(crate) fn lengths(&mut self, model: u32, lengths: Histogram) {
        self.batch.lengths.push((model, lengths));
    }

    /// Why the configuration at a position is unstable. It is reported before the configuration.
    pub(crate) fn unstable(&mut self, position: u32, reason: String) {
        self.batch.unstable.push((position, reason));
    }

    /// A finding that the publisher accepted.
    pub(crate) fn accepted(&mut self, finding: Finding) {
        self.batch.accepted.push(finding);
        self.hand_on_full();
    }
}
