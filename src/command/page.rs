//! `energydb page`: the page to explore a database with, as one file.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

use super::{DONE, location, note_built_in};
use crate::catalogue::Catalogue;
use crate::cli::{Global, Page};
use crate::output::terminal;
use crate::page;
use crate::signal::Signals;

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
    put(output, document.as_bytes())
        .with_context(|| format!("could not write: {}", output.display()))?;
    note_built_in(&location, global);
    if !global.quiet {
        let (bytes, shown) = (document.len(), output.display());
        terminal::line(&format!("note: {bytes} bytes, written to {shown}; open it in a browser"));
    }
    Ok(DONE)
}

/// Refuses to replace what is no page.
fn refuse_other(path: &Path) -> Result<()> {
    let shown = path.display();
    if path.is_dir() {
        bail!("a folder is in the place of the page: {shown}; name a file with -o");
    }
    match std::fs::read(path) {
        Ok(content) if content.starts_with(BEGINNING) || content.is_empty() => Ok(()),
        Ok(_) => bail!("not a page of energydb, so it is not replaced: {shown}"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("could not read: {shown}")),
    }
}

/// Writes the file beside its place and puts it there in one step.
fn put(path: &Path, content: &[u8]) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file: NamedTempFile =
        builder.prefix(".page-").tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
