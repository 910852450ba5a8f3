//! Building a database from documents: read on one thread, loaded on another.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use rusqlite::{Connection, OpenFlags};

use super::destination::Destination;
use super::{open, template};
use crate::database::dates::{Dates, Release};
use crate::database::load::{Counts, Loaded, Loader};
use crate::input::document::Document;
use crate::input::findings::Accepted;
use crate::input::kind::Holds;
use crate::input::read::{self, Batch, Order, ReadDocument};
use crate::manifest::Manifest;
use crate::measurement::check::Check;
use crate::progress::{READING, enter};
use crate::replace::Sealed;
use crate::signal::Signals;
use crate::text::counted;

/// The name of a state of the data whose day is unknown.
pub const UNDATED: &str = "undated";
/// Batches that may wait between reading and loading.
const WAITING_BATCHES: usize = 8;
/// Memory that SQLite may use for pages and for sorting an index, in KiB.
const CACHE_KIB: i64 = 4 * 1024;
/// Threads that SQLite may use beside its own to sort an index.
const SORTING_THREADS: i64 = 2;

/// What to build, and how strictly.
pub struct Plan {
    /// The documents, ordered.
    pub order: Order,
    /// What the publisher says of the data.
    pub manifest: Manifest,
    /// The days that name the release to make.
    pub dates: Dates,
    /// Checks whose findings are let through.
    pub accept: Accepted,
    /// Whether unknown fields refuse a document.
    pub strict: bool,
}

impl Plan {
    /// Documents with the built-in manifest, to compare or to build in.
    ///
    /// # Errors
    /// When a document cannot be read.
    pub fn new(documents: Vec<Document>, accept: Accepted) -> Result<Self> {
        Ok(Self {
            order: read::order(documents)?,
            manifest: Manifest::built_in()?,
            dates: Dates { otherwise: Some(UNDATED), ..Dates::default() },
            accept,
            strict: false,
        })
    }
}

/// How far a build has come.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes received of all documents.
    pub bytes: AtomicU64,
    /// Rows loaded.
    pub rows: AtomicU64,
}

/// What a build came to.
pub struct Outcome {
    /// What the database contains.
    pub counts: Counts,
    /// Its content hash, in hexadecimal, and its release, or `None` if something refused the build.
    pub made: Option<(String, Release)>,
    /// The documents as they were read, with what was found in them.
    pub documents: Vec<ReadDocument>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Outcome {
    /// Whether nothing refused the build. Otherwise the database is not complete.
    pub fn is_sound(&self) -> bool {
        self.made.is_some()
    }
}

/// Makes the schema in an empty database and loads the documents of the plan.
///
/// # Errors
/// When a document cannot be read, SQLite refuses, or a signal asks to end. What is wrong with a
/// document's content is not an error here but a finding of the outcome.
pub fn fill(
    connection: &mut Connection,
    plan: &Plan,
    progress: &Progress,
    signals: &Signals,
) -> Result<Outcome> {
    // The file is private until it is complete, so nothing needs a journal or a lock.
    connection.pragma_update(None, "journal_mode", "off")?;
    connection.pragma_update(None, "synchronous", "off")?;
    connection.pragma_update(None, "locking_mode", "exclusive")?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "threads", SORTING_THREADS)?;
    signals.interrupt(connection)?;

    enter(READING);
    let documents = &plan.order.documents;
    let (give, take) = sync_channel(WAITING_BATCHES);
    let (reading, loaded) = thread::scope(|scope| {
        let reading = scope.spawn(move || {
            read::read(documents, &plan.accept, plan.strict, &progress.bytes, &mut |batch| {
                give.send(batch).is_ok()
            })
        });
        // When loading fails the receiver is dropped, which ends reading.
        let loaded = load(connection, plan, take, progress, signals);
        (reading.join(), loaded)
    });
    let mut loader = loaded?;
    let mut reading =
        reading.map_err(|_| anyhow!("reading ended in a fault; please report it"))??;

    let mut notes = plan.order.notes.clone();
    for (index, conflicts) in std::mem::take(&mut loader.conflicts) {
        if let Some(document) = reading.documents.get_mut(index) {
            document.findings.append(conflicts);
        }
    }
    notes.extend(shared(documents, &loader.shared));
    let is_sound = reading.documents.iter().all(|document| document.findings.count == 0);
    let (counts, made) = if is_sound {
        notes.extend(retitled(plan, &reading.documents));
        notes.extend(undescribed(plan, &reading.documents));
        notes.extend(of_documents(documents, &reading.documents));
        notes.extend(idle_facts(documents, &reading.documents));
        let release = plan.dates.release(&plan.manifest, documents, &reading.documents)?;
        let Loaded { counts, content_hash } = loader.end(&reading, &plan.manifest, &release)?;
        (counts, Some((content_hash, release)))
    } else {
        (loader.counts, None)
    };
    Ok(Outcome { counts, made, documents: reading.documents, notes })
}

/// Makes the empty tables and loads what comes, as it comes.
fn load<'c>(
    connection: &'c mut Connection,
    plan: &'c Plan,
    batches: Receiver<Batch>,
    progress: &Progress,
    signals: &Signals,
) -> Result<Loader<'c>> {
    template::copy_into(connection)?;
    let Order { documents, tasks, .. } = &plan.order;
    let mut loader = Loader::begin(connection, documents, tasks)?;
    for batch in batches {
        signals.check()?;
        loader.take(batch)?;
        progress.rows.store(loader.counts.configurations, Ordering::Relaxed);
    }
    Ok(loader)
}

/// Notes on configurations that more than one document contains. It is usual of models' own files,
/// which share one note.
fn shared(documents: &[Document], shared: &BTreeMap<usize, u64>) -> Vec<String> {
    let mut notes = Vec::new();
    let (mut in_models, mut models) = (0, 0);
    for (index, count) in shared {
        let Some(document) = documents.get(*index) else { continue };
        if document.form.is_detail() {
            in_models += count;
            models += 1;
            continue;
        }
        notes.push(format!(
            "{} of {} are also in another document with equal figures, and are stored once",
            counted(*count, "configuration"),
            document.shown
        ));
    }
    if models > 0 {
        notes.push(format!(
            "{} of {models} models' own files are also in another document with equal figures, and \
             are stored once",
            counted(in_models, "configuration")
        ));
    }
    notes
}

/// Notes on documents that give their task another title than the first document of it.
fn retitled(plan: &Plan, read: &[ReadDocument]) -> Vec<String> {
    let mut titles = BTreeMap::new();
    let mut notes = Vec::new();
    for (document, of) in plan.order.documents.iter().zip(read) {
        if document.form.kind.holds != Holds::Configurations {
            continue;
        }
        let title = &of.head.display_name;
        if titles.entry(&of.head.task).or_insert(title) != &title {
            notes.push(format!(
                "{} and an earlier document of its task have different task_display_name; the \
                 earlier one is stored",
                document.shown
            ));
        }
    }
    notes
}

/// Builds a file: whole, checked and on disk, but not yet in its place. None where the documents
/// have findings.
///
/// # Errors
/// As [`fill`], and when a key refers to nothing.
pub fn fill_file(
    destination: &Destination,
    plan: &Plan,
    progress: &Progress,
    signals: &Signals,
) -> Result<(Outcome, Option<Sealed>)> {
    fill_and_seal(destination, plan, progress, signals).map_err(|error| {
        if error.chain().any(|cause| cause.is::<rusqlite::Error>()) {
            let shown = destination.given().display();
            return error.context(format!("could not write the database: {shown}"));
        }
        error
    })
}

fn fill_and_seal(
    destination: &Destination,
    plan: &Plan,
    progress: &Progress,
    signals: &Signals,
) -> Result<(Outcome, Option<Sealed>)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(destination.beside(), flags)?;
    let outcome = fill(&mut connection, plan, progress, signals)?;
    if !outcome.is_sound() {
        return Ok((outcome, None));
    }
    enter("checking keys and writing to the disk");
    // A large file takes a while to write to the disk and to hash; the keys are checked meanwhile.
    let (sealed, keys) = thread::scope(|scope| {
        let sealed = scope.spawn(|| destination.seal());
        let keys = check_keys(&connection);
        (sealed.join(), keys)
    });
    keys?;
    connection.close().map_err(|(_, error)| error)?;
    signals.check()?;
    let sealed = sealed.map_err(|_| anyhow!("sealing ended in a fault; please report it"))??;
    Ok((outcome, Some(sealed)))
}

fn check_keys(connection: &Connection) -> Result<()> {
    let mut broken = connection.prepare("pragma foreign_key_check")?;
    if let Some(row) = broken.query([])?.next()? {
        let table: String = row.get(0)?;
        bail!(
            "a row of {table} refers to a missing row; this is a fault in energydb, please report it"
        );
    }
    Ok(())
}

/// The notes of the documents, each once, with the document or how many there are.
fn of_documents(documents: &[Document], read: &[ReadDocument]) -> Vec<String> {
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut places = BTreeMap::new();
    for (document, of) in documents.iter().zip(read) {
        for note in &of.head.notes {
            let place = *places.entry(note).or_insert(notes.len());
            if place == notes.len() {
                notes.push((note, Vec::new()));
            }
            notes[place].1.push(&document.shown);
        }
    }
    let said = notes.iter().map(|(note, documents)| match documents[..] {
        [first, _, ..] => format!("{first} and {} more: {note}", documents.len() - 1),
        _ => format!("{}: {note}", documents.join("")),
    });
    said.collect()
}

/// Notes on facts that were given and hold of none of the documents that they were given for.
fn idle_facts(documents: &[Document], read: &[ReadDocument]) -> Vec<String> {
    let mut given: BTreeMap<String, bool> = BTreeMap::new();
    for (document, of) in documents.iter().zip(read).filter(|(of, _)| of.form.is_own()) {
        for (name, value) in document.given.facts() {
            let fact = format!("{name}={value}");
            let is_idle = of.head.idle_facts.contains(&fact);
            *given.entry(fact).or_insert(true) &= is_idle;
        }
    }
    let idle = given.into_iter().filter(|(_, is_idle)| *is_idle);
    idle.map(|(fact, _)| {
        format!("the fact {fact} changes nothing: each file that it is given for says otherwise")
    })
    .collect()
}

/// Notes on documents that are not those which the manifest's words were written for.
fn undescribed(plan: &Plan, read: &[ReadDocument]) -> Vec<String> {
    let mut notes = Vec::new();
    for (document, of) in plan.order.documents.iter().zip(read) {
        if let (Some(last), Some(compiled)) = (&of.head.last_updated, plan.manifest.compiled())
            && last != compiled
            && plan.manifest.describes(&of.received.sha256)
        {
            notes.push(format!(
                "{} was last updated on {last}, but the manifest is for data compiled on {compiled}; \
                 --manifest FILE gives another manifest",
                document.shown
            ));
        }
    }
    let others: Vec<_> = plan
        .order
        .documents
        .iter()
        .zip(read)
        .filter(|(document, of)| {
            !document.form.is_own() && !plan.manifest.describes(&of.received.sha256)
        })
        .map(|(document, _)| document.shown.as_str())
        .collect();
    notes.extend(match others[..] {
        [] => None,
        [one] => Some(format!(
            "the manifest does not list {one}; its provenance is still the manifest's, but not its \
             date; --manifest FILE gives another manifest"
        )),
        [one, ref more @ ..] => Some(format!(
            "the manifest does not list {one} and {} more; their provenance is still the \
             manifest's, but not their date; --manifest FILE gives another manifest",
            more.len()
        )),
    });
    notes
}

/// A database of documents that goes with the connection, to be read only; what it came to.
///
/// # Errors
/// As [`fill`].
pub fn temporary(
    plan: &Plan,
    progress: &Progress,
    signals: &Signals,
) -> Result<(Connection, Outcome)> {
    // SQLite keeps a small one in memory and a large one in a file without a name.
    let mut connection = Connection::open("").context("could not make a temporary database")?;
    let outcome = fill(&mut connection, plan, progress, signals)?;
    only_read(&mut connection)?;
    Ok((connection, outcome))
}

fn only_read(connection: &mut Connection) -> Result<()> {
    connection.pragma_update(None, "query_only", true)?;
    open::distrust(connection)?;
    Ok(())
}

/// The acceptable checks of these names.
///
/// # Errors
/// When a name is not one of theirs.
pub fn accepted(names: &[String]) -> Result<Accepted> {
    let accepted = names.iter().map(|name| {
        Check::acceptable_named(name).ok_or_else(|| {
            let known: Vec<_> = Check::ALL
                .iter()
                .filter(|check| check.acceptable())
                .map(|check| check.name())
                .collect();
            crate::error::usage(format!(
                "--accept takes one of {}, not '{name}'; 'energydb checks' explains them",
                known.join(", ")
            ))
        })
    });
    Ok(Accepted(accepted.collect::<Result<_>>()?))
}
