//! `energydb diff`: what changed between two releases.

use std::io::Write;

use anyhow::Result;
use rusqlite::types::ValueRef;

use super::{DONE, side, tell_of_width};
use crate::cli::{Diff, Global};
use crate::diff;
use crate::diff::details::Details;
use crate::diff::summary::Summary;
use crate::error::DIFFERENT;
use crate::output::{Format, terminal};
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
    let mut out = terminal::results();
    let format = global.format.unwrap_or(Format::Table);
    let mut writer = format.writer(&mut out, terminal::width());
    let differs = if arguments.details {
        let mut details = Details::new()?;
        diff::compare(&old, &new, &mut details)?;
        writer.columns(&Details::COLUMNS.map(Into::into))?;
        details.rows(|row| Ok(writer.row(row)?))?;
        details.count()? > 0
    } else {
        let mut summary = Summary::default();
        diff::compare(&old, &new, &mut summary)?;
        let differs = !summary.is_empty();
        writer.columns(&Summary::COLUMNS.map(Into::into))?;
        for row in summary.rows() {
            writer.row(&row.iter().map(ValueRef::from).collect::<Vec<_>>())?;
        }
        differs
    };
    // A table of no rows would be a line of names.
    if differs || global.format.is_some() {
        writer.finish()?;
        tell_of_width(writer.as_ref(), global);
    }
    drop(writer);
    out.flush()?;
    if !differs && !global.quiet {
        terminal::line("note: no differences");
    }
    Ok(if differs && arguments.exit_code { DIFFERENT } else { DONE })
}
