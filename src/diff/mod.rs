//! What changed between two releases: rows added and removed, and values changed.
//!
//! Every table is compared that the schema has, by the names that people know rows by, not by
//! keys. A configuration is matched by task, model, GPU, number of GPUs and limit; measurements that
//! are equal in these by the rest of their settings, then in order. So a release that rewrites the
//! parallelism of a row changes that row. Columns that only one of the releases has are told, and
//! what both have is compared.

pub mod details;
mod rows;
mod schema;
pub mod summary;

use anyhow::{Context, Result};
use rusqlite::Connection;
use rusqlite::types::Value;

use rows::{Cells, Group, Side, number};
use schema::{Field, Fields, Schema};

/// The choices that are compared, and what each is the choice for.
const CHOICES: [(&str, &[&str]); 2] = [
    ("best_configurations", &["task", "model", "gpu"]),
    ("best_per_deadline", &["task", "model", "gpu", "percentile", "deadline_ms"]),
];

/// Tables that tell where the data comes from. They come last.
const PROVENANCE: [&str; 5] = ["release", "sources", "licence_evidence", "documents", "findings"];

/// The column that names what was chosen.
const CHOSEN: &str = "row_id";
/// The column that counts the measurements of one configuration.
const REPEAT: &str = "repeat";
/// The column that says which workload a row is of.
const TASK: &str = "task";

/// The column that names a row among others of its kind.
const NAME: &str = "name";

/// What became of a row, a value, or a table or column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The table, view or column is in the old release alone.
    OnlyInOld,
    /// The table, view or column is in the new release alone.
    OnlyInNew,
    /// The row is in the old release alone.
    Removed,
    /// The row is in the new release alone.
    Added,
    /// The value is another one.
    Changed,
}

impl Kind {
    /// What people read.
    pub fn name(self) -> &'static str {
        match self {
            Self::OnlyInOld => "only in old",
            Self::OnlyInNew => "only in new",
            Self::Removed => "removed",
            Self::Added => "added",
            Self::Changed => "changed",
        }
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What became of it.
    pub kind: Kind,
    /// The table or view.
    pub table: String,
    /// Where the column stands in its table, so that changes can be told in that order.
    pub position: usize,
    /// The column; none where a whole row, table or view is meant.
    pub column: Option<String>,
    /// The workload that the row is of, where it is of one.
    pub task: Option<String>,
    /// What the row is called.
    pub item: String,
    /// What was there.
    pub old: Value,
    /// What is there now.
    pub new: Value,
}

impl Change {
    /// (new - old) / old; none where the values are not numbers or the old one is zero.
    pub fn relative(&self) -> Option<f64> {
        let (old, new) = (number(&self.old)?, number(&self.new)?);
        (self.kind == Kind::Changed && old != 0.0).then(|| (new - old) / old.abs())
    }
}

/// Takes what the comparison finds.
pub trait Take {
    /// A row was compared: of this table and workload, in one release or in both.
    fn row(&mut self, table: &str, task: Option<&str>, is_in: [bool; 2]);

    /// Something differs.
    ///
    /// # Errors
    /// When it cannot be told.
    fn change(&mut self, change: Change) -> Result<()>;
}

/// Compares two releases.
///
/// # Errors
/// When one cannot be read or a difference cannot be told.
pub fn compare(old: &Connection, new: &Connection, take: &mut dyn Take) -> Result<()> {
    let sides = Sides { old, new, schemas: [Schema::read(old)?, Schema::read(new)?] };
    let [of_old, of_new] = &sides.schemas;
    let (provenance, measured): (Vec<_>, Vec<_>) = of_new
        .tables()
        .chain(of_old.tables().filter(|name| !of_new.has_table(name)))
        .partition(|name| PROVENANCE.contains(name));
    sides.tables(&measured, take)?;
    for (view, key) in CHOICES {
        if of_old.view(view).is_some() && of_new.view(view).is_some() {
            sides
                .choice(view, key, take)
                .with_context(|| format!("could not compare the view {view}"))?;
        }
    }
    sides.tables(&provenance, take)?;
    sides.schemas_differ(take)
}

struct Sides<'c> {
    old: &'c Connection,
    new: &'c Connection,
    schemas: [Schema; 2],
}

impl Sides<'_> {
    fn tables(&self, tables: &[&str], take: &mut dyn Take) -> Result<()> {
        tables.iter().try_for_each(|table| {
            self.table(table, take).with_context(|| format!("could not compare the table {table}"))
        })
    }

    fn table(&self, table: &str, take: &mut dyn Take) -> Result<()> {
        let [of_old, of_new] = &self.schemas;
        let fields =
            |schema: &Schema| schema.has_table(table).then(|| schema.fields(table)).transpose();
        match (fields(of_old)?, fields(of_new)?) {
            (Some(mut old), Some(mut new)) => {
                old.keep_common(&new);
                new.keep_common(&old);
                self.rows(table, Some(&old), Some(&new), take)
            }
            (old, new) => self.rows(table, old.as_ref(), new.as_ref(), take),
        }
    }

    fn choice(&self, view: &str, key: &[&str], take: &mut dyn Take) -> Result<()> {
        let [old, new] = self
            .schemas
            .each_ref()
            .map(|schema| schema.view(view).map(|view| Fields::of_view(view, key, &[CHOSEN])));
        self.rows(view, old.as_ref(), new.as_ref(), take)
    }

    /// Compares the rows of a table; where a side lacks it, the other's are all added or removed.
    fn rows(
        &self,
        table: &str,
        old: Option<&Fields>,
        new: Option<&Fields>,
        take: &mut dyn Take,
    ) -> Result<()> {
        let Some(shown) = new.or(old) else { return Ok(()) };
        let mut telling = Telling::new(table, shown, take);
        let nothing = "select null where false";
        let sql = |fields: Option<&Fields>| fields.map_or(nothing.into(), Fields::sql);
        let (mut of_old, mut of_new) = (self.old.prepare(&sql(old))?, self.new.prepare(&sql(new))?);
        let key_length = telling.group_length;
        let length = shown.key.len() + shown.values.len();
        let mut old = Side::new(&mut of_old, key_length, length)?;
        let mut new = Side::new(&mut of_new, key_length, length)?;
        rows::side_by_side(&mut old, &mut new, |old, new| telling.group(old, new))
    }

    /// Tells of tables, views and columns that only one of the releases has.
    fn schemas_differ(&self, take: &mut dyn Take) -> Result<()> {
        let [old, new] = &self.schemas;
        for (kind, here, there) in [(Kind::OnlyInOld, old, new), (Kind::OnlyInNew, new, old)] {
            let mut tell = |table: &str, column: Option<&str>| {
                take.change(Change {
                    kind,
                    table: table.into(),
                    position: 0,
                    column: column.map(Into::into),
                    task: None,
                    item: String::new(),
                    old: Value::Null,
                    new: Value::Null,
                })
            };
            for table in here.tables() {
                let others = there.columns(table);
                if !there.has_table(table) {
                    tell(table, None)?;
                    continue;
                }
                for column in here.columns(table).iter().filter(|name| !others.contains(name)) {
                    tell(table, Some(column))?;
                }
            }
            for view in here.views() {
                match there.view(&view.name) {
                    None => tell(&view.name, None)?,
                    Some(other) => {
                        let lacks = |name: &&String| !other.columns.contains(name);
                        for column in view.columns.iter().filter(lacks) {
                            tell(&view.name, Some(column))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Tells what differs in the rows of one table.
struct Telling<'t> {
    table: &'t str,
    /// The columns of a row in the order in which they are read.
    fields: Vec<&'t Field>,
    /// How many of them name the rows that are paired with each other.
    group_length: usize,
    /// Which of the others are settings.
    is_setting: Vec<bool>,
    /// Whether the first of the others only counts the rows of one name.
    has_repeat: bool,
    /// Where among the names the workload stands.
    task: Option<usize>,
    /// Where among the others a name stands.
    name: Option<usize>,
    take: &'t mut dyn Take,
}

impl<'t> Telling<'t> {
    fn new(table: &'t str, read: &'t Fields, take: &'t mut dyn Take) -> Self {
        let has_repeat = read.key.last().is_some_and(|field| field.name == REPEAT);
        let group_length = read.key.len() - usize::from(has_repeat);
        let fields: Vec<_> = read.key.iter().chain(&read.values).collect();
        let is_setting = fields.iter().skip(group_length).map(|field| !field.is_figure).collect();
        let task = read.key.iter().position(|field| field.name == TASK);
        // A task is called what it is called.
        let task = task.filter(|_| read.key.len() > 1);
        let name = read.values.iter().position(|field| field.name == NAME);
        Self { table, fields, group_length, is_setting, has_repeat, task, name, take }
    }

    fn group(&mut self, old: Group, new: Group) -> Result<()> {
        let key = if new.rows.is_empty() { old.key } else { new.key };
        let pairs = rows::pairs(old.rows, new.rows, usize::from(self.has_repeat), &self.is_setting);
        for (old, new) in pairs {
            self.pair(&key, old, new)?;
        }
        Ok(())
    }

    fn pair(&mut self, key: &Cells, old: Option<Cells>, new: Option<Cells>) -> Result<()> {
        let task = self.task.and_then(|at| key.get(at)).map(text);
        self.take.row(self.table, task.as_deref(), [old.is_some(), new.is_some()]);
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) if old == new => return Ok(()),
            (Some(old), Some(new)) => (old, new),
            (old, new) => {
                let kind = if new.is_some() { Kind::Added } else { Kind::Removed };
                let item = self.item(key, new.as_ref().or(old.as_ref()));
                // A choice is told with what is chosen.
                let is_choice = CHOICES.iter().any(|(view, _)| *view == self.table);
                let cell = |row: Option<Cells>| {
                    let chosen = row.filter(|_| is_choice).and_then(|row| row.into_iter().next());
                    chosen.unwrap_or(Value::Null)
                };
                let (old, new) = (cell(old), cell(new));
                return self.tell(kind, 0, is_choice.then_some(CHOSEN), task, item, old, new);
            }
        };
        let item = self.item(key, Some(&new));
        for (index, (old, new)) in old.into_iter().zip(new).enumerate() {
            if old == new {
                continue;
            }
            let column = self.fields.get(self.group_length + index).map(|field| &*field.name);
            let (task, item) = (task.clone(), item.clone());
            self.tell(Kind::Changed, index, column, task, item, old, new)?;
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "each is one member of a change")]
    fn tell(
        &mut self,
        kind: Kind,
        position: usize,
        column: Option<&str>,
        task: Option<String>,
        item: String,
        old: Value,
        new: Value,
    ) -> Result<()> {
        let table = self.table.to_owned();
        let column = column.map(Into::into);
        self.take.change(Change { kind, table, position, column, task, item, old, new })
    }

    /// What a row is called: what names it, as in a row_id.
    fn item(&self, key: &Cells, row: Option<&Cells>) -> String {
        let parts = key.iter().enumerate().filter(|(index, _)| Some(*index) != self.task);
        let name = self.name.and_then(|at| row?.get(at));
        let parts = parts.map(|(_, cell)| cell).chain(name);
        let mut item = parts.map(text).collect::<Vec<_>>().join("/");
        if let Some(Value::Integer(repeat)) =
            row.filter(|_| self.has_repeat).and_then(|row| row.first())
            && *repeat > 1
        {
            item = format!("{item}/r{repeat}");
        }
        item
    }
}

/// A value as a part of a name.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Blob(bytes) => crate::hex::hex(bytes),
    }
}
