//! The README: its examples print what it shows, and it names every command and every query.
//!
//! An example is a block of the language `console`: a line `$ energydb …` and below it what is
//! printed. All run one after the other in one folder, which is empty at first. `[..]` stands for
//! anything in a line, `...` on a line of its own for any lines; a command of another name than
//! energydb is shown and not run. A block of the language `csv NAME` is a file of that name in the
//! folder.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use energydb::catalogue::Catalogue;
use energydb::cli::Cli;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

fn readme() -> String {
    fs::read_to_string(README).unwrap()
}

#[test]
fn every_example_prints_what_the_readme_shows() {
    let examples = readme().lines().filter(|line| line.starts_with("$ energydb ")).count();
    assert!(examples > 0, "the README shows no example");
    let (folder, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::env::set_current_dir(&folder).unwrap();
    for (name, content) in files(&readme()) {
        fs::write(name, content).unwrap();
    }
    let copy = beside.path().join("README.md");
    fs::write(&copy, with_ends(&readme())).unwrap();
    trycmd::TestCases::new()
        .register_bin("energydb", Path::new(env!("CARGO_BIN_EXE_energydb")))
        .env("ENERGYDB_DB", "")
        .case(copy)
        .run();
}

/// The files that the text shows, with their names.
fn files(text: &str) -> Vec<(&str, &str)> {
    let blocks = text.split("\n```csv ").skip(1);
    blocks
        .map(|block| {
            let (name, rest) = block.split_once('\n').unwrap();
            (name, &rest[..rest.find("```").unwrap()])
        })
        .collect()
}

/// The text with an empty line after what each example prints, by which the runner knows that it
/// ends with a line break. A reader does not need it.
fn with_ends(text: &str) -> String {
    let mut copy = String::new();
    let mut is_example = false;
    let mut has_printed = false;
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        let begins = is_fence || line.starts_with("$ ");
        if is_example && begins && has_printed {
            copy.push('\n');
        }
        has_printed = !begins
            && !["> ", "? "].iter().any(|start| line.starts_with(start))
            && !line.is_empty();
        if is_fence {
            is_example = !is_example && line.starts_with("```console");
        }
        copy.push_str(line);
        copy.push('\n');
    }
    copy
}

#[test]
fn every_query_and_every_command_stands_in_the_readme() {
    let readme = readme();
    let named = |name: &str| readme.contains(&format!("`{name}`"));
    for query in &Catalogue::built_in().unwrap().queries {
        assert!(named(&query.name), "the README does not name the query `{}`", query.name);
    }
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        assert!(
            named(name) || readme.contains(&format!("energydb {name}")),
            "the README does not name the command {name}"
        );
    }
}
