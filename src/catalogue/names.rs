//! Looking up what a word names, without regard to case. A word that names nothing is refused with
//! the nearest name; nothing is ever quietly matched by no row.

use anyhow::{Result, anyhow};
use rusqlite::{Connection, Params};

use crate::catalogue::parameter::Named;
use crate::catalogue::suggest;
use crate::error::{did_you_mean, usage};
use crate::measurement::product::Product;

/// The statement that finds the canonical name for the word `?1`. A row id is one of the task `?2`,
/// where that is not null.
pub fn find(named: Named) -> &'static str {
    lookup(named).find
}

/// The statement that gives the name that is meant when none is given: of the tasks that may be, the
/// chat workload, else the only one. It gives null where several could be; there is none for what
/// has no default.
pub fn default(named: Named) -> Option<&'static str> {
    Some(match named {
        Named::Task => {
            "select coalesce(max(case task when 'lm-arena-chat' then task end), \
             case count(*) when 1 then max(task) end) from tasks"
        }
        Named::TextTask => {
            "select coalesce(max(case task when 'lm-arena-chat' then task end), \
             case count(*) when 1 then max(task) end) from tasks where output = 'tokens'"
        }
        Named::ImageTask => {
            "select case count(*) when 1 then max(task) end from tasks where output = 'images'"
        }
        Named::VideoTask => {
            "select case count(*) when 1 then max(task) end from tasks where output = 'videos'"
        }
        Named::MediaTask => {
            "select case count(*) when 1 then max(task) end from tasks where output <> 'tokens'"
        }
        _ => return None,
    })
}

/// The statement that lists every name. A row id is one of the task `?1`, where that is not null.
pub fn all(named: Named) -> &'static str {
    lookup(named).all
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
        Named::Task | Named::AnyTask => Lookup {
            thing: "task",
            find: "select task from tasks where lower(task) = lower(?1)",
            all: "select task from tasks order by task",
        },
        Named::TextTask => Lookup {
            thing: "task that makes text",
            find: "select task from tasks where output = 'tokens' and lower(task) = lower(?1)",
            all: "select task from tasks where output = 'tokens' order by task",
        },
        Named::ImageTask => Lookup {
            thing: "task that makes images",
            find: "select task from tasks where output = 'images' and lower(task) = lower(?1)",
            all: "select task from tasks where output = 'images' order by task",
        },
        Named::VideoTask => Lookup {
            thing: "task that makes videos",
            find: "select task from tasks where output = 'videos' and lower(task) = lower(?1)",
            all: "select task from tasks where output = 'videos' order by task",
        },
        Named::MediaTask => Lookup {
            thing: "task that makes images or videos",
            find: "select task from tasks where output <> 'tokens' and lower(task) = lower(?1)",
            all: "select task from tasks where output <> 'tokens' order by task",
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
        Named::Source => Lookup {
            thing: "source",
            find: "select distinct source from sources where lower(source) = lower(?1)",
            all: "select distinct source from sources order by source",
        },
        Named::RowId => Lookup {
            thing: "row_id",
            find: "select row_id from configuration_energy where configuration_id in \
                   (select configuration_id from configurations \
                   where task_id in (select task_id from tasks where ?2 is null or task = ?2) \
                   and model_id in (select model_id from models \
                   where model = lower(substr(?1, instr(?1, ':') + 1, \
                   instr(?1, '/') - 1 - instr(?1, ':'))))) \
                   and lower(row_id) = lower(?1) \
                   union all select row_id from image_energy \
                   where lower(row_id) = lower(?1) and (?2 is null or task = ?2) \
                   union all select row_id from video_energy \
                   where lower(row_id) = lower(?1) and (?2 is null or task = ?2)",
            all: "select row_id from configuration_energy where ?1 is null or task = ?1 \
                  union all select row_id from image_energy where ?1 is null or task = ?1 \
                  union all select row_id from video_energy where ?1 is null or task = ?1",
        },
    }
}

/// The tasks that have a row id.
pub(super) const TASKS_OF_ROW_ID: &str = "\
     select task from configuration_energy where lower(row_id) = lower(?1) \
     union select task from image_energy where lower(row_id) = lower(?1) \
     union select task from video_energy where lower(row_id) = lower(?1) order by task";

/// The name under which the database holds what the word names. A row id is one of the task, where
/// that is known.
///
/// # Errors
/// When the word names nothing there.
pub fn resolve(
    connection: &Connection,
    named: Named,
    word: &str,
    task: Option<&str>,
) -> Result<String> {
    let Lookup { thing, find, all } = lookup(named);
    let is_of_task = named == Named::RowId;
    let mut statement = connection.prepare(find)?;
    let mut found = |word: &str| -> Result<Option<String>> {
        statement.raw_bind_parameter(1, word)?;
        if is_of_task {
            statement.raw_bind_parameter(2, task)?;
        }
        let mut names: Vec<String> =
            statement.raw_query().mapped(|row| row.get(0)).collect::<rusqlite::Result<_>>()?;
        names.sort();
        names.dedup();
        let slug = names.iter().position(|name| *name == word.to_lowercase());
        match (&names[..], slug) {
            ([] | [_], _) => Ok(names.pop()),
            (_, Some(slug)) => Ok(Some(names.swap_remove(slug))),
            (several, None) => Err(usage(format!(
                "'{word}' is the name of several {thing}s: {}; give one of these",
                several.join(", ")
            ))),
        }
    };
    if let Some(name) = found(word)? {
        return Ok(name);
    }
    if matches!(named, Named::TextTask | Named::ImageTask | Named::VideoTask | Named::MediaTask)
        && let Some(output) = output(connection, word)?
    {
        let (made, first, second) = match output {
            Product::Tokens => ("text", "best", "configurations"),
            Product::Images => ("images", "best-images", "images"),
            Product::Videos => ("videos", "best-videos", "videos"),
        };
        return Err(usage(format!(
            "'{word}' makes {made}; use 'energydb query {first}' or 'energydb query {second}'"
        )));
    }
    let known = match task.filter(|_| is_of_task) {
        Some(task) => strings(connection, all, [Some(task)])?,
        None if is_of_task => strings(connection, all, [None::<&str>])?,
        None => strings(connection, all, [])?,
    };
    // SQLite knows the cases of ASCII letters only. Of a sigma at the end of a word there are two
    // small ones.
    let folded = word.to_uppercase();
    if let Some(spelled) = known.iter().find(|name| name.to_uppercase() == folded)
        && let Some(name) = found(spelled)?
    {
        return Ok(name);
    }
    if let Some(task) = task.filter(|_| is_of_task) {
        let elsewhere = strings(connection, TASKS_OF_ROW_ID, [word])?;
        if !elsewhere.is_empty() {
            let elsewhere = elsewhere.join(", ");
            return Err(usage(format!(
                "no {thing} is called '{word}' in {task}, but in {elsewhere}; name that with --task"
            )));
        }
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    Err(usage(match named {
        Named::Model => {
            let slugs = strings(connection, "select model from models order by model", [])?;
            suggest::model(word, &slugs.iter().map(String::as_str).collect::<Vec<_>>())
        }
        Named::RowId => match did_you_mean(word, known) {
            near if near.is_empty() => {
                format!("no {thing} is called '{word}'; 'energydb query configurations' lists them")
            }
            near => format!("no {thing} is called '{word}'{near}"),
        },
        _ => suggest::all_of(thing, word, &known),
    }))
}

/// What a word names, whatever it is: the type of its name and how the database spells it.
///
/// # Errors
/// When the database cannot be read.
pub fn meaning(connection: &Connection, word: &str) -> Result<Option<(Named, String)>> {
    use Named::{Architecture, Gpu, Model, Precision, Task};
    for named in [Gpu, Model, Precision, Task, Architecture] {
        let found = strings(connection, lookup(named).find, [word])?;
        if let Some(name) = found.into_iter().next() {
            return Ok(Some((named, name)));
        }
    }
    Ok(None)
}

/// Every name of a type, as the database spells it: of models the slugs alone.
///
/// # Errors
/// When the database cannot be read.
pub fn every(connection: &Connection, named: Named) -> Result<Vec<String>> {
    match named {
        Named::Model => strings(connection, "select model from models order by model", []),
        Named::RowId => strings(connection, lookup(named).all, [None::<&str>]),
        _ => strings(connection, lookup(named).all, []),
    }
}

/// The tasks that may be meant where one is meant by default; none for what has no default.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn tasks(connection: &Connection, named: Named) -> Result<Option<Vec<String>>> {
    default(named).map(|_| strings(connection, lookup(named).all, [])).transpose()
}

/// The name that is meant when nothing is named, as [`default`] says; none where several could be.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn usual(connection: &Connection, named: Named) -> Result<Option<String>> {
    let Some(sql) = default(named) else { return Ok(None) };
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// The name that is meant when none is given, as [`default`] says; none for what has no default.
///
/// # Errors
/// When there is no such thing, or several could be meant.
pub fn default_name(connection: &Connection, named: Named) -> Result<Option<String>> {
    if default(named).is_none() {
        return Ok(None);
    }
    if let Some(name) = usual(connection, named)? {
        return Ok(Some(name));
    }
    let Lookup { thing, all, .. } = lookup(named);
    Err(match strings(connection, all, [])?.join(", ").as_str() {
        "" => anyhow!("the database has no {thing}; 'energydb query tasks' lists those it has"),
        several => usage(format!("name one of the tasks with --task: {several}")),
    })
}

/// What a task makes. None where there is no such task.
///
/// # Errors
/// When the database cannot be read.
pub fn output(connection: &Connection, task: &str) -> Result<Option<Product>> {
    let outputs =
        strings(connection, "select output from tasks where lower(task) = lower(?1)", [task])?;
    Ok(outputs.first().and_then(|name| Product::of_name(name)))
}

pub(super) fn strings(
    connection: &Connection,
    sql: &str,
    values: impl Params,
) -> Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    let strings =
        statement.query_map(values, |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(strings)
}
