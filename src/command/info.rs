//! `energydb info`: the program and the data that it reads, what the figures mean, and how to cite them,
//! on one screen.

use std::io::Write;

use anyhow::Result;

use super::{DONE, open_database};
use crate::cli::Global;
use crate::database::location::Location;
use crate::database::release::Facts;
use crate::database::schema::SCHEMA_VERSION;
use crate::output::terminal;
use crate::signal::Signals;
use crate::text::{counted, printable};

/// Columns of the narrowest screen.
const WIDTH: usize = 80;
/// Columns of what each line is about.
const MARGIN: usize = 14;

pub(super) fn run(global: &Global, signals: &Signals) -> Result<u8> {
    let (connection, location) = open_database(global, signals)?;
    let facts = Facts::read(&connection)?;
    let tasks: u32 = connection.query_row("select count(*) from tasks", [], |row| row.get(0))?;
    let [configurations, models, gpus] = facts.counts;
    let mut lines = vec![
        ("program", format!("energydb {}, schema {SCHEMA_VERSION}", env!("CARGO_PKG_VERSION"))),
        ("database", where_it_is(&location)),
        (
            "release",
            format!(
                "{}, published {}, built by energydb {}",
                facts.data_version, facts.updated, facts.energydb_version
            ),
        ),
        (
            "contents",
            format!(
                "{} of {} on {} in {}",
                counted(configurations, "configuration"),
                counted(models, "model"),
                counted(gpus, "GPU"),
                counted(tasks.into(), "workload")
            ),
        ),
    ];
    if let Some(hash) = &facts.content_hash {
        lines.push(("content hash", hash.clone()));
    }
    if facts.findings > 0 {
        lines.push(("accepted", format!("{} of checks", counted(facts.findings, "finding"))));
    }
    for source in facts.data_sets() {
        let url = source.url.clone().map(|url| format!(", {url}")).unwrap_or_default();
        let licence = source.licence.clone().map(|name| format!(", {name}")).unwrap_or_default();
        lines.push(("source", format!("{}{url}{licence}", source.name)));
        let known = [("compiled", &source.compiled), ("cite", &source.cite)];
        lines.extend(known.into_iter().filter_map(|(name, text)| Some((name, text.clone()?))));
    }
    for method in methods(&facts) {
        lines.push(("measured", method.to_owned()));
    }
    lines.push(("left out", facts.caveat.clone()));
    let mut out = terminal::results();
    for (name, value) in lines {
        for (number, line) in wrapped(&printable(&value)).into_iter().enumerate() {
            writeln!(out, "{:<MARGIN$}{line}", if number == 0 { name } else { "" })?;
        }
    }
    out.flush()?;
    Ok(DONE)
}

/// The first sentence of each method, which says what was measured; the table of sources has the rest.
fn methods(facts: &Facts) -> Vec<&str> {
    let mut methods: Vec<&str> = Vec::new();
    for method in facts.sources.iter().filter_map(|source| source.method.as_deref()) {
        let first = method.find(". ").map_or(method, |end| &method[..=end]);
        if !methods.contains(&first) {
            methods.push(first);
        }
    }
    methods
}

fn where_it_is(location: &Location) -> String {
    match location {
        Location::File(path) => path.display().to_string(),
        Location::BuiltIn => format!("{location}, which 'energydb build' writes to a file"),
    }
}

/// The text in lines that leave room for the margin. A word that is longer stays whole.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        let length = line.chars().count() + 1 + word.chars().count();
        if line.is_empty() {
            line.push_str(word);
        } else if length <= WIDTH - MARGIN {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
