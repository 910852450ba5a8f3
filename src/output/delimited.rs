//! csv and tsv: a header line and one line per row, quoted as RFC 4180 says, for programs.
//!
//! Every value is exact. So a text that a spreadsheet would run as a formula is not changed either.

use std::io::{self, Write};

use csv::{ErrorKind, Terminator, Writer, WriterBuilder};
use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::hash::hex;
use crate::measurement::published;

/// Writes the formats csv and tsv.
pub struct DelimitedWriter<'w> {
    writer: Writer<&'w mut (dyn Write + 'w)>,
}

impl<'w> DelimitedWriter<'w> {
    /// A writer that puts this delimiter between values.
    pub fn new(out: &'w mut (dyn Write + 'w), delimiter: u8) -> Self {
        DelimitedWriter { writer: WriterBuilder::new().delimiter(delimiter).from_writer(out) }
    }

    /// A writer of files as RFC 4180 has them, whose lines end in two characters.
    pub fn rfc_4180(out: &'w mut (dyn Write + 'w)) -> Self {
        let writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
        DelimitedWriter { writer }
    }

    fn field(&mut self, value: ValueRef<'_>) -> csv::Result<()> {
        match value {
            ValueRef::Null => self.writer.write_field(""),
            ValueRef::Integer(integer) => self.writer.write_field(integer.to_string()),
            ValueRef::Real(real) => self.writer.write_field(published::shortest(real)),
            ValueRef::Text(text) => self.writer.write_field(text),
            ValueRef::Blob(bytes) => self.writer.write_field(hex(bytes)),
        }
    }

    fn end_of_line(&mut self) -> csv::Result<()> {
        self.writer.write_record(None::<&[u8]>)
    }
}

impl RowWriter for DelimitedWriter<'_> {
    fn columns(&mut self, names: &[String]) -> io::Result<()> {
        self.writer.write_record(names).map_err(io_error)
    }

    fn row(&mut self, values: &[ValueRef<'_>]) -> io::Result<()> {
        values
            .iter()
            .try_for_each(|value| self.field(*value))
            .and_then(|()| self.end_of_line())
            .map_err(io_error)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The error beneath, so that a closed pipe is still seen as one.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        other => io::Error::other(format!("could not write a row: {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Format;
    use crate::output::testing::{text, written};

    #[test]
    fn figures_are_not_rounded() {
        assert_eq!(
            written(
                Format::Csv,
                &["wh_per_million_output_tokens", "power_watts", "params_b", "n"],
                &[
                    &[
                        ValueRef::Real(303.20456789),
                        ValueRef::Real(0.30000000000000004),
                        ValueRef::Real(235.0),
                        ValueRef::Integer(i64::MAX),
                    ],
                    &[
                        ValueRef::Real(f64::INFINITY),
                        ValueRef::Real(f64::NEG_INFINITY),
                        ValueRef::Null,
                        ValueRef::Blob(&[0xca, 0xfe]),
                    ],
                ]
            ),
            "\
wh_per_million_output_tokens,power_watts,params_b,n
303.20456789,0.30000000000000004,235.0,9223372036854775807
Infinity,-Infinity,,cafe
"
        );
    }

    #[test]
    fn a_text_with_a_comma_a_quote_or_a_line_break_is_quoted() {
        assert_eq!(
            written(
                Format::Csv,
                &["a", "b,c"],
                &[&[text("x,y"), text("say \"hi\"")], &[text("two\nlines"), text("tab\t=1+1")]]
            ),
            "a,\"b,c\"\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\nlines\",tab\t=1+1\n"
        );
    }

    #[test]
    fn tsv_quotes_a_tab_and_leaves_a_comma() {
        assert_eq!(
            written(Format::Tsv, &["a", "b"], &[&[text("x,y"), text("p\tq")]]),
            "a\tb\nx,y\t\"p\tq\"\n"
        );
    }

    #[test]
    fn a_row_of_one_null_is_not_an_empty_line_that_readers_skip() {
        assert_eq!(written(Format::Csv, &["a"], &[&[ValueRef::Null]]), "a\n\"\"\n");
    }

    #[test]
    fn without_rows_the_header_remains() {
        assert_eq!(written(Format::Csv, &["model", "gpu"], &[]), "model,gpu\n");
        assert_eq!(written(Format::Tsv, &["model", "gpu"], &[]), "model\tgpu\n");
    }
}
