//! `datapackage.json`: the files of a release as Frictionless describes them, with the type, unit and
//! meaning of every column.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::{DESCRIPTION, VIEWS};
use crate::database::dictionary::{Described, Object};
use crate::release::pages::LICENCE;
use crate::release::summary::Facts;
use crate::release::views::{Kind, Written};

/// A file of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFacts {
    /// Its length.
    pub bytes: u64,
    /// The sha256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// The description of a release whose other files are these.
///
/// # Errors
/// When a view is not among the files or not in the dictionary.
pub fn document(
    facts: &Facts,
    files: &BTreeMap<String, FileFacts>,
    written: &[Written],
    dictionary: &[Object],
) -> Result<Vec<u8>> {
    // A column of one name is of one type, also in a view without rows.
    let mut kinds = BTreeMap::new();
    for (name, kind) in written.iter().flat_map(|view| &view.columns) {
        let known = kinds.entry(name.as_str()).or_insert(*kind);
        *known = (*known).max(*kind);
    }
    let mut resources = Vec::new();
    for view in written {
        let path = format!("{VIEWS}/{}.csv", view.view);
        let file = files.get(&path).with_context(|| format!("{path} was not written"))?;
        let object = dictionary
            .iter()
            .find(|object| object.name == view.view)
            .with_context(|| format!("the dictionary does not describe {}", view.view))?;
        resources.push(table(&path, file, view, object, &kinds));
    }
    for (path, file) in files {
        if !path.starts_with(&format!("{VIEWS}/")) && path != DESCRIPTION {
            resources.push(plain(path, file));
        }
    }
    let sources: Vec<_> = facts
        .data_sets()
        .into_iter()
        .map(|source| with_known(json!({"title": source.name}), "path", source.url))
        .collect();
    let licences: Vec<_> = facts
        .licences()
        .into_iter()
        .map(|licence| json!({"path": LICENCE, "title": licence}))
        .collect();
    let mut document = json!({
        "profile": "data-package",
        "name": super::database_stem(&facts.data_version),
        "title": format!("energydb, release {}", facts.data_version),
        "description": facts.caveat,
        "version": facts.data_version,
    });
    if let Value::Object(members) = &mut document {
        for (name, list) in [("licenses", licences), ("sources", sources)] {
            if !list.is_empty() {
                members.insert(name.into(), list.into());
            }
        }
        members.insert("resources".into(), resources.into());
    }
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}

fn table(
    path: &str,
    file: &FileFacts,
    view: &Written,
    object: &Object,
    kinds: &BTreeMap<&str, Kind>,
) -> Value {
    let fields: Vec<_> = view
        .columns
        .iter()
        .map(|(name, kind)| {
            let kind = kinds.get(name.as_str()).unwrap_or(kind);
            field(name, *kind, object.columns.iter().find(|of| of.name == *name))
        })
        .collect();
    json!({
        "profile": "tabular-data-resource",
        "name": view.view,
        "path": path,
        "description": object.meaning,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": file.bytes,
        "hash": format!("sha256:{}", file.sha256),
        "dialect": {"delimiter": ",", "lineTerminator": "\r\n", "quoteChar": "\"", "doubleQuote": true, "header": true},
        "schema": {"fields": fields, "missingValues": [""]},
    })
}

/// The type is that of the values; where there are none, the declared one, and what has a unit is a
/// number.
fn field(name: &str, kind: Kind, described: Option<&Described>) -> Value {
    let known = |text: fn(&Described) -> &Option<String>| described.and_then(|of| text(of).clone());
    let declared = known(|of| &of.kind);
    let kind = match (kind, declared.as_deref()) {
        (Kind::Text, _) | (Kind::Nothing, Some("text")) => "string",
        (Kind::Number, _) | (_, Some("real")) => "number",
        (Kind::Integer, _) | (Kind::Nothing, Some("integer")) => "integer",
        (Kind::Nothing, _) if known(|of| &of.unit).is_some() => "number",
        (Kind::Nothing, _) => "any",
    };
    let mut field = json!({"name": name, "type": kind});
    field = with_known(field, "description", known(|of| &of.meaning));
    field = with_known(field, "unit", known(|of| &of.unit));
    with_known(field, "source", known(|of| &of.source))
}

fn plain(path: &str, file: &FileFacts) -> Value {
    let ending = Path::new(path).extension().unwrap_or_default().to_string_lossy();
    let media_type = match &*ending {
        "sqlite" => "application/vnd.sqlite3",
        "zst" => "application/zstd",
        "html" => "text/html",
        "json" => "application/json",
        "md" => "text/markdown",
        "cff" => "application/yaml",
        _ => "text/plain",
    };
    json!({
        "name": path.to_lowercase(),
        "path": path,
        "mediatype": media_type,
        "bytes": file.bytes,
        "hash": format!("sha256:{}", file.sha256),
    })
}

fn with_known(value: Value, name: &str, text: Option<String>) -> Value {
    let Value::Object(mut members) = value else { return value };
    members.extend(
        text.map(|text| (name.to_owned(), Value::String(text))).into_iter().collect::<Map<_, _>>(),
    );
    Value::Object(members)
}
