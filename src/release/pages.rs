//! What people read in a release: what it is, how it is licensed and cited, what changed. The pages
//! themselves are templates in the folder `pages`, in which `{name}` stands for a value.

use serde_json::json;

use super::{VIEWS, database_name};
use crate::database::dictionary::Object;
use crate::date::check_date;
use crate::manifest::Source;
use crate::output::markdown::escaped;
use crate::release::summary::Facts;
use crate::release::views::{Kind, Written};
use crate::text::{counted, filled};

/// The page on the data's licence.
pub const LICENCE: &str = "DATA-LICENCE.md";
/// The page on what changed.
pub const CHANGES: &str = "CHANGES.md";
/// The page to explore the database with, which a web server shows first.
pub const PAGE: &str = "index.html";
/// The licence of energydb.
pub const LICENSE_TEXT: &str = include_str!("../../LICENSE");

/// The page that a reader of the folder begins with.
pub fn readme(
    facts: &Facts,
    views: &[Written],
    dictionary: &[Object],
    since: Option<&str>,
) -> String {
    let [configurations, models, gpus] = facts.counts;
    let accepted = match facts.findings {
        0 => String::new(),
        findings => filled(
            include_str!("pages/ACCEPTED.md"),
            &[("findings", &counted(findings, "finding"))],
        ),
    };
    let changes =
        since.map(|since| format!("| `{CHANGES}` | what changed since {} |\n", escaped(since)));
    let rows: String = views
        .iter()
        .map(|view| {
            let meaning = dictionary.iter().find(|object| object.name == view.view);
            let meaning = meaning.map(|object| escaped(&object.meaning)).unwrap_or_default();
            format!("| `{VIEWS}/{}.csv` | {meaning} |\n", view.view)
        })
        .collect();
    let (view, energy) = example(views);
    filled(
        include_str!("pages/README.md"),
        &[
            ("data_version", &facts.data_version),
            ("updated", &facts.updated),
            ("energydb_version", &facts.energydb_version),
            ("configurations", &counted(configurations, "measured configuration")),
            ("models", &counted(models, "model")),
            ("gpus", &counted(gpus, "type")),
            ("caveat", &escaped(&facts.caveat)),
            ("accepted", &accepted),
            ("database", &database_name(&facts.data_version)),
            ("changes", &changes.unwrap_or_default()),
            ("content_hash", facts.content_hash.as_deref().unwrap_or("none recorded")),
            ("view", view),
            ("energy", energy),
            ("views", &rows),
        ],
    )
}

/// A view that has rows, to show how one is read, and its column of energy.
fn example(views: &[Written]) -> (&'static str, &'static str) {
    let of_text = ("best_configurations", "wh_per_million_output_tokens");
    let others = [("best_images", "wh_per_image"), ("best_videos", "wh_per_video")];
    let has_rows = |name: &str| {
        let mut columns = views.iter().filter(|of| of.view == name).flat_map(|of| &of.columns);
        columns.any(|(_, kind)| *kind != Kind::Nothing)
    };
    let mut examples = std::iter::once(of_text).chain(others);
    examples.find(|(view, _)| has_rows(view)).unwrap_or(of_text)
}

/// The page on the licence and the attribution of the data: what the release records of it, word
/// for word.
pub fn licence(facts: &Facts) -> String {
    let sets = facts.data_sets();
    let mut sources: String = sets.iter().map(described).collect();
    if sets.is_empty() {
        sources = "\nIt records no source, so nothing is known of a licence.\n".into();
    }
    let urls = facts.sources.iter().filter_map(|source| source.data_url.as_ref());
    let mut documents: String = urls.map(|url| format!("- {}\n", escaped(url))).collect();
    if !documents.is_empty() {
        documents.insert_str(0, "\n## Documents\n\n");
    }
    filled(
        include_str!("pages/DATA-LICENCE.md"),
        &[("data_version", &facts.data_version), ("sources", &sources), ("documents", &documents)],
    )
}

/// What is recorded of a data set.
fn described(set: &Source) -> String {
    let licence = set.licence.clone().or_else(|| Some("not known".into()));
    let known = [
        ("Publisher", &set.publisher),
        ("Address", &set.url),
        ("Version", &set.version),
        ("Released", &set.released),
        ("Compiled", &set.compiled),
        ("Retrieved", &set.retrieved),
        ("Licence", &licence),
        ("Method", &set.method),
        ("Cite as", &set.cite),
        ("Citation address", &set.cite_url),
    ];
    let mut section = format!("\n## {}\n\n", escaped(&set.name));
    for (name, text) in known {
        section.extend(text.iter().map(|text| format!("- {name}: {}\n", escaped(text))));
    }
    if !set.licence_evidence.is_empty() {
        section.push_str("\nEvidence for the licence, most important first:\n\n");
    }
    let evidence = set.licence_evidence.iter().enumerate();
    section.extend(evidence.map(|(index, text)| format!("{}. {}\n", index + 1, escaped(text))));
    section
}

/// `CITATION.cff`, version 1.2.0.
pub fn citation(facts: &Facts) -> String {
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
    let is_url = |url: &&String| url.starts_with("https://") || url.starts_with("http://");
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

/// The page on what changed since an older release: what changed in each column, and each change, or
/// nothing.
pub fn changes(old: &str, new: &str, changed: Option<(&str, &str)>) -> String {
    let changes = match changed {
        None => "Nothing changed.\n".into(),
        Some((summary, details)) => {
            filled(include_str!("pages/CHANGED.md"), &[("summary", summary), ("details", details)])
        }
    };
    filled(include_str!("pages/CHANGES.md"), &[("old", old), ("new", new), ("changes", &changes)])
}

/// The page on the schema: a section for each table and view, with a table of its columns.
pub fn schema(objects: &[Object]) -> String {
    let mut page = String::from("# Tables and views\n");
    for Object { name, kind, meaning, columns } in objects {
        page.push_str(&format!("\n## {name} ({kind})\n\n{}\n\n", escaped(meaning)));
        page.push_str("| column | type | unit | meaning | source |\n|---|---|---|---|---|\n");
        for column in columns {
            let cells = [&column.kind, &column.unit, &column.meaning, &column.source]
                .map(|cell| escaped(cell.as_deref().unwrap_or_default()));
            page.push_str(&format!("| {} | {} |\n", column.name, cells.join(" | ")));
        }
    }
    page
}

/// A JSON text is a quoted text in YAML too.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_taken_for_a_template() {
        assert_eq!(filled("{a} {b}{c", &[("a", "{b}"), ("b", "1")]), "{b} 1{c");
    }
}
