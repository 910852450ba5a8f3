//! Looks up names, ignoring case. An unknown name is an error that shows the nearest known one. So a
//! misspelled name never returns an empty answer.

use anyhow::{Result, anyhow};
use rusqlite::{Connection, Params};

use crate::catalogue::parameter::Named;
use crate::catalogue::suggest;
use crate::error::{did_you_mean, usage};
use crate::measurement::product::Product;

/// The statement that finds the canonical name for the word `?1`. A row id is looked up in the task `?2`,
/// unless that is null.
pub fn find(named: Named) -> String {
    lookup(named).find
}

/// The statement that finds the default name: of the tasks of this type, the chat workload, else the
/// only one. It returns null if there are several. A type without a default has no statement.
pub fn default(named: Named) -> Option<String> {
    let makes = named.makes().filter(|_| named != Named::AnyTask)?;
    let mut meant = "case count(*) when 1 then max(task) end".to_owned();
    if makes.contains(&Product::Tokens) {
        meant = format!("coalesce(max(case task when 'lm-arena-chat' then task end), {meant})");
    }
    let which = which_make(&makes).map(|which| format!(" where {which}")).unwrap_or_default();
    Some(format!("select {meant} from tasks{which}"))
}

/// The condition on tasks that make one of these, or `None` if all tasks do.
fn which_make(products: &[Product]) -> Option<String> {
    let name = |product: &Product| format!("'{}'", product.name());
    match products {
        [one] => Some(format!("output = {}", name(one))),
        all if all.len() == Product::all().count() => None,
        some => {
            Some(format!("output in ({})", some.iter().map(name).collect::<Vec<_>>().join(", ")))
        }
    }
}

/// The statement that lists every name. Row ids are those of the task `?1`, unless that is null.
pub fn all(named: Named) -> String {
    lookup(named).all
}

/// How one kind of thing is looked up.
struct Lookup {
    /// What messages call it.
    thing: String,
    /// The canonical name for the word `?1`.
    find: String,
    /// Every name by which it can be found.
    all: String,
}

fn lookup(named: Named) -> Lookup {
    let of = |thing: &str, find: &str, all: &str| Lookup {
        thing: thing.into(),
        find: find.into(),
        all: all.into(),
    };
    match named {
        Named::Task
        | Named::AnyTask
        | Named::TextTask
        | Named::ImageTask
        | Named::VideoTask
        | Named::MediaTask => task(&named.makes().unwrap_or_default()),
        Named::Model => of(
            "model",
            "select model from models where model = lower(?1) \
             or lower(model_name) = lower(?1) or lower(hugging_face_id) = lower(?1)",
            "select model from models union select model_name from models \
             union select hugging_face_id from models",
        ),
        Named::Gpu => of(
            "GPU",
            "select gpu from gpus where lower(gpu) = lower(?1)",
            "select gpu from gpus order by gpu",
        ),
        Named::Precision => of(
            "precision",
            "select precision from precisions where lower(precision) = lower(?1) \
             or lower(source_name) = lower(?1)",
            "select precision from precisions order by precision",
        ),
        Named::Architecture => of(
            "architecture",
            "select architecture from models where lower(architecture) = lower(?1)",
            "select distinct architecture from models where architecture is not null \
             order by architecture",
        ),
        Named::Source => of(
            "source",
            "select distinct source from sources where lower(source) = lower(?1)",
            "select distinct source from sources order by source",
        ),
        Named::RowId => row_id(),
    }
}

/// How a task is looked up that makes one of these.
fn task(makes: &[Product]) -> Lookup {
    let (thing, which) = match which_make(makes) {
        None => ("task".to_owned(), String::new()),
        Some(which) => {
            let made: Vec<_> = makes.iter().map(|product| product.words()).collect();
            (format!("task that makes {}", made.join(" or ")), which)
        }
    };
    let [find, all] = match which.as_str() {
        "" => [" where".to_owned(), String::new()],
        which => [format!(" where {which} and"), format!(" where {which}")],
    };
    Lookup {
        thing,
        find: format!("select task from tasks{find} lower(task) = lower(?1)"),
        all: format!("select task from tasks{all} order by task"),
    }
}

fn row_id() -> Lookup {
    let find = |product: Product| match product {
        // The view is far larger than the others, so its rows are found by the model's key.
        Product::Tokens => "select row_id from configuration_energy where configuration_id in \
             (select configuration_id from configurations \
             where task_id in (select task_id from tasks where ?2 is null or task = ?2) \
             and model_id in (select model_id from models \
             where model = lower(substr(?1, instr(?1, ':') + 1, \
             instr(?1, '/') - 1 - instr(?1, ':'))))) \
             and lower(row_id) = lower(?1)"
            .to_owned(),
        Product::Images | Product::Videos => format!(
            "select row_id from {} where lower(row_id) = lower(?1) and (?2 is null or task = ?2)",
            product.view()
        ),
    };
    let all = |product: Product| {
        format!("select row_id from {} where ?1 is null or task = ?1", product.view())
    };
    let of_each = |sql: &dyn Fn(Product) -> String| {
        Product::all().map(sql).collect::<Vec<_>>().join(" union all ")
    };
    Lookup { thing: "row_id".into(), find: of_each(&find), all: of_each(&all) }
}

/// The statement that lists the tasks which have the row id `?1`.
pub(super) fn tasks_of_row_id() -> String {
    let of = |product: Product| {
        format!("select task from {} where lower(row_id) = lower(?1)", product.view())
    };
    format!("{} order by task", Product::all().map(of).collect::<Vec<_>>().join(" union "))
}

/// The canonical name in the database for a word. A row id is looked up in the task, if that is known.
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
    let mut statement = connection.prepare(&find)?;
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
                "'{word}' is the name of several {thing}s; give one of {}",
                several.join(", ")
            ))),
        }
    };
    if let Some(name) = found(word)? {
        return Ok(name);
    }
    if named.makes().is_some()
        && let Some(output) = output(connection, word)?
    {
        let (made, [first, second]) = (output.words(), queries_on(output));
        return Err(usage(format!(
            "'{word}' makes {made}; use 'energydb query {first}' or 'energydb query {second}'"
        )));
    }
    let known = match task.filter(|_| is_of_task) {
        Some(task) => strings(connection, &all, [Some(task)])?,
        None if is_of_task => strings(connection, &all, [None::<&str>])?,
        None => strings(connection, &all, [])?,
    };
    // SQLite changes the case of ASCII letters only. A lower-case sigma has another form at the end of a
    // word.
    let folded = word.to_uppercase();
    if let Some(spelled) = known.iter().find(|name| name.to_uppercase() == folded)
        && let Some(name) = found(spelled)?
    {
        return Ok(name);
    }
    if let Some(task) = task.filter(|_| is_of_task) {
        let elsewhere = strings(connection, &tasks_of_row_id(), [word])?;
        if !elsewhere.is_empty() {
            let elsewhere = elsewhere.join(", ");
            return Err(usage(format!(
                "no {thing} is called '{word}' in {task}; there is one in {elsewhere}; use --task"
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
        _ => suggest::all_of(&thing, word, &known),
    }))
}

/// What a word names, of any type: the type, and the canonical name.
///
/// # Errors
/// When the database cannot be read.
pub fn meaning(connection: &Connection, word: &str) -> Result<Option<(Named, String)>> {
    use Named::{Architecture, Gpu, Model, Precision, Task};
    for named in [Gpu, Model, Precision, Task, Architecture] {
        let found = strings(connection, &find(named), [word])?;
        if let Some(name) = found.into_iter().next() {
            return Ok(Some((named, name)));
        }
    }
    Ok(None)
}

/// Every canonical name of a type. For models these are the slugs.
///
/// # Errors
/// When the database cannot be read.
pub fn every(connection: &Connection, named: Named) -> Result<Vec<String>> {
    match named {
        Named::Model => strings(connection, "select model from models order by model", []),
        Named::RowId => strings(connection, &all(named), [None::<&str>]),
        _ => strings(connection, &all(named), []),
    }
}

/// The tasks among which the default is chosen; none for a type without a default.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn tasks(connection: &Connection, named: Named) -> Result<Option<Vec<String>>> {
    default(named).map(|_| strings(connection, &all(named), [])).transpose()
}

/// The default name that [`default`] finds, or `None` if there are several.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn usual(connection: &Connection, named: Named) -> Result<Option<String>> {
    let Some(sql) = default(named) else { return Ok(None) };
    Ok(connection.query_row(&sql, [], |row| row.get(0))?)
}

/// The default name that [`default`] finds, or `None` for a type without a default.
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
    Err(match strings(connection, &all, [])?.join(", ").as_str() {
        "" => anyhow!("the database has no {thing}; 'energydb query tasks' lists those it has"),
        several => usage(format!("choose a task with --task: {several}")),
    })
}

/// The query on the best configurations that make a product, and the one on all of them.
pub fn queries_on(product: Product) -> [&'static str; 2] {
    match product {
        Product::Tokens => ["best", "configurations"],
        Product::Images => ["best-images", "images"],
        Product::Videos => ["best-videos", "videos"],
    }
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
