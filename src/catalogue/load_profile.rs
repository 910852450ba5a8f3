//! A load profile: the changing demand of one day, read from a CSV file for a query to sum over.
//!
//! The file has the header `hours,tokens_per_second` and one row for every part of the day, whose
//! hours add up to 24. A query gets it as JSON, an array of objects with these two members, so that
//! any client of the database can bind the same.

use std::fs::File;
use std::io::{self, Read};

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::catalogue::range::Range;

const HEADER: [&str; 2] = ["hours", "tokens_per_second"];
/// More than a day of parts can take, however it is written.
const MOST_BYTES: u64 = 1 << 20;
/// A part for every minute.
const MOST_PARTS: usize = 24 * 60;
/// The limits on the values of a row; the demand's are those of a plan: of less, the
/// energy per token has no end.
const LIMITS: [&str; 2] = ["above 0 up to 24", "from 1e-6 up to 1e12"];
/// How far the hours may add up to another number than 24, for parts such as a third of an hour.
const ROOM_HOURS: f64 = 1e-6;

#[derive(Debug, PartialEq, Serialize)]
struct Part {
    hours: f64,
    tokens_per_second: f64,
}

/// Reads the file, standard input for `-`, and gives it as JSON.
///
/// # Errors
/// When it cannot be read or is no load profile, with the line that is wrong.
pub fn read(file: &str) -> Result<String> {
    let (shown, content): (&str, Box<dyn Read>) = if file == "-" {
        ("standard input", Box::new(io::stdin()))
    } else {
        let opened =
            File::open(file).with_context(|| format!("could not read the load profile: {file}"))?;
        (file, Box::new(opened))
    };
    let parts = parse(content).with_context(|| format!("not a load profile: {shown}"))?;
    Ok(serde_json::to_string(&parts)?)
}

fn parse(content: impl Read) -> Result<Vec<Part>> {
    let mut bytes = Vec::new();
    content.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        bail!("it is longer than {MOST_BYTES} bytes");
    }
    let text = str::from_utf8(&bytes).context("it is not UTF-8")?;
    // Rows of another length are reported here, in our words.
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
    if !reader.headers()?.iter().eq(HEADER) {
        bail!("line 1 must be the header {}", HEADER.join(","));
    }
    let [hours, tokens_per_second] = LIMITS.map(Range::parse);
    let (hours, tokens_per_second) = (hours?, tokens_per_second?);
    let mut parts = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = line_of(&record, &bytes);
        if record.len() != HEADER.len() {
            bail!("line {line} has {} values; expected {}", record.len(), HEADER.join(","));
        }
        if parts.len() == MOST_PARTS {
            bail!(
                "line {line}: too many rows; at most {MOST_PARTS} are allowed, one for each minute"
            );
        }
        parts.push(Part {
            hours: number(&record[0], HEADER[0], &hours, line)?,
            tokens_per_second: number(&record[1], HEADER[1], &tokens_per_second, line)?,
        });
    }
    if parts.is_empty() {
        bail!("it has no rows after the header");
    }
    let hours: f64 = parts.iter().map(|part| part.hours).sum();
    if (hours - 24.0).abs() > ROOM_HOURS {
        bail!("the hours add up to {hours}, not to 24");
    }
    Ok(parts)
}

/// The line of a record. The reader gives that of the empty lines before it, which it skips.
fn line_of(record: &csv::StringRecord, bytes: &[u8]) -> usize {
    let begin = record.position().map_or(0, |position| position.byte() as usize);
    let (before, after) = bytes.split_at(begin.min(bytes.len()));
    let empty = after.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    1 + before.iter().chain(empty).filter(|byte| **byte == b'\n').count()
}

fn number(word: &str, column: &str, limits: &Range, line: usize) -> Result<f64> {
    match word.parse::<f64>() {
        Ok(number) if limits.holds(number) => Ok(number),
        _ => bail!("line {line}: {column} is '{word}'; expected {}", limits.shown("a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_of_parts_is_read_as_it_stands() {
        let expected = [(8.0, 300.5), (16.0, 5e4)]
            .map(|(hours, tokens_per_second)| Part { hours, tokens_per_second });
        for text in [
            "hours,tokens_per_second\n8,300.5\n16,5e4\n",
            "\u{feff}hours,tokens_per_second\r\n 8 , 300.5\r\n16,\"50000\"",
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap(), expected, "{text:?}");
        }
        let thirds = format!("hours,tokens_per_second\n{}", "0.3333333333,7\n".repeat(72));
        assert_eq!(parse(thirds.as_bytes()).unwrap().len(), 72);
    }

    #[test]
    fn anything_else_is_refused_with_its_line() {
        let header = "hours,tokens_per_second\n";
        for (text, reason) in [
            (String::new(), "line 1 must be the header"),
            ("x".repeat(2 << 20), "it is longer than 1048576 bytes"),
            ("tokens_per_second,hours\n5,24\n".into(), "line 1 must be the header"),
            ("hours;tokens_per_second\n24;5\n".into(), "line 1 must be the header"),
            (header.into(), "it has no rows"),
            (format!("{header}12,5\n"), "add up to 12, not to 24"),
            (format!("{header}12,5\n12,0\n"), "line 3: tokens_per_second is '0'; expected"),
            (format!("{header}12,5\n\n12,x\n"), "line 4: tokens_per_second is 'x'"),
            (format!("{header}\r\n\r\n12,5\r\n12,x"), "line 5: tokens_per_second is 'x'"),
            (format!("{header}24,inf\n"), "line 2: tokens_per_second is 'inf'"),
            (format!("{header}24,nan\n"), "line 2: tokens_per_second is 'nan'"),
            (format!("{header}24,2e12\n"), "expected a number from 1e-6 up to 1e12"),
            (format!("{header}24,1e-7\n"), "expected a number from 1e-6 up to 1e12"),
            (format!("{header}-24,5\n48,5\n"), "line 2: hours is '-24'"),
            (
                format!("{header}25,5\n"),
                "line 2: hours is '25'; expected a number above 0 up to 24",
            ),
            (format!("{header}24\n"), "line 2 has 1 values"),
            (format!("{header}24,5,6\n"), "line 2 has 3 values"),
            (format!("{header}{}", "0.01,5\n".repeat(1441)), "line 1442: too many rows"),
        ] {
            let error = format!("{:#}", parse(text.as_bytes()).unwrap_err());
            assert!(error.contains(reason), "{text:?} gave {error:?}");
        }
    }
}
