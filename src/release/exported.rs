//! Writes published documents to a folder of the user. Documents of an earlier export are replaced, or removed
//! if their model is gone. Other files are never changed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::files;
use crate::platform;
use crate::replace::{Beside, NewFile};
use crate::slug::{INDEX, is_slug};

/// What the private folders are named for.
const PURPOSE: &str = "export";
/// The members with which a published document begins, each on a line of its own.
const FIRST_MEMBERS: [&str; 4] = ["version", "updated", "data_version", "unit"];
/// Bytes that hold them.
const BEGINNING_BYTES: u64 = 1024;

/// Writes one document in the place of an older one.
///
/// # Errors
/// When something else is there, or the system refuses.
pub fn put_document(place: &Path, text: &[u8]) -> Result<()> {
    refuse_foreign(place)?;
    let new = NewFile::prepare(place, PURPOSE)?;
    fs::write(new.path(), text).with_context(|| format!("could not write: {}", place.display()))?;
    new.replace()
}

/// Documents that are being written beside a folder of older ones.
pub struct NewDocuments {
    folder: PathBuf,
    beside: Beside,
}

/// The result of an export.
pub struct Exported {
    /// Documents that were written.
    pub written: usize,
    /// Older documents that the database no longer has, which were removed.
    pub removed: usize,
}

impl NewDocuments {
    /// Makes the folder where there is none.
    ///
    /// # Errors
    /// When something else is there, or the system refuses.
    pub fn prepare(folder: &Path) -> Result<Self> {
        let shown = folder.display();
        if folder.exists() && !folder.is_dir() {
            bail!("{shown} exists and is not a folder; name another");
        }
        fs::create_dir_all(folder)
            .with_context(|| format!("could not make the folder: {shown}"))?;
        let beside = Beside::new(folder, "energydb", PURPOSE)
            .with_context(|| format!("could not write into the folder {shown}"))?;
        Ok(Self { folder: folder.to_owned(), beside })
    }

    /// The folder to write to.
    pub fn path(&self) -> PathBuf {
        self.beside.path("new")
    }

    /// Puts every document in its place, and removes those that were exported before and are gone:
    /// of one task, or of all.
    ///
    /// # Errors
    /// When something that is not a published document is in the place of one, and then nothing
    /// is changed; or when the system refuses.
    pub fn replace(self, only_task: Option<&str>) -> Result<Exported> {
        let cannot_read = || format!("could not read the folder: {}", self.folder.display());
        let new = match files(&self.path()) {
            // A database without a task has no document.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            files => files.with_context(cannot_read)?,
        };
        let new: BTreeSet<PathBuf> = new.iter().map(|name| self.folder.join(name)).collect();
        let folders: BTreeSet<_> = new.iter().filter_map(|place| place.parent()).collect();
        for folder in &folders {
            refuse_link(folder)?;
        }
        new.iter().try_for_each(|place| refuse_foreign(place))?;
        let gone: Vec<_> = documents(&self.folder, only_task)
            .with_context(cannot_read)?
            .into_iter()
            .filter(|place| !new.contains(place))
            .collect();
        for folder in &folders {
            fs::create_dir_all(folder)
                .with_context(|| format!("could not make the folder: {}", folder.display()))?;
        }
        for place in &new {
            let cannot_replace = || format!("could not replace: {}", place.display());
            let name = place.strip_prefix(&self.folder).with_context(cannot_replace)?;
            let written = self.path().join(name);
            if let Ok(old) = place.symlink_metadata() {
                platform::keep_permissions(&old, &written);
            }
            platform::rename(&written, place).with_context(cannot_replace)?;
        }
        for place in &gone {
            fs::remove_file(place)
                .with_context(|| format!("could not remove: {}", place.display()))?;
            // The folder of a task that is gone goes with its last document.
            if let Some(folder) = place.parent().filter(|folder| !folders.contains(folder)) {
                let _ = fs::remove_dir(folder);
            }
        }
        Ok(Exported { written: new.len(), removed: gone.len() })
    }
}

/// The published documents in a folder that was exported to: of one task, or of all.
fn documents(folder: &Path, only_task: Option<&str>) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_meant = name
            .to_str()
            .is_some_and(|name| is_slug(name) && only_task.is_none_or(|task| task == name));
        let index = entry.path().join(format!("{INDEX}.json"));
        if !is_meant || !entry.file_type()?.is_dir() || !is_published(&index) {
            continue;
        }
        for entry in fs::read_dir(entry.path())? {
            let path = entry?.path();
            let is_named = path.extension().is_some_and(|ending| ending == "json")
                && path.file_stem().and_then(|stem| stem.to_str()).is_some_and(is_slug);
            if is_named && is_published(&path) {
                found.push(path);
            }
        }
    }
    // The index last, by which a folder is known whose documents could not all be removed.
    found.sort_by_key(|path| path.file_stem().is_some_and(|stem| stem == INDEX));
    Ok(found)
}

/// Refuses a place that contains anything but a published document.
fn refuse_foreign(place: &Path) -> Result<()> {
    if place.symlink_metadata().is_ok() && !is_published(place) {
        bail!(
            "{} exists and is not a document that energydb exported, so it is not replaced; remove \
             it, or name another folder",
            place.display()
        );
    }
    Ok(())
}

/// Refuses a symbolic link in the place of a folder, since nothing outside of the named one is ever
/// written to.
fn refuse_link(folder: &Path) -> Result<()> {
    if folder.is_symlink() {
        bail!("a symbolic link is not written through: {}; name a folder", folder.display());
    }
    Ok(())
}

/// Whether a path is that of a published document, and no link to one.
fn is_published(path: &Path) -> bool {
    if !path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let mut beginning = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(BEGINNING_BYTES).read_to_end(&mut beginning));
    let text = String::from_utf8_lossy(&beginning);
    let mut lines = text.lines();
    read.is_ok()
        && lines.next() == Some("{")
        && FIRST_MEMBERS.iter().all(|member| {
            lines.next().is_some_and(|line| line.starts_with(&format!("  \"{member}\": ")))
        })
}
