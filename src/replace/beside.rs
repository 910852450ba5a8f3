//! A private folder next to a destination, in which the new content is made.
//!
//! A file in the folder is locked while it is used. If nobody has locked this file, the folder was left by a
//! program that was killed. The next program with the same destination removes it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use crate::platform;

/// Letters and digits at the end of the folder's name.
const RANDOM_CHARACTERS: usize = 6;
/// Bytes that the folder's name takes from that of the place, so that it is not too long itself.
const NAME_BYTES: usize = 200;
/// The private folders of this program.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Times that a folder is removed into which another thread writes.
const MOST_REMOVALS: usize = 1000;
/// The file that is locked.
const LOCK: &str = "lock";

/// A private folder beside a place. It goes with its value.
pub struct Beside {
    folder: TempDir,
    /// Held open, and so locked, until the folder is gone.
    _lock: File,
}

impl Beside {
    /// Makes an empty folder in the folder around a place of this name; `purpose` is a part of its
    /// own name. Those that killed programs left there are removed.
    ///
    /// # Errors
    /// When the folder around refuses.
    pub fn new(around: &Path, name: &str, purpose: &str) -> io::Result<Self> {
        let shortened = name.char_indices().take_while(|(at, _)| *at < NAME_BYTES);
        let name: String = shortened.map(|(_, character)| character).collect();
        let prefix = OsString::from(format!(".{name}.{purpose}-"));
        sweep(around, &prefix)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).rand_bytes(RANDOM_CHARACTERS);
        platform::make_private(&mut builder);
        loop {
            let folder = builder.tempdir_in(around)?;
            match File::create_new(folder.path().join(LOCK)) {
                // A file system without locks leaves the folder unprotected from another program's
                // sweep, which can at worst end this one.
                Ok(lock) => {
                    let _ = lock.lock();
                    if folder.path().join(LOCK).exists() {
                        folders().insert(folder.path().to_owned());
                        return Ok(Self { folder, _lock: lock });
                    }
                }
                Err(error) if folder.path().exists() => return Err(error),
                Err(_) => {}
            }
            // Another program swept the folder away before it was locked.
        }
    }

    /// Removes the folder and all that is in it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn remove(self) -> io::Result<()> {
        remove(self.folder.path())
    }

    /// Removes every private folder of this program, which is about to exit without tidying up.
    pub fn remove_all() {
        for folder in folders().iter() {
            // Another thread may be writing into it.
            for _ in 0..MOST_REMOVALS {
                if remove(folder).is_ok() || !folder.exists() {
                    break;
                }
            }
        }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // What is left, the folder's own value removes.
        let _ = remove(self.folder.path());
        folders().remove(self.folder.path());
    }
}

fn folders() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a private folder, and its lock last. A folder with content but without a lock counts as somebody
/// else's and would stay, if the removal were interrupted.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() == LOCK {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir_all(folder)
}

/// Removes the folders that killed programs left behind, whose names begin with a prefix.
fn sweep(around: &Path, prefix: &OsString) -> io::Result<()> {
    for entry in fs::read_dir(around)? {
        let entry = entry?;
        let name = entry.file_name();
        let random = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let is_left = random.is_some_and(|random| {
            random.len() == RANDOM_CHARACTERS && random.iter().all(u8::is_ascii_alphanumeric)
        });
        if !is_left || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // Another program may be sweeping too, so a folder that is gone is not a fault.
        match File::options().write(true).open(entry.path().join(LOCK)) {
            // The lock is held until the folder is gone, so that who made it just now and waits for
            // the lock sees that.
            Ok(left) if left.try_lock().is_ok() => drop(remove(&entry.path())),
            Ok(_) => {}
            // Killed before there was a lock. A folder of somebody else that contains anything stays.
            Err(_) => drop(fs::remove_dir(entry.path())),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_are_in_use_at_once_are_not_swept_away() {
        let around = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let beside = Beside::new(around.path(), "place", "build").unwrap();
                        fs::write(beside.path("content"), "content").unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(&around).unwrap().count(), 0);
    }

    #[test]
    fn a_long_name_leaves_room_for_the_rest() {
        let around = tempfile::tempdir().unwrap();
        let name = "é".repeat(127);
        assert!(
            Beside::new(around.path(), &name, "package").unwrap().path("content").is_absolute()
        );
    }
}
