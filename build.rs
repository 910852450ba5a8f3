//! Embeds every file of a folder, so that adding a query or a view is adding a file.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let mut code = String::new();
    embed(&mut code, "QUERIES", "queries", "named query", "sql")?;
    embed(&mut code, "VIEWS", "migrations/views", "view", "sql")?;
    embed(&mut code, "DATA", "data", "source file of the built-in database", "json")?;
    // The migrations themselves are embedded by refinery, which does not watch its folder.
    println!("cargo::rerun-if-changed=migrations");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("embedded.rs"), code)
}

/// Adds a constant that lists `(file stem, bytes)` of the folder's files in the order of their names.
fn embed(code: &mut String, name: &str, folder: &str, what: &str, ending: &str) -> io::Result<()> {
    println!("cargo::rerun-if-changed={folder}");
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == ending) {
            paths.push(path);
        }
    }
    paths.sort();
    let kind = if ending == "sql" { ("&str", "include_str!") } else { ("&[u8]", "include_bytes!") };
    let lines = (|| {
        writeln!(code, "/// Every {what}: its file's stem and content.")?;
        writeln!(code, "pub const {name}: &[(&str, {})] = &[", kind.0)?;
        for path in &paths {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let full = path.canonicalize().map_err(|_| std::fmt::Error)?;
            writeln!(code, "    ({stem:?}, {}({full:?})),", kind.1)?;
        }
        writeln!(code, "];")
    })();
    lines.map_err(io::Error::other)
}
