//! `energydb package`: the folder of a release, made whole beside its place and put there in one step.

use anyhow::Result;

use super::{DONE, limit, open_release, told_location};
use crate::catalogue::Catalogue;
use crate::cli::{Global, Package};
use crate::output::terminal;
use crate::release::make::{Maker, put_database};
use crate::release::place;
use crate::signal::Signals;

pub(super) fn run(arguments: &Package, catalogue: &Catalogue, global: &Global) -> Result<u8> {
    let signals = Signals::watch()?;
    // What a signal broke off looks like a fault of a file or of SQLite.
    package(arguments, catalogue, global, &signals).or_else(|error| signals.check().and(Err(error)))
}

fn package(
    arguments: &Package,
    catalogue: &Catalogue,
    global: &Global,
    signals: &Signals,
) -> Result<u8> {
    let location = told_location(global)?;
    let release = place::prepare(&arguments.output)?;
    let folder = release.path();
    let mut connection = put_database(&location, &folder, signals)?;
    limit(&mut connection, global, signals)?;
    let maker = Maker::new(&folder, connection, catalogue, signals)?;
    let since = match &arguments.since {
        Some(old) => Some(open_release::open(old, &arguments.accept, global, signals)?),
        None => None,
    };
    let files = maker.make(since.as_ref())?;
    drop(maker);
    release.replace(place::refuse_others)?;
    let bytes: u64 = files.values().map(|file| file.bytes).sum();
    if !global.quiet {
        let shown = arguments.output.display();
        terminal::line(&format!("note: {} files, {bytes} bytes, written to {shown}", files.len()));
    }
    Ok(DONE)
}
