//! The leaderboard's index: `models` with their name, parameters and precision by id, `tasks`,
//! `architectures` with the family of each task, and `last_updated`. It contains no configurations. Its facts
//! of a model apply to all documents of a build.

use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::findings::{escaped, shown};
use crate::input::identities::Facts;
use crate::input::json::{JsonError, JsonReader, Kind};
use crate::input::kind::{DocumentKind, Holds, ModelHead, Survey};
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::{Json, name_fault};
use crate::measurement::check::Check;

/// This kind of document.
pub(crate) static KIND: DocumentKind = DocumentKind {
    name: "index",
    called: "an index",
    holds: Holds::Facts,
    may_be_unstable: false,
    may_repeat: false,
    has_tasks: false,
    is: |survey: &Survey| {
        let has_tasks = survey.member("tasks") || survey.member("architectures");
        !survey.member("configurations") && survey.object("models") && has_tasks
    },
    read,
};

/// The members of the document itself.
const MEMBERS: [&str; 4] = ["architectures", "last_updated", "models", "tasks"];

/// The family of the tasks that make images and videos.
const DIFFUSION: &str = "diffusion";

fn read(reader: &mut Reader<'_, '_>, text: Text<'_>, _: &Document) -> Result<Head, JsonError> {
    let mut json = JsonReader::new(text);
    let mut head = Head::default();
    reader.document(&mut json, &MEMBERS, |reader, json, name| {
        let place = format!("/{name}");
        match name {
            "architectures" => families(reader, json, &place, &mut head)?,
            "last_updated" => head.last_updated = reader.name(json, &place)?,
            "models" => models(reader, json, &place)?,
            _ => drop(names(reader, json, &place)?),
        }
        Ok(())
    })?;
    Ok(head)
}

/// Reads an array of names.
fn names(
    reader: &mut Reader<'_, '_>,
    json: &mut Json<'_>,
    place: &str,
) -> Result<Vec<String>, JsonError> {
    let mut names = Vec::new();
    if !reader.is(json, Kind::Array, place, "an array of names")? {
        return Ok(names);
    }
    json.begin_array()?;
    let mut position = 0;
    while json.next_element()? {
        names.extend(reader.name(json, &format!("{place}/{position}"))?);
        position += 1;
    }
    Ok(names)
}

/// Reads which tasks belong to which family.
fn families(
    reader: &mut Reader<'_, '_>,
    json: &mut Json<'_>,
    place: &str,
    head: &mut Head,
) -> Result<(), JsonError> {
    if !reader.is(json, Kind::Object, place, "an object of families of tasks")? {
        return Ok(());
    }
    reader.members(json, place, |reader, json, family| {
        let tasks = names(reader, json, &format!("{place}/{}", escaped(&shown(family))))?;
        head.families.extend(tasks.into_iter().map(|task| (task, family == DIFFUSION)));
        Ok(true)
    })?;
    Ok(())
}

/// Reads the models.
fn models(reader: &mut Reader<'_, '_>, json: &mut Json<'_>, place: &str) -> Result<(), JsonError> {
    if !reader.is(json, Kind::Object, place, "an object of models")? {
        return Ok(());
    }
    reader.members(json, place, |reader, json, id| {
        let place = format!("{place}/{}", escaped(&shown(id)));
        if let Some(expected) = name_fault(id) {
            reader.add(Check::NameForm, &place, format!("\"{}\"", shown(id)), expected);
            json.skip()?;
        } else if reader.is(json, Kind::Object, &place, "an object")? {
            model(reader, json, &place, id)?;
        }
        Ok(true)
    })?;
    Ok(())
}

/// Reads what is said of one model, and numbers the model where nothing is missing or wrong.
fn model(
    reader: &mut Reader<'_, '_>,
    json: &mut Json<'_>,
    place: &str,
    id: &str,
) -> Result<(), JsonError> {
    let faults_before = reader.report.findings.count;
    let mut model = ModelHead::default();
    let mut keys = reader.members(json, place, |reader, json, key| {
        let place = format!("{place}/{key}");
        match key {
            "nickname" => model.name = reader.name(json, &place)?,
            "architecture" => model.architecture = reader.name(json, &place)?,
            "weight_precision" => model.precision = reader.name(json, &place)?,
            "activated_params_billions" => model.active_params_b = reader.figure(json, &place)?,
            "total_params_billions" => model.params_b = reader.figure(json, &place)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let needed =
        ["nickname", "weight_precision", "activated_params_billions", "total_params_billions"];
    for name in needed.into_iter().filter(|name| keys.insert(name)) {
        reader.missing(format!("{place}/{name}"));
    }
    if reader.report.findings.count > faults_before {
        return Ok(());
    }
    let facts = Facts {
        hugging_face_id: id,
        name: model.name.as_deref(),
        params_b: model.params_b.unwrap_or_default(),
        active_params_b: model.active_params_b.unwrap_or_default(),
        architecture: model.architecture.as_deref(),
    };
    let number = reader.model(facts, || place.to_owned());
    if let (Some(number), Some(precision)) = (number, &model.precision) {
        reader.precision(None, precision, || place.to_owned());
        reader.identities.list_precision(number, precision);
    }
    Ok(())
}
