//! Reads malicious and damaged databases. Every command prints rows or one error line, in bounded time, and writes
//! nothing.

use std::io::{Read, Seek, SeekFrom};
use std::process::Stdio;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Ended, Folder, frozen};
use rusqlite::Connection;

/// Runs the program, which must come to an end.
#[track_caller]
fn ends(folder: &Folder, arguments: &[&str]) -> Ended {
    let mut command = folder.program(arguments);
    // The program would wait for a full pipe that nobody reads.
    let mut out = tempfile::tempfile().unwrap();
    command.stdout(out.try_clone().unwrap()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        sleep(Duration::from_millis(2));
    }
    let mut output = child.wait_with_output().unwrap();
    out.seek(SeekFrom::Start(0)).unwrap();
    out.read_to_end(&mut output.stdout).unwrap();
    Ended::of(output)
}

/// A database of the source data, built once.
fn good() -> &'static [u8] {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    GOOD.get_or_init(|| Folder::with_database().read("energy.sqlite"))
}

/// Asserts that the program gives rows or one error line.
#[track_caller]
fn answers_or_refuses(folder: &Folder, arguments: &[&str]) -> Ended {
    let ran = ends(folder, arguments);
    if ran.status == Some(0) { ran.succeeded() } else { ran.failed(1, "error: ") }
}

/// A folder with a database that was changed by statements which no build would run.
fn changed(sql: &str) -> Folder {
    let folder = Folder::new();
    folder.write("bad.sqlite", good());
    let connection = Connection::open(folder.path("bad.sqlite")).unwrap();
    connection.execute_batch("pragma ignore_check_constraints = on").unwrap();
    connection.execute_batch("pragma writable_schema = on; pragma foreign_keys = off").unwrap();
    connection.execute_batch(sql).unwrap();
    folder
}

/// Asks the database everything, and asserts that this is all that came of it.
#[track_caller]
fn asked(folder: &Folder) {
    let before = folder.names("");
    let old = folder.read("bad.sqlite");
    for arguments in [
        &["best"][..],
        &["--format", "json", "configurations"],
        &["--format", "table", "--sql", "select * from configuration_energy limit 500"],
    ] {
        let asking = ["query", "--db", "bad.sqlite", "--timeout", "3"];
        answers_or_refuses(folder, &[&asking[..], arguments].concat());
    }
    answers_or_refuses(folder, &["schema", "--db", "bad.sqlite"]);
    let folder_names = ["export", "--db", "bad.sqlite", "-o", "published", "--timeout", "3"];
    answers_or_refuses(folder, &folder_names);
    let _ = std::fs::remove_dir_all(folder.path("published"));
    assert_eq!(folder.names(""), before);
    assert!(folder.read("bad.sqlite") == old, "the database was written to");
}

#[test]
fn views_that_would_do_more_than_read_do_nothing() {
    for expression in [
        "load_extension('/lib/evil.so')",
        "writefile('evil', 'x')",
        "readfile('/etc/passwd')",
        "edit('x')",
        "fts3_tokenizer('simple', x'0000000000000000')",
        "zeroblob(1000000000)",
        "hex(randomblob(1000000000))",
        "printf('%2000000000d', 1)",
        "sqlite_compileoption_get(0)",
        "(select count(*) from pragma_database_list)",
        "(select count(*) from pragma_user_version)",
        "(with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n)",
        "abs(-9223372036854775808)",
        "no_such_function()",
    ] {
        let folder = changed(&format!(
            "drop view configuration_energy; \
             create view configuration_energy as select {expression} as task, 1 as model"
        ));
        for sql in ["select * from configuration_energy", "select task from configuration_energy"] {
            let ask = ["query", "--db", "bad.sqlite", "--timeout", "1", "--sql", sql];
            answers_or_refuses(&folder, &ask);
        }
        answers_or_refuses(&folder, &["query", "--db", "bad.sqlite", "--timeout", "1", "best"]);
        assert_eq!(folder.names(""), ["bad.sqlite"], "{expression}");
    }
}

#[test]
fn schemas_that_are_broken_or_lie_are_refused_or_read() {
    for sql in [
        "drop view configuration_energy; create view configuration_energy as select * from a; \
         create view a as select * from b; create view b as select * from a",
        "create trigger evil before insert on models begin delete from configurations; end; \
         create trigger worse instead of insert on configuration_energy begin select 1; end",
        "delete from refinery_schema_history; insert into refinery_schema_history \
         values (-1, x'ff', 'never', 'rubbish'), (99999999999, 'x', '', '')",
        "drop table refinery_schema_history; create table refinery_schema_history (x); \
         insert into refinery_schema_history values (null), (1e99), (x'00')",
        "drop table refinery_schema_history; create view refinery_schema_history as select 1",
        "drop view best_per_deadline; create table best_per_deadline (task)",
        "drop table configurations",
        "drop table release; create table release (release_id)",
        "delete from release; delete from tasks; delete from models",
        "update sqlite_schema set sql = 'create table models (x' where name = 'models'",
        "update sqlite_schema set sql = null where name = 'models'",
        "update sqlite_schema set rootpage = 1 where name = 'configurations'",
        "update sqlite_schema set rootpage = 99999999 where name = 'configurations'",
        "update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'gpus') \
         where name = 'configurations'",
        "update sqlite_schema set type = 'rubbish', tbl_name = null",
        "update sqlite_schema set sql = 'create view configuration_energy as select 1 as \"' || \
         cast(x'ff' as text) || '\"' where name = 'configuration_energy'",
        "update sqlite_schema set sql = 'create view \"' || cast(x'ff' as text) || '\" as select 1', \
         name = cast(x'ff' as text), tbl_name = cast(x'ff' as text) \
         where name = 'configuration_energy'",
        "update sqlite_schema set sql = cast(sql as blob)",
        "insert into sqlite_schema values \
         ('table', 'search', 'search', 0, 'create virtual table search using fts5(a)')",
        "create table search_data (x); insert into sqlite_schema values \
         ('table', 'search', 'search', 0, 'create virtual table search using unknown(a)')",
    ] {
        asked(&changed(sql));
    }
}

#[test]
fn values_that_no_build_stores_are_shown_or_refused() {
    let figures = "avg_running_batch = V, tokens_per_second = V, power_watts = V, \
                   joules_per_output_token = V, median_itl_ms = V, p90_itl_ms = V, \
                   p99_itl_ms = V, avg_output_tokens = V";
    for value in ["9e999", "-9e999", "-1", "0", "1e308", "5e-324", "'text'", "x'00ff'"] {
        asked(&changed(&format!("update configurations set {}", figures.replace('V', value))));
    }
    for sql in [
        "update models set model_name = cast(x'fffe' as text), architecture = cast(x'c0af' as text)",
        "update gpus set gpu = 'a' || char(0, 10, 27) || gpu",
        "update models set hugging_face_id = x'ff' || model_id",
        "update configurations set num_gpus = 'many', max_num_seqs = 1e300, repeat = -configuration_id",
        "update release set itl_deadline_ms = 'soon', updated = x'ff', version = 1",
        "update tasks set task = cast(x'ff' as text)",
        "update dictionary set object_name = object_name || cast(x'ff' as text)",
        "update dictionary set column_name = column_name || cast(x'ff' as text)",
        "update tasks set display_name = 1e99",
        "update deadlines set deadline_ms = -9e999 where deadline_id = 1",
        "update models set params_b = 9e999, active_params_b = 'x'",
    ] {
        asked(&changed(sql));
    }
}

#[test]
fn what_a_database_lacks_is_told_in_the_words_of_its_user() {
    for (sql, expected) in [
        ("delete from release", "the database lacks a row that every energydb database has"),
        (
            "update release set updated = x'00'",
            "the database contains a Blob where updated is expected",
        ),
        (
            "update release set version = cast(x'ff' as text)",
            "the database contains text that is not UTF-8",
        ),
    ] {
        let ran = changed(sql).run(["export", "--db", "bad.sqlite", "--model", "qwen-3-14b"]);
        let ran = ran.failed(1, &format!("error: {expected}; 'energydb check' reports"));
        assert!(!ran.err.contains("Error code"), "{}", ran.err);
    }
    let ran = changed("drop table dictionary").run(["schema", "--db", "bad.sqlite"]);
    ran.failed(
        1,
        "altered after energydb built it: bad.sqlite: the index dictionary_by_name was removed",
    );
}

#[test]
fn an_export_stays_in_its_folder_whatever_names_the_database_has() {
    for name in ["../../evil", "/tmp/evil", "..", ".", "", "a/b", "index", "con\\\\x", "UPPER"] {
        for sql in [
            format!("update models set model = '{name}' where model_id = 1"),
            format!("update tasks set task = '{name}'"),
        ] {
            let folder = changed(&sql);
            std::fs::create_dir_all(folder.path("a/b")).unwrap();
            let export = ["export", "--db", "bad.sqlite", "-o", "a/b/published"];
            answers_or_refuses(&folder, &export);
            assert_eq!(folder.names(""), ["a", "bad.sqlite"], "{sql}");
            let inner: Vec<_> = std::fs::read_dir(folder.path("a/b")).unwrap().collect();
            assert!(inner.len() <= 1, "{sql}: {inner:?}");
            let outer: Vec<_> = std::fs::read_dir(folder.path("a")).unwrap().collect();
            assert_eq!(outer.len(), 1, "{sql}: {outer:?}");
        }
    }
}

#[test]
fn broken_pages_truncated_files_and_headers_that_lie_are_refused_or_read() {
    let folder = Folder::new();
    let good = good();
    let mut count = 0;
    let mut ask = |bytes: &[u8]| {
        folder.write("bad.sqlite", bytes);
        count += 1;
        let words = if count % 2 == 0 { "query best" } else { "export -o published" };
        let words: Vec<_> = words.split(' ').collect();
        let bounds = ["--db", "bad.sqlite", "--timeout", "3"];
        answers_or_refuses(&folder, &[&words[..], &bounds].concat());
    };
    // Numbers of the header: page size, versions, fractions, counts, free list, formats, encoding.
    for at in (16..100).filter(|at| !(60..64).contains(at) && !(68..92).contains(at)) {
        let mut bytes = good.to_vec();
        bytes[at] = if at % 2 == 0 { 0xff } else { bytes[at] ^ 0x01 };
        ask(&bytes);
    }
    for length in [0, 1, 15, 16, 72, 99, 100, 101, 512, 8191, 8192, 20_000, good.len() - 1] {
        ask(&good[..length]);
    }
    // Pages of zeros, of ones, swapped with the first, and with single bytes changed.
    let page = 8192;
    let pages = good.len() / page;
    for number in 0..pages {
        let range = number * page..(number + 1) * page;
        let mut bytes = good.to_vec();
        match number % 4 {
            0 => bytes[range].iter_mut().skip(100).for_each(|byte| *byte = 0xff),
            1 => bytes[range].fill(0),
            2 => bytes.copy_within(..page, number * page),
            _ => bytes[range].iter_mut().step_by(37).for_each(|byte| *byte ^= 0x55),
        }
        ask(&bytes);
    }
}

#[test]
fn what_is_no_database_is_refused_at_once() {
    let folder = Folder::new();
    folder.write("empty", "");
    folder.write("text", "SQLite format 3\0 and then text");
    let mut newer = good().to_vec();
    newer[60..64].copy_from_slice(&[0x7f; 4]);
    folder.write("newer", newer);
    let mut all = vec!["empty", "text", "newer", ".", "/dev/null", "/dev/zero", "no-such"];
    let pipe = folder.path("pipe");
    if std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()) {
        all.push("pipe");
    }
    let before = folder.names("");
    for db in all {
        ends(&folder, &["query", "best", "--db", db]).failed(1, db);
        ends(&folder, &["export", "-o", "out", "--db", db]).failed(1, db);
        assert_eq!(folder.names(""), before);
    }
}

#[test]
fn a_time_limit_ends_every_statement() {
    let folder = Folder::with_built_in();
    for sql in [
        "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n",
        "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n where i < 0",
        "select count(*) from configurations a, configurations b, configurations c, configurations d",
        "select instr(zeroblob(60000000), zeroblob(30000000) || x'01')",
        "select a.p99_itl_ms from configurations a, configurations b, configurations c order by 1",
    ] {
        let start = Instant::now();
        let ran = ends(&folder, &["query", "--timeout", "0.3", "--sql", sql]);
        ran.failed(1, "stopped after the time given with --timeout");
        assert!(start.elapsed() < Duration::from_secs(5), "{sql}: {:?}", start.elapsed());
    }
    ends(&folder, &["query", "best", "--timeout", "100"]).succeeded();
}

#[test]
fn statements_of_the_user_only_read() {
    let folder = Folder::with_database();
    let old = folder.read("energy.sqlite");
    for sql in [
        "delete from models",
        "attach 'evil.sqlite' as evil",
        "vacuum into 'evil.sqlite'",
        "create temp table t as select 1",
        "begin",
        "pragma query_only = 0",
        "pragma writable_schema = on",
        "pragma journal_mode = wal",
        "select load_extension('x')",
        "select writefile('evil', 'x')",
        "select 1; delete from models",
        "explain delete from models",
        "select fts3_tokenizer('simple', x'00')",
        "insert into models select * from models returning 1",
        "with x as (select 1) delete from models returning 1",
    ] {
        let ran = ends(&folder, &["query", "--sql", sql]);
        assert!(matches!(ran.status, Some(1 | 2)), "{sql}: {ran:?}");
        assert_eq!(ran.lines("error: ").len(), 1, "{sql}: {ran:?}");
        assert_eq!(folder.names(""), ["energy.sqlite"], "{sql}");
        assert!(folder.read("energy.sqlite") == old, "{sql}");
    }
}

#[test]
fn what_somebody_added_runs_only_where_a_statement_names_it() {
    let folder = changed(
        "create view mine as select model from models; \
         create table notes (note text, twice as (note || note))",
    );
    ends(&folder, &["query", "best", "--db", "bad.sqlite"]).succeeded();
    let sql = "select count(*) from mine";
    ends(&folder, &["query", "--db", "bad.sqlite", "--sql", sql]).succeeded();
    // Comparing two releases reads every table, so each must be known.
    folder.write("good.sqlite", good());
    let ran = ends(&folder, &["diff", "bad.sqlite", "good.sqlite"]);
    ran.failed(1, "altered after energydb built it: bad.sqlite: the view mine was added");
}

#[test]
fn memory_has_a_limit() {
    let folder = Folder::new();
    folder.write("energy.sqlite", good());
    let wide = vec!["printf('%.*c', 60000000, 'x')"; 16].join(", ");
    let ran = ends(&folder, &["query", "--format", "csv", "--sql", &format!("select {wide}")]);
    ran.failed(1, "it needs more memory than energydb allows");
    let long = "with recursive n (i) as (select 1 union all select i + 1 from n where i < 100) \
                select group_concat(printf('%.*c', 1000000, 'x')) from n";
    ends(&folder, &["query", "--sql", long]).failed(1, "string or blob too big");
}

#[test]
fn names_that_no_build_stores_do_not_fill_the_memory_of_a_comparison() {
    let folder = changed("update precisions set source_name = zeroblob(300000)");
    folder.write("good.sqlite", good());
    let ran = ends(&folder, &["diff", "--details", "bad.sqlite", "good.sqlite"]);
    ran.failed(1, "string or blob too big");
}

#[test]
fn a_check_that_somebody_added_is_not_run_by_check_or_migrate() {
    let endless = "create table bait (x text check (instr(zeroblob(60000000), \
                   zeroblob(30000000) || x'01') = 0)); \
                   pragma ignore_check_constraints = on; insert into bait values ('y')";
    let ran = changed(endless).run(["check", "bad.sqlite"]);
    let report = String::from_utf8(ran.out).unwrap();
    assert_eq!(ran.status, Some(1));
    assert!(report.contains("schema,failed,the table bait was added"), "{report}");
    assert!(
        report.contains("sqlite,failed,\"not read, because the schema is not energydb's\""),
        "{report}"
    );

    let folder = Folder::new();
    folder.write("old.sqlite", frozen(1));
    folder.open_to_change("old.sqlite").execute_batch(endless).unwrap();
    for words in [&["migrate", "old.sqlite"][..], &["diff", "old.sqlite", "old.sqlite"]] {
        ends(&folder, words).failed(1, "");
    }
}

#[test]
fn what_another_program_left_unfinished_is_named() {
    let folder = Folder::new();
    folder.write("busy.sqlite", good());
    let other = folder.open_to_change("busy.sqlite");
    other
        .execute_batch("pragma cache_size = 1; begin; update configurations set power_watts = 1")
        .unwrap();
    // As a crash would leave them.
    for ending in ["", "-journal"] {
        folder.write(format!("hot.sqlite{ending}"), folder.read(format!("busy.sqlite{ending}")));
    }
    drop(other);
    for words in [&["query", "best", "--db", "hot.sqlite"][..], &["check", "hot.sqlite"]] {
        ends(&folder, words).failed(1, "another program did not finish a transaction");
    }
}

#[test]
fn a_schema_larger_than_any_of_energydb_is_refused_before_it_is_read() {
    let folder = changed(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000) \
         insert into sqlite_schema select 'view', 'w' || i, 'w' || i, 0, \
         'create view w' || i || ' as select 1' from n",
    );
    folder.write("good.sqlite", good());
    for words in ["query best --db bad.sqlite", "check bad.sqlite", "diff bad.sqlite good.sqlite"] {
        let words: Vec<_> = words.split(' ').collect();
        let start = Instant::now();
        ends(&folder, &words).failed(1, "its schema has more than 2000 objects");
        assert!(start.elapsed() < Duration::from_secs(5), "{words:?}");
    }
}
