//! What the page shows before, and without, its scripts: a question, and its answer as a picture and
//! as a table.

use std::fmt::Write as _;

use anyhow::Result;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::catalogue::{Catalogue, Query, asked, statement};
use crate::measurement::labels;
use crate::output::human::{HumanColumn, as_it_is};
use crate::output::{Format, Layout};
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
        let label = labels::of(&column.name);
        let title =
            label.map_or_else(|| column.name.replace('_', " "), |known| known.label.clone());
        let unit = label.and_then(|known| known.unit.as_deref()).unwrap_or_default();
        let (title, unit) = (html(&title), html(unit));
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
