//! How published documents are written: the members of each object in the order of the columns, in
//! published precision.

use anyhow::Result;
use rusqlite::Statement;
use rusqlite::types::Value as Sql;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::catalogue::statement::{self, Values};
use crate::measurement::published::{self, Precision, Published};

/// The members with which every document of a task begins.
pub(super) type Object = Map<String, Value>;

/// The rows of a query.
pub(super) struct Rows {
    columns: Vec<(Precision, String)>,
    rows: Vec<Vec<Sql>>,
}

/// One row of a query. It is written as the members of an object, in published precision.
#[derive(Clone, Copy)]
pub(super) struct Row<'r> {
    columns: &'r [(Precision, String)],
    values: &'r [Sql],
}

impl Row<'_> {
    /// The text in a column.
    pub(super) fn text(&self, column: &str) -> Option<&str> {
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
pub(super) struct Measured {
    configurations: Rows,
    /// Which of the configurations are the best of their GPU, or of their GPU and setting.
    best: Vec<usize>,
    has_one_best: bool,
}

impl Measured {
    /// Of these configurations, those are best whose row is among the chosen ones.
    pub(super) fn new(configurations: Rows, chosen: &Rows, has_one_best: bool) -> Self {
        let is_best =
            |row: &Row<'_>| chosen.all().any(|chosen| chosen.text("row_id") == row.text("row_id"));
        let best = configurations
            .all()
            .enumerate()
            .filter(|(_, row)| is_best(row))
            .map(|(index, _)| index)
            .collect();
        Self { configurations, best, has_one_best }
    }

    /// The whole document, as JSON text.
    pub(super) fn document(&self, release: &Object, facts: Row<'_>) -> Result<Vec<u8>> {
        Ok(serde_json::to_vec_pretty(&Document { release, facts, measured: self })?)
    }

    /// The best configurations alone.
    pub(super) fn take_best(&mut self) -> Rows {
        let mut rows = Vec::with_capacity(self.best.len());
        for index in &self.best {
            rows.extend(self.configurations.rows.get_mut(*index).map(std::mem::take));
        }
        Rows { columns: std::mem::take(&mut self.configurations.columns), rows }
    }
}

impl Rows {
    /// The rows of an export query for a task, of one model or all.
    pub(super) fn read(
        statement: &mut Statement<'_>,
        task: &str,
        model: Option<&str>,
    ) -> Result<Self> {
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
        Ok(Self { columns, rows })
    }

    /// Its rows, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = Row<'_>> {
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
pub(super) struct Index<'d> {
    pub(super) release: &'d Object,
    pub(super) models: &'d Rows,
    pub(super) best: &'d [Rows],
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
