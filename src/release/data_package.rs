//! `datapackage.json`: the files of a release as Frictionless describes them, with the type, unit and
//! meaning of every column.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::description::{Description, FileFacts, KEYWORDS, Shipped};
use super::pages::LICENCE;
use super::parquet::ENDING;
use super::tables::{Column, Kind};
use super::{CSV, DESCRIPTION};

/// The description of a release that has these files.
///
/// # Errors
/// When the file of a table is not among them.
pub fn document(release: &Description, files: &BTreeMap<String, FileFacts>) -> Result<Vec<u8>> {
    let facts = &release.facts;
    let mut resources = Vec::new();
    for shipped in &release.tables {
        let path = shipped.csv();
        let file = files.get(&path).with_context(|| format!("{path} was not written"))?;
        resources.push(table(&path, file, shipped));
    }
    for (path, file) in files {
        if !path.starts_with(&format!("{CSV}/")) && path != DESCRIPTION {
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
        "name": release.name(),
        "title": release.title(),
        "description": facts.caveat,
        "version": facts.data_version,
        "keywords": KEYWORDS,
    });
    for (name, list) in [("licenses", licences), ("sources", sources)] {
        if !list.is_empty() {
            document[name] = list.into();
        }
    }
    document["resources"] = resources.into();
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}

fn table(path: &str, file: &FileFacts, shipped: &Shipped) -> Value {
    let fields: Vec<_> = shipped.table.columns.iter().map(field).collect();
    let key = &shipped.table.primary_key;
    let mut schema = json!({"fields": fields, "missingValues": [""]});
    if !key.is_empty() {
        schema["primaryKey"] = json!(key);
    }
    json!({
        "profile": "tabular-data-resource",
        "name": shipped.table.name,
        "path": path,
        "description": shipped.table.meaning,
        "format": "csv",
        "mediatype": media_type(path),
        "encoding": "utf-8",
        "bytes": file.bytes,
        "hash": format!("sha256:{}", file.sha256),
        "dialect": {"delimiter": ",", "lineTerminator": "\r\n", "quoteChar": "\"", "doubleQuote": true, "header": true},
        "schema": schema,
    })
}

fn field(column: &Column) -> Value {
    let kind = match column.kind {
        Kind::Boolean => "boolean",
        Kind::Integer => "integer",
        Kind::Real => "number",
        Kind::Text => "string",
        Kind::Day => "date",
    };
    let mut field = json!({"name": column.name, "type": kind});
    for (name, text) in
        [("description", &column.meaning), ("unit", &column.unit), ("source", &column.source)]
    {
        field = with_known(field, name, text.clone());
    }
    field
}

fn plain(path: &str, file: &FileFacts) -> Value {
    // A name has few characters; each other is the number of its bytes.
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._/".contains(byte);
    let name: String = path
        .bytes()
        .map(|byte| match byte {
            byte if is_plain(&byte) => char::from(byte.to_ascii_lowercase()).to_string(),
            byte => format!("_{byte:02x}"),
        })
        .collect();
    let resource = json!({
        "name": name,
        "path": path,
        "mediatype": media_type(path),
        "bytes": file.bytes,
        "hash": format!("sha256:{}", file.sha256),
    });
    // Frictionless takes Parquet for a table that it reads with an extension only.
    let kind = path.ends_with(ENDING).then(|| "file".into());
    with_known(resource, "type", kind)
}

/// What the ending of a file's name says that it is.
pub fn media_type(path: &str) -> &'static str {
    let ending = Path::new(path).extension().unwrap_or_default().to_string_lossy();
    match &*ending {
        "csv" => "text/csv",
        "parquet" => "application/vnd.apache.parquet",
        "sqlite" => "application/vnd.sqlite3",
        "zst" => "application/zstd",
        "html" => "text/html",
        "json" => "application/json",
        "md" => "text/markdown",
        "cff" => "application/yaml",
        _ => "text/plain",
    }
}

/// An object with one member more, where that is known.
pub fn with_known(mut object: Value, name: &str, text: Option<String>) -> Value {
    if let Some(text) = text {
        object[name] = text.into();
    }
    object
}
