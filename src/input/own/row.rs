//! What a file says of one own configuration, whatever kind of file it is.

use std::collections::BTreeMap;

use crate::input::number;
use crate::input::own::run::Run;
use crate::measurement::columns::{MOST, NULL, Table, Values};

/// What is said of a configuration beside the columns of its table: the names and facts of its
/// model, its GPU, and the precision of its weights.
pub const NAMES: [&str; 8] = [
    "hugging_face_id",
    "model",
    "model_name",
    "params_b",
    "active_params_b",
    "architecture",
    "gpu",
    "precision",
];

/// One configuration, as far as its file says.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Each of [`NAMES`] that the file has.
    pub names: BTreeMap<&'static str, String>,
    /// A value for each column of the table; null for what the file does not say.
    pub values: Values,
    /// Where it is in the file, as [`place`] says; empty where the file is of this configuration
    /// alone.
    pub place: String,
    /// How many are before it.
    pub position: u32,
    /// The run whose energy is still to be found, if there is one.
    pub run: Option<Run>,
}

impl Row {
    /// A row of which nothing is known.
    pub fn at(place: String, position: u32) -> Self {
        Self { names: BTreeMap::new(), values: [NULL; MOST], place, position, run: None }
    }

    /// Puts a figure into a column that has none yet. One that is not above 0 was not measured.
    pub fn put(&mut self, table: &Table, name: &str, figure: Option<f64>) {
        let figure = figure.and_then(number::above_zero);
        if let (Some(at), Some(figure)) = (table.find(name), figure)
            && self.values[at] == NULL
        {
            self.values[at] = figure;
        }
    }

    /// Puts a name where there is none yet.
    pub fn put_name(&mut self, what: &'static str, name: Option<impl Into<String>>) {
        if let Some(name) = name {
            self.names.entry(what).or_insert_with(|| name.into());
        }
    }

    /// The value in a column, or `None` if it has none.
    pub fn get(&self, table: &Table, name: &str) -> Option<f64> {
        Some(self.values[table.find(name)?]).filter(|value| *value != NULL)
    }

    /// Where the value of a column is.
    pub fn place_of(&self, column: &str) -> String {
        match self.place.as_str() {
            "" => column.into(),
            place => format!("{place}, {column}"),
        }
    }
}

/// Where a row is in its file: its line, and its number from 1.
pub(super) fn place(line: u64, position: u32) -> String {
    format!("line {line} (row {})", u64::from(position) + 1)
}

/// The position of the row in which a finding is, by the place that it names.
pub fn position(place: &str) -> Option<u32> {
    match place.split_once(" (row ") {
        Some((_, rest)) => rest.split_once(')')?.0.parse::<u32>().ok()?.checked_sub(1),
        // A file of one configuration names the column alone.
        None => (!place.contains([' ', '/'])).then_some(0),
    }
}
