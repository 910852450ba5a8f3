//! `energydb build`: from documents to a database file.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rusqlite::Connection;

use super::{DONE, facts, findings};
use crate::cli::{Build, Global};
use crate::database::build::{self, Outcome, Plan, Progress, UNDATED, accepted, fill_file};
use crate::database::dates::{Dates, Release};
use crate::database::destination::Destination;
use crate::database::load::Counts;
use crate::date::check_date;
use crate::error::usage;
use crate::input::document::{self, Document};
use crate::input::exclude::exclude;
use crate::input::own::power::moment::offset_s;
use crate::input::own::power::{Options, Power};
use crate::input::read;
use crate::manifest::Manifest;
use crate::output::progress::{self, Reading};
use crate::output::terminal;
use crate::replace::Sealed;
use crate::signal::Signals;
use crate::text::{counted, printable};

/// Bytes of the longest manifest that is read.
const MOST_MANIFEST_BYTES: u64 = 1 << 20;
/// Bytes of the longest power log that is read.
const MOST_POWER_LOG_BYTES: u64 = 1 << 28;

pub(super) fn run(arguments: &Build, global: &Global, signals: &Signals) -> Result<u8> {
    let start = Instant::now();
    let plan = plan(arguments, signals)?;
    let (outcome, sealed) = if arguments.dry_run {
        let temporary = |progress: &Progress| build::temporary(&plan, progress, signals);
        (with_progress(&plan, global, temporary)?.1, None)
    } else {
        let destination = Destination::prepare(&arguments.output)?;
        let (outcome, sealed) = with_progress(&plan, global, |progress| {
            fill_file(&destination, &plan, progress, signals)
        })?;
        if sealed.is_some() {
            destination.replace(None)?;
        }
        (outcome, sealed)
    };
    tell(&plan, &outcome, arguments.all_findings, global);
    let Some((content_hash, release)) = &outcome.made else {
        let kept = if arguments.dry_run {
            "this data cannot be built".into()
        } else {
            format!("nothing was written to {}", arguments.output.display())
        };
        return Err(refusal(&outcome, &kept));
    };
    report(arguments, release, &outcome.counts, content_hash, sealed.as_ref(), start.elapsed())?;
    Ok(DONE)
}

fn plan(arguments: &Build, signals: &Signals) -> Result<Plan> {
    for date in [&arguments.data_version, &arguments.updated].into_iter().flatten() {
        check_date(date).map_err(|error| usage(error.to_string()))?;
    }
    let accept = accepted(&arguments.accept)?;
    let manifest = match &arguments.manifest {
        Some(path) => {
            let bytes = document::bytes_of(path, MOST_MANIFEST_BYTES, signals)
                .with_context(|| format!("could not read the manifest: {}", path.display()))?;
            Manifest::read(path, &bytes)?
        }
        None => Manifest::built_in()?,
    };
    let mut documents = Document::of_inputs(&arguments.inputs, signals)?;
    let excluded = exclude(&mut documents, &arguments.exclude, true)?;
    if documents.is_empty() {
        return Err(usage("--exclude leaves out every input"));
    }
    if !arguments.inputs.is_empty() {
        let power = power(arguments, signals)?;
        facts::give(&mut documents, &manifest, &arguments.facts, power.as_ref())?;
    }
    if arguments.built_in {
        documents.extend(Document::built_in()?);
    }
    let mut order = read::order(documents)?;
    facts::have_a_place(&arguments.facts, &order.documents)?;
    facts::know_models(&mut order.documents)?;
    order.notes.extend(left_out(&excluded));
    Ok(Plan {
        order,
        manifest,
        dates: Dates {
            data_version: arguments.data_version.clone(),
            updated: arguments.updated.clone(),
            otherwise: arguments.dry_run.then_some(UNDATED),
        },
        accept,
        strict: arguments.strict,
    })
}

/// The log of power that is given beside the inputs.
fn power(arguments: &Build, signals: &Signals) -> Result<Option<Arc<Power>>> {
    let Some(path) = &arguments.power_log else { return Ok(None) };
    let offset = |text: &String| {
        let no_offset = || usage(format!("--utc-offset takes +HH:MM or -HH:MM, not '{text}'"));
        offset_s(text).ok_or_else(no_offset)
    };
    let options = Options {
        gpus: arguments.gpu_index.clone(),
        utc_offset_s: arguments.utc_offset.as_ref().map(offset).transpose()?,
        window: arguments.window.clone(),
    };
    let cannot_read =
        || format!("could not read the power log: {}", printable(&path.display().to_string()));
    let bytes =
        document::bytes_of(path, MOST_POWER_LOG_BYTES, signals).with_context(cannot_read)?;
    Ok(Some(Arc::new(Power::read(path, &bytes, options).with_context(cannot_read)?)))
}

/// The note on inputs that `--exclude` left out.
fn left_out(excluded: &[String]) -> Option<String> {
    match excluded {
        [] => None,
        [one] => Some(format!("{one} is left out by --exclude")),
        [one, more @ ..] => {
            Some(format!("{one} and {} more are left out by --exclude", more.len()))
        }
    }
}

fn with_progress<T>(
    plan: &Plan,
    global: &Global,
    work: impl FnOnce(&Progress) -> Result<T>,
) -> Result<T> {
    let progress = Progress::default();
    let total = plan.order.documents.iter().map(|document| document.length).sum();
    let reading = || {
        let bytes = progress.bytes.load(Ordering::Relaxed);
        Some(Reading { bytes, total, rows: progress.rows.load(Ordering::Relaxed) })
    };
    progress::shown(!global.quiet, reading, || work(&progress))
}

/// Prints findings, unknown fields and other things that the user should know.
fn tell(plan: &Plan, outcome: &Outcome, all_findings: bool, global: &Global) {
    let documents = &plan.order.documents;
    findings::print(documents, &outcome.documents, all_findings);
    if !global.quiet {
        findings::warn_of_unknown(documents, &outcome.documents);
        // The user cannot change the built-in data, so it has no notes.
        for note in outcome.notes.iter().filter(|_| !documents.iter().all(Document::is_built_in)) {
            terminal::note(note);
        }
    }
}

/// Builds a database that goes with the connection, and reports what was found in its documents.
///
/// # Errors
/// When the documents cannot be read or have findings that are not accepted.
pub(super) fn temporary(
    plan: &Plan,
    global: &Global,
    signals: &Signals,
) -> Result<(Connection, Outcome)> {
    let (connection, outcome) =
        with_progress(plan, global, |progress| build::temporary(plan, progress, signals))?;
    tell(plan, &outcome, false, global);
    if !outcome.is_sound() {
        return Err(refusal(
            &outcome,
            "this data cannot be built; --accept CHECK loads the rows that fail a check",
        ));
    }
    Ok((connection, outcome))
}

fn refusal(outcome: &Outcome, kept: &str) -> anyhow::Error {
    let found: Vec<_> =
        outcome.documents.iter().map(|of| of.findings.count).filter(|count| *count > 0).collect();
    let findings: u64 = found.iter().sum();
    anyhow::anyhow!(
        "{} in {}; {kept}; 'energydb checks' explains the checks",
        counted(findings, "finding"),
        counted(found.len() as u64, "document")
    )
}

/// Prints what was built.
fn report(
    arguments: &Build,
    release: &Release,
    counts: &Counts,
    content_hash: &str,
    sealed: Option<&Sealed>,
    elapsed: Duration,
) -> Result<()> {
    let repeats = counts.repeats;
    let mut lines = match sealed {
        Some(Sealed { bytes, sha256 }) => vec![
            ("built", arguments.output.display().to_string()),
            ("size", format!("{bytes} bytes")),
            ("sha256", sha256.clone()),
        ],
        None => vec![("checked", "nothing was written".to_owned())],
    };
    lines.push(("content hash", content_hash.to_owned()));
    let (day, updated) = (&release.data_version, &release.updated);
    lines.push((
        "release",
        match day.as_str() {
            UNDATED => "unknown; a build needs --data-version YYYY-MM-DD".into(),
            day => format!("{day} (updated {updated})"),
        },
    ));
    lines.push(("tasks", counts.tasks.to_string()));
    lines.push(("models", counts.models.to_string()));
    lines.push(("gpus", counts.gpus.to_string()));
    let configurations = counts.configurations;
    let repeated = if repeats == 1 { "is a repeat" } else { "are repeats" };
    lines.push(("configurations", format!("{configurations}, of which {repeats} {repeated}")));
    if counts.findings > 0 {
        lines.push((
            "accepted",
            format!("{}, in the table findings", counted(counts.findings, "finding")),
        ));
    }
    lines.push(("time", format!("{:.3} s", elapsed.as_secs_f64())));
    let mut out = terminal::results();
    for (name, value) in lines {
        writeln!(out, "{name:<15}{}", printable(&value))?;
    }
    out.flush()?;
    Ok(())
}
