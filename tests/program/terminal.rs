//! What a person sees in a terminal, and that nothing from outside acts on it.
#![cfg(target_os = "linux")]

use crate::common::{Folder, pseudo_terminal};

/// What the program shows in a terminal of so many columns, without styles.
fn shown(folder: &Folder, columns: u16, words: &[&str]) -> String {
    let mut command = folder.program(words);
    command.env("NO_COLOR", "1").env("TERM", "xterm");
    pseudo_terminal::shown(command, columns)
}

/// Characters that a terminal acts on, or that hide what a text says.
const HOSTILE: &str = "a\u{1b}[2Jb\u{9b}2Jc\u{202e}d\u{ad}e\rf\u{7}";
const MADE_PRINTABLE: &str = r"a\u{1b}[2Jb\u{9b}2Jc\u{202e}d\u{ad}e\rf\u{7}";

#[test]
fn no_format_lets_a_terminal_act_on_a_value() {
    let folder = Folder::new();
    let sql = format!("select '{HOSTILE}' as x");
    for format in ["table", "csv", "tsv", "json", "ndjson", "markdown", "line"] {
        let shown = shown(&folder, 200, &["query", "--sql", &sql, "--format", format, "-q"]);
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{shown:?}");
        assert!(!shown.contains(['\u{202e}', '\u{ad}']), "{format}: {shown:?}");
    }
    let csv = shown(&folder, 200, &["query", "--sql", &sql, "--format", "csv", "-q"]);
    assert_eq!(csv, format!("x\n\"{MADE_PRINTABLE}\"\n"));
}

#[test]
fn a_program_reads_every_value_as_it_is() {
    let folder = Folder::new();
    let sql = format!("select '{HOSTILE}' as x");
    let csv = folder.done(["query", "--sql", &sql, "--format", "tsv", "-q"]);
    assert_eq!(csv, format!("x\n\"{HOSTILE}\"\n"));
}

#[test]
fn no_name_of_a_file_and_no_head_comment_acts_on_a_terminal() {
    let folder = Folder::new();
    let name = format!("{HOSTILE}.json");
    folder.write(&name, "{\"configurations\": 5}");
    folder.write("queries/own.sql", format!("-- A{HOSTILE}.\n--\n-- :x text  b{HOSTILE}\nselect :x"));
    folder.write(format!("other/{HOSTILE}.sql"), "-- A.\nselect 1");
    for words in [
        &["build", &name][..],
        &["build", "-o", &name],
        &["check", &name],
        &["query", "models", "--db", &name],
        &["query", "--queries", "queries"],
        &["query", "own", "--help", "--queries", "queries"],
        &["query", "--queries", "other"],
        &["query", HOSTILE],
        &["query", "best", "--gpu", HOSTILE],
        &[HOSTILE],
    ] {
        let shown = shown(&folder, 200, words);
        assert!(shown.len() > 10, "{words:?}");
        assert!(
            !shown.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'),
            "{words:?}: {shown:?}"
        );
    }
}
