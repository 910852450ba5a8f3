//! Reads the documents of a build one after the other and hands on what they hold in batches.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use anyhow::{Context, Result, bail};

use super::bytes::{self, Received};
use super::document::Document;
use super::findings::{Accepted, Findings};
use super::identities::Identities;
use super::json::JsonError;
use super::task_file::{self, At, Head, Sink, TaskFile};
use crate::check::{Check, Finding};
use crate::record::Configuration;

/// Rows handed on at a time.
const BATCH: usize = 128;

/// The form of file that a document is, as the database names it.
pub const TASK_FILE: &str = "task-file";

/// What reading hands on, in the order of the documents.
pub enum Part {
    /// Some of the rows of a document, and the findings in it that the publisher accepted.
    Rows {
        /// Which document: an index into the documents read.
        document: usize,
        /// Its next rows.
        rows: Vec<Configuration>,
        /// Its next accepted findings.
        accepted: Vec<Finding>,
    },
    /// The document has ended.
    End {
        /// Which document.
        document: usize,
    },
}

/// Where parts go; false when nobody takes them any more.
pub type Take<'t> = dyn FnMut(Part) -> bool + 't;

/// A document as it was read.
#[derive(Debug)]
pub struct ReadDocument {
    /// Its bytes.
    pub received: Received,
    /// What stands beside its configurations.
    pub head: Head,
    /// What the checks found in it.
    pub findings: Findings,
}

/// Everything that was read, beside the rows.
#[derive(Debug, Default)]
pub struct Reading {
    /// The documents, in the order in which they were read.
    pub documents: Vec<ReadDocument>,
    /// What they name.
    pub identities: Identities,
}

/// A document whose task and bytes are known.
struct Surveyed {
    document: Document,
    task: Option<String>,
    /// None where the text is broken, so that it was not read to its end.
    sha256: Option<String>,
}

/// The documents in the order in which they are loaded, whatever the order in which they were
/// given, and notes on those left out.
pub struct Order {
    /// What to read.
    pub documents: Vec<Document>,
    /// The number of each document's task, from 1, in the order of the tasks' names.
    pub tasks: Vec<u32>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Orders documents by task and sha256; the same bytes are read once. One document needs no order,
/// so it is not read for it.
///
/// # Errors
/// When a document cannot be read.
pub fn order(documents: Vec<Document>) -> Result<Order> {
    if documents.len() < 2 {
        return Ok(Order { tasks: vec![1; documents.len()], documents, notes: Vec::new() });
    }
    let mut surveyed = documents.into_iter().map(survey).collect::<Result<Vec<_>>>()?;
    // The name decides which of two equal documents stays, so that their order does not.
    surveyed.sort_by(|left, right| {
        let key = |of: &Surveyed| (of.task.clone(), of.sha256.clone(), of.document.name.clone());
        key(left).cmp(&key(right))
    });
    let mut notes = Vec::new();
    surveyed.dedup_by(|again, first| {
        let is_same = again.sha256.is_some() && again.sha256 == first.sha256;
        if is_same {
            let (again, first) = (&again.document.shown, &first.document.shown);
            notes.push(format!("{again} has the same bytes as {first} and is read once"));
        }
        is_same
    });
    let mut numbers = BTreeMap::new();
    for task in surveyed.iter().map(|of| &of.task) {
        let next = numbers.len() as u32 + 1;
        numbers.entry(task.clone()).or_insert(next);
    }
    let tasks = surveyed.iter().filter_map(|of| numbers.get(&of.task).copied()).collect();
    let documents = surveyed.into_iter().map(|of| of.document.known_as(of.sha256)).collect();
    Ok(Order { documents, tasks, notes })
}

fn survey(document: Document) -> Result<Surveyed> {
    // A fault in the text is found again, and told, when the document is read.
    let (task, received) =
        bytes::receive(document.open()?, &AtomicU64::new(0), task_file::read_task_name)
            .with_context(|| document.cannot_read())?;
    Ok(match task {
        Ok(task) => Surveyed { document, task, sha256: Some(received.sha256) },
        Err(_) => Surveyed { document, task: None, sha256: None },
    })
}

/// Reads the documents in turn. `progress` counts the bytes received so far.
///
/// # Errors
/// When a document cannot be read. What is wrong with its content is among its findings.
pub fn read(
    documents: &[Document],
    accept: &Accepted,
    strict: bool,
    progress: &AtomicU64,
    take: &mut Take<'_>,
) -> Result<Reading> {
    let mut reading = Reading::default();
    for (index, document) in documents.iter().enumerate() {
        let mut findings = Findings::default();
        let mut batches = Batches::new(index, take);
        let mut at = At::default();
        let identities = &mut reading.identities;
        let read = |text: bytes::Text<'_>| {
            let (findings, sink, at) = (&mut findings, &mut batches, &mut at);
            TaskFile { document: &document.shown, identities, accept, findings, sink, at }
                .read(text)
        };
        let (outcome, received) = bytes::receive(document.open()?, progress, read)
            .with_context(|| document.cannot_read())?;
        batches.end();
        if batches.is_over {
            bail!("reading was ended early");
        }
        let head = match outcome {
            Ok(head) => head,
            Err(error) => {
                let finding = broken_text(error, &at.pointer());
                findings.add(finding.with_context(|| document.cannot_read())?);
                Head::default()
            }
        };
        if strict {
            findings.refuse_unknown();
        }
        // The tasks and the order of the documents are those of the first reading.
        if document.sha256.as_ref().is_some_and(|known| *known != received.sha256) {
            bail!("the input changed while it was being read: {}; build again", document.shown);
        }
        reading.documents.push(ReadDocument { received, head, findings });
    }
    Ok(reading)
}

/// The finding for text that is not JSON; an error where the bytes could not be had at all.
fn broken_text(error: JsonError, pointer: &str) -> Result<Finding> {
    use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    let (place, value) = match error {
        JsonError::Syntax { place, message } => {
            let known = if pointer.is_empty() { "" } else { ", " };
            (format!("{pointer}{known}{place}"), message)
        }
        JsonError::Read(error)
            if matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof) =>
        {
            ("gzip".into(), error.to_string())
        }
        JsonError::Read(error) => return Err(error.into()),
    };
    Ok(Finding { check: Check::Json, place, value, expected: "JSON".into() })
}

struct Batches<'b, 't> {
    document: usize,
    take: &'b mut Take<'t>,
    rows: Vec<Configuration>,
    accepted: Vec<Finding>,
    is_over: bool,
}

impl<'b, 't> Batches<'b, 't> {
    fn new(document: usize, take: &'b mut Take<'t>) -> Self {
        Self { document, take, rows: Vec::new(), accepted: Vec::new(), is_over: false }
    }

    fn hand_on(&mut self) {
        let rows = std::mem::replace(&mut self.rows, Vec::with_capacity(BATCH));
        let accepted = std::mem::take(&mut self.accepted);
        self.give(Part::Rows { document: self.document, rows, accepted });
    }

    fn give(&mut self, part: Part) {
        self.is_over = self.is_over || !(self.take)(part);
    }

    fn end(&mut self) {
        self.hand_on();
        self.give(Part::End { document: self.document });
    }
}

impl Sink for Batches<'_, '_> {
    fn configuration(&mut self, configuration: Configuration) {
        self.rows.push(configuration);
        if self.rows.len() >= BATCH {
            self.hand_on();
        }
    }

    fn accepted(&mut self, finding: Finding) {
        self.accepted.push(finding);
        if self.accepted.len() >= BATCH {
            self.hand_on();
        }
    }
}
