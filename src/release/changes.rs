//! `CHANGES.md`: what is new, gone and rewritten since an older release. It begins with sentences, then has
//! tables, and ends with the sources and their hashes.

use anyhow::Result;
use rusqlite::Connection;
use rusqlite::types::{Value, ValueRef};

use crate::diff::details::Details;
use crate::diff::summary::Summary;
use crate::diff::{self, Kind};
use crate::measurement::columns::Table;
use crate::measurement::published::Precision;
use crate::output::{Format, Layout, RowWriter};
use crate::text::{counted, filled};

/// The page.
pub const FILE: &str = "CHANGES.md";
/// Differences that the page lists one by one.
const MOST_LISTED: u64 = 1000;
/// Tables whose rows a sentence names first, with those of configurations.
const FIRST: [&str; 2] = ["models", "gpus"];
/// The column of a difference that names its table.
const TABLE: usize = 1;

/// The page on what changed from one state of the data to another.
///
/// # Errors
/// When one of the databases cannot be read.
pub fn page(old: &Connection, new: &Connection, versions: [&str; 2]) -> Result<String> {
    let mut summary = Summary::default();
    diff::compare(old, new, &mut summary)?;
    let mut details = Details::new()?;
    diff::compare(old, new, &mut details)?;
    let lines: Vec<_> = summary.rows().collect();
    let (origins, data): (Vec<_>, Vec<_>) =
        lines.iter().partition(|line| diff::is_of_origin(&text(&line[TABLE])));
    let changes = if lines.is_empty() {
        "Nothing changed.\n".into()
    } else {
        let mut changes = sentences(&data);
        if !data.is_empty() {
            changes += &filled(
                include_str!("pages/CHANGED.md"),
                &[("summary", &summary_table(&data)?), ("details", &every(&details, false)?)],
            );
        }
        if !origins.is_empty() {
            changes += &filled(
                include_str!("pages/ORIGINS.md"),
                &[("summary", &summary_table(&origins)?), ("details", &every(&details, true)?)],
            );
        }
        changes
    };
    let [old, new] = versions;
    let values = [("old", old), ("new", new), ("changes", &changes)];
    Ok(filled(include_str!("pages/CHANGES.md"), &values))
}

/// What is new, gone and rewritten. Choices that changed because of this are only in the tables.
fn sentences(lines: &[&Vec<Value>]) -> String {
    let told = |of: [Kind; 2]| -> String {
        let is_meant = |line: &&&Vec<Value>| {
            of.iter().any(|kind| text(&line[0]) == kind.name())
                && !diff::is_choice(&text(&line[TABLE]))
        };
        let mut lines: Vec<_> = lines.iter().filter(is_meant).collect();
        let measured = Table::all().map(|table| table.name);
        let first: Vec<_> = FIRST.into_iter().chain(measured).collect();
        let is_first = |line: &&&Vec<Value>| first.contains(&text(&line[TABLE]).as_str());
        lines.sort_by_key(|line| !is_first(line));
        let parts: Vec<_> = lines.iter().map(|line| part(line)).collect();
        if parts.is_empty() { "nothing".into() } else { parts.join("; ") }
    };
    filled(
        include_str!("pages/SENTENCES.md"),
        &[
            ("came", &told([Kind::Added, Kind::OnlyInNew])),
            ("went", &told([Kind::Removed, Kind::OnlyInOld])),
            ("rewritten", &told([Kind::Changed, Kind::Changed])),
        ],
    )
}

/// A line of the summary in words.
fn part(line: &[Value]) -> String {
    let [kind, table, column, task, rows, of_rows, change, _, _, _, _, items] = line else {
        return String::new();
    };
    let (kind, table, column) = (text(kind), text(table), text(column));
    if [Kind::OnlyInOld, Kind::OnlyInNew].iter().any(|only| kind == only.name()) {
        return match &*column {
            "" => format!("the table {table}"),
            column => format!("the column {column} of {table}"),
        };
    }
    let number = |value: &Value| match value {
        Value::Integer(number) => number.unsigned_abs(),
        _ => 0,
    };
    // The name of a table is a plural.
    let things = table.replace('_', " ");
    let thing = things.strip_suffix('s').unwrap_or(&things);
    let of_task = match &*text(task) {
        "" => String::new(),
        task => format!(" of {task}"),
    };
    let named = format!(" ({})", text(items));
    if kind != Kind::Changed.name() {
        return format!("{}{of_task}{named}", counted(number(rows), thing));
    }
    let by = match change {
        Value::Real(change) => {
            format!(", by {} in the median", Precision::Change.real_text(*change))
        }
        _ => String::new(),
    };
    let of_all = counted(number(of_rows), thing);
    format!("{column} in {} of {of_all}{of_task}{by}{named}", number(rows))
}

fn summary_table(lines: &[&Vec<Value>]) -> Result<String> {
    markdown(&Summary::COLUMNS, |writer| {
        lines.iter().try_for_each(|line| {
            Ok(writer.row(&line.iter().map(ValueRef::from).collect::<Vec<_>>())?)
        })
    })
}

/// Every difference, of where the data comes from or of the data itself.
fn every(details: &Details, of_origin: bool) -> Result<String> {
    let is_meant = |row: &[ValueRef<'_>]| -> Result<bool> {
        Ok(diff::is_of_origin(row[TABLE].as_str()?) == of_origin)
    };
    let mut count = 0;
    details.rows(|row| {
        count += u64::from(is_meant(row)?);
        Ok(())
    })?;
    if count > MOST_LISTED {
        return Ok(format!("There are {count}; 'energydb diff --details OLD NEW' lists them.\n"));
    }
    markdown(&Details::COLUMNS, |writer| {
        details.rows(|row| if is_meant(row)? { Ok(writer.row(row)?) } else { Ok(()) })
    })
}

/// Rows as a table in Markdown.
fn markdown(
    columns: &[&str],
    rows: impl FnOnce(&mut dyn RowWriter) -> Result<()>,
) -> Result<String> {
    let mut page = Vec::new();
    let layout = Layout::default();
    let mut writer = Format::Markdown.writer(&mut page, &layout);
    writer.columns(&columns.iter().map(|&name| name.into()).collect::<Vec<_>>())?;
    rows(writer.as_mut())?;
    writer.finish()?;
    drop(writer);
    Ok(String::from_utf8(page)?)
}

fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_named_before_what_goes_with_them() {
        let gone = |table: &str, item: &str| {
            let mut line = vec![Value::Null; Summary::COLUMNS.len()];
            line[0] = Value::Text(Kind::Removed.name().into());
            line[TABLE] = Value::Text(table.into());
            line[4] = Value::Integer(1);
            line[11] = Value::Text(item.into());
            line
        };
        let lines = [gone("output_lengths", "a/1"), gone("configurations", "a")];
        let told = sentences(&lines.iter().collect::<Vec<_>>());
        assert!(told.contains("Gone: 1 configuration (a); 1 output length (a/1).\n"), "{told}");
    }
}
