//! Named queries: SQL files whose head comment is their interface.
//!
//! The flags of the command line, their help and their checks, and the list of queries all come from
//! these files.
//!
//! - [`declaration`] reads the comment, and [`flags`] makes a command line from it.
//! - [`parameter`] reads values: [`range`] has their limits, [`number`] their units.
//! - [`names`] looks up names, and [`suggest`] proposes similar ones. [`meant`] finds the default task.
//! - [`load_profile`] reads a file of demand.
//! - [`statement`] prepares and runs a query.
//! - [`note`] has the notes on an answer, and [`methods`] the differences between its sources.
//! - [`requirement`] has the figures that a query needs, and [`left_out`] the configurations that lack one.

pub mod asked;
pub mod declaration;
pub mod flags;
pub mod left_out;
pub mod load_profile;
pub mod meant;
pub mod methods;
pub mod names;
pub mod note;
pub mod number;
pub mod parameter;
pub mod range;
pub mod requirement;
pub mod statement;
pub mod suggest;

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context, Result, bail};

use crate::catalogue::declaration::Head;
use crate::embedded;
use crate::error::{did_you_mean, one_line, usage};
use crate::text::is_hidden;

/// Names of the program's own flags, which no parameter may take.
pub const RESERVED: [&str; 9] =
    ["db", "format", "wide", "queries", "sql", "help", "version", "timeout", "quiet"];

/// The mark that some editors write before the first character of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The content of a head comment. It is parsed when first used, because a run needs few of them.
type LazyHead = LazyLock<Head, Box<dyn FnOnce() -> Head + Send>>;

/// A named query.
#[derive(Debug)]
pub struct Query {
    /// Its file's name without the ending.
    pub name: String,
    /// The content of its head comment.
    pub head: LazyHead,
    /// The whole file.
    pub sql: Cow<'static, str>,
    /// The file, for a user's own query.
    pub file: Option<String>,
}

/// All named queries, in the order of their names.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// The queries.
    pub queries: Vec<Query>,
    /// The files of a user's folder that are not queries.
    pub broken: Vec<Broken>,
}

/// A file of a user's folder that cannot be a query. It stops no other query.
#[derive(Debug)]
pub struct Broken {
    /// Its file's name without the ending.
    pub name: String,
    /// What is wrong with it, with its path.
    pub fault: String,
}

impl Catalogue {
    /// The queries that the program carries.
    pub fn built_in() -> Self {
        let queries = embedded::QUERIES.iter().map(|&(name, sql)| {
            // A test reads the head of each.
            let head = move || declaration::parse(sql).unwrap_or_default();
            Query {
                name: name.into(),
                head: LazyLock::new(Box::new(head)),
                sql: sql.into(),
                file: None,
            }
        });
        Self { queries: queries.collect(), broken: Vec::new() }
    }

    /// Adds the queries of a user's folder. A file that is not a query is kept separately, and hidden
    /// files are skipped.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn add_folder(&mut self, folder: &Path) -> Result<()> {
        let cannot_read = || format!("could not read the folder of queries: {}", folder.display());
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).with_context(cannot_read)? {
            let entry = entry.with_context(cannot_read)?;
            let path = entry.path();
            let has_dot = entry.file_name().as_encoded_bytes().starts_with(b".");
            // Reading something that is not a file, such as a pipe, might never end.
            let is_query = path.extension().is_some_and(|extension| extension == "sql");
            if is_query && !has_dot && path.is_file() {
                paths.push(path);
            }
        }
        paths.sort();
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            match self.of_file(&name, &path) {
                Ok(query) => self.queries.push(query),
                Err(error) => self.broken.push(Broken { name, fault: one_line(&error) }),
            }
        }
        self.queries.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(())
    }

    /// The query of a user's file.
    fn of_file(&self, name: &str, path: &Path) -> Result<Query> {
        let file = path.display().to_string();
        if self.queries.iter().any(|known| known.name == name) {
            bail!("a built-in query is also called '{name}'; rename {file}");
        }
        // 'query help' explains the queries.
        let is_unfit = |character: char| character.is_whitespace() || is_hidden(character);
        if name.starts_with('-') || name.contains(is_unfit) || name == "help" {
            bail!("a query cannot be called '{name}'; rename {file}");
        }
        let sql = fs::read_to_string(path)
            .with_context(|| format!("could not read the query: {file}"))?;
        let sql = sql.trim_start_matches(BYTE_ORDER_MARK).to_owned();
        let head =
            declaration::parse(&sql).with_context(|| format!("not a named query: {file}"))?;
        Ok(Query {
            name: name.into(),
            head: LazyLock::new(Box::new(|| head)),
            sql: sql.into(),
            file: Some(file),
        })
    }

    /// The query of this name.
    ///
    /// # Errors
    /// When there is none, with the nearest name, or its file is broken.
    pub fn get(&self, name: &str) -> Result<&Query> {
        if let Some(broken) = self.broken.iter().find(|broken| broken.name == name) {
            bail!("{}", broken.fault);
        }
        self.queries.iter().find(|query| query.name == name).ok_or_else(|| {
            let near = did_you_mean(name, self.queries.iter().map(|query| query.name.as_str()));
            usage(format!("no query is called '{name}'{near}; 'energydb query' lists all"))
        })
    }
}

impl Query {
    /// Its description in one line, without parsing the rest of its head.
    pub fn description(&self) -> String {
        declaration::description(&self.sql)
    }

    /// What messages call the query.
    pub fn shown(&self) -> String {
        match &self.file {
            Some(file) => format!("the query {file}"),
            None => format!("'energydb query {}'", self.name),
        }
    }

    /// Whether the query takes a parameter of this name.
    pub fn takes(&self, name: &str) -> bool {
        self.head.parameters.iter().any(|parameter| parameter.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_every_built_in_query_is_of_the_grammar() {
        for (name, sql) in embedded::QUERIES {
            let head = declaration::parse(sql).map_err(|error| format!("{name}: {error:#}"));
            assert_eq!(head.unwrap().description, declaration::description(sql));
        }
    }
}
