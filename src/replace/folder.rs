//! Where a release goes: into a folder beside its place that replaces an older release in one step,
//! so that there is always one of them, whole.
//!
//! The folder beside is locked while it is being made. One that nobody has locked was left by a
//! program that was killed, or is an older release that was replaced; the next one to the same
//! place removes it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::release::{SUMS, database_in};
use crate::replace::file::{Folder, folder_of};

/// Letters and digits at the end of the name of a folder that is being made.
const RANDOM_CHARACTERS: usize = 6;

/// The folder of a release that is being made.
pub struct Staging {
    path: PathBuf,
    parent: Folder,
    beside: TempDir,
    /// Held open, and so locked, until the release is in its place.
    _lock: Option<File>,
}

impl Staging {
    /// Makes an empty folder beside the place of a release.
    ///
    /// # Errors
    /// When something stands there that is not a release, or the folder around it refuses.
    pub fn prepare(path: &Path) -> Result<Self> {
        // A slash at the end would make a symbolic link look like what it leads to.
        let path: PathBuf = path.components().collect();
        check(&path)?;
        let around = folder_of(&path);
        let cannot_write = || format!("could not write into the folder {}", around.display());
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".package-");
        let parent = Folder::open(around).with_context(cannot_write)?;
        sweep(around, &prefix).with_context(cannot_write)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).rand_bytes(RANDOM_CHARACTERS);
        ordinary_permissions(&mut builder);
        loop {
            let beside = builder.tempdir_in(around).with_context(cannot_write)?;
            // A system that locks no folders leaves this one unprotected from another's sweep,
            // which can at worst end this program.
            let lock = File::open(beside.path()).ok().filter(|folder| folder.lock().is_ok());
            // Another program may have swept the folder away before it was locked.
            if beside.path().is_dir() {
                return Ok(Self { path, parent, beside, _lock: lock });
            }
        }
    }

    /// The folder to write to.
    pub fn folder(&self) -> &Path {
        self.beside.path()
    }

    /// Puts the release in its place, on disk before this returns.
    ///
    /// # Errors
    /// When the system refuses; what stood there is then as it was.
    pub fn replace(self) -> Result<()> {
        let Self { path, parent, beside, _lock } = self;
        let shown = path.display();
        sync(beside.path()).with_context(|| format!("could not write to disk: {shown}"))?;
        let replaced = || format!("could not replace: {shown}");
        let old = loop {
            // Something may have been put there meanwhile.
            check(&path)?;
            if path.symlink_metadata().is_ok() {
                exchange(beside.path(), &path).with_context(replaced)?;
                break Some(beside.keep());
            }
            match fs::rename(beside.path(), &path) {
                // Another program put a release there just now.
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
                outcome => {
                    outcome.with_context(replaced)?;
                    let _ = beside.keep();
                    break None;
                }
            }
        };
        parent.sync().with_context(|| format!("could not write to disk: {shown}"))?;
        if let Some(old) = old {
            remove(&old).with_context(|| {
                format!("the new release is in place, but the old one stays in {}", old.display())
            })?;
        }
        Ok(())
    }
}

/// Refuses a place at which something stands that is not a release, or more than one.
fn check(path: &Path) -> Result<()> {
    loop {
        // Held open so that no other folder gets the same identity.
        let folder = path.is_dir().then(|| File::open(path));
        let checked = check_once(path);
        let is_another = || {
            let before = identity(&folder?.ok()?.metadata().ok()?);
            Some(before != identity(&path.metadata().ok()?))
        };
        // A release that was replaced meanwhile has been seen while it was being removed.
        if checked.is_ok() || is_another() != Some(true) {
            return checked;
        }
    }
}

/// What tells one folder from another, where the system has such a thing.
#[cfg(unix)]
fn identity(folder: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((folder.dev(), folder.ino()))
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

fn check_once(path: &Path) -> Result<()> {
    let shown = path.display();
    if path.as_os_str() == "-" {
        bail!("a release is a folder and cannot be written to standard output; name one with -o");
    }
    if path.file_name().is_none() {
        bail!("not the name of a folder to make: '{shown}'");
    }
    let Ok(metadata) = path.symlink_metadata() else {
        let around = folder_of(path);
        if !around.is_dir() {
            bail!("no such folder: {} (for {shown}); make it first", around.display());
        }
        return Ok(());
    };
    if metadata.is_symlink() {
        bail!("{shown} is a symbolic link, so what it leads to is not replaced; name the folder");
    }
    if !metadata.is_dir() {
        bail!("{shown} exists and is not a folder; name another");
    }
    if !matches!(database_in(path), Ok(Some(_))) {
        bail!(
            "{shown} exists and is not the folder of a release, so it is not replaced; name another"
        );
    }
    let listed = listed(path)?;
    for file in files(path).with_context(|| format!("could not read the folder: {shown}"))? {
        if file != SUMS && !listed.contains(&file) {
            bail!(
                "{shown} holds a file that is not of the release, which replacing it would remove: \
                 {file}; move it away, or name another folder"
            );
        }
    }
    Ok(())
}

/// The names of the files that a release says are its own.
fn listed(folder: &Path) -> Result<BTreeSet<String>> {
    let path = folder.join(SUMS);
    let text =
        fs::read_to_string(&path).with_context(|| format!("could not read: {}", path.display()))?;
    Ok(text.lines().filter_map(|line| Some(line.split_once("  ")?.1.to_owned())).collect())
}

/// Every file of a folder and the folders in it, relative to it, with / between the parts, in order.
/// A link counts as a file.
///
/// # Errors
/// When it cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(within) = folders.pop() {
        for entry in fs::read_dir(folder.join(&within))? {
            let entry = entry?;
            let path = within.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                found.push(with_slashes(&path));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn with_slashes(path: &Path) -> String {
    let parts = path.components().map(Component::as_os_str).map(|part| part.to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// Puts all that a folder holds on disk.
fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync(&entry.path())?;
        } else {
            File::open(entry.path())?.sync_all()?;
        }
    }
    Folder::open(folder)?.sync()
}

/// Lets two folders change places.
#[cfg(target_os = "linux")]
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        // A file system that cannot do so in one step.
        Err(Errno::INVAL | Errno::NOSYS) => exchange_by_renaming(new, old),
        outcome => Ok(outcome?),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    exchange_by_renaming(new, old)
}

/// Lets two folders change places in three steps. Whoever is killed between them leaves the older
/// release under the name that the newer was made under.
fn exchange_by_renaming(new: &Path, old: &Path) -> io::Result<()> {
    let mut aside = new.to_owned().into_os_string();
    aside.push("-old");
    fs::rename(old, &aside)?;
    if let Err(error) = fs::rename(new, old) {
        fs::rename(&aside, old)?;
        return Err(error);
    }
    fs::rename(&aside, new)
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
        // The lock is held until the folder is gone, so that who made it just now and waits for
        // the lock sees that.
        if let Ok(left) = File::open(entry.path())
            && left.try_lock().is_ok()
        {
            // Another program may be sweeping too.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        // Another program swept it away.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// Lets the user's mask decide who may read the folder, as for any that a program makes.
#[cfg(unix)]
fn ordinary_permissions(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o777));
}

#[cfg(not(unix))]
fn ordinary_permissions(_: &mut tempfile::Builder<'_, '_>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_change_places_in_one_step_or_in_three() {
        for exchange in [exchange, exchange_by_renaming] {
            let around = tempfile::tempdir().unwrap();
            let (new, old) = (around.path().join("new"), around.path().join("old"));
            for folder in [&new, &old] {
                fs::create_dir(folder).unwrap();
                fs::write(folder.join("name"), folder.file_name().unwrap().as_encoded_bytes())
                    .unwrap();
            }
            exchange(&new, &old).unwrap();
            assert_eq!(fs::read(old.join("name")).unwrap(), b"new");
            assert_eq!(fs::read(new.join("name")).unwrap(), b"old");
            assert_eq!(fs::read_dir(&around).unwrap().count(), 2);
        }
    }

    #[test]
    fn folders_that_are_being_made_at_once_are_not_swept_away() {
        let around = tempfile::tempdir().unwrap();
        let place = around.path().join("release");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let staging = Staging::prepare(&place).unwrap();
                        fs::write(staging.folder().join("name"), "content").unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(&around).unwrap().count(), 0);
    }

    #[test]
    fn releases_that_are_put_in_one_place_at_once_replace_each_other() {
        for _ in 0..100 {
            let around = tempfile::tempdir().unwrap();
            let place = around.path().join("release");
            let together = std::sync::Barrier::new(4);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        let staging = Staging::prepare(&place).unwrap();
                        fs::create_dir(staging.folder().join("csv")).unwrap();
                        for (name, text) in [
                            (SUMS, "x  csv/a\nx  datapackage.json\nx  energydb-1.sqlite\n"),
                            ("csv/a", ""),
                            ("datapackage.json", ""),
                            ("energydb-1.sqlite", ""),
                        ] {
                            fs::write(staging.folder().join(name), text).unwrap();
                        }
                        together.wait();
                        staging.replace().unwrap();
                    });
                }
            });
            assert_eq!(files(&place).unwrap().len(), 4);
            assert_eq!(fs::read_dir(&around).unwrap().count(), 1);
        }
    }
}
