//! `energydb build`: from documents to a database file.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OpenFlags};

use super::DONE;
use crate::cli::{Build, Global};
use crate::database::build::{Outcome, Plan, Progress, accepted, fill};
use crate::database::destination::Destination;
use crate::database::load::Release;
use crate::error::usage;
use crate::manifest::{Manifest, check_date};
use crate::output::{progress, terminal};
use crate::signal::Signals;
use crate::source::bytes;
use crate::source::document::Document;
use crate::source::findings::{shown, times};
use crate::source::read;

pub(super) fn run(arguments: &Build, global: &Global) -> Result<u8> {
    let signals = Signals::watch()?;
    // What a signal broke off looks like a fault of a file or of SQLite.
    build(arguments, global, &signals).or_else(|error| signals.check().and(Err(error)))
}

fn build(arguments: &Build, global: &Global, signals: &Signals) -> Result<u8> {
    let start = Instant::now();
    let plan = plan(arguments, signals)?;
    let outcome = if arguments.dry_run {
        let mut connection = Connection::open("").context("could not make a temporary database")?;
        fill_shown(&mut connection, &plan, global, signals)?
    } else {
        let destination = Destination::prepare(&arguments.output)?;
        let outcome = build_file(&destination, &plan, global, signals)
            .map_err(|error| explained(error, &arguments.output))?;
        signals.check()?;
        if outcome.is_sound {
            destination.replace()?;
        }
        outcome
    };
    tell(&plan, &outcome, global);
    if !outcome.is_sound {
        return Err(refusal(&outcome, arguments));
    }
    report(arguments, &plan, &outcome, start.elapsed())?;
    Ok(DONE)
}

fn plan(arguments: &Build, signals: &Signals) -> Result<Plan> {
    for date in [&arguments.data_version, &arguments.updated].into_iter().flatten() {
        check_date(date).map_err(|error| usage(error.to_string()))?;
    }
    let accept = accepted(&arguments.accept)?;
    let manifest = match &arguments.manifest {
        Some(path) => Manifest::read(path)?,
        None => Manifest::built_in()?,
    };
    let described = &manifest.release;
    let data_version = arguments.data_version.as_ref().unwrap_or(&described.data_version).clone();
    let updated = match (&arguments.updated, &arguments.data_version, &described.updated) {
        (Some(given), ..) => given.clone(),
        (None, None, Some(described)) => described.clone(),
        _ => data_version.clone(),
    };
    Ok(Plan {
        order: read::order(Document::of_inputs(&arguments.inputs, signals)?)?,
        manifest,
        release: Release { updated, data_version },
        accept,
        strict: arguments.strict,
    })
}

fn build_file(
    destination: &Destination,
    plan: &Plan,
    global: &Global,
    signals: &Signals,
) -> Result<Outcome> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(destination.beside(), flags)?;
    let outcome = fill_shown(&mut connection, plan, global, signals)?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(outcome)
}

/// Says which file SQLite could not write.
fn explained(error: anyhow::Error, output: &Path) -> anyhow::Error {
    if error.chain().any(|cause| cause.is::<rusqlite::Error>()) {
        return error.context(format!("could not write the database: {}", output.display()));
    }
    error
}

fn fill_shown(
    connection: &mut Connection,
    plan: &Plan,
    global: &Global,
    signals: &Signals,
) -> Result<Outcome> {
    let progress = Progress::default();
    let total = plan.order.documents.iter().map(|document| document.length).sum();
    let look = || (progress.bytes.load(Ordering::Relaxed), progress.rows.load(Ordering::Relaxed));
    let work = || fill(connection, plan, &progress, signals);
    progress::shown(!global.quiet, total, look, work)
}

/// Tells of findings, unknown fields and other things that the user should know.
fn tell(plan: &Plan, outcome: &Outcome, global: &Global) {
    for (document, of) in plan.order.documents.iter().zip(&outcome.documents) {
        let input = &document.shown;
        for finding in &of.findings.told {
            terminal::line(&format!("finding: {input}: {finding}"));
        }
        let untold = of.findings.count - of.findings.told.len() as u64;
        if untold > 0 {
            terminal::line(&format!("finding: {input}: and {untold} more"));
        }
        for (name, count) in &of.findings.unknown {
            terminal::line(&format!(
                "warning: {input}: unknown field \"{}\", {} (--strict refuses it)",
                shown(name),
                times(*count)
            ));
        }
    }
    if !global.quiet {
        for note in &outcome.notes {
            terminal::line(&format!("note: {note}"));
        }
    }
}

fn refusal(outcome: &Outcome, arguments: &Build) -> anyhow::Error {
    let found: Vec<_> =
        outcome.documents.iter().map(|of| of.findings.count).filter(|count| *count > 0).collect();
    let findings: u64 = found.iter().sum();
    let count = |number: u64, thing: &str| {
        if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
    };
    let kept = if arguments.dry_run {
        "this data cannot be built".into()
    } else {
        format!("nothing was written to {}", arguments.output.display())
    };
    anyhow::anyhow!(
        "{} in {}; {kept}; 'energydb checks' explains the checks",
        count(findings, "finding"),
        count(found.len() as u64, "document")
    )
}

/// Prints what was built.
fn report(arguments: &Build, plan: &Plan, outcome: &Outcome, elapsed: Duration) -> Result<()> {
    let counts = &outcome.counts;
    let mut out = terminal::results();
    let release = &plan.release;
    if arguments.dry_run {
        writeln!(out, "checked       nothing was written")?;
    } else {
        let (bytes, sha256) = measure(&arguments.output)?;
        writeln!(out, "built         {}", arguments.output.display())?;
        writeln!(out, "size          {bytes} bytes")?;
        writeln!(out, "sha256        {sha256}")?;
    }
    writeln!(out, "release       {} (updated {})", release.data_version, release.updated)?;
    writeln!(out, "tasks         {}", counts.tasks)?;
    writeln!(out, "models        {}", counts.models)?;
    writeln!(out, "gpus          {}", counts.gpus)?;
    let repeats = counts.repeats;
    writeln!(out, "configurations {}, of which {repeats} are repeats", counts.configurations)?;
    if counts.findings > 0 {
        writeln!(out, "accepted      {} findings, in the table findings", counts.findings)?;
    }
    writeln!(out, "time          {:.3} s", elapsed.as_secs_f64())?;
    out.flush()?;
    Ok(())
}

/// The size and sha256 of a file.
fn measure(path: &Path) -> Result<(u64, String)> {
    let shown = path.display();
    let file = std::fs::File::open(path).with_context(|| format!("could not read: {shown}"))?;
    let (mut text, tally) = bytes::open(file)?;
    if std::io::copy(&mut text, &mut std::io::sink())? == 0 {
        bail!("the database is empty: {shown}");
    }
    let tally = tally.borrow();
    Ok((tally.bytes, tally.sha256()))
}
