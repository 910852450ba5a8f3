//! The destination of a build or a migration. The new file is made next to it, and may replace only an
//! energydb database.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::lock::{self, Held, refuse_journals};
use super::open;
use crate::database::schema::APPLICATION_ID;
use crate::replace::{NewFile, Sealed, folder_of, follow_links};

/// A database file that is being built beside its destination.
pub struct Destination {
    new: NewFile,
    given: PathBuf,
    place: PathBuf,
    beside: PathBuf,
}

impl Destination {
    /// Makes an empty file beside the destination.
    ///
    /// # Errors
    /// When there is something that is not an energydb database, or the folder refuses.
    pub fn prepare(given: &Path) -> Result<Self> {
        let place = replaceable(given)?;
        let new = NewFile::prepare(&place, "build")?;
        Ok(Self { given: given.to_owned(), place, beside: new.path(), new })
    }

    /// The destination, as it was named.
    pub fn given(&self) -> &Path {
        &self.given
    }

    /// The file to build in.
    pub fn beside(&self) -> &Path {
        &self.beside
    }

    /// Copies the older database into the file. No other program begins a transaction on it until the
    /// returned value is dropped. Returns `None` if the system cannot prevent such a transaction.
    ///
    /// # Errors
    /// When another program has one open, or the system refuses.
    pub fn copy_old(&self) -> Result<Option<Held>> {
        let held = lock::to_replace(&self.place, &self.given)?;
        let copied = match &held {
            Some(held) => held.copy_to(&self.beside),
            None => lock::to_copy(&self.place)?.copy_to(&self.beside),
        };
        copied.with_context(|| format!("could not copy: {}", self.given.display()))?;
        Ok(held)
    }

    /// Makes sure that the file is on disk, and measures it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn seal(&self) -> Result<Sealed> {
        self.new.seal()
    }

    /// Puts the file in the place of its destination, on disk before this returns. No other program
    /// begins a transaction on the older database meanwhile; `held` is what kept them from it so far.
    ///
    /// # Errors
    /// When something else was put there meanwhile, another program has a transaction open in the
    /// older database, or the system refuses; the destination is then as it was.
    pub fn replace(self, held: Option<Held>) -> Result<()> {
        let held = match held {
            Some(held) => Some(held),
            None => {
                refuse_others(&self.place, &self.given)?;
                lock::to_replace(&self.place, &self.given)?
            }
        };
        self.new.replace()?;
        drop(held);
        Ok(())
    }
}

/// The path that a build would replace.
///
/// # Errors
/// When there is something that a build must not replace.
pub fn replaceable(given: &Path) -> Result<PathBuf> {
    let shown = given.display();
    if given.as_os_str() == "-" {
        bail!("a database cannot be written to standard output; name a file with -o");
    }
    if given.file_name().is_none() {
        bail!("'{shown}' cannot be the name of a file");
    }
    let path = follow_links(given)?;
    refuse_others(&path, given)?;
    refuse_journals(&path, given)?;
    Ok(path)
}

/// Refuses a path that contains anything but an energydb database.
fn refuse_others(path: &Path, given: &Path) -> Result<()> {
    let shown = given.display();
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let folder = folder_of(path);
            if !folder.is_dir() {
                bail!("no such folder: {} (for {shown}); make it first", folder.display());
            }
            if shown.to_string().ends_with(std::path::is_separator) {
                bail!("a folder is not a database: {shown}; name a file");
            }
            return Ok(());
        }
        Err(error) => return Err(error).with_context(|| format!("could not look at: {shown}")),
    };
    if metadata.is_dir() {
        bail!("a folder is not a database: {shown}; name a file");
    }
    // An empty file is what 'mktemp' makes for a program to fill.
    let is_empty = metadata.is_file() && metadata.len() == 0;
    let is_ours = metadata.is_file()
        && open::header(path)?.is_some_and(|header| header.application_id == APPLICATION_ID);
    if !is_ours && !is_empty {
        bail!(
            "{shown} exists and is not an energydb database, so it is not replaced; name another file"
        );
    }
    Ok(())
}
