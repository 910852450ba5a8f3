//! `energydb migrate`: bring a database of an older schema to the newest.

use std::io::Write;

use anyhow::Result;

use super::DONE;
use crate::cli::{Global, Migrate};
use crate::database::migrate::{Migrated, migrate};
use crate::output::terminal;
use crate::signal::Signals;

pub(super) fn run(arguments: &Migrate, global: &Global, signals: &Signals) -> Result<u8> {
    let shown = arguments.file.display().to_string();
    let Migrated { from, to, done } = migrate(&arguments.file, signals)?;
    let Some(done) = done else {
        if !global.quiet {
            terminal::note(&format!("{shown} already has schema version {to}"));
        }
        return Ok(DONE);
    };
    if !global.quiet && !done.unknown.is_empty() {
        terminal::note(&format!(
            "null in every row, because schema version {from} did not record it: {}",
            done.unknown.join(", ")
        ));
    }
    let mut out = terminal::results();
    for (name, value) in [
        ("migrated", shown),
        ("schema", format!("version {from} to {to}")),
        ("size", format!("{} bytes", done.sealed.bytes)),
        ("sha256", done.sealed.sha256),
        ("content hash", done.content_hash),
    ] {
        writeln!(out, "{name:<15}{value}")?;
    }
    out.flush()?;
    Ok(DONE)
}
