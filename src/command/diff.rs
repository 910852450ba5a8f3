//! `energydb diff`: what changed between two releases.

use anyhow::Result;
use rusqlite::types::ValueRef;

use super::{DONE, open_release, print_with};
use crate::cli::{Diff, Global};
use crate::diff;
use crate::diff::details::Details;
use crate::diff::summary::Summary;
use crate::error::{DIFFERENT, unless_closed_pipe};
use crate::output::screen::About;
use crate::output::{Format, RowWriter, progress, terminal};
use crate::signal::Signals;

pub(super) fn run(arguments: &Diff, global: &Global, signals: &Signals) -> Result<u8> {
    let [old, new] = [&arguments.old, &arguments.new].map(|path| {
        open_release::open(path, &arguments.accept, &arguments.exclude, global, signals)
    });
    let (old, new) = (old?, new?);
    let differs = if arguments.details {
        let mut details = Details::new()?;
        watched(global, || diff::compare(&old, &new, &mut details))?;
        let differs = details.count()? > 0;
        signals.end_at_once()?;
        print(&Details::COLUMNS, differs, global, |writer| {
            details.rows(|row| Ok(writer.row(row)?))
        })?;
        differs
    } else {
        let mut summary = Summary::default();
        watched(global, || diff::compare(&old, &new, &mut summary))?;
        let differs = !summary.is_empty();
        signals.end_at_once()?;
        print(&Summary::COLUMNS, differs, global, |writer| {
            summary.rows().try_for_each(|row| {
                Ok(writer.row(&row.iter().map(ValueRef::from).collect::<Vec<_>>())?)
            })
        })?;
        differs
    };
    if !differs && !global.quiet {
        terminal::note("no differences");
    }
    Ok(if differs && arguments.exit_code { DIFFERENT } else { DONE })
}

fn watched(global: &Global, work: impl FnOnce() -> Result<()>) -> Result<()> {
    progress::shown(!global.quiet, || None, work)
}

fn print(
    columns: &[&str],
    differs: bool,
    global: &Global,
    rows: impl FnOnce(&mut dyn RowWriter) -> Result<()>,
) -> Result<()> {
    // A table of no rows would be a line of names.
    if !differs && global.format.is_none() {
        return Ok(());
    }
    let format = global.format.unwrap_or(Format::Table);
    // The status says whether there are differences, also when the reader went away.
    unless_closed_pipe(print_with(columns, format, About::default(), global, rows))
}
