//! Sentences in help, errors, notes and pages are short.
//!
//! A sentence ends at `.`, `!`, `?`, `:` or `;` before a blank, and at the end of its paragraph, its list item
//! or its text. Examples, tables and pictures are not counted.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, CommandFactory};
use energydb::catalogue::Catalogue;
use energydb::cli::Cli;

use super::{PROJECT, REFERENCE, pages};

/// The most words of a sentence.
const WORDS: usize = 30;

/// The beginnings of sentences that may be longer, with the reason.
const EXCEPTIONS: [(&str, &str); 1] =
    [("the types are text, integer, real", "the list of every type of a parameter")];

/// The sentences of a text that are too long.
fn long(text: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    for line in text.lines() {
        let words = line.trim();
        let begins = words.is_empty()
            || ["- ", "# ", "## ", "### ", "| ", "$ ", "--", "![", "energydb "]
                .iter()
                .any(|mark| words.starts_with(mark));
        if begins {
            sentences.push(String::new());
        }
        if words.starts_with(['|', '$']) || words.starts_with("![") {
            continue;
        }
        for word in words.split_whitespace() {
            let sentence = sentences.last_mut().unwrap();
            sentence.push_str(word);
            sentence.push(' ');
            if word
                .trim_end_matches(['`', '*', ')', '\'', '"'])
                .ends_with(['.', '!', '?', ':', ';'])
            {
                sentences.push(String::new());
            }
        }
    }
    sentences.retain(|sentence| {
        sentence.split_whitespace().count() > WORDS
            && !EXCEPTIONS.iter().any(|(start, _)| sentence.starts_with(start))
    });
    sentences
}

/// The text without its blocks of code.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

fn assert_short(place: &str, text: &str) {
    assert_eq!(long(text), Vec::<String>::new(), "{place} has sentences of over {WORDS} words");
}

#[test]
fn a_long_sentence_is_found_and_a_short_one_is_not() {
    let words = |number: usize| vec!["word"; number].join(" ");
    assert_eq!(long(&words(30)), Vec::<String>::new());
    assert_eq!(long(&words(31)).len(), 1);
    assert_eq!(long(&format!("{}. {}", words(20), words(20))), Vec::<String>::new());
    assert_eq!(long(&format!("{}\n{}", words(20), words(20))).len(), 1);
    assert_eq!(long(&format!("{}\n\n{}", words(20), words(20))), Vec::<String>::new());
    assert_eq!(long(&format!("{}\n  - {}", words(20), words(20))), Vec::<String>::new());
}

/// Pages outside of the folder docs.
const OTHER_PAGES: [&str; 5] =
    ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "NOTICE", "benches/README.md"];

#[test]
fn no_sentence_of_a_page_is_long() {
    let project = Path::new(PROJECT);
    let of_a_release = fs::read_dir(project.join("src/release/pages")).unwrap();
    let of_a_release = of_a_release.map(|entry| entry.unwrap().path());
    let others = OTHER_PAGES
        .map(|name| project.join(name))
        .into_iter()
        .chain(of_a_release.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    let others = others.map(|path| (path.clone(), fs::read_to_string(path).unwrap()));
    for (path, text) in pages().into_iter().chain(others) {
        if !path.ends_with(REFERENCE) {
            assert_short(&path.display().to_string(), &prose(&text));
        }
    }
}

#[test]
fn no_sentence_of_the_help_of_a_command_is_long() {
    let command = Cli::command();
    for command in std::iter::once(&command).chain(command.get_subcommands()) {
        let texts = [
            command.get_about(),
            command.get_long_about(),
            command.get_after_help(),
            command.get_after_long_help(),
        ];
        let of_flags = command.get_arguments().flat_map(help_of);
        for text in texts.into_iter().flatten().map(ToString::to_string).chain(of_flags) {
            assert_short(&format!("energydb {} --help", command.get_name()), &text);
        }
    }
}

fn help_of(flag: &Arg) -> Vec<String> {
    let texts = [flag.get_help(), flag.get_long_help()];
    texts.into_iter().flatten().map(ToString::to_string).collect()
}

#[test]
fn no_sentence_of_the_help_of_a_query_is_long() {
    for query in &Catalogue::built_in().queries {
        let head = &query.head;
        let place = format!("energydb query {} --help", query.name);
        assert_short(&place, &head.description);
        assert_short(&place, &head.explanation);
        let helps = head.parameters.iter().map(|parameter| parameter.help.as_str());
        let answers = head.examples.iter().map(|example| example.answers.as_str());
        for text in helps.chain(answers).chain(head.no_rows.as_deref()) {
            assert_short(&place, text);
        }
    }
}

#[test]
fn no_sentence_of_the_dictionary_or_of_a_view_is_long() {
    let migrations = Path::new(PROJECT).join("migrations");
    let mut dictionary = csv::Reader::from_path(migrations.join("dictionary.csv")).unwrap();
    for entry in dictionary.records().map(Result::unwrap) {
        assert_short(&format!("{} {}", &entry[0], &entry[1]), &entry[2]);
    }
    let views = fs::read_dir(migrations.join("views")).unwrap().map(|entry| entry.unwrap().path());
    for path in views {
        let sql = fs::read_to_string(&path).unwrap();
        let comment = sql.lines().filter_map(|line| line.trim_start().strip_prefix("-- "));
        assert_short(&path.display().to_string(), &comment.collect::<Vec<_>>().join("\n"));
    }
}

#[test]
fn no_sentence_of_an_error_or_a_note_is_long() {
    let mut literals = 0;
    for path in sources(&Path::new(PROJECT).join("src")) {
        let source = fs::read_to_string(&path).unwrap();
        let source = source.split("\n#[cfg(test)]\nmod tests").next().unwrap();
        for text in literals_of(source) {
            literals += 1;
            // A statement is for SQLite.
            let is_sql = ["select ", "insert ", "with ", "create ", "update "];
            if !is_sql.iter().any(|word| text.trim_start().starts_with(word)) {
                assert_short(&path.display().to_string(), &text);
            }
        }
    }
    assert!(literals > 1000, "{literals}");
}

/// Every Rust file of a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

/// The text of every string of a Rust source, its lines joined as Rust joins them.
fn literals_of(source: &str) -> Vec<String> {
    let mut literals = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let (before, found) = rest.split_at(at);
        if found.starts_with("//") {
            rest = found.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(character) =
            ["'\"'", "'\\''", "'/'", "'\\\\'"].iter().find(|text| found.starts_with(**text))
        {
            rest = &found[character.len()..];
        } else if !found.starts_with('"') {
            rest = &found[1..];
        } else if before.ends_with('r') || before.ends_with('#') {
            let hashes = before.len() - before.trim_end_matches('#').len();
            let (text, after) =
                found[1..].split_once(&format!("\"{}", "#".repeat(hashes))).unwrap();
            literals.push(text.to_owned());
            rest = after;
        } else {
            let mut text = String::new();
            let mut characters = found[1..].char_indices();
            let mut is_joining = false;
            let end = loop {
                let (at, character) = characters.next().unwrap();
                is_joining &= character.is_whitespace();
                match character {
                    '"' => break at,
                    '\\' => match characters.next().unwrap().1 {
                        '\n' => is_joining = true,
                        'n' => text.push('\n'),
                        other => text.push(other),
                    },
                    _ if is_joining => {}
                    other => text.push(other),
                }
            };
            literals.push(text);
            rest = &found[end + 2..];
        }
    }
    literals
}
