//! Loads the lengths of outputs: one histogram for each configuration, and one for all runs of a model in a
//! task. If two documents have different histograms for one of these, that is an error.

use std::collections::HashMap;

use anyhow::Result;
use rusqlite::{Connection, Statement, params};

use crate::database::metadata::number;
use crate::measurement::record::{Configuration, Histogram};

/// A task, a model and, unless it is for all runs, a configuration.
type Key = (u32, u32, Option<u32>);

/// A histogram that was stored: its number and its place.
#[derive(Clone, Copy)]
struct Stored {
    number: i64,
    document: usize,
    position: Option<u32>,
}

/// Loads histograms.
pub(super) struct Lengths<'c> {
    connection: &'c Connection,
    insert: Statement<'c>,
    insert_bin: Statement<'c>,
    stored: HashMap<Key, Stored>,
    /// The document that contains the histogram of a configuration, by the configuration's number.
    latest: HashMap<u32, usize>,
}

impl<'c> Lengths<'c> {
    pub(super) fn begin(connection: &'c Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            connection,
            insert: connection.prepare(
                "insert into output_lengths (output_lengths_id, task_id, model_id, \
                 configuration_id, document_id, document_position, requests) \
                 values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?,
            insert_bin: connection.prepare(
                "insert into output_length_bins (output_lengths_id, bin, from_tokens, to_tokens, \
                 requests) values (?1, ?2, ?3, ?4, ?5)",
            )?,
            stored: HashMap::new(),
            latest: HashMap::new(),
        })
    }

    /// Whether this document gave a histogram of this configuration already.
    pub(super) fn has(&self, configuration: u32, document: usize) -> bool {
        self.latest.get(&configuration) == Some(&document)
    }

    /// Takes the histogram of a configuration. Returns the place of another one that it has.
    pub(super) fn of_configuration(
        &mut self,
        task: u32,
        configuration: &Configuration,
        row: u32,
        document: usize,
        lengths: &Histogram,
    ) -> Result<Option<(usize, Option<u32>)>> {
        self.latest.insert(row, document);
        let key = (task, configuration.model, Some(row));
        self.take(key, document, Some(configuration.position), lengths)
    }

    /// Takes the histogram of all runs of a model. Returns the place of another one that it has.
    pub(super) fn of_model(
        &mut self,
        task: u32,
        model: u32,
        document: usize,
        lengths: &Histogram,
    ) -> Result<Option<(usize, Option<u32>)>> {
        self.take((task, model, None), document, None, lengths)
    }

    fn take(
        &mut self,
        key: Key,
        document: usize,
        position: Option<u32>,
        lengths: &Histogram,
    ) -> Result<Option<(usize, Option<u32>)>> {
        if let Some(stored) = self.stored.get(&key) {
            let is_same = self.read(stored.number)? == *lengths;
            return Ok((!is_same).then_some((stored.document, stored.position)));
        }
        let number_of = number(self.stored.len());
        self.stored.insert(key, Stored { number: number_of, document, position });
        let (task, model, configuration) = key;
        let requests = i64::try_from(lengths.requests())?;
        let document = number(document);
        self.insert.execute(params![
            number_of,
            task,
            model,
            configuration,
            document,
            position,
            requests
        ])?;
        let edges = lengths.edges.windows(2);
        for (index, (edges, count)) in edges.zip(&lengths.counts).enumerate() {
            self.insert_bin.execute(params![
                number_of,
                number(index),
                edges[0],
                edges[1],
                count
            ])?;
        }
        Ok(None)
    }

    /// A histogram as it is stored.
    fn read(&self, number: i64) -> rusqlite::Result<Histogram> {
        let mut statement = self.connection.prepare_cached(
            "select from_tokens, to_tokens, requests from output_length_bins \
             where output_lengths_id = ?1 order by bin",
        )?;
        let mut histogram = Histogram::default();
        let mut rows = statement.query([number])?;
        while let Some(row) = rows.next()? {
            if histogram.edges.is_empty() {
                histogram.edges.push(row.get(0)?);
            }
            histogram.edges.push(row.get(1)?);
            histogram.counts.push(row.get(2)?);
        }
        Ok(histogram)
    }
}
