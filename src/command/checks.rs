//! `energydb checks`: what data must pass before it is stored.

use anyhow::Result;

use super::{DONE, print_rows};
use crate::cli::Global;
use crate::measurement::check::Check;

pub(super) fn run(global: &Global) -> Result<u8> {
    let rows: Vec<Vec<String>> = Check::ALL
        .iter()
        .map(|check| {
            let acceptable = if check.acceptable() { "yes" } else { "no" };
            vec![check.name().into(), acceptable.into(), check.ensures().into()]
        })
        .collect();
    print_rows(&["check_name", "acceptable", "ensures"], &rows, global)?;
    Ok(DONE)
}
