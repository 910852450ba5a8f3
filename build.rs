//! Embeds every file of a folder, so that adding a query or a view is adding a file; and an empty
//! database of the newest schema, so that no build has to run the migrations first.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use anyhow::Result;
use rusqlite::Connection;

#[allow(dead_code)]
#[path = "src/database/dictionary.rs"]
mod dictionary;
#[allow(dead_code)]
#[path = "src/database/schema.rs"]
mod schema;

/// Stands in the history of migrations until a build writes its release's day there.
const NO_DAY: &str = "0000-00-00";

fn main() -> Result<()> {
    let mut code = String::new();
    embed(&mut code, "QUERIES", "queries", "named query", "sql")?;
    embed(&mut code, "VIEWS", "migrations/views", "view", "sql")?;
    embed(&mut code, "DATA", "data", "source file of the built-in database", "json")?;
    // The migrations themselves are embedded by refinery, which does not watch its folder.
    println!("cargo::rerun-if-changed=migrations");
    let out = env::var("OUT_DIR")?;
    template(&mut code, &Path::new(&out).join("template.sqlite"))?;
    fs::write(Path::new(&out).join("embedded.rs"), code)?;
    Ok(())
}

/// Makes an empty database of the newest schema, without the indexes, which are cheaper to make
/// once from all rows. Adds constants with its bytes and with the statements that make those.
fn template(code: &mut String, path: &Path) -> Result<()> {
    println!("cargo::rerun-if-changed=src/database/schema.rs");
    println!("cargo::rerun-if-changed=src/database/dictionary.rs");
    if path.exists() {
        fs::remove_file(path)?;
    }
    let views = files("migrations/views", "sql")?
        .iter()
        .map(|path| Ok((stem(path), fs::read_to_string(path)?)))
        .collect::<Result<Vec<_>>>()?;
    let views: Vec<_> = views.iter().map(|(name, sql)| (name.as_str(), sql.as_str())).collect();
    let mut connection = Connection::open(path)?;
    schema::create(&mut connection, &views, NO_DAY)?;
    let indexes: Vec<(String, String)> = connection
        .prepare(
            "select name, sql from sqlite_schema \
             where type = 'index' and sql is not null order by name",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    writeln!(code, "/// What makes each index, in the order of their names.")?;
    writeln!(code, "pub const INDEXES: &[&str] = &[")?;
    for (name, sql) in &indexes {
        writeln!(code, "    {sql:?},")?;
        connection.execute_batch(&format!("drop index {name}"))?;
    }
    writeln!(code, "];")?;
    connection.execute_batch("vacuum")?;
    connection.close().map_err(|(_, error)| error)?;
    writeln!(code, "/// An empty database of the newest schema, without indexes.")?;
    writeln!(code, "pub const TEMPLATE: &[u8] = include_bytes!({path:?});")?;
    Ok(())
}

/// The files of a folder with this ending, in the order of their names.
fn files(folder: &str, ending: &str) -> io::Result<Vec<PathBuf>> {
    println!("cargo::rerun-if-changed={folder}");
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == ending) {
            paths.push(path);
        }
    }
    // By name, which the ending is no part of: best before best-images.
    paths.sort_by_key(|path| stem(path));
    Ok(paths)
}

/// A file's name without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Adds a constant that lists `(file stem, content)` of the folder's files in the order of their
/// names.
fn embed(code: &mut String, name: &str, folder: &str, what: &str, ending: &str) -> Result<()> {
    let kind = if ending == "sql" { ("&str", "include_str!") } else { ("&[u8]", "include_bytes!") };
    writeln!(code, "/// Every {what}: its file's stem and content.")?;
    writeln!(code, "pub const {name}: &[(&str, {})] = &[", kind.0)?;
    for path in files(folder, ending)? {
        writeln!(code, "    ({:?}, {}({:?})),", stem(&path), kind.1, path.canonicalize()?)?;
    }
    writeln!(code, "];")?;
    Ok(())
}
