//! `.zenodo.json`: the release as Zenodo archives it, under a DOI.

use anyhow::Result;
use serde_json::{Value, json};

use super::data_package::with_known;
use super::description::{Description, KEYWORDS};

/// The description of a release. A licence is named where there is one for all of its data.
///
/// # Errors
/// When it cannot be written.
pub fn document(release: &Description) -> Result<Vec<u8>> {
    let facts = &release.facts;
    let creators = release.publishers().into_iter().map(|name| json!({"name": name}));
    let related: Vec<_> = release
        .urls()
        .iter()
        .map(|url| json!({"identifier": url, "relation": "isDerivedFrom", "scheme": "url"}))
        .collect();
    let mut document = json!({
        "title": release.title(),
        "upload_type": "dataset",
        "description": facts.caveat,
        "creators": creators.collect::<Vec<_>>(),
        "version": facts.data_version,
        "publication_date": facts.updated,
        "access_right": "open",
        "keywords": KEYWORDS,
    });
    document = with_known(document, "license", release.licence().map(Into::into));
    if !related.is_empty() {
        document["related_identifiers"] = Value::Array(related);
    }
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}
