//! `queries.md`: the named queries as SQL, ready to paste into any SQL client that has SQLite.

use anyhow::Result;

use super::canned;
use crate::catalogue::Catalogue;
use crate::text::filled;

/// The page.
pub const FILE: &str = "queries.md";

/// The page of the queries that the program carries.
///
/// # Errors
/// When a query cannot be written so.
pub fn page(catalogue: &Catalogue) -> Result<String> {
    let mut sections = String::new();
    for query in catalogue.queries.iter().filter(|query| query.file.is_none()) {
        let head = &query.head;
        let explanation = match head.explanation.trim() {
            "" => String::new(),
            text => format!("\n{text}\n"),
        };
        sections += &filled(
            include_str!("pages/QUERY.md"),
            &[
                ("name", &query.name),
                ("description", &head.description),
                ("explanation", &explanation),
                ("sql", &canned::to_paste(query)?),
            ],
        );
    }
    Ok(filled(include_str!("pages/QUERIES.md"), &[("queries", &sections)]))
}
