//! `energydb export`: one JSON document per model, and an index of each task, as published.
//!
//! The members of the documents are the columns of the queries export-models and
//! export-configurations, in order; export-best says which configurations are best. Those of images
//! and videos have queries of their own. This adds the release block and applies the published
//! precision.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, OptionalExtension, Statement};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use super::{DONE, open_database};
use crate::catalogue::names;
use crate::catalogue::parameter::Named;
use crate::catalogue::statement::{self, Values};
use crate::catalogue::{Catalogue, Query};
use crate::cli::{Export, Global};
use crate::error::usage;
use crate::measurement::published::{self, Precision, Published};
use crate::measurement::record::Product;
use crate::output::terminal;
use crate::release::document_file;
use crate::slug::{INDEX, is_slug};

type Object = Map<String, Value>;

pub(super) fn run(arguments: &Export, catalogue: &Catalogue, global: &Global) -> Result<u8> {
    let connection = open_database(global)?;
    let task = match &arguments.task {
        Some(task) => Some(names::resolve(&connection, Named::Task, task, None)?),
        None => None,
    };
    let exporter = Exporter::new(&connection, catalogue);
    if let Some(model) = &arguments.model {
        let model = names::resolve(&connection, Named::Model, model, None)?;
        let task = match task {
            Some(task) => task,
            None => names::default_name(&connection, Named::Task)?
                .context("the database has no task")?,
        };
        let text = exporter.one_model(&task, &model)?;
        match arguments.output.as_ref().filter(|path| path.as_os_str() != "-") {
            Some(path) if path.is_dir() => {
                let shown = path.display();
                return Err(usage(format!(
                    "-o names a folder, but with --model it is the file to write: {shown}"
                )));
            }
            Some(path) => {
                document_file::check(path)?;
                document_file::write(path, &text)?;
            }
            None => {
                let mut out = terminal::results();
                out.write_all(&text)?;
                out.flush()?;
            }
        }
        return Ok(DONE);
    }
    let folder = arguments.output.as_deref().context("name a folder with -o")?;
    if folder.as_os_str() == "-" {
        return Err(usage("only one document can go to standard output; name it with --model"));
    }
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

/// What the documents of a workload are made with, by what it makes.
struct Making {
    /// The query of a model's configurations.
    configurations: &'static str,
    /// The query that says which of them are best.
    best: &'static str,
    /// The unit of energy; none where the release says it.
    unit: Option<&'static str>,
    /// The member that holds the default deadline, and the column of the release that says it.
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
pub(super) struct Exporter<'c> {
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

impl<'c> Exporter<'c> {
    pub(super) fn new(connection: &'c Connection, catalogue: &'c Catalogue) -> Self {
        Self { connection, catalogue }
    }

    /// Writes the documents of every task. Returns their number.
    pub(super) fn all(&self, folder: &Path) -> Result<usize> {
        self.tasks()?.iter().map(|task| self.task(task, folder)).sum()
    }

    fn tasks(&self) -> Result<Vec<String>> {
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
    fn one_model(&self, task: &str, model: &str) -> Result<Vec<u8>> {
        let mut prepared = self.prepare(task)?;
        let models = rows(&mut prepared.models, task, Some(model))?;
        let Some(facts) = models.rows.first() else {
            let mut statement = self
                .connection
                .prepare("select distinct task from model_index where model = ?1 order by task")?;
            let tasks = statement
                .query_map([model], |row| row.get(0))?
                .collect::<Result<Vec<String>, _>>()?;
            if tasks.is_empty() {
                return Err(usage(format!("{model} is only named by the index, not measured")));
            }
            return Err(usage(format!(
                "{model} was not measured in {task}, but in {}; name one with --task",
                tasks.join(", ")
            )));
        };
        let facts = Row { columns: &models.columns, values: facts };
        Measured::read(&mut prepared, task, model)?.document(&self.release(task)?, facts)
    }

    /// Writes a folder for the task: one document per model and the index. Returns their number.
    fn task(&self, task: &str, folder: &Path) -> Result<usize> {
        let folder = folder.join(safe_name(task)?);
        // Nothing outside the folder is ever written, wherever a link in it would lead.
        document_file::make_folder(&folder)?;
        let release = self.release(task)?;
        let mut prepared = self.prepare(task)?;
        let models = rows(&mut prepared.models, task, None)?;
        let mut best = Vec::new();
        for values in &models.rows {
            let facts = Row { columns: &models.columns, values };
            let slug = facts.text("slug").context("a model without a slug")?;
            if slug == INDEX {
                bail!(
                    "the document of the model '{slug}' would stand where the index of {task} is to be"
                );
            }
            let path = folder.join(format!("{}.json", safe_name(slug)?));
            let mut measured = Measured::read(&mut prepared, task, slug)?;
            document_file::write(&path, &measured.document(&release, facts)?)?;
            best.push(measured.take_best());
        }
        let index = Index { release: &release, models: &models, best: &best };
        document_file::write(
            &folder.join(format!("{INDEX}.json")),
            &serde_json::to_vec_pretty(&index)?,
        )?;
        Ok(models.rows.len() + 1)
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
             where tasks.task = ?1 and sources.name is not null order by documents.document_id limit 1",
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

/// The rows of a query.
struct Rows {
    columns: Vec<(Precision, String)>,
    rows: Vec<Vec<Sql>>,
}

/// One row of a query. It is written as the members of an object, in published precision.
#[derive(Clone, Copy)]
struct Row<'r> {
    columns: &'r [(Precision, String)],
    values: &'r [Sql],
}

impl Row<'_> {
    /// The text in a column.
    fn text(&self, column: &str) -> Option<&str> {
        let index = self.columns.iter().position(|(_, name)| name == column)?;
        match self.values.get(index) {
            Some(Sql::Text(text)) => Some(text),
            _ => None,
        }
    }

    fn write_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.columns.iter().zip(self.values).try_for_each(|((precision, name), value)| {
            map.serialize_entry(name, &Published(*precision, value.into()))
        })
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len()))?;
        self.write_members(&mut map)?;
        map.end()
    }
}

/// What was measured of one model.
struct Measured {
    configurations: Rows,
    /// Which of the configurations are the best of their GPU, or of their GPU and setting.
    best: Vec<usize>,
    has_one_best: bool,
}

impl Measured {
    fn read(prepared: &mut Prepared<'_>, task: &str, model: &str) -> Result<Self> {
        let configurations = rows(&mut prepared.configurations, task, Some(model))?;
        let chosen = rows(&mut prepared.best, task, Some(model))?;
        let is_best =
            |row: &Row<'_>| chosen.all().any(|chosen| chosen.text("row_id") == row.text("row_id"));
        let best = configurations
            .all()
            .enumerate()
            .filter(|(_, row)| is_best(row))
            .map(|(index, _)| index)
            .collect();
        Ok(Self { configurations, best, has_one_best: prepared.has_one_best })
    }

    /// The whole document, as JSON text.
    fn document(&self, release: &Object, facts: Row<'_>) -> Result<Vec<u8>> {
        Ok(serde_json::to_vec_pretty(&Document { release, facts, measured: self })?)
    }

    /// The best configurations alone.
    fn take_best(&mut self) -> Rows {
        let mut rows = Vec::with_capacity(self.best.len());
        for index in &self.best {
            rows.extend(self.configurations.rows.get_mut(*index).map(std::mem::take));
        }
        Rows { columns: std::mem::take(&mut self.configurations.columns), rows }
    }
}

impl Rows {
    fn all(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|values| Row { columns: &self.columns, values })
    }
}

/// The document of one model.
struct Document<'d> {
    release: &'d Object,
    facts: Row<'d>,
    measured: &'d Measured,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all: Vec<Row<'_>> = self.measured.configurations.all().collect();
        let mut gpus: Vec<&str> = all.iter().filter_map(|row| row.text("gpu")).collect();
        gpus.dedup();
        let mut map = serializer.serialize_map(None)?;
        write_members(self.release, &mut map)?;
        self.facts.write_members(&mut map)?;
        map.serialize_entry("gpus", &gpus)?;
        map.serialize_entry("configurations", &all)?;
        let best = &self.measured.best;
        if self.measured.has_one_best {
            map.serialize_entry("best", &BestPerGpu(&all, best))?;
        } else {
            let best: Vec<_> = best.iter().filter_map(|index| all.get(*index)).collect();
            map.serialize_entry("best", &best)?;
        }
        map.end()
    }
}

/// The best configurations, named by their GPU.
struct BestPerGpu<'d>(&'d [Row<'d>], &'d [usize]);

impl Serialize for BestPerGpu<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let best = self.1.iter().filter_map(|index| self.0.get(*index));
        serializer.collect_map(best.filter_map(|row| Some((row.text("gpu")?, row))))
    }
}

/// The index of a task: one row per model and GPU with its best configuration.
struct Index<'d> {
    release: &'d Object,
    models: &'d Rows,
    best: &'d [Rows],
}

/// A row of the index: the facts of a model, then a configuration.
struct IndexRow<'d>(Row<'d>, Row<'d>);

impl Serialize for Index<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows: Vec<IndexRow<'_>> = self
            .models
            .all()
            .zip(self.best)
            .flat_map(|(facts, best)| best.all().map(move |best| IndexRow(facts, best)))
            .collect();
        let mut map = serializer.serialize_map(None)?;
        write_members(self.release, &mut map)?;
        map.serialize_entry("rows", &rows)?;
        map.end()
    }
}

impl Serialize for IndexRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.write_members(&mut map)?;
        self.1.write_members(&mut map)?;
        map.end()
    }
}

fn write_members<M: SerializeMap>(object: &Object, map: &mut M) -> Result<(), M::Error> {
    object.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))
}

/// The rows of an export query for a task, of one model or all.
fn rows(statement: &mut Statement<'_>, task: &str, model: Option<&str>) -> Result<Rows> {
    let model = model.map_or(Sql::Null, |model| Sql::Text(model.into()));
    let values: Values = vec![("task".into(), Sql::Text(task.into())), ("model".into(), model)];
    let columns = statement::columns(statement)
        .into_iter()
        .map(|name| (published::of(&name), name))
        .collect();
    let mut rows = Vec::new();
    statement::run(statement, &values, |row| {
        rows.push(row.iter().map(|value| Sql::try_from(*value)).collect::<Result<_, _>>()?);
        Ok(())
    })?;
    Ok(Rows { columns, rows })
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
