//! The files of a folder that may be documents: those that end in `.json`, `.jsonl` or `.csv`, also with
//! `.gz`, at any depth, in the order of their names. Hidden files and folders are skipped, and so are pipes
//! and other special files. A folder that symbolic links reach twice is read once, so circles of links end.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::text::printable;

/// What the names of documents end in, before `.gz` where they are packed.
const ENDINGS: [&str; 3] = [".json", ".jsonl", ".csv"];

/// The results of a run of the ML.ENERGY benchmark.
const RESULTS: &str = "results.json";
/// The results of a run of AIPerf, whose phases are beside it.
const OF_AIPERF: &str = "profile_export_aiperf.json";

/// Endings of files next to the results of a serving benchmark that are not read: the same results in another
/// form, and runs that failed or warmed up.
const BESIDE_RESULTS: [&str; 4] =
    [".pytorch.json", ".failure.json", "-failure.json", "warmup.json"];

/// A file in a folder, with its name relative to that.
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// `/` between its parts.
    pub name: String,
}

/// The files of a folder.
///
/// # Errors
/// When the folder or one in it cannot be read.
pub fn files(folder: &Path) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    walk(folder, "", &mut HashSet::new(), &mut found)?;
    Ok(found)
}

fn walk(
    folder: &Path,
    prefix: &str,
    seen: &mut HashSet<PathBuf>,
    found: &mut Vec<Found>,
) -> Result<()> {
    let cannot_read =
        || format!("could not read the folder: {}", printable(&folder.display().to_string()));
    if !seen.insert(folder.canonicalize().with_context(cannot_read)?) {
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot_read)? {
        let entry = entry.with_context(cannot_read)?;
        entries.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    entries.sort();
    // Other files next to the results of a run belong to the run.
    if entries.iter().any(|(name, _)| name == RESULTS) {
        entries.retain(|(name, path)| name == RESULTS || path.is_dir());
    }
    if entries.iter().any(|(name, _)| name == OF_AIPERF) {
        entries.retain(|(name, _)| name == OF_AIPERF);
    }
    for (name, path) in entries.into_iter().filter(|(name, _)| !name.starts_with('.')) {
        let plain = name.strip_suffix(".gz").unwrap_or(&name);
        let ends = |endings: &[&str]| endings.iter().any(|ending| plain.ends_with(ending));
        let is_document = ends(&ENDINGS) && !ends(&BESIDE_RESULTS);
        let name = format!("{prefix}{name}");
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                walk(&path, &format!("{name}/"), seen, found)?;
            }
            Ok(metadata) if !metadata.is_file() => {}
            // A link to nothing is reported when the file is read.
            _ if is_document => found.push(Found { path, name }),
            _ => {}
        }
    }
    Ok(())
}
