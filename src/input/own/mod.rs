//! Measurements of the user's own, beside the published ones.
//!
//! - A [`row`] is one configuration as its file has it. [`given`] has the facts that the user adds.
//! - A [`completion`] fills in what the row lacks: given facts, facts of a model in the built-in data, and
//!   figures that follow from others. Then it checks the row like any other.
//! - Each kind of file has its own module: [`table`] for a plain table, [`benchmark`] for results of the
//!   ML.ENERGY benchmark, and [`serving`] for results of other serving benchmarks.
//! - [`run`] finds the energy of a run, if necessary from a log of [`power`].
//! - [`flat`] reads the objects of a result or a row, and [`said`] reads values in the database's own names.

pub(super) mod benchmark;
mod completion;
mod flat;
pub mod given;
pub mod power;
pub mod row;
mod run;
mod said;
pub(super) mod serving;
pub(super) mod table;
