//! The leaderboard's file of one model and task: the facts of the model, and its configurations in detail.
//! Each configuration has an object with its degrees of parallelism. If the workload makes text, it also has
//! the lengths of its outputs.
//!
//! The facts of the model may follow its configurations, so they are taken from the [`survey`](Survey).

use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::identities::Facts;
use crate::input::json::{JsonError, JsonReader, Kind};
use crate::input::kind::{DocumentKind, Holds, ModelHead, Survey};
use crate::input::leaderboard::configurations::{self, Whose};
use crate::input::leaderboard::fields::PARALLELIZATION;
use crate::input::leaderboard::histogram;
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::described;
use crate::measurement::check::Check;
use crate::measurement::product::Product;
use crate::measurement::record::Histogram;

/// This kind of document.
pub(crate) static KIND: DocumentKind = DocumentKind {
    name: "model-file",
    called: "a model's own file",
    holds: Holds::Details,
    may_be_unstable: false,
    may_repeat: false,
    has_tasks: false,
    is: |survey: &Survey| {
        let is_of_a_model = OF_A_MODEL.iter().any(|name| survey.member(name));
        let is_nested = survey.field(PARALLELIZATION) || survey.field(LENGTHS);
        (survey.member("configurations") || survey.task.is_some())
            && !survey.field("model_id")
            && (is_of_a_model || is_nested)
    },
    read,
};

/// The members that every such file has.
const MEMBERS: [&str; 6] = [
    "activated_params_billions",
    "configurations",
    "model_id",
    "task",
    "total_params_billions",
    "weight_precision",
];

/// The lengths of all outputs of the model, which a file of text has.
const LENGTHS: &str = "output_length_distribution";

/// Members that only a model's own file has.
const OF_A_MODEL: [&str; 6] = [
    "activated_params_billions",
    "model_id",
    "nickname",
    LENGTHS,
    "total_params_billions",
    "weight_precision",
];

fn read(
    reader: &mut Reader<'_, '_>,
    text: Text<'_>,
    document: &Document,
) -> Result<Head, JsonError> {
    let Document { form, model, .. } = document;
    let form = *form;
    let mut json = JsonReader::new(text);
    let mut head = Head { hugging_face_id: model.hugging_face_id.clone(), ..Head::default() };
    if json.peek()? != Kind::Object {
        let value = described(&mut json)?;
        let expected = "an object with model_id, task and configurations";
        reader.add(Check::DocumentForm, "/", value, expected);
        json.finish()?;
        return Ok(head);
    }
    let whose = identify(reader, model);
    let mut lengths = Histogram::default();
    let of_text = match form.product {
        Product::Tokens => Some(LENGTHS),
        Product::Images | Product::Videos => None,
    };
    let needed: Vec<_> = MEMBERS.into_iter().chain(of_text).collect();
    let known: Vec<_> = needed.iter().copied().chain(["architecture", "nickname"]).collect();
    let mut keys = reader.document(&mut json, &known, |reader, json, name| {
        let place = format!("/{name}");
        match name {
            "configurations" => {
                head.configurations = configurations::read(reader, json, form, whose)?;
            }
            "task" => head.task = reader.name(json, &place)?,
            "activated_params_billions" | "total_params_billions" => {
                reader.figure(json, &place)?;
            }
            LENGTHS => histogram::read(reader, json, &place, &mut lengths)?,
            _ => {
                reader.name(json, &place)?;
            }
        }
        Ok(())
    })?;
    reader.check_task(head.task.as_deref());
    for name in needed.into_iter().filter(|name| keys.insert(name)) {
        reader.missing(format!("/{name}"));
        if name == "configurations" {
            head.configurations = 1;
        }
    }
    reader.check_rows(head.configurations);
    if let Whose::One { model, .. } = whose
        && !lengths.edges.is_empty()
    {
        reader.report.batches.lengths(model, lengths);
    }
    Ok(head)
}

/// Numbers the model, and reports what contradicts other documents.
fn identify(reader: &mut Reader<'_, '_>, model: &ModelHead) -> Whose {
    let ModelHead { hugging_face_id, name, architecture, precision, params_b, active_params_b } =
        model;
    let (Some(hugging_face_id), Some(precision), Some(params_b), Some(active_params_b)) =
        (hugging_face_id, precision, *params_b, *active_params_b)
    else {
        return Whose::Unknown;
    };
    let (name, architecture) = (name.as_deref(), architecture.as_deref());
    let facts = Facts { hugging_face_id, name, params_b, active_params_b, architecture };
    let faults_before = reader.report.findings.count;
    let model = reader.model(facts, String::new);
    let precision = reader.precision(model, precision, String::new);
    match (model, precision) {
        (Some(model), Some(precision)) if reader.report.findings.count == faults_before => {
            Whose::One { model, precision }
        }
        (Some(_) | None, Some(_) | None) => Whose::Unknown,
    }
}
