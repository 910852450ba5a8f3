//! The command line of the named queries: one subcommand for each, one flag for each parameter.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};

use super::{Catalogue, Query};
use crate::catalogue::parameter::{Kind, Parameter};

/// Adds a subcommand for every query; its flags and explanation only where `is_wanted` says so, since
/// to make them all takes longer than many a query.
pub fn add(command: Command, catalogue: &Catalogue, is_wanted: impl Fn(&Query) -> bool) -> Command {
    command.subcommands(catalogue.queries.iter().map(|query| {
        let bare = Command::new(query.name.clone())
            .about(query.head.description.trim_end_matches('.').to_owned());
        if is_wanted(query) { explained(bare, query) } else { bare }
    }))
}

fn explained(command: Command, query: &Query) -> Command {
    let mut explanation = query.head.explanation.clone();
    for need in &query.head.needs {
        explanation = format!("{explanation}\n\n{}.", need.shown());
    }
    command
        .after_help(explanation.trim().to_owned())
        .args(query.head.parameters.iter().map(argument))
}

fn argument(parameter: &Parameter) -> Arg {
    let argument = Arg::new(parameter.name.clone())
        .long(parameter.flag())
        .value_name(parameter.kind.placeholder())
        .allow_negative_numbers(true);
    let help = match (parameter.shown_default(), &parameter.kind) {
        (Some(default), _) => format!("{} [default: {default}]", parameter.help),
        (None, _) => parameter.help.clone(),
    };
    let argument = argument.help(help);
    match &parameter.kind {
        Kind::Boolean => argument
            .num_args(0..=1)
            .default_missing_value("true")
            .value_parser(PossibleValuesParser::new(["true", "false"]))
            .hide_possible_values(true),
        Kind::OneOf(choices) => argument
            .value_parser(PossibleValuesParser::new(choices.clone()))
            .ignore_case(true)
            .hide_possible_values(true),
        _ => argument,
    }
}

/// The words given for a query's parameters.
pub fn word(matches: &ArgMatches, name: &str) -> Option<String> {
    matches.get_one::<String>(name).cloned()
}
