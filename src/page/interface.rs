//! What the page needs beyond the database: the named queries with their parameters, how names are looked up,
//! and how figures are written. It comes from the program, so the page does not define these again.

use anyhow::Result;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::first_sight;
use crate::catalogue::parameter::{Kind, Named, Parameter};
use crate::catalogue::statement::of_release;
use crate::catalogue::{Catalogue, Query, left_out, methods, names};
use crate::database::release::Facts;
use crate::embedded::LABELS;
use crate::measurement::labels::Label;
use crate::measurement::product::Product;
use crate::measurement::published::Precision;
use crate::text::is_hidden;

/// All of it, as the page's scripts read it.
///
/// # Errors
/// When the database cannot be read.
pub fn of(connection: &Connection, catalogue: &Catalogue, facts: &Facts) -> Result<Value> {
    let queries: Vec<_> =
        catalogue.queries.iter().map(|known| query(connection, known)).collect::<Result<_>>()?;
    Ok(json!({
        "program": env!("CARGO_PKG_VERSION"),
        "file": facts.file_name(),
        "queries": queries,
        "names": Named::ALL.iter().map(|&named| lookup(named)).collect::<Value>(),
        "labels": LABELS.iter().map(label).collect::<Vec<_>>(),
        "escaped": escaped(),
        "question": first_sight::QUESTION,
        "differences": methods::statement(),
    }))
}

fn query(connection: &Connection, query: &Query) -> Result<Value> {
    let needs: Vec<_> = query
        .head
        .needs
        .iter()
        .map(|need| json!({"rule": need.rule.word(), "names": need.names, "shown": need.shown()}))
        .collect();
    let parameters = query.head.parameters.iter();
    Ok(json!({
        "name": query.name,
        "description": query.head.description,
        "explanation": query.head.explanation,
        "parameters":
            parameters.map(|known| parameter(connection, known)).collect::<Result<Vec<_>>>()?,
        "needs": needs,
        "no_rows": query.head.no_rows,
        "notes": query.head.notes,
        "left_out": left_out::statement(query),
        "important": query.head.important,
        "picture": query.head.picture,
        "sql": query.sql,
    }))
}

fn parameter(connection: &Connection, parameter: &Parameter) -> Result<Value> {
    let Parameter { name, kind, default, help, aliases: _ } = parameter;
    let default = match parameter.release_column() {
        Some(column) => of_release(connection, column)?.map(|default| default.to_string()),
        None => default.clone(),
    };
    let mut described = json!({
        "name": name, "flag": parameter.flag(), "default": default, "help": help,
    });
    let (kind, range, choices) = match kind {
        Kind::Text => ("text", None, None),
        Kind::Integer(range) => ("integer", Some(range), None),
        Kind::Real(range) => ("real", Some(range), None),
        Kind::Boolean => ("boolean", None, None),
        Kind::Date => ("date", None, None),
        Kind::LoadProfile => ("load profile", None, None),
        Kind::OneOf(choices) => ("one of", None, Some(choices)),
        Kind::Named(named) => (named.name(), None, None),
    };
    described["kind"] = json!(kind);
    if let Some(range) = range {
        let [above, from, up_to] = range.limits();
        described["range"] =
            json!({"words": range.shown("").trim(), "above": above, "from": from, "up_to": up_to});
    }
    if let Some(choices) = choices {
        described["choices"] = json!(choices);
    }
    Ok(described)
}

fn lookup(named: Named) -> (String, Value) {
    let makes = named.makes().map(|made| made.into_iter().map(Product::name).collect::<Vec<_>>());
    let looked_up =
        json!({"all": names::all(named), "default": names::default(named), "makes": makes});
    (named.name().to_owned(), looked_up)
}

fn label((column, label): &(&str, Label)) -> Value {
    let Label { label, unit, precision } = label;
    let (kind, decimals) = match precision {
        Precision::Decimals(decimals) => ("decimals", Some(*decimals)),
        Precision::Whole => ("whole", None),
        Precision::Boolean => ("boolean", None),
        Precision::Real => ("real", None),
        Precision::Exact => ("exact", None),
        Precision::Change => ("change", None),
        Precision::AsReceived => ("as received", None),
    };
    json!({
        "column": column, "label": label, "unit": unit, "kind": kind, "decimals": decimals,
    })
}

/// The ranges of characters that are shown escaped, first and last of each.
fn escaped() -> Vec<[u32; 2]> {
    let mut ranges: Vec<[u32; 2]> = Vec::new();
    for character in ('\0'..=char::MAX).filter(|character| is_hidden(*character)) {
        let code = u32::from(character);
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == code => *last = code,
            _ => ranges.push([code, code]),
        }
    }
    ranges
}
