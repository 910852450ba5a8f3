//! A file that takes the place of an older one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{Beside, folder_of};
use crate::hash::sha256;
use crate::platform::{self, Folder};

/// Symbolic links followed in a row.
const MOST_LINKS: usize = 40;
/// What the file is called while it is being made.
const NAME: &str = "new";

/// A file that is being made next to its place.
pub struct NewFile {
    place: PathBuf,
    /// Held open, since what is put into a folder that cannot be synced may be lost.
    folder: Folder,
    beside: Beside,
}

impl NewFile {
    /// Makes an empty file next to its place. `purpose` is a part of its folder's name.
    ///
    /// # Errors
    /// When the folder around the place refuses.
    pub fn prepare(place: &Path, purpose: &str) -> Result<Self> {
        let around = folder_of(place);
        let made = || {
            let folder = Folder::open(around)?;
            let name = place.file_name().unwrap_or_default().to_string_lossy();
            let beside = Beside::new(around, &name, purpose)?;
            File::create_new(beside.path(NAME))?;
            Ok::<_, std::io::Error>(Self { place: place.to_owned(), folder, beside })
        };
        made().with_context(|| {
            format!(
                "could not write into the folder {} (for {})",
                around.display(),
                place.display()
            )
        })
    }

    /// The file to write to.
    pub fn path(&self) -> PathBuf {
        self.beside.path(NAME)
    }

    /// Makes sure that the file is on disk, and measures it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn seal(&self) -> Result<Sealed> {
        let path = self.path();
        let sealed = || {
            platform::sync_file(&path)?;
            let file = File::open(&path)?;
            Ok::<_, std::io::Error>(Sealed { bytes: file.metadata()?.len(), sha256: sha256(file)? })
        };
        sealed().with_context(|| format!("could not write to disk: {}", self.place.display()))
    }

    /// Puts the file in its place, on disk before this returns. Who may read the older file may read
    /// this one, and nobody else.
    ///
    /// # Errors
    /// When the system refuses; the place is then as it was.
    pub fn replace(self) -> Result<()> {
        let shown = self.place.display();
        if let Ok(old) = self.place.symlink_metadata() {
            platform::keep_permissions(&old, &self.path());
        }
        platform::rename(&self.path(), &self.place)
            .with_context(|| format!("could not replace: {shown}"))?;
        self.folder.sync().with_context(|| format!("could not write to disk: {shown}"))
    }
}

/// A file that is complete and on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Its size.
    pub bytes: u64,
    /// The sha256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// Where a path leads, so that a symbolic link stays one.
///
/// # Errors
/// When links lead in a circle.
pub fn follow_links(given: &Path) -> Result<PathBuf> {
    let mut path = given.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    bail!("too many symbolic links: {}", given.display())
}
