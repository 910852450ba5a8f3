//! Checked records, as they are stored: a measured configuration, and a histogram of output lengths.

use crate::measurement::columns::Values;

/// One measured way to serve a model. Models, GPUs and precisions are numbered by
/// [`crate::input::identities::Identities`], from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Configuration {
    /// Number of the model.
    pub model: u32,
    /// Number of the type of GPU.
    pub gpu: u32,
    /// Number of the weights' precision.
    pub precision: u32,
    /// The settings and what was measured, as received: a value for each column of the table.
    pub values: Values,
    /// Place in the document: index into its `configurations`, from 0.
    pub position: u32,
}

/// How many requests had an output of which length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Histogram {
    /// The edges of the bins, tokens, ascending: one more than there are bins.
    pub edges: Vec<f64>,
    /// Requests in each bin.
    pub counts: Vec<u32>,
}

impl Histogram {
    /// Requests in all bins.
    pub fn requests(&self) -> u64 {
        self.counts.iter().copied().map(u64::from).sum()
    }
}
