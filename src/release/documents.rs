//! The published documents: one JSON document per model, and an index of each task.
//!
//! The members of the documents are the columns of the queries export-models and export-configurations, in
//! order. export-best selects the best configurations. Images and videos have their own queries. This module
//! adds the release block, and [`super::document`] writes the documents.

use std::fs;
use std::path::Path;

use anyhow::{Context, Error, Result, bail};
use rusqlite::{Connection, OptionalExtension, Statement};
use serde_json::{Value, json};

use super::document::{Index, Measured, Object, Rows};
use crate::catalogue::statement;
use crate::catalogue::{Catalogue, Query};
use crate::error::usage;
use crate::measurement::product::Product;
use crate::progress::enter;
use crate::signal::Signals;
use crate::slug::{INDEX, is_slug};

/// What the documents of a workload are made with, by what it makes.
struct Making {
    /// The query of a model's configurations.
    configurations: &'static str,
    /// The query that says which of them are best.
    best: &'static str,
    /// The unit of energy, or `None` if the release says it.
    unit: Option<&'static str>,
    /// The member that contains the default deadline, and the column of the release that says it.
    deadline: (&'static str, &'static str),
    /// Whether there is at most one best configuration for each GPU.
    has_one_best: bool,
}

const TEXT: Making = Making {
    configurations: "export-configurations",
    best: "export-best",
    unit: None,
    deadline: ("itl_deadline_ms", "itl_deadline_ms"),
    has_one_best: true,
};

const IMAGES: Making = Making {
    configurations: "export-images",
    best: "export-best-images",
    unit: Some("Wh per image"),
    deadline: ("batch_deadline_s", "image_deadline_s"),
    has_one_best: false,
};

const VIDEOS: Making = Making {
    configurations: "export-videos",
    best: "export-best-videos",
    unit: Some("Wh per video"),
    deadline: ("batch_deadline_s", "video_deadline_s"),
    has_one_best: false,
};

/// Writes the documents of a database.
pub struct Exporter<'c> {
    connection: &'c Connection,
    catalogue: &'c Catalogue,
}

/// The queries of one task, prepared once for all its models.
struct Prepared<'c> {
    models: Statement<'c>,
    configurations: Statement<'c>,
    best: Statement<'c>,
    has_one_best: bool,
}

impl Prepared<'_> {
    fn measured(&mut self, task: &str, model: &str) -> Result<Measured> {
        let configurations = Rows::read(&mut self.configurations, task, Some(model))?;
        let chosen = Rows::read(&mut self.best, task, Some(model))?;
        Ok(Measured::new(configurations, &chosen, self.has_one_best))
    }
}

impl<'c> Exporter<'c> {
    /// Documents of this database, by these queries.
    pub fn new(connection: &'c Connection, catalogue: &'c Catalogue) -> Self {
        Self { connection, catalogue }
    }

    /// Every task, in order.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn tasks(&self) -> Result<Vec<String>> {
        let mut statement = self.connection.prepare("select task from tasks order by task")?;
        let tasks = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(tasks)
    }

    /// How the documents of a task are made.
    fn making(&self, task: &str) -> Result<&'static Making> {
        let output: String = self.connection.query_row(
            "select output from tasks where task = ?1",
            [task],
            |row| row.get(0),
        )?;
        let product = Product::of_name(&output)
            .with_context(|| format!("the task {task} makes '{output}', which is unknown"))?;
        Ok(match product {
            Product::Tokens => &TEXT,
            Product::Images => &IMAGES,
            Product::Videos => &VIDEOS,
        })
    }

    fn prepare(&self, task: &str) -> Result<Prepared<'c>> {
        let making = self.making(task)?;
        let prepare = |name| {
            let query: &Query = self.catalogue.get(name)?;
            statement::prepare(self.connection, query)
        };
        Ok(Prepared {
            models: prepare("export-models")?,
            configurations: prepare(making.configurations)?,
            best: prepare(making.best)?,
            has_one_best: making.has_one_best,
        })
    }

    /// The document of one model, as JSON text.
    ///
    /// # Errors
    /// When the model was not measured in the task.
    pub fn one_model(&self, task: &str, model: &str) -> Result<Vec<u8>> {
        let mut prepared = self.prepare(task)?;
        let models = Rows::read(&mut prepared.models, task, Some(model))?;
        let facts = models.all().next();
        let facts = facts.map_or_else(|| Err(self.not_measured(task, model)?), Ok)?;
        prepared.measured(task, model)?.document(&self.release(task)?, facts)
    }

    /// Why there is no document of a model.
    fn not_measured(&self, task: &str, model: &str) -> Result<Error> {
        let mut statement = self
            .connection
            .prepare("select distinct task from model_index where model = ?1 order by task")?;
        let tasks =
            statement.query_map([model], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        Ok(usage(match &tasks[..] {
            [] => format!("the index lists {model}, but it was not measured"),
            tasks => format!(
                "{model} was not measured in {task}, but in {}; choose one of these with --task",
                tasks.join(", ")
            ),
        }))
    }

    /// Writes the documents of some tasks to a folder that is empty: a folder for each task, with
    /// one document per model and the index. All are of one state of the database.
    ///
    /// # Errors
    /// When the database is not as energydb builds it, a signal came, or the system refuses.
    pub fn write(&self, tasks: &[String], folder: &Path, signals: &Signals) -> Result<()> {
        enter("writing documents");
        statement::of_one_state(self.connection, || {
            tasks.iter().try_for_each(|task| self.write_task(task, folder, signals))
        })
    }

    fn write_task(&self, task: &str, folder: &Path, signals: &Signals) -> Result<()> {
        let folder = folder.join(safe_name(task)?);
        fs::create_dir_all(&folder)
            .with_context(|| format!("could not make the folder: {}", folder.display()))?;
        let write = |stem: &str, text: &[u8]| {
            signals.check()?;
            let path = folder.join(file_name(stem));
            fs::write(&path, text).with_context(|| format!("could not write: {}", path.display()))
        };
        let release = self.release(task)?;
        let mut prepared = self.prepare(task)?;
        let models = Rows::read(&mut prepared.models, task, None)?;
        let mut best = Vec::new();
        for facts in models.all() {
            let slug = facts.text("slug").context("a model without a slug")?;
            if slug == INDEX {
                bail!(
                    "the document of the model '{slug}' would take the place of the index of {task}"
                );
            }
            let mut measured = prepared.measured(task, slug)?;
            write(safe_name(slug)?, &measured.document(&release, facts)?)?;
            best.push(measured.take_best());
        }
        let index = Index { release: &release, models: &models, best: &best };
        write(INDEX, &serde_json::to_vec_pretty(&index)?)
    }

    /// The members with which every document begins.
    fn release(&self, task: &str) -> Result<Object> {
        let making = self.making(task)?;
        let (member, column) = making.deadline;
        let mut document = Object::new();
        let (deadline, caveat, boundary): (f64, String, String) = self.connection.query_row(
            &format!(
                "select version, updated, data_version, unit, {column}, caveat, boundary \
                 from release"
            ),
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
        if let Some(unit) = making.unit {
            document.insert("unit".into(), unit.into());
        }
        document.insert(member.into(), whole_where_it_is(deadline));
        document.insert("source".into(), self.source(task)?);
        document.insert("caveat".into(), caveat.into());
        document.insert("boundary".into(), boundary.into());
        Ok(document)
    }

    /// Where the task's figures come from; null where that is not known.
    fn source(&self, task: &str) -> Result<Value> {
        let mut statement = self.connection.prepare(
            "select sources.source_id, sources.name, sources.publisher, sources.url, \
             sources.data_url, sources.version, sources.released, sources.compiled, \
             sources.compiled_evidence, sources.retrieved, sources.licence, sources.workload, \
             sources.method, sources.selection, sources.cite, sources.cite_url, \
             sources.used_for, sources.configurations from documents \
             join tasks on tasks.task_id = documents.task_id \
             join sources on sources.source_id = documents.source_id \
             where tasks.task = ?1 and sources.name is not null \
             order by documents.document_id limit 1",
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

/// The file of a document in the folder of its task.
fn file_name(stem: &str) -> String {
    format!("{stem}.json")
}

fn whole_where_it_is(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        (number as i64).into()
    } else {
        number.into()
    }
}
