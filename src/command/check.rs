//! `energydb check`: whether a database is complete and unchanged since it was built.

use anyhow::{Result, bail};

use super::{DONE, location, print_rows};
use crate::cli::{Check, Global};
use crate::database::verify::{self, Checked};
use crate::error::{one_line, unless_closed_pipe};
use crate::input::document::Document;
use crate::input::read;
use crate::output::{progress, terminal};
use crate::signal::Signals;

pub(super) fn run(arguments: &Check, global: &Global, signals: &Signals) -> Result<u8> {
    let location = location(arguments.file.as_deref().or(global.db.as_deref()))?;
    let inputs = match &arguments.inputs[..] {
        [] => None,
        inputs => Some(read::order(Document::of_inputs(inputs, signals)?)?.documents),
    };
    let connection = location.open_to_check(signals)?;
    let checked = progress::shown(
        !global.quiet,
        || None,
        || verify::all(&connection, inputs.as_deref(), signals),
    )?;
    let rows: Vec<Vec<String>> = checked
        .iter()
        .map(|Checked { check, outcome }| {
            let (result, detail) = match outcome {
                Ok(detail) => ("ok", detail.clone()),
                Err(error) => ("failed", one_line(error)),
            };
            vec![(*check).into(), result.into(), detail]
        })
        .collect();
    unless_closed_pipe(print_rows(&["check_name", "result", "detail"], &rows, global))?;
    match checked.iter().filter(|checked| checked.outcome.is_err()).count() {
        0 => {
            if !global.quiet {
                terminal::note(&format!("all {} checks passed: {location}", checked.len()));
            }
            Ok(DONE)
        }
        failed => bail!("{failed} of {} checks failed: {location}", checked.len()),
    }
}
