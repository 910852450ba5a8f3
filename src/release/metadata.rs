//! `metadata.json`: the release as Datasette shows it, with every named query.

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::catalogue::Catalogue;
use crate::database::dictionary::{Described, Object};
use crate::database::release::Facts;
use crate::manifest::Source;
use crate::release::canned;

/// The metadata of a release.
///
/// # Errors
/// When a query cannot be described.
pub fn document(facts: &Facts, catalogue: &Catalogue, dictionary: &[Object]) -> Result<Vec<u8>> {
    let mut queries = Map::new();
    for query in catalogue.queries.iter().filter(|query| query.file.is_none()) {
        let parameters: Vec<_> =
            query.head.parameters.iter().map(|parameter| &parameter.name).collect();
        let mut explanation = query.head.explanation.clone();
        for parameter in &query.head.parameters {
            let default = parameter.shown_default();
            let default = default.iter().map(|default| format!(", else {default}"));
            explanation.push_str(&format!(
                "\n{}: {}{}",
                parameter.name,
                parameter.help,
                default.collect::<String>()
            ));
        }
        let member = json!({
            "sql": canned::statement(query)?,
            "title": query.head.description.trim_end_matches('.'),
            "description": explanation.trim(),
            "params": parameters,
        });
        let is_taken = dictionary.iter().any(|object| object.name == query.name);
        queries.insert(canned::name(query, is_taken), member);
    }
    let mut tables = Map::new();
    for object in dictionary {
        let columns: Map<_, _> = object
            .columns
            .iter()
            .map(|column| (column.name.clone(), Value::String(described(column))))
            .collect();
        tables.insert(
            object.name.clone(),
            json!({"description": object.meaning, "columns": columns}),
        );
    }
    let mut document = json!({
        "title": format!("energydb, release {}", facts.data_version),
        "description": facts.caveat,
    });
    let database = facts.file_stem();
    if let Value::Object(members) = &mut document {
        for (name, text) in source(facts) {
            members.insert(name.into(), text.into());
        }
        let members_of_database = json!({"queries": queries, "tables": tables});
        members.insert("databases".into(), json!({database: members_of_database}));
    }
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}

/// Where the data comes from. Datasette knows one source and one licence, so those of several data
/// sets are described in one text, without an address.
fn source(facts: &Facts) -> Vec<(&'static str, String)> {
    let sets = facts.data_sets();
    let names: Vec<_> = sets.iter().map(|set| set.name.as_str()).collect();
    let mut told = vec![("source", names.join("; ")), ("license", facts.licences().join("; "))];
    if let [Source { url: Some(url), .. }] = &sets[..] {
        told.push(("source_url", url.clone()));
    }
    told.retain(|(_, text)| !text.is_empty());
    told
}

/// What a column means, and its unit. Datasette's own units are for others to compute with.
fn described(column: &Described) -> String {
    let meaning = column.meaning.clone().unwrap_or_default();
    match &column.unit {
        Some(unit) => format!("{meaning} ({unit})"),
        None => meaning,
    }
}
