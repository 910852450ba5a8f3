//! The tables of a database, read from the database itself: which columns name a row, and which tables they
//! refer to. A new table of the schema needs no change here.

use anyhow::{Context, Result, ensure};
use rusqlite::Connection;

use super::{CHOSEN, REPEAT};
use crate::database::schema::quoted;

/// Tables of which no row is compared: they say what the schema says, or follow from other rows.
const DERIVED: [&str; 4] =
    ["content_hash", "dictionary", "measured", crate::database::schema::HISTORY];

/// The columns that name a row, for tables whose schema does not define them: a table with two names, and
/// the tables of provenance. The release has one row. Documents are matched by task and kind.
const NAMED_BY: [(&str, &[&str]); 5] = [
    ("models", &["model"]),
    ("release", &[]),
    ("sources", &["source"]),
    ("documents", &["task_id", "kind"]),
    ("findings", &["check_name", "document_id", "place"]),
];

/// What a document contains, whatever it is called.
const CONTENT: [&str; 2] = ["sha256", "bytes"];

/// Columns that say where in a document a row is. The documents are compared themselves, and
/// one row more at the top of one would change all.
const PLACES: [&str; 2] = ["document_id", "document_position"];

/// Whether a column counts the rows of one name, or says how a model is spread over GPUs, which has
/// been rewritten.
fn is_unsteady(column: &str) -> bool {
    column == REPEAT || column.ends_with("_parallel") || column.ends_with("_degree")
}

/// References that are followed in a row; there are fewer.
const MOST_REFERENCES: usize = 8;

/// The tables and views of a database.
#[derive(Debug)]
pub(super) struct Schema {
    tables: Vec<Table>,
    views: Vec<View>,
}

/// A view.
#[derive(Debug)]
pub(super) struct View {
    pub name: String,
    pub columns: Vec<String>,
}

#[derive(Debug)]
struct Table {
    name: String,
    columns: Vec<Column>,
    /// The columns that name a row.
    named_by: Vec<String>,
}

#[derive(Debug)]
struct Column {
    name: String,
    is_figure: bool,
    is_required: bool,
    /// Place in the primary key, from 1; 0 where it is not in it.
    key_place: i64,
    /// The table that it refers to, and the column there.
    refers_to: Option<(String, String)>,
}

/// What is read of a table: its name columns, resolved to what people call them, then the others.
#[derive(Debug)]
pub(super) struct Fields {
    pub key: Vec<Field>,
    pub values: Vec<Field>,
    /// The column by which a view names a row of the table.
    pub id: Option<String>,
    from: String,
}

/// One column of what is read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub name: String,
    /// Whether it is a figure, or the content of a document; all else tells rows apart.
    pub is_figure: bool,
    sql: String,
}

impl Schema {
    pub fn read(connection: &Connection) -> Result<Self> {
        let mut statement = connection.prepare(
            "select type, name from sqlite_schema where type in ('table', 'view') \
             and substr(name, 1, 7) <> 'sqlite_' order by rowid",
        )?;
        let objects = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut schema = Self { tables: Vec::new(), views: Vec::new() };
        for object in objects {
            let (kind, name): (String, String) = object?;
            if kind == "view" {
                let columns = columns(connection, &name)?;
                let columns = columns.into_iter().map(|column| column.name).collect();
                schema.views.push(View { name, columns });
            } else if !DERIVED.contains(&name.as_str()) {
                schema.tables.push(Table::read(connection, name)?);
            }
        }
        Ok(schema)
    }

    /// The names of the tables, in the order in which they were made.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(|table| table.name.as_str())
    }

    pub fn views(&self) -> &[View] {
        &self.views
    }

    pub fn has_table(&self, name: &str) -> bool {
        self.table(name).is_some()
    }

    /// The view that gives the rows of a table their row_id, by this column.
    pub fn view_of_row_ids(&self, id: &str) -> Option<&View> {
        let has = |view: &View, name: &str| view.columns.iter().any(|column| column == name);
        let mut views = self.views.iter();
        views.find(|view| view.name.ends_with("_energy") && has(view, id) && has(view, CHOSEN))
    }

    pub fn view(&self, name: &str) -> Option<&View> {
        self.views.iter().find(|view| view.name == name)
    }

    /// The names of a table's own columns.
    pub fn columns(&self, table: &str) -> Vec<&str> {
        let columns = self.table(table).map_or(&[][..], |table| &table.columns);
        columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// What to read of a table.
    pub fn fields(&self, name: &str) -> Result<Fields> {
        let table = self.table(name).with_context(|| format!("there is no table {name}"))?;
        let mut joins = Joins::default();
        let mut key: Vec<Field> = Vec::new();
        let mut values: Vec<Field> = Vec::new();
        for column in &table.named_by {
            self.resolve(table, "rows", column, &mut joins, 0, &mut key)?;
        }
        // A row that refers to another of the same task and model names these once.
        let mut seen = Vec::new();
        key.retain(|field| {
            !seen.contains(&field.name) && {
                seen.push(field.name.clone());
                true
            }
        });
        // What counts the rows of one name, or may be rewritten, does not name them.
        let (rest, key) = key.into_iter().partition(|field: &Field| is_unsteady(&field.name));
        values.extend(rest);
        let keys = std::mem::take(&mut joins);
        for column in &table.columns {
            let is_number = column.key_place > 0 && column.refers_to.is_none();
            let is_place = PLACES.contains(&column.name.as_str());
            if is_number || is_place || table.named_by.contains(&column.name) {
                continue;
            }
            let mut parts = Vec::new();
            self.resolve(table, "rows", &column.name, &mut joins, 0, &mut parts)?;
            values.extend(one_field(column, parts));
        }
        let id = match &primary_key(&table.columns)[..] {
            [id] => Some(id.clone()),
            _ => None,
        };
        Ok(Fields { key, values, id, from: from(name, &keys, &joins) })
    }

    fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// What people call what a column refers to: the columns that name a row of its table.
    fn resolve(
        &self,
        table: &Table,
        alias: &str,
        column: &str,
        joins: &mut Joins,
        depth: usize,
        fields: &mut Vec<Field>,
    ) -> Result<()> {
        ensure!(depth < MOST_REFERENCES, "the tables refer to each other in a circle");
        let column = table
            .columns
            .iter()
            .find(|known| known.name == column)
            .with_context(|| format!("{} has no column {column}", table.name))?;
        let sql = format!("{alias}.{}", quoted(&column.name));
        let target =
            column.refers_to.as_ref().and_then(|(name, key)| Some((self.table(name)?, key)));
        let Some((target, key)) = target else {
            fields.push(Field { name: column.name.clone(), is_figure: column.is_figure, sql });
            return Ok(());
        };
        let joined = format!("{alias}_{}", target.name);
        for name in &target.named_by {
            self.resolve(target, &joined, name, joins, depth + 1, fields)?;
        }
        joins.may_lack |= !column.is_required;
        let table = format!("{} as {joined}", quoted(&target.name));
        joins.joined.push((table, format!("{joined}.{} = {sql}", quoted(key))));
        Ok(())
    }
}

/// The tables that are joined, those that others are reached through last.
#[derive(Debug, Default)]
struct Joins {
    joined: Vec<(String, String)>,
    /// Whether a row may refer to nothing.
    may_lack: bool,
}

/// A reference to a row with several name columns is reported as one value.
fn one_field(column: &Column, mut parts: Vec<Field>) -> Option<Field> {
    if parts.len() < 2 {
        return parts.pop();
    }
    let name = column.name.strip_suffix("_id").unwrap_or(&column.name).to_owned();
    let sql: Vec<_> = parts.iter().map(|part| format!("coalesce({}, '')", part.sql)).collect();
    Some(Field { name, is_figure: false, sql: sql.join(" || ' / ' || ") })
}

/// The tables to read from. Those that name a row are first and in the order of the names, so
/// that SQLite can walk their indexes in that order and need not sort.
fn from(name: &str, keys: &Joins, values: &Joins) -> String {
    let rows = format!("{} as rows", quoted(name));
    let left = |joins: &Joins| -> String {
        let joins = joins.joined.iter().rev();
        joins.map(|(table, on)| format!(" left join {table} on {on}")).collect()
    };
    if keys.may_lack {
        return format!("from {rows}{}{}", left(keys), left(values));
    }
    let tables: Vec<_> = keys.joined.iter().map(|(table, _)| table.as_str()).collect();
    let conditions: Vec<_> = keys.joined.iter().map(|(_, on)| on.as_str()).collect();
    let first: String = tables.iter().map(|table| format!("{table} cross join ")).collect();
    let only = if conditions.is_empty() { "true".into() } else { conditions.join(" and ") };
    format!("from {first}{rows}{} where {only}", left(values))
}

impl Table {
    fn read(connection: &Connection, name: String) -> Result<Self> {
        let columns = columns(connection, &name)?;
        let given = NAMED_BY.iter().find(|(table, _)| *table == name);
        let named_by = match given {
            // An older schema may not have them yet.
            Some((_, names)) => {
                let has = |name: &&&str| columns.iter().any(|column| column.name == **name);
                names.iter().filter(has).map(|&name| name.to_owned()).collect()
            }
            None => match unique_index(connection, &name)? {
                Some(index) => index_columns(connection, &index)?,
                None => primary_key(&columns),
            },
        };
        Ok(Self { name, columns, named_by })
    }
}

fn primary_key(columns: &[Column]) -> Vec<String> {
    let mut key: Vec<_> = columns.iter().filter(|column| column.key_place > 0).collect();
    key.sort_by_key(|column| column.key_place);
    key.iter().map(|column| column.name.clone()).collect()
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<Column>> {
    let mut references = Vec::new();
    let mut statement = connection
        .prepare("select \"from\", \"table\", \"to\" from pragma_foreign_key_list(?1)")?;
    let mut rows = statement.query([table])?;
    while let Some(row) = rows.next()? {
        let (from, to): (String, (String, String)) = (row.get(0)?, (row.get(1)?, row.get(2)?));
        references.push((from, to));
    }
    let mut statement = connection.prepare(
        "select name, lower(type) = 'real', \"notnull\", pk from pragma_table_info(?1) order by cid",
    )?;
    let columns = statement.query_map([table], |row| {
        let name: String = row.get(0)?;
        let refers_to = references.iter().find(|(from, _)| *from == name);
        Ok(Column {
            refers_to: refers_to.map(|(_, to)| to.clone()),
            is_figure: row.get::<_, bool>(1)? || CONTENT.contains(&name.as_str()),
            name,
            is_required: row.get(2)?,
            key_place: row.get(3)?,
        })
    })?;
    Ok(columns.collect::<rusqlite::Result<_>>()?)
}

/// The unique index of the columns that name a row.
fn unique_index(connection: &Connection, table: &str) -> Result<Option<String>> {
    let mut statement = connection.prepare(
        "select name from pragma_index_list(?1) where \"unique\" and origin = 'c' \
         order by name like '%_by_key' desc, name limit 1",
    )?;
    let mut rows = statement.query([table])?;
    Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
}

fn index_columns(connection: &Connection, index: &str) -> Result<Vec<String>> {
    let mut statement =
        connection.prepare("select name from pragma_index_info(?1) order by seqno")?;
    let names = statement.query_map([index], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

impl Fields {
    /// What to read of a view, whose columns are what they are called.
    pub fn of_view(view: &View, key: &[&str], values: &[&str]) -> Self {
        let field =
            |name: &&str| Field { name: (*name).to_owned(), is_figure: false, sql: quoted(name) };
        Self {
            key: key.iter().map(field).collect(),
            values: values.iter().map(field).collect(),
            id: None,
            from: format!("from {}", quoted(&view.name)),
        }
    }

    /// Keeps the fields that the other has too, in the other's order.
    pub fn keep_common(&mut self, other: &Self) {
        let common = |own: &[Field], others: &[Field]| -> Vec<Field> {
            let of = |name: &str| own.iter().find(|field| field.name == name).cloned();
            others.iter().filter_map(|field| of(&field.name)).collect()
        };
        self.key = common(&self.key, &other.key);
        self.values = common(&self.values, &other.values);
    }

    /// The statement that reads them and then the id, in the order of the names.
    pub fn sql(&self) -> String {
        let id = self.id.as_ref().map_or("null".into(), |id| format!("rows.{}", quoted(id)));
        let all: String =
            self.key.iter().chain(&self.values).map(|field| format!("{}, ", field.sql)).collect();
        let order: Vec<_> = self.key.iter().map(|field| field.sql.as_str()).collect();
        let order = match &order[..] {
            [] => String::new(),
            order => format!(" order by {}", order.join(", ")),
        };
        format!("select {all}{id} {}{order}", self.from)
    }
}
