//! How many own configurations a named query leaves out, and why: a source may lack a figure that the
//! query needs, or a run was not steady. What is published lacks nothing.

use anyhow::Result;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::catalogue::Query;
use crate::catalogue::requirement::What;
use crate::catalogue::statement::{Values, value_of};
use crate::measurement::method::PUBLISHED;

/// Parameters that name what is asked about, with their columns; one of two sides begins with
/// `other_`.
const NAMING: [&str; 6] = ["task", "model", "gpu", "source", "precision", "num_gpus"];

/// What is left out.
pub(super) struct LeftOut {
    /// How many of how many, and why, as a note tells it.
    pub told: String,
    /// Whether nothing else was asked about.
    pub is_all: bool,
}

/// What the query leaves out of what its values name; none where it is nothing.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn of(
    connection: &Connection,
    query: &Query,
    values: &Values,
) -> Result<Option<LeftOut>> {
    let lacks: Vec<_> = query.head.requires.iter().filter_map(|of| of.lack(values)).collect();
    let has_own = "select exists (select 1 from sources where source <> ?1)";
    if lacks.is_empty() || !connection.query_row(has_own, [PUBLISHED], |row| row.get(0))? {
        return Ok(None);
    }
    let mut asked = vec!["1".to_owned()];
    let mut named: Vec<&Value> = Vec::new();
    for column in NAMING {
        let given = |name: &str| value_of(values, name).filter(|value| **value != Value::Null);
        let Some(first) = given(column) else { continue };
        let both = std::iter::once(first).chain(given(&format!("other_{column}")));
        let places: Vec<_> = both
            .map(|value| {
                named.push(value);
                format!("?{}", named.len())
            })
            .collect();
        asked.push(format!("{column} in ({})", places.join(", ")));
    }
    let asked = asked.join(" and ");
    let any: Vec<_> = lacks.iter().map(|lack| lack.sql.as_str()).collect();
    let counts = any.iter().map(|sql| format!(", coalesce(sum({sql}), 0)")).collect::<String>();
    let sql = format!(
        "select count(*), coalesce(sum({}), 0){counts} from configuration_energy \
         where source <> '{PUBLISHED}' and {asked}",
        any.join(" or ")
    );
    let count = |at: usize, row: &rusqlite::Row<'_>| row.get::<_, i64>(at);
    let (own, left_out, of_each) = connection.query_row(&sql, params_from_iter(&named), |row| {
        let of_each = (0..lacks.len()).map(|at| count(at + 2, row));
        Ok((count(0, row)?, count(1, row)?, of_each.collect::<rusqlite::Result<Vec<_>>>()?))
    })?;
    if left_out == 0 {
        return Ok(None);
    }
    let published = format!(
        "select exists (select 1 from configuration_energy where source = '{PUBLISHED}' and {asked})"
    );
    let has_published: bool =
        connection.query_row(&published, params_from_iter(&named), |row| row.get(0))?;
    let reasons = lacks.iter().zip(of_each).filter(|(_, count)| *count > 0);
    let reasons = reasons.map(|(lack, count)| match &lack.what {
        What::Figure(column) => format!("{count} without {column}"),
        What::Steadiness(None) => format!("{count} not steady"),
        What::Steadiness(Some(flag)) => {
            format!("{count} not steady, which --{} counts", flag.replace('_', "-"))
        }
    });
    let told = format!(
        "{left_out} of {own} own configurations {} left out: {}",
        if left_out == 1 { "is" } else { "are" },
        reasons.collect::<Vec<_>>().join("; ")
    );
    Ok(Some(LeftOut { told, is_all: left_out == own && !has_published }))
}
