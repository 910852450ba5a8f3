//! Results of serving benchmarks other than that of ML.ENERGY. Each tool has a file of its own, which
//! says how its documents are recognised and what its names mean.
//!
//! All write objects, of which [`results`] reads one or several in a row: what is there in energydb's own
//! names counts as in a table, so that a user may add facts to a result.

pub(in crate::input) mod aiperf;
pub(in crate::input) mod inferencex;
pub(in crate::input) mod previous;
mod results;
pub(in crate::input) mod sglang;
mod totals;
pub(in crate::input) mod vllm;
