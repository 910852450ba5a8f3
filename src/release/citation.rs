//! `CITATION.cff`: how a release and its data are cited.

use serde_json::json;

use super::description::is_url;
use crate::database::release::Facts;
use crate::date::check_date;
use crate::manifest::Source;
use crate::text::filled;

/// `CITATION.cff`, version 1.2.0.
pub fn document(facts: &Facts) -> String {
    let release = &facts.data_version;
    let identifiers = facts.content_hash.as_ref().map(|hash| {
        let described = format!("content hash of the database of release {release}");
        filled(
            include_str!("pages/IDENTIFIER.cff"),
            &[("value", &quoted(&format!("sha256:{hash}"))), ("description", &quoted(&described))],
        )
    });
    let mut references: String = facts.data_sets().iter().map(reference).collect();
    if !references.is_empty() {
        references.insert_str(0, "references:\n");
    }
    let message = format!(
        "If you use release {release}, please cite energydb and the data that it holds, which \
         references lists."
    );
    filled(
        include_str!("pages/CITATION.cff"),
        &[
            ("message", &quoted(&message)),
            ("description", &quoted(env!("CARGO_PKG_DESCRIPTION"))),
            ("version", &quoted(&facts.energydb_version)),
            ("license", env!("CARGO_PKG_LICENSE")),
            ("identifiers", &identifiers.unwrap_or_default()),
            ("references", &references),
        ],
    )
}

/// A data set as a reference of the citation.
fn reference(set: &Source) -> String {
    let is_date = |date: &&String| check_date(date).is_ok();
    let is_url = |url: &&String| is_url(url);
    let notes: Vec<_> = [("Cite as: ", &set.cite), ("Licence: ", &set.licence)]
        .into_iter()
        .filter_map(|(name, text)| Some(format!("{name}{}", text.as_ref()?)))
        .collect();
    let notes = (!notes.is_empty()).then(|| notes.join(". "));
    let known = [
        ("version", set.version.as_ref()),
        ("date-released", set.released.as_ref().filter(is_date)),
        ("date-accessed", set.retrieved.as_ref().filter(is_date)),
        ("url", set.url.as_ref().filter(is_url)),
        ("notes", notes.as_ref()),
    ];
    let author = set.publisher.as_ref().unwrap_or(&set.name);
    let mut reference = filled(
        include_str!("pages/REFERENCE.cff"),
        &[("title", &quoted(&set.name)), ("author", &quoted(author))],
    );
    for (name, text) in known {
        reference.extend(text.map(|text| format!("    {name}: {}\n", quoted(text))));
    }
    reference
}

/// A JSON text is a quoted text in YAML too.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}
