//! energydb builds one SQLite file from published measurements of the energy of LLM inference. The file
//! answers, in any SQL client, which configuration of a model on a GPU uses the least energy within a
//! latency deadline.
//!
//! Data moves one way. [`input`] reads documents into checked records of [`measurement`]s, and [`database`]
//! loads them into tables with views. [`catalogue`] contains the named queries, and [`output`] writes their
//! answers. [`diff`] compares two databases. [`command`] has one file for each command.

pub mod catalogue;
pub mod cli;
pub mod command;
pub mod database;
pub mod date;
pub mod diff;
pub mod embedded;
pub mod error;
pub mod hash;
pub mod input;
pub mod manifest;
pub mod measurement;
pub mod output;
pub mod page;
mod panics;
#[cfg(feature = "parquet")]
mod parquet_text;
#[cfg(not(feature = "parquet"))]
#[path = "parquet_text/absent.rs"]
mod parquet_text;
pub mod platform;
pub mod progress;
pub mod release;
pub mod replace;
pub mod signal;
pub mod slug;
pub mod text;
