//! The content of the page before its scripts run, or without scripts: a question, and its answer as a picture
//! and a table.

use std::fmt::Write as _;

use anyhow::Result;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension as _};

use crate::catalogue::names::queries_on;
use crate::catalogue::{Catalogue, Query, asked, statement};
use crate::measurement::labels;
use crate::measurement::product::Product;
use crate::output::human::{HumanColumn, as_it_is};
use crate::output::{Format, Layout};
use crate::text::{filled, html};

/// The question, which the page's scripts use too.
pub const QUESTION: &str =
    "Which GPU serves {what} with the least energy, at a {latency} of at most {deadline}?";

/// The question and its answer in HTML.
pub struct FirstSight {
    /// The question, in words.
    pub question: String,
    /// The answer, as HTML.
    pub answer: String,
}

/// What a database shows at first: the best of the first product that it has configurations of.
///
/// # Errors
/// When the database cannot be read.
pub fn of(connection: &Connection, catalogue: &Catalogue) -> Result<FirstSight> {
    for [best, _] in Product::all().map(queries_on) {
        let query = catalogue.get(best)?;
        // A database may have no task of the kind that a query is about.
        if let Ok(values) = statement::values(connection, query, |_| None) {
            return Ok(FirstSight {
                question: question(connection, query, &values)?,
                answer: answer(connection, query, &values)?,
            });
        }
    }
    let question = "What does inference cost in energy?".to_owned();
    Ok(FirstSight { question, answer: String::new() })
}

/// The question, filled in with the name of the workload, the latency and the deadline.
fn question(connection: &Connection, query: &Query, values: &statement::Values) -> Result<String> {
    let value = |wanted: &str| {
        let found = values.iter().find(|(name, _)| name.starts_with(wanted));
        found.map_or(&Value::Null, |(_, value)| value)
    };
    let shown = |value| HumanColumn::new("", as_it_is).text(ValueRef::from(value));
    let task = shown(value("task"));
    let display_name = "select display_name from tasks where task = ?1";
    let title: Option<Option<String>> =
        connection.query_row(display_name, [&task], |row| row.get(0)).optional()?;
    let column = match value("percentile") {
        Value::Text(percentile) => format!("{percentile}_itl_ms"),
        _ => "batch_latency_s".to_owned(),
    };
    let Some(label) = labels::of(&column) else { return Ok(query.head.description.clone()) };
    let unit = label.unit.unwrap_or_default();
    let deadline = format!("{} {unit}", shown(value("deadline")));
    let what = as_it_is(&title.flatten().unwrap_or(task));
    let parts = [
        ("what", what.as_str()),
        ("latency", &in_a_sentence(label.label)),
        ("deadline", deadline.trim()),
    ];
    Ok(filled(QUESTION, &parts))
}

/// A label as it is written within a sentence: `Median ITL` as `median ITL`.
fn in_a_sentence(label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => label.to_owned(),
    }
}

fn answer(connection: &Connection, query: &Query, values: &statement::Values) -> Result<String> {
    let mut prepared = statement::prepare(connection, query)?;
    let names = statement::columns(&prepared);
    let columns: Vec<_> = names.iter().map(|name| HumanColumn::new(name, as_it_is)).collect();
    let about = asked::about(query, values, |_| false);
    let caption = about.asked.join(" · ");
    let layout = Layout { screen: None, about, picture: query.head.picture.clone() };
    let mut svg = Vec::new();
    let mut drawing = layout.picture.is_some().then(|| Format::Svg.writer(&mut svg, &layout));
    if let Some(drawing) = &mut drawing {
        drawing.columns(&names)?;
    }
    let mut table = String::from("<div class=\"scroll\" tabindex=\"0\"><table><caption>");
    let _ = write!(table, "{}</caption><thead><tr>", html(&caption));
    for column in &columns {
        let unit = labels::of(&column.name).and_then(|label| label.unit).unwrap_or_default();
        let (title, unit) = (html(&labels::words(&column.name)), html(unit));
        let _ = write!(table, "<th scope=\"col\">{title} <small>{unit}</small></th>");
    }
    table.push_str("</tr></thead><tbody>\n");
    statement::run(&mut prepared, values, |row: &[ValueRef<'_>]| {
        table.push_str("<tr>");
        for (column, value) in columns.iter().zip(row) {
            let class = if column.is_number(*value) { " class=\"number\"" } else { "" };
            let _ = write!(table, "<td{class}>{}</td>", html(&column.text(*value)));
        }
        table.push_str("</tr>\n");
        drawing.as_mut().map_or(Ok(()), |drawing| Ok(drawing.row(row)?))
    })?;
    table.push_str("</tbody></table></div>");
    if let Some(drawing) = &mut drawing {
        drawing.finish()?;
    }
    drop(drawing);
    Ok(format!("{}{table}", picture(&svg, &format!("{} {caption}", query.head.description))))
}

/// A drawing as an image that brings its own bytes; nothing where there was nothing to draw. An image's
/// styles stay within it.
fn picture(svg: &[u8], says: &str) -> String {
    if svg.is_empty() {
        return String::new();
    }
    let bytes = BASE64_STANDARD.encode(svg);
    format!("<p><img alt=\"{}\" src=\"data:image/svg+xml;base64,{bytes}\"></p>\n", html(says))
}
