//! The leaderboard's index: `models`, each by its id with name, parameters and precision, `tasks`,
//! which `architectures` sorts into families, and `last_updated`. It holds no configurations; what
//! it says of a model goes for all documents of a build.

use crate::input::bytes::Text;
use crate::input::classify::ModelHead;
use crate::input::findings::{Keys, shown};
use crate::input::identities::Facts;
use crate::input::json::{JsonError, JsonReader, Kind};
use crate::input::leaderboard::configurations::{At, Head, Reader, Sink, escaped, twice};
use crate::input::value::{Json, described, name_fault};
use crate::measurement::check::{self, Check, Finding};

/// The members of the document itself.
const MEMBERS: [&str; 4] = ["architectures", "last_updated", "models", "tasks"];

/// The family of the tasks that make images and videos.
const DIFFUSION: &str = "diffusion";

/// Reads an index to its end.
///
/// # Errors
/// When it is not JSON or cannot be read; everything else is a finding.
pub fn read<S: Sink>(reader: &mut Reader<'_, S>, text: Text<'_>) -> Result<Head, JsonError> {
    let mut json = JsonReader::new(text);
    let mut head = Head::default();
    let mut keys = Keys::default();
    json.begin_object()?;
    while let Some(key) = json.next_key()? {
        if !keys.insert(key) {
            reader.findings.add(twice("", key));
            json.skip()?;
            continue;
        }
        let known = MEMBERS.into_iter().find(|name| *name == key);
        *reader.at = At::member(known);
        match known {
            Some("architectures") => families(reader, &mut json, &mut head)?,
            Some("last_updated") => {
                head.last_updated = reader.title(&mut json, "/last_updated")?;
            }
            Some("models") => models(reader, &mut json)?,
            Some(_) => {
                names(reader, &mut json, "/tasks")?;
            }
            None => {
                let key = key.to_owned();
                reader.findings.add_unknown(&key);
                json.skip()?;
            }
        }
    }
    reader.end(&mut json)?;
    Ok(head)
}

/// Reads an array of names.
fn names<S: Sink>(
    reader: &mut Reader<'_, S>,
    json: &mut Json<'_>,
    place: &str,
) -> Result<Vec<String>, JsonError> {
    let mut names = Vec::new();
    if json.peek()? != Kind::Array {
        let value = described(json)?;
        reader.add(Check::FieldType, place, value, "an array of names");
        return Ok(names);
    }
    json.begin_array()?;
    let mut position = 0;
    while json.next_element()? {
        names.extend(reader.title(json, &format!("{place}/{position}"))?);
        position += 1;
    }
    Ok(names)
}

/// Reads which tasks belong to which family.
fn families<S: Sink>(
    reader: &mut Reader<'_, S>,
    json: &mut Json<'_>,
    head: &mut Head,
) -> Result<(), JsonError> {
    if json.peek()? != Kind::Object {
        let value = described(json)?;
        reader.add(Check::FieldType, "/architectures", value, "an object of families of tasks");
        return Ok(());
    }
    let mut keys = Keys::default();
    json.begin_object()?;
    while let Some(key) = json.next_key()? {
        if !keys.insert(key) {
            reader.findings.add(twice("/architectures", key));
            json.skip()?;
            continue;
        }
        let is_diffusion = key == DIFFUSION;
        let place = format!("/architectures/{}", escaped(&shown(key)));
        let tasks = names(reader, json, &place)?;
        head.families.extend(tasks.into_iter().map(|task| (task, is_diffusion)));
    }
    Ok(())
}

/// Reads the models.
fn models<S: Sink>(reader: &mut Reader<'_, S>, json: &mut Json<'_>) -> Result<(), JsonError> {
    if json.peek()? != Kind::Object {
        let value = described(json)?;
        reader.add(Check::FieldType, "/models", value, "an object of models");
        return Ok(());
    }
    let mut keys = Keys::default();
    json.begin_object()?;
    while let Some(key) = json.next_key()? {
        if !keys.insert(key) {
            reader.findings.add(twice("/models", key));
            json.skip()?;
            continue;
        }
        let id = key.to_owned();
        let place = format!("/models/{}", escaped(&shown(&id)));
        if let Some(expected) = name_fault(&id) {
            reader.add(Check::NameForm, &place, format!("\"{}\"", shown(&id)), expected);
            json.skip()?;
        } else if json.peek()? != Kind::Object {
            let value = described(json)?;
            reader.add(Check::FieldType, &place, value, "an object");
        } else if let Some(model) = model(reader, json, &place)? {
            identify(reader, &id, &place, &model);
        }
    }
    Ok(())
}

/// Reads what is said of one model; none where something is missing or wrong.
fn model<S: Sink>(
    reader: &mut Reader<'_, S>,
    json: &mut Json<'_>,
    place: &str,
) -> Result<Option<ModelHead>, JsonError> {
    let faults_before = reader.findings.count;
    let mut model = ModelHead::default();
    let mut keys = Keys::default();
    json.begin_object()?;
    while let Some(key) = json.next_key()? {
        if !keys.insert(key) {
            reader.findings.add(twice(place, key));
            json.skip()?;
            continue;
        }
        let name = match key {
            "nickname" => &mut model.name,
            "architecture" => &mut model.architecture,
            "weight_precision" => &mut model.precision,
            "activated_params_billions" => {
                let place = format!("{place}/activated_params_billions");
                model.active_params_b = reader.figure(json, &place)?;
                continue;
            }
            "total_params_billions" => {
                let place = format!("{place}/total_params_billions");
                model.params_b = reader.figure(json, &place)?;
                continue;
            }
            unknown => {
                reader.findings.add_unknown(unknown);
                json.skip()?;
                continue;
            }
        };
        let place = format!("{place}/{key}");
        *name = reader.title(json, &place)?;
    }
    let needed =
        ["nickname", "weight_precision", "activated_params_billions", "total_params_billions"];
    for name in needed {
        if keys.insert(name) {
            reader.missing(format!("{place}/{name}"));
        }
    }
    Ok((reader.findings.count == faults_before).then_some(model))
}

/// Numbers a model with its facts.
fn identify<S: Sink>(reader: &mut Reader<'_, S>, id: &str, place: &str, model: &ModelHead) {
    let Reader { document, identities, accept, findings, sink, .. } = reader;
    let mut found = |check: Check, field: &str, value, expected| {
        let finding = Finding { check, place: format!("{place}/{field}"), value, expected };
        if accept.contains(check) { sink.accepted(finding) } else { findings.add(finding) }
    };
    let (params_b, active_params_b) =
        (model.params_b.unwrap_or_default(), model.active_params_b.unwrap_or_default());
    check::model_relations(params_b, active_params_b, &mut |broken| {
        let value = broken.value.to_string();
        found(broken.check, "activated_params_billions", value, broken.expected);
    });
    let mut fault = |(check, field, value, expected)| found(check, field, value, expected);
    let facts = Facts {
        hugging_face_id: id,
        name: model.name.as_deref(),
        params_b,
        active_params_b,
        architecture: model.architecture.as_deref(),
    };
    let number = identities.model(facts, || format!("{document}: {place}"), &mut fault);
    if let (Some(number), Some(precision)) = (number, &model.precision) {
        identities.precision(precision, &mut fault);
        identities.list_precision(number, precision);
    }
}
