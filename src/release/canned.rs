//! Named queries for other programs: one statement that reads its own parameters.
//!
//! A program such as Datasette knows no types and no defaults. It binds text, and empty text for a missing
//! parameter. So the statement begins with one table for each parameter, which reads the value like the command
//! line: empty text is missing, a missing value has its default, names are looked up ignoring case, and an
//! invalid value is an error. Each parameter has its own table because SQLite limits the number of tables in a
//! statement, and counts all inner tables each time that a table is used.

use anyhow::{Result, bail};
use rusqlite::types::Value;

use crate::catalogue::Query;
use crate::catalogue::declaration::{Need, Rule};
use crate::catalogue::names;
use crate::catalogue::parameter::{Kind, Parameter};
use crate::measurement::published;

/// What the name of a parameter's table begins with.
const TABLE: &str = "parameter_";

/// The name of a query in a program that has one list of names for queries, tables and views.
/// `is_taken` says that a table or view has the query's own name.
pub fn name(query: &Query, is_taken: bool) -> String {
    if is_taken { format!("list-{}", query.name) } else { query.name.clone() }
}

/// The statement of a query for a program that binds text.
///
/// # Errors
/// When the query uses a name that the parameters need.
pub fn statement(query: &Query) -> Result<String> {
    let body = body(query)?;
    if query.head.parameters.is_empty() {
        return Ok(body);
    }
    let tables: Vec<_> = query
        .head
        .parameters
        .iter()
        .map(|parameter| {
            let value = checked(query, parameter, value(query, parameter));
            format!("{TABLE}{} as materialized (\n    select {value} as value\n)", parameter.name)
        })
        .collect();
    // SQLite does not compute a value that no row uses, so it would not be checked. But it always computes the
    // limit. A function computes all its arguments, while newer versions of SQLite stop an operator at a null.
    let values: Vec<_> =
        query.head.parameters.iter().map(|parameter| lookup(&parameter.name)).collect();
    let checked = format!("\nlimit -1 + 0 * length(json_array({}))", values.join(", "));
    Ok(with_tables(&format!(" {}", tables.join(",\n\n")), &(body + &checked)))
}

/// The statement of a query for people who paste it, with a line for each parameter at its head that
/// has the default. Nothing is checked: a name is one that the database has.
///
/// # Errors
/// When the query uses a name that the parameters need.
pub fn to_paste(query: &Query) -> Result<String> {
    let body = body(query)?;
    let Some(last) = query.head.parameters.len().checked_sub(1) else { return Ok(body) };
    let tables = query.head.parameters.iter().enumerate().map(|(place, parameter)| {
        let (name, value) = (&parameter.name, default(parameter));
        let value = value.unwrap_or_else(|| "null".into());
        // The statement puts the last comma itself, where one is needed.
        let comma = if place == last { "" } else { "," };
        format!(
            "\n    -- {}\n    {TABLE}{name} as (select {value} as value){comma}",
            parameter.help
        )
    });
    Ok(with_tables(&tables.collect::<String>(), &body))
}

/// The statement without its head comment, in which each parameter is a look into its table.
fn body(query: &Query) -> Result<String> {
    let body = without_head(&query.sql).trim().trim_end_matches(';');
    let is_taken = |word: &&str| {
        word.strip_prefix(TABLE).is_some_and(|name| query.head.parameter(name).is_some())
    };
    if let Some(word) = body.split(|letter: char| !is_of_name(letter)).find(is_taken) {
        bail!("{} uses the name '{word}', which one of its parameters needs", query.shown());
    }
    Ok(with_lookups(body))
}

/// Puts tables before those of a statement. They begin with a blank or a new line.
fn with_tables(tables: &str, body: &str) -> String {
    let (with, rest) = match body.strip_prefix("with recursive ") {
        Some(rest) => ("with recursive", Some(rest)),
        None => ("with", body.strip_prefix("with ")),
    };
    match rest {
        Some(rest) => format!("{with}{tables},\n\n{rest}"),
        None => format!("{with}{tables}\n\n{body}"),
    }
}

/// The file without the comment that is its interface.
fn without_head(sql: &str) -> &str {
    let mut rest = sql;
    while rest.starts_with("--") {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}

/// The value of a parameter, read from the text that is bound.
fn value(query: &Query, parameter: &Parameter) -> String {
    let given = given(&parameter.name);
    let refused = |what: &str| error(&format!("--{} takes {what}", parameter.flag()));
    let default = match (&parameter.kind, default(parameter)) {
        (Kind::Named(_), Some(default)) => {
            format!("coalesce({default}, {})", error("name one of the tasks"))
        }
        (_, default) => default.unwrap_or_else(|| "null".into()),
    };
    // json_valid alone would let through what newer versions of SQLite take for a number.
    let is_number = format!("json_valid({given}) and {given} not glob '*[^-+.eE0-9]*'");
    let read = match &parameter.kind {
        Kind::Text => given.clone(),
        Kind::Integer(range) => format!(
            "case when {is_number} and json_type({given}) = 'integer'{} then cast({given} as integer) else {} end",
            range.condition(&format!("cast({given} as integer)")),
            refused(&range.shown("a whole number"))
        ),
        Kind::Real(range) => format!(
            "case when {is_number} and abs(cast({given} as real)) < 9e999{} then cast({given} as real) else {} end",
            range.condition(&format!("cast({given} as real)")),
            refused(&range.shown("a number"))
        ),
        Kind::LoadProfile => format!(
            "case when json_valid({given}) then {given} else {} end",
            refused("a load profile as JSON, [{\"hours\":24,\"tokens_per_second\":5000}]")
        ),
        Kind::Boolean => format!(
            "case {given} when 'true' then 1 when 'false' then 0 else {} end",
            refused("true or false")
        ),
        Kind::Date => format!(
            "case when date({given}) = {given} then {given} else {} end",
            refused("a date (YYYY-MM-DD)")
        ),
        Kind::OneOf(choices) => {
            let cases: String = choices
                .iter()
                .map(|choice| {
                    let lower = text(&choice.to_lowercase());
                    format!(" when {lower} then {}", text(choice))
                })
                .collect();
            let told = format!("one of {}", choices.join(", "));
            format!("case lower({given}){cases} else {} end", refused(&told))
        }
        Kind::Named(named) => {
            let mut find = names::find(*named).replace("?1", &given);
            if find.contains("?2") {
                let task = query.head.parameter("task");
                let task = task.map_or("null".into(), |task| value(query, task));
                find = find.replace("?2", &format!("({task})"));
            }
            format!("coalesce(({find}), {})", refused("a name that the database has"))
        }
    };
    if parameter.kind == Kind::Text && default == "null" {
        return read;
    }
    format!("case when {given} is null then {default} else {read} end")
}

/// What a parameter is when nothing is given, or `None` if that is nothing.
fn default(parameter: &Parameter) -> Option<String> {
    if let Some(column) = parameter.release_column() {
        return Some(format!("(select {column} from release)"));
    }
    match (&parameter.default, &parameter.kind) {
        (Some(default), _) => parameter.read(default).ok().map(|value| literal(&value)),
        (None, Kind::Named(named)) => names::default(*named).map(|find| format!("({find})")),
        (None, _) => None,
    }
}

/// A value that is an error where a rule on what is given together does not hold.
fn checked(query: &Query, parameter: &Parameter, read: String) -> String {
    let is_first = |need: &&Need| need.names.first() == Some(&parameter.name);
    query.head.needs.iter().filter(is_first).fold(read, |checked, need| {
        let count = need.names.iter().map(|name| format!("({} is not null)", given(name)));
        let count = count.collect::<Vec<_>>().join(" + ");
        let holds = match need.rule {
            Rule::One => format!("{count} = 1"),
            Rule::AtMostOne => format!("{count} <= 1"),
            Rule::Differ => {
                let values = need.names.iter().filter_map(|name| query.head.parameter(name));
                let values: Vec<_> = values.map(|named| value(query, named)).collect();
                let pairs = values.windows(2).map(|pair| format!("({}) <> ({})", pair[0], pair[1]));
                format!("coalesce({}, 1)", pairs.collect::<Vec<_>>().join(" or "))
            }
        };
        let told = error(&format!("{} needs {}", query.name, need.flags()));
        format!("case when {holds} then {checked} else {told} end")
    })
}

/// What is given for a parameter; null where that is nothing.
fn given(name: &str) -> String {
    format!("nullif(:{name}, '')")
}

/// An expression that fails with a message. SQLite has no other way to do so in a query.
fn error(why: &str) -> String {
    format!("json_extract('{{}}', {})", text(why))
}

fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn literal(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => published::shortest(*number),
        Value::Text(word) => text(word),
        Value::Null | Value::Blob(_) => "null".into(),
    }
}

/// A look into the table of a parameter.
fn lookup(name: &str) -> String {
    format!("(select value from {TABLE}{name})")
}

fn is_of_name(letter: char) -> bool {
    letter == '_' || letter.is_ascii_alphanumeric()
}

/// Puts a look into its table in the place of each parameter.
fn with_lookups(sql: &str) -> String {
    let mut written = String::with_capacity(sql.len() * 2);
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        // A comment or a quoted text is taken whole; a doubled quote ends one and begins the next.
        let end = match first {
            '-' if rest.starts_with("--") => rest.find('\n'),
            '/' if rest.starts_with("/*") => rest.find("*/").map(|end| end + 2),
            '\'' | '"' | '`' => rest[1..].find(first).map(|end| end + 2),
            '[' => rest.find(']').map(|end| end + 1),
            ':' => {
                let name: String = rest.chars().skip(1).take_while(|c| is_of_name(*c)).collect();
                written.push_str(&lookup(&name));
                rest = &rest[1 + name.len()..];
                continue;
            }
            other => Some(other.len_utf8()),
        };
        let (taken, left) = rest.split_at(end.unwrap_or(rest.len()));
        written.push_str(taken);
        rest = left;
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found_outside_texts_and_comments_only() {
        assert_eq!(
            with_lookups("select ':a', \":b\" -- :c\n, :d_1 /* :e */, 'it''s :f', [:g] || :h"),
            "select ':a', \":b\" -- :c\n, (select value from parameter_d_1) /* :e */, 'it''s :f', [:g] \
             || (select value from parameter_h)"
        );
    }

    #[test]
    fn the_head_comment_goes_and_other_comments_stay() {
        assert_eq!(without_head("-- A.\n--\n-- :x real\nselect 1 -- :y"), "select 1 -- :y");
    }
}
