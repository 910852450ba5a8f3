//! A summary of the differences of two releases: one line for each changed column, so that a column that was
//! rewritten is easy to see.

use std::collections::BTreeMap;

use anyhow::Result;
use rusqlite::types::Value;

use super::{Change, Kind, Take};

/// Names that a line has; of more only the first.
const MOST_NAMES: usize = 3;

/// All differences, gathered.
#[derive(Debug, Default)]
pub struct Summary {
    lines: BTreeMap<Place, Line>,
    /// The tables in the order in which they were compared.
    tables: Vec<String>,
    /// Rows of each table and workload: of the old release, of the new one, and of both.
    counts: BTreeMap<(usize, Option<String>), [u64; 3]>,
}

/// Where a line is among the others.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    is_of_schema: bool,
    table: usize,
    kind: Kind,
    position: usize,
    task: Option<String>,
    column: Option<String>,
}

/// One line: what became of one column, or of the rows of one table.
#[derive(Debug, Default)]
struct Line {
    rows: u64,
    /// The one value that all had, and the one that all have.
    values: Option<[Value; 2]>,
    has_several: bool,
    relative: Vec<f64>,
    items: Vec<String>,
}

impl Take for Summary {
    fn row(&mut self, table: &str, task: Option<&str>, is_in: [bool; 2]) {
        let table = self.table(table);
        let [old, new] = is_in;
        let add = |counts: &mut [u64; 3]| {
            for (count, is_in) in counts.iter_mut().zip([old, new, old && new]) {
                *count += u64::from(is_in);
            }
        };
        add(self.counts.entry((table, task.map(Into::into))).or_default());
    }

    fn change(&mut self, change: Change) -> Result<()> {
        let relative = change.relative();
        let Change { kind, table, position, column, task, item, old, new } = change;
        let is_of_schema = matches!(kind, Kind::OnlyInOld | Kind::OnlyInNew);
        let table = self.table(&table);
        let place = Place { is_of_schema, table, kind, position, task, column };
        self.lines.entry(place).or_default().add(item, [old, new], relative);
        Ok(())
    }
}

impl Line {
    fn add(&mut self, item: String, values: [Value; 2], relative: Option<f64>) {
        self.rows += 1;
        if self.items.len() <= MOST_NAMES {
            self.items.push(item);
        }
        self.relative.extend(relative);
        match &self.values {
            None => self.values = Some(values),
            Some(first) if *first != values => self.has_several = true,
            Some(_) => {}
        }
    }

    fn names(&self) -> String {
        match &self.items[..] {
            [first, ..] if self.items.len() > MOST_NAMES => {
                format!("{first} and {} more", self.rows - 1)
            }
            items => items.join(", "),
        }
    }
}

impl Summary {
    /// The columns of [`Self::rows`].
    pub const COLUMNS: [&'static str; 12] = [
        "change",
        "table_name",
        "column_name",
        "task",
        "rows",
        "of_rows",
        "relative_change",
        "lowest_relative_change",
        "highest_relative_change",
        "old",
        "new",
        "items",
    ];

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines. `relative_change` is the median; `old` and `new` are null where they are not the
    /// same in all rows.
    pub fn rows(self) -> impl Iterator<Item = Vec<Value>> {
        let Self { lines, tables, counts } = self;
        lines.into_iter().map(move |(place, mut line)| {
            let text = |text: Option<String>| text.map_or(Value::Null, Value::Text);
            let counted = counts.get(&(place.table, place.task.clone())).copied();
            let [of_old, of_new, of_both] = counted.unwrap_or_default();
            let number = |number: u64| Value::Integer(number as i64);
            let (rows, of_rows) = match place.kind {
                Kind::OnlyInOld | Kind::OnlyInNew => (Value::Null, Value::Null),
                Kind::Removed => (number(line.rows), number(of_old)),
                Kind::Added => (number(line.rows), number(of_new)),
                Kind::Changed => (number(line.rows), number(of_both)),
            };
            let names = line.names();
            let shared = if line.has_several { None } else { line.values.take() };
            let [old, new] = shared.unwrap_or([Value::Null, Value::Null]);
            let [median, lowest, highest] =
                spread(line.relative).unwrap_or([const { Value::Null }; 3]);
            vec![
                Value::Text(place.kind.name().into()),
                text(tables.get(place.table).cloned()),
                text(place.column),
                text(place.task),
                rows,
                of_rows,
                median,
                lowest,
                highest,
                old,
                new,
                text(Some(names).filter(|names| !names.is_empty())),
            ]
        })
    }

    fn table(&mut self, name: &str) -> usize {
        // The table at hand is nearly always the last.
        self.tables.iter().rposition(|known| known == name).unwrap_or_else(|| {
            self.tables.push(name.to_owned());
            self.tables.len() - 1
        })
    }
}

/// The median, the lowest and the highest.
fn spread(mut numbers: Vec<f64>) -> Option<[Value; 3]> {
    numbers.sort_unstable_by(f64::total_cmp);
    let (lowest, highest) = (*numbers.first()?, *numbers.last()?);
    let middle = numbers.len() / 2;
    let upper = *numbers.get(middle)?;
    let lower = if numbers.len().is_multiple_of(2) { *numbers.get(middle - 1)? } else { upper };
    // Half the sum of two equal numbers need not be that number.
    let median = if lower == upper { upper } else { lower + (upper - lower) / 2.0 };
    Some([median, lowest, highest].map(Value::Real))
}
