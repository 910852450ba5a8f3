//! The own configurations that a named query leaves out, and why: they lack a figure that the query
//! needs, or the run was not steady. Published data lacks nothing.

use anyhow::Result;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::Query;
use super::statement::{self, Values};
use crate::measurement::method::PUBLISHED;

/// Parameters that name what is asked about, with their columns; one of two sides begins with
/// `other_`. All but the last are names of a table each.
const NAMING: [&str; 6] = ["task", "model", "gpu", "source", "precision", NUM_GPUS];
const NUM_GPUS: &str = "num_gpus";

/// What is left out.
pub struct LeftOut {
    /// How many of how many, and why, as a note tells it.
    pub told: String,
    /// Whether nothing else was asked about.
    pub is_all: bool,
}

/// Whether the query may leave anything out: only own measurements lack figures.
///
/// # Errors
/// When the database cannot be read.
pub fn may_be(connection: &Connection, query: &Query) -> Result<bool> {
    if query.head.requires.is_empty() {
        return Ok(false);
    }
    let has_own = "select exists (select 1 from sources where source <> ?1)";
    Ok(connection.query_row(has_own, [PUBLISHED], |row| row.get(0))?)
}

/// The configurations that the query leaves out of its selection, or `None` if there are none.
///
/// # Errors
/// When the database cannot be read.
pub fn of(connection: &Connection, query: &Query, values: &Values) -> Result<Option<LeftOut>> {
    let Some(sql) = statement(query) else { return Ok(None) };
    let mut left_out = None;
    statement::run(&mut connection.prepare(&sql)?, values, |row| {
        if let [told, ValueRef::Integer(is_all)] = row {
            left_out = Some(LeftOut { told: told.as_str()?.to_owned(), is_all: *is_all == 1 });
        }
        Ok(())
    })?;
    Ok(left_out)
}

/// A statement that returns what the query leaves out: one row with the members of [`LeftOut`], or none.
/// It takes the query's parameters. `None` if the query needs no figure that may be missing.
pub fn statement(query: &Query) -> Option<String> {
    let head = &query.head;
    let lacks: Vec<_> = head.requires.iter().filter_map(|of| of.lack(head)).collect();
    if lacks.is_empty() {
        return None;
    }
    let named = NAMING.into_iter().filter(|name| query.takes(name)).map(|name| {
        let other = format!("other_{name}");
        let of_other = if query.takes(&other) { format!(", :{other}") } else { String::new() };
        let is_asked = format!(":{name} is null or {name} in (:{name}{of_other})");
        match name {
            NUM_GPUS => format!(" and ({is_asked})"),
            _ => format!(" and {name} in (select {name} from {name}s where {is_asked})"),
        }
    });
    let named: String = named.collect();
    let joined = |of: &dyn Fn(usize) -> String, by: &str| {
        (0..lacks.len()).map(of).collect::<Vec<_>>().join(by)
    };
    let columns = joined(&|at| format!("{} as lack_{at}", lacks[at].is_met_by), ", ");
    let any = joined(&|at| format!("lack_{at}"), " or ");
    let reasons = joined(
        &|at| format!("select {at}, sum(lack_{at}), {} from own", lacks[at].told),
        " union all ",
    );
    Some(format!(
        "with own as materialized (
            select {columns} from configuration_energy where source <> '{PUBLISHED}'{named}
        ),
        reasons (place, number, why) as ({reasons}),
        counted as (select count(*) as own, sum({any}) as left_out from own)
        select left_out || ' of ' || own || ' own configurations '
            || iif(left_out = 1, 'is', 'are') || ' left out: '
            || (select group_concat(number || ' ' || why, '; ' order by place) from reasons
                where number > 0) as told,
            left_out = own and not exists (
                select 1 from configuration_energy where source = '{PUBLISHED}'{named}
            ) as is_all
        from counted where left_out > 0"
    ))
}
