//! A folder that takes the place of an older one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Beside, folder_of};
use crate::platform::{self, Folder};

/// What the folder is called while it is being made.
const NAME: &str = "new";

/// A folder that is being made next to its place.
pub struct NewFolder {
    place: PathBuf,
    folder: Folder,
    beside: Beside,
}

impl NewFolder {
    /// Makes an empty folder next to its place. `purpose` is a part of its folder's name.
    ///
    /// # Errors
    /// When the folder around the place refuses.
    pub fn prepare(place: &Path, purpose: &str) -> Result<Self> {
        let around = folder_of(place);
        let made = || {
            let folder = Folder::open(around)?;
            let name = place.file_name().unwrap_or_default().to_string_lossy();
            let beside = Beside::new(around, &name, purpose)?;
            fs::create_dir(beside.path(NAME))?;
            Ok::<_, io::Error>(Self { place: place.to_owned(), folder, beside })
        };
        made().with_context(|| format!("could not write into the folder {}", around.display()))
    }

    /// The folder to write to.
    pub fn path(&self) -> PathBuf {
        self.beside.path(NAME)
    }

    /// Puts the folder in its place, on disk before this returns. `check` says whether what is
    /// there may be replaced; it is asked again where something else was put there meanwhile, and
    /// what it returns is kept until the place is taken. Who may read the older folder may read this
    /// one, and nobody else.
    ///
    /// # Errors
    /// When the system refuses; what was there is then as it was.
    pub fn replace<T>(self, check: impl Fn(&Path) -> Result<T>) -> Result<()> {
        let shown = self.place.display();
        let new = self.path();
        sync(&new).with_context(|| format!("could not write to disk: {shown}"))?;
        let cannot_replace = || format!("could not replace: {shown}");
        loop {
            let _kept = check(&self.place)?;
            if self.place.symlink_metadata().is_ok() {
                keep_permissions(&self.place, &new).with_context(cannot_replace)?;
                // The older one goes with the private folder.
                platform::exchange(&new, &self.place).with_context(cannot_replace)?;
                break;
            }
            match platform::rename(&new, &self.place) {
                // Another program put a folder there just now.
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
                outcome => break outcome.with_context(cannot_replace)?,
            }
        }
        self.folder.sync().with_context(|| format!("could not write to disk: {shown}"))?;
        self.beside.remove().with_context(|| {
            format!("the new folder is in place, but the older one stays in {}", new.display())
        })
    }
}

/// Puts all that a folder contains on disk.
fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync(&entry.path())?;
        } else {
            platform::sync_file(&entry.path())?;
        }
    }
    Folder::open(folder)?.sync()
}

/// Gives a folder, and each file and folder in it, to those who may read the older one of that name,
/// or else the older one around it.
fn keep_permissions(old: &Path, new: &Path) -> io::Result<()> {
    let around = old.symlink_metadata()?;
    for entry in fs::read_dir(new)? {
        let new = entry?.path();
        let old = old.join(new.file_name().unwrap_or_default());
        match old.symlink_metadata() {
            Ok(old_is) if old_is.is_dir() && new.is_dir() => keep_permissions(&old, &new)?,
            Ok(old) => platform::keep_permissions(&old, &new),
            Err(_) => platform::narrow_permissions(&around, &new)?,
        }
    }
    platform::keep_permissions(&around, new);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_are_put_in_one_place_at_once_replace_each_other() {
        for _ in 0..100 {
            let around = tempfile::tempdir().unwrap();
            let place = around.path().join("place");
            let together = std::sync::Barrier::new(4);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        let new = NewFolder::prepare(&place, "package").unwrap();
                        fs::create_dir(new.path().join("csv")).unwrap();
                        for name in ["csv/a", "b", "c"] {
                            fs::write(new.path().join(name), "").unwrap();
                        }
                        together.wait();
                        new.replace(|_| Ok(())).unwrap();
                    });
                }
            });
            assert_eq!(fs::read_dir(&place).unwrap().count(), 3);
            assert_eq!(fs::read_dir(&around).unwrap().count(), 1);
        }
    }
}
