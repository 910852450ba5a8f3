//! The command line of energydb: parse, run, print the one error line.

use std::process::ExitCode;

use energydb::{command, error, output::terminal};

fn main() -> ExitCode {
    match command::run(std::env::args_os()) {
        Ok(status) => ExitCode::from(status),
        Err(error) if error::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::error(&error::one_line(&error));
            ExitCode::from(error::exit_status(&error))
        }
    }
}
