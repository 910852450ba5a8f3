//! The facts of the release in a database.

use anyhow::{Context, Result};
use rusqlite::Connection;

use crate::date::check_date;
use crate::manifest::Source;

/// How the name of its file begins, before the day that names the state of the data, and how it ends.
const PREFIX: &str = "energydb-";
const ENDING: &str = ".sqlite";

/// Whether a file is named as the database of a release is.
pub fn is_file_name(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(ENDING)
}

/// The release, and where its data comes from.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Day that names the state of the data, YYYY-MM-DD.
    pub data_version: String,
    /// Day on which it is published, YYYY-MM-DD.
    pub updated: String,
    /// What the figures leave out.
    pub caveat: String,
    /// Version of the program that built the database.
    pub energydb_version: String,
    /// The content hash of the database.
    pub content_hash: Option<String>,
    /// Measured configurations, measured models and types of GPU: an index names others, too.
    pub counts: [u64; 3],
    /// Findings of checks that were accepted for it.
    pub findings: u64,
    /// The data sets that the documents come from.
    pub sources: Vec<Source>,
}

impl Facts {
    /// The name of the database in the folder of a release, without its ending.
    pub fn file_stem(&self) -> String {
        format!("{PREFIX}{}", self.data_version)
    }

    /// The name of the database in the folder of a release.
    pub fn file_name(&self) -> String {
        format!("{}{ENDING}", self.file_stem())
    }

    /// Reads them.
    ///
    /// # Errors
    /// When they are not there.
    pub fn read(connection: &Connection) -> Result<Self> {
        let mut facts = connection
            .query_row(
                "select data_version, updated, caveat, energydb_version, \
                     (select sum(configurations) from model_index), \
                     (select count(distinct model) from model_index), (select count(*) from gpus), \
                     (select sha256 from content_hash), (select count(*) from findings) \
                 from release",
                [],
                |row| {
                    let count = |index| row.get::<_, u32>(index).map(u64::from);
                    Ok(Self {
                        data_version: row.get(0)?,
                        updated: row.get(1)?,
                        caveat: row.get(2)?,
                        energydb_version: row.get(3)?,
                        counts: [count(4)?, count(5)?, count(6)?],
                        content_hash: row.get(7)?,
                        findings: count(8)?,
                        sources: Vec::new(),
                    })
                },
            )
            .context("could not read the release")?;
        // They are parts of names of files.
        check_date(&facts.data_version)?;
        check_date(&facts.updated)?;
        facts.sources = sources(connection).context("could not read the sources")?;
        Ok(facts)
    }

    /// The data sets, each once: what differs from task to task is left out, but for the methods, which
    /// are one after the other.
    pub fn data_sets(&self) -> Vec<Source> {
        let mut sets: Vec<Source> = Vec::new();
        for source in &self.sources {
            let of_all_tasks = Source {
                data_url: None,
                workload: None,
                configurations: None,
                selection: None,
                used_for: None,
                ..source.clone()
            };
            let is_same = |set: &&mut Source| {
                let Source { method, retrieved, .. } = of_all_tasks.clone();
                of_all_tasks == Source { method, retrieved, ..(**set).clone() }
            };
            let Some(set) = sets.iter_mut().find(is_same) else {
                sets.push(of_all_tasks);
                continue;
            };
            if set.retrieved != of_all_tasks.retrieved {
                set.retrieved = None;
            }
            if let Some(method) = of_all_tasks.method {
                match &mut set.method {
                    Some(methods) if methods.contains(&method) => {}
                    Some(methods) => *methods = format!("{methods} {method}"),
                    None => set.method = Some(method),
                }
            }
        }
        sets
    }

    /// The licences of the data, as far as they are known; of several data sets that of each, with
    /// its name.
    pub fn licences(&self) -> Vec<String> {
        let sets = self.data_sets();
        if let [set] = &sets[..] {
            return set.licence.iter().cloned().collect();
        }
        let licence = |set: &Source| {
            format!("{}: {}", set.name, set.licence.as_deref().unwrap_or("not known"))
        };
        sets.iter().map(licence).collect()
    }
}

fn sources(connection: &Connection) -> rusqlite::Result<Vec<Source>> {
    let mut evidence = connection
        .prepare("select evidence from licence_evidence where source_id = ?1 order by position")?;
    let mut statement =
        connection.prepare("select * from sources where name is not null order by source_id")?;
    let mut rows = statement.query([])?;
    let mut sources = Vec::new();
    while let Some(row) = rows.next()? {
        let key: i64 = row.get("source_id")?;
        let licence_evidence =
            evidence.query_map([key], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        sources.push(Source {
            name: row.get("name")?,
            publisher: row.get("publisher")?,
            url: row.get("url")?,
            data_url: row.get("data_url")?,
            version: row.get("version")?,
            released: row.get("released")?,
            compiled: row.get("compiled")?,
            compiled_evidence: row.get("compiled_evidence")?,
            retrieved: row.get("retrieved")?,
            licence: row.get("licence")?,
            licence_evidence,
            workload: row.get("workload")?,
            method: row.get("method")?,
            selection: row.get("selection")?,
            cite: row.get("cite")?,
            cite_url: row.get("cite_url")?,
            used_for: row.get("used_for")?,
            configurations: row.get("configurations")?,
        });
    }
    Ok(sources)
}
