//! What a person sees in a terminal. Text from outside cannot control the terminal.
#![cfg(target_os = "linux")]

use serde_json::Value;

use crate::common::{Folder, formats, pseudo_terminal, source_configurations};

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
    for format in formats() {
        let shown = shown(&folder, 200, &["query", "--sql", &sql, "--format", &format, "-q"]);
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
    folder
        .write("queries/own.sql", format!("-- A{HOSTILE}.\n--\n-- :x text  b{HOSTILE}\nselect :x"));
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

/// A table as it was shown: the columns, and the lines below the rule.
struct Shown {
    text: String,
    columns: usize,
    rows: usize,
}

/// What the program shows of these rows. Rows shown line by line count no columns.
fn shown_table(folder: &Folder, width: u16, words: &[String]) -> Shown {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let text = shown(folder, width, &words);
    for line in text.lines() {
        assert!(line.chars().count() <= width.into(), "{words:?} at {width}:\n{text}");
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("note: ")).collect();
    let rule = lines.iter().position(|line| line.starts_with('─'));
    let columns = rule.map_or(0, |rule| lines[rule].split_whitespace().count());
    let rows = rule.map_or(0, |rule| lines.len() - rule - 1);
    Shown { columns, rows, text }
}

/// Each named query with what it needs to answer from a database.
fn every_query(folder: &Folder) -> Vec<Vec<String>> {
    let first = |sql: &str| {
        let csv = folder.done(["query", "-q", "--format", "csv", "--sql", sql]);
        csv.lines().nth(1).unwrap_or_default().to_owned()
    };
    let model = first("select model from configuration_energy where task = 'lm-arena-chat'");
    let row_id = first("select row_id from configuration_energy where task = 'lm-arena-chat'");
    let queries = energydb::catalogue::Catalogue::built_in().queries;
    let names = queries.into_iter().map(|query| query.name);
    names
        .map(|name| {
            let needed: &[&str] = match name.as_str() {
                "at" => &["--model", &model, "--load", "10"],
                "compare" => &["--gpu", "H100", "--other-gpu", "B200"],
                "compare-sources" => &["--other-source", "published"],
                "plan" => &["--tokens-per-second", "3000"],
                "capacity" => &["--max-gpus", "8"],
                "capacity-media" => &["--task", "text-to-image", "--max-gpus", "8"],
                "plan-media" => &["--task", "text-to-image", "--outputs-per-hour", "500"],
                media if media.ends_with("-media") => &["--task", "text-to-image"],
                "provenance" => &["--row-id", &row_id],
                _ => &[],
            };
            ["query", &name, "-q"].iter().chain(needed).map(|&word| word.to_owned()).collect()
        })
        .collect()
}

#[test]
fn every_table_fits_the_terminal_and_a_wider_one_shows_more() {
    for folder in [Folder::with_database(), Folder::with_every_workload(), Folder::with_built_in()]
    {
        let mut answered = 0;
        for mut words in every_query(&folder) {
            words.extend(["--format".into(), "csv".into()]);
            let ended = folder.run(&words);
            if ended.status != Some(0) {
                // The data has none of what the query is about.
                let is_without = ended.err.contains("the database has no task")
                    || ended.err.contains("is called 'text-to-image'");
                assert!(is_without, "{}", ended.err);
                continue;
            }
            answered += 1;
            let rows = ended.text().lines().count() - 1;
            words.truncate(words.len() - 2);
            if rows == 0 {
                // Only what was asked is shown.
                assert_eq!(shown_table(&folder, 80, &words).columns, 0);
                continue;
            }
            let [narrow, wider, widest] =
                [80, 120, 200].map(|width| shown_table(&folder, width, &words));
            for shown in [&narrow, &wider, &widest] {
                // A cell that takes two lines would make more of them.
                assert!(shown.columns == 0 || shown.rows == rows, "{words:?}:\n{}", shown.text);
                assert!(shown.columns > 0 || (1..=3).contains(&rows), "{words:?}:\n{}", shown.text);
            }
            words.retain(|word| word != "-q");
            let notes = [80, 120, 200].map(|width| {
                let text = shown_table(&folder, width, &words).text;
                text.lines().any(|line| line.contains(" left out: "))
            });
            assert!(narrow.columns <= wider.columns || wider.columns == 0, "{}", wider.text);
            assert!(wider.columns <= widest.columns, "{}", widest.text);
            if notes[0] {
                assert!(narrow.columns < widest.columns, "{}{}", narrow.text, widest.text);
            }
        }
        assert!(answered > 15, "{answered}");
    }
}

#[test]
fn the_best_configurations_are_whole_in_80_columns() {
    let folder = Folder::new();
    let shown = shown(&folder, 80, &["query", "best"]);
    let mut lines = shown.lines().skip_while(|line| line.starts_with("note: "));
    assert_eq!(
        lines.next(),
        Some("lm-arena-chat · median ITL at most 500 ms, as published · TTFT not measured")
    );
    let words = |line: Option<&str>| -> Vec<String> {
        line.unwrap().split_whitespace().map(Into::into).collect()
    };
    assert_eq!(
        words(lines.next()),
        ["Model", "GPU", "GPUs", "Precision", "Limit", "Energy", "ITL", "Output"]
    );
    assert_eq!(words(lines.next()), ["Wh/Mtok", "ms", "tokens/s"]);
    let configurations = source_configurations();
    let number = |row: &Value, field: &str| row[field].as_f64().unwrap();
    let best = configurations
        .iter()
        .filter(|row| number(row, "median_itl_ms") <= 500.0)
        .min_by(|one, other| {
            let energy = |row| number(row, "energy_per_token_joules");
            energy(one).total_cmp(&energy(other))
        })
        .unwrap();
    let row = words(lines.nth(1));
    assert_eq!(row.len(), 8, "{row:?}");
    assert_eq!(row[0], best["nickname"].as_str().unwrap().to_lowercase().replace([' ', '.'], "-"));
    assert_eq!(row[1], best["gpu_model"].as_str().unwrap());
    assert_eq!(row[2], best["num_gpus"].to_string());
    assert_eq!(row[4], best["max_num_seqs"].to_string());
    let energy = number(best, "energy_per_token_joules") * 1e6 / 3600.0;
    assert_eq!(row[5], format!("{energy:.2}"));
    assert_eq!(row[6], format!("{:.1}", number(best, "median_itl_ms")));
    assert_eq!(row[7], format!("{:.1}", number(best, "output_throughput_tokens_per_sec")));
    let end: Vec<&str> = lines.skip_while(|line| !line.starts_with("note: ")).collect();
    assert_eq!(
        end[..3].join(" "),
        "note: 7 columns left out: p99_itl_ms, power_watts, ms_per_token_in_flight, \
         request_seconds, requests_per_slot, neighbours_energy_ratio, row_id; --wide or --format \
         line shows all"
    );
}

#[test]
fn wide_shows_every_column_and_a_pipe_knows_no_width() {
    let folder = Folder::new();
    let wide = shown(&folder, 80, &["query", "best", "--wide", "-q"]);
    assert!(wide.lines().nth(1).unwrap().ends_with("Row id"), "{wide}");
    assert!(!wide.contains(['…']));
    let piped = folder.done(["query", "best", "-q", "--format", "table"]);
    assert_eq!(folder.done(["query", "best", "-q", "--format", "table", "--wide"]), piped);
    assert!(piped.starts_with(" model"), "{piped}");
}

#[test]
fn headings_are_styled_on_a_terminal_unless_that_is_not_wanted() {
    let folder = Folder::new();
    let words = ["query", "best", "-q"];
    for (variable, value, is_styled) in
        [("TERM", "xterm", true), ("NO_COLOR", "1", false), ("TERM", "dumb", false)]
    {
        let mut command = folder.program(words);
        command.env_remove("NO_COLOR").env("TERM", "xterm").env(variable, value);
        let shown = pseudo_terminal::shown(command, 80);
        assert_eq!(shown.contains("\u{1b}[1m"), is_styled, "{variable}={value}");
    }
    assert!(!folder.done(words).contains('\u{1b}'));
}

/// What draws, and for what.
const DRAWN: [&[&str]; 6] = [
    &["query", "best"],
    &["query", "pareto", "--gpu", "B200"],
    &["query", "curve"],
    &["query", "curve", "--model", "qwen-3-32b"],
    &["query", "deadlines"],
    &["query", "deadlines", "--model", "qwen-3-32b"],
];

const DRAWN_MEDIA: [&[&str]; 3] = [
    &["query", "pareto-media", "--task", "text-to-image", "--gpu", "B200"],
    &["query", "curve-media", "--task", "text-to-image", "--model", "pixart"],
    &["query", "deadlines-media", "--task", "text-to-image", "--gpu", "B200"],
];

#[test]
fn every_query_that_draws_fits_80_columns() {
    let folder = Folder::new();
    for words in DRAWN {
        let words = [words, &["--format", "chart", "-q"]].concat();
        let shown = shown(&folder, 80, &words);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{shown}");
        assert!((19..=24).contains(&lines.len()), "{shown}");
        assert!(lines[0].starts_with("lm-arena-chat"), "{shown}");
        assert_eq!(lines[1], "Energy (Wh/Mtok)");
        assert!(shown.contains(" (ms)\n") || shown.contains(" (requests)\n"), "{shown}");
        assert_eq!(folder.done(&words), shown);
    }
}

#[test]
fn every_query_that_draws_makes_one_svg_of_the_same_bytes() {
    let folder = Folder::new();
    let drawn = energydb::catalogue::Catalogue::built_in().queries;
    let drawn = drawn.iter().filter(|query| query.head.picture.is_some());
    let drawn: Vec<&str> = drawn.map(|query| query.name.as_str()).collect();
    assert!(DRAWN.iter().all(|words| drawn.contains(&words[1])));
    let asked = || DRAWN.into_iter().chain(DRAWN_MEDIA);
    assert!(drawn.iter().all(|name| asked().any(|words| words[1] == *name)));
    for words in asked() {
        let csv = folder.done([words, &["--format", "csv", "-q"]].concat());
        let svg = folder.done([words, &["--format", "svg", "-q"]].concat());
        assert_eq!(folder.done([words, &["--format", "svg", "-q"]].concat()), svg);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("<title id=\"title\">Energy against "));
        assert!(svg.contains("<desc id=\"description\">"));
        assert!(svg.contains("prefers-color-scheme:dark"));
        assert!(svg.contains(">Energy (Wh"));
        // A mark for each row, and one for each entry of the legend.
        let marks = svg.matches("class=\"m g").count();
        let legend = (0..8).filter(|group| svg.contains(&format!(".g{group}{{stroke:"))).count();
        let legend = if legend > 1 { legend } else { 0 };
        assert_eq!(marks, csv.lines().count() - 1 + legend, "{words:?}");
    }
}

#[test]
fn what_does_not_draw_says_what_does() {
    let folder = Folder::new();
    for words in [&["query", "gpus", "-q"][..], &["query", "-q", "--sql", "select 1"], &["checks"]]
    {
        let words = [words, &["--format", "svg"]].concat();
        let refused = folder.refused(2, &words);
        assert!(refused.contains("best, curve, curve-media, deadlines"), "{refused}");
    }
}

#[test]
fn a_query_of_ones_own_is_drawn_too() {
    let folder = Folder::new();
    folder.write(
        "own/mine.sql",
        "-- Mine.\n--\n-- :limit_of integer = 9  a\n-- picture: points of b over a by c\n\
         select value as a, value * value as b, 'x' as c from json_each('[1,2,3]') \
         where value < :limit_of",
    );
    let chart = folder.done(["query", "mine", "--queries", "own", "--format", "chart", "-q"]);
    assert!(chart.starts_with("b\n"), "{chart}");
    folder.write(
        "other/mine.sql",
        "-- Mine.\n--\n-- picture: points of b over a by c\nselect 1 as a, 2 as b",
    );
    let refused = folder.refused(1, ["query", "mine", "--queries", "other", "-q"]);
    assert!(refused.contains("names the column c, which it does not have"), "{refused}");
}
