//! Differences between operating systems. No other module checks which system it runs on.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// A folder whose entries are to be on disk. It is opened first, so that a folder that cannot be
/// synced is refused before anything is written. Windows has no such thing, and syncs files alone.
pub struct Folder(#[cfg(unix)] File);

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// When the system refuses.
    #[cfg(unix)]
    pub fn open(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// Makes sure that there is such a folder.
    ///
    /// # Errors
    /// When there is none.
    #[cfg(not(unix))]
    pub fn open(path: &Path) -> io::Result<Self> {
        fs::read_dir(path).map(|_| Self())
    }

    /// Puts its entries on disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn sync(&self) -> io::Result<()> {
        #[cfg(unix)]
        self.0.sync_all()?;
        Ok(())
    }
}

/// Whether a file can be replaced while a program has it open. Windows refuses to replace a file that SQLite
/// has open, so it needs no lock.
pub const REPLACES_OPEN_FILES: bool = cfg!(not(windows));

/// Puts the content of a file on disk.
///
/// # Errors
/// When the system refuses.
pub fn sync_file(path: &Path) -> io::Result<()> {
    // Windows syncs only what may be written to.
    File::options().read(true).write(cfg!(windows)).open(path)?.sync_all()
}

/// What tells one folder from another, where the system has such a thing.
#[cfg(unix)]
pub fn identity(folder: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((folder.dev(), folder.ino()))
}

/// What tells one folder from another, where the system has such a thing.
#[cfg(not(unix))]
pub fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// The signals that ask a program to end.
#[cfg(unix)]
pub fn ending_signals() -> Vec<i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = vec![SIGINT, SIGTERM];
    // What 'nohup' runs goes on when its terminal is closed.
    if !is_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    signals
}

/// The signals that ask a program to end: Ctrl-C, Ctrl-Break and an end from outside.
#[cfg(not(unix))]
pub fn ending_signals() -> Vec<i32> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    const SIGBREAK: i32 = 21;
    vec![SIGINT, SIGTERM, SIGBREAK]
}

/// Whether the program was started with a signal ignored.
#[cfg(target_os = "linux")]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    ignored.is_some_and(|bits| bits >> (signal - 1) & 1 == 1)
}

/// Whether the program was started with a signal ignored: where the system does not say, whether no
/// stream is a terminal's, as with 'nohup'.
#[cfg(all(unix, not(target_os = "linux")))]
fn is_ignored(_: i32) -> bool {
    use std::io::IsTerminal;
    !io::stdin().is_terminal() && !io::stdout().is_terminal() && !io::stderr().is_terminal()
}

/// Makes a write beyond the limit on the size of files an error, which otherwise ends the program
/// without a word.
///
/// # Errors
/// When the system refuses.
pub fn report_full_quota() -> io::Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default())?;
    Ok(())
}

/// Makes a new folder accessible to its owner only.
pub fn make_private(builder: &mut tempfile::Builder<'_, '_>) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    #[cfg(not(unix))]
    let _ = builder;
}

/// Gives a file or folder to those who may read what it replaces, as far as the system lets us.
pub fn keep_permissions(old: &Metadata, new: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        // Only the superuser may give a file away; a group is kept where its owner is in it.
        let _ = chown(new, Some(old.uid()), Some(old.gid()));
        let _ = chown(new, None, Some(old.gid()));
    }
    let _ = fs::set_permissions(new, old.permissions());
}

/// Takes a file or folder from those who may not read a folder.
///
/// # Errors
/// When the system refuses.
pub fn narrow_permissions(folder: &Metadata, new: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = new.metadata()?.permissions().mode() & folder.permissions().mode();
        fs::set_permissions(new, fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (folder, new);
    Ok(())
}

/// Moves a file or folder to another name, in the place of a file that has it.
///
/// # Errors
/// When the system refuses.
#[cfg(not(windows))]
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// Moves a file or folder to another name, in the place of a file that has it. A scanner that holds
/// one of the two for a moment is waited for.
///
/// # Errors
/// When the system refuses for more than a second.
#[cfg(windows)]
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    for _ in 0..20 {
        match fs::rename(from, to) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            outcome => return outcome,
        }
    }
    fs::rename(from, to)
}

/// Lets two folders change places.
///
/// # Errors
/// When the system refuses.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        // A file system that cannot do so in one step.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => exchange_by_renaming(new, old),
        outcome => Ok(outcome?),
    }
}

/// Lets two folders change places.
///
/// # Errors
/// When the system refuses.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    exchange_by_renaming(new, old)
}

/// Exchanges two folders in three steps. If the program is killed between the steps, the older folder stays
/// next to the newer.
fn exchange_by_renaming(new: &Path, old: &Path) -> io::Result<()> {
    let mut aside = new.to_owned().into_os_string();
    aside.push("-old");
    rename(old, aside.as_ref())?;
    if let Err(error) = rename(new, old) {
        rename(aside.as_ref(), old)?;
        return Err(error);
    }
    rename(aside.as_ref(), new)
}

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
}
