//! Loading: from read parts to rows of tables, in one transaction, with keys in a fixed order.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use rusqlite::{Connection, Statement, params};

use crate::database::content_hash::{self, ContentHash};
use crate::database::generations::{self, Generations, Origin};
use crate::database::lengths::Lengths;
use crate::database::metadata::{self, Measured, Release, number};
use crate::database::row::{Row, insertion, stored};
use crate::database::seen::{Key, Occurrences, key};
use crate::embedded::INDEXES;
use crate::input::classify::Kind;
use crate::input::document::Document;
use crate::input::findings::Findings;
use crate::input::read::{Batch, Reading};
use crate::manifest::Manifest;
use crate::measurement::check::{Check, Finding};
use crate::measurement::columns::field_of_column;
use crate::measurement::record::{Configuration, Detail, Generation};

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

/// What rows of the same figures have in common: task, model and the figures.
type FiguresKey = (u32, u32, [u64; 10]);

fn figures_key(task: u32, configuration: &Configuration) -> FiguresKey {
    (task, configuration.model, configuration.figures.all().map(f64::to_bits))
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
    /// The number of each document's source.
    sources: Vec<u32>,
    /// What was measured.
    measured: BTreeSet<Measured>,
    insert: Statement<'c>,
    insert_finding: Statement<'c>,
    /// Rows of the table of configurations.
    rows: u32,
    occurrences: Occurrences,
    /// Rows that no model's own file brought, by their figures; none where there are no such files.
    by_figures: Option<Occurrences>,
    generations: Generations<'c>,
    lengths: Lengths<'c>,
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
        let has_details = documents.iter().any(|document| document.form.kind == Kind::ModelFile);
        Ok(Self {
            connection,
            documents,
            tasks,
            sources: metadata::sources(tasks),
            measured: BTreeSet::new(),
            insert: connection.prepare(&insertion())?,
            insert_finding: connection.prepare(
                "insert into findings (finding_id, check_name, document_id, place, value, expected) \
                 values (?1, ?2, ?3, ?4, ?5, ?6)",
            )?,
            rows: 0,
            occurrences: Occurrences::default(),
            by_figures: has_details.then(Occurrences::default),
            generations: Generations::begin(connection, has_details)?,
            lengths: Lengths::begin(connection)?,
            hash,
            conflicts: BTreeMap::new(),
            shared: BTreeMap::new(),
            counts: Counts::default(),
        })
    }

    /// Takes the next batch of what is read.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn take(&mut self, batch: Batch) -> Result<()> {
        let Batch { document, configurations, details, generations, lengths, accepted } = batch;
        for row in &configurations {
            self.row(document, row, false)?;
        }
        for detail in &details {
            self.detail(document, detail)?;
        }
        for row in &generations {
            self.generation(document, row)?;
        }
        for (model, lengths) in &lengths {
            let task = self.task(document)?;
            let other = self.lengths.of_model(task, *model, document, lengths)?;
            self.conflicting_lengths(document, None, other);
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

    /// Loads a configuration, unless an earlier document holds it. Returns the number of its row;
    /// none for one that contradicts an earlier document. `is_detail` says whether it is to be
    /// paired with a row of its own.
    fn row(
        &mut self,
        document: usize,
        configuration: &Configuration,
        is_detail: bool,
    ) -> Result<Option<u32>> {
        let task = self.task(document)?;
        let key = key(task, configuration);
        let latest = self.latest(key)?;
        if let Some(latest) = &latest
            && latest.document != document
        {
            return self.compare(document, configuration, latest, is_detail);
        }
        let same = self.of_figures(task, configuration)?;
        if is_detail && let Some(other) = &same {
            self.conflict(document, configuration, other)?;
            return Ok(None);
        }
        self.counts.configurations += 1;
        self.rows = self.rows.checked_add(1).context("too many rows")?;
        let number = self.rows;
        let mut repeat = 1;
        if let Some(latest) = latest {
            repeat = latest.repeat + 1;
            self.counts.repeats += 1;
            self.occurrences.add_repeat(key, latest.number, number);
        } else {
            self.occurrences.add(key, number);
        }
        if let Some(by_figures) = &mut self.by_figures
            && !is_detail
            && same.is_none()
        {
            by_figures.add(figures_key(task, configuration), number);
        }
        let source = self.source(document)?;
        self.measured.insert([task, configuration.model, configuration.gpu, source]);
        let row = Row { number, task, source, document, repeat, configuration: *configuration };
        row.insert(&mut self.insert, &mut self.hash)?;
        Ok(Some(number))
    }

    /// Loads a configuration of a model's own document with the lengths of its outputs.
    fn detail(&mut self, document: usize, detail: &Detail) -> Result<()> {
        let Detail { configuration, lengths } = detail;
        let task = self.task(document)?;
        if let Some(row) = self.row(document, configuration, true)? {
            let other =
                self.lengths.of_configuration(task, configuration, row, document, lengths)?;
            self.conflicting_lengths(document, Some(configuration.position), other);
        }
        Ok(())
    }

    /// Adds the finding for lengths that are not those of another document.
    fn conflicting_lengths(
        &mut self,
        document: usize,
        position: Option<u32>,
        other: Option<(usize, Option<u32>)>,
    ) {
        let Some((other, other_position)) = other else { return };
        let pointer = |position: Option<u32>| match position {
            Some(position) => format!("/configurations/{position}/output_length_distribution"),
            None => "/output_length_distribution".into(),
        };
        let shown = self.documents.get(other).map_or("", |other| &other.shown);
        self.conflicts.entry(document).or_default().add(Finding {
            check: Check::SameConfiguration,
            place: pointer(position),
            value: "another histogram".into(),
            expected: format!("the same as at {shown}: {}", pointer(other_position)),
        });
    }

    /// Loads a configuration that makes images or videos, unless an earlier document holds it.
    fn generation(&mut self, document: usize, generation: &Generation) -> Result<()> {
        let task = self.task(document)?;
        let form = self.documents.get(document).context("no such document")?.form;
        let is_detail = form.kind == Kind::ModelFile;
        let source = self.source(document)?;
        let origin = Origin { output: form.product, task, source, document, is_detail };
        let loaded = self.generations.load(origin, generation)?;
        match loaded {
            generations::Loaded::New { repeat } => {
                self.counts.configurations += 1;
                self.counts.repeats += u64::from(repeat > 1);
                self.measured.insert([task, generation.key.model, generation.key.gpu, source]);
            }
            generations::Loaded::Shared => *self.shared.entry(document).or_default() += 1,
            generations::Loaded::Conflict { column, value, expected, other, position } => {
                let shown = self.documents.get(other).map_or("", |other| &other.shown);
                let place = format!("/configurations/{}", generation.position);
                self.conflicts.entry(document).or_default().add(Finding {
                    check: Check::SameConfiguration,
                    place: format!("{place}/{}", field_of_column(form, column)),
                    value,
                    expected: format!(
                        "{expected} as for the same configuration at {shown}: \
                         /configurations/{position}"
                    ),
                });
            }
        }
        Ok(())
    }

    fn task(&self, document: usize) -> Result<u32> {
        self.tasks.get(document).copied().context("a document without a task")
    }

    fn source(&self, document: usize) -> Result<u32> {
        self.sources.get(document).copied().context("a document without a source")
    }

    /// The latest row of this key.
    fn latest(&self, key: Key) -> Result<Option<Row>> {
        let found =
            self.occurrences.latest(key, |number| stored(self.connection, number), Row::key)?;
        Ok(found.map(|(_, row)| row))
    }

    /// Compares a row with those that an earlier document holds of its key. Other figures than
    /// theirs are a conflict.
    fn compare(
        &mut self,
        document: usize,
        configuration: &Configuration,
        latest: &Row,
        is_detail: bool,
    ) -> Result<Option<u32>> {
        let mut known = *latest;
        loop {
            let other = known.configuration;
            if (Configuration { position: other.position, ..*configuration }) == other
                && !(is_detail && self.lengths.has(known.number, document))
            {
                *self.shared.entry(document).or_default() += 1;
                return Ok(Some(known.number));
            }
            match self.occurrences.previous(known.number) {
                Some(previous) => known = stored(self.connection, previous)?,
                None => break,
            }
        }
        self.conflict(document, configuration, latest)?;
        Ok(None)
    }

    /// The row that another document than a model's own holds with the same figures. Where a model's
    /// own file has them too, but for other settings, one of the two is wrong.
    fn of_figures(&self, task: u32, configuration: &Configuration) -> Result<Option<Row>> {
        let Some(by_figures) = &self.by_figures else { return Ok(None) };
        let figures = figures_key(task, configuration);
        let key_of = |row: &Row| figures_key(row.task, &row.configuration);
        let found = by_figures.latest(figures, |number| stored(self.connection, number), key_of)?;
        Ok(found.map(|(_, row)| row))
    }

    /// Adds the finding for a configuration that another document holds otherwise.
    fn conflict(
        &mut self,
        document: usize,
        configuration: &Configuration,
        stored: &Row,
    ) -> Result<()> {
        let other = self.documents.get(stored.document).map_or("", |other| &other.shown);
        let stored = &stored.configuration;
        let place = format!("/configurations/{}", configuration.position);
        let elsewhere =
            format!("for the same configuration at {other}: /configurations/{}", stored.position);
        let (column, value, expected) = match configuration.first_difference(stored) {
            Some((column @ "precision", ..)) => {
                (column, "another precision".into(), "the same".into())
            }
            Some((column @ "gpu", ..)) => (column, "another GPU".into(), "the same".into()),
            Some((column, value, stored)) => (column, value.to_string(), stored.to_string()),
            None => ("max_num_seqs", "the configuration again".into(), "it once".into()),
        };
        let form = self.documents.get(document).context("no such document")?.form;
        self.conflicts.entry(document).or_default().add(Finding {
            check: Check::SameConfiguration,
            place: format!("{place}/{}", field_of_column(form, column)),
            value,
            expected: format!("{expected} as {elsewhere}"),
        });
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
        metadata::insert_release(self.connection, manifest, release)?;
        metadata::insert_identities(self.connection, &reading.identities)?;
        self.counts.tasks = metadata::insert_documents(
            self.connection,
            self.documents,
            self.tasks,
            &self.sources,
            reading,
            manifest,
        )?;
        metadata::insert_measured(self.connection, &self.measured)?;
        for table in content_hash::tables(self.connection)?.iter().filter(|table| *table != TABLE) {
            self.hash.stored_table(self.connection, table)?;
        }
        let content_hash = self.hash.finish();
        content_hash::record(self.connection, &content_hash)?;
        // Their memory is wanted for sorting indexes.
        self.occurrences = Occurrences::default();
        self.by_figures = None;
        self.generations.forget();
        for index in INDEXES {
            self.connection.execute_batch(index)?;
        }
        self.connection.execute_batch("commit")?;
        Ok(Loaded { counts: self.counts, content_hash })
    }
}
