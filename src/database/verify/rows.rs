//! Checks of all configurations: their numbers, and the relations between the figures of a row.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::{Context, Result, anyhow, bail, ensure};
use rusqlite::Connection;

use super::Subject;
use crate::database::metadata::number;
use crate::database::row::Layout;
use crate::input::own::given::PUBLISHED;
use crate::input::own::row as own;
use crate::measurement::check::{self, Check};
use crate::measurement::columns::Table;
use crate::measurement::plausible::Known;
use crate::measurement::product::Product;

pub fn rows(subject: &Subject<'_>) -> Result<String> {
    let mut all = 0;
    for Table { name, id, .. } in Table::all() {
        let (number, last): (i64, i64) = subject.connection.query_row(
            &format!("select count(*), ifnull(max({id}), 0) from {name}"),
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        ensure!(number == last, "{name} has {number} rows, but the last one has the number {last}");
        all += number;
    }
    let number = |sql: &str| subject.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let releases = number("select count(*) from release")?;
    ensure!(all > 0, "there are no configurations");
    ensure!(releases == 1, "{releases} releases instead of one");
    let what = "task_id, model_id, gpu_id, source_id";
    let of_rows: Vec<_> =
        Table::all().map(|table| format!("select {what} from {}", table.name)).collect();
    let (of_rows, measured) = (of_rows.join(" union "), format!("select {what} from measured"));
    let wrong = number(&format!(
        "select (select count(*) from (select * from ({of_rows}) except {measured})) \
         + (select count(*) from ({measured} except select * from ({of_rows})))"
    ))?;
    ensure!(wrong == 0, "{wrong} rows of the table measured are missing, or have no configuration");
    Ok(format!("{all} configurations"))
}

pub fn repeats(subject: &Subject<'_>) -> Result<String> {
    let mut all = 0;
    for table in Table::all() {
        let names = ["task_id", "model_id", "gpu_id", "source_id"].into_iter().chain(table.key());
        let (table, key) = (table.name, names.collect::<Vec<_>>().join(", "));
        let (repeats, wrong): (i64, i64) = subject.connection.query_row(
            &format!(
                "with counted as (
                    select
                        repeat,
                        source_id,
                        row_number() over same_key as expected,
                        count(*) over (partition by {key}, document_id) as in_document,
                        count(*) over (partition by {key}) as in_all
                    from {table}
                    window same_key as (
                        partition by {key} order by document_id, document_position
                    )
                )
                select
                    ifnull(sum(repeat > 1), 0),
                    ifnull(sum(repeat <> expected or (
                        in_document <> in_all
                        and source_id in (select source_id from sources where source = ?1)
                    )), 0)
                from counted"
            ),
            // Own measurements may be repeated in another document.
            [PUBLISHED],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        ensure!(wrong == 0, "{wrong} rows of {table} have a wrong repeat, or are in two documents");
        all += repeats;
    }
    Ok(format!("{all} repeats, in the order of their documents"))
}

/// What was found of one check.
#[derive(Default)]
struct Found {
    accepted: u64,
    broken: u64,
    first: Option<String>,
}

/// Findings that the publisher accepted.
struct Accepted {
    /// Check, document and place in it.
    of_rows: HashSet<(String, i64, i64)>,
    /// Check and value.
    values: HashSet<(String, String)>,
}

impl Accepted {
    fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let mut accepted = Self { of_rows: HashSet::new(), values: HashSet::new() };
        let mut statement =
            connection.prepare("select check_name, document_id, place, value from findings")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (check, place): (String, String) = (row.get(0)?, row.get(2)?);
            let position = place.strip_prefix("/configurations/").map_or_else(
                || own::position(&place),
                |position| position.split('/').next()?.parse().ok(),
            );
            if let Some(position) = position {
                accepted.of_rows.insert((check.clone(), row.get(1)?, position.into()));
            }
            accepted.values.insert((check, row.get(3)?));
        }
        Ok(accepted)
    }

    /// Whether what a check finds in a row is accepted. `document` is the index of its document.
    fn has(&self, check: &str, document: usize, position: u32) -> bool {
        self.of_rows.contains(&(check.to_owned(), number(document), position.into()))
    }
}

/// Checks of the figures, in the order in which they are reported.
pub fn of_figures() -> Vec<Check> {
    let of_rows = |check: &Check| Product::all().any(|of| check::of_rows(of).contains(check));
    let relations = Check::ALL.iter().copied().filter(of_rows);
    std::iter::once(Check::NumberRange).chain(relations).chain([Check::ActiveWithinTotal]).collect()
}

/// Every check of the figures, in one reading of the rows.
pub fn figures(subject: &Subject<'_>) -> Vec<(Check, Result<String>)> {
    let mut found: BTreeMap<&str, Found> = BTreeMap::new();
    let read = read_rows(subject, &mut found);
    let mut of_check = |check: Check| {
        let ReadRows { configurations, models } = match &read {
            Ok(read) => read,
            Err(error) => bail!("could not read the rows: {error:#}"),
        };
        let Found { accepted, broken, first } = found.remove(check.name()).unwrap_or_default();
        if let Some(first) = first {
            let more = broken - 1;
            return Err(if more > 0 {
                anyhow!("{first}; and {more} more")
            } else {
                anyhow!(first)
            });
        }
        let is_of_all = check == Check::NumberRange;
        let is_of = |product: Product| is_of_all || check::of_rows(product).contains(&check);
        let (number, thing) = match check {
            Check::ActiveWithinTotal => (*models, "models"),
            _ => {
                let of = configurations.iter().filter(|(product, _)| is_of(**product));
                (of.map(|(_, number)| number).sum(), "configurations")
            }
        };
        Ok(match accepted {
            0 => format!("{number} {thing}"),
            _ => format!("{number} {thing}, {accepted} accepted by the publisher"),
        })
    };
    of_figures().into_iter().map(|check| (check, of_check(check))).collect()
}

/// How much was read.
#[derive(Default)]
struct ReadRows {
    configurations: BTreeMap<Product, u64>,
    models: u64,
}

/// Reads configurations and models.
fn read_rows(subject: &Subject<'_>, found: &mut BTreeMap<&str, Found>) -> Result<ReadRows> {
    let connection = subject.connection;
    let accepted = Accepted::read(connection)?;
    let mut read = ReadRows::default();
    let products: HashMap<u32, String> = connection
        .prepare("select task_id, output from tasks")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let rated = known_by(connection, "select gpu_id, rated_power_watts from gpus")?;
    let active = known_by(connection, "select model_id, active_params_b from models")?;
    for table in Table::all() {
        // The program's own schema decides which columns may be null.
        let layout = Layout::of(&subject.fresh, table)?;
        let Table { name, id, .. } = table;
        let mut statement = connection.prepare(&format!("{} order by {id}", layout.selection()))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let row = match layout.read(row) {
                Ok(row) => row,
                Err(error) => {
                    let id = row.get_ref(*id)?.as_i64().unwrap_or_default();
                    add(found, Check::NumberRange, || format!("row {id} of {name}: {error}"));
                    continue;
                }
            };
            let product = products.get(&row.task).and_then(|output| Product::of_name(output));
            let product =
                product.filter(|product| table.products.contains(product)).with_context(|| {
                    format!("row {} of {name}: its task makes other things", row.number)
                })?;
            *read.configurations.entry(product).or_default() += 1;
            let values = &row.configuration.values;
            let known = Known {
                rated_power_watts: rated.get(&row.configuration.gpu).copied().flatten(),
                active_params_b: active.get(&row.configuration.model).copied().flatten(),
            };
            check::relations(product, values, known, &mut |broken| {
                let check = broken.check.name();
                if accepted.has(check, row.document, row.configuration.position) {
                    found.entry(check).or_default().accepted += 1;
                } else {
                    add(found, broken.check, || {
                        let check::Broken { column, value, expected, .. } = &broken;
                        format!(
                            "row {} of {name}: {column} is {value}, expected {expected}",
                            row.number
                        )
                    });
                }
            });
        }
    }
    read.models = read_models(connection, &accepted, found)?;
    Ok(read)
}

/// A figure of everything that has a key, where it is known.
fn known_by(connection: &Connection, sql: &str) -> rusqlite::Result<HashMap<u32, Option<f64>>> {
    let mut statement = connection.prepare(sql)?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

fn read_models(
    connection: &Connection,
    accepted: &Accepted,
    found: &mut BTreeMap<&str, Found>,
) -> Result<u64> {
    let mut statement = connection.prepare(
        "select model, params_b, active_params_b from models \
         where params_b is not null and active_params_b is not null order by model_id",
    )?;
    let mut rows = statement.query([])?;
    let mut models = 0;
    while let Some(row) = rows.next()? {
        models += 1;
        let model: String = row.get(0)?;
        check::model_relations(row.get(1)?, row.get(2)?, &mut |broken| {
            let name = broken.check.name();
            if accepted.values.contains(&(name.to_owned(), broken.value.to_string())) {
                found.entry(name).or_default().accepted += 1;
            } else {
                add(found, broken.check, || {
                    let check::Broken { column, value, expected, .. } = &broken;
                    format!(
                        "model {}: {column} is {value}, expected {expected}",
                        model.escape_debug()
                    )
                });
            }
        });
    }
    Ok(models)
}

fn add(found: &mut BTreeMap<&str, Found>, check: Check, fault: impl FnOnce() -> String) {
    let found = found.entry(check.name()).or_default();
    found.broken += 1;
    found.first.get_or_insert_with(fault);
}
