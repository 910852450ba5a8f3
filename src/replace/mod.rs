//! Files and folders that take the place of older ones in one step, so that there is always one of
//! the two, whole. What is to be in a place is made in a private folder beside it. Whether
//! something may be replaced is for the caller to say.

mod beside;
mod file;
mod folder;

use std::path::Path;

pub use beside::Beside;
pub use file::{NewFile, Sealed, follow_links};
pub use folder::NewFolder;

/// The folder that holds a path.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    }
}
