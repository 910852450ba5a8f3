//! What the page shows before, and without, its scripts: a question and its answer as a table.

use std::fmt::Write as _;

use anyhow::Result;
use rusqlite::Connection;
use rusqlite::types::{Value, ValueRef};

use crate::catalogue::statement;
use crate::catalogue::{Catalogue, Query};
use crate::measurement::labels;
use crate::output::human::{HumanColumn, as_it_is};
use crate::text::html;

/// The queries whose answers may open the page: the first that the database has rows for does.
const OPENING: [&str; 3] = ["best", "best-images", "best-videos"];

/// The question and its answer in HTML.
pub struct FirstSight {
    /// The question, in words.
    pub question: String,
    /// The answer, as HTML.
    pub answer: String,
}

/// What a database shows at first.
///
/// # Errors
/// When the database cannot be read.
pub fn of(connection: &Connection, catalogue: &Catalogue) -> Result<FirstSight> {
    for name in OPENING {
        let query = catalogue.get(name)?;
        // A database may have no task of the kind that a query is about.
        if let Ok(values) = statement::values(connection, query, |_| None) {
            return Ok(FirstSight {
                question: query.head.description.clone(),
                answer: answer(connection, query, &values)?,
            });
        }
    }
    let question = "What does inference cost in energy?".to_owned();
    Ok(FirstSight { question, answer: String::new() })
}

fn answer(connection: &Connection, query: &Query, values: &statement::Values) -> Result<String> {
    let mut prepared = statement::prepare(connection, query)?;
    let columns: Vec<_> =
        statement::columns(&prepared).iter().map(|name| HumanColumn::new(name, as_it_is)).collect();
    let mut page = String::from("<div class=\"scroll\" tabindex=\"0\"><table><caption>");
    let given = values.iter().filter_map(|(name, value)| match value {
        Value::Null => None,
        Value::Text(text) => Some(format!("{}: {text}", name.replace('_', " "))),
        Value::Integer(number) => Some(format!("{}: {number}", name.replace('_', " "))),
        Value::Real(number) => Some(format!("{}: {number}", name.replace('_', " "))),
        Value::Blob(_) => None,
    });
    let given = given.collect::<Vec<_>>().join(" · ");
    let _ = write!(page, "{}</caption><thead><tr>", html(&given));
    for column in &columns {
        let label = labels::of(&column.name);
        let title =
            label.map_or_else(|| column.name.replace('_', " "), |known| known.label.clone());
        let unit = label.and_then(|known| known.unit.as_deref()).unwrap_or_default();
        let (title, unit) = (html(&title), html(unit));
        let _ = write!(page, "<th scope=\"col\">{title} <small>{unit}</small></th>");
    }
    page.push_str("</tr></thead><tbody>\n");
    statement::run(&mut prepared, values, |row: &[ValueRef<'_>]| {
        page.push_str("<tr>");
        for (column, value) in columns.iter().zip(row) {
            let class = if column.is_number(*value) { " class=\"number\"" } else { "" };
            let _ = write!(page, "<td{class}>{}</td>", html(&column.text(*value)));
        }
        page.push_str("</tr>\n");
        Ok(())
    })?;
    page.push_str("</tbody></table></div>");
    Ok(page)
}
