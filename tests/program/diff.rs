//! What `energydb diff` reports about two releases with one known difference.

use crate::common::{Folder, formats, frozen, rows, source, source_configurations, task_file};
use serde_json::{Value, json};

const TASK: &str = "lm-arena-chat";

/// A line of a summary: what changed, the table, the column, rows and rows that there are.
type Line = (String, String, String, String, String);

fn line(change: &str, table: &str, column: &str, rows: &str, of_rows: &str) -> Line {
    (change.into(), table.into(), column.into(), rows.into(), of_rows.into())
}

/// The cells of a csv, by the parser that the tests use.
fn cells(text: &str) -> Vec<Vec<String>> {
    let reader = csv::Reader::from_reader(text.as_bytes());
    let records = reader.into_records().map(Result::unwrap);
    records.map(|record| record.iter().map(Into::into).collect()).collect()
}

fn summary(folder: &Folder, words: &[&str]) -> Vec<Line> {
    let printed = folder.done([&["diff", "--quiet", "--format", "csv"], words].concat());
    let cells = cells(&printed);
    cells
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone(), row[2].clone(), row[4].clone(), row[5].clone()))
        .collect()
}

/// The lines of what was measured; the documents differ wherever it does.
fn measured(lines: &[Line]) -> Vec<Line> {
    let tables = ["models", "gpus", "configurations", "precisions"];
    lines.iter().filter(|line| tables.contains(&line.1.as_str())).cloned().collect()
}

/// A folder with the source as `old.json` and a changed one as `new.json`.
fn changed(change: impl FnOnce(&mut Vec<Value>)) -> Folder {
    let folder = Folder::new();
    let mut configurations = source_configurations();
    folder.write("old.json", task_file(TASK, &configurations));
    change(&mut configurations);
    folder.write("new.json", task_file(TASK, &configurations));
    folder
}

/// A folder with `old.sqlite` and a copy of it in which this was done.
fn altered(sql: &str) -> Folder {
    let folder = Folder::with_database();
    std::fs::rename(folder.path("energy.sqlite"), folder.path("old.sqlite")).unwrap();
    folder.write("new.sqlite", folder.read("old.sqlite"));
    folder.open_to_change("new.sqlite").execute_batch(sql).unwrap();
    folder
}

#[test]
fn a_database_does_not_differ_from_itself() {
    let folder = Folder::with_database();
    folder.write("source.json", source());
    for other in ["energy.sqlite", "source.json"] {
        for more in [&[][..], &["--details"]] {
            let words = [&["diff", "--exit-code", "energy.sqlite", other], more].concat();
            let ended = folder.run(&words);
            assert_eq!(ended.status, Some(0), "{}", ended.err);
            assert_eq!((ended.out, &*ended.err), (Vec::new(), "note: no differences\n"));
        }
    }
}

#[test]
fn one_figure_that_differs_ends_with_status_3_where_that_is_asked_for() {
    let folder = altered(
        "update configurations set p99_itl_ms = 100.5 where configuration_id = \
         (select configuration_id from configuration_energy where row_id = 'qwen-3-14b/B200/1/8')",
    );
    let old: f64 = folder
        .open("old.sqlite")
        .query_row(
            "select p99_itl_ms from configuration_energy where row_id = 'qwen-3-14b/B200/1/8'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let words = ["diff", "old.sqlite", "new.sqlite", "--details", "--format", "json"];
    let ended = folder.run([&words[..], &["--exit-code"]].concat());
    assert_eq!((ended.status, &*ended.err), (Some(3), ""));
    let all: Vec<Value> = serde_json::from_slice(&ended.out).unwrap();
    let figures: Vec<_> =
        all.into_iter().filter(|change| change["table_name"] == "configurations").collect();
    assert_eq!(
        figures,
        [json!({
            "change": "changed",
            "table_name": "configurations",
            "column_name": "p99_itl_ms",
            "task": TASK,
            "item": "qwen-3-14b/B200/1/8",
            "relative_change": (100.5 - old) / old,
            "old": old,
            "new": 100.5,
        })]
    );
    assert_eq!(folder.run(words).status, Some(0));
}

#[test]
fn a_reader_that_goes_away_does_not_hide_that_something_differs() {
    let folder = altered("update configurations set power_watts = power_watts * 2");
    for more in [&[][..], &["--details"], &["--format", "json"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let words = ["diff", "old.sqlite", "new.sqlite", "--exit-code"];
        let ended = folder.command().args(words).args(more).stdout(writer).output().unwrap();
        assert_eq!(ended.status.code(), Some(3), "{more:?}");
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{more:?}");
    }
}

#[test]
fn a_change_that_no_number_says_is_told_by_its_values() {
    let folder = altered("update configurations set p99_itl_ms = 1e300");
    folder
        .open_to_change("old.sqlite")
        .execute_batch("update configurations set p99_itl_ms = 1e-300")
        .unwrap();
    let words = ["diff", "--quiet", "--format", "csv", "old.sqlite", "new.sqlite"];
    let lines = cells(&folder.done(words));
    let line = lines.iter().find(|line| line[2] == "p99_itl_ms").unwrap();
    assert_eq!(line[4..11], ["328", "328", "", "", "", "1e-300", "1e300"]);
}

#[test]
fn a_column_that_was_multiplied_is_one_line_that_names_it() {
    let folder = changed(|configurations| {
        for configuration in configurations {
            let figure = &mut configuration["output_throughput_tokens_per_sec"];
            *figure = (figure.as_f64().unwrap() * 1.5).into();
        }
    });
    let words = ["--accept", "power-identity", "old.json", "new.json"];
    let lines = summary(&folder, &words);
    let expected = line("changed", "configurations", "tokens_per_second", "328", "328");
    assert_eq!(measured(&lines), [expected]);
    let page = folder.done([&["diff", "--quiet"], &words[..]].concat());
    let told: Vec<_> = page.lines().filter(|line| line.contains("configurations ")).collect();
    let [told] = told[..] else { panic!("{page}") };
    for part in ["tokens_per_second", " 328 ", " +50 % "] {
        assert!(told.contains(part), "{told}");
    }
    // Without the flag the new source is refused, as build refuses it.
    let ended = folder.run(["diff", "old.json", "new.json"]);
    assert_eq!(ended.status, Some(1));
    assert!(ended.err.contains("--accept"), "{}", ended.err);
}

#[test]
fn a_change_of_any_figure_of_any_table_is_told_by_its_column() {
    let folder = Folder::with_database();
    let figures = rows(
        &folder.open("energy.sqlite"),
        "select objects.name, columns.name from sqlite_schema as objects \
         join pragma_table_info(objects.name) as columns \
         where objects.type = 'table' and lower(columns.type) = 'real' and objects.name in \
         (select object_name from dictionary) order by 1, columns.cid",
    );
    assert!(figures.len() >= 15, "{figures:?}");
    for figure in figures {
        let (table, column) = (&figure[0], &figure[1]);
        // The names of rows are compared as such.
        if table == "deadlines" {
            continue;
        }
        folder.write("new.sqlite", folder.read("energy.sqlite"));
        let changed = folder
            .open_to_change("new.sqlite")
            .execute(
                &format!("update {table} set {column} = {column} * 1.25 where {column} > 0"),
                [],
            )
            .unwrap();
        let lines = summary(&folder, &["energy.sqlite", "new.sqlite"]);
        let of_table: Vec<_> = lines.iter().filter(|line| line.1 == *table).collect();
        let expected = if changed > 0 { vec![(table, column)] } else { vec![] };
        let told: Vec<_> = of_table.iter().map(|line| (&line.1, &line.2)).collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn parallelism_that_was_rewritten_is_a_change_of_the_row() {
    let folder = changed(|configurations| {
        for configuration in configurations {
            let expert = configuration["expert_parallel"].clone();
            configuration["tensor_parallel"] = expert;
            configuration["expert_parallel"] = 1.into();
        }
    });
    let rewritten = source_configurations()
        .iter()
        .filter(|row| row["expert_parallel"] != 1)
        .count()
        .to_string();
    let lines = measured(&summary(&folder, &["old.json", "new.json"]));
    let changes: Vec<_> = lines.iter().map(|line| (&*line.0, &*line.2)).collect();
    assert_eq!(changes, [("changed", "tensor_parallel"), ("changed", "expert_parallel")]);
    assert_eq!(lines[1].3, rewritten);
}

#[test]
fn degrees_that_changed_places_are_told_and_not_the_figures_that_stayed() {
    let folder = Folder::new();
    let source =
        std::fs::read(crate::common::workloads().join("tasks/text-to-image.json")).unwrap();
    let mut document: Value = serde_json::from_slice(&source).unwrap();
    let mut count = 0;
    for configuration in document["configurations"].as_array_mut().unwrap() {
        let ulysses = configuration["ulysses_degree"].take();
        let ring = configuration["ring_degree"].take();
        count += usize::from(ulysses != ring);
        configuration["ulysses_degree"] = ring;
        configuration["ring_degree"] = ulysses;
    }
    folder.write("old.json", source);
    folder.write("new.json", document.to_string());
    let told = summary(&folder, &["old.json", "new.json"]);
    let told: Vec<_> =
        told.into_iter().filter(|line| line.1 == "diffusion_configurations").collect();
    let count = count.to_string();
    let line = |column: &str| line("changed", "diffusion_configurations", column, &count, "28");
    assert_eq!(told, [line("ulysses_degree"), line("ring_degree")]);
}

#[test]
fn measurements_of_one_configuration_are_known_by_their_figures() {
    let folder = changed(|configurations| configurations.reverse());
    let lines = measured(&summary(&folder, &["old.json", "new.json"]));
    assert_eq!(lines, [line("changed", "configurations", "repeat", "4", "328")]);
    // One of the two was removed; the other still counts as the same one.
    let mut of_one = Vec::new();
    let folder = changed(|configurations| {
        let is_twice = |row: &Value| {
            row["nickname"] == "Qwen 3 30B A3B Instruct"
                && row["gpu_model"] == "H100"
                && row["num_gpus"] == 2
                && row["max_num_seqs"] == 256
        };
        let first = configurations.iter().position(is_twice).unwrap();
        of_one.push(configurations.remove(first));
    });
    assert_eq!(
        measured(&summary(&folder, &["old.json", "new.json"])),
        [
            line("removed", "configurations", "", "1", "328"),
            line("changed", "configurations", "repeat", "1", "327")
        ]
    );
}

#[test]
fn models_gpus_and_configurations_that_come_and_go_are_counted_and_named() {
    let folder = changed(|configurations| {
        configurations.retain(|row| row["nickname"] != "Gemma 3 12B");
        let mut more = configurations[0].clone();
        more["gpu_model"] = "A100".into();
        configurations.push(more);
    });
    let gone =
        source_configurations().iter().filter(|row| row["nickname"] == "Gemma 3 12B").count();
    assert_eq!(
        measured(&summary(&folder, &["old.json", "new.json"])),
        [
            line("removed", "models", "", "1", "18"),
            line("added", "gpus", "", "1", "3"),
            line("removed", "configurations", "", &gone.to_string(), "328"),
            line("added", "configurations", "", "1", &(328 - gone + 1).to_string()),
        ]
    );
    let words = ["diff", "-q", "--format", "csv", "--details", "old.json", "new.json"];
    let all = cells(&folder.done(words));
    let items = |change: &str, table: &str| -> Vec<_> {
        let of = all.iter().filter(|row| row[0] == change && row[1] == table);
        of.map(|row| row[4].clone()).collect()
    };
    assert_eq!(items("removed", "models"), ["gemma-3-12b"]);
    assert_eq!(items("added", "gpus"), ["A100"]);
    assert_eq!(items("added", "configurations"), ["qwen-3-14b/A100/1/8"]);
    assert_eq!(items("removed", "configurations").len(), gone);
}

#[test]
fn a_choice_that_changed_is_told_with_both_configurations() {
    let folder = altered(
        "update configurations set joules_per_output_token = joules_per_output_token * 3 \
         where configuration_id in (select configuration_id from best_configurations \
         where model = 'qwen-3-8b' and gpu = 'B200')",
    );
    let best = |name: &str| {
        let sql = "select row_id from best_configurations where model = 'qwen-3-8b' \
                   and gpu = 'B200'";
        rows(&folder.open(name), sql)[0][0].clone()
    };
    let words = ["diff", "-q", "--format", "csv", "--details", "old.sqlite", "new.sqlite"];
    let all = cells(&folder.done(words));
    let choices: Vec<_> = all.iter().filter(|row| row[1] == "best_configurations").collect();
    let [choice] = choices[..] else { panic!("{choices:?}") };
    assert_eq!(
        choice[..],
        [
            "changed",
            "best_configurations",
            "row_id",
            TASK,
            "qwen-3-8b/B200",
            "",
            &best("old.sqlite"),
            &best("new.sqlite")
        ]
    );
    assert_ne!(best("old.sqlite"), best("new.sqlite"));
}

#[test]
fn facts_of_a_model_and_provenance_are_told_with_both_values() {
    let folder = altered(
        "update models set params_b = 14.8 where model = 'qwen-3-14b'; \
         update sources set licence = 'CC-BY-4.0'; \
         delete from licence_evidence where position = 3; \
         update release set data_version = '2027-01-31'",
    );
    let words = ["diff", "-q", "--format", "csv", "--details", "old.sqlite", "new.sqlite"];
    let told: Vec<_> = cells(&folder.done(words))
        .into_iter()
        .map(|row| [&row[0], &row[1], &row[2], &row[7]].map(Clone::clone).join(" "))
        .collect();
    assert_eq!(
        told,
        [
            "changed models params_b 14.8",
            "changed release data_version 2027-01-31",
            "removed licence_evidence  ",
            "changed sources licence CC-BY-4.0",
        ]
    );
}

#[test]
fn a_database_of_an_older_schema_is_compared_where_both_have_a_column() {
    let folder = Folder::with_database();
    folder.write("old.sqlite", frozen(1));
    for (words, expected) in [
        (["old.sqlite", "energy.sqlite"], "only in new"),
        (["energy.sqlite", "old.sqlite"], "only in old"),
    ] {
        let mut lines = summary(&folder, &words);
        // Older databases name a document as it was given.
        lines.retain(|found| *found != line("changed", "documents", "name", "1", "1"));
        // Another version of the program built them.
        lines.retain(|found| *found != line("changed", "release", "energydb_version", "1", "1"));
        assert!(lines.iter().all(|line| line.0 == expected), "{lines:?}");
        assert!(lines.contains(&line(expected, "gpus", "rated_power_watts", "", "")), "{lines:?}");
    }
}

#[test]
fn every_format_tells_the_differences() {
    let folder = altered("update sources set licence = 'x'");
    for format in formats() {
        for more in [&[][..], &["--details"]] {
            let words = ["diff", "old.sqlite", "new.sqlite", "--format", &format];
            let printed = folder.done([&words, more].concat());
            assert!(printed.contains("licence") && printed.contains("dataset card"), "{printed}");
        }
    }
}

#[test]
fn what_is_no_release_is_refused() {
    let folder = Folder::with_database();
    folder.write("notes.txt", "not a database");
    assert_eq!(
        folder.refused(1, ["diff", "energy.sqlite", "none.sqlite"]),
        "could not read the input: none.sqlite: No such file or directory (os error 2)"
    );
    let ended = folder.run(["diff", "energy.sqlite", "notes.txt"]);
    assert_eq!(ended.status, Some(1));
    // zstd's number, RFC 8878, little-endian.
    folder.write("energy.sqlite.zst", 0xfd2f_b528_u32.to_le_bytes());
    let compared = folder.run(["diff", "energy.sqlite.zst", "energy.sqlite"]);
    compared.failed(1, "1 finding").found(&["energy.sqlite.zst", "compressed by zstd"]);
    folder.refused(2, ["diff", "energy.sqlite"]);
    folder.refused(2, ["diff", "energy.sqlite", "energy.sqlite", "--accept", "nothing"]);
}
