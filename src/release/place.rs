//! The destination of a release folder. It may replace an older release, and nothing else.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{SUMS, database_in, files};
use crate::database::lock;
use crate::platform;
use crate::replace::{NewFolder, folder_of};

/// Makes an empty folder beside the place of a release.
///
/// # Errors
/// When there is something that is not a release, or the folder around it refuses.
pub fn prepare(given: &Path) -> Result<NewFolder> {
    // A slash at the end would make a symbolic link look like what it leads to.
    let place: PathBuf = given.components().collect();
    refuse_others(&place)?;
    NewFolder::prepare(&place, "package")
}

/// Puts a release in its place. No other program begins a transaction on the database of the older
/// one meanwhile, whose journal would lie beside the newer.
///
/// # Errors
/// When there is something that is not a release, another program has a transaction open in its
/// database, or the system refuses.
pub fn replace(release: NewFolder) -> Result<()> {
    release.replace(|place| {
        let old = database_in(place)?;
        let held = old.map(|old| lock::to_replace(&old, &old)).transpose()?;
        refuse_others(place)?;
        Ok(held)
    })
}

/// Refuses a place that contains anything but one release.
fn refuse_others(place: &Path) -> Result<()> {
    loop {
        // Held open so that no other folder gets the same identity.
        let folder = place.is_dir().then(|| File::open(place));
        let checked = check_once(place);
        let is_another = || {
            let before = platform::identity(&folder?.ok()?.metadata().ok()?);
            Some(before != platform::identity(&place.metadata().ok()?))
        };
        // A release that was replaced meanwhile has been seen while it was being removed.
        if checked.is_ok() || is_another() != Some(true) {
            return checked;
        }
    }
}

fn check_once(path: &Path) -> Result<()> {
    let shown = path.display();
    if path.as_os_str() == "-" {
        bail!("a release is a folder and cannot be written to standard output; name one with -o");
    }
    if path.file_name().is_none() {
        bail!("'{shown}' cannot be the name of a new folder");
    }
    let Ok(metadata) = path.symlink_metadata() else {
        let around = folder_of(path);
        if !around.is_dir() {
            bail!("no such folder: {} (for {shown}); make it first", around.display());
        }
        return Ok(());
    };
    if metadata.is_symlink() {
        bail!("{shown} is a symbolic link, and its folder is not replaced; name the folder itself");
    }
    if !metadata.is_dir() {
        bail!("{shown} exists and is not a folder; name another");
    }
    let Ok(Some(database)) = database_in(path) else {
        bail!("{shown} exists and is not a release folder, so it is not replaced; name another");
    };
    lock::refuse_journals(&database, &database)?;
    let listed = listed(path)?;
    for file in files(path).with_context(|| format!("could not read the folder: {shown}"))? {
        let is_of_sqlite = lock::is_beside(&path.join(&file), &database);
        if file != SUMS && !listed.contains(&file) && !is_of_sqlite {
            bail!(
                "{shown} contains a file that does not belong to the release, and would be removed: \
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
