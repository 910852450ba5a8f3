//! `energydb schema`: what every table, view and column means, as a page.

use std::io::Write;

use anyhow::Result;
use serde_json::json;

use super::{DONE, note_built_in, open_database, print_rows};
use crate::cli::{Global, Schema};
use crate::database::dictionary::{self, Object};
use crate::error::{did_you_mean, usage};
use crate::output::{Format, terminal};
use crate::release::pages;
use crate::signal::Signals;

pub(super) fn run(arguments: &Schema, global: &Global, signals: &Signals) -> Result<u8> {
    let (connection, location) = open_database(global, signals)?;
    let mut objects = dictionary::read(&connection)?;
    if let Some(name) = &arguments.name {
        let known: Vec<String> = objects.iter().map(|object| object.name.clone()).collect();
        objects.retain(|object| object.name.eq_ignore_ascii_case(name));
        if objects.is_empty() {
            let near = did_you_mean(name, known.iter().map(String::as_str));
            return Err(usage(format!(
                "no table or view is called '{name}'{near}; 'energydb schema' lists all"
            )));
        }
    }
    note_built_in(&location, global);
    let mut out = terminal::results();
    match global.format {
        None | Some(Format::Markdown) => write!(out, "{}", pages::schema(&objects))?,
        Some(Format::Json) => {
            serde_json::to_writer_pretty(&mut out, &document(&objects))?;
            writeln!(out)?;
        }
        Some(_) => {
            drop(out);
            print_rows(&COLUMNS, &rows(&objects), global)?;
            return Ok(DONE);
        }
    }
    out.flush()?;
    Ok(DONE)
}

fn document(objects: &[Object]) -> serde_json::Value {
    let objects = objects.iter().map(|Object { name, kind, meaning, columns }| {
        let columns: Vec<_> = columns
            .iter()
            .map(|column| {
                json!({
                    "name": column.name,
                    "type": column.kind,
                    "unit": column.unit,
                    "meaning": column.meaning,
                    "source": column.source,
                })
            })
            .collect();
        json!({"name": name, "kind": kind, "meaning": meaning, "columns": columns})
    });
    objects.collect()
}

const COLUMNS: [&str; 7] =
    ["object_name", "kind", "column_name", "type", "unit", "meaning", "source"];

fn rows(objects: &[Object]) -> Vec<Vec<String>> {
    let text = |cell: &Option<String>| cell.clone().unwrap_or_default();
    let mut rows = Vec::new();
    for Object { name, kind, meaning, columns } in objects {
        let none = String::new;
        let (name, kind) = (name.clone(), kind.clone());
        rows.push(vec![
            name.clone(),
            kind.clone(),
            none(),
            none(),
            none(),
            meaning.clone(),
            none(),
        ]);
        rows.extend(columns.iter().map(|column| {
            vec![
                name.clone(),
                kind.clone(),
                column.name.clone(),
                text(&column.kind),
                text(&column.unit),
                text(&column.meaning),
                text(&column.source),
            ]
        }));
    }
    rows
}
