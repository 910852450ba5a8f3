//! energydb turns published measurements of the energy of LLM inference into one SQLite file that
//! answers, in any SQL client, which configuration of a model on a GPU uses the least energy while
//! it meets a latency deadline.
//!
//! Data moves one way: [`source`] reads documents into checked [`record`]s, [`database`] loads
//! them into tables with views over them, [`catalogue`] holds the named queries, and [`output`]
//! and [`precision`] write what they answer. [`diff`] compares two databases. [`command`] has one
//! file for each command.

pub mod catalogue;
pub mod check;
pub mod cli;
pub mod command;
pub mod database;
pub mod diff;
pub mod embedded;
pub mod error;
pub mod hex;
pub mod manifest;
pub mod output;
pub mod precision;
pub mod record;
pub mod release;
pub mod signal;
pub mod slug;
pub mod source;
pub mod text;
