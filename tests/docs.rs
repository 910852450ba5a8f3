//! The pages that people read: README.md and those of the folder docs.
//!
//! An example is a block of the language `console`. It has a line `$ energydb …`, which may continue after a
//! backslash, and the output in a terminal of 80 columns. A line `...` matches any lines. The examples of a page
//! run one after the other in an empty folder. A block of the language `csv NAME` or `json NAME` is a file in
//! that folder. The pictures of a page are written by its examples.
//!
//! `DOCS=overwrite` writes the pages again with the current output. Read every line that changed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

#[path = "docs/architecture.rs"]
mod architecture;
#[cfg(target_os = "linux")]
#[path = "program/common/pseudo_terminal.rs"]
mod pseudo_terminal;
#[path = "docs/sentences.rs"]
mod sentences;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::CommandFactory;
use energydb::catalogue::Catalogue;
use energydb::cli::Cli;

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");
const PROGRAM: &str = env!("CARGO_BIN_EXE_energydb");
/// The page that the program writes.
const REFERENCE: &str = "docs/reference.md";
/// Columns of the narrowest terminal that people use.
const COLUMNS: u16 = 80;

/// Every page, with its path.
fn pages() -> Vec<(PathBuf, String)> {
    let project = Path::new(PROJECT);
    let docs = fs::read_dir(project.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let mut paths: Vec<_> = pages.chain([project.join("README.md")]).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

fn is_overwriting() -> bool {
    std::env::var_os("DOCS").is_some_and(|value| value == "overwrite")
}

/// A new folder for the examples of a page, with the files that the page shows.
fn folder_of(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let blocks = ["\n```csv ", "\n```json "].into_iter().flat_map(|of| text.split(of).skip(1));
    for block in blocks {
        let (name, rest) = block.split_once('\n').unwrap();
        fs::write(folder.path().join(name), &rest[..rest.find("```").unwrap()]).unwrap();
    }
    folder
}

/// A command as a shell runs it in the folder, where the program is found by its name.
fn shell(line: &str, folder: &Path) -> Command {
    let program = Path::new(PROGRAM).parent().unwrap().display();
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).env_remove("ENERGYDB_DB");
    command.env("PATH", format!("{program}:{}", std::env::var("PATH").unwrap()));
    // A terminal without styles, on which no progress is drawn.
    command.env("TERM", "dumb");
    command
}

/// Whether the lines are as expected. `...` matches any lines.
fn are_expected(printed: &[&str], expected: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => (0..=printed.len()).any(|at| are_expected(&printed[at..], rest)),
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| first == line && are_expected(others, rest)),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_example_prints_what_its_page_shows() {
    for (path, text) in pages() {
        if path.ends_with(REFERENCE) {
            continue;
        }
        let folder = folder_of(&text);
        let mut written = String::new();
        let mut lines = text.lines().peekable();
        let mut is_example = false;
        while let Some(line) = lines.next() {
            written.push_str(line);
            written.push('\n');
            if line.starts_with("```") {
                is_example = line == "```console";
            }
            if !is_example || line.starts_with("```") || line.is_empty() {
                continue;
            }
            let mut asked = line.to_owned();
            while asked.ends_with('\\') {
                let more = lines.next().unwrap();
                asked = format!("{asked}\n{more}");
                written.push_str(more);
                written.push('\n');
            }
            assert!(asked.starts_with("$ energydb "), "{path:?}: {asked}");
            let mut expected = Vec::new();
            while let Some(line) =
                lines.next_if(|line| !line.starts_with("```") && !line.starts_with("$ "))
            {
                expected.push(line);
            }
            let blanks = expected.iter().rev().take_while(|line| line.is_empty()).count();
            expected.truncate(expected.len() - blanks);
            let shown = pseudo_terminal::shown(shell(&asked[2..], folder.path()), COLUMNS);
            let printed: Vec<&str> = shown.lines().collect();
            // An error is one line, and CSV has no width.
            let wide = printed.iter().find(|line| line.chars().count() > COLUMNS.into());
            let is_allowed = |line: &&&str| line.starts_with("error: ") || asked.contains("csv");
            assert_eq!(wide.filter(|line| !is_allowed(line)), None, "{path:?}: {asked}");
            if !are_expected(&printed, &expected) {
                assert!(
                    is_overwriting(),
                    "{path:?} shows another answer to\n{asked}\nthan this:\n{shown}"
                );
                expected = printed;
            }
            expected.iter().for_each(|line| {
                written.push_str(line);
                written.push('\n');
            });
            (0..blanks).for_each(|_| written.push('\n'));
        }
        for picture in pictures(&text) {
            let drawn = fs::read(folder.path().join(picture.file_name().unwrap()));
            let drawn = drawn.unwrap_or_else(|_| panic!("{path:?} does not draw {picture:?}"));
            let place = path.parent().unwrap().join(&picture);
            if is_overwriting() {
                fs::write(place, drawn).unwrap();
            } else {
                assert!(fs::read(place).unwrap() == drawn, "{picture:?} is of another answer");
            }
        }
        if is_overwriting() {
            fs::write(path, written).unwrap();
        }
    }
}

/// The pictures that a page shows, by their paths from the page.
fn pictures(text: &str) -> Vec<PathBuf> {
    let links = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    links.filter(|link| link.ends_with(".svg")).map(PathBuf::from).collect()
}

#[test]
fn the_readme_is_short_and_names_what_leads_on() {
    let readme = fs::read_to_string(Path::new(PROJECT).join("README.md")).unwrap();
    assert!(readme.lines().count() <= 200, "{} lines", readme.lines().count());
    for line in ["cargo run --release -- build", "cargo test"] {
        assert!(readme.lines().any(|known| known == line), "{line}");
    }
    for (path, _) in pages().iter().filter(|(path, _)| !path.ends_with("README.md")) {
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(readme.contains(&format!("(docs/{name})")), "the README does not link {name}");
    }
}

#[test]
fn every_question_of_the_readme_has_a_command_that_answers() {
    let folder = tempfile::tempdir().unwrap();
    let readme = fs::read_to_string(Path::new(PROJECT).join("README.md")).unwrap();
    let mut answered = 0;
    for row in readme.lines().filter(|line| line.starts_with("| ")) {
        let answer = row.split(" | ").nth(1).unwrap_or_default();
        let command = answer.strip_prefix('`').and_then(|rest| rest.split('`').next());
        let Some(command) = command.filter(|word| word.starts_with("energydb query")) else {
            continue;
        };
        let ended = shell(&format!("{command} --csv --quiet"), folder.path()).output().unwrap();
        let error = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{command}: {error}");
        let rows = String::from_utf8_lossy(&ended.stdout).lines().count();
        assert!(rows > 1, "{command} answers nothing");
        answered += 1;
    }
    assert!(answered > 10, "{answered}");
}

#[test]
fn every_statement_for_another_client_answers() {
    let folder = tempfile::tempdir().unwrap();
    let mut answered = 0;
    for (path, text) in pages() {
        // A shell joins the lines.
        for statement in statements(&text.replace("\\\n", "")) {
            let mut command = Command::new(PROGRAM);
            command.args(["query", "--csv", "--quiet", "--sql", statement]);
            let ended = command.current_dir(&folder).env_remove("ENERGYDB_DB").output().unwrap();
            let error = String::from_utf8_lossy(&ended.stderr);
            assert!(ended.status.success(), "{path:?}: {statement}: {error}");
            assert!(String::from_utf8_lossy(&ended.stdout).lines().count() > 1, "{statement}");
            answered += 1;
        }
    }
    assert!(answered > 2, "{answered}");
}

/// A model has other figures in each workload, so a statement about models that names no task mixes them.
#[test]
fn every_statement_that_a_reader_may_copy_names_the_task() {
    let read = |path: &str| fs::read_to_string(Path::new(PROJECT).join(path)).unwrap();
    let clients = read("docs/clients.md");
    assert!(clients.contains("with different energy, so filter by `task` in your own statements"));
    let mut texts: Vec<_> = pages().into_iter().map(|(_, text)| text).collect();
    // The page of a release, with what it fills in.
    let release = read("src/release/pages/README.md").replace("{view}", "best_configurations");
    texts.push(release);
    let mut named = 0;
    for text in &texts {
        for statement in statements(&text.replace("\\\n", "")) {
            assert!(statement.contains("task"), "{statement}");
            named += 1;
        }
    }
    assert!(named > 4, "{named}");
    // The workloads of one model and GPU stand apart in an answer.
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(PROGRAM);
    let pairs = "select model, gpu, count(*) as workloads from best_configurations \
                 group by model, gpu having count(*) > 1";
    command.args(["query", "--csv", "--quiet", "--sql", pairs]).env_remove("ENERGYDB_DB");
    let ended = command.current_dir(&folder).output().unwrap();
    assert!(String::from_utf8_lossy(&ended.stdout).lines().count() > 1, "{ended:?}");
}

#[test]
fn the_statement_for_any_deadline_answers_as_the_view_does_for_its_own() {
    let page = fs::read_to_string(Path::new(PROJECT).join("docs/clients.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let answer = |statement: &str| {
        let mut command = Command::new(PROGRAM);
        command.args(["query", "--csv", "--quiet", "--sql", statement]).env_remove("ENERGYDB_DB");
        let ended = command.current_dir(&folder).output().unwrap();
        assert!(ended.status.success(), "{ended:?}");
        String::from_utf8(ended.stdout).unwrap()
    };
    let of_page = statements(&page).into_iter().find(|of| of.contains("itl_ms <= 45")).unwrap();
    for deadline in ["10", "50", "500"] {
        let statement = of_page.replace("itl_ms <= 45", &format!("itl_ms <= {deadline}"));
        let of_view = format!(
            "select task, model, gpu, source, wh_per_million_output_tokens from best_per_deadline \
             where task = 'lm-arena-chat' and percentile = 'p99' and deadline_ms = {deadline} \
             order by task, model, gpu, source"
        );
        assert_eq!(answer(&statement), answer(&of_view), "{deadline}");
    }
    assert!(answer(of_page).lines().count() > 10);
}

/// The statements of a page: what begins with `select` in quotes, up to the same quote.
fn statements(text: &str) -> Vec<&str> {
    let places = text.match_indices("select ").filter(|(at, _)| *at > 0);
    let quoted = places.filter_map(|(at, _)| {
        let quote = text[..at].chars().next_back().filter(|quote| "\"'".contains(*quote))?;
        text[at..].split(quote).next()
    });
    quoted.filter(|statement| statement.contains(" from ")).collect()
}

#[test]
fn every_link_of_a_page_leads_to_a_file() {
    for (path, text) in pages() {
        for part in text.split("](").skip(1) {
            let link = part.split([')', '#']).next().unwrap();
            if !link.is_empty() && !link.contains("://") {
                assert!(path.parent().unwrap().join(link).exists(), "{path:?}: {link}");
            }
        }
    }
}

/// The reference: what the program says of its commands and queries.
fn reference() -> String {
    let help = |words: &[&str]| {
        let mut command =
            shell(&format!("energydb {} --help", words.join(" ")), Path::new(PROJECT));
        command.env("COLUMNS", COLUMNS.to_string()).stdin(Stdio::null());
        let output = command.output().unwrap();
        format!("```text\n{}\n```\n", String::from_utf8(output.stdout).unwrap().trim_end())
    };
    let mut text = String::from(
        "# Reference\n\nWhat `energydb COMMAND --help` and `energydb query NAME --help` say. \
         `energydb schema` explains\nthe tables, views and columns.\n\n## Commands\n\n",
    );
    let cli = Cli::command();
    let commands: Vec<_> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let queries = Catalogue::built_in().queries;
    let list = |names: &mut dyn Iterator<Item = String>| {
        let links = names.map(|name| format!("[{name}](#{})", name.replace(' ', "-")));
        format!("{}\n\n", links.collect::<Vec<_>>().join(" · "))
    };
    text.push_str(&list(&mut commands.iter().map(|name| format!("energydb {name}"))));
    text.push_str("## Queries\n\n");
    text.push_str(&list(&mut queries.iter().map(|query| format!("query {}", query.name))));
    for name in commands {
        text.push_str(&format!("### energydb {name}\n\n{}\n", help(&[name])));
    }
    for query in &queries {
        text.push_str(&format!("### query {}\n\n{}\n", query.name, help(&["query", &query.name])));
    }
    format!("{}\n", text.trim_end())
}

/// `DOCS=overwrite` writes it again.
#[test]
fn the_reference_is_what_the_program_says() {
    let path = Path::new(PROJECT).join(REFERENCE);
    if is_overwriting() {
        fs::write(&path, reference()).unwrap();
    }
    let written = fs::read_to_string(path).unwrap();
    assert!(
        written == reference(),
        "{REFERENCE} is of another program; DOCS=overwrite cargo test --test docs writes it"
    );
}

#[test]
fn every_query_and_every_command_stands_in_a_page_of_its_use() {
    let pages: String = pages()
        .into_iter()
        .filter(|(path, _)| !path.ends_with(REFERENCE))
        .map(|(_, text)| text)
        .collect();
    for query in &Catalogue::built_in().queries {
        let name = &query.name;
        assert!(
            pages.contains(&format!("`{name}`"))
                || pages.contains(&format!("energydb query {name}")),
            "no page names the query {name}"
        );
    }
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        assert!(pages.contains(&format!("energydb {name}")), "no page names the command {name}");
    }
}
