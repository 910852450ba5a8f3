//! `energydb export`: one JSON document per model, and an index of each task, as published.
//!
//! The members of the documents are the columns of the queries export-models and
//! export-configurations, in order; export-best says which configurations are best. This adds the
//! release block and applies the published precision.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, OptionalExtension, Statement};
use serde_json::{Map, Value, json};

use super::{DONE, open_database, write_file};
use crate::catalogue::names;
use crate::catalogue::parameter::Named;
use crate::catalogue::statement::{self, Values};
use crate::catalogue::{Catalogue, Query};
use crate::cli::{Export, Global};
use crate::error::usage;
use crate::output::terminal;
use crate::precision;
use crate::slug::is_slug;

type Object = Map<String, Value>;

/// Name of the document that lists a task's best configurations.
const INDEX: &str = "index";

pub(super) fn run(arguments: &Export, catalogue: &Catalogue, global: &Global) -> Result<u8> {
    let connection = open_database(global)?;
    let task = match &arguments.task {
        Some(task) => Some(names::resolve(&connection, Named::Task, task)?),
        None => None,
    };
    let exporter = Exporter { connection: &connection, catalogue };
    if let Some(model) = &arguments.model {
        let model = names::resolve(&connection, Named::Model, model)?;
        let task = task.map_or_else(|| names::default_task(&connection), Ok)?;
        let text = text(&exporter.one_model(&task, &model)?)?;
        match &arguments.output {
            Some(path) if path.is_dir() => {
                let shown = path.display();
                return Err(usage(format!(
                    "-o names a folder, but with --model it is the file to write: {shown}"
                )));
            }
            Some(path) => write_file(path, text.as_bytes())?,
            None => {
                let mut out = terminal::results();
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
        }
        return Ok(DONE);
    }
    let folder = arguments.output.as_deref().context("name a folder with -o")?;
    let tasks = match task {
        Some(task) => vec![task],
        None => exporter.tasks()?,
    };
    let mut documents = 0;
    for task in &tasks {
        documents += exporter.task(task, folder)?;
    }
    if !global.quiet {
        terminal::line(&format!("note: {documents} documents written to {}", folder.display()));
    }
    Ok(DONE)
}

struct Exporter<'c> {
    connection: &'c Connection,
    catalogue: &'c Catalogue,
}

/// The queries of one task, prepared once for all its models.
struct Prepared<'c> {
    models: Statement<'c>,
    configurations: Statement<'c>,
    best: Statement<'c>,
}

impl<'c> Exporter<'c> {
    fn tasks(&self) -> Result<Vec<String>> {
        let mut statement = self.connection.prepare("select task from tasks order by task")?;
        let tasks = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(tasks)
    }

    fn prepare(&self) -> Result<Prepared<'c>> {
        let prepare = |name| {
            let query: &Query = self.catalogue.get(name)?;
            statement::prepare(self.connection, query)
        };
        Ok(Prepared {
            models: prepare("export-models")?,
            configurations: prepare("export-configurations")?,
            best: prepare("export-best")?,
        })
    }

    /// The document of one model.
    fn one_model(&self, task: &str, model: &str) -> Result<Object> {
        let mut prepared = self.prepare()?;
        let Some(facts) = models(&mut prepared, task, Some(model))?.into_iter().next() else {
            let mut statement = self.connection.prepare(
                "select distinct task from configuration_energy where model = ?1 order by task",
            )?;
            let tasks = statement
                .query_map([model], |row| row.get(0))?
                .collect::<Result<Vec<String>, _>>()?;
            return Err(usage(format!(
                "{model} was not measured in {task}, but in {}; name one with --task",
                tasks.join(", ")
            )));
        };
        let mut document = self.release(task)?;
        document.extend(model_members(&mut prepared, task, facts)?.members);
        Ok(document)
    }

    /// Writes a folder for the task: one document per model and the index. Returns their number.
    fn task(&self, task: &str, folder: &Path) -> Result<usize> {
        let folder = folder.join(safe_name(task)?);
        // Nothing outside the folder is ever written, wherever a link in it would lead.
        if folder.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
            bail!("a symbolic link stands where a folder is to be: {}", folder.display());
        }
        fs::create_dir_all(&folder)
            .with_context(|| format!("could not make the folder: {}", folder.display()))?;
        let release = self.release(task)?;
        let mut prepared = self.prepare()?;
        let mut index = Vec::new();
        let all = models(&mut prepared, task, None)?;
        let count = all.len() + 1;
        for facts in all {
            let slug =
                facts.get("slug").and_then(Value::as_str).context("a model without a slug")?;
            if slug == INDEX {
                bail!(
                    "the document of the model '{slug}' would stand where the index of {task} is to be"
                );
            }
            let path = folder.join(format!("{}.json", safe_name(slug)?));
            let mut document = release.clone();
            let members = model_members(&mut prepared, task, facts)?;
            document.extend(members.members);
            index.extend(members.index);
            write_file(&path, text(&document)?.as_bytes())?;
        }
        let mut document = release;
        document.insert("rows".into(), index.into_iter().map(Value::Object).collect());
        write_file(&folder.join(format!("{INDEX}.json")), text(&document)?.as_bytes())?;
        Ok(count)
    }

    /// The members with which every document begins.
    fn release(&self, task: &str) -> Result<Object> {
        let mut document = Object::new();
        let (deadline, caveat, boundary): (f64, String, String) = self.connection.query_row(
            "select version, updated, data_version, unit, itl_deadline_ms, caveat, boundary \
             from release",
            [],
            |row| {
                for (index, name) in
                    ["version", "updated", "data_version", "unit"].iter().enumerate()
                {
                    document.insert((*name).into(), row.get::<_, String>(index)?.into());
                }
                Ok((row.get(4)?, row.get(5)?, row.get(6)?))
            },
        )?;
        document.insert("itl_deadline_ms".into(), whole_where_it_is(deadline));
        document.insert("source".into(), self.source(task)?);
        document.insert("caveat".into(), caveat.into());
        document.insert("boundary".into(), boundary.into());
        Ok(document)
    }

    /// Where the task's figures come from; null where that is not known.
    fn source(&self, task: &str) -> Result<Value> {
        let mut statement = self.connection.prepare(
            "select sources.* from documents \
             join tasks on tasks.task_id = documents.task_id \
             join sources on sources.source_id = documents.source_id \
             where tasks.task = ?1 order by documents.document_id limit 1",
        )?;
        let names = statement::columns(&statement);
        let found: Option<(i64, Object)> = statement
            .query_row([task], |row| {
                let mut source = Object::new();
                for (index, name) in names.iter().enumerate().skip(1) {
                    source.insert(name.clone(), row.get::<_, Option<String>>(index)?.into());
                    if name == "licence" {
                        source.insert("licence_evidence".into(), json!([]));
                    }
                }
                Ok((row.get(0)?, source))
            })
            .optional()?;
        let Some((source_id, mut source)) = found else { return Ok(Value::Null) };
        let mut statement = self.connection.prepare(
            "select evidence from licence_evidence where source_id = ?1 order by position",
        )?;
        let evidence = statement
            .query_map([source_id], |row| row.get::<_, String>(0))?
            .collect::<Result<Vec<_>, _>>()?;
        source.insert("licence_evidence".into(), evidence.into());
        Ok(Value::Object(source))
    }
}

/// What a document says of one model, and its rows of the index.
struct Members {
    members: Object,
    index: Vec<Object>,
}

fn model_members(prepared: &mut Prepared<'_>, task: &str, facts: Object) -> Result<Members> {
    let slug = facts.get("slug").and_then(Value::as_str).context("a model without a slug")?;
    let values = [("task", task), ("model", slug)];
    let configurations = objects(&mut prepared.configurations, &values)?;
    let best_rows = objects(&mut prepared.best, &values)?;

    let mut gpus: Vec<Value> =
        configurations.iter().filter_map(|row| row.get("gpu")).cloned().collect();
    gpus.dedup();
    let mut best = Object::new();
    let mut index = Vec::new();
    for row in &configurations {
        let is_best = best_rows.iter().any(|chosen| chosen.get("row_id") == row.get("row_id"));
        if let (true, Some(Value::String(gpu))) = (is_best, row.get("gpu")) {
            best.insert(gpu.clone(), Value::Object(row.clone()));
            let mut indexed = facts.clone();
            indexed.extend(row.clone());
            index.push(indexed);
        }
    }
    let mut members = facts;
    members.insert("gpus".into(), gpus.into());
    members
        .insert("configurations".into(), configurations.into_iter().map(Value::Object).collect());
    members.insert("best".into(), Value::Object(best));
    Ok(Members { members, index })
}

fn models(prepared: &mut Prepared<'_>, task: &str, model: Option<&str>) -> Result<Vec<Object>> {
    let model = model.map_or(Sql::Null, |model| Sql::Text(model.into()));
    let values = vec![("task".into(), Sql::Text(task.into())), ("model".into(), model)];
    rows(&mut prepared.models, &values)
}

fn objects(statement: &mut Statement<'_>, values: &[(&str, &str)]) -> Result<Vec<Object>> {
    let values: Values = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Sql::Text((*value).to_owned())))
        .collect();
    rows(statement, &values)
}

/// The rows of a query as objects, in published precision.
fn rows(statement: &mut Statement<'_>, values: &Values) -> Result<Vec<Object>> {
    let columns: Vec<_> = statement::columns(statement)
        .into_iter()
        .map(|name| (precision::of(&name), name))
        .collect();
    let mut objects = Vec::new();
    statement::run(statement, values, |row| {
        let members = columns
            .iter()
            .zip(row)
            .map(|((precision, name), value)| (name.clone(), precision.json(*value)));
        objects.push(members.collect());
        Ok(())
    })?;
    Ok(objects)
}

/// A name that is safe as a part of a path, whatever the database says.
fn safe_name(name: &str) -> Result<&str> {
    if !is_slug(name) {
        bail!(
            "'{}' cannot name a file; the database is not as energydb builds it",
            name.escape_debug()
        );
    }
    Ok(name)
}

fn whole_where_it_is(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        (number as i64).into()
    } else {
        number.into()
    }
}

fn text(document: &Object) -> Result<String> {
    Ok(serde_json::to_string_pretty(document)?)
}
