//! The default workload: chat, or the only workload in which the named model or configuration was
//! measured.

use anyhow::Result;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::statement::{Values, value_of};
use super::{Query, names};
use crate::catalogue::parameter::{Kind, Named};
use crate::error::usage;
use crate::measurement::product::Product;

/// The statement that lists the tasks in which the model `?1` was measured.
fn tasks_of_model() -> String {
    let is_in = |product: Product| {
        format!(
            "exists (select 1 from {} as measured \
             where measured.task = tasks.task and measured.model = ?1)",
            product.view()
        )
    };
    let is_in_any = Product::all().map(is_in).collect::<Vec<_>>().join(" or ");
    format!("select task from tasks where {is_in_any} order by task")
}

/// The default task if these models and this configuration are named, or `None` for a type of name that
/// has no default.
///
/// # Errors
/// When there is no such task, or several could be meant.
pub fn task(
    connection: &Connection,
    named: Named,
    models: &[String],
    row_id: Option<&str>,
) -> Result<Option<String>> {
    let Some(all) = names::tasks(connection, named)? else { return Ok(None) };
    let usual = names::usual(connection, named)?;
    let mut fit = all.clone();
    let tasks_of_model = tasks_of_model();
    for model in models {
        let measured = names::strings(connection, &tasks_of_model, [model])?;
        fit.retain(|task| measured.contains(task));
    }
    if let Some(row_id) = row_id {
        let measured = names::strings(connection, &names::tasks_of_row_id(), [row_id])?;
        fit.retain(|task| measured.contains(task));
    }
    let is_named = !models.is_empty() || row_id.is_some();
    match (&fit[..], usual) {
        // Nothing has this name. The lookup of the model or configuration reports it.
        ([], Some(usual)) => Ok(Some(usual)),
        (fit, Some(usual)) if fit.contains(&usual) => Ok(Some(usual)),
        ([only], _) if is_named => Ok(Some(only.clone())),
        (several, Some(usual)) => {
            let what = models.first().map(String::as_str).or(row_id).unwrap_or_default();
            Err(usage(format!(
                "{what} was not measured in {usual}, but in {}; choose one of these with --task",
                several.join(", ")
            )))
        }
        ([], None) => names::default_name(connection, named),
        (several, None) => Err(usage(format!("choose a task with --task: {}", several.join(", ")))),
    }
}

/// The note for an answer about another task than the usual one, if the user did not name a task.
///
/// # Errors
/// When the database cannot be read.
pub fn note(connection: &Connection, query: &Query, values: &Values) -> Result<Option<String>> {
    let text = |name: &str| match value_of(values, name) {
        Some(Value::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    let Some(Kind::Named(named)) = query.head.parameter("task").map(|task| &task.kind) else {
        return Ok(None);
    };
    let Some(task) = text("task") else { return Ok(None) };
    if names::usual(connection, *named)?.is_none_or(|usual| usual == task) {
        return Ok(None);
    }
    let what = ["model", "other_model", "row_id"].into_iter().find_map(text).unwrap_or("this");
    Ok(Some(format!("{what} was measured only in {task}, so the answer is for that workload")))
}
