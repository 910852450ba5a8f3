//! Which workload is meant where none is named: the chat workload, or where a model or configuration
//! is named that was measured in another alone, that one.

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

/// The task that is meant where these models and this configuration are named; none for a type of
/// name that has no default.
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
    for model in models {
        let measured = names::strings(connection, &tasks_of_model(), [model])?;
        fit.retain(|task| measured.contains(task));
    }
    if let Some(row_id) = row_id {
        let measured = names::strings(connection, &names::tasks_of_row_id(), [row_id])?;
        fit.retain(|task| measured.contains(task));
    }
    let is_named = !models.is_empty() || row_id.is_some();
    match (&fit[..], usual) {
        // The model or configuration is nowhere, which is reported when it is looked up.
        ([], Some(usual)) => Ok(Some(usual)),
        (fit, Some(usual)) if fit.contains(&usual) => Ok(Some(usual)),
        ([only], _) if is_named => Ok(Some(only.clone())),
        (several, Some(usual)) => {
            let what = models.first().map(String::as_str).or(row_id).unwrap_or_default();
            Err(usage(format!(
                "{what} was not measured in {usual}, but in {}; name one with --task",
                several.join(", ")
            )))
        }
        ([], None) => names::default_name(connection, named),
        (several, None) => {
            Err(usage(format!("name one of the tasks with --task: {}", several.join(", "))))
        }
    }
}

/// The note where an answer is about another task than the usual one, which nobody
/// named.
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
    Ok(Some(format!("{what} was measured in one workload only; this answer is for {task}")))
}
