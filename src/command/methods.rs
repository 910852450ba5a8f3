//! What the sources of an answer differ in, so that figures of two methods never meet unsaid.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use rusqlite::Connection;
use rusqlite::types::{FromSql as _, Value, ValueRef};

use crate::catalogue::statement::Values;
use crate::measurement::method;

/// The sources of the rows of an answer.
pub(super) struct Sources {
    places: Vec<usize>,
    seen: BTreeSet<String>,
}

impl Sources {
    /// Of rows with these columns.
    pub fn of(columns: &[String]) -> Self {
        let is_source = |name: &str| name == "source" || name == "other_source";
        let places = (0..columns.len()).filter(|at| is_source(&columns[*at])).collect();
        Self { places, seen: BTreeSet::new() }
    }

    /// Looks at a row.
    pub fn see(&mut self, row: &[ValueRef<'_>]) {
        for value in self.places.iter().filter_map(|at| row.get(*at)) {
            if let Ok(source) = value.as_str()
                && !self.seen.contains(source)
            {
                self.seen.insert(source.to_owned());
            }
        }
    }

    /// The facts of the method in which the sources that were seen differ in the task, as a note tells
    /// them; none where they do not.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn differences(&self, connection: &Connection, values: &Values) -> Result<Option<String>> {
        if self.seen.len() < 2 {
            return Ok(None);
        }
        let task = values.iter().find(|(name, _)| name == "task").map(|(_, task)| task);
        let names: Vec<_> = method::compared().map(|fact| fact.name).collect();
        let mut sources = connection.prepare(&format!(
            "select source, {} from sources where source_id in (select source_id from documents \
             where ?1 is null or task_id in (select task_id from tasks where task = ?1))",
            names.join(", ")
        ))?;
        let mut known: Vec<BTreeMap<String, BTreeSet<String>>> = vec![BTreeMap::new(); names.len()];
        let mut rows = sources.query([task.unwrap_or(&Value::Null)])?;
        while let Some(row) = rows.next()? {
            let source: String = row.get(0)?;
            if !self.seen.contains(&source) {
                continue;
            }
            for (at, of_fact) in known.iter_mut().enumerate() {
                let value = row.get_ref(at + 1)?;
                let word = match i64::column_result(value) {
                    Ok(is_so) => (is_so != 0).to_string(),
                    Err(_) => match value.as_str() {
                        Ok(word) => word.to_owned(),
                        Err(_) => continue,
                    },
                };
                of_fact.entry(source.clone()).or_default().insert(word);
            }
        }
        let differing = names.iter().zip(&known).filter(|(_, of_fact)| {
            let words: BTreeSet<_> = of_fact.values().flatten().collect();
            words.len() > 1
        });
        let told: Vec<_> = differing
            .map(|(name, of_fact)| {
                let of_each = of_fact.iter().map(|(source, words)| {
                    let words: Vec<_> = words.iter().map(String::as_str).collect();
                    format!("{source} {}", words.join(" or "))
                });
                format!("{name} ({})", of_each.collect::<Vec<_>>().join(", "))
            })
            .collect();
        Ok((!told.is_empty()).then(|| format!("the sources differ in {}", told.join(", "))))
    }
}
