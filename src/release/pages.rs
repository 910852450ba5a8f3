//! What people read in a release: what it is, how it is licensed and cited, what changed.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::json;

use super::{DOCUMENTS, VIEWS, database_name};
use crate::database::dictionary::Object;
use crate::date::check_date;
use crate::manifest::Source;
use crate::output::markdown::escaped;
use crate::release::summary::Facts;
use crate::release::views::{Kind, Written};
use crate::text::counted;

/// The page on the data's licence.
pub const LICENCE: &str = "DATA-LICENCE.md";
/// The page on what changed.
pub const CHANGES: &str = "CHANGES.md";
/// The licence of energydb.
pub const LICENSE_TEXT: &str = include_str!("../../LICENSE");

/// The page that a reader of the folder begins with.
pub fn readme(
    facts: &Facts,
    views: &[Written],
    dictionary: &[Object],
    since: Option<&str>,
) -> String {
    let Facts { data_version, updated, caveat, energydb_version, counts, .. } = facts;
    let [configurations, models, gpus] = counts;
    let configurations = counted(*configurations, "measured configuration");
    let (models, gpus) = (counted(*models, "model"), counted(*gpus, "type"));
    let database = database_name(data_version);
    let hash = facts.content_hash.as_deref().unwrap_or("none recorded");
    let accepted = match facts.findings {
        0 => String::new(),
        findings => format!(
            "
Accepted for this release: {} of checks that its data does not pass. The table `findings` of the
database says where each is, and what was expected there.
",
            counted(findings, "finding")
        ),
    };
    let (view, energy) = example(views);
    let mut page = format!(
        "# energydb, release {data_version}

{configurations} of {models} on {gpus} of GPU: the energy that
serving them takes, and the latency, throughput and power that go with it. State of the data
{data_version}, published {updated}, built by energydb {energydb_version}.

{caveat}
{accepted}
| file | what it is |
|---|---|
| `{database}` | everything, as one SQLite file for any SQL client |
| `{database}.zst` | the same, compressed; `zstd -d` unpacks it |
| `{VIEWS}/` | each view as CSV (RFC 4180, UTF-8) |
| `{DOCUMENTS}/` | for each task one JSON document per model, and an index |
| `SCHEMA.md` | every table, view and column: meaning, unit, source |
| `datapackage.json` | the same for programs: a Frictionless data package, with the sha256 of each file |
| `metadata.json` | the named queries and descriptions, for Datasette |
",
        caveat = escaped(caveat)
    );
    if let Some(since) = since {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| `{CHANGES}` | what changed since {} |", escaped(since));
    }
    let _ = write!(
        page,
        "| `CITATION.cff` | how to cite it |
| `{LICENCE}` | licence and attribution of the data |
| `LICENSE` | licence of energydb: its schema, its queries and its words |
| `SHA256SUMS` | the sha256 of every other file |

## Check it

```sh
sha256sum -c SHA256SUMS
```

The content hash of the database, which does not depend on how SQLite lays out the file, is
`{hash}`. `energydb check {database}`
computes it anew.

## Read it

```sh
sqlite3 {database} \"select model, gpu, {energy} from {view}\"
datasette {database} --metadata metadata.json
```

```python
import pandas
pandas.read_csv(\"{VIEWS}/{view}.csv\")
```

Figures are unrounded. An empty cell of a CSV is null. Older versions of pandas read every figure to
its last digit with `float_precision=\"round_trip\"` only.

Datasette lists the queries on the page of the database. A parameter that is left empty has its
default or sets no limit; what is not of its type, or names nothing, is an error that says so. Names
are found in upper and lower case, letters beyond A to Z as they are written only.

| view | one row is |
|---|---|
"
    );
    for view in views {
        let meaning = dictionary.iter().find(|object| object.name == view.view);
        let meaning = meaning.map(|object| escaped(&object.meaning)).unwrap_or_default();
        let _ = writeln!(page, "| `{VIEWS}/{}.csv` | {meaning} |", view.view);
    }
    page
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
    let mut page = format!(
        "# Licence and attribution of the data

What the release {} records of its sources, word for word.
",
        facts.data_version
    );
    let sets = facts.data_sets();
    if sets.is_empty() {
        page.push_str("\nIt records no source, so nothing is known of a licence.\n");
    }
    for set in &sets {
        let _ = writeln!(page, "\n## {}\n", escaped(&set.name));
        let Source { publisher, url, version, released, compiled, retrieved, .. } = set;
        let known = [
            ("Publisher", publisher),
            ("Address", url),
            ("Version", version),
            ("Released", released),
            ("Compiled", compiled),
            ("Retrieved", retrieved),
            ("Licence", &set.licence),
            ("Method", &set.method),
            ("Cite as", &set.cite),
            ("Citation address", &set.cite_url),
        ];
        for (name, text) in known {
            if let Some(text) = text {
                let _ = writeln!(page, "- {name}: {}", escaped(text));
            }
        }
        if set.licence.is_none() {
            page.push_str("- Licence: not known\n");
        }
        if !set.licence_evidence.is_empty() {
            page.push_str("\nEvidence for the licence, most important first:\n\n");
            for (index, evidence) in set.licence_evidence.iter().enumerate() {
                let _ = writeln!(page, "{}. {}", index + 1, escaped(evidence));
            }
        }
    }
    let documents: Vec<_> =
        facts.sources.iter().filter_map(|source| source.data_url.as_ref()).collect();
    if !documents.is_empty() {
        page.push_str("\n## Documents\n\n");
        for url in documents {
            let _ = writeln!(page, "- {}", escaped(url));
        }
    }
    page.push_str(
        "\nenergydb itself, that is the schema, the queries and the words about them, is under the \
         Apache\nLicense 2.0: see LICENSE.\n",
    );
    page
}

/// `CITATION.cff`, version 1.2.0.
///
/// # Errors
/// When a text cannot be quoted.
pub fn citation(facts: &Facts) -> Result<String> {
    // A JSON text is a quoted text in YAML too.
    let quoted = |text: &str| json!(text).to_string();
    let mut page = format!(
        "cff-version: 1.2.0
message: {message}
type: software
title: energydb
abstract: {description}
authors:
  - name: The energydb authors
version: {version}
license: {license}
",
        message = quoted(&format!(
            "If you use release {}, please cite energydb and the data that it holds, which \
             references lists.",
            facts.data_version
        )),
        description = quoted(env!("CARGO_PKG_DESCRIPTION")),
        version = quoted(&facts.energydb_version),
        license = env!("CARGO_PKG_LICENSE"),
    );
    if let Some(hash) = &facts.content_hash {
        let _ = write!(
            page,
            "identifiers:
  - type: other
    value: {}
    description: {}
",
            quoted(&format!("sha256:{hash}")),
            quoted(&format!("content hash of the database of release {}", facts.data_version))
        );
    }
    let sets = facts.data_sets();
    if !sets.is_empty() {
        page.push_str("references:\n");
    }
    for set in &sets {
        let author = set.publisher.as_ref().unwrap_or(&set.name);
        let _ = write!(
            page,
            "  - type: data
    title: {}
    authors:
      - name: {}
",
            quoted(&set.name),
            quoted(author)
        );
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
        for (name, text) in known {
            if let Some(text) = text {
                let _ = writeln!(page, "    {name}: {}", quoted(text));
            }
        }
    }
    Ok(page)
}
