//! The program's two streams: results go to standard output, everything else to standard error.
//! Nothing else prints.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use super::Format;

/// Standard output, for results.
pub fn results() -> BufWriter<Results> {
    BufWriter::new(Results(io::stdout().lock()))
}

/// Standard output, whose faults say that it is.
pub struct Results(StdoutLock<'static>);

impl Write for Results {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(of_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(of_output)
    }
}

fn of_output(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("could not write to standard output: {error}"))
}

/// The format for rows when none is asked for: a table for a person, csv for a program.
pub fn usual_format() -> Format {
    if io::stdout().is_terminal() { Format::Table } else { Format::Csv }
}

/// The width of the terminal on standard output; none when it is not one.
pub fn width() -> Option<usize> {
    let is_terminal = io::stdout().is_terminal();
    is_terminal.then(terminal_size::terminal_size).flatten().map(|(width, _)| width.0.into())
}

/// Whether a person watches standard error.
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Prints the line that ends a command which failed.
pub fn error(message: &str) {
    line(&format!("error: {message}"));
}

/// Tells a person something beside the results. A reader who went away misses it.
pub fn line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
