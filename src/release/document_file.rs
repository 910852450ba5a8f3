//! The file of a published document: written beside its place and put there in one step, so that no
//! reader sees half of it.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::replace::file::{folder_of, locked_file, sweep};

/// How the names of files begin that are being written.
const PREFIX: &str = ".energydb-export-";
/// How every published document begins.
const START: &[u8] = b"{\n  \"version\": ";

/// Writes a document in the place of what stands there.
///
/// # Errors
/// When the system refuses.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    let cannot_write = || format!("could not write: {}", path.display());
    let mut beside = locked_file(folder_of(path), PREFIX.as_ref()).with_context(cannot_write)?;
    beside.write_all(content).with_context(cannot_write)?;
    beside.persist(path).with_context(cannot_write)?;
    Ok(())
}

/// Refuses a path at which something stands that is not a published document.
///
/// # Errors
/// When it does.
pub(crate) fn check(path: &Path) -> Result<()> {
    let Ok(metadata) = path.symlink_metadata() else { return Ok(()) };
    let is_document = metadata.is_file() && starts_as_document(path);
    if !is_document {
        bail!(
            "{} exists and is not a document that energydb exported, so it is not replaced; name \
             another file or remove it",
            path.display()
        );
    }
    Ok(())
}

fn starts_as_document(path: &Path) -> bool {
    let mut start = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(START.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == START
}

/// Makes a folder for documents, where nothing else stands.
///
/// # Errors
/// When a symbolic link stands there, which could lead elsewhere, or the system refuses.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    if folder.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
        bail!("a symbolic link stands where a folder is to be: {}", folder.display());
    }
    fs::create_dir_all(folder)
        .with_context(|| format!("could not make the folder: {}", folder.display()))?;
    // What killed exports left behind.
    sweep(folder, PREFIX.as_ref())
        .with_context(|| format!("could not read the folder: {}", folder.display()))
}
