//! Reads the documents of a build one after the other, and passes on their content in batches.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use anyhow::{Context, Result, bail};

use crate::input::bytes;
use crate::input::classify;
use crate::input::cross_checks;
use crate::input::document::Document;
use crate::input::findings::{Accepted, Findings};
use crate::input::json::JsonError;
use crate::input::kind::Survey;
use crate::input::own::benchmark;
use crate::input::own::given::USUAL_SOURCE;
use crate::input::reader::{At, Reader, Report};
use crate::input::reading::Batches;
pub use crate::input::reading::{Batch, Head, ReadDocument, Reading, Take};
use crate::measurement::check::{Check, Finding};

/// A document whose task, form and bytes are known.
struct Surveyed {
    document: Document,
    task: Option<String>,
}

/// The documents in the order in which they are loaded, whatever the order in which they were
/// given, and notes on those left out.
pub struct Order {
    /// What to read.
    pub documents: Vec<Document>,
    /// The number of each document's task, from 1, in the order of the tasks' names; 0 for an index,
    /// which is of no one task.
    pub tasks: Vec<u32>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Orders documents by task, kind and sha256. Documents with the same bytes are read once. A single task file
/// needs no order, so it is not surveyed. Files of unknown kinds that were found in a folder are left out.
///
/// # Errors
/// When a document cannot be read, or none is left.
pub fn order(mut documents: Vec<Document>) -> Result<Order> {
    if let [only] = &mut documents[..] {
        if only.begins_as_task_file()? {
            return Ok(Order { tasks: vec![1], documents, notes: Vec::new() });
        }
        only.keep()?;
    }
    let mut notes = Vec::new();
    let mut surveyed = Vec::new();
    let mut others = Vec::new();
    for document in documents {
        let shown = document.shown.clone();
        let of_document = survey(document)?;
        if of_document.is_empty() {
            others.push(shown);
        }
        surveyed.extend(of_document);
    }
    match &others[..] {
        [] => {}
        [one] => {
            notes.push(format!("{one} was skipped: energydb does not read files of this kind"))
        }
        [one, more @ ..] => notes.push(format!(
            "{one} and {} more were skipped: energydb does not read files of these kinds",
            more.len()
        )),
    }
    if surveyed.is_empty() {
        bail!("there is nothing to build: {}", notes.join("; "));
    }
    // Of two equal documents, the one with the first name stays, whatever their order.
    surveyed.sort_by(|left, right| {
        let key = |of: &Surveyed| {
            let document = &of.document;
            (
                of.task.clone(),
                document.form.is_own().then(|| document.source.clone()),
                document.form.kind.holds,
                document.sha256.clone(),
                document.name.clone(),
            )
        };
        key(left).cmp(&key(right))
    });
    surveyed.dedup_by(|again, first| {
        let (again, first) = (&again.document, &first.document);
        let is_same =
            again.sha256.is_some() && (&again.sha256, &again.part) == (&first.sha256, &first.part);
        if is_same {
            let (again, first) = (&again.shown, &first.shown);
            notes.push(format!("{again} has the same bytes as {first} and is read once"));
        }
        is_same
    });
    let mut numbers = BTreeMap::new();
    for of in surveyed.iter().filter(|of| !of.document.form.is_index()) {
        let next = numbers.len() as u32 + 1;
        numbers.entry(of.task.clone()).or_insert(next);
    }
    let number = |of: &Surveyed| match numbers.get(&of.task) {
        Some(number) if !of.document.form.is_index() => *number,
        _ => 0,
    };
    let tasks = surveyed.iter().map(number).collect();
    let documents = surveyed.into_iter().map(|of| of.document).collect();
    Ok(Order { documents, tasks, notes })
}

/// Surveys a document. A document of several tasks is returned once for each task. A file of an unknown kind
/// that was found in a folder is not returned.
fn survey(mut document: Document) -> Result<Vec<Surveyed>> {
    let mut survey = Survey::default();
    // A fault in the text is found again, and reported, when the document is read.
    let never = AtomicBool::new(false);
    let look = |text: bytes::Text<'_>| survey.look(document.watched(text, &never));
    let (looked, received) = bytes::receive(document.open()?, &AtomicU64::new(0), look)
        .with_context(|| document.cannot_read())?;
    if looked.is_ok() && document.is_found && !classify::is_known(&survey) {
        return Ok(Vec::new());
    }
    // The hash of a broken text is not that of the whole.
    document.sha256 = looked.is_ok().then_some(received.sha256);
    document.form = classify::form(&survey);
    let parts = if looked.is_ok() { classify::parts(&survey) } else { Vec::new() };
    let mut task = survey.task.filter(|_| looked.is_ok() && !document.form.is_index());
    if document.form.is_own() {
        let given = |name: &str| document.given.get(name).map(str::to_owned);
        task = task.or_else(|| benchmark::task(&document)).or_else(|| given("task"));
        let source = survey.source.or_else(|| given("source"));
        document.source = source.unwrap_or_else(|| USUAL_SOURCE.into());
    }
    document.model = survey.model;
    if parts.is_empty() {
        return Ok(vec![Surveyed { document, task }]);
    }
    let of_task = |(task, form): (String, _)| Surveyed {
        document: document.of_task(task.clone(), form),
        task: Some(task),
    };
    Ok(parts.into_iter().map(of_task).collect())
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
        reading.identities.document = index;
        let identities = &mut reading.identities;
        let is_full = Arc::clone(&findings.is_full);
        let read = |text: bytes::Text<'_>| {
            let text = document.watched(text, &is_full);
            let (findings, batches, at) = (&mut findings, &mut batches, &mut at);
            let report = Report { accept, findings, batches };
            let mut reader = Reader { document: &document.shown, identities, report, at };
            (document.form.kind.read)(&mut reader, text, document)
        };
        let (outcome, received) = bytes::receive(document.open()?, progress, read)
            .with_context(|| document.cannot_read())?;
        batches.hand_on();
        if batches.is_over {
            bail!("reading was ended early");
        }
        let is_read_whole = outcome.is_ok();
        let head = match outcome {
            Ok(head) => head,
            Err(_) if findings.is_full() => Head::default(),
            Err(error) => {
                let finding = broken_text(error, &at.pointer());
                findings.add(finding.with_context(|| document.cannot_read())?);
                Head::default()
            }
        };
        if findings.is_full() {
            reading.documents.push(ReadDocument { received, head, findings });
            continue;
        }
        findings.extend(cross_checks::misnamed(document, &head));
        if strict {
            findings.refuse_unknown();
        }
        // The tasks and the order of the documents are those of the first reading. What was not read to
        // its end has no hash to compare.
        if is_read_whole && document.sha256.as_ref().is_some_and(|known| *known != received.sha256)
        {
            bail!("the input changed while it was being read: {}; build again", document.shown);
        }
        reading.documents.push(ReadDocument { received, head, findings });
    }
    cross_checks::compare(documents, &mut reading);
    Ok(reading)
}

/// The finding for text that is not JSON; an error where the bytes could not be had at all.
fn broken_text(error: JsonError, pointer: &str) -> Result<Finding> {
    use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof, Unsupported};
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
        JsonError::Read(error) if error.kind() == Unsupported => {
            ("first bytes".into(), error.to_string())
        }
        JsonError::Read(error) => return Err(error.into()),
    };
    Ok(Finding { check: Check::Json, place, value, expected: "JSON".into() })
}
