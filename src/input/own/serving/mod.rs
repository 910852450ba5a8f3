//! Results of serving benchmarks other than ML.ENERGY's. Each tool has its own module, which says how its
//! documents are recognised and what its names mean.
//!
//! All tools write objects, and [`results`] reads one or several of them. Members with energydb's own column
//! names count as in a table, so a user can add facts to a result.

pub(in crate::input) mod aiperf;
pub(in crate::input) mod inferencex;
pub(in crate::input) mod previous;
mod results;
pub(in crate::input) mod sglang;
mod totals;
pub(in crate::input) mod vllm;
