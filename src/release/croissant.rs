//! `croissant.json`: the release as Croissant 1.0 describes it, for catalogues of data sets and for
//! programs that train models.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::data_package::{media_type, with_known};
use super::description::{Description, FileFacts, KEYWORDS, Shipped};
use super::parquet::ENDING;
use super::tables::{Column, Kind};

/// The names that Croissant uses, as its specification gives them.
const CONTEXT: &str = include_str!("pages/croissant-context.json");

/// The description of a release that has these files.
///
/// # Errors
/// When the file of a table is not among them.
pub fn document(release: &Description, files: &BTreeMap<String, FileFacts>) -> Result<Vec<u8>> {
    let facts = &release.facts;
    let mut described = vec![file(&release.database(), files)?];
    let mut records = Vec::new();
    for shipped in &release.tables {
        let path = release.data_file(shipped);
        described.push(file(&path, files)?);
        records.push(record_set(shipped, &path));
    }
    let organisation = |name| json!({"@type": "sc:Organization", "name": name});
    let mut document = json!({
        "@context": serde_json::from_str::<Value>(CONTEXT)?,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": release.name(),
        "description": facts.caveat,
        "version": semantic(&facts.data_version),
        "datePublished": facts.updated,
        "keywords": KEYWORDS,
        "creator": release.publishers().into_iter().map(organisation).collect::<Vec<_>>(),
    });
    let licence = match release.licence() {
        Some(licence) => format!("https://spdx.org/licenses/{licence}.html"),
        None => facts.licences().join("; "),
    };
    let cite: Vec<_> = facts.data_sets().into_iter().filter_map(|set| set.cite).collect();
    for (name, text) in
        [("license", licence), ("citeAs", cite.join("; ")), ("url", release.urls().join(" "))]
    {
        document = with_known(document, name, Some(text).filter(|text| !text.is_empty()));
    }
    document["distribution"] = described.into();
    document["recordSet"] = records.into();
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}

fn file(path: &str, files: &BTreeMap<String, FileFacts>) -> Result<Value> {
    let file = files.get(path).with_context(|| format!("{path} was not written"))?;
    // Readers of Croissant know Parquet by its older name only.
    let format = if path.ends_with(ENDING) { "application/x-parquet" } else { media_type(path) };
    Ok(json!({
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": format!("{} B", file.bytes),
        "encodingFormat": format,
        "sha256": file.sha256,
    }))
}

fn record_set(shipped: &Shipped, path: &str) -> Value {
    let table = &shipped.table;
    let fields: Vec<_> = table.columns.iter().map(|of| field(&table.name, of, path)).collect();
    json!({
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.meaning,
        "field": fields,
    })
}

fn field(table: &str, column: &Column, path: &str) -> Value {
    let kind = match column.kind {
        Kind::Boolean => "sc:Boolean",
        Kind::Integer => "sc:Integer",
        Kind::Real => "sc:Float",
        Kind::Text => "sc:Text",
        Kind::Day => "sc:Date",
    };
    let explained = match (&column.meaning, &column.unit) {
        (Some(meaning), Some(unit)) => Some(format!("{meaning} ({unit})")),
        (meaning, _) => meaning.clone(),
    };
    let field = json!({
        "@type": "cr:Field",
        "@id": format!("{table}/{}", column.name),
        "name": column.name,
        "dataType": kind,
        "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
    });
    with_known(field, "description", explained)
}

/// A day as a version that Croissant takes, whose numbers have no zero before them.
fn semantic(day: &str) -> String {
    let numbers = day.split('-').map(|number| number.trim_start_matches('0'));
    numbers.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_version_without_leading_zeros() {
        assert_eq!(semantic("2026-02-06"), "2026.2.6");
        assert_eq!(semantic("2026-10-19"), "2026.10.19");
    }
}
