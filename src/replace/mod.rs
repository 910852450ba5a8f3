//! Replaces files and folders in one step, so that there is always either the complete old one or the complete
//! new one. The new content is made in a private folder next to the destination. The caller decides whether
//! something may be replaced.

mod beside;
mod file;
mod folder;

use std::path::Path;

pub use beside::Beside;
pub use file::{NewFile, Sealed, follow_links};
pub use folder::NewFolder;

/// The folder that contains a path.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    }
}
