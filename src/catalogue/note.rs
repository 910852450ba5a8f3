//! Notes about an answer, as a query's head comment declares them.
//!
//! `note when column > column: text` is printed if some rows have one figure above another, or above a
//! number; `<` means below. `note without :name, :name: text` is printed if none of the parameters was
//! given. `{column}` in the text is replaced by the lowest and the highest value of these rows.

use anyhow::{Context, Result, bail};
use rusqlite::types::{FromSql as _, ValueRef};
use serde::Serialize;

use super::declaration::mentioned;
use crate::output::human::{HumanColumn, as_it_is};

/// A condition, and the text to print if it is true.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Note {
    condition: Condition,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Condition {
    /// The first figure is above the second, or below it.
    When { first: String, is_above: bool, second: Figure },
    /// None of these parameters is given.
    Without(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum Figure {
    Column(String),
    Number(f64),
}

impl Note {
    /// Reads what follows `note ` in a head comment.
    ///
    /// # Errors
    /// When it is not of the grammar.
    pub fn parse(line: &str) -> Result<Self> {
        let (condition, text) = line.split_once(": ").context("': ' and a text are missing")?;
        let condition = match condition.split(' ').collect::<Vec<_>>()[..] {
            ["when", first, sign @ (">" | "<"), second] => Condition::When {
                first: first.into(),
                is_above: sign == ">",
                second: second
                    .parse()
                    .map_or_else(|_| Figure::Column(second.into()), Figure::Number),
            },
            ["without", ..] => Condition::Without(mentioned(condition).map(Into::into).collect()),
            _ => bail!("expected 'when COLUMN > FIGURE' or 'without :NAME, :NAME'"),
        };
        Ok(Self { condition, text: text.trim().to_owned() })
    }

    /// The columns that it reads.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns: Vec<_> = in_braces(&self.text).collect();
        if let Condition::When { first, second, .. } = &self.condition {
            columns.push(first);
            if let Figure::Column(second) = second {
                columns.push(second);
            }
        }
        columns
    }

    /// The parameters that it is about.
    pub fn parameters(&self) -> &[String] {
        match &self.condition {
            Condition::Without(names) => names,
            Condition::When { .. } => &[],
        }
    }
}

/// The names in braces.
fn in_braces(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// Checks the rows of an answer for the conditions of the notes.
#[derive(Debug)]
pub struct Watch<'q> {
    notes: Vec<(&'q Note, Seen)>,
    columns: &'q [String],
    rows: u64,
}

/// What was seen for one note.
#[derive(Debug, Default)]
struct Seen {
    rows: u64,
    /// Lowest and highest of the columns in the text.
    extents: Vec<Option<(f64, f64)>>,
}

impl<'q> Watch<'q> {
    /// Watches for the notes of a query whose rows have these columns.
    pub fn new(notes: &'q [Note], columns: &'q [String], is_given: impl Fn(&str) -> bool) -> Self {
        let holds = |note: &&Note| !note.parameters().iter().any(|name| is_given(name));
        let notes = notes.iter().filter(holds).map(|note| (note, Seen::default())).collect();
        Self { notes, columns, rows: 0 }
    }

    /// Looks at one row.
    pub fn see(&mut self, row: &[ValueRef<'_>]) {
        self.rows += 1;
        let columns = self.columns;
        let figure = |name: &str| {
            let place = columns.iter().position(|column| column == name)?;
            row.get(place).and_then(|value| f64::column_result(*value).ok())
        };
        for (note, seen) in &mut self.notes {
            if !holds(&note.condition, figure) {
                continue;
            }
            seen.rows += 1;
            let names: Vec<_> = in_braces(&note.text).collect();
            seen.extents.resize(names.len(), None);
            for (extent, name) in seen.extents.iter_mut().zip(names) {
                if let Some(value) = figure(name) {
                    let (low, high) = extent.unwrap_or((value, value));
                    *extent = Some((low.min(value), high.max(value)));
                }
            }
        }
    }

    /// The notes on the rows that were seen.
    pub fn notes(&self) -> Vec<String> {
        let said = self.notes.iter().filter(|(_, seen)| seen.rows > 0).map(|(note, seen)| {
            let mut text = note.text.clone();
            for (name, extent) in in_braces(&note.text).zip(&seen.extents) {
                text = text.replace(&format!("{{{name}}}"), &shown(name, *extent));
            }
            match note.condition {
                Condition::Without(_) => text,
                Condition::When { .. } if self.rows == 1 => text,
                Condition::When { .. } => format!("{text} ({} of {} rows)", seen.rows, self.rows),
            }
        });
        said.collect()
    }
}

fn holds(condition: &Condition, figure: impl Fn(&str) -> Option<f64>) -> bool {
    let Condition::When { first, is_above, second } = condition else { return true };
    let second = match second {
        Figure::Column(name) => figure(name),
        Figure::Number(number) => Some(*number),
    };
    let pair = figure(first).zip(second);
    pair.is_some_and(|(first, second)| if *is_above { first > second } else { first < second })
}

fn shown(name: &str, extent: Option<(f64, f64)>) -> String {
    let Some((low, high)) = extent else { return "unknown".into() };
    let column = HumanColumn::new(name, as_it_is);
    let [low, high] = [low, high].map(|figure| column.text(ValueRef::Real(figure)));
    if low == high { low } else { format!("{low} to {high}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_counts_the_rows_that_it_is_about() {
        let notes = [
            "when itl_ms > deadline_ms: slow, of {itl_ms} ms",
            "when requests_per_slot < 2: few requests",
            "without :deadline_ms, :p99_ms: no deadline; ITL {itl_ms} ms",
        ]
        .map(|line| Note::parse(line).unwrap());
        assert_eq!(notes[0].columns(), ["itl_ms", "itl_ms", "deadline_ms"]);
        let columns = ["itl_ms", "deadline_ms", "requests_per_slot"].map(str::to_owned);
        let rows = [
            [ValueRef::Real(60.0), ValueRef::Real(50.0), ValueRef::Null],
            [ValueRef::Real(70.5), ValueRef::Integer(50), ValueRef::Real(2.0)],
            [ValueRef::Real(50.0), ValueRef::Real(50.0), ValueRef::Null],
        ];
        let said = |given: &[&str]| {
            let mut watch = Watch::new(&notes, &columns, |name| given.contains(&name));
            rows.iter().for_each(|row| watch.see(row));
            watch.notes()
        };
        let slow = "slow, of 60.0 to 70.5 ms (2 of 3 rows)";
        assert_eq!(said(&[]), [slow, "no deadline; ITL 50.0 to 70.5 ms"]);
        assert_eq!(said(&["p99_ms"]), [slow]);
        for line in ["when a > b", "when a = b: c", "often: c", "when a > b c: d"] {
            assert!(Note::parse(line).is_err(), "{line}");
        }
    }
}
