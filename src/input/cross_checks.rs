//! Checks that documents agree with their own names, and with other documents about their task and model.
//! Single configurations are compared when they are loaded.

use std::collections::HashMap;

use crate::input::document::Document;
use crate::input::kind::Holds;
use crate::input::leaderboard::file_names::{Claim, model_stem};
use crate::input::reading::{Head, ReadDocument, Reading};
use crate::measurement::check::{Check, Finding};
use crate::measurement::method::{self, Method};
use crate::measurement::product::Product;

/// Finds what can only be checked after all documents were read.
pub(crate) fn compare(documents: &[Document], reading: &mut Reading) {
    compare_families(documents, &mut reading.documents);
    compare_products(documents, &mut reading.documents);
    compare_methods(documents, &mut reading.documents);
    find_nameless(reading);
    if documents.iter().all(|document| document.form.is_index())
        && let Some(first) = reading.documents.first_mut()
    {
        first.findings.add(Finding {
            check: Check::Rows,
            place: "/models".into(),
            value: "only an index".into(),
            expected: "configurations: build it together with the task files".into(),
        });
    }
}

/// The finding for a document whose name does not fit its content.
pub(crate) fn misnamed(document: &Document, head: &Head) -> Option<Finding> {
    let quoted = |text: &str| format!("\"{text}\"");
    let (holds, what) = (document.form.kind.holds, document.form.kind.called);
    if document.form.is_own() {
        return None;
    }
    // A document without a task is reported for that.
    let task = head.task.as_deref();
    if task.is_none() && !document.form.is_index() {
        return None;
    }
    let task = task.unwrap_or_default();
    let id = head.hugging_face_id.as_deref().unwrap_or_default();
    let (place, value, expected) = match Claim::of(&document.name)? {
        Claim::Index if holds == Holds::Facts => return None,
        Claim::Task(claimed) if holds == Holds::Configurations && claimed == task => return None,
        Claim::Model(claimed) if holds == Holds::Details && claimed == model_stem(id, task) => {
            return None;
        }
        Claim::Task(claimed) if holds == Holds::Configurations => {
            ("/task", quoted(task), quoted(&claimed))
        }
        Claim::Model(claimed) if holds == Holds::Details => {
            let value = format!("{} and {}", quoted(id), quoted(task));
            ("/model_id", value, format!("those of {}", quoted(&claimed)))
        }
        Claim::Index => ("/", what.into(), "an index".into()),
        Claim::Task(claimed) => {
            ("/", what.into(), format!("the task file of {}", quoted(&claimed)))
        }
        Claim::Model(claimed) => {
            ("/", what.into(), format!("the file of the model and task {}", quoted(&claimed)))
        }
    };
    let expected = format!("{expected}, as the file is named ({})", document.name);
    Some(Finding { check: Check::FileName, place: place.into(), value, expected })
}

/// Finds tasks that an index puts into another family than their files do.
fn compare_families(documents: &[Document], read: &mut [ReadDocument]) {
    let families: Vec<(String, bool, String)> = documents
        .iter()
        .zip(read.iter())
        .flat_map(|(document, of)| {
            let listed = of.head.families.iter();
            listed.map(|(task, family)| (task.clone(), *family, document.shown.clone()))
        })
        .collect();
    for (document, of) in documents.iter().zip(read) {
        let makes_text = match document.form.product {
            Product::Tokens => true,
            Product::Images | Product::Videos => false,
        };
        if let Some(task) = &of.head.task
            && let Some((.., index)) = families
                .iter()
                .find(|(listed, is_diffusion, _)| listed == task && *is_diffusion == makes_text)
        {
            let (text, others) = ("make text", "make images or videos");
            let (found, expected) = if makes_text { (text, others) } else { (others, text) };
            of.findings.add(Finding {
                check: Check::DocumentForm,
                place: "/configurations".into(),
                value: format!("configurations that {found}"),
                expected: format!(
                    "configurations that {expected}, as {index} says at /architectures"
                ),
            });
        }
    }
}

/// Finds own measurements of something else than their task makes.
fn compare_products(documents: &[Document], read: &mut [ReadDocument]) {
    let mut first: HashMap<String, &Document> = HashMap::new();
    for (document, of) in documents.iter().zip(read) {
        let Some(task) = of.head.task.clone() else { continue };
        let known = first.entry(task).or_insert(document);
        let (made, expected) = (document.form.product, known.form.product);
        if made != expected && document.form.is_own() {
            of.findings.add(Finding {
                check: Check::DocumentForm,
                place: "task".into(),
                value: format!("configurations that make {}", made.name()),
                expected: format!(
                    "configurations that make {}, as in {}",
                    expected.name(),
                    known.shown
                ),
            });
        }
    }
}

/// Finds documents of one source and task that were measured in different ways.
fn compare_methods(documents: &[Document], read: &mut [ReadDocument]) {
    let mut first: HashMap<(String, String), (Method, &Document)> = HashMap::new();
    for (document, of) in documents.iter().zip(read) {
        let Some(task) = of.head.task.clone().filter(|_| document.form.is_own()) else { continue };
        let method = &of.head.method;
        let key = (task, document.source.clone());
        let (known, other) = first.entry(key).or_insert((method.clone(), document));
        if let Some(at) = known.first_difference(method) {
            let shown = |method: &Method| method.get(at).unwrap_or("nothing").to_owned();
            let expected = format!(
                "{}, as in {}: a source has one method, so give another one with --fact source=NAME",
                shown(known),
                other.shown
            );
            of.findings.add(Finding {
                check: Check::SourceMethod,
                place: method::FACTS[at].name.into(),
                value: shown(method),
                expected,
            });
        }
    }
}

/// Finds models whose display name no document gave.
fn find_nameless(reading: &mut Reading) {
    for model in reading.identities.models.iter().filter(|model| model.name.is_empty()) {
        if let Some(of) = reading.documents.get_mut(model.document) {
            of.findings.add(Finding {
                check: Check::ModelName,
                place: "/model_id".into(),
                value: format!("{} without a nickname", model.hugging_face_id),
                expected:
                    "a nickname: build it together with an index.json or a task file that has one"
                        .into(),
            });
        }
    }
}
