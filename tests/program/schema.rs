//! The schema: its golden, what its constraints refuse, how its views choose and what they read.

use std::fs;

use crate::common::{Folder, in_project, rows, source_configurations};
use energydb::catalogue::{Catalogue, statement};
use energydb::database::schema::{APPLICATION_ID, SCHEMA_VERSION};
use rusqlite::Connection;
use rusqlite::types::Value;

const GOLDEN: &str = "tests/program/schema.sql";
/// Set to write the golden anew.
const WRITE_GOLDEN: &str = "WRITE_GOLDEN";

#[test]
fn the_schema_is_the_golden_one_or_its_version_is_raised() {
    let folder = Folder::with_database();
    let schema = schema(&folder.open("energy.sqlite"));
    let path = in_project(GOLDEN);
    let golden = fs::read_to_string(&path).unwrap_or_default();
    if schema == golden {
        return;
    }
    let version = format!("user_version {SCHEMA_VERSION}\n");
    assert!(
        !golden.contains(&version),
        "a table, an index or a view changed, so SCHEMA_VERSION must be raised (it is {SCHEMA_VERSION}, \
         as in {GOLDEN}). A version that no release has may stay as it is: remove {GOLDEN}, then run \
         {WRITE_GOLDEN}=1 cargo test --test program schema. The schema is now:\n{schema}"
    );
    if std::env::var_os(WRITE_GOLDEN).is_some() {
        fs::write(&path, &schema).unwrap();
        return;
    }
    panic!(
        "the schema differs from {GOLDEN}; when it is right, run {WRITE_GOLDEN}=1 cargo test \
         --test program schema. It is now:\n{schema}"
    );
}

/// The whole schema as text.
fn schema(connection: &Connection) -> String {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let mut text = format!(
        "-- The whole schema, as a test compares it.\n-- application_id {:#x}, user_version {}\n",
        number("application_id").unwrap(),
        number("user_version").unwrap()
    );
    for row in rows(connection, "select sql from sqlite_schema where sql is not null order by name")
    {
        text.push_str(&format!("\n{};\n", row[0].trim_end_matches(';')));
    }
    text
}

#[test]
fn a_database_is_marked_as_one_and_ready_to_ship() {
    let folder = Folder::with_database();
    let connection = folder.open("energy.sqlite");
    // "ENDB" in ASCII, at offset 68 of the header; the schema version at 60.
    let bytes = folder.read("energy.sqlite");
    assert_eq!(&bytes[68..72], b"ENDB");
    assert_eq!(APPLICATION_ID.to_be_bytes(), *b"ENDB");
    assert_eq!(bytes[60..64], SCHEMA_VERSION.to_be_bytes());
    // 1 in both bytes at 18 is a rollback journal, 2 a write-ahead log.
    assert_eq!(bytes[18..20], [1, 1]);
    assert_eq!(rows(&connection, "pragma integrity_check"), [["ok"]]);
    assert_eq!(rows(&connection, "pragma foreign_key_check"), Vec::<Vec<String>>::new());
    assert_eq!(rows(&connection, "pragma freelist_count"), [["0"]]);
}

#[test]
fn every_view_has_a_file_of_its_name_and_can_be_read() {
    let folder = Folder::with_every_workload();
    let connection = folder.open("energy.sqlite");
    let views = rows(&connection, "select name from sqlite_schema where type = 'view' order by 1");
    let mut files: Vec<_> = fs::read_dir(in_project("migrations/views"))
        .unwrap()
        .map(|entry| vec![entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()])
        .collect();
    files.sort();
    assert_eq!(views, files);
    for view in views.concat() {
        let count = rows(&connection, &format!("select count(*) from (select * from {view})"));
        assert_ne!(count, [["0"]], "{view}");
    }
}

#[test]
fn constraints_refuse_what_a_column_cannot_mean() {
    let folder = Folder::with_database();
    let connection = folder.open_to_change("energy.sqlite");
    let refuses = |column: &str, value: &Value| {
        let sql = format!("update configurations set {column} = ?1 where configuration_id = 1");
        connection.execute(&sql, [value]).is_err_and(|error| {
            error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation)
        })
    };
    let text = |text: &str| Value::Text(text.into());
    let never = [text("much"), text(""), Value::Blob(vec![1]), Value::Integer(-1)];
    let required = ["tokens_per_second", "power_watts", "joules_per_output_token"];
    let optional = [
        "avg_running_batch",
        "joules_per_request",
        "median_itl_ms",
        "p90_itl_ms",
        "p95_itl_ms",
        "p99_itl_ms",
        "median_ttft_ms",
        "p99_ttft_ms",
        "mean_tpot_ms",
        "avg_input_tokens",
        "avg_output_tokens",
        "steady_state_s",
        "window_uncertainty_percent",
    ];
    let counts = [
        "num_gpus",
        "tensor_parallel",
        "data_parallel",
        "expert_parallel",
        "max_num_seqs",
        "repeat",
    ];
    for column in required.into_iter().chain(optional) {
        for value in
            never.iter().chain(&[Value::Real(0.0), Value::Real(f64::INFINITY), Value::Real(-0.5)])
        {
            assert!(refuses(column, value), "{column} takes {value:?}");
        }
    }
    for column in counts {
        for value in never.iter().chain(&[Value::Real(1.5), Value::Integer(0)]) {
            assert!(refuses(column, value), "{column} takes {value:?}");
        }
    }
    for column in required.into_iter().chain(counts).chain(["source_id", "document_id"]) {
        assert!(refuses(column, &Value::Null), "{column} takes null");
    }
    for column in optional.into_iter().chain(["requests"]) {
        assert!(!refuses(column, &Value::Null), "{column} does not take null");
    }
    for value in [Value::Real(1.5), Value::Integer(0), text("much")] {
        assert!(refuses("requests", &value), "requests takes {value:?}");
    }
    let again =
        "create temp table again as select * from configurations where configuration_id = 1;
                 update again set configuration_id = 1000;
                 insert into configurations select * from again";
    let error = connection.execute_batch(again).unwrap_err().to_string();
    assert!(error.starts_with("UNIQUE constraint failed"), "{error}");
}

#[test]
fn a_table_stores_figures_from_1e_300_to_1e300() {
    let folder = Folder::with_every_workload();
    let connection = folder.open_to_change("energy.sqlite");
    for (table, figures) in [("configurations", 16), ("diffusion_configurations", 4)] {
        let columns = connection
            .prepare("select name from pragma_table_info(?1) where lower(type) = 'real'")
            .unwrap()
            .query_map([table], |row| row.get(0))
            .unwrap()
            .collect::<rusqlite::Result<Vec<String>>>()
            .unwrap();
        assert_eq!(columns.len(), figures, "{table}");
        for column in columns {
            let set = |value: &str| {
                let sql = format!("update {table} set {column} = {value} where rowid = 1");
                connection.execute(&sql, [])
            };
            for sound in ["1e-300", "1", "1e300"] {
                assert_eq!(set(sound), Ok(1), "{column} = {sound}");
            }
            for wrong in ["-1e-300", "0", "9e-301", "1.1e300", "9e999", "'much'", "x'01'"] {
                let error = set(wrong).unwrap_err().to_string();
                assert!(
                    error.starts_with("CHECK constraint failed"),
                    "{column} = {wrong}: {error}"
                );
            }
        }
    }
}

#[test]
fn constraints_hold_for_images_videos_and_lengths_too() {
    let folder = Folder::with_every_workload();
    let connection = folder.open_to_change("energy.sqlite");
    let counts = [
        "num_gpus",
        "batch_size",
        "height_pixels",
        "width_pixels",
        "inference_steps",
        "ulysses_degree",
        "ring_degree",
        "repeat",
    ];
    let refuses = |column: &str, value: &str| {
        let sql = format!(
            "update diffusion_configurations set {column} = {value}
             where diffusion_configuration_id = 1"
        );
        assert!(connection.execute(&sql, []).is_err(), "{sql}");
    };
    for column in ["joules_per_output", "batch_latency_s", "outputs_per_second", "power_watts"] {
        for value in ["null", "'much'", "x'01'", "0.0", "-1.5", "9e999"] {
            refuses(column, value);
        }
    }
    for column in counts {
        for value in ["null", "'much'", "x'01'", "0", "-1", "1.5"] {
            refuses(column, value);
        }
    }
    for statement in [
        "update diffusion_configurations set num_frames = 0",
        "update diffusion_configurations set frames_per_second = 23.976",
        "update sources set energy_boundary = 'cpu'",
        "update sources set measurement_window = 'always'",
        "update sources set itl_kind = 'some'",
        "update sources set is_estimated = 2",
        "update sources set source = null",
        "update documents set source_id = null",
        "insert into measured select * from measured limit 1",
        "update output_lengths set requests = 0",
        "update output_lengths set task_id = null",
        "update output_length_bins set from_tokens = -1.0",
        "update output_length_bins set requests = 1.5",
        "update output_length_bins set bin = 0",
        "update tasks set output = 'sound'",
        "update release set image_deadline_s = 0.0",
    ] {
        assert!(connection.execute(statement, []).is_err(), "{statement}");
    }
    // What the source does not say is null.
    connection.execute("update diffusion_configurations set num_frames = null", []).unwrap();
}

#[test]
fn choosing_images_reads_only_the_index() {
    let folder = Folder::with_every_workload();
    let connection = folder.open("energy.sqlite");
    let plan = rows(&connection, "explain query plan select * from best_images");
    let candidates: Vec<_> =
        plan.iter().map(|row| &row[3]).filter(|line| line.contains(" candidates ")).collect();
    let [line] = &candidates[..] else { panic!("{plan:?}") };
    let by_index = "SEARCH candidates USING COVERING INDEX diffusion_configurations_by_energy ";
    assert!(line.starts_with(by_index), "{line}");
}

const DEADLINES: [f64; 14] =
    [10., 15., 20., 25., 30., 40., 50., 75., 100., 150., 200., 300., 400., 500.];

#[test]
fn best_per_deadline_chooses_what_a_plain_search_of_the_source_does() {
    let configurations = source_configurations();
    let number = |row: &serde_json::Value, field: &str| row[field].as_f64().unwrap();
    let mut expected = Vec::new();
    for percentile in ["median", "p90", "p95", "p99"] {
        let itl = format!("{percentile}_itl_ms");
        for deadline in DEADLINES {
            let mut best = std::collections::BTreeMap::new();
            for row in configurations.iter().filter(|row| number(row, &itl) <= deadline) {
                let key = [row["nickname"].as_str().unwrap(), row["gpu_model"].as_str().unwrap()];
                let best = best.entry(key).or_insert(row);
                if number(row, "energy_per_token_joules") < number(best, "energy_per_token_joules")
                {
                    *best = row;
                }
            }
            expected.extend(best.into_iter().map(|([model, gpu], row)| {
                let energy = number(row, "energy_per_token_joules");
                [
                    percentile.to_owned(),
                    format!("{deadline:?}"),
                    model.to_owned(),
                    gpu.to_owned(),
                    row["num_gpus"].to_string(),
                    row["max_num_seqs"].to_string(),
                    format!("{energy:?}"),
                    format!("{:?}", energy * 1e6 / 3600.0),
                    format!("{:?}", number(row, &itl)),
                ]
            }));
        }
    }
    // 18 models on 1 or 2 GPUs at 56 pairs of percentile and deadline, less those that none meets.
    assert!(expected.len() > 1000, "{}", expected.len());
    let folder = Folder::with_database();
    let found = rows(
        &folder.open("energy.sqlite"),
        "select percentile, deadline_ms, model_name, gpu, num_gpus, max_num_seqs, \
         joules_per_output_token, wh_per_million_output_tokens, itl_ms from best_per_deadline \
         where task = 'lm-arena-chat' order by percentile, deadline_ms, model_name, gpu",
    );
    assert_eq!(found, expected);
}

#[test]
fn equal_energies_go_to_the_lower_latencies_in_turn_and_then_to_the_first_measured() {
    let folder = Folder::with_database();
    let connection = folder.open_to_change("energy.sqlite");
    // Copies of one row with the same energy, as if its limit had been another one.
    let copy = |id: i64, changed: &str, value: f64| {
        connection
            .execute_batch(&format!(
                "create temp table copy as select * from configurations where configuration_id = 1;
                 update copy set configuration_id = {id}, max_num_seqs = {id}, \
                 joules_per_output_token = 1e-3;
                 update copy set {changed} = {value};
                 insert into configurations select * from copy;
                 drop table copy;"
            ))
            .unwrap();
    };
    let chosen = || {
        let sql = "select distinct max_num_seqs from best_per_deadline \
                   where model = 'qwen-3-14b' and gpu = 'B200' and deadline_ms >= 50 \
                   union select distinct max_num_seqs from best_configurations \
                   where model = 'qwen-3-14b' and gpu = 'B200'";
        rows(&connection, sql).concat()
    };
    // 7.156, 8.387, 9.684 and 17.904 ms are the latencies of the row that is copied.
    copy(2000, "p99_itl_ms", 17.0);
    assert_eq!(chosen(), ["2000"]);
    copy(1900, "p99_itl_ms", 17.5);
    assert_eq!(chosen(), ["2000"]);
    copy(2100, "p99_itl_ms", 17.0);
    assert_eq!(chosen(), ["2000"], "of two that are equal the first");
    copy(2200, "p99_itl_ms", 16.0);
    assert_eq!(chosen(), ["2200"]);
    copy(2300, "p95_itl_ms", 9.0);
    assert_eq!(chosen(), ["2300"]);
    copy(2400, "p90_itl_ms", 8.0);
    assert_eq!(chosen(), ["2400"]);
    copy(2500, "median_itl_ms", 7.0);
    assert_eq!(chosen(), ["2500"]);
}

#[test]
fn choosing_reads_only_the_index_whatever_is_asked() {
    let folder = Folder::with_database();
    let connection = folder.open("energy.sqlite");
    let filters = [
        "task = 'lm-arena-chat'",
        "model = 'qwen-3-14b'",
        "gpu = 'B200'",
        "percentile = 'p99'",
        "deadline_ms = 50",
    ];
    for filter in every_choice_of(&filters) {
        check_plan(&connection, &format!("select * from best_per_deadline {filter}"), false);
    }
    for filter in every_choice_of(&filters[..3]) {
        check_plan(&connection, &format!("select * from best_configurations {filter}"), true);
    }
    // So do the queries that choose, but for the order in which they show their rows.
    let catalogue = Catalogue::built_in();
    for (name, looks_up_row_id) in [("deadlines", false), ("export-best", true)] {
        let (unordered, _) = catalogue.get(name).unwrap().sql.rsplit_once("\norder by").unwrap();
        check_plan(&connection, unordered, looks_up_row_id);
    }
    // Best goes along the same index, and looks up a row only for a limit that is given.
    let best = &catalogue.get("best").unwrap().sql;
    let plan = rows(&connection, &format!("explain query plan\n{best}"));
    let candidates: Vec<_> =
        plan.iter().map(|row| &row[3]).filter(|line| line.contains(" candidates ")).collect();
    let within = "(task_id=? AND model_id=? AND gpu_id=? AND source_id=?)";
    let expected = format!("SEARCH candidates USING INDEX configurations_by_energy {within}");
    assert_eq!(candidates, [&expected], "{plan:?}");
}

fn every_choice_of(filters: &[&str]) -> Vec<String> {
    let choice = |chosen: usize| {
        let of_these: Vec<_> = (0..filters.len())
            .filter(|index| chosen & (1 << index) != 0)
            .map(|index| filters[index])
            .collect();
        if of_these.is_empty() {
            String::new()
        } else {
            format!("where {}", of_these.join(" and "))
        }
    };
    (0..1 << filters.len()).map(choice).collect()
}

fn check_plan(connection: &Connection, sql: &str, looks_up_row_id: bool) {
    let plan: Vec<String> = rows(connection, &format!("explain query plan\n{sql}"))
        .into_iter()
        .map(|row| row[3].clone())
        .collect();
    let shown = format!("{sql}\n{}", plan.join("\n"));
    let lines_of = |table: &str| -> Vec<&String> {
        let has_table = |line: &&String| line.split(' ').nth(1) == Some(table);
        plan.iter().filter(has_table).collect()
    };
    assert_eq!(lines_of("candidates").len(), 1, "{shown}");
    for line in lines_of("candidates") {
        let by_index = "SEARCH candidates USING COVERING INDEX configurations_by_energy ";
        assert!(line.starts_with(by_index), "{shown}");
        // By all three parts of the key that the choice is within.
        assert!(line.contains("(task_id=? AND model_id=? AND gpu_id=?"), "{shown}");
    }
    // The row that is chosen, and its row_id where that is looked up.
    for (table, is_read) in [("best", true), ("configurations", looks_up_row_id)] {
        let by_key = format!("SEARCH {table} USING INTEGER PRIMARY KEY (rowid=?)");
        let expected: &[&String] = if is_read { &[&by_key] } else { &[] };
        assert_eq!(lines_of(table), expected, "{shown}");
    }
    assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE")), "{shown}");
    assert!(!plan.iter().any(|line| line.contains("AUTOMATIC")), "{shown}");
}

#[test]
fn the_catalogue_is_every_query_file_and_each_uses_what_it_declares() {
    let folder = Folder::with_database();
    let connection = folder.open("energy.sqlite");
    let catalogue = Catalogue::built_in();
    let mut files: Vec<_> = fs::read_dir(in_project("queries"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    let names: Vec<_> = catalogue.queries.iter().map(|query| query.name.clone()).collect();
    assert_eq!(names, files);
    for query in &catalogue.queries {
        let name = &query.name;
        statement::prepare(&connection, query).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        // By the text alone, whatever the program makes of it.
        let statement: String = query
            .sql
            .lines()
            .filter(|line| !line.starts_with("--"))
            .map(|line| format!("{line}\n"))
            .collect();
        for parameter in &query.head.parameters {
            let used = format!(":{}", parameter.name);
            assert!(statement.contains(&used), "{name} does not use {used}");
            assert!(!parameter.help.is_empty(), "{name} does not explain {used}");
        }
        assert!(query.head.description.ends_with('.'), "{name}");
        let (_, end) = statement
            .rsplit_once("\norder by")
            .unwrap_or_else(|| panic!("{name} does not end with an order by"));
        assert!(end.trim_end().ends_with(';') && !end.contains("select"), "{name}: {end}");
    }
}

/// The columns of every view, with the type that SQLite finds for each.
fn view_columns(connection: &Connection) -> Vec<[String; 3]> {
    let sql = "select views.name, columns.name, lower(columns.type) from sqlite_schema as views \
               join pragma_table_info(views.name) as columns where views.type = 'view' \
               order by views.name, columns.cid";
    rows(connection, sql).into_iter().map(|row| row.try_into().unwrap()).collect()
}

#[test]
fn bound_text_compares_with_every_column_of_every_view_as_a_number_does() {
    let folder = Folder::with_every_workload();
    let connection = folder.open("energy.sqlite");
    let columns = view_columns(&connection);
    assert!(columns.len() > 200, "{}", columns.len());
    let mut compared = 0;
    for [view, column, kind] in columns {
        let is_text = match kind.as_str() {
            "text" => true,
            "real" | "double" | "num" | "integer" | "int" | "bigint" => false,
            other => panic!("{view}.{column} has the type '{other}'"),
        };
        let types = rows(&connection, &format!("select distinct typeof({column}) from {view}"));
        for found in types.concat().iter().filter(|found| *found != "null") {
            assert_eq!(found == "text", is_text, "{view}.{column} is {kind} and holds {found}");
        }
        let middle = format!(
            "select {column} from {view} where {column} is not null order by 1 \
             limit 1 offset (select count({column}) / 2 from {view})"
        );
        let Ok(middle) = connection.query_row(&middle, [], |row| row.get::<_, Value>(0)) else {
            continue;
        };
        let as_text = Value::Text(match &middle {
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => format!("{number:?}"),
            Value::Text(text) => text.clone(),
            other => panic!("{view}.{column} holds {other:?}"),
        });
        for operator in ["<", "<=", "=", ">=", ">"] {
            let sql = format!("select count(*) from {view} where {column} {operator} ?1");
            let count = |bound: &Value| {
                connection.query_row(&sql, [bound], |row| row.get::<_, i64>(0)).unwrap()
            };
            assert_eq!(count(&as_text), count(&middle), "{view}.{column} {operator} {as_text:?}");
        }
        compared += 1;
    }
    assert!(compared > 180, "{compared}");
}

#[test]
fn every_view_leads_with_what_people_read_and_names_its_source() {
    let folder = Folder::with_every_workload();
    let columns = view_columns(&folder.open("energy.sqlite"));
    let views: std::collections::BTreeSet<_> = columns.iter().map(|[view, ..]| view).collect();
    for view in views {
        let names: Vec<_> = columns
            .iter()
            .filter(|[of, ..]| of == view)
            .map(|[_, column, _]| column.as_str())
            .collect();
        assert_eq!(names[..2], ["task", "model"], "{view}");
        assert!(names.contains(&"source"), "{view}: {names:?}");
        if view != "model_index" {
            assert_eq!(names[2..5], ["gpu", "num_gpus", "precision"], "{view}");
            let last = names.last().unwrap();
            assert!(last.ends_with("configuration_id"), "{view}: {last}");
        }
    }
}

#[test]
fn text_of_a_view_casts_to_no_type_that_another_program_takes_for_a_smaller_one() {
    for entry in fs::read_dir(in_project("migrations/views")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("as real"), "{}: REAL has 32 bits in DuckDB", path.display());
    }
}
