//! The leaderboard's file of one model and task: the facts of the model, and its configurations in
//! detail, each with its degrees of parallelism in an object of their own and, of a workload that
//! makes text, the lengths of its outputs.
//!
//! The model may stand behind its configurations, so what [`crate::input::classify`] saw of it beforehand is
//! taken to number it.

use crate::input::bytes::Text;
use crate::input::classify::{Form, ModelHead};
use crate::input::findings::Keys;
use crate::input::identities::Facts;
use crate::input::json::{JsonError, JsonReader, Kind};
use crate::input::leaderboard::configurations::{At, Head, Reader, Sink, Whose, twice};
use crate::input::leaderboard::histogram;
use crate::input::value::described;
use crate::measurement::check::{self, Check, Finding};
use crate::measurement::columns;
use crate::measurement::record::{Histogram, Product};

/// The members that every such file has.
const MEMBERS: [&str; 6] = [
    "activated_params_billions",
    "configurations",
    "model_id",
    "task",
    "total_params_billions",
    "weight_precision",
];

/// Those that only some have.
const OTHER_MEMBERS: [&str; 3] = ["architecture", "nickname", LENGTHS];

/// The lengths of all outputs of the model.
const LENGTHS: &str = "output_length_distribution";

/// Reads the file of one model to its end. `model` is what was seen of the model beforehand.
///
/// # Errors
/// When it is not JSON or cannot be read; everything else is a finding.
pub fn read<S: Sink>(
    reader: &mut Reader<'_, S>,
    text: Text<'_>,
    form: Form,
    model: &ModelHead,
) -> Result<Head, JsonError> {
    let mut json = JsonReader::new(text);
    let mut head = Head { hugging_face_id: model.hugging_face_id.clone(), ..Head::default() };
    if json.peek()? != Kind::Object {
        let value = described(&mut json)?;
        reader.form(value, "an object with model_id, task and configurations");
        json.finish()?;
        return Ok(head);
    }
    let whose = identify(reader, model);
    let mut keys = Keys::default();
    let mut lengths = Histogram::default();
    json.begin_object()?;
    while let Some(key) = json.next_key()? {
        if !keys.insert(key) {
            reader.findings.add(twice("", key));
            json.skip()?;
            continue;
        }
        let known = MEMBERS.into_iter().chain(OTHER_MEMBERS).find(|name| *name == key);
        if known.is_none() || (known == Some(LENGTHS) && form.product != Product::Tokens) {
            reader.findings.add_unknown(key);
            json.skip()?;
            continue;
        }
        *reader.at = At::member(known);
        match known {
            Some("configurations") => {
                head.configurations = reader.configurations(&mut json, columns::of(form), whose)?;
            }
            Some("task") => head.task = reader.title(&mut json, "/task")?,
            Some(name @ ("activated_params_billions" | "total_params_billions")) => {
                reader.figure(&mut json, &format!("/{name}"))?;
            }
            Some(LENGTHS) => {
                histogram::read(
                    &mut json,
                    "/output_length_distribution",
                    reader.findings,
                    &mut lengths,
                )?;
            }
            known => {
                reader.title(&mut json, &format!("/{}", known.unwrap_or_default()))?;
            }
        }
    }
    reader.end(&mut json)?;
    reader.check_task(head.task.as_deref());
    let of_text = (form.product == Product::Tokens).then_some(LENGTHS);
    for name in MEMBERS.into_iter().chain(of_text) {
        if keys.insert(name) {
            reader.missing(format!("/{name}"));
            if name == "configurations" {
                head.configurations = 1;
            }
        }
    }
    if head.configurations == 0 {
        reader.add(Check::Rows, "/configurations", "no configurations", "at least one");
    }
    if let Whose::One { model, .. } = whose
        && !lengths.edges.is_empty()
    {
        reader.sink.lengths(model, lengths);
    }
    Ok(head)
}

/// Numbers the model, and tells what contradicts other documents.
fn identify<S: Sink>(reader: &mut Reader<'_, S>, model: &ModelHead) -> Whose {
    let ModelHead { hugging_face_id, name, architecture, precision, params_b, active_params_b } =
        model;
    let (Some(hugging_face_id), Some(precision), Some(params_b), Some(active_params_b)) =
        (hugging_face_id, precision, *params_b, *active_params_b)
    else {
        return Whose::Unknown;
    };
    let Reader { document, identities, accept, findings, sink, .. } = reader;
    let mut sound = true;
    let mut found = |check: Check, field: &str, value, expected| {
        let finding = Finding { check, place: format!("/{field}"), value, expected };
        if accept.contains(check) {
            sink.accepted(finding);
        } else {
            findings.add(finding);
            sound = false;
        }
    };
    check::model_relations(params_b, active_params_b, &mut |broken| {
        let value = broken.value.to_string();
        found(broken.check, "activated_params_billions", value, broken.expected);
    });
    let mut fault = |(check, field, value, expected)| found(check, field, value, expected);
    let facts = Facts {
        hugging_face_id,
        name: name.as_deref(),
        params_b,
        active_params_b,
        architecture: architecture.as_deref(),
    };
    let model = identities.model(facts, || format!("{document}: /"), &mut fault);
    let numbered = identities.precision(precision, &mut fault);
    if let Some(model) = model {
        identities.compare_precision(model, precision, &mut fault);
    }
    match (model, numbered, sound) {
        (Some(model), Some(precision), true) => Whose::One { model, precision },
        _ => Whose::Unknown,
    }
}
