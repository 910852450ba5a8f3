//! Looking up what a word names, without regard to case. A word that names nothing is refused with
//! the nearest name; nothing is ever quietly matched by no row.

use anyhow::{Result, anyhow};
use rusqlite::{Connection, OptionalExtension};

use super::parameter::Named;
use crate::error::{did_you_mean, usage};

/// A statement that gives the task that is meant when none is named; no row, or null, where several
/// could be.
pub const DEFAULT_TASK: &str = "select coalesce(max(case task when 'lm-arena-chat' then task end), \
     case count(*) when 1 then max(task) end) from tasks";

/// The statement that finds the canonical name for the word `?1`.
pub fn find(named: Named) -> &'static str {
    lookup(named).find
}

/// How one kind of thing is looked up.
struct Lookup {
    /// What messages call it.
    thing: &'static str,
    /// The canonical name for the word `?1`.
    find: &'static str,
    /// Every name by which it can be found.
    all: &'static str,
}

fn lookup(named: Named) -> Lookup {
    match named {
        Named::Task => Lookup {
            thing: "task",
            find: "select task from tasks where lower(task) = lower(?1)",
            all: "select task from tasks order by task",
        },
        Named::Model => Lookup {
            thing: "model",
            find: "select model from models where model = lower(?1) \
                   or lower(model_name) = lower(?1) or lower(hugging_face_id) = lower(?1)",
            all: "select model from models union select model_name from models \
                  union select hugging_face_id from models",
        },
        Named::Gpu => Lookup {
            thing: "GPU",
            find: "select gpu from gpus where lower(gpu) = lower(?1)",
            all: "select gpu from gpus order by gpu",
        },
        Named::Precision => Lookup {
            thing: "precision",
            find: "select precision from precisions where lower(precision) = lower(?1) \
                   or lower(source_name) = lower(?1)",
            all: "select precision from precisions order by precision",
        },
        Named::Architecture => Lookup {
            thing: "architecture",
            find: "select architecture from models where lower(architecture) = lower(?1)",
            all: "select distinct architecture from models where architecture is not null \
                  order by architecture",
        },
        Named::RowId => Lookup {
            thing: "row_id",
            find: "select row_id from configuration_energy where configuration_id in \
                   (select configuration_id from configurations \
                   where task_id in (select task_id from tasks) and model_id in \
                   (select model_id from models \
                   where model = lower(substr(?1, 1, instr(?1, '/') - 1)))) \
                   and lower(row_id) = lower(?1)",
            all: "select row_id from configuration_energy",
        },
    }
}

/// Names told when the nearest is not near enough.
const MOST_TOLD: usize = 8;

/// The name under which the database holds what the word names.
///
/// # Errors
/// When the word names nothing there.
pub fn resolve(connection: &Connection, named: Named, word: &str) -> Result<String> {
    let Lookup { thing, find, all } = lookup(named);
    let found: Option<String> =
        connection.prepare(find)?.query_row([word], |row| row.get(0)).optional()?;
    if let Some(name) = found {
        return Ok(name);
    }
    let known = strings(connection, all)?;
    let mut near = did_you_mean(word, known.iter().map(String::as_str));
    if near.is_empty() && known.len() <= MOST_TOLD {
        near = format!("; there is {}", known.join(", "));
    } else if near.is_empty() {
        near = match named {
            Named::Model => "; 'energydb query models' lists them".into(),
            Named::RowId => "; 'energydb query configurations' lists them".into(),
            _ => String::new(),
        };
    }
    Err(usage(format!("no {thing} is called '{word}'{near}")))
}

/// The task that is meant when none is named: the chat workload, else the only one there is.
///
/// # Errors
/// When there are several others.
pub fn default_task(connection: &Connection) -> Result<String> {
    let found: Option<String> = connection.query_row(DEFAULT_TASK, [], |row| row.get(0))?;
    if let Some(task) = found {
        return Ok(task);
    }
    let tasks = strings(connection, lookup(Named::Task).all)?;
    match &tasks[..] {
        [] => Err(anyhow!("the database has no task")),
        _ => Err(usage(format!("name one of the tasks with --task: {}", tasks.join(", ")))),
    }
}

fn strings(connection: &Connection, sql: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    let strings = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(strings)
}
