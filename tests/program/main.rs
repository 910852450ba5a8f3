//! Tests of the program and its library, linked once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot go on has failed"
)]

mod common;
#[path = "../../benches/generator/mod.rs"]
mod generator;
mod reference;

mod build;
mod checkout;
mod choice;
mod dates;
mod dictionary;
mod diff;
mod export;
mod fuzz;
mod generated_documents;
mod integrity;
mod interrupted;
mod leaderboard;
mod mutations;
mod own;
mod package;
mod page;
mod races;
mod refusals;
mod reproducible;
mod round_trip;
mod schema;
mod serving;
mod shell;
mod sqlite_shell;
mod terminal;
mod toolkit;
mod untrusted;
mod workloads;
