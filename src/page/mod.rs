//! The page: one HTML file that explores a database, with SQLite and the database inside.
//!
//! The page runs the named queries in the browser. This module makes the file: [`interface`] describes the
//! queries and how figures are written, and [`first_sight`] draws the content before a script runs. [`link`]
//! joins the modules, and [`pack`] encodes bytes as text. [`policy`] allows only the scripts in the file, and
//! no request. The same database and the same program give the same bytes.

mod first_sight;
mod interface;
mod link;
mod pack;
mod policy;

use anyhow::{Context, Result};
use rusqlite::{Connection, MAIN_DB};

use crate::catalogue::Catalogue;
use crate::database::release::Facts;
use crate::text::{filled, html};

/// The frame of the page, whose marks in braces are replaced by its parts.
const FRAME: &str = include_str!("../../page/frame.html");
const STYLE: &str = include_str!("../../page/style.css");
/// SQLite for the browser, as its publisher ships it: its loader, its machine code, its licence.
const SQLITE_SCRIPT: &str = include_str!("../../page/vendor/sql.js-1.17.0/sql-wasm-browser.js");
const SQLITE_WASM: &[u8] = include_bytes!("../../page/vendor/sql.js-1.17.0/sql-wasm-browser.wasm");
const SQLITE_LICENCE: &str = include_str!("../../page/vendor/sql.js-1.17.0/LICENSE");

/// Where a SQLite file says whether it is written with a log beside it, which a browser has not.
const JOURNAL_MODE: std::ops::Range<usize> = 18..20;
const ROLLBACK: u8 = 1;

/// The bytes of a database as a file has them.
///
/// # Errors
/// When the database cannot be read.
pub fn image(connection: &mut Connection) -> Result<Vec<u8>> {
    Ok(connection.serialize(MAIN_DB).context("could not read the database whole")?.to_vec())
}

/// The page of a database, whose bytes are given with it.
///
/// # Errors
/// When the database cannot be read.
pub fn document(
    connection: &Connection,
    mut database: Vec<u8>,
    catalogue: &Catalogue,
) -> Result<String> {
    let facts = Facts::read(connection)?;
    if let Some(mode) = database.get_mut(JOURNAL_MODE) {
        mode.fill(ROLLBACK);
    }
    let interface = serde_json::to_vec(&interface::of(connection, catalogue, &facts)?)?;
    let script = link::script();
    let policy = policy::content_security(&[SQLITE_SCRIPT, &script], &[STYLE]);
    let first = first_sight::of(connection, catalogue)?;
    let parts = [
        ("policy", policy.as_str()),
        ("style", STYLE),
        ("sqlite-script", SQLITE_SCRIPT),
        ("script", &script),
        ("sqlite-licence", &html(SQLITE_LICENCE)),
        ("sqlite-wasm", &pack::packed(SQLITE_WASM)?),
        ("database", &pack::packed(&database)?),
        ("interface", &pack::packed(&interface)?),
        ("data-version", &html(&facts.data_version)),
        ("caveat", &html(&facts.caveat)),
        ("question", &html(&first.question)),
        ("answer", &first.answer),
    ];
    Ok(filled(FRAME, &parts))
}
