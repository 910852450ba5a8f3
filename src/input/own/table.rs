//! A plain table of own measurements: CSV or JSON lines with the names of the database's columns. It is for
//! measurements that no other module reads.
//!
//! Lines of CSV that begin with `#` are skipped. Cells are separated by commas, semicolons or tabs. An empty
//! cell, or a member that is null or missing, has no value. Facts of the whole file, such as its task, must
//! be the same in every row that has them.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Read};

use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::findings::twice;
use crate::input::json::{JsonError, JsonReader, Kind as Json, Scalar};
use crate::input::kind::{BEGINNING, DocumentKind, Holds, Survey};
use crate::input::own::completion::Completion;
use crate::input::own::given::{self, of_file};
use crate::input::own::row::{NAMES, Row, place};
use crate::input::own::said::Said;
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::measurement::check::Check;
use crate::measurement::columns::Table;
use crate::measurement::product::Product;

/// This kind of document.
pub(in crate::input) static KIND: DocumentKind = DocumentKind {
    name: "table",
    called: "a table of own measurements",
    holds: Holds::Own,
    may_be_unstable: false,
    may_repeat: false,
    has_tasks: false,
    is: |survey: &Survey| survey.table.is_some(),
    read,
};

/// Columns of which a table has one, and no other file that is read here.
const TELLING: [&str; 5] = [
    "joules_per_output_token",
    "joules_per_output",
    "tokens_per_second",
    "outputs_per_second",
    "power_watts",
];
/// Names of which no table has any, and every result of a serving benchmark one.
const OF_A_SERVING_BENCHMARK: [&str; 2] = ["output_throughput", "output_tput_per_gpu"];
/// What parts the cells of a line.
const DELIMITERS: [u8; 3] = *b",;\t";
/// Some editors begin a file with it.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
/// Bytes of the longest line of JSON.
const LONGEST_LINE: u64 = 1 << 20;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Cells parted by this byte, under a header.
    Cells(u8),
    /// A JSON object in each line.
    Lines,
}

/// What the beginning of a table shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::input) struct Look {
    layout: Layout,
    /// What its configurations make.
    pub product: Product,
    /// Its task, where its first row says it.
    pub task: Option<String>,
    /// Its source, where its first row says it.
    pub source: Option<String>,
}

/// Looks at the beginning of a document, or `None` if it is not a table.
pub(in crate::input) fn look(beginning: &[u8]) -> Option<Look> {
    let beginning = beginning.strip_prefix(BYTE_ORDER_MARK).unwrap_or(beginning);
    let is_read = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    let mut lines = beginning.split(|byte| *byte == b'\n').filter(is_read);
    let first = lines.next()?;
    let (layout, columns, row) = if first.trim_ascii_start().starts_with(b"{") {
        let row = members(first, &mut |_| {}).ok()?;
        (Layout::Lines, row.iter().map(|(name, _)| name.clone()).collect(), row)
    } else {
        let header = |delimiter| cells(first, delimiter);
        let count =
            |delimiter: &u8| header(*delimiter).iter().filter(|name| is_column(name)).count();
        let delimiter = DELIMITERS.into_iter().rev().max_by_key(count)?;
        let columns = header(delimiter);
        let row = lines.next().map_or(Vec::new(), |line| cells(line, delimiter));
        let row = columns.iter().cloned().zip(row).collect();
        (Layout::Cells(delimiter), columns, row)
    };
    let has = |name: &str| columns.iter().any(|column| column == name);
    let known = columns.iter().filter(|name| is_column(name)).count();
    if known < 2 || !TELLING.into_iter().any(has) || OF_A_SERVING_BENCHMARK.into_iter().any(has) {
        return None;
    }
    let is_of_diffusion =
        ["joules_per_output", "outputs_per_second", "batch_latency_s", "batch_size"];
    let may_be = |product: &Product| match product {
        Product::Tokens => true,
        Product::Images => is_of_diffusion.into_iter().any(has),
        Product::Videos => is_of_diffusion.into_iter().any(has) && has("num_frames"),
    };
    // The last has the most columns of its own.
    let product = Product::all().filter(may_be).last().unwrap_or_default();
    let cell = |name: &str| {
        let cell = row.iter().find(|(column, _)| column == name);
        let text = cell.map(|(_, text)| text.trim().to_owned());
        text.filter(|text| given::fault(name, text).is_none())
    };
    Some(Look { layout, product, task: cell("task"), source: cell("source") })
}

fn is_column(name: &str) -> bool {
    let of_tables =
        || Table::all().flat_map(|table| table.columns).any(|column| column.name == name);
    NAMES.contains(&name) || of_file().any(|fact| fact == name) || of_tables()
}

/// The cells of one line.
fn cells(line: &[u8], delimiter: u8) -> Vec<String> {
    let mut builder = csv::ReaderBuilder::new();
    builder.has_headers(false).delimiter(delimiter).trim(csv::Trim::All);
    let first = builder.from_reader(line).into_records().next();
    let record = first.and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}

/// The members of the object in a line that say something, as text. A name that is there twice goes
/// to `again`.
fn members(line: &[u8], again: &mut dyn FnMut(&str)) -> Result<Vec<(String, String)>, JsonError> {
    let mut json = JsonReader::new(line);
    let mut members = Vec::new();
    let mut names = HashSet::new();
    json.begin_object()?;
    while let Some(name) = json.next_key()? {
        let name = name.to_owned();
        if !names.insert(name.clone()) {
            again(&name);
        }
        if matches!(json.peek()?, Json::Object | Json::Array) {
            // A scalar must come, as the error says.
            json.scalar()?;
        }
        match json.scalar()? {
            Scalar::Text(text) | Scalar::Number(text) => members.push((name, text.to_owned())),
            Scalar::Boolean(value) => members.push((name, value.to_string())),
            Scalar::Null => {}
        }
    }
    json.finish()?;
    Ok(members)
}

/// A table as it is read.
struct Rows<'r, 'd> {
    completion: Completion<'d>,
    table: &'static Table,
    /// What the rows so far say of the whole file.
    said: Said,
    text: Text<'r>,
    position: u32,
}

fn read(
    reader: &mut Reader<'_, '_>,
    text: Text<'_>,
    document: &Document,
) -> Result<Head, JsonError> {
    let mut text = text;
    // The survey looked at the same bytes.
    let mut beginning = Vec::new();
    text.by_ref().take(BEGINNING).read_to_end(&mut beginning).map_err(JsonError::Read)?;
    let Some(Look { layout, .. }) = look(&beginning) else {
        reader.add(Check::Table, "line 1", "another header", "the header of the first reading");
        return Ok(Head::default());
    };
    let text: Text<'_> = Box::new(io::Cursor::new(beginning).chain(text));
    let completion = Completion::of(document);
    let table = document.form.product.table();
    let mut rows = Rows { completion, table, said: Said::default(), text, position: 0 };
    match layout {
        Layout::Cells(delimiter) => rows.cells(reader, delimiter)?,
        Layout::Lines => rows.lines(reader)?,
    }
    if rows.position == 0 {
        reader.add(Check::Rows, "line 2", "no rows", "at least one");
    }
    let said = rows.said;
    Ok(rows.completion.end(reader, |name| said.get(name)))
}

impl Rows<'_, '_> {
    fn cells(&mut self, reader: &mut Reader<'_, '_>, delimiter: u8) -> Result<(), JsonError> {
        let text = std::mem::replace(&mut self.text, Box::new(io::empty()));
        let mut builder = csv::ReaderBuilder::new();
        builder.delimiter(delimiter).comment(Some(b'#')).trim(csv::Trim::All);
        let mut csv = builder.from_reader(text);
        let header = match csv.headers() {
            Ok(header) => header.clone(),
            Err(error) => return broken(reader, error),
        };
        let mut names = HashSet::new();
        for name in &header {
            if !names.insert(name) {
                reader.report.findings.add(twice("header", name));
            }
        }
        for record in csv.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) => return broken(reader, error),
            };
            let line = record.position().map_or(0, csv::Position::line);
            let cells = header.iter().zip(&record).filter(|(_, text)| !text.is_empty());
            self.row(reader, line, cells);
        }
        Ok(())
    }

    fn lines(&mut self, reader: &mut Reader<'_, '_>) -> Result<(), JsonError> {
        let text = std::mem::replace(&mut self.text, Box::new(io::empty()));
        let mut text = BufReader::new(text);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = text.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            if read.map_err(JsonError::Read)? == 0 {
                break;
            }
            let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line);
            if line.trim_ascii().is_empty() {
                continue;
            }
            let mut again = |name: &str| {
                reader.report.findings.add(twice(&format!("line {number}"), name));
            };
            match members(line, &mut again) {
                Ok(members) => {
                    let cells = members.iter().map(|(name, text)| (name.as_str(), text.trim()));
                    self.row(reader, number, cells);
                }
                Err(JsonError::Syntax { mut place, message }) => {
                    place.line = number;
                    return Err(JsonError::Syntax { place, message });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads one row, of cells under their names.
    fn row<'c>(
        &mut self,
        reader: &mut Reader<'_, '_>,
        line: u64,
        cells: impl Iterator<Item = (&'c str, &'c str)>,
    ) {
        let mut row = Row::at(place(line, self.position), self.position);
        self.position += 1;
        let faults_before = reader.report.findings.count;
        for (name, text) in cells {
            if !self.said.put(reader, self.table, &mut row, name, text) {
                reader.report.findings.add_unknown(name);
            }
        }
        if reader.report.findings.count == faults_before {
            self.completion.take(reader, row);
        }
    }
}

/// Reports a table that is not one of cells, or fails where it cannot be read.
fn broken(reader: &mut Reader<'_, '_>, error: csv::Error) -> Result<(), JsonError> {
    let place = error
        .position()
        .map_or_else(|| "the table".to_owned(), |position| format!("line {}", position.line()));
    match error.into_kind() {
        csv::ErrorKind::Io(error) => return Err(JsonError::Read(error)),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let expected = format!("{expected_len}, as in the header");
            reader.add(Check::Table, place, format!("{len} cells"), expected);
        }
        csv::ErrorKind::Utf8 { .. } => {
            reader.add(Check::Table, place, "text that is not UTF-8", "UTF-8");
        }
        other => reader.add(Check::Table, place, format!("{other:?}"), "a line of cells"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_known_by_its_columns_whatever_parts_its_cells() {
        for (text, product) in [
            ("gpu,power_watts\nH100,1\n", Product::Tokens),
            ("# first\n\u{a}gpu;tokens_per_second;task\nH100;1;a\n", Product::Tokens),
            ("\u{feff}gpu\tjoules_per_output\tnum_frames\n", Product::Videos),
            ("batch_size,joules_per_output\n", Product::Images),
            ("{\"gpu\": \"H100\", \"power_watts\": 5}\n{", Product::Tokens),
        ] {
            assert_eq!(look(text.as_bytes()).map(|look| look.product), Some(product), "{text}");
        }
        for text in [
            "",
            "[1]",
            "{",
            "power_watts\n1\n",
            "gpu,watts\n",
            "{\"task\": \"t\", \"configurations\": []}",
            "{\"model_id\": \"a\", \"num_gpus\": 1, \"p99_itl_ms\": 2}",
            "{\"gpu\": \"H100\", \"power_watts\": [5]}",
        ] {
            assert_eq!(look(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_first_row_of_a_table_says_its_task_and_source() {
        let table = look(b"task,power_watts,source\n chat ,1,lab\n").unwrap();
        assert_eq!((table.task.as_deref(), table.source.as_deref()), (Some("chat"), Some("lab")));
        let table = look(b"task,power_watts,source\n,1,published\n").unwrap();
        assert_eq!((table.task, table.source), (None, None));
    }
}
