//! The folder of a release: what stands in it and how it is recognised.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The file that lists every other with its sha256.
pub const SUMS: &str = "SHA256SUMS";
/// The file that describes the tables, by which a release is recognised.
pub const DESCRIPTION: &str = "datapackage.json";
/// How the name of the database begins, before the day that names the state of the data.
pub const DATABASE_PREFIX: &str = "energydb-";
/// How the name of the database ends.
pub const DATABASE_ENDING: &str = ".sqlite";

/// Whether a folder is that of a release.
pub fn is_release(folder: &Path) -> bool {
    [SUMS, DESCRIPTION].iter().all(|name| folder.join(name).is_file())
}

/// The database in the folder of a release; none where the path is no such folder.
///
/// # Errors
/// When the folder cannot be read or holds no database, or several.
pub fn database_in(path: &Path) -> Result<Option<PathBuf>> {
    if !is_release(path) {
        return Ok(None);
    }
    let shown = path.display();
    let mut found = Vec::new();
    for entry in
        fs::read_dir(path).with_context(|| format!("could not read the folder: {shown}"))?
    {
        let name =
            entry.with_context(|| format!("could not read the folder: {shown}"))?.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(DATABASE_PREFIX) && name.ends_with(DATABASE_ENDING) {
            found.push(path.join(&*name));
        }
    }
    match &found[..] {
        [one] => Ok(Some(one.clone())),
        [] => bail!("the release holds no database: {shown}"),
        _ => bail!("the release holds several databases; name one of them: {shown}"),
    }
}
