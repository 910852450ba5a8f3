//! Where a build goes: into a file beside its destination that replaces it in one step, so that
//! there is always either the old database or the new one, whole.
//!
//! The file beside is locked while it is being built. One that nobody has locked was left by a
//! build that was killed; the next build to the same destination removes it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use tempfile::{NamedTempFile, TempPath};

use crate::database::open;
use crate::database::schema::APPLICATION_ID;
use crate::hash::sha256;

/// Letters and digits at the end of the name of a file that is being built.
const RANDOM_CHARACTERS: usize = 6;
/// Symbolic links followed in a row.
const MOST_LINKS: usize = 40;

/// A database file that is being built beside its destination.
pub struct Destination {
    path: PathBuf,
    /// Held open, since what is put into a folder that cannot be synced may be lost.
    folder: Folder,
    beside: TempPath,
    /// Held open, and so locked, until the build ends.
    lock: File,
}

impl Destination {
    /// Makes an empty file beside the destination.
    ///
    /// # Errors
    /// When something stands there that is not an energydb database, or the folder refuses.
    pub fn prepare(given: &Path) -> Result<Self> {
        let path = check(given)?;
        let folder = folder_of(&path);
        let cannot_write = || {
            format!(
                "could not write into the folder {} (for {})",
                folder.display(),
                given.display()
            )
        };
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".build-");
        let open = Folder::open(folder).with_context(cannot_write)?;
        sweep(folder, &prefix).with_context(cannot_write)?;
        let (lock, beside) = locked_file(folder, &prefix).with_context(cannot_write)?.into_parts();
        Ok(Self { path, folder: open, beside, lock })
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
        let cannot_write = || format!("could not write to disk: {}", self.path.display());
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&self.beside)
            .with_context(cannot_write)?;
        let syncing = file.try_clone().with_context(cannot_write)?;
        let (sha256, synced) = thread::scope(|scope| {
            // The disk is slow; the file is hashed meanwhile.
            let syncing = scope.spawn(move || syncing.sync_all());
            (sha256(&file), syncing.join())
        });
        synced
            .map_err(|_| anyhow!("syncing ended in a fault; please report it"))?
            .with_context(cannot_write)?;
        let sha256 = sha256.with_context(cannot_write)?;
        let bytes = file.metadata().with_context(cannot_write)?.len();
        Ok(Sealed { bytes, sha256 })
    }

    /// Puts the file in the place of its destination, on disk before this returns.
    ///
    /// # Errors
    /// When the system refuses; the destination is then as it was.
    pub fn replace(self) -> Result<()> {
        let Self { path, folder, beside, lock } = self;
        let shown = path.display();
        // Who may read the old file may read the new one, and nobody else.
        if let Ok(old) = path.metadata() {
            let _ = fs::set_permissions(&beside, old.permissions());
        }
        beside.persist(&path).with_context(|| format!("could not replace: {shown}"))?;
        folder.sync().with_context(|| format!("could not write to disk: {shown}"))?;
        drop(lock);
        Ok(())
    }
}

/// A database file that is complete and on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Its size.
    pub bytes: u64,
    /// The sha256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// The path that a build would replace.
///
/// # Errors
/// When something stands there that a build must not replace.
pub fn check(given: &Path) -> Result<PathBuf> {
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
            if shown.to_string().ends_with('/') {
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
    let is_ours = metadata.is_file()
        && open::header(&path)?.is_some_and(|header| header.application_id == APPLICATION_ID);
    if !is_ours {
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

/// Where a path leads, so that a symbolic link stays one.
fn follow_links(given: &Path) -> Result<PathBuf> {
    let mut path = given.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    bail!("too many symbolic links: {}", given.display())
}

/// The folder that holds a path.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    }
}

/// Makes a file whose name begins with a prefix, and locks it, so that no sweep takes it away.
///
/// # Errors
/// When the folder refuses.
pub fn locked_file(folder: &Path, prefix: &OsStr) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).rand_bytes(RANDOM_CHARACTERS);
    ordinary_permissions(&mut builder);
    loop {
        let file = builder.tempfile_in(folder)?;
        // A file system without locks leaves the file unprotected from another program's sweep,
        // which can at worst end this one.
        let _ = file.as_file().lock();
        // Another program may have swept the file away before it was locked.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the files of a folder that killed processes left behind, whose names begin with a prefix.
///
/// # Errors
/// When the folder cannot be read.
pub fn sweep(folder: &Path, prefix: &OsStr) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let random = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let is_left = random.is_some_and(|random| {
            random.len() == RANDOM_CHARACTERS && random.iter().all(u8::is_ascii_alphanumeric)
        });
        // Opening a pipe would wait for who never comes.
        if !is_left || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        if let Ok(left) = OpenOptions::new().write(true).open(entry.path())
            && left.try_lock().is_ok()
        {
            // Another build may be sweeping too.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Lets the user's mask decide who may read the file, as for any file that a program makes.
#[cfg(unix)]
fn ordinary_permissions(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn ordinary_permissions(_: &mut tempfile::Builder<'_, '_>) {}

/// A folder whose entries are to be on disk.
#[cfg(unix)]
pub struct Folder(File);

#[cfg(unix)]
impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn open(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// Puts its entries on disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }
}

/// A folder where the system lets nobody sync one.
#[cfg(not(unix))]
pub struct Folder;

#[cfg(not(unix))]
impl Folder {
    /// Has nothing to open.
    ///
    /// # Errors
    /// Never.
    pub fn open(_: &Path) -> io::Result<Self> {
        Ok(Self)
    }

    /// Has nothing to do.
    ///
    /// # Errors
    /// Never.
    pub fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_being_written_at_once_are_not_swept_away() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, prefix) = (folder.path(), OsStr::new(".database.build-"));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        sweep(folder, prefix).unwrap();
                        assert!(locked_file(folder, prefix).unwrap().path().exists());
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
    }
}
