//! `ARCHITECTURE.md` says what each folder of `src` may know. This reads what each imports.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::PROJECT;

/// What each folder or file of the table may know, by its name in `src` without an ending.
fn allowed() -> BTreeMap<String, Vec<String>> {
    let page = fs::read_to_string(Path::new(PROJECT).join("ARCHITECTURE.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `src/"));
    let allowed = rows.map(|row| {
        let cells: Vec<_> = row.split('|').collect();
        let name = cells[0].split(['.', '`']).next().unwrap().to_owned();
        let known = cells[2].split('`').skip(1).step_by(2).map(Into::into).collect();
        (name, known)
    });
    allowed.collect()
}

/// The files of a module: its own, and those in its folder.
fn files(module: &str) -> Vec<PathBuf> {
    let source = Path::new(PROJECT).join("src");
    let mut folders = vec![source.join(module)];
    let mut files = vec![source.join(format!("{module}.rs"))];
    files.retain(|path| path.is_file());
    while let Some(folder) = folders.pop().filter(|folder| folder.is_dir()) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let found = if path.is_dir() { &mut folders } else { &mut files };
            found.push(path);
        }
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "rs"));
    files
}

#[test]
fn each_folder_imports_what_the_architecture_allows_and_nothing_else() {
    let allowed = allowed();
    assert!(allowed.len() > 10, "{allowed:?}");
    for (name, may_know) in &allowed {
        let files = files(name);
        assert!(!files.is_empty(), "there is no src/{name}");
        let mut unknown: Vec<_> = may_know.iter().map(String::as_str).collect();
        for path in files {
            let text = fs::read_to_string(&path).unwrap();
            // A test module is last in its file.
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let imports = lines.flat_map(|line| line.split("crate::").skip(1));
            let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            for import in imports.map(|rest| rest.split(|c| !is_of_name(c)).next().unwrap()) {
                unknown.retain(|known| *known != import);
                let is_allowed = import == name
                    || may_know.iter().any(|known| known == import)
                    || name == "command"
                    // The small modules have no row.
                    || !allowed.contains_key(import);
                assert!(
                    is_allowed,
                    "{path:?} imports {import}, which ARCHITECTURE.md does not allow"
                );
            }
        }
        assert!(unknown.is_empty(), "src/{name} does not import {unknown:?}");
    }
}
