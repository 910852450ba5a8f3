//! The schemas that energydb makes, word for word.
//!
//! A view, a check or a generated column with another text can do anything that SQL can, such as run
//! forever. So the schema of a foreign file is compared before anything in it runs. The comparison reads
//! only the text of the schema.

use anyhow::{Result, bail};
use rusqlite::Connection;

use crate::database::schema::{self, Objects, SCHEMA_VERSION};
use crate::embedded::OBJECTS;
use crate::hash::sha256;

/// The views of older schemas: the sha256 of each text. A version that changed a view kept the name.
const FORMER_VIEWS: [(&str, &str); 14] = [
    ("best_configurations", "c6d121913a98ec82b065011701d83661c5578156a6f0ae45523bfc81fb8dd126"),
    ("best_configurations", "fd68918474a7a1fcb43fedddd4cc44ad882e7fab7f0e0e56962c085a45434c62"),
    ("best_images", "34450aae39a78b13c424581ecfd765639244f220ccc067ed02ae26f3ade74f97"),
    ("best_per_deadline", "f2951f503392c2952a69299ca2773c0ddede865e1989dd1dc342f246e8b74bb8"),
    ("best_videos", "249c65b3276da29c5089833f2f66301b596ba0e7d2ca2f5c2941de7b46c9c224"),
    ("configuration_energy", "5faadfef5f99da68088acc2e67147fd0af944b87168bfe461c28cec3a4a6d9bc"),
    ("configuration_latencies", "4263f96ae75735ad20fec337f3bdb7d43aa06b4a4f7c81fea7b2db53e1fc9aca"),
    ("configuration_means", "f60e15b89f89478cb393086e3bb8399e69974bca490d7b69c768dc2a9169d5eb"),
    ("gpu_power", "3357f3d0c306f8590e69144db2eca8ce01f8f04558efddb20c3d2c5984c88d35"),
    ("image_energy", "a13c505c061e95b8cf933e5f78e8a362bb233e8c768320ee770a58522d0d0225"),
    ("model_index", "a2e67f00a2dd8c3d7300baa8b6037a9ec7ec9557e82a6305cbe692e9bae37686"),
    ("model_index", "aedfa191b25b6b96bdf636957a0b1e3d2d4f0a850edb6520278e04284a8aabfc"),
    ("pareto_frontier", "3888380f843a1c5bafb73bfd5eb800dba7886ca1b745671439db884ba71a16bf"),
    ("video_energy", "df457efd4b09f457aa43dd0e4b593bc3922a506f3b97842c8cbf4d05068be9f7"),
];

/// Kind, name and text of a thing of a schema.
type Object<'o> = (&'o str, &'o str, Option<&'o str>);

/// How a schema differs from the one that energydb makes.
#[derive(Debug, Default)]
pub struct Differences {
    /// What is missing.
    pub missing: Vec<String>,
    /// What has another text.
    pub altered: Vec<String>,
    /// What energydb does not make.
    pub added: Vec<String>,
    /// Whether every table is there, word for word.
    has_every_table: bool,
}

impl Differences {
    /// Every difference as a sentence.
    pub fn sentences(&self) -> Vec<String> {
        let said = |things: &[String], what| {
            things.iter().map(|thing| format!("the {thing} {what}")).collect::<Vec<_>>()
        };
        [said(&self.missing, "was removed"), said(&self.altered, "was altered")]
            .into_iter()
            .flatten()
            .chain(said(&self.added, "was added"))
            .collect()
    }

    /// Whether the schema contains a text that energydb did not write.
    pub fn is_foreign(&self) -> bool {
        !self.altered.is_empty() || !self.added.is_empty()
    }

    /// Whether every name of a table of energydb is that of the table, or of nothing.
    pub fn tables_are_known(&self) -> bool {
        self.has_every_table || !self.is_foreign()
    }
}

/// Compares the schema of a database with the one that energydb makes of this version.
///
/// # Errors
/// When it cannot be read.
pub fn differences(connection: &Connection, version: i32) -> Result<Differences> {
    let is_former = version < SCHEMA_VERSION;
    let former = if is_former { tables(version)? } else { Objects::new() };
    let former: Vec<Object<'_>> =
        former.iter().map(|((kind, name), sql)| (&kind[..], &name[..], sql.as_deref())).collect();
    let expected: &[Object<'_>] = if is_former { &former } else { &OBJECTS };
    // SQLite uses a name once, but a file may have several rows with one name.
    let mut is_found = vec![false; expected.len()];
    let mut differences = Differences::default();
    let mut statement = connection.prepare("select type, name, sql from sqlite_schema")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, name) = (row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?);
        let sql = row.get_ref(2)?.as_str_or_null()?;
        let place = expected.binary_search_by_key(&(kind, name), |known| (known.0, known.1));
        match place {
            Ok(place) if is_found[place] => differences.added.push(named(kind, name)),
            Ok(place) => {
                is_found[place] = true;
                if expected[place].2 != sql {
                    differences.altered.push(named(kind, name));
                }
            }
            Err(_) if is_former && kind == "view" => match sql {
                Some(sql) if is_former_view(name, sql)? => {}
                _ => differences.altered.push(named(kind, name)),
            },
            Err(_) => differences.added.push(named(kind, name)),
        }
    }
    let missing = expected.iter().zip(&is_found).filter(|(_, is_found)| !**is_found);
    differences.missing = missing.map(|((kind, name, _), _)| named(kind, name)).collect();
    let is_table = |shown: &String| shown.starts_with("table ");
    differences.has_every_table =
        !differences.missing.iter().chain(&differences.altered).any(is_table);
    Ok(differences)
}

/// Refuses a schema in which something of energydb's is missing or altered. Added objects are allowed,
/// because they run only if a statement names them.
///
/// # Errors
/// When it differs, or cannot be read.
pub fn refuse_altered(connection: &Connection) -> Result<()> {
    let mut differences = differences(connection, SCHEMA_VERSION)?;
    differences.added.clear();
    refuse(&differences, "'energydb check' lists every difference")
}

/// Refuses a schema that is not the one that energydb made for this version, for a command that
/// reads every table there is.
///
/// # Errors
/// When it differs, or cannot be read.
pub fn refuse_foreign(connection: &Connection, version: i32) -> Result<()> {
    let mut differences = differences(connection, version)?;
    // SQLite's statistics are a table of its own.
    differences.added.retain(|thing| !thing.starts_with("table sqlite_stat"));
    refuse(&differences, "this command reads only unaltered databases")
}

fn refuse(differences: &Differences, advice: &str) -> Result<()> {
    match &differences.sentences()[..] {
        [] => Ok(()),
        [one] => bail!("{one}; {advice}"),
        [first, more @ ..] => {
            bail!("{first}, and {} more differ; {advice}", more.len())
        }
    }
}

/// What energydb makes of an older version, without the views.
fn tables(version: i32) -> Result<Objects> {
    let mut fresh = Connection::open_in_memory()?;
    schema::create_tables(&mut fresh, version)?;
    Ok(schema::objects(&fresh)?)
}

fn is_former_view(name: &str, sql: &str) -> Result<bool> {
    let sha256 = sha256(sql.as_bytes())?;
    Ok(FORMER_VIEWS.contains(&(name, sha256.as_str())))
}

fn named(kind: &str, name: &str) -> String {
    format!("{} {}", crate::text::printable(kind), crate::text::printable(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded;

    fn fresh() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::create(&mut connection, embedded::VIEWS, "2026-01-01").unwrap();
        connection
    }

    #[test]
    fn a_new_database_has_the_known_schema() {
        let differences = differences(&fresh(), SCHEMA_VERSION).unwrap();
        assert_eq!(differences.sentences(), [""; 0]);
        assert!(differences.tables_are_known());
    }

    #[test]
    fn whatever_was_changed_is_found() {
        for (sql, sentence, is_foreign) in [
            ("drop view gpu_power", "the view gpu_power was removed", false),
            ("create view v as select 1", "the view v was added", true),
            (
                "create trigger t after insert on gpus begin select 1; end",
                "the trigger t was added",
                true,
            ),
            (
                "drop view gpu_power; create view gpu_power as select 1",
                "the view gpu_power was altered",
                true,
            ),
        ] {
            let connection = fresh();
            connection.execute_batch(sql).unwrap();
            let differences = differences(&connection, SCHEMA_VERSION).unwrap();
            assert_eq!(differences.sentences(), [sentence]);
            assert_eq!(differences.is_foreign(), is_foreign, "{sql}");
            assert!(differences.tables_are_known(), "{sql}");
        }
    }

    #[test]
    fn a_view_in_place_of_a_table_is_no_table_of_ours() {
        let connection = fresh();
        connection.execute_batch("drop table content_hash").unwrap();
        assert!(differences(&connection, SCHEMA_VERSION).unwrap().tables_are_known());
        connection.execute_batch("create view content_hash as select 1").unwrap();
        assert!(!differences(&connection, SCHEMA_VERSION).unwrap().tables_are_known());
    }
}
