//! The formats that rows are printed in, one file each.
//!
//! table, markdown, line and the pictures are for people: figures have their published precision, and text
//! cannot control a terminal. csv, tsv, json and ndjson are for programs: every value is exact.
//!
//! A writer knows the names and values of columns, but not the query. It writes only to the output that it is
//! given, which the caller buffers.

pub mod delimited;
mod grid;
pub mod human;
mod json;
mod json_object;
mod line;
pub mod markdown;
mod ndjson;
pub mod picture;
pub mod progress;
pub mod screen;
pub mod selection;
mod table;
pub mod terminal;

#[cfg(test)]
mod testing;

use std::io::{self, Write};

use rusqlite::types::ValueRef;

use delimited::DelimitedWriter;
use json::JsonWriter;
use line::LineWriter;
use markdown::MarkdownWriter;
use ndjson::NdjsonWriter;
use picture::{PictureWriter, Sketch};
use screen::{About, Screen};
use table::TableWriter;

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Aligned columns, to read in a terminal
    Table,
    /// Comma-separated values with a header line
    Csv,
    /// Tab-separated values with a header line
    Tsv,
    /// One array of objects
    Json,
    /// One object per line
    Ndjson,
    /// A Markdown table
    Markdown,
    /// One value per line
    Line,
    /// A picture in the terminal, of the queries that draw
    Chart,
    /// A picture as a file, of the queries that draw
    Svg,
}

/// Writes rows in one format. Call `columns` once, then `row` for each row, then `finish` once.
pub trait RowWriter {
    /// Takes the names of the columns. Fails where the format cannot hold such columns.
    fn columns(&mut self, names: &[String]) -> io::Result<()>;

    /// Takes one row, with as many values as there are columns.
    fn row(&mut self, values: &[ValueRef<'_>]) -> io::Result<()>;

    /// Writes the rows that were collected, and the end of the format.
    fn finish(&mut self) -> io::Result<()>;

    /// The columns that a terminal had no room for.
    fn left_out(&self) -> &[String] {
        &[]
    }
}

/// Where rows are printed, and what they are about.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The terminal, or `None` if a program reads, which gets everything.
    pub screen: Option<Screen>,
    /// What a terminal shows about the rows beside them.
    pub about: About,
    /// What of the rows is drawn, where they can be.
    pub picture: Option<Sketch>,
}

impl Format {
    /// Whether the format makes what it writes printable itself.
    pub fn is_for_people(self) -> bool {
        match self {
            Format::Table | Format::Markdown | Format::Line | Format::Chart => true,
            Format::Csv | Format::Tsv | Format::Json | Format::Ndjson | Format::Svg => false,
        }
    }

    /// Whether the format can say what was asked, above the rows.
    pub fn says_what_was_asked(self) -> bool {
        match self {
            Format::Table | Format::Line | Format::Chart | Format::Svg => true,
            Format::Csv | Format::Tsv | Format::Json | Format::Ndjson | Format::Markdown => false,
        }
    }

    /// Whether the format is a picture.
    pub fn is_picture(self) -> bool {
        matches!(self, Format::Chart | Format::Svg)
    }

    /// A writer of this format.
    pub fn writer<'w>(
        self,
        out: &'w mut (dyn Write + 'w),
        layout: &'w Layout,
    ) -> Box<dyn RowWriter + 'w> {
        match self {
            Format::Table => Box::new(TableWriter::new(out, layout)),
            Format::Csv => Box::new(DelimitedWriter::new(out, b',')),
            Format::Tsv => Box::new(DelimitedWriter::new(out, b'\t')),
            Format::Json => Box::new(JsonWriter::new(out)),
            Format::Ndjson => Box::new(NdjsonWriter::new(out)),
            Format::Markdown => Box::new(MarkdownWriter::new(out)),
            Format::Chart => Box::new(PictureWriter::new(out, layout, false)),
            Format::Svg => Box::new(PictureWriter::new(out, layout, true)),
            Format::Line => {
                let width = layout.screen.map(|screen| screen.width);
                Box::new(LineWriter::new(out, width, &layout.about.asked))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use clap::ValueEnum as _;

    use super::*;

    /// A reader that went away, as `head` does.
    struct ClosedPipe;

    impl Write for ClosedPipe {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn formats_are_named_in_lower_case() {
        let names: Vec<String> = Format::value_variants()
            .iter()
            .filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()))
            .collect();
        assert_eq!(
            names,
            ["table", "csv", "tsv", "json", "ndjson", "markdown", "line", "chart", "svg"]
        );
    }

    #[test]
    fn every_format_reports_a_closed_pipe_as_one() {
        for format in Format::value_variants() {
            let mut out = ClosedPipe;
            let n = || "n".to_owned();
            let picture = Some(Sketch { is_curve: false, x: n(), y: n(), by: Vec::new() });
            let layout = Layout { picture, ..Layout::default() };
            let mut writer = format.writer(&mut out, &layout);
            let outcome = writer
                .columns(&[n()])
                .and_then(|()| writer.row(&[ValueRef::Integer(1)]))
                .and_then(|()| writer.finish());
            assert_eq!(outcome.map_err(|error| error.kind()), Err(ErrorKind::BrokenPipe));
        }
    }
}
