//! Differences between the sources of an answer, so that figures of two methods are never shown
//! together without a note.

use std::collections::BTreeSet;

use anyhow::Result;
use rusqlite::Connection;
use rusqlite::types::{Value, ValueRef};

use crate::catalogue::statement::{Values, value_of};
use crate::measurement::method;

/// The sources of the rows of an answer.
pub struct Sources {
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

    /// A note on the facts of the method in which the sources of the rows differ for this task, or
    /// `None` if they do not differ.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn differences(&self, connection: &Connection, values: &Values) -> Result<Option<String>> {
        if self.seen.len() < 2 {
            return Ok(None);
        }
        let seen: Vec<_> = self.seen.iter().map(String::as_str).collect();
        let seen = serde_json::to_string(&seen)?;
        let task = value_of(values, "task").unwrap_or(&Value::Null);
        let named = rusqlite::named_params! {":sources": seen, ":task": task};
        Ok(connection.query_row(&statement(), named, |row| row.get(0))?)
    }
}

/// A statement that returns one value: the note on the differences between `:sources` (names as JSON)
/// for `:task`, or for all tasks if that is null. The value is null if they do not differ.
pub fn statement() -> String {
    let facts = method::compared().enumerate().map(|(place, fact)| {
        let name = fact.name;
        // A condition is 0 or 1.
        format!(
            "select {place}, '{name}', source, case typeof({name}) when 'integer' \
             then iif({name}, 'true', 'false') else {name} end from asked"
        )
    });
    format!(
        "with asked as (
            select * from sources
            where source in (select value from json_each(:sources)) and source_id in (
                select source_id from documents
                where :task is null or task_id in (select task_id from tasks where task = :task)
            )
        ),
        known (place, fact, source, word) as ({}),
        by_source as (
            select place, fact, source, group_concat(word, ' or ' order by word) as words
            from known where word is not null group by place, source
        ),
        differing as (
            select fact || ' (' || group_concat(source || ' ' || words, ', ' \
            order by source) || ')' as told, place
            from by_source
            where place in (select place from known group by place having count(distinct word) > 1)
            group by place
        )
        select 'the sources differ in ' || group_concat(told, ', ' order by place) from differing",
        facts.collect::<Vec<_>>().join(" union ")
    )
}
