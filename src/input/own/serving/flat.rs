//! Results that are objects, one or several in a row. What is in a member that is an object counts by
//! its path, such as `request_latency/avg`. Members that are arrays, such as lists of every gap, are
//! passed over.

use std::collections::{BTreeMap, BTreeSet};

use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::findings::twice;
use crate::input::json::{JsonError, JsonReader, Kind, Scalar};
use crate::input::own::completion::Completion;
use crate::input::own::given::Given;
use crate::input::own::row::{ITL, Row, place};
use crate::input::own::said::Said;
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::Json;
use crate::measurement::check::Check;
use crate::measurement::columns::TEXT;

/// How many members of members a result may have.
const MOST_INNER: usize = 1 << 16;
/// Bytes of the longest path of a member of a member. What is deeper is passed over.
const LONGEST_PATH: usize = 256;

/// One result: its members as text, by their paths. The names of the outermost have `_` for `-`.
#[derive(Debug, Default)]
pub(super) struct Flat {
    line: u64,
    members: BTreeMap<String, String>,
    /// How many of them are members of members.
    inner: usize,
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

impl Flat {
    /// The members whose paths begin so, with the rest of their paths.
    pub fn inside<'f>(&'f self, path: &'f str) -> impl Iterator<Item = (&'f str, &'f str)> {
        let from = self.members.range(path.to_owned()..);
        from.map_while(move |(name, text)| Some((name.strip_prefix(path)?, text.as_str())))
    }
}

/// How a tool writes its results.
pub(super) struct Tool {
    /// Puts what its own names mean into a row. False where the result is none, as was reported.
    pub row: fn(&mut Reader<'_, '_>, &Flat, &Given, &mut Row) -> bool,
    /// What it says of all its results, by the name of the fact.
    pub say: fn(&Flat, &str) -> Option<String>,
    /// The member that counts requests that failed.
    pub failed: &'static str,
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
        failed += result.number(tool.failed).unwrap_or_default();
        let is_result = (tool.row)(reader, result, &document.given, &mut row);
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
        match json.peek()? {
            Kind::Array => json.skip()?,
            _ => result.member(reader, json, name, false)?,
        }
    }
    if result.inner > MOST_INNER {
        let found = format!("{} inner members", result.inner);
        reader.add(
            Check::DocumentForm,
            place(result.line, 0),
            found,
            format!("at most {MOST_INNER}"),
        );
    }
    Ok(result)
}

impl Flat {
    /// Reads the member that comes next, and what is inside it.
    fn member(
        &mut self,
        reader: &mut Reader<'_, '_>,
        json: &mut Json<'_>,
        path: String,
        is_inner: bool,
    ) -> Result<(), JsonError> {
        if is_inner && path.len() > LONGEST_PATH {
            return json.skip();
        }
        let text = match json.peek()? {
            Kind::Object => {
                json.begin_object()?;
                while let Some(name) = json.next_key()? {
                    let path = format!("{path}/{name}");
                    self.member(reader, json, path, true)?;
                }
                return Ok(());
            }
            Kind::Array => {
                json.begin_array()?;
                for at in 0.. {
                    if !json.next_element()? {
                        break;
                    }
                    self.member(reader, json, format!("{path}/{at}"), true)?;
                }
                return Ok(());
            }
            Kind::Text | Kind::Number | Kind::Boolean | Kind::Null => match json.scalar()? {
                Scalar::Text(text) | Scalar::Number(text) => text.to_owned(),
                Scalar::Boolean(is_so) => is_so.to_string(),
                Scalar::Null => return Ok(()),
            },
        };
        self.inner += usize::from(is_inner);
        if is_inner && self.inner > MOST_INNER {
            return Ok(());
        }
        if self.members.contains_key(&path) {
            reader.report.findings.add(twice("", &path));
        }
        self.members.insert(path, text);
        Ok(())
    }
}
