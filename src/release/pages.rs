//! The pages of a release for people: what it is, its licence and citation, and what changed. The pages are
//! templates in the folder `pages`, in which `{name}` is replaced by a value.

use super::description::{Description, Shipped};
use super::{PARQUET, PARTITIONS, changes, hub};
use crate::database::dictionary::Object;
use crate::database::release::Facts;
use crate::manifest::Source;
use crate::output::markdown::escaped;
use crate::text::{counted, filled};

/// The page on the data's licence.
pub const LICENCE: &str = "DATA-LICENCE.md";
/// The page to explore the database with, which a web server shows first.
pub const PAGE: &str = "index.html";
/// The licence of energydb.
pub const LICENSE_TEXT: &str = include_str!("../../LICENSE");

/// The page that a reader of the folder begins with. Its head is for the Hugging Face hub.
pub fn readme(release: &Description) -> String {
    let facts = &release.facts;
    let [configurations, models, gpus] = facts.counts;
    let accepted = match facts.findings {
        0 => String::new(),
        findings => filled(
            include_str!("pages/ACCEPTED.md"),
            &[("findings", &counted(findings, "finding"))],
        ),
    };
    let since = release.since.as_ref();
    let changes = since
        .map(|since| format!("| `{}` | what changed since {} |\n", changes::FILE, escaped(since)));
    let mut parquet = String::new();
    if release.has_parquet {
        parquet += &format!("| `{PARQUET}/` | the same as Parquet, with types and units |\n");
    }
    if !release.partition.is_empty() {
        let by = release.partition.join(" and ");
        parquet +=
            &format!("| `{PARTITIONS}/` | the same split by {by}, as Hive names folders |\n");
    }
    let rows = |is_view: bool| -> String {
        let tables = release.tables.iter().filter(|shipped| shipped.table.is_view == is_view);
        let row = |shipped: &Shipped| {
            let (name, meaning) = (&shipped.table.name, escaped(&shipped.table.meaning));
            format!("| `{name}` | {} | {meaning} |\n", shipped.rows)
        };
        tables.map(row).collect()
    };
    let (view, energy) = release.example();
    filled(
        include_str!("pages/README.md"),
        &[
            ("front_matter", &hub::front_matter(release)),
            ("data_version", &facts.data_version),
            ("updated", &facts.updated),
            ("energydb_version", &facts.energydb_version),
            ("configurations", &counted(configurations, "measured configuration")),
            ("models", &counted(models, "model")),
            ("gpus", &counted(gpus, "type")),
            ("caveat", &escaped(&facts.caveat)),
            ("accepted", &accepted),
            ("database", &release.database()),
            ("parquet", &parquet),
            ("changes", &changes.unwrap_or_default()),
            ("content_hash", facts.content_hash.as_deref().unwrap_or("none recorded")),
            ("view", view),
            ("energy", energy),
            ("views", &rows(true)),
            ("tables", &rows(false)),
        ],
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_taken_for_a_template() {
        assert_eq!(filled("{a} {b}{c", &[("a", "{b}"), ("b", "1")]), "{b} 1{c");
    }
}
