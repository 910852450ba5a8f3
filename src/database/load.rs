//! Loading: from read parts to rows of tables, in one transaction, with keys in a fixed order.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use rusqlite::{Connection, Statement, params};

use super::content_hash::{self, ContentHash};
use super::occurrences::{Key, Occurrences, key};
use crate::check::{Check, Finding};
use crate::manifest::{Manifest, Source};
use crate::record::{Configuration, Figures};
use crate::source::document::Document;
use crate::source::findings::Findings;
use crate::source::gpu_reference::GpuReference;
use crate::source::identities::{Identities, published_precision};
use crate::source::read::{Part, ReadDocument, Reading, TASK_FILE};
use crate::source::task_file::field_of_column;

/// Rows inserted by one statement.
const ROWS_AT_ONCE: usize = 16;

/// Columns of a configuration, in the order in which they are bound.
const COLUMNS: [&str; 23] = [
    "configuration_id",
    "task_id",
    "model_id",
    "gpu_id",
    "num_gpus",
    "tensor_parallel",
    "data_parallel",
    "expert_parallel",
    "precision_id",
    "max_num_seqs",
    "repeat",
    "avg_running_batch",
    "tokens_per_second",
    "power_watts",
    "joules_per_output_token",
    "joules_per_request",
    "median_itl_ms",
    "p90_itl_ms",
    "p95_itl_ms",
    "p99_itl_ms",
    "avg_output_tokens",
    "document_id",
    "document_position",
];

/// The release that a build makes.
#[derive(Debug, Clone)]
pub struct Release {
    /// Day on which it is published, YYYY-MM-DD.
    pub updated: String,
    /// Day that names the state of the data, YYYY-MM-DD.
    pub data_version: String,
}

/// How many of each thing a database holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Workloads.
    pub tasks: u64,
    /// Models.
    pub models: u64,
    /// Types of GPU.
    pub gpus: u64,
    /// Measured configurations.
    pub configurations: u64,
    /// Those of them that are a second or later measurement.
    pub repeats: u64,
    /// Findings that the publisher accepted.
    pub findings: u64,
}

/// What was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// How many of each thing.
    pub counts: Counts,
    /// The content hash, in hexadecimal.
    pub content_hash: String,
}

/// The table of configurations. Its name comes first among those of all tables, which is why its
/// rows can be hashed while they are inserted, and the others when all are known.
const TABLE: &str = "configurations";

/// Loads the rows of documents. Rows are inserted without indexes, which are cheaper to make once
/// from all of them, and without foreign keys, which are checked once at the end.
pub struct Loader<'c> {
    connection: &'c Connection,
    documents: &'c [Document],
    tasks: &'c [u32],
    insert_many: Statement<'c>,
    insert_one: Statement<'c>,
    insert_finding: Statement<'c>,
    indexes: Vec<String>,
    waiting: Vec<Row>,
    occurrences: Occurrences,
    hash: ContentHash,
    /// Findings against documents, by their index: the same configuration with other figures.
    pub conflicts: BTreeMap<usize, Findings>,
    /// Configurations of a document that an earlier one holds with equal figures, by document.
    pub shared: BTreeMap<usize, u64>,
    /// What was loaded so far.
    pub counts: Counts,
}

impl<'c> Loader<'c> {
    /// Begins loading into a new database. `tasks` numbers the task of each document.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn begin(
        connection: &'c Connection,
        documents: &'c [Document],
        tasks: &'c [u32],
    ) -> Result<Self> {
        connection.pragma_update(None, "foreign_keys", false)?;
        connection.execute_batch("begin exclusive")?;
        let indexes = drop_indexes(connection)?;
        let mut hash = ContentHash::default();
        hash.table(TABLE);
        Ok(Self {
            connection,
            documents,
            tasks,
            insert_many: connection.prepare(&insertion(ROWS_AT_ONCE))?,
            insert_one: connection.prepare(&insertion(1))?,
            insert_finding: connection.prepare(
                "insert into findings (finding_id, check_name, document_id, place, value, expected) \
                 values (?1, ?2, ?3, ?4, ?5, ?6)",
            )?,
            indexes,
            waiting: Vec::with_capacity(ROWS_AT_ONCE),
            occurrences: Occurrences::default(),
            hash,
            conflicts: BTreeMap::new(),
            shared: BTreeMap::new(),
            counts: Counts::default(),
        })
    }

    /// Takes the next part of what is read.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn take(&mut self, part: Part) -> Result<()> {
        match part {
            Part::Rows { document, rows, accepted } => {
                for row in &rows {
                    self.row(document, row)?;
                }
                for finding in &accepted {
                    self.counts.findings += 1;
                    self.insert_finding.execute(params![
                        self.counts.findings as i64,
                        finding.check.name(),
                        number(document),
                        finding.place,
                        finding.value,
                        finding.expected
                    ])?;
                }
                Ok(())
            }
            Part::End { document } => self.end_document(document),
        }
    }

    fn row(&mut self, document: usize, configuration: &Configuration) -> Result<()> {
        let task = self.task(document)?;
        let key = key(task, configuration);
        let latest = self.latest(key)?;
        if let Some(latest) = &latest
            && latest.document != document
        {
            return self.compare(document, configuration, latest);
        }
        self.counts.configurations += 1;
        let number = u32::try_from(self.counts.configurations).context("too many rows")?;
        let mut repeat = 1;
        if let Some(latest) = latest {
            repeat = latest.repeat + 1;
            self.counts.repeats += 1;
            self.occurrences.add_repeat(key, latest.number, number);
        } else {
            self.occurrences.add(key, number);
        }
        self.waiting.push(Row { number, task, document, repeat, configuration: *configuration });
        if self.waiting.len() == ROWS_AT_ONCE {
            self.insert_waiting()?;
        }
        Ok(())
    }

    fn task(&self, document: usize) -> Result<u32> {
        self.tasks.get(document).copied().context("a document without a task")
    }

    fn insert_waiting(&mut self) -> Result<()> {
        if self.waiting.len() == ROWS_AT_ONCE {
            for (index, row) in self.waiting.iter().enumerate() {
                row.bind(&mut self.insert_many, index * COLUMNS.len(), &mut self.hash)?;
            }
            self.insert_many.raw_execute()?;
        } else {
            for row in &self.waiting {
                row.bind(&mut self.insert_one, 0, &mut self.hash)?;
                self.insert_one.raw_execute()?;
            }
        }
        self.waiting.clear();
        Ok(())
    }

    /// The latest row of this key.
    fn latest(&self, key: Key) -> Result<Option<Row>> {
        for number in self.occurrences.latest(key) {
            let row = self.seen(number)?;
            if row.key() == key {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// A row that was loaded, or is about to be.
    fn seen(&self, number: u32) -> Result<Row> {
        match self.waiting.iter().find(|row| row.number == number) {
            Some(row) => Ok(*row),
            None => stored(self.connection, number),
        }
    }

    /// Compares a row with those that an earlier document holds of its key. Other figures than
    /// theirs are a conflict.
    fn compare(
        &mut self,
        document: usize,
        configuration: &Configuration,
        latest: &Row,
    ) -> Result<()> {
        let mut known = *latest;
        loop {
            let stored = known.configuration;
            if (Configuration { position: stored.position, ..*configuration }) == stored {
                *self.shared.entry(document).or_default() += 1;
                return Ok(());
            }
            match self.occurrences.previous(known.number) {
                Some(previous) => known = self.seen(previous)?,
                None => break,
            }
        }
        let other = self.documents.get(latest.document).map_or("", |other| &other.shown);
        let stored = &latest.configuration;
        let place = format!("/configurations/{}", configuration.position);
        let elsewhere =
            format!("for the same configuration at {other}: /configurations/{}", stored.position);
        let (column, value, expected) = match configuration.first_difference(stored) {
            Some((column @ "precision", ..)) => {
                (column, "another precision".into(), "the same".into())
            }
            Some((column, value, stored)) => (column, value.to_string(), stored.to_string()),
            None => return Ok(()),
        };
        self.conflicts.entry(document).or_default().add(Finding {
            check: Check::SameConfiguration,
            place: format!("{place}/{}", field_of_column(column)),
            value,
            expected: format!("{expected} as {elsewhere}"),
        });
        Ok(())
    }

    fn end_document(&mut self, document: usize) -> Result<()> {
        self.insert_waiting()?;
        if document + 1 == self.documents.len() {
            // The memory is wanted for sorting indexes.
            self.occurrences = Occurrences::default();
        }
        Ok(())
    }

    /// Stores what the documents name and where they came from, makes the indexes and commits.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn end(
        mut self,
        reading: &Reading,
        manifest: &Manifest,
        release: &Release,
    ) -> Result<Loaded> {
        self.counts.models = reading.identities.models.len() as u64;
        self.counts.gpus = reading.identities.gpus.names.len() as u64;
        insert_release(self.connection, manifest, release)?;
        insert_identities(self.connection, &reading.identities)?;
        self.counts.tasks = self.insert_documents(&reading.documents, manifest)?;
        for table in content_hash::tables(self.connection)?.iter().filter(|table| *table != TABLE) {
            self.hash.stored_table(self.connection, table)?;
        }
        let content_hash = self.hash.finish();
        content_hash::record(self.connection, &content_hash)?;
        for index in &self.indexes {
            self.connection.execute_batch(index)?;
        }
        self.connection.execute_batch("commit")?;
        Ok(Loaded { counts: self.counts, content_hash })
    }

    /// Returns the number of tasks.
    fn insert_documents(&self, read: &[ReadDocument], manifest: &Manifest) -> Result<u64> {
        let mut sources: Vec<Source> = Vec::new();
        let mut tasks = 0;
        for (index, (document, of)) in self.documents.iter().zip(read).enumerate() {
            let name = of.head.task.as_deref().context("a document without a task")?;
            let task = self.task(index)?;
            // Documents come in the order of their tasks.
            if task > tasks {
                tasks = task;
                self.connection.execute(
                    "insert into tasks (task_id, task, display_name) values (?1, ?2, ?3)",
                    params![task, name, of.head.display_name],
                )?;
            }
            let source = match manifest.source(name)? {
                Some(source) => Some(self.insert_source(&mut sources, source)?),
                None => None,
            };
            self.connection.execute(
                "insert into documents \
                 (document_id, task_id, source_id, name, kind, sha256, bytes) \
                 values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    number(index),
                    task,
                    source,
                    document.name,
                    TASK_FILE,
                    of.received.sha256,
                    i64::try_from(of.received.bytes)?
                ],
            )?;
        }
        Ok(tasks.into())
    }

    /// Stores a source unless it is stored already. Returns its number.
    fn insert_source(&self, stored: &mut Vec<Source>, source: Source) -> Result<i64> {
        if let Some(index) = stored.iter().position(|known| *known == source) {
            return Ok(number(index));
        }
        let source_id = number(stored.len());
        self.connection.execute(
            "insert into sources (source_id, name, publisher, url, data_url, version, released, \
             compiled, compiled_evidence, retrieved, licence, workload, method, selection, cite, \
             cite_url, used_for, configurations) values \
             (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
            params![
                source_id,
                source.name,
                source.publisher,
                source.url,
                source.data_url,
                source.version,
                source.released,
                source.compiled,
                source.compiled_evidence,
                source.retrieved,
                source.licence,
                source.workload,
                source.method,
                source.selection,
                source.cite,
                source.cite_url,
                source.used_for,
                source.configurations
            ],
        )?;
        for (index, evidence) in source.licence_evidence.iter().enumerate() {
            self.connection.execute(
                "insert into licence_evidence (source_id, position, evidence) values (?1, ?2, ?3)",
                params![source_id, number(index), evidence],
            )?;
        }
        stored.push(source);
        Ok(source_id)
    }
}

/// The key of the thing at an index: from 1.
fn number(index: usize) -> i64 {
    index as i64 + 1
}

fn insertion(rows: usize) -> String {
    let row = format!("({})", vec!["?"; COLUMNS.len()].join(", "));
    let rows = vec![row; rows].join(", ");
    format!("insert or fail into configurations ({}) values {rows}", COLUMNS.join(", "))
}

/// A configuration as it is stored.
#[derive(Debug, Clone, Copy)]
struct Row {
    number: u32,
    task: u32,
    /// Index of its document.
    document: usize,
    repeat: u32,
    configuration: Configuration,
}

impl Row {
    fn key(&self) -> Key {
        key(self.task, &self.configuration)
    }

    /// Binds the columns, in the order of [`COLUMNS`], after the first `offset` parameters, and
    /// hashes them.
    fn bind(
        &self,
        statement: &mut Statement<'_>,
        offset: usize,
        hash: &mut ContentHash,
    ) -> rusqlite::Result<()> {
        let mut parameter = offset;
        let row = &self.configuration;
        for value in [
            self.number,
            self.task,
            row.model,
            row.gpu,
            row.num_gpus,
            row.tensor_parallel,
            row.data_parallel,
            row.expert_parallel,
            row.precision,
            row.max_num_seqs,
            self.repeat,
        ] {
            parameter += 1;
            statement.raw_bind_parameter(parameter, value)?;
            hash.integer(value.into());
        }
        let figures = &row.figures;
        for value in [
            figures.avg_running_batch,
            figures.tokens_per_second,
            figures.power_watts,
            figures.joules_per_output_token,
            figures.joules_per_request,
            figures.median_itl_ms,
            figures.p90_itl_ms,
            figures.p95_itl_ms,
            figures.p99_itl_ms,
            figures.avg_output_tokens,
        ] {
            parameter += 1;
            statement.raw_bind_parameter(parameter, value)?;
            hash.real(value);
        }
        for value in [number(self.document), row.position.into()] {
            parameter += 1;
            statement.raw_bind_parameter(parameter, value)?;
            hash.integer(value);
        }
        hash.end_row();
        Ok(())
    }
}

/// A row that was inserted.
fn stored(connection: &Connection, number: u32) -> Result<Row> {
    let mut statement = connection.prepare_cached(
        "select task_id, document_id, repeat, model_id, gpu_id, precision_id, num_gpus, \
         tensor_parallel, data_parallel, expert_parallel, max_num_seqs, avg_running_batch, \
         tokens_per_second, power_watts, joules_per_output_token, joules_per_request, \
         median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, avg_output_tokens, document_position \
         from configurations where configuration_id = ?1",
    )?;
    let row = statement.query_row([number], |row| {
        let document: u32 = row.get(1)?;
        Ok(Row {
            number,
            task: row.get(0)?,
            document: document.saturating_sub(1) as usize,
            repeat: row.get(2)?,
            configuration: Configuration {
                model: row.get(3)?,
                gpu: row.get(4)?,
                precision: row.get(5)?,
                num_gpus: row.get(6)?,
                tensor_parallel: row.get(7)?,
                data_parallel: row.get(8)?,
                expert_parallel: row.get(9)?,
                max_num_seqs: row.get(10)?,
                figures: Figures {
                    avg_running_batch: row.get(11)?,
                    tokens_per_second: row.get(12)?,
                    power_watts: row.get(13)?,
                    joules_per_output_token: row.get(14)?,
                    joules_per_request: row.get(15)?,
                    median_itl_ms: row.get(16)?,
                    p90_itl_ms: row.get(17)?,
                    p95_itl_ms: row.get(18)?,
                    p99_itl_ms: row.get(19)?,
                    avg_output_tokens: row.get(20)?,
                },
                position: row.get(21)?,
            },
        })
    })?;
    Ok(row)
}

/// Drops the indexes and returns the statements that make them again, in the order of their names.
fn drop_indexes(connection: &Connection) -> Result<Vec<String>> {
    let mut found = connection.prepare(
        "select name, sql from sqlite_schema \
         where type = 'index' and sql is not null and tbl_name not like 'refinery%' order by name",
    )?;
    let indexes = found
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(String, String)>>>()?;
    for (name, _) in &indexes {
        connection.execute_batch(&format!("drop index {name}"))?;
    }
    Ok(indexes.into_iter().map(|(_, sql)| sql).collect())
}

fn insert_release(connection: &Connection, manifest: &Manifest, release: &Release) -> Result<()> {
    let described = &manifest.release;
    connection.execute(
        "insert into release (release_id, version, updated, data_version, unit, itl_deadline_ms, \
         caveat, boundary, energydb_version) values (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            described.version,
            release.updated,
            release.data_version,
            described.unit,
            described.itl_deadline_ms,
            described.caveat,
            described.boundary,
            env!("CARGO_PKG_VERSION")
        ],
    )?;
    Ok(())
}

fn insert_identities(connection: &Connection, identities: &Identities) -> Result<()> {
    let mut insert = connection.prepare(
        "insert into models (model_id, model, model_name, hugging_face_id, params_b, \
         active_params_b, architecture) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (index, model) in identities.models.iter().enumerate() {
        insert.execute(params![
            number(index),
            model.slug,
            model.name,
            model.hugging_face_id,
            model.params_b,
            model.active_params_b,
            model.architecture
        ])?;
    }
    let references = GpuReference::built_in()?;
    for (index, gpu) in identities.gpus.names.iter().enumerate() {
        let reference = references.iter().find(|reference| reference.gpu == *gpu);
        connection.execute(
            "insert into gpus (gpu_id, gpu, product, vendor, rated_power_watts, memory_gb, \
             reference_title, reference_url) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                number(index),
                gpu,
                reference.map(|reference| &reference.product),
                reference.map(|reference| &reference.vendor),
                reference.map(|reference| reference.rated_power_watts),
                reference.map(|reference| reference.memory_gb),
                reference.map(|reference| &reference.reference_title),
                reference.map(|reference| &reference.reference_url)
            ],
        )?;
    }
    for (index, name) in identities.precisions.names.iter().enumerate() {
        connection.execute(
            "insert into precisions (precision_id, precision, source_name) values (?1, ?2, ?3)",
            params![number(index), published_precision(name), name],
        )?;
    }
    Ok(())
}
