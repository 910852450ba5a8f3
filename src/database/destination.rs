//! Where a build or a migration goes: a file beside its destination, which may replace a database of
//! energydb and nothing else.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::open;
use crate::database::schema::APPLICATION_ID;
use crate::replace::{NewFile, Sealed, folder_of, follow_links};

/// A database file that is being built beside its destination.
pub struct Destination {
    new: NewFile,
    given: PathBuf,
    beside: PathBuf,
}

impl Destination {
    /// Makes an empty file beside the destination.
    ///
    /// # Errors
    /// When something stands there that is not an energydb database, or the folder refuses.
    pub fn prepare(given: &Path) -> Result<Self> {
        let new = NewFile::prepare(&replaceable(given)?, "build")?;
        Ok(Self { given: given.to_owned(), beside: new.path(), new })
    }

    /// The destination, as it was named.
    pub fn given(&self) -> &Path {
        &self.given
    }

    /// The file to build in.
    pub fn beside(&self) -> &Path {
        &self.beside
    }

    /// Makes sure that the file is on disk, and measures it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn seal(&self) -> Result<Sealed> {
        self.new.seal()
    }

    /// Puts the file in the place of its destination, on disk before this returns.
    ///
    /// # Errors
    /// When the system refuses; the destination is then as it was.
    pub fn replace(self) -> Result<()> {
        self.new.replace()
    }
}

/// The path that a build would replace.
///
/// # Errors
/// When something stands there that a build must not replace.
pub fn replaceable(given: &Path) -> Result<PathBuf> {
    let shown = given.display();
    if given.as_os_str() == "-" {
        bail!("a database cannot be written to standard output; name a file with -o");
    }
    if given.file_name().is_none() {
        bail!("not the name of a file: '{shown}'");
    }
    let path = follow_links(given)?;
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let folder = folder_of(&path);
            if !folder.is_dir() {
                bail!("no such folder: {} (for {shown}); make it first", folder.display());
            }
            if shown.to_string().ends_with(std::path::is_separator) {
                bail!("a folder is not a database: {shown}; name a file");
            }
            refuse_journals(&path, given)?;
            return Ok(path);
        }
        Err(error) => return Err(error).with_context(|| format!("could not look at: {shown}")),
    };
    if metadata.is_dir() {
        bail!("a folder is not a database: {shown}; name a file");
    }
    // An empty file is what 'mktemp' makes for a program to fill.
    let is_empty = metadata.is_file() && metadata.len() == 0;
    let is_ours = metadata.is_file()
        && open::header(&path)?.is_some_and(|header| header.application_id == APPLICATION_ID);
    if !is_ours && !is_empty {
        bail!(
            "{shown} exists and is not an energydb database, so it is not replaced; name another file"
        );
    }
    refuse_journals(&path, given)?;
    Ok(path)
}

/// Refuses a destination beside which there are changes of another program, which SQLite would
/// take for changes of the new database, even where the old one is gone.
///
/// # Errors
/// When there are some.
pub fn refuse_journals(path: &Path, given: &Path) -> Result<()> {
    for ending in ["-journal", "-wal"] {
        let mut name = path.to_owned().into_os_string();
        name.push(ending);
        let beside = PathBuf::from(name);
        if beside.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            bail!(
                "another program is writing to {}, or was killed while it did: {} holds its \
                 changes; close that program, or remove both files",
                given.display(),
                beside.display()
            );
        }
    }
    Ok(())
}
