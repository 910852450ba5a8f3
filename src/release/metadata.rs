//! `metadata.json`: the release as Datasette shows it, with every named query.

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::canned;
use super::facts::Facts;
use crate::catalogue::Catalogue;
use crate::database::dictionary::{Described, Object};

/// The metadata of a release.
///
/// # Errors
/// When a query cannot be told.
pub fn document(facts: &Facts, catalogue: &Catalogue, dictionary: &[Object]) -> Result<Vec<u8>> {
    let mut queries = Map::new();
    for query in catalogue.queries.iter().filter(|query| query.file.is_none()) {
        let parameters: Vec<_> =
            query.head.parameters.iter().map(|parameter| &parameter.name).collect();
        let mut explanation = query.head.explanation.clone();
        for parameter in &query.head.parameters {
            let default = parameter.default.iter().map(|default| format!(", else {default}"));
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
        queries.insert(query.name.clone(), member);
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
    if let (Value::Object(members), [first, ..]) = (&mut document, &facts.data_sets()[..]) {
        members.insert("source".into(), first.name.clone().into());
        let known = [("source_url", &first.url), ("license", &first.licence)];
        for (name, text) in known {
            if let Some(text) = text {
                members.insert(name.into(), text.clone().into());
            }
        }
    }
    let database = super::database_stem(&facts.data_version);
    if let Value::Object(members) = &mut document {
        let members_of_database = json!({"queries": queries, "tables": tables});
        members.insert("databases".into(), json!({database: members_of_database}));
    }
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}

/// What a column means, and its unit. Datasette's own units are for others to compute with.
fn described(column: &Described) -> String {
    let meaning = column.meaning.clone().unwrap_or_default();
    match &column.unit {
        Some(unit) => format!("{meaning} ({unit})"),
        None => meaning,
    }
}
