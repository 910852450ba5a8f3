//! What changed between two releases: rows added and removed, and values changed.
//!
//! Every table of the schema is compared. Rows are matched by names that people know, not by keys. A
//! configuration is matched by task, model, GPU, number of GPUs and limit, or by size, steps and so on. If
//! several measurements are equal in these, they are matched by all their figures, then by their other
//! settings, then by some figures, then by order. So if a release rewrites the parallelism of a row, the
//! row counts as changed. Columns that only one release has are reported; the others are compared.

pub mod details;
mod rows;
mod schema;
pub mod summary;

use anyhow::{Context, Result};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Statement};

use crate::database::schema::quoted;
use crate::measurement::product::Product;
use crate::progress::enter;
use rows::{Cells, Group, Row, Side, Weight, number};
use schema::{Field, Fields, Schema};

/// A view of best choices, and what each row is the choice for.
type Choice = (&'static str, &'static [&'static str]);

const OF_TEXT: [Choice; 2] = [
    ("best_configurations", &["task", "model", "gpu"]),
    ("best_per_deadline", &["task", "model", "gpu", "percentile", "deadline_ms"]),
];
const OF_IMAGES: [Choice; 1] = [(
    "best_images",
    &["task", "model", "gpu", "width_pixels", "height_pixels", "inference_steps"],
)];
const OF_VIDEOS: [Choice; 1] = [(
    "best_videos",
    &["task", "model", "gpu", "width_pixels", "height_pixels", "inference_steps", "num_frames"],
)];

/// The choices that are compared.
fn choices() -> impl Iterator<Item = Choice> {
    let of = |product| match product {
        Product::Tokens => &OF_TEXT[..],
        Product::Images => &OF_IMAGES,
        Product::Videos => &OF_VIDEOS,
    };
    Product::all().flat_map(of).copied()
}

/// Tables that say where the data comes from. They come last.
const PROVENANCE: [&str; 5] = ["release", "sources", "licence_evidence", "documents", "findings"];

/// The column that names what was chosen.
const CHOSEN: &str = "row_id";
/// The column that counts the measurements of one configuration.
const REPEAT: &str = "repeat";
/// The column that says which workload a row is of.
const TASK: &str = "task";

/// The column that names a row among others of its kind.
const NAME: &str = "name";

/// What happened to a row, a value, a table or a column.
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
    /// Where the column is in its table, so that changes are reported in that order.
    pub position: usize,
    /// The column, or `None` if a whole row, table or view is meant.
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
    /// (new - old) / old, or `None` if the values are not numbers, the old one is zero, or the new one
    /// so much larger that no number says it.
    pub fn relative(&self) -> Option<f64> {
        let (old, new) = (number(&self.old)?, number(&self.new)?);
        let relative = (new - old) / old.abs();
        (self.kind == Kind::Changed && relative.is_finite()).then_some(relative)
    }
}

/// Takes what the comparison finds.
pub trait Take {
    /// A row was compared: of this table and workload, in one release or in both.
    fn row(&mut self, table: &str, task: Option<&str>, is_in: [bool; 2]);

    /// Something differs.
    ///
    /// # Errors
    /// When it cannot be described.
    fn change(&mut self, change: Change) -> Result<()>;
}

/// Whether a table or view says where the data comes from.
pub fn is_of_origin(table: &str) -> bool {
    PROVENANCE.contains(&table)
}

/// Whether a view is one of best choices.
pub fn is_choice(view: &str) -> bool {
    choices().any(|(known, _)| known == view)
}

/// Compares two releases.
///
/// # Errors
/// When one cannot be read or a difference cannot be described.
pub fn compare(old: &Connection, new: &Connection, take: &mut dyn Take) -> Result<()> {
    let sides = Sides { old, new, schemas: [Schema::read(old)?, Schema::read(new)?] };
    let [of_old, of_new] = &sides.schemas;
    let (provenance, measured): (Vec<_>, Vec<_>) = of_new
        .tables()
        .chain(of_old.tables().filter(|name| !of_new.has_table(name)))
        .partition(|name| PROVENANCE.contains(name));
    sides.tables(&measured, take)?;
    for (view, key) in choices() {
        if of_old.view(view).is_some() && of_new.view(view).is_some() {
            enter(&format!("comparing {view}"));
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
            enter(&format!("comparing {table}"));
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
        let [of_old, of_new] = &self.schemas;
        let row_ids = |connection, schema: &Schema, fields: Option<&Fields>| {
            fields.map(|fields| RowIds::prepare(connection, schema, fields)).transpose()
        };
        let row_ids =
            [row_ids(self.old, of_old, old)?.flatten(), row_ids(self.new, of_new, new)?.flatten()];
        let mut telling = Telling::new(table, shown, row_ids, take);
        let (key_length, length) = (shown.key.len(), shown.key.len() + shown.values.len());
        let sql = |fields: Option<&Fields>| match fields {
            Some(fields) => fields.sql(),
            None => "select null where false".into(),
        };
        let (mut of_old, mut of_new) = (self.old.prepare(&sql(old))?, self.new.prepare(&sql(new))?);
        let mut old = Side::new(&mut of_old, key_length, length)?;
        let mut new = Side::new(&mut of_new, key_length, length)?;
        rows::side_by_side(&mut old, &mut new, |old, new| telling.group(old, new))
    }

    /// Reports tables, views and columns that only one of the releases has.
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

/// What a view calls the rows of a table.
struct RowIds<'c>(Statement<'c>);

impl<'c> RowIds<'c> {
    /// None where no view calls them anything.
    fn prepare(
        connection: &'c Connection,
        schema: &Schema,
        fields: &Fields,
    ) -> Result<Option<Self>> {
        let Some(id) = &fields.id else { return Ok(None) };
        let Some(view) = schema.view_of_row_ids(id) else { return Ok(None) };
        let (view, id) = (quoted(&view.name), quoted(id));
        let sql = format!("select {CHOSEN} from {view} where {id} = ?1");
        Ok(Some(Self(connection.prepare(&sql)?)))
    }

    fn of(&mut self, id: &Value) -> Result<Option<String>> {
        Ok(self.0.query_row([id], |row| row.get(0)).optional()?)
    }
}

/// Reports what differs in the rows of one table.
struct Telling<'t> {
    table: &'t str,
    /// The columns of a row beside its name.
    fields: &'t [Field],
    weights: Vec<Weight>,
    /// Where among the names the workload is.
    task: Option<usize>,
    /// Where among the others a name is, and the number of the measurement.
    name: Option<usize>,
    repeat: Option<usize>,
    /// What the rows are called, in the old release and in the new one.
    row_ids: [Option<RowIds<'t>>; 2],
    take: &'t mut dyn Take,
}

/// Where a value that differs is.
struct Spot<'s> {
    kind: Kind,
    position: usize,
    column: Option<&'s str>,
    task: Option<&'s str>,
    item: &'s str,
}

impl<'t> Telling<'t> {
    fn new(
        table: &'t str,
        read: &'t Fields,
        row_ids: [Option<RowIds<'t>>; 2],
        take: &'t mut dyn Take,
    ) -> Self {
        let weights = read.values.iter().map(|field| match &*field.name {
            REPEAT => Weight::Nothing,
            _ if field.is_figure => Weight::Figure,
            _ => Weight::Setting,
        });
        // A task is named by itself.
        let task = read.key.iter().position(|field| field.name == TASK);
        let task = task.filter(|_| read.key.len() > 1);
        let at = |name: &str| read.values.iter().position(|field| field.name == name);
        Self {
            table,
            fields: &read.values,
            weights: weights.collect(),
            task,
            name: at(NAME),
            repeat: at(REPEAT),
            row_ids,
            take,
        }
    }

    fn group(&mut self, old: Group, new: Group) -> Result<()> {
        let key = if new.rows.is_empty() { old.key } else { new.key };
        for (old, new) in rows::pairs(old.rows, new.rows, &self.weights) {
            self.pair(&key, old, new)?;
        }
        Ok(())
    }

    fn pair(&mut self, key: &Cells, old: Option<Row>, new: Option<Row>) -> Result<()> {
        let task = self.task.and_then(|at| key.get(at)).filter(|task| **task != Value::Null);
        let task = task.map(text);
        let task = task.as_deref();
        self.take.row(self.table, task, [old.is_some(), new.is_some()]);
        if let (Some(old), Some(new)) = (&old, &new)
            && old.cells == new.cells
        {
            return Ok(());
        }
        let item = self.item(key, old.as_ref(), new.as_ref())?;
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) => (old, new),
            (old, new) => {
                let kind = if new.is_some() { Kind::Added } else { Kind::Removed };
                // A choice is reported with the chosen row.
                let is_choice = is_choice(self.table);
                let chosen = |row: Option<Row>| {
                    row.filter(|_| is_choice).and_then(|row| row.cells.into_iter().next())
                };
                let column = is_choice.then_some(CHOSEN);
                let spot = Spot { kind, position: 0, column, task, item: &item };
                return self.tell(
                    &spot,
                    chosen(old).unwrap_or(Value::Null),
                    chosen(new).unwrap_or(Value::Null),
                );
            }
        };
        let fields = self.fields;
        let cells = fields.iter().zip(old.cells).zip(new.cells).enumerate();
        for (position, ((field, old), new)) in cells {
            if old != new {
                let column = Some(&*field.name);
                let spot = Spot { kind: Kind::Changed, position, column, task, item: &item };
                self.tell(&spot, old, new)?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, spot: &Spot<'_>, old: Value, new: Value) -> Result<()> {
        self.take.change(Change {
            kind: spot.kind,
            table: self.table.to_owned(),
            position: spot.position,
            column: spot.column.map(Into::into),
            task: spot.task.map(Into::into),
            item: spot.item.to_owned(),
            old,
            new,
        })
    }

    /// What a row is called: its row_id, else what names it.
    fn item(&mut self, key: &Cells, old: Option<&Row>, new: Option<&Row>) -> Result<String> {
        let [of_old, of_new] = &mut self.row_ids;
        let row_id = match (of_new, new, of_old, old) {
            (Some(row_ids), Some(row), ..) | (_, None, Some(row_ids), Some(row)) => {
                row_ids.of(&row.id)?
            }
            _ => None,
        };
        if let Some(row_id) = row_id {
            return Ok(row_id);
        }
        let row = new.or(old);
        let cell = |at: Option<usize>| row?.cells.get(at?);
        let parts = key.iter().enumerate().filter(|(index, _)| Some(*index) != self.task);
        let parts = parts.map(|(_, cell)| cell).chain(cell(self.name)).map(text);
        let mut item = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        if let Some(Value::Integer(repeat)) = cell(self.repeat)
            && *repeat > 1
        {
            item = format!("{item}/r{repeat}");
        }
        Ok(item)
    }
}

/// A value as a part of a name.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Blob(bytes) => crate::hash::hex(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_of_best_choices_is_compared() {
        let views = crate::embedded::VIEWS.iter().map(|(name, _)| *name);
        for view in views.filter(|name| name.starts_with("best_")) {
            assert!(is_choice(view), "{view} is not compared");
        }
    }
}
