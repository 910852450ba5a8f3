//! What a shell and `man` know of the program: every command, every query and every flag.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use crate::common::{Ended, Folder, source_configurations, task_file};
use clap::CommandFactory;
use energydb::catalogue::Catalogue;
use energydb::cli::Cli;

/// The program's folder before all others, so that a shell finds it by its name.
fn path_with_program() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_energydb")).parent().unwrap();
    format!("{}:{}", program.display(), std::env::var("PATH").unwrap())
}

/// What a shell offers for the last word of a line, with the program's script. `None` if the machine does not
/// have the shell.
fn offered(folder: &Folder, shell: &str, line: &str) -> Option<Vec<String>> {
    let script = folder.write(format!("script.{shell}"), folder.done(["completions", shell]));
    let script = script.display();
    let words: Vec<String> = line.split(' ').map(|word| format!("'{word}'")).collect();
    let (count, words) = (words.len(), words.join(" "));
    let asked = match shell {
        "bash" => format!(
            "source '{script}'; COMP_WORDS=({words}); COMP_CWORD={}; COMP_TYPE=9
             _clap_complete_energydb energydb \"${{COMP_WORDS[COMP_CWORD]}}\" ''
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            count - 1
        ),
        "zsh" => format!(
            "compdef() {{ }}; _describe() {{ local of=${{@[-1]}}; print -l -- ${{(P)of}} }}
             source '{script}'; words=({words}); CURRENT={count}
             _clap_dynamic_completer_energydb"
        ),
        "fish" => format!("source '{script}'; complete --do-complete '{line}'"),
        _ => panic!("{shell}"),
    };
    let mut command = Command::new(shell);
    command.args(if shell == "zsh" { &["-f", "-c"][..] } else { &["-c"] }).arg(asked);
    command.current_dir(folder.path("")).env("PATH", path_with_program()).env_remove("ENERGYDB_DB");
    command.env("HOME", folder.path(""));
    let output = match command.output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        output => output.unwrap(),
    };
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{shell}");
    let text = String::from_utf8(output.stdout).unwrap();
    // A description follows the word.
    let word = |line: &str| line.split(['\t', ':']).next().unwrap_or_default().to_owned();
    Some(text.lines().map(word).filter(|word| !word.is_empty()).collect())
}

/// A folder with a database of one model of its own, on two GPUs.
fn folder_of_one_model() -> Folder {
    let folder = Folder::new();
    let mut rows: Vec<_> = source_configurations().into_iter().take(2).collect();
    for (row, gpu) in rows.iter_mut().zip(["B200", "H100"]) {
        row["gpu_model"] = gpu.into();
        row["nickname"] = "Tiny 1B".into();
        row["model_id"] = "nobody/Tiny-1B".into();
    }
    folder.write("lm-arena-chat.json", task_file("lm-arena-chat", &rows));
    folder.done(["build", "lm-arena-chat.json", "-o", "own.sqlite", "--quiet"]);
    folder
}

#[test]
fn shells_complete_commands_queries_flags_and_values_of_the_database_that_is_read() {
    let folder = folder_of_one_model();
    let mut shells = 0;
    for shell in ["bash", "zsh", "fish"] {
        for (line, expected) in [
            ("energydb pack", &["package"][..]),
            ("energydb query best-i", &["best-images"]),
            ("energydb query best --percentile p9", &["p90", "p95", "p99"]),
            ("energydb query best --min-tokens", &["--min-tokens-per-second"]),
            ("energydb query best --gpu h", &["H100"]),
            ("energydb query best --db own.sqlite --gpu ", &["B200", "H100"]),
            ("energydb query best --db own.sqlite --model t", &["tiny-1b"]),
            ("energydb query best --db own.sqlite --task ", &["lm-arena-chat"]),
            ("energydb query best --db own.sqlite --precision ", &["BF16"]),
            ("energydb export --db own.sqlite --model ", &["tiny-1b"]),
            ("energydb build --accept power", &["power-identity"]),
            ("energydb schema best_p", &["best_per_deadline"]),
            ("energydb man best-v", &["best-videos"]),
        ] {
            let Some(offered) = offered(&folder, shell, line) else { continue };
            assert_eq!(offered, expected, "{shell}: {line}");
            shells += 1;
        }
    }
    assert!(shells > 0, "the machine has none of the shells");
}

#[test]
fn the_script_of_every_shell_asks_the_program() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.done(["completions", shell]);
        assert!(script.contains("_ENERGYDB_COMPLETE"), "{shell}: {script}");
    }
    let error = folder.run(["completions", "dosh"]);
    assert_eq!(error.status, Some(2));
}

#[test]
fn every_query_shows_two_examples_that_answer() {
    let (chat, all) = (Folder::new(), Folder::with_every_workload());
    for query in &Catalogue::built_in().queries {
        // A shell reads on where a line ends with a backslash.
        let help = chat.done(["query", &query.name, "--help"]).replace(" \\\n          ", " ");
        assert!(query.head.examples.len() >= 2, "{}", query.name);
        let makes_text = ["image", "video"].iter().all(|kind| !query.name.contains(kind));
        let folder = if makes_text { &chat } else { &all };
        for example in &query.head.examples {
            let line = format!("energydb query {} {}", query.name, example.arguments);
            assert!(help.contains(line.trim_end()), "{line}");
            assert!(!example.answers.is_empty() && help.contains(&example.answers), "{line}");
            // The built-in data has one source.
            if query.takes("other_source") {
                continue;
            }
            let mut words = vec!["query", &query.name, "--format", "ndjson", "--quiet"];
            let shown_format = example.arguments.contains("--format");
            words.retain(|word| !shown_format || !["--format", "ndjson"].contains(word));
            words.extend(example.arguments.split_whitespace());
            let rows = folder.done(words);
            assert!(!rows.trim().is_empty() && rows.trim() != "[]", "{line}");
        }
    }
}

#[test]
fn info_says_what_there_is_on_one_screen() {
    let folder = folder_of_one_model();
    for words in [&["info"][..], &["info", "--db", "own.sqlite"]] {
        let info = folder.done(words);
        assert!(info.lines().count() <= 24, "{info}");
        assert!(info.lines().all(|line| line.chars().count() <= 80), "{info}");
        for part in ["program", "schema 5", "release", "contents", "content hash", "left out"] {
            assert!(info.contains(part), "{part}: {info}");
        }
    }
    let info = folder.done(["info", "--db", "own.sqlite"]);
    assert!(info.contains("2 configurations of 1 model on 2 GPUs in 1 workload"), "{info}");
    let info = folder.done(["info"]);
    assert!(info.contains("cite          Chung et al."), "{info}");
}

#[test]
fn the_rows_of_a_query_go_to_a_file_whose_ending_says_the_format() {
    let folder = folder_of_one_model();
    let asked = ["query", "gpus", "--db", "own.sqlite", "--columns", "gpu", "-o"];
    let write = |name: &str| folder.run(asked.iter().copied().chain([name]));
    for (name, expected) in [
        ("a.csv", "gpu\nB200\nH100\n"),
        ("a.tsv", "gpu\nB200\nH100\n"),
        ("a.ndjson", "{\"gpu\": \"B200\"}\n{\"gpu\": \"H100\"}\n"),
        ("a.MD", "| gpu  |\n|------|\n| B200 |\n| H100 |\n"),
        // What is there is replaced.
        ("a.csv", "gpu\nB200\nH100\n"),
    ] {
        assert_eq!(write(name).succeeded().text(), "");
        assert_eq!(String::from_utf8(folder.read(name)).unwrap(), expected, "{name}");
    }
    folder.done(["query", "best", "--db", "own.sqlite", "-q", "-o", "best.svg"]);
    let svg = folder.done(["query", "best", "--db", "own.sqlite", "-q", "--format", "svg"]);
    assert_eq!(String::from_utf8(folder.read("best.svg")).unwrap(), svg);
    let database = folder.read("own.sqlite");
    let refused: Vec<&str> = asked.into_iter().chain(["own.sqlite", "--format", "csv"]).collect();
    let line = folder.refused(1, refused);
    assert_eq!(line, "own.sqlite is a database, and rows may not replace it; name another file");
    assert!(folder.read("own.sqlite") == database);
    assert_eq!(write("a.xyz").status, Some(2));
    let before = folder.names("");
    let broken = "select json('{') as broken";
    let words = ["query", "--db", "own.sqlite", "--quiet", "--sql", broken, "-o", "b.csv"];
    folder.refused(1, words);
    assert_eq!(folder.names(""), before);
}

#[test]
fn a_statement_may_come_on_standard_input() {
    let folder = Folder::new();
    let ended = folder.run_with_input(["query", "--quiet", "--sql", "-"], b"select 1 as one\n");
    assert_eq!(ended.succeeded().text(), "one\n1\n");
}

#[test]
fn a_model_of_one_other_workload_is_answered_from_there() {
    let folder = Folder::new();
    let rows = source_configurations();
    let of = |model: &str| {
        let is_it = |row: &&serde_json::Value| row["nickname"] == model;
        rows.iter().filter(is_it).cloned().collect::<Vec<_>>()
    };
    folder.write("in/lm-arena-chat.json", task_file("lm-arena-chat", &of("Qwen 3 8B")));
    folder.write("in/gpqa.json", task_file("gpqa", &of("Qwen 3 14B")));
    folder.done(["build", "in", "--quiet"]);
    let ended = folder
        .run(["query", "gpu-power", "--model", "qwen-3-14b", "--limit", "1", "--columns", "model"])
        .succeeded();
    assert_eq!(ended.text(), "model\nqwen-3-14b\n");
    let note = "note: qwen-3-14b was measured only in gpqa, so the answer is for that workload\n";
    assert_eq!(ended.err, note);
    // A task that is given stays the one that is asked about.
    let words = ["query", "best", "--model", "qwen-3-14b", "--task", "lm-arena-chat"];
    let ended = folder.run(words).succeeded();
    assert!(ended.err.contains("was not measured in lm-arena-chat, but in gpqa"), "{ended:?}");
}

#[test]
fn every_command_and_query_has_a_page_that_names_its_flags() {
    let folder = Folder::new();
    folder.done(["man", "-o", "man1"]);
    let page = |name: &str| {
        let page = String::from_utf8(folder.read(format!("man1/{name}.1"))).unwrap();
        // Name, section, date, source and manual, as man(7) has them.
        let version = env!("CARGO_PKG_VERSION");
        let title = format!(".TH {name} 1 \"\" \"energydb {version}\" energydb");
        assert!(page.lines().any(|line| line == title), "{name}");
        page.replace(r"\*(Aq", "'").replace('\\', "")
    };
    let mut expected = vec!["energydb.1".to_owned()];
    for command in Cli::command().get_subcommands() {
        let name = format!("energydb-{}", command.get_name());
        let page = page(&name);
        for flag in command.get_arguments().filter_map(|argument| argument.get_long()) {
            assert!(page.contains(&format!("--{flag}")), "{name} --{flag}");
        }
        expected.push(format!("{name}.1"));
    }
    for query in &Catalogue::built_in().queries {
        let name = format!("energydb-query-{}", query.name);
        let page = page(&name);
        for parameter in &query.head.parameters {
            assert!(page.contains(&format!("--{}", parameter.flag())), "{name}");
            assert!(page.contains(&parameter.help), "{name}: {}", parameter.help);
        }
        expected.push(format!("{name}.1"));
    }
    expected.sort();
    assert_eq!(folder.names("man1"), expected);
    assert_eq!(
        folder.done(["man", "query", "best"]).as_bytes(),
        folder.read("man1/energydb-query-best.1")
    );
    assert_eq!(folder.done(["man", "best"]), folder.done(["man", "query", "best"]));
    for name in folder.names("man1") {
        let page = String::from_utf8(folder.read(format!("man1/{name}"))).unwrap();
        assert!(!page.contains("EXTRA"), "{name}");
    }
    assert!(page("energydb-query-best").contains(".SH EXAMPLES"));
    assert_eq!(folder.done(["man"]).as_bytes(), folder.read("man1/energydb.1"));
    assert_eq!(
        folder.refused(2, ["man", "query", "bets"]),
        "'query' has no command 'bets' (did you mean 'best'?)"
    );
}

/// On Windows the file is called energydb.exe.
#[cfg(unix)]
#[test]
fn help_and_hints_do_not_depend_on_the_name_of_the_programs_file() {
    use std::os::unix::process::CommandExt;

    let folder = Folder::new();
    let of_other_name = |words: &[&str]| {
        let output = folder.program(words).arg0("energydb.exe").output().unwrap();
        Ended::of(output)
    };
    for words in [&["query", "--help"][..], &["query", "best", "--help"], &["--help"]] {
        assert_eq!(of_other_name(words).succeeded().text(), folder.done(words));
    }
    of_other_name(&["query", "bets"])
        .failed(2, "no query is called 'bets' (did you mean 'best'?); 'energydb query' lists all");
}
