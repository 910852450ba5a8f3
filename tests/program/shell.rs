//! What a shell and `man` know of the program: every command, every query and every flag.

use std::process::Command;

use crate::common::Folder;
use clap::CommandFactory;
use energydb::catalogue::Catalogue;
use energydb::cli::Cli;

/// What bash offers for the last of these words, by the script of the program.
fn offered(folder: &Folder, lines: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut script = String::from_utf8(folder.run(["completions", "bash"]).out).unwrap();
    for words in lines {
        script.push_str(&format!(
            "\nCOMP_WORDS=({}); COMP_CWORD={}; COMPREPLY=()\n\
             _energydb energydb '{}' '{}'; printf '%s ' \"${{COMPREPLY[@]}}\"; echo\n",
            words.iter().map(|word| format!("'{word}' ")).collect::<String>(),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        ));
    }
    let path = folder.write("completions.bash", script);
    let output = Command::new("bash").arg(path).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split_whitespace().map(Into::into).collect()).collect()
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(Into::into).collect()
}

#[test]
fn bash_completes_commands_queries_and_their_flags() {
    let folder = Folder::new();
    let mut lines = vec![
        words("energydb pack"),
        words("energydb query best --percentile p9"),
        words("energydb completions "),
    ];
    let mut expected = vec![
        words("package"),
        words("p90 p95 p99"),
        ["bash", "elvish", "fish", "powershell", "zsh"].map(Into::into).to_vec(),
    ];
    for query in &Catalogue::built_in().unwrap().queries {
        // Another name may begin with this one.
        lines.push(words(&format!("energydb query {}", query.name)));
        expected.push(vec![query.name.clone()]);
        for parameter in &query.head.parameters {
            lines.push(words(&format!("energydb query {} --{}", query.name, parameter.flag())));
            expected.push(vec![format!("--{}", parameter.flag())]);
        }
    }
    let offered = offered(&folder, &lines);
    assert_eq!(offered.len(), lines.len());
    for ((line, offered), expected) in lines.iter().zip(offered).zip(expected) {
        let lacks: Vec<_> = expected.iter().filter(|word| !offered.contains(word)).collect();
        assert!(lacks.is_empty(), "{line:?}: {offered:?} lacks {lacks:?}");
    }
}

#[test]
fn the_script_of_every_shell_names_every_query_and_flag() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.done(["completions", shell]);
        for query in &Catalogue::built_in().unwrap().queries {
            assert!(script.contains(&query.name), "{shell}: {}", query.name);
            for parameter in &query.head.parameters {
                assert!(script.contains(&parameter.flag()), "{shell}: {}", parameter.flag());
            }
        }
    }
    let error = folder.run(["completions", "dosh"]);
    assert_eq!(error.status, Some(2));
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
    for query in &Catalogue::built_in().unwrap().queries {
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
    assert_eq!(folder.done(["man"]).as_bytes(), folder.read("man1/energydb.1"));
    assert_eq!(
        folder.refused(2, ["man", "query", "bets"]),
        "query has no command 'bets'; did you mean 'best'?"
    );
}
