//! `energydb manifest`: what a publisher says of a release, to be filled in.

use std::io::Write;

use anyhow::Result;
use rusqlite::Connection;

use super::{DONE, build};
use crate::cli::{Global, Manifest as Arguments};
use crate::database::build::{Plan, accepted};
use crate::input::document::Document;
use crate::input::exclude::exclude;
use crate::manifest::{DescribedDocument, Manifest};
use crate::output::terminal;
use crate::signal::Signals;

pub(super) fn run(arguments: &Arguments, global: &Global, signals: &Signals) -> Result<u8> {
    let mut documents = Document::of_inputs(&arguments.inputs, signals)?;
    exclude(&mut documents, &arguments.exclude, true)?;
    let plan = Plan::new(documents, accepted(&arguments.accept)?)?;
    let (database, outcome) = build::temporary(&plan, global, signals)?;
    let compiled = outcome.documents.iter().find_map(|of| of.head.last_updated.as_deref());
    let template = Manifest::template(
        &described(&database)?,
        &names(&database, "select task from tasks order by task")?,
        compiled,
    )?;
    signals.end_at_once()?;
    let mut out = terminal::results();
    serde_json::to_writer_pretty(&mut out, &template)?;
    writeln!(out)?;
    out.flush()?;
    Ok(DONE)
}

fn described(database: &Connection) -> Result<Vec<DescribedDocument>> {
    let mut statement =
        database.prepare("select name, bytes, sha256 from documents order by name")?;
    let documents = statement.query_map([], |row| {
        let bytes: i64 = row.get(1)?;
        Ok(DescribedDocument {
            name: row.get(0)?,
            bytes: bytes.unsigned_abs(),
            sha256: row.get(2)?,
        })
    })?;
    Ok(documents.collect::<rusqlite::Result<_>>()?)
}

fn names(database: &Connection, sql: &str) -> Result<Vec<String>> {
    let mut statement = database.prepare(sql)?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}
