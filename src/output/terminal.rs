//! The program's two streams: results go to standard output, everything else to standard error. No other
//! module prints. All text is made printable before it reaches a terminal.
#![allow(clippy::disallowed_methods, reason = "this is the place that they are left to")]

use std::env;
use std::io::{self, BufWriter, IsTerminal, StderrLock, StdoutLock, Write};

use super::Format;
use super::screen::Screen;
use crate::text::{folded, printable, printable_lines};

/// Standard output, for results. A program reads them as they are; on a terminal each character
/// that it would act on is shown instead.
pub fn results() -> BufWriter<Results> {
    let unshown = io::stdout().is_terminal().then(Vec::new);
    BufWriter::new(Results { out: io::stdout().lock(), unshown })
}

/// Standard output, for results that are printable already and contain styles.
pub fn styled_results() -> BufWriter<Results> {
    BufWriter::new(Results { out: io::stdout().lock(), unshown: None })
}

/// Standard output, whose faults say that it is.
pub struct Results {
    out: StdoutLock<'static>,
    /// On a terminal, the first bytes of a character whose others are yet to come.
    unshown: Option<Vec<u8>>,
}

impl Write for Results {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(unshown) = &mut self.unshown else {
            return self.out.write(bytes).map_err(of_output);
        };
        unshown.extend(bytes);
        let whole = whole_characters(unshown);
        let rest = unshown.split_off(whole);
        let shown = printable_lines(&String::from_utf8_lossy(unshown));
        *unshown = rest;
        self.out.write_all(shown.as_bytes()).map_err(of_output)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(of_output)
    }
}

/// How many of the bytes come before a last character that is not complete.
fn whole_characters(bytes: &[u8]) -> usize {
    match bytes.utf8_chunks().last() {
        // A character that more bytes may complete is at most three bytes so far.
        Some(last) if !last.invalid().is_empty() && is_cut(last.invalid()) => {
            bytes.len() - last.invalid().len()
        }
        _ => bytes.len(),
    }
}

fn is_cut(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

fn of_output(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("could not write to standard output: {error}"))
}

/// The format for rows when none is asked for: a table for a person, csv for a program.
pub fn usual_format() -> Format {
    if io::stdout().is_terminal() { Format::Table } else { Format::Csv }
}

/// The terminal on standard output, or `None` if there is none. If `is_wide`, its lines are as long
/// as need be.
pub fn screen(is_wide: bool) -> Option<Screen> {
    let is_terminal = io::stdout().is_terminal();
    let (width, _) = is_terminal.then(terminal_size::terminal_size).flatten()?;
    let width = if is_wide { usize::MAX } else { width.0.into() };
    Some(Screen { width, is_styled: has_style() })
}

/// Whether results may be styled: on a terminal, unless NO_COLOR or the terminal's kind forbids it.
pub fn has_style() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb()
}

/// Whether the terminal only adds lines.
fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|kind| kind == "dumb")
}

/// Whether a person watches standard error.
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Whether a line on standard error can be drawn over, as progress is.
pub fn redraws() -> bool {
    is_watched() && !is_dumb()
}

/// Prints the line that ends a command which failed.
pub fn error(message: &str) {
    print(&format!("error: {}", printable(message)));
}

/// Tells a person something beside the results, on one line, which a terminal shows folded at its
/// blanks.
pub fn line(text: &str) {
    let text = printable(text);
    let width = is_watched().then(|| terminal_size::terminal_size_of(io::stderr())).flatten();
    match width {
        Some((width, _)) => print(&folded(&text, width.0.into()).join("\n")),
        None => print(&text),
    }
}

/// Prints a note on standard error: what there is to know beside the results.
pub fn note(text: &str) {
    line(&format!("note: {text}"));
}

/// Tells a person something of several lines.
pub fn lines(text: &str) {
    print(&printable_lines(text));
}

/// Prints a line to standard error, and ignores a closed stream. It is written as a whole, so that no line of
/// another program comes between.
fn print(text: &str) {
    let mut out: StderrLock<'_> = io::stderr().lock();
    let _ = out.write_all(format!("{text}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_waits_for_its_last_byte() {
        let text = "aé模🙂".as_bytes();
        for length in 0..=text.len() {
            let whole = whole_characters(&text[..length]);
            assert!(str::from_utf8(&text[..whole]).is_ok());
            assert!(length - whole < 4);
        }
        assert_eq!(whole_characters(b"a\xff"), 2);
        assert_eq!(whole_characters(b"a\xffb"), 3);
    }
}
