//! Checks of names: the same that documents pass before they are stored.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use rusqlite::Connection;

use super::{Subject, first_of};
use crate::input::findings::shown;
use crate::input::look::look;
use crate::input::value::name_fault;
use crate::slug::{is_slug, slug};

/// Columns that hold names of documents, and whether two of one column may not look alike.
const NAMES: [(&str, &str, bool); 6] = [
    ("models", "hugging_face_id", true),
    ("models", "model_name", false),
    ("models", "architecture", false),
    ("gpus", "gpu", true),
    ("precisions", "source_name", true),
    ("tasks", "task", true),
];

/// The values of a column, without null.
fn values(connection: &Connection, table: &str, column: &str) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare(&format!("select {column} from {table} where {column} is not null order by 1"))?
        .query_map([], |row| row.get(0))?
        .collect()
}

pub fn form(subject: &Subject<'_>) -> Result<String> {
    let mut faults = Vec::new();
    let mut number = 0;
    for (table, column, _) in NAMES {
        for name in values(subject.connection, table, column)? {
            number += 1;
            let fault = name_fault(&name)
                .or((table == "tasks" && !is_slug(&name)).then_some("a slug"))
                .or((table == "gpus" && name.contains('/')).then_some("a name without a slash"));
            if let Some(expected) = fault {
                faults.push(format!(
                    "{table}.{column}: found \"{}\", expected {expected}",
                    shown(&name)
                ));
            }
        }
    }
    ensure!(faults.is_empty(), "{}", first_of(&faults));
    Ok(format!("{number} names"))
}

pub fn spelling(subject: &Subject<'_>) -> Result<String> {
    let mut faults = Vec::new();
    for (table, column, _) in NAMES.iter().filter(|(.., is_key)| *is_key) {
        let mut seen = HashMap::new();
        for name in values(subject.connection, table, column)? {
            if let Some(other) = seen.insert(look(&name), name.clone()) {
                let (other, name) = (shown(&other), shown(&name));
                faults.push(format!("{table}.{column}: \"{other}\" and \"{name}\""));
            }
        }
    }
    ensure!(faults.is_empty(), "{}", first_of(&faults));
    Ok("no two names look alike".into())
}

pub fn slugs(subject: &Subject<'_>) -> Result<String> {
    let models: Vec<(String, String)> = subject
        .connection
        .prepare("select model, model_name from models order by model")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let faults: Vec<_> = models
        .iter()
        .filter(|(model, name)| !is_slug(model) || *model != slug(name))
        .map(|(model, name)| format!("\"{}\" is not the slug of \"{}\"", shown(model), shown(name)))
        .collect();
    ensure!(faults.is_empty(), "{}", first_of(&faults));
    Ok(format!("{} models", models.len()))
}
