//! Makes the files that the program contains:
//!
//! - every named query and view, so that a new one only needs a new file
//! - how columns are shown and which characters are hidden, so that a query does not compute it first
//! - which characters look like others
//! - an empty database of the newest schema, so that a build does not run the migrations first
//! - the database of the built-in data, so that a query without a file opens it at once
//!
//! The program's own modules make the databases, and are compiled here a second time. So the databases are
//! always what the program itself would build.
#![allow(
    dead_code,
    unused_imports,
    reason = "the modules are the program's, which uses all of them"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use regex_syntax::hir::{Class, HirKind};
use rusqlite::Connection;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;

use crate::database::build::{Plan, Progress, fill_file};
use crate::database::destination::Destination;
use crate::database::schema;
use crate::input::document::Document;
use crate::input::findings::Accepted;
use crate::measurement::published::Precision;
use crate::signal::Signals;

#[path = "src/database"]
mod database {
    pub mod build;
    pub mod content_hash;
    pub mod dates;
    pub mod destination;
    pub mod dictionary;
    pub mod known;
    mod lengths;
    pub mod load;
    pub mod lock;
    pub mod metadata;
    pub mod open;
    mod row;
    pub mod schema;
    mod schema_pages;
    pub mod seen;
    pub mod template;
    mod unstable;
}
#[path = "src/date.rs"]
mod date;
#[path = "src/error.rs"]
mod error;
#[path = "src/hash.rs"]
mod hash;
#[path = "src/input/mod.rs"]
mod input;
#[path = "src/manifest.rs"]
mod manifest;
#[path = "src/measurement/mod.rs"]
mod measurement;
#[path = "src/panics.rs"]
mod panics;
// The built-in data has none.
#[path = "src/parquet_text/absent.rs"]
mod parquet_text;
#[path = "src/platform.rs"]
mod platform;
#[path = "src/progress.rs"]
mod progress;
#[path = "src/replace/mod.rs"]
mod replace;
#[path = "src/signal.rs"]
mod signal;
#[path = "src/slug.rs"]
mod slug;
#[path = "src/text.rs"]
mod text;

/// What the modules find in the program, made when it is first asked for.
mod embedded {
    #![allow(clippy::expect_used, reason = "a build script ends at its first error")]

    use std::sync::LazyLock;

    use crate::measurement::labels::Label;
    use crate::{Packed, Skeletons, Template};

    /// Nothing is shown here.
    pub const LABELS: &[(&str, Label)] = &[];
    pub static HIDDEN: LazyLock<Vec<(char, char)>> =
        LazyLock::new(|| crate::hidden().expect("could not find the hidden characters"));
    pub static SKELETONS: LazyLock<Vec<(char, u16, u8)>> = LazyLock::new(|| LOOKS.places.clone());
    pub static SKELETON_TEXT: LazyLock<String> = LazyLock::new(|| LOOKS.text.clone());

    pub static TEMPLATE: LazyLock<Vec<u8>> = LazyLock::new(|| MADE.bytes.clone());
    pub static OBJECTS: LazyLock<Vec<(&str, &str, Option<&str>)>> = LazyLock::new(|| {
        let objects = MADE.objects.iter();
        objects.map(|((kind, name), sql)| (&kind[..], &name[..], sql.as_deref())).collect()
    });
    pub static DOCUMENTS: LazyLock<Vec<(&str, usize)>> = LazyLock::new(|| {
        PACKING.documents.iter().map(|(name, length)| (name.as_str(), *length)).collect()
    });
    pub static PACKED: LazyLock<Vec<u8>> = LazyLock::new(|| PACKING.bytes.clone());

    static LOOKS: LazyLock<Skeletons> =
        LazyLock::new(|| Skeletons::make().expect("could not list the skeletons"));
    static MADE: LazyLock<Template> =
        LazyLock::new(|| Template::make().expect("could not make the template"));
    static PACKING: LazyLock<Packed> =
        LazyLock::new(|| Packed::make().expect("could not pack the built-in data"));
}

/// The date in the history of migrations until a build writes its release's day there.
const NO_DAY: &str = "0000-00-00";
/// Where the documents of the built-in data are.
const DOCUMENTS: &str = "data/leaderboard";

fn main() -> Result<()> {
    let mut code = String::new();
    embed(&mut code, "QUERIES", "queries", "named query")?;
    embed(&mut code, "VIEWS", VIEWS, "view")?;
    labels(&mut code)?;
    writeln!(code, "/// The first and the last of each range of hidden characters, in order.")?;
    writeln!(code, "pub const HIDDEN: &[(char, char)] = &{:?};", *embedded::HIDDEN)?;
    let skeletons = &*embedded::SKELETONS;
    writeln!(
        code,
        "/// Characters with another skeleton, in order, and where that is in the text."
    )?;
    writeln!(
        code,
        "pub static SKELETONS: [(char, u16, u8); {}] = {skeletons:?};",
        skeletons.len()
    )?;
    writeln!(code, "/// The skeletons of those characters.")?;
    writeln!(code, "pub static SKELETON_TEXT: &str = {:?};", *embedded::SKELETON_TEXT)?;
    // The migrations themselves are embedded by refinery, which does not watch its folder.
    println!("cargo::rerun-if-changed=migrations");
    println!("cargo::rerun-if-changed={DOCUMENTS}");

    let out = PathBuf::from(env::var("OUT_DIR")?);
    writeln!(
        code,
        "/// Kind, name and text of everything that the newest schema has, in that order."
    )?;
    writeln!(
        code,
        "pub static OBJECTS: [(&str, &str, Option<&str>); {}] = {:?};",
        embedded::OBJECTS.len(),
        *embedded::OBJECTS
    )?;
    writeln!(code, "/// The documents of the built-in data, with their lengths, in order.")?;
    writeln!(code, "pub const DOCUMENTS: &[(&str, usize)] = &{:?};", *embedded::DOCUMENTS)?;
    let release = manifest::Manifest::built_in()?.release;
    writeln!(code, "/// Day that names the state of the built-in data.")?;
    writeln!(code, "pub const DATA_VERSION: &str = {:?};", release.data_version)?;
    let mut carry = |name: &str, what: &str, bytes: &[u8]| -> Result<()> {
        let path = out.join(name.to_lowercase());
        fs::write(&path, bytes)?;
        writeln!(code, "/// {what}")?;
        let length = bytes.len();
        writeln!(code, "pub static {name}: [u8; {length}] = *include_bytes!({path:?});")?;
        Ok(())
    };
    let template = "An empty database of the newest schema, without indexes.";
    carry("TEMPLATE", template, &embedded::TEMPLATE)?;
    carry("PACKED", "Those documents one after the other, deflated.", &embedded::PACKED)?;
    carry("IMAGE", "The database of the built-in data.", &image(&out)?)?;
    fs::write(out.join("embedded.rs"), code)?;
    Ok(())
}

/// An empty database of the newest schema, without the indexes, which are cheaper to make once from
/// all rows.
struct Template {
    /// The file. It is not deflated: unpacking it would be a twentieth of a small build.
    bytes: Vec<u8>,
    /// Everything that the schema has, with the indexes.
    objects: schema::Objects,
}

impl Template {
    fn make() -> Result<Self> {
        let path = PathBuf::from(env::var("OUT_DIR")?).join("empty.sqlite");
        remove(&path)?;
        let views = files(VIEWS)?
            .iter()
            .map(|path| Ok((stem(path), fs::read_to_string(path)?)))
            .collect::<Result<Vec<_>>>()?;
        let views: Vec<_> = views.iter().map(|(name, sql)| (name.as_str(), sql.as_str())).collect();
        let mut connection = Connection::open(&path)?;
        schema::create(&mut connection, &views, NO_DAY)?;
        let objects = schema::objects(&connection)?;
        // An index without a text belongs to a key, and goes with its table.
        let is_index = |kind: &str, sql: &Option<String>| kind == "index" && sql.is_some();
        for ((_, name), _) in objects.iter().filter(|((kind, _), sql)| is_index(kind, sql)) {
            connection.execute_batch(&format!("drop index {name}"))?;
        }
        connection.execute_batch("vacuum")?;
        connection.close().map_err(|(_, error)| error)?;
        let bytes = fs::read(&path)?;
        remove(&path)?;
        Ok(Self { bytes, objects })
    }
}

/// The documents of the built-in data, deflated as one, since they have much in common.
struct Packed {
    documents: Vec<(String, usize)>,
    bytes: Vec<u8>,
}

impl Packed {
    fn make() -> Result<Self> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        let mut documents = Vec::new();
        for file in input::folder::files(Path::new(DOCUMENTS))? {
            let bytes = fs::read(&file.path)?;
            encoder.write_all(&bytes)?;
            documents.push((file.name, bytes.len()));
        }
        Ok(Self { documents, bytes: encoder.finish()? })
    }
}

/// The characters whose skeleton is not the character itself.
struct Skeletons {
    /// Each such character, where its skeleton starts in the text, and how long it is.
    places: Vec<(char, u16, u8)>,
    text: String,
}

impl Skeletons {
    fn make() -> Result<Self> {
        let mut starts = BTreeMap::new();
        let (mut places, mut text) = (Vec::new(), String::new());
        for character in '\0'..=char::MAX {
            let own = character.to_string();
            let skeleton: String = skeleton(&own).collect();
            // The program decomposes a name before it looks.
            if skeleton == own || !own.nfd().eq([character]) {
                continue;
            }
            let length = u8::try_from(skeleton.len())?;
            let start = match starts.get(&skeleton) {
                Some(start) => *start,
                None => {
                    let start = u16::try_from(text.len())?;
                    text.push_str(&skeleton);
                    starts.insert(skeleton, start);
                    start
                }
            };
            places.push((character, start, length));
        }
        Ok(Self { places, text })
    }
}

/// The database of the built-in data, as `energydb build` makes it.
fn image(out: &Path) -> Result<Vec<u8>> {
    let path = out.join("image.sqlite");
    remove(&path)?;
    let plan = Plan::new(Document::built_in()?, Accepted::default())?;
    let destination = Destination::prepare(&path)?;
    let (outcome, _) = fill_file(&destination, &plan, &Progress::default(), &Signals::none())?;
    if let Some(finding) = outcome.documents.iter().find_map(|of| of.findings.told.first()) {
        bail!("the built-in data is broken: {finding}");
    }
    ensure!(outcome.is_sound(), "the built-in data is broken");
    destination.replace(None)?;
    let bytes = fs::read(&path)?;
    remove(&path)?;
    Ok(bytes)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Where the views are.
const VIEWS: &str = "migrations/views";

/// The SQL files of a folder, in the order of their names.
fn files(folder: &str) -> io::Result<Vec<PathBuf>> {
    println!("cargo::rerun-if-changed={folder}");
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "sql") {
            paths.push(path);
        }
    }
    // Sorted by name without the ending, so that best comes before best-images.
    paths.sort_by_key(|path| stem(path));
    Ok(paths)
}

/// A file's name without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Adds a constant that lists `(file stem, content)` of the folder's SQL files in the order of their
/// names.
fn embed(code: &mut String, name: &str, folder: &str, what: &str) -> Result<()> {
    writeln!(code, "/// Every {what}: its file's stem and content.")?;
    writeln!(code, "pub const {name}: &[(&str, &str)] = &[")?;
    for path in files(folder)? {
        writeln!(code, "    ({:?}, include_str!({:?})),", stem(&path), path.canonicalize()?)?;
    }
    writeln!(code, "];")?;
    Ok(())
}

/// Adds a constant that lists how columns are shown, in the order of their names.
fn labels(code: &mut String) -> Result<()> {
    let mut labels = BTreeMap::new();
    for line in csv::Reader::from_path("migrations/labels.csv")?.deserialize() {
        let (column, label, unit, decimals): (String, String, Option<String>, Option<String>) =
            line?;
        let precision = match decimals.as_deref() {
            None => Precision::AsReceived,
            Some("whole") => Precision::Whole,
            Some("boolean") => Precision::Boolean,
            Some("real") => Precision::Real,
            Some("exact") => Precision::Exact,
            Some("change") => Precision::Change,
            Some(number) => {
                Precision::Decimals(number.parse().with_context(|| format!("'{number}' decimals"))?)
            }
        };
        let shown = format!(
            "Label {{ label: {label:?}, unit: {unit:?}, precision: Precision::{precision:?} }}"
        );
        ensure!(labels.insert(column.clone(), shown).is_none(), "{column} has two labels");
    }
    writeln!(code, "/// How columns are shown, in the order of their names.")?;
    writeln!(code, "pub const LABELS: &[(&str, Label)] = &[")?;
    for (column, label) in labels {
        writeln!(code, "    ({column:?}, {label}),")?;
    }
    writeln!(code, "];")?;
    Ok(())
}

/// Characters that are invisible or change how others look: controls, formats, separators, blanks other than
/// the space, and all characters that Unicode lets a program ignore. The blank Braille pattern is listed
/// separately, because no Unicode property marks it as blank.
const HIDDEN: &str =
    r"[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\x{2800}--\x20]";

/// The first and the last of each range of hidden characters.
fn hidden() -> Result<Vec<(char, char)>> {
    let HirKind::Class(Class::Unicode(class)) = regex_syntax::parse(HIDDEN)?.into_kind() else {
        bail!("{HIDDEN} is no class of characters");
    };
    Ok(class.iter().map(|range| (range.start(), range.end())).collect())
}
