//! The command line of the named queries: one subcommand for each, one flag for each parameter.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args as _, Command};

use super::{Catalogue, Query};
use crate::catalogue::parameter::{Kind, Parameter};
use crate::cli::Selection;
use crate::text::paragraphs;

/// Words that ask for help, which lists all queries.
const HELP: [&str; 3] = ["help", "--help", "-h"];

/// Adds a subcommand for every query whose name is among the words wanted. If none is, or help is wanted,
/// the other queries get one without flags and explanation.
pub fn add(command: Command, catalogue: &Catalogue, is_wanted: impl Fn(&str) -> bool) -> Command {
    let queries = &catalogue.queries;
    let lists_all =
        HELP.into_iter().any(&is_wanted) || !queries.iter().any(|query| is_wanted(&query.name));
    command.subcommands(queries.iter().filter_map(|query| {
        let bare = || {
            Command::new(query.name.clone())
                .about(query.description().trim_end_matches('.').to_owned())
        };
        match is_wanted(&query.name) {
            true => Some(explained(bare(), query)),
            false => lists_all.then(bare),
        }
    }))
}

fn explained(command: Command, query: &Query) -> Command {
    // A query's own parameter takes the place of a shared flag of that name.
    let shared = Selection::augment_args(Command::new(query.name.clone()));
    let shared = shared.get_arguments().filter(|flag| !query.takes(flag.get_id().as_str()));
    command
        .after_help("--help explains, and shows examples")
        .after_long_help(explanation(query))
        .args(query.head.parameters.iter().map(argument))
        .args(shared)
}

/// What the whole help says of a query after its flags.
fn explanation(query: &Query) -> String {
    let mut parts = vec![paragraphs(&query.head.explanation)];
    parts.extend(query.head.needs.iter().map(|need| format!("{}.", need.shown())));
    if !query.head.examples.is_empty() {
        let examples = query.head.examples.iter().map(|example| {
            let line = format!("energydb query {} {}", query.name, example.arguments);
            format!("{}\n      {}", folded(line.trim_end()), example.answers)
        });
        parts.push(format!("Examples:\n{}", examples.collect::<Vec<_>>().join("\n")));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// A command line in lines of 80 columns, as a shell reads it: a backslash carries it on.
fn folded(line: &str) -> String {
    const WIDTH: usize = 80;
    let mut lines = vec!["  ".to_owned()];
    for word in line.split(' ') {
        let Some(last) = lines.last_mut() else { break };
        // A blank before the word, and a blank and a backslash after it.
        if last.chars().count() + word.chars().count() + 3 > WIDTH {
            last.push_str(" \\");
            lines.push(format!("          {word}"));
        } else {
            last.push_str(if last.trim().is_empty() { "" } else { " " });
            last.push_str(word);
        }
    }
    lines.join("\n")
}

fn argument(parameter: &Parameter) -> Arg {
    let argument = Arg::new(parameter.name.clone())
        .long(parameter.flag())
        .aliases(parameter.aliases.clone())
        .value_name(parameter.kind.placeholder())
        .allow_negative_numbers(true);
    let mut help = parameter.help.clone();
    if let Some(default) = parameter.shown_default() {
        help = format!("{help} [default: {default}]");
    }
    for alias in &parameter.aliases {
        help = format!("{help} [also: --{alias}]");
    }
    let argument = argument.help(help);
    match &parameter.kind {
        Kind::Boolean => argument
            .num_args(0..=1)
            .default_missing_value("true")
            .value_parser(PossibleValuesParser::new(["true", "false"]))
            .ignore_case(true)
            .hide_possible_values(true),
        _ => argument,
    }
}

/// The words given for a query's parameters.
pub fn word(matches: &ArgMatches, name: &str) -> Option<String> {
    matches.get_one::<String>(name).cloned()
}

/// What is chosen of the rows: by the flags behind the query's name, else by those before it.
pub fn selection(named: Option<(&Query, &ArgMatches)>, before: &Selection) -> Selection {
    let Some((query, matches)) = named else { return before.clone() };
    let has = |flag: &str| !query.takes(flag);
    let text = |flag: &str| has(flag).then(|| matches.get_one::<String>(flag)).flatten().cloned();
    let is_set = |flag: &str| has(flag) && matches.get_flag(flag);
    Selection {
        limit: has("limit").then(|| matches.get_one("limit")).flatten().copied().or(before.limit),
        sort: text("sort").or_else(|| before.sort.clone()),
        columns: text("columns").or_else(|| before.columns.clone()),
        output: has("output")
            .then(|| matches.get_one("output"))
            .flatten()
            .cloned()
            .or_else(|| before.output.clone()),
        json: is_set("json") || before.json,
        csv: is_set("csv") || before.csv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries_of(words: &[&str]) -> usize {
        let is_wanted = |name: &str| words.contains(&name);
        let command = add(Command::new("query"), &Catalogue::built_in(), is_wanted);
        command.get_subcommands().count()
    }

    #[test]
    fn all_queries_are_listed_unless_one_is_named() {
        let all = Catalogue::built_in().queries.len();
        assert_eq!(queries_of(&["query", "best"]), 1);
        assert_eq!(queries_of(&["query", "best", "compare"]), 2);
        assert_eq!(queries_of(&["query"]), all);
        assert_eq!(queries_of(&["query", "nothing"]), all);
        assert_eq!(queries_of(&["query", "--help", "best"]), all);
        assert_eq!(queries_of(&["help", "query", "best"]), all);
    }
}
