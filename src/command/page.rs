//! `energydb page`: the page to explore a database with, as one file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{DONE, location, note_built_in};
use crate::catalogue::Catalogue;
use crate::cli::{Global, Page};
use crate::output::terminal;
use crate::page;
use crate::replace::NewFile;
use crate::signal::Signals;

/// How the names of files begin that are being written.
const PURPOSE: &str = "page";
/// How every page begins, by which one is known that may be replaced.
const BEGINNING: &[u8] = b"<!doctype html>\n<!-- energydb page -->\n";

pub(super) fn run(
    arguments: &Page,
    catalogue: &Catalogue,
    global: &Global,
    signals: &Signals,
) -> Result<u8> {
    let output = &arguments.output;
    refuse_other(output)?;
    // The database is copied whole, which counts its pages as a check does.
    let location = location(global.db.as_deref())?;
    let mut connection = location.open_to_check(signals)?;
    let database = page::image(&mut connection)?;
    let document = page::document(&connection, database, catalogue)?;
    signals.check()?;
    let new = NewFile::prepare(output, PURPOSE)?;
    fs::write(new.path(), &document)
        .with_context(|| format!("could not write: {}", output.display()))?;
    new.seal()?;
    new.replace()?;
    note_built_in(&location, global);
    if !global.quiet {
        let (bytes, shown) = (document.len(), output.display());
        terminal::note(&format!("{bytes} bytes, written to {shown}; open it in a browser"));
    }
    Ok(DONE)
}

/// Refuses to replace what is not a page.
fn refuse_other(path: &Path) -> Result<()> {
    let shown = path.display();
    if path.is_dir() {
        bail!("a folder is not a page: {shown}; name a file with -o");
    }
    match fs::read(path) {
        Ok(content) if content.starts_with(BEGINNING) || content.is_empty() => Ok(()),
        Ok(_) => {
            bail!("{shown} exists and is not an energydb page, so it is not replaced; name another")
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("could not read: {shown}")),
    }
}
