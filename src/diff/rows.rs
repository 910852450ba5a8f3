//! Compares the rows of two releases. Both are read in the order of their names, so only the rows of one name
//! are in memory.

use std::cmp::{Ordering, Reverse};

use anyhow::Result;
use rusqlite::types::Value;
use rusqlite::{Rows, Statement};

/// The most pairs of rows of one name that are compared with each other. Beyond this, rows are paired in
/// order.
const MOST_COMPARED: usize = 10_000;

/// The cells of a row, or of its name.
pub(super) type Cells = Vec<Value>;

/// One row without its name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub cells: Cells,
    /// Its key in its own database; null in a view.
    pub id: Value,
}

/// The rows of one side that have one name.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub key: Cells,
    pub rows: Vec<Row>,
}

/// One side, read group by group.
pub(super) struct Side<'s> {
    rows: Rows<'s>,
    key_length: usize,
    length: usize,
    next: Option<(Cells, Row)>,
}

impl<'s> Side<'s> {
    /// Reads a statement of this many columns, the first of which are the name; one more is the id.
    pub fn new(statement: &'s mut Statement<'_>, key_length: usize, length: usize) -> Result<Self> {
        let rows = statement.query([])?;
        let mut side = Self { rows, key_length, length, next: None };
        side.advance()?;
        Ok(side)
    }

    fn advance(&mut self) -> Result<()> {
        self.next = match self.rows.next()? {
            Some(row) => {
                let cell = |index| row.get(index);
                let key = (0..self.key_length).map(cell).collect::<rusqlite::Result<_>>()?;
                let cells = (self.key_length..self.length).map(cell);
                let cells = cells.collect::<rusqlite::Result<_>>()?;
                Some((key, Row { cells, id: row.get(self.length)? }))
            }
            None => None,
        };
        Ok(())
    }

    fn group(&mut self) -> Result<Group> {
        let mut group = Group::default();
        while let Some((key, row)) = self
            .next
            .take_if(|(key, _)| group.rows.is_empty() || order(key, &group.key) == Ordering::Equal)
        {
            group.key = key;
            group.rows.push(row);
            self.advance()?;
        }
        Ok(group)
    }
}

/// Hands on the rows of each name, of both sides.
pub(super) fn side_by_side(
    old: &mut Side<'_>,
    new: &mut Side<'_>,
    mut take: impl FnMut(Group, Group) -> Result<()>,
) -> Result<()> {
    loop {
        let first = match (&old.next, &new.next) {
            (None, None) => return Ok(()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((old, _)), Some((new, _))) => order(old, new),
        };
        let of_old = if first.is_le() { old.group()? } else { Group::default() };
        let of_new = if first.is_ge() { new.group()? } else { Group::default() };
        take(of_old, of_new)?;
    }
}

/// What a cell says about which row it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// Nothing: it only counts the rows of one name.
    Nothing,
    /// Much.
    Setting,
    /// One may be a coincidence, all of them are not.
    Figure,
}

/// Pairs the rows of one name. Rows with all figures equal come first: their settings may have been
/// rewritten. Then come those with the most equal settings, then the most equal figures, then the rest in
/// order. A row without a partner was removed or added.
pub(super) fn pairs(
    old: Vec<Row>,
    new: Vec<Row>,
    weights: &[Weight],
) -> Vec<(Option<Row>, Option<Row>)> {
    let mut likely = Vec::new();
    let figures = weights.iter().filter(|weight| **weight == Weight::Figure).count();
    let is_only_one = old.len() <= 1 && new.len() <= 1;
    if !is_only_one && old.len().saturating_mul(new.len()) <= MOST_COMPARED {
        for (of_old, old) in old.iter().enumerate() {
            for (of_new, new) in new.iter().enumerate() {
                let cells = old.cells.iter().zip(&new.cells).zip(weights);
                let shared = |weight: Weight| {
                    let of_weight = cells.clone().filter(|(_, known)| **known == weight);
                    of_weight.filter(|((old, new), _)| old == new).count()
                };
                let (settings, of_figures) = (shared(Weight::Setting), shared(Weight::Figure));
                let shared = (of_figures == figures, settings, of_figures);
                likely.push((Reverse(shared), of_old, of_new));
            }
        }
        likely.sort_unstable();
    }
    let mut partners = vec![None; old.len()];
    let mut left: Vec<_> = new.into_iter().map(Some).collect();
    for (_, of_old, of_new) in likely {
        if let (Some(partner @ None), Some(new)) = (partners.get_mut(of_old), left.get_mut(of_new))
        {
            *partner = new.take();
        }
    }
    // Those of many rows, or of one, are paired in order.
    let mut left = left.into_iter().flatten();
    let mut pairs: Vec<_> = old
        .into_iter()
        .zip(partners)
        .map(|(old, partner)| (Some(old), partner.or_else(|| left.next())))
        .collect();
    pairs.extend(left.map(|new| (None, Some(new))));
    pairs
}

/// The order of names, as SQLite sorts them.
fn order(left: &[Value], right: &[Value]) -> Ordering {
    let of_cells = left.iter().zip(right).map(|(left, right)| order_of_cells(left, right));
    of_cells.fold(Ordering::Equal, Ordering::then)
}

fn order_of_cells(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.as_bytes().cmp(right.as_bytes()),
        (Value::Blob(left), Value::Blob(right)) => left.cmp(right),
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => left.total_cmp(&right),
            _ => class(left).cmp(&class(right)),
        },
    }
}

/// A number, whole or not.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        _ => None,
    }
}

fn class(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Integer(_) | Value::Real(_) => 1,
        Value::Text(_) => 2,
        Value::Blob(_) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row: repeat, a setting and two figures.
    fn row(repeat: i64, setting: i64, figures: [f64; 2]) -> Row {
        let [first, second] = figures.map(Value::Real);
        let cells = vec![Value::Integer(repeat), Value::Integer(setting), first, second];
        Row { cells, id: Value::Null }
    }

    /// Which of the old rows is paired with which of the new ones.
    fn paired(old: &[Row], new: &[Row]) -> Vec<(Option<usize>, Option<usize>)> {
        let weights = [Weight::Nothing, Weight::Setting, Weight::Figure, Weight::Figure];
        let at =
            |rows: &[Row], row: Option<Row>| rows.iter().position(|of| Some(of) == row.as_ref());
        let pairs = pairs(old.to_vec(), new.to_vec(), &weights).into_iter();
        pairs.map(|(of_old, of_new)| (at(old, of_old), at(new, of_new))).collect()
    }

    #[test]
    fn one_row_is_paired_with_one_whatever_changed() {
        let (old, new) = ([row(1, 4, [1.0, 1.0])], [row(1, 1, [2.0, 2.0])]);
        assert_eq!(paired(&old, &new), [(Some(0), Some(0))]);
        assert_eq!(paired(&old, &[]), [(Some(0), None)]);
        assert_eq!(paired(&[], &new), [(None, Some(0))]);
    }

    #[test]
    fn measurements_that_changed_places_are_known_by_the_figures_that_stayed() {
        let old = [row(1, 4, [10.0, 1.0]), row(2, 4, [20.0, 2.0])];
        let new = [row(1, 4, [30.0, 2.0]), row(2, 4, [15.0, 1.0])];
        assert_eq!(paired(&old, &new), [(Some(0), Some(1)), (Some(1), Some(0))]);
    }

    #[test]
    fn measurements_are_known_by_all_their_figures_whatever_their_settings_are_said_to_be() {
        let old = [row(1, 4, [1.0, 1.0]), row(2, 8, [2.0, 2.0])];
        let new = [row(1, 8, [1.0, 1.0]), row(2, 4, [2.0, 2.0])];
        assert_eq!(paired(&old, &new), [(Some(0), Some(0)), (Some(1), Some(1))]);
    }

    #[test]
    fn equal_settings_say_more_than_some_figures_and_these_more_than_the_order() {
        let old = [row(1, 4, [1.0, 1.0]), row(2, 8, [2.0, 2.0])];
        let new = [row(1, 8, [1.0, 1.5]), row(2, 4, [1.5, 1.5]), row(3, 2, [9.0, 9.0])];
        assert_eq!(paired(&old, &new), [(Some(0), Some(1)), (Some(1), Some(0)), (None, Some(2))]);
    }

    #[test]
    fn names_are_ordered_as_sqlite_sorts_them() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let sql = "select column1 from (values (1), (null), ('b'), ('B'), (0.5), ('a-'), ('a'), \
                   (-1), ('ä'), ('z'))";
        let read = |order: &str| -> Vec<Cells> {
            let mut statement = connection.prepare(&format!("{sql}{order}")).unwrap();
            let rows = statement.query_map([], |row| Ok(vec![row.get(0)?])).unwrap();
            rows.map(Result::unwrap).collect()
        };
        let mut cells = read("");
        cells.sort_by(|left, right| order(left, right));
        assert_eq!(cells, read(" order by 1"));
    }
}
