//! Results that are flat objects, one or several in a row. Members that are objects or arrays, such as
//! lists of every gap, are passed over.

use std::collections::{BTreeMap, BTreeSet};

use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::findings::twice;
use crate::input::json::{JsonError, JsonReader, Kind, Scalar};
use crate::input::own::completion::Completion;
use crate::input::own::row::{ITL, Row, place};
use crate::input::own::said::Said;
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::Json;
use crate::measurement::columns::TEXT;

/// One result: its members as text, by their names with `_` for `-`.
#[derive(Debug, Default)]
pub(super) struct Flat {
    line: u64,
    members: BTreeMap<String, String>,
}

impl Flat {
    /// The text or number of a member.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.members.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// A member that is a number above 0, or the text of one.
    pub fn number(&self, name: &str) -> Option<f64> {
        let number: f64 = self.text(name)?.parse().ok()?;
        Some(number).filter(|number| number.is_finite() && *number > 0.0)
    }
}

/// How a tool writes its results.
pub(super) struct Tool {
    /// Puts what its own names mean into a row. False where the result is none, as was reported.
    pub row: fn(&mut Reader<'_, '_>, &Flat, &mut Row) -> bool,
    /// What it says of all its results, by the name of the fact.
    pub say: fn(&Flat, &str) -> Option<String>,
    /// How it keeps the percentiles that it leaves out otherwise.
    pub keeps_percentiles: &'static str,
}

/// Reads the results of a tool.
pub(super) fn read(
    reader: &mut Reader<'_, '_>,
    text: Text<'_>,
    document: &Document,
    tool: &Tool,
) -> Result<Head, JsonError> {
    let results = results(reader, &mut JsonReader::new(text))?;
    let mut completion = Completion::of(document);
    let mut said = Said::default();
    let mut missing = BTreeSet::new();
    let mut failed = 0.0;
    for (position, result) in (0..).zip(&results) {
        let place = if results.len() == 1 { String::new() } else { place(result.line, position) };
        let mut row = Row::at(place, position);
        let faults_before = reader.report.findings.count;
        for (name, text) in &result.members {
            // A tool writes 0 for what it did not measure.
            let is_nothing = text.is_empty() || text.parse() == Ok(0.0);
            if !is_nothing {
                said.put(reader, &TEXT, &mut row, name, text);
            }
        }
        failed += result.number("failed").unwrap_or_default();
        let is_result = (tool.row)(reader, result, &mut row);
        missing.extend(ITL.into_iter().filter(|name| row.get(&TEXT, name).is_none()));
        if is_result && reader.report.findings.count == faults_before {
            completion.take(reader, row);
        } else {
            completion.skip();
        }
    }
    if !missing.is_empty() {
        let missing: Vec<_> = missing.into_iter().collect();
        let keeps = tool.keeps_percentiles;
        completion.note(&format!("it has no {}; {keeps}", missing.join(", ")));
    }
    if failed > 0.0 {
        completion.note(&format!("requests failed: {failed}; their energy counts, too"));
    }
    let first = results.into_iter().next().unwrap_or_default();
    Ok(completion.end(reader, |name| said.get(name).or_else(|| (tool.say)(&first, name))))
}

fn results(reader: &mut Reader<'_, '_>, json: &mut Json<'_>) -> Result<Vec<Flat>, JsonError> {
    let mut results = Vec::new();
    loop {
        results.push(result(reader, json)?);
        if !json.begins_again()? {
            return Ok(results);
        }
    }
}

fn result(reader: &mut Reader<'_, '_>, json: &mut Json<'_>) -> Result<Flat, JsonError> {
    json.begin_object()?;
    let mut result = Flat { line: json.token_place().line, ..Flat::default() };
    while let Some(name) = json.next_key()? {
        let name = name.replace('-', "_");
        let text = match json.peek()? {
            Kind::Object | Kind::Array => {
                json.skip()?;
                continue;
            }
            Kind::Text | Kind::Number | Kind::Boolean | Kind::Null => match json.scalar()? {
                Scalar::Text(text) | Scalar::Number(text) => text.to_owned(),
                Scalar::Boolean(is_so) => is_so.to_string(),
                Scalar::Null => continue,
            },
        };
        if result.members.contains_key(&name) {
            reader.report.findings.add(twice("", &name));
        }
        result.members.insert(name, text);
    }
    Ok(result)
}
