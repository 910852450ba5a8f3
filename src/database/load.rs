//! Loading: from read parts to rows of tables, in one transaction, with keys in a fixed order.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use rusqlite::{Connection, Statement, params};

use super::content_hash::{self, ContentHash};
use super::facts::{self, Release, number};
use super::occurrences::{Key, Occurrences, key};
use super::row::{COLUMNS, Row, insertion, stored};
use crate::check::{Check, Finding};
use crate::embedded::INDEXES;
use crate::manifest::Manifest;
use crate::record::Configuration;
use crate::source::document::Document;
use crate::source::findings::Findings;
use crate::source::read::{Part, Reading};
use crate::source::task_file::field_of_column;

/// Rows inserted by one statement.
const ROWS_AT_ONCE: usize = 16;

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

/// Loads the rows of documents. The tables have no indexes yet, which are cheaper to make once
/// from all rows, and without foreign keys, which are checked once at the end.
pub struct Loader<'c> {
    connection: &'c Connection,
    documents: &'c [Document],
    tasks: &'c [u32],
    insert_many: Statement<'c>,
    insert_one: Statement<'c>,
    insert_finding: Statement<'c>,
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
    /// Begins loading into a copy of the template. `tasks` numbers the task of each document.
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
        facts::insert_release(self.connection, manifest, release)?;
        facts::insert_identities(self.connection, &reading.identities)?;
        self.counts.tasks = facts::insert_documents(
            self.connection,
            self.documents,
            self.tasks,
            reading,
            manifest,
        )?;
        for table in content_hash::tables(self.connection)?.iter().filter(|table| *table != TABLE) {
            self.hash.stored_table(self.connection, table)?;
        }
        let content_hash = self.hash.finish();
        content_hash::record(self.connection, &content_hash)?;
        for index in INDEXES {
            self.connection.execute_batch(index)?;
        }
        self.connection.execute_batch("commit")?;
        Ok(Loaded { counts: self.counts, content_hash })
    }
}
