//! `energydb package`: the folder of a release, made whole next to its place and put there in one step.

use anyhow::Result;

use super::{DONE, location, note_built_in, open_release};
use crate::catalogue::Catalogue;
use crate::cli::{Global, Package};
use crate::output::{progress, terminal};
use crate::release::make::{Maker, Shape, put_database};
use crate::release::parquet;
use crate::release::place;
use crate::signal::Signals;

pub(super) fn run(
    arguments: &Package,
    catalogue: &Catalogue,
    global: &Global,
    signals: &Signals,
) -> Result<u8> {
    if arguments.parquet {
        parquet::available()?;
    }
    let location = location(global.db.as_deref())?;
    let release = place::prepare(&arguments.output)?;
    let folder = release.path();
    let watched = !global.quiet;
    let put = || put_database(&location, &folder, signals);
    let connection = progress::shown(watched, || None, put)?;
    let shape = Shape { parquet: arguments.parquet, partition: arguments.partition.clone() };
    let maker = Maker::new(&folder, connection, catalogue, shape, signals)?;
    let since = match &arguments.since {
        Some(old) => {
            let (accept, exclude) = (&arguments.accept, &arguments.exclude);
            Some(open_release::open(old, accept, exclude, global, signals)?)
        }
        None => None,
    };
    let files = progress::shown(watched, || None, || maker.make(since.as_ref()))?;
    drop(maker);
    place::replace(release)?;
    note_built_in(&location, global);
    let bytes: u64 = files.values().map(|file| file.bytes).sum();
    if !global.quiet {
        let shown = arguments.output.display();
        terminal::note(&format!("{} files, {bytes} bytes, written to {shown}", files.len()));
    }
    Ok(DONE)
}
