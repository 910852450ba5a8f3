//! Measurements of the user's own, beside the published ones.
//!
//! [`given`] is what the user says where no file does. A [`row`] is what a file says of one
//! configuration, and a [`completion`] adds what is given, what the built-in data knows of a model,
//! and what follows from other figures; it then checks the row as any other. Each kind of file has a
//! room of its own: [`table`] for a plain table, [`benchmark`] for the results of the ML.ENERGY benchmark,
//! [`serving`] for those of other serving benchmarks, with the energy of each [`run`], from a log of
//! [`power`] where no other names it. [`flat`] reads objects of
//! a result or a row, and [`said`] is what a file says in the database's own names.

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
