//! Reads results that are objects: one, several in a row, or an array of them.

use std::collections::BTreeSet;

use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::findings::Memory;
use crate::input::json::{JsonError, JsonReader, Kind};
use crate::input::own::completion::Completion;
use crate::input::own::flat::Flat;
use crate::input::own::given::Given;
use crate::input::own::row::{Row, place};
use crate::input::own::said::Said;
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::Json;
use crate::measurement::check::Check;
use crate::measurement::columns::{ITL, TEXT};

/// What tools say of each result, and a file is of one.
const OF_EACH: [&str; 3] = ["workload", "runtime", "runtime_version"];

/// MiB of results that are kept of one file.
const MOST_OF_A_FILE: usize = 64;

/// How a tool writes its results.
pub(super) struct Tool {
    /// Fills a row from the tool's own names. Returns false if the result is left out or unsound, which was
    /// reported.
    pub row: fn(&mut Reader<'_, '_>, &Flat, &Given, &mut Row) -> bool,
    /// What it says of all its results, by the name of the fact.
    pub say: fn(&Flat, &str) -> Option<String>,
    /// The member that counts requests that failed.
    pub failed: &'static str,
    /// What a result has that is not left out.
    pub taken: &'static str,
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
    let results = results(reader, &mut JsonReader::new(text).with_infinity())?;
    let mut completion = Completion::of(document);
    let mut said = Said::default();
    let mut missing = BTreeSet::new();
    let mut failed = 0.0;
    let mut left_out = 0;
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
        if !is_result && reader.report.findings.count == faults_before {
            left_out += 1;
            continue;
        }
        for name in OF_EACH.into_iter().filter(|name| result.text(name).is_none()) {
            if let Some(text) = (tool.say)(result, name) {
                said.put(reader, &TEXT, &mut row, name, &text);
            }
        }
        missing.extend(ITL.into_iter().filter(|name| row.get(&TEXT, name).is_none()));
        if reader.report.findings.count == faults_before {
            completion.take(reader, row);
        } else {
            completion.skip();
        }
    }
    if left_out == results.len() {
        reader.add(Check::Rows, "results", "none to take", tool.taken);
    } else if left_out > 0 {
        let all = results.len();
        completion.note(&format!(
            "{left_out} of {all} results are left out; energydb reads {}",
            tool.taken
        ));
    }
    if !missing.is_empty() {
        let missing: Vec<_> = missing.into_iter().collect();
        let keeps = tool.keeps_percentiles;
        completion.note(&format!("the result lacks {}; {keeps}", missing.join(", ")));
    }
    if failed > 0.0 {
        completion.note(&format!("{failed} requests failed; their energy is included"));
    }
    let first = results.into_iter().next().unwrap_or_default();
    Ok(completion.end(reader, |name| said.get(name).or_else(|| (tool.say)(&first, name))))
}

fn results(reader: &mut Reader<'_, '_>, json: &mut Json<'_>) -> Result<Vec<Flat>, JsonError> {
    let mut results = Vec::new();
    let mut memory = Memory::default();
    let mut read = |json: &mut Json<'_>| {
        let result = Flat::read(reader, json)?;
        memory.add(result.memory);
        memory.check(json, MOST_OF_A_FILE)?;
        results.push(result);
        Ok(())
    };
    if json.peek()? == Kind::Array {
        json.begin_array()?;
        while json.next_element()? {
            read(json)?;
        }
        json.finish()?;
        return Ok(results);
    }
    loop {
        read(json)?;
        if !json.begins_again()? {
            return Ok(results);
        }
    }
}
