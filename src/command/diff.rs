//! `energydb diff`: what changed between two releases.

use std::io::Write;

use anyhow::Result;
use rusqlite::types::ValueRef;

use super::{DONE, side, tell_of_width};
use crate::cli::{Diff, Global};
use crate::diff;
use crate::diff::details::Details;
use crate::diff::summary::Summary;
use crate::error::{DIFFERENT, is_closed_pipe};
use crate::output::{Format, RowWriter, terminal};
use crate::signal::Signals;

pub(super) fn run(arguments: &Diff, global: &Global) -> Result<u8> {
    let signals = Signals::watch()?;
    // What a signal broke off looks like a fault of a file or of SQLite.
    compare(arguments, global, &signals).or_else(|error| signals.check().and(Err(error)))
}

fn compare(arguments: &Diff, global: &Global, signals: &Signals) -> Result<u8> {
    let [old, new] = [&arguments.old, &arguments.new]
        .map(|path| side::open(path, &arguments.accept, global, signals));
    let (old, new) = (old?, new?);
    let (differs, told) = if arguments.details {
        let mut details = Details::new()?;
        diff::compare(&old, &new, &mut details)?;
        let differs = details.count()? > 0;
        let rows = |writer: &mut dyn RowWriter| details.rows(|row| Ok(writer.row(row)?));
        (differs, tell(differs, &Details::COLUMNS, global, rows))
    } else {
        let mut summary = Summary::default();
        diff::compare(&old, &new, &mut summary)?;
        let differs = !summary.is_empty();
        let rows = |writer: &mut dyn RowWriter| {
            let mut rows = summary.rows();
            rows.try_for_each(|row| {
                Ok(writer.row(&row.iter().map(ValueRef::from).collect::<Vec<_>>())?)
            })
        };
        (differs, tell(differs, &Summary::COLUMNS, global, rows))
    };
    // A reader that has seen enough, as grep -q has, still asks whether anything differs.
    told.or_else(|error| if is_closed_pipe(&error) { Ok(()) } else { Err(error) })?;
    if !differs && !global.quiet {
        terminal::line("note: no differences");
    }
    Ok(if differs && arguments.exit_code { DIFFERENT } else { DONE })
}

/// Prints the differences, however they are gathered.
fn tell(
    differs: bool,
    columns: &[&str],
    global: &Global,
    rows: impl FnOnce(&mut dyn RowWriter) -> Result<()>,
) -> Result<()> {
    // A table of no rows would be a line of names.
    if !differs && global.format.is_none() {
        return Ok(());
    }
    let mut out = terminal::results();
    let mut writer = global.format.unwrap_or(Format::Table).writer(&mut out, terminal::width());
    writer.columns(&columns.iter().map(|&name| name.into()).collect::<Vec<_>>())?;
    rows(&mut *writer)?;
    writer.finish()?;
    tell_of_width(writer.as_ref(), global);
    drop(writer);
    Ok(out.flush()?)
}
