//! A configuration as a row of its table: inserted, hashed, read back.

use anyhow::Result;
use rusqlite::types::{Null, ValueRef};
use rusqlite::{Connection, Statement};

use crate::database::content_hash::ContentHash;
use crate::database::metadata::number;
use crate::database::seen::{Key, key};
use crate::measurement::record::{Configuration, Figures};

/// Columns of a configuration, in the order in which they are bound.
const COLUMNS: [&str; 30] = [
    "configuration_id",
    "task_id",
    "model_id",
    "gpu_id",
    "source_id",
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
    "median_ttft_ms",
    "p99_ttft_ms",
    "mean_tpot_ms",
    "avg_input_tokens",
    "avg_output_tokens",
    "requests",
    "steady_state_s",
    "document_id",
    "document_position",
];

/// The statement that inserts a row.
pub(super) fn insertion() -> String {
    let values = vec!["?"; COLUMNS.len()].join(", ");
    format!("insert or fail into configurations ({}) values ({values})", COLUMNS.join(", "))
}

/// A configuration as it is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) task: u32,
    pub(super) source: u32,
    /// Index of its document.
    pub(super) document: usize,
    pub(super) repeat: u32,
    pub(super) configuration: Configuration,
}

impl Row {
    /// The key within which it may be a repeat.
    pub(super) fn key(&self) -> Key {
        key(self.task, &self.configuration)
    }

    /// Inserts the row by the statement of [`insertion`], and hashes it.
    pub(super) fn insert(
        &self,
        statement: &mut Statement<'_>,
        hash: &mut ContentHash,
    ) -> rusqlite::Result<()> {
        let mut parameter = 0;
        let row = &self.configuration;
        for value in [
            self.number,
            self.task,
            row.model,
            row.gpu,
            self.source,
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
        let [measured @ .., avg_output_tokens] = row.figures.all();
        let missing = |number| std::iter::repeat_n(None, number);
        let figures = measured.into_iter().map(Some).chain(missing(4));
        for value in figures.chain([Some(avg_output_tokens)]).chain(missing(2)) {
            parameter += 1;
            if let Some(value) = value {
                statement.raw_bind_parameter(parameter, value)?;
                hash.real(value);
            } else {
                statement.raw_bind_parameter(parameter, Null)?;
                hash.value(ValueRef::Null);
            }
        }
        for value in [number(self.document), row.position.into()] {
            parameter += 1;
            statement.raw_bind_parameter(parameter, value)?;
            hash.integer(value);
        }
        hash.end_row();
        statement.raw_execute()?;
        Ok(())
    }
}

/// A row that was inserted.
pub(super) fn stored(connection: &Connection, number: u32) -> Result<Row> {
    let mut statement = connection.prepare_cached(
        "select task_id, document_id, repeat, model_id, gpu_id, precision_id, num_gpus, \
         tensor_parallel, data_parallel, expert_parallel, max_num_seqs, avg_running_batch, \
         tokens_per_second, power_watts, joules_per_output_token, joules_per_request, \
         median_itl_ms, p90_itl_ms, p95_itl_ms, p99_itl_ms, avg_output_tokens, document_position, \
         source_id \
         from configurations where configuration_id = ?1",
    )?;
    let row = statement.query_row([number], |row| {
        let document: u32 = row.get(1)?;
        Ok(Row {
            number,
            task: row.get(0)?,
            source: row.get(22)?,
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
