//! Prepares and runs one statement on a read-only database.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow, bail};
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Batch, Connection, ErrorCode, Statement, ffi};

use super::{Query, load_profile, meant, names};
use crate::catalogue::declaration::Rule;
use crate::catalogue::parameter::{Kind, Named, Parameter};
use crate::error::usage;

/// Values for a query's parameters, by name.
pub type Values = Vec<(String, Value)>;

/// Reads several things from one state of the database: no other program can change it meanwhile.
/// The file is locked and unlocked only once.
///
/// # Errors
/// When the database cannot be read.
pub fn of_one_state<T>(connection: &Connection, read: impl FnOnce() -> Result<T>) -> Result<T> {
    // SQLite keeps its lock while a statement has rows to come.
    let mut held = connection.prepare("select 1 from sqlite_schema").map_err(explained)?;
    let mut rows = held.query([])?;
    rows.next().map_err(explained)?;
    read()
}

/// The value of a parameter, or `None` if the query has no such parameter.
pub fn value_of<'v>(values: &'v Values, name: &str) -> Option<&'v Value> {
    values.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// The values of a query's parameters: those given, else their defaults, else null. Names are
/// looked up in the database.
///
/// # Errors
/// When a value that the query needs is missing, is of the wrong type or names nothing.
pub fn values(
    connection: &Connection,
    query: &Query,
    given: impl Fn(&str) -> Option<String>,
) -> Result<Values> {
    for need in &query.head.needs {
        let count = need.names.iter().filter(|name| given(name).is_some()).count();
        match (need.rule, count) {
            (Rule::One, 0) => {
                return Err(usage(format!("{} needs {}", query.shown(), need.flags())));
            }
            (Rule::One | Rule::AtMostOne, 2..) => {
                return Err(usage(format!("{} takes only {}", query.shown(), need.flags())));
            }
            _ => {}
        }
    }
    // The meaning of a row id depends on the task, so the task is read first.
    let task = task(connection, query, &given)?;
    let task = task.as_deref();
    let value = |parameter: &Parameter| match (parameter.name.as_str(), task) {
        ("task", Some(task)) => Ok(Value::Text(task.to_owned())),
        _ => value(connection, parameter, &given, task),
    };
    let values: Values = query
        .head
        .parameters
        .iter()
        .map(|parameter| Ok((parameter.name.clone(), value(parameter)?)))
        .collect::<Result<_>>()?;
    for need in query.head.needs.iter().filter(|need| need.rule == Rule::Differ) {
        let mut same = values.iter().filter(|(name, _)| need.names.contains(name));
        let first = same.next().map(|(_, value)| value);
        if first != Some(&Value::Null) && same.all(|(_, value)| Some(value) == first) {
            return Err(usage(format!("{} needs {}", query.shown(), need.flags())));
        }
    }
    Ok(values)
}

/// The task that is named, or else meant, or `None` if the query takes none.
fn task(
    connection: &Connection,
    query: &Query,
    given: &impl Fn(&str) -> Option<String>,
) -> Result<Option<String>> {
    let Some(parameter) = query.head.parameter("task") else { return Ok(None) };
    if let (Kind::Named(named), None, None) = (&parameter.kind, given("task"), &parameter.default) {
        let mut models = Vec::new();
        let mut row_id = None;
        for parameter in &query.head.parameters {
            match (&parameter.kind, given(&parameter.name)) {
                (Kind::Named(Named::Model), Some(word)) => {
                    models.push(names::resolve(connection, Named::Model, &word, None)?);
                }
                (Kind::Named(Named::RowId), Some(word)) => row_id = Some(word),
                _ => {}
            }
        }
        return meant::task(connection, *named, &models, row_id.as_deref());
    }
    Ok(match value(connection, parameter, given, None)? {
        Value::Text(task) => Some(task),
        _ => None,
    })
}

/// What a column of the release gives as a default, or `None` if the release leaves it open.
///
/// # Errors
/// When the database cannot be read.
pub fn of_release(connection: &Connection, column: &str) -> Result<Option<f64>> {
    Ok(connection.query_row(&format!("select {column} from release"), [], |row| row.get(0))?)
}

/// The value of one parameter.
fn value(
    connection: &Connection,
    parameter: &Parameter,
    given: &impl Fn(&str) -> Option<String>,
    task: Option<&str>,
) -> Result<Value> {
    let word = given(&parameter.name);
    if let (None, Some(column)) = (&word, parameter.release_column()) {
        return Ok(of_release(connection, column)?.map_or(Value::Null, Value::Real));
    }
    let word = word.or_else(|| parameter.default.clone());
    Ok(match (word, &parameter.kind) {
        (None, Kind::Named(named)) => {
            names::default_name(connection, *named)?.map_or(Value::Null, Value::Text)
        }
        (None, _) => Value::Null,
        (Some(word), Kind::Named(named)) => {
            Value::Text(names::resolve(connection, *named, &word, task)?)
        }
        (Some(word), Kind::LoadProfile) => Value::Text(load_profile::read(&word)?),
        (Some(word), _) => parameter.read(&word).map_err(|error| usage(format!("{error:#}")))?,
    })
}

/// Prepares the one statement of a query and checks that it uses what it declares.
///
/// # Errors
/// When it is not one statement that only reads, or its parameters are not those declared.
pub fn prepare<'c>(connection: &'c Connection, query: &Query) -> Result<Statement<'c>> {
    let statement = one_statement(connection, &query.sql).with_context(|| query.shown())?;
    let columns = columns(&statement);
    let drawn = query.head.picture.iter();
    let drawn = drawn.flat_map(|sketch| sketch.by.iter().chain([&sketch.x, &sketch.y]));
    let noted = query.head.notes.iter().flat_map(|note| note.columns());
    let mut named = query.head.important.iter().chain(drawn).map(String::as_str).chain(noted);
    if let Some(name) = named.find(|name| !columns.iter().any(|column| column == name)) {
        bail!(
            "the head comment of {} names the column {name}, which it does not have",
            query.shown()
        );
    }
    let used: BTreeSet<&str> = (1..=statement.parameter_count())
        .map(|index| statement.parameter_name(index).unwrap_or("?"))
        .collect();
    for parameter in &query.head.parameters {
        if !used.contains(format!(":{}", parameter.name).as_str()) {
            bail!("{} declares :{}, but does not use it", query.shown(), parameter.name);
        }
    }
    for name in used {
        if !name.strip_prefix(':').is_some_and(|name| query.takes(name)) {
            bail!(
                "{} uses {name}, but does not declare it; add '-- {name} TYPE  help' to its head \
                 comment",
                query.shown()
            );
        }
    }
    Ok(statement)
}

/// Prepares the statement of a user, which has no parameters.
///
/// # Errors
/// When it is not one statement that only reads.
pub fn prepare_free<'c>(connection: &'c Connection, sql: &str) -> Result<Statement<'c>> {
    let statement = one_statement(connection, sql).context("--sql")?;
    if statement.parameter_count() > 0 {
        bail!(
            "--sql: the statement has parameters, but --sql takes none; write the values into \
               it"
        );
    }
    Ok(statement)
}

fn one_statement<'c>(connection: &'c Connection, sql: &str) -> Result<Statement<'c>> {
    let mut batch = Batch::new(connection, sql);
    let first = batch.next().map_err(explained)?;
    let statement = first.context("there is no statement")?;
    // A second one is an error whether or not it could be prepared.
    if !matches!(batch.next(), Ok(None)) {
        bail!("there is more than one statement; run them one at a time");
    }
    if statement.column_count() == 0 {
        bail!("the statement returns no rows; only a SELECT statement can be run");
    }
    Ok(statement)
}

/// An error of a statement that was allowed. Only a pragma is asked for while it runs.
fn explained_while_running(error: rusqlite::Error) -> anyhow::Error {
    if error.sqlite_error_code() == Some(ErrorCode::AuthorizationForStatementDenied) {
        return anyhow!(
            "the statement calls a pragma that is not allowed, or gives one a name that is not UTF-8; \
             only pragmas that describe tables, indexes and foreign keys are allowed, such as \
             pragma_table_info"
        );
    }
    explained(error)
}

/// An error of SQLite, in words for the user.
fn explained(error: rusqlite::Error) -> anyhow::Error {
    match error.sqlite_error().map(|error| error.extended_code & 0xff) {
        Some(ffi::SQLITE_AUTH) => {
            anyhow!(
                "only reading is allowed, but the statement would change, attach or set \
                     something"
            )
        }
        Some(ffi::SQLITE_BUSY) => {
            anyhow!("another program is writing to the database; try again when it has finished")
        }
        Some(ffi::SQLITE_READONLY) => anyhow!(
            "another program was killed while it was writing to the database; open the database once \
             with that program, or build it again"
        ),
        _ => match error {
            rusqlite::Error::SqlInputError { msg, .. } => anyhow!("{msg}"),
            error => error.into(),
        },
    }
}

/// The names of a statement's columns.
pub fn columns(statement: &Statement<'_>) -> Vec<String> {
    statement.column_names().map(Into::into).collect()
}

/// Runs a statement and hands each row on.
///
/// # Errors
/// When SQLite refuses or the row is not taken.
pub fn run(
    statement: &mut Statement<'_>,
    values: &Values,
    mut take: impl FnMut(&[ValueRef<'_>]) -> Result<()>,
) -> Result<()> {
    run_while(statement, values, |row| take(row).map(|()| true))
}

/// Runs a statement and hands each row on, until no more are wanted.
///
/// # Errors
/// As [`run`].
pub fn run_while(
    statement: &mut Statement<'_>,
    values: &Values,
    mut take: impl FnMut(&[ValueRef<'_>]) -> Result<bool>,
) -> Result<()> {
    for (name, value) in values {
        if let Some(index) = statement.parameter_index(&format!(":{name}"))? {
            statement.raw_bind_parameter(index, value)?;
        }
    }
    let count = statement.column_count();
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().map_err(explained_while_running)? {
        let values = (0..count).map(|index| row.get_ref(index)).collect::<Result<Vec<_>, _>>()?;
        if !take(&values)? {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_read_together_is_of_one_state() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Connection::open(folder.path().join("test.sqlite")).unwrap();
        let (reader, writer) = (open(), open());
        writer.busy_timeout(Duration::ZERO).unwrap();
        writer.execute_batch("create table numbers (number)").unwrap();
        let add = || writer.execute("insert into numbers values (1)", []);
        let count = || -> Result<i64> {
            Ok(reader.query_row("select count(*) from numbers", [], |row| row.get(0))?)
        };
        of_one_state(&reader, || {
            assert_eq!(count()?, 0);
            assert!(add().is_err());
            assert_eq!(count()?, 0);
            Ok(())
        })
        .unwrap();
        add().unwrap();
        assert_eq!(count().unwrap(), 1);
    }
}
