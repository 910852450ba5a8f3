//! Named queries as other programs run them: one statement that reads its own parameters.
//!
//! A program such as Datasette knows no types and no defaults, binds text, and hands a parameter
//! that is missing as empty text. So the statement begins with a table of one row, `parameters`, in
//! which each is read as the command line reads it: empty is missing, a missing one has its
//! default, a name is looked up without regard to case, and what the command line would refuse is an
//! error too.

use anyhow::{Result, bail};
use rusqlite::types::Value;

use crate::catalogue::Query;
use crate::catalogue::names;
use crate::catalogue::parameter::{Kind, Named, Parameter};
use crate::precision;

/// The table of one row.
const PARAMETERS: &str = "parameters";

/// The statement of a query for a program that binds text.
///
/// # Errors
/// When the query uses the name that the parameters need.
pub fn statement(query: &Query) -> Result<String> {
    let body = without_head(&query.sql).trim().trim_end_matches(';');
    if query.head.parameters.is_empty() {
        return Ok(body.to_owned());
    }
    if body.split(|letter: char| !is_of_name(letter)).any(|word| word == PARAMETERS) {
        bail!("{} uses the name '{PARAMETERS}'", query.shown());
    }
    let columns: Vec<_> = query
        .head
        .parameters
        .iter()
        .map(|parameter| {
            let Parameter { name, .. } = parameter;
            format!("        {} as {name}", checked(query, parameter, &value(parameter)))
        })
        .collect();
    let columns = columns.join(",\n");
    let table = format!("{PARAMETERS} as materialized (\n    select\n{columns}\n)");
    let body = with_lookups(body);
    let (with, rest) = match body.strip_prefix("with recursive ") {
        Some(rest) => ("with recursive", Some(rest)),
        None => ("with", body.strip_prefix("with ")),
    };
    Ok(match rest {
        Some(rest) => format!("{with} {table},\n\n{rest}"),
        None => format!("{with} {table}\n\n{body}"),
    })
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
fn value(parameter: &Parameter) -> String {
    let given = given(&parameter.name);
    let refused = |what: &str| error(&format!("--{} takes {what}", parameter.flag()));
    let default = match (&parameter.default, &parameter.kind) {
        (Some(default), _) => {
            parameter.read(default).map_or("null".into(), |value| literal(&value))
        }
        (None, Kind::Named(Named::Task)) => {
            format!("coalesce(({}), {})", names::DEFAULT_TASK, error("name one of the tasks"))
        }
        (None, _) => "null".into(),
    };
    // json_valid alone would let through what newer versions of SQLite take for a number.
    let is_number = format!("json_valid({given}) and {given} not glob '*[^-+.eE0-9]*'");
    let read = match &parameter.kind {
        Kind::Text => given.clone(),
        Kind::Integer => format!(
            "case when {is_number} and json_type({given}) = 'integer' then cast({given} as integer) else {} end",
            refused("a whole number")
        ),
        Kind::Real => format!(
            "case when {is_number} and abs(cast({given} as real)) < 9e999 then cast({given} as real) else {} end",
            refused("a number")
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
            let find = names::find(*named).replace("?1", &given);
            format!("coalesce(({find}), {})", refused("a name that the database has"))
        }
    };
    if parameter.kind == Kind::Text && default == "null" {
        return read;
    }
    format!("case when {given} is null then {default} else {read} end")
}

/// A value that is an error where the query needs other parameters than are given.
fn checked(query: &Query, parameter: &Parameter, value: &str) -> String {
    let needs = query.head.needs.iter().filter(|need| need.0.first() == Some(&parameter.name));
    needs.fold(value.to_owned(), |value, need| {
        let counted: Vec<_> =
            need.0.iter().map(|name| format!("({} is not null)", given(name))).collect();
        let told = error(&format!("{} needs {}", query.name, need.shown()));
        format!("case when {} = 1 then {value} else {told} end", counted.join(" + "))
    })
}

/// What is given for a parameter; null where that is nothing.
fn given(name: &str) -> String {
    format!("nullif(:{name}, '')")
}

/// An expression that fails and tells why. SQLite has no other way to do so in a query.
fn error(why: &str) -> String {
    format!("json_extract('{{}}', {})", text(why))
}

fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn literal(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => precision::shortest(*number),
        Value::Text(word) => text(word),
        Value::Null | Value::Blob(_) => "null".into(),
    }
}

fn is_of_name(letter: char) -> bool {
    letter == '_' || letter.is_ascii_alphanumeric()
}

/// Puts a look into the table of parameters in the place of each parameter.
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
                written.push_str(&format!("(select {name} from {PARAMETERS})"));
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
            "select ':a', \":b\" -- :c\n, (select d_1 from parameters) /* :e */, 'it''s :f', [:g] \
             || (select h from parameters)"
        );
    }

    #[test]
    fn the_head_comment_goes_and_other_comments_stay() {
        assert_eq!(without_head("-- A.\n--\n-- :x real\nselect 1 -- :y"), "select 1 -- :y");
    }
}
