//! Loads the batches that were read into tables, in one transaction, with keys in a fixed order.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use rusqlite::{Connection, Statement, params};

use crate::database::content_hash::{self, ContentHash};
use crate::database::dates::Release;
use crate::database::lengths::Lengths;
use crate::database::metadata::{self, Measured, number};
use crate::database::row::{Layout, Row};
use crate::database::seen::{Seen, bits};
use crate::database::template;
use crate::database::unstable::Runs;
use crate::embedded::OBJECTS;
use crate::input::document::Document;
use crate::input::findings::Findings;
use crate::input::leaderboard::fields::path_of_column;
use crate::input::reading::{Batch, Reading};
use crate::manifest::Manifest;
use crate::measurement::check::{Check, Finding};
use crate::measurement::columns::{NULL, Role, Table, text};
use crate::measurement::record::Configuration;
use crate::progress::enter;

/// How many of each thing a database contains.
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

/// Where a document's configurations come from.
#[derive(Debug, Clone, Copy)]
struct Origin {
    /// Index of the document.
    document: usize,
    task: u32,
    source: u32,
    /// Whether they are there in detail, so that each is to be paired with a row of its own.
    is_detail: bool,
    /// Whether the user measured them: then another document has other measurements.
    is_own: bool,
}

impl Origin {
    /// Whether a row of the same task and source is of the same model.
    fn is_of(self, row: &Row, configuration: &Configuration) -> bool {
        (row.task, row.source, row.configuration.model)
            == (self.task, self.source, configuration.model)
    }
}

/// A table of configurations that is filled.
struct Filling<'c> {
    connection: &'c Connection,
    layout: Layout,
    insert: Statement<'c>,
    /// Selects the row of a number.
    select: String,
    /// Whether its rows are hashed as they are inserted.
    is_hashed: bool,
    rows: u32,
    seen: Seen,
    /// Rows that no document brought in detail, by their figures, or `None` if no document has details.
    by_figures: Option<Seen>,
}

impl<'c> Filling<'c> {
    fn begin(
        connection: &'c Connection,
        table: &'static Table,
        first: &str,
        has_details: bool,
    ) -> Result<Self> {
        let layout = Layout::of(connection, table)?;
        Ok(Self {
            connection,
            insert: connection.prepare(&layout.insertion())?,
            select: format!("{} where {} = ?1", layout.selection(), table.id),
            layout,
            is_hashed: table.name == first,
            rows: 0,
            seen: Seen::default(),
            by_figures: has_details.then(Seen::default),
        })
    }

    /// The bits of a configuration's key: task, model, source, GPU and the columns of the key.
    fn key_bits(&self, origin: Origin, configuration: &Configuration) -> u32 {
        let Configuration { model, gpu, values, .. } = configuration;
        let names = [origin.task, *model, origin.source, *gpu];
        bits(names, self.layout.table.bits_of(Role::Key, values))
    }

    /// The bits of the figures of a configuration, with its task and model.
    fn figure_bits(&self, origin: Origin, configuration: &Configuration) -> u32 {
        let Configuration { model, values, .. } = configuration;
        let names = [origin.task, *model, origin.source];
        bits(names, self.layout.table.bits_of(Role::Figure, values))
    }

    fn stored(&self, number: u32) -> Result<Row> {
        let mut statement = self.connection.prepare_cached(&self.select)?;
        let mut rows = statement.query([number])?;
        let row = rows.next()?.context("a row is missing that was inserted")?;
        self.layout.read(row)
    }

    /// The rows with these bits that `is_same` says have more in common, the latest first.
    fn rows<'s>(
        &'s self,
        seen: &'s Seen,
        bits: u32,
        is_same: impl Fn(&Row) -> bool + 's,
    ) -> impl Iterator<Item = Result<Row>> + 's {
        let stored = seen.rows(bits).map(|number| self.stored(number));
        stored.filter(move |row| row.as_ref().map_or(true, &is_same))
    }

    /// The rows of a configuration's key, the latest first.
    fn of_key<'s>(
        &'s self,
        bits: u32,
        origin: Origin,
        configuration: &'s Configuration,
    ) -> impl Iterator<Item = Result<Row>> + 's {
        let table = self.layout.table;
        self.rows(&self.seen, bits, move |row| {
            let other = &row.configuration;
            origin.is_of(row, configuration)
                && other.gpu == configuration.gpu
                && table.is_same(Role::Key, &other.values, &configuration.values)
        })
    }

    /// The row with the same figures from a document without details. If another document has these
    /// figures in detail for other settings, one of the two is wrong.
    fn of_figures(
        &self,
        bits: u32,
        origin: Origin,
        configuration: &Configuration,
    ) -> Result<Option<Row>> {
        let Some(by_figures) = &self.by_figures else { return Ok(None) };
        let is_same = |row: &Row| {
            let (one, other) = (&row.configuration.values, &configuration.values);
            origin.is_of(row, configuration) && self.layout.table.is_same(Role::Figure, one, other)
        };
        self.rows(by_figures, bits, is_same).next().transpose()
    }
}

/// The result of loading a configuration.
enum Became {
    /// It was stored, or an earlier document contains it with equal figures.
    Row(u32),
    /// An earlier document contains it with other figures.
    Conflict(Box<Row>),
}

/// Loads the rows of documents. The tables have no indexes yet, because it is faster to make them at the
/// end. Foreign keys are also checked once at the end.
pub struct Loader<'c> {
    connection: &'c Connection,
    documents: &'c [Document],
    tasks: &'c [u32],
    /// The number of each document's source.
    sources: Vec<u32>,
    /// What was measured.
    measured: BTreeSet<Measured>,
    /// The runs that may be unstable.
    runs: Runs,
    /// What was measured by the latest row.
    latest: Measured,
    insert_finding: Statement<'c>,
    tables: Vec<Filling<'c>>,
    lengths: Lengths<'c>,
    /// The content hash in the making, or `None` if another table comes first in it.
    hash: Option<ContentHash>,
    /// Findings against documents, by their index: the same configuration with other figures.
    pub conflicts: BTreeMap<usize, Findings>,
    /// Configurations of a document that an earlier one contains with equal figures, by document.
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
        let has_details = documents.iter().any(|document| document.form.is_detail());
        // The hash covers all tables in the order of their names. So only the rows of the first table can
        // be hashed while they are loaded.
        let first = content_hash::tables(connection)?.into_iter().next().unwrap_or_default();
        let filling = |table| Filling::begin(connection, table, &first, has_details);
        let tables = Table::all().map(filling).collect::<Result<Vec<_>>>()?;
        let is_hashed = tables.iter().any(|table| table.is_hashed);
        Ok(Self {
            connection,
            documents,
            tasks,
            sources: metadata::sources(documents, tasks),
            measured: BTreeSet::new(),
            runs: Runs::default(),
            latest: Measured::default(),
            insert_finding: connection.prepare(
                "insert into findings (finding_id, check_name, document_id, place, value, expected) \
                 values (?1, ?2, ?3, ?4, ?5, ?6)",
            )?,
            tables,
            lengths: Lengths::begin(connection)?,
            hash: is_hashed.then(|| ContentHash::of_table(&first)),
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
        let Batch { document, rows, lengths, accepted, unstable } = batch;
        let form = self.documents.get(document).context("no such document")?.form;
        let name = form.product.table().name;
        let table = self.tables.iter().position(|of| of.layout.table.name == name);
        let table = table.context("a table is missing")?;
        let origin = Origin {
            document,
            task: *self.tasks.get(document).context("a document without a task")?,
            source: *self.sources.get(document).context("a document without a source")?,
            is_detail: form.is_detail(),
            is_own: form.is_own(),
        };
        for (configuration, lengths) in &rows {
            match self.row(table, origin, configuration)? {
                Became::Row(number) => {
                    if form.kind.may_be_unstable {
                        self.run(origin, configuration, number, &unstable);
                    }
                    if let Some(lengths) = lengths {
                        let task = origin.task;
                        let other = self.lengths.of_configuration(
                            task,
                            configuration,
                            number,
                            document,
                            lengths,
                        )?;
                        self.conflicting_lengths(document, Some(configuration.position), other);
                    }
                }
                Became::Conflict(other) => self.conflict(document, configuration, &other)?,
            }
        }
        for (model, lengths) in &lengths {
            let other = self.lengths.of_model(origin.task, *model, document, lengths)?;
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

    /// Loads a configuration, unless an earlier document contains it.
    fn row(
        &mut self,
        table: usize,
        origin: Origin,
        configuration: &Configuration,
    ) -> Result<Became> {
        let table = &mut self.tables[table];
        let key_bits = table.key_bits(origin, configuration);
        let mut known = table.of_key(key_bits, origin, configuration);
        let latest = known.next().transpose()?;
        if let Some(latest) = latest
            && latest.document != origin.document
            && !origin.is_own
        {
            // It is a conflict if no row with its key has the same figures.
            for row in std::iter::once(Ok(latest)).chain(known) {
                let row = row?;
                if (Configuration { position: row.configuration.position, ..*configuration })
                    == row.configuration
                    && !(origin.is_detail && self.lengths.has(row.number, origin.document))
                {
                    *self.shared.entry(origin.document).or_default() += 1;
                    return Ok(Became::Row(row.number));
                }
            }
            return Ok(Became::Conflict(Box::new(latest)));
        }
        drop(known);
        if table.by_figures.is_some() && !origin.is_own {
            let bits = table.figure_bits(origin, configuration);
            let same = table.of_figures(bits, origin, configuration)?;
            if let (true, Some(other)) = (origin.is_detail, same) {
                return Ok(Became::Conflict(Box::new(other)));
            }
            if let (false, None, Some(by_figures)) = (origin.is_detail, same, &mut table.by_figures)
            {
                by_figures.add(bits, table.rows + 1);
            }
        }
        table.rows = table.rows.checked_add(1).context("too many rows")?;
        table.seen.add(key_bits, table.rows);
        let Origin { document, task, source, .. } = origin;
        let repeat = latest.map_or(1, |latest| latest.repeat + 1);
        let number = table.rows;
        let row = Row { number, task, source, document, repeat, configuration: *configuration };
        let hash = self.hash.as_mut().filter(|_| table.is_hashed);
        table.layout.insert(&row, &mut table.insert, hash)?;
        self.counts.configurations += 1;
        self.counts.repeats += u64::from(latest.is_some());
        // Rows of one model and GPU usually follow each other.
        let measured = [task, configuration.model, configuration.gpu, source];
        if std::mem::replace(&mut self.latest, measured) != measured {
            self.measured.insert(measured);
        }
        Ok(Became::Row(number))
    }

    /// Remembers a run, and why it is unstable.
    fn run(
        &mut self,
        origin: Origin,
        configuration: &Configuration,
        number: u32,
        unstable: &[(u32, String)],
    ) {
        let Configuration { model, gpu, values, position, .. } = *configuration;
        let [num_gpus, limit] = [text::NUM_GPUS, text::LIMIT].map(|at| values[at] as u32);
        let reason = unstable.iter().find(|(of, _)| *of == position);
        let series = [origin.task, origin.source, model, gpu, num_gpus];
        self.runs.add(series, number, limit, reason.map(|(_, reason)| reason.clone()));
    }

    /// Adds the finding for lengths that differ from those in another document.
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

    /// Adds the finding for a configuration with other figures in another document.
    fn conflict(
        &mut self,
        document: usize,
        configuration: &Configuration,
        other: &Row,
    ) -> Result<()> {
        let form = self.documents.get(document).context("no such document")?.form;
        let table = form.product.table();
        let (row, stored) = (configuration, &other.configuration);
        let shown = |value: f64| if value == NULL { "null".into() } else { value.to_string() };
        let another = |what: &str| (format!("another {what}"), "the same".to_owned());
        let (column, (value, expected)) = if row.gpu != stored.gpu {
            ("gpu", another("GPU"))
        } else if let Some(at) = table.first_difference(&row.values, &stored.values) {
            (table.columns[at].name, (shown(row.values[at]), shown(stored.values[at])))
        } else if row.precision != stored.precision {
            ("precision", another("precision"))
        } else {
            let last = table.key().last().unwrap_or_default();
            (last, ("the configuration again".into(), "it once".into()))
        };
        let document_of_other = self.documents.get(other.document);
        let place = format!("/configurations/{}", configuration.position);
        self.conflicts.entry(document).or_default().add(Finding {
            check: Check::SameConfiguration,
            place: format!("{place}/{}", path_of_column(form, column)),
            value,
            expected: format!(
                "{expected} as for the same configuration at {}: /configurations/{}",
                document_of_other.map_or("", |other| &other.shown),
                stored.position
            ),
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
        template::stamp(self.connection, &release.data_version)?;
        metadata::insert_release(self.connection, manifest, release)?;
        metadata::insert_identities(self.connection, &reading.identities)?;
        self.counts.tasks = metadata::insert_documents(
            self.connection,
            self.documents,
            self.tasks,
            &self.sources,
            reading,
            manifest,
            release,
        )?;
        metadata::insert_measured(self.connection, &self.measured)?;
        self.runs.insert(self.connection)?;
        enter("hashing");
        let content_hash = match self.hash {
            Some(hash) => hash.with_the_others(self.connection)?,
            None => content_hash::computed(self.connection)?,
        };
        content_hash::record(self.connection, &content_hash)?;
        // Free their memory for sorting the indexes.
        drop(self.tables);
        enter("making indexes");
        // An index without a text belongs to a key, and is there already.
        for index in OBJECTS.iter().filter_map(|(kind, _, sql)| sql.filter(|_| *kind == "index")) {
            self.connection.execute_batch(index)?;
        }
        self.connection.execute_batch("commit")?;
        Ok(Loaded { counts: self.counts, content_hash })
    }
}
