//! `energydb completions`: what makes a shell complete commands, queries and their flags.

use std::io::Write;

use anyhow::Result;

use super::DONE;
use crate::cli::Completions;
use crate::output::terminal;

pub(super) fn run(arguments: &Completions, mut command: clap::Command) -> Result<u8> {
    let name = command.get_name().to_owned();
    // Written in one go, since the library takes no error.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    let mut out = terminal::results();
    out.write_all(&script)?;
    out.flush()?;
    Ok(DONE)
}
