//! Messages about files that a case cannot contain: databases of other kinds and versions.

use std::fs;

use crate::common::{Folder, source_configurations, task_file};
use energydb::database::schema::SCHEMA_VERSION;
use rusqlite::Connection;

/// Every command that reads a database.
const READERS: [&[&str]; 6] = [
    &["query", "gpus", "--db", "x.sqlite"],
    &["query", "--sql", "select 1", "--db", "x.sqlite"],
    &["export", "-o", "out", "--db", "x.sqlite"],
    &["export", "--model", "qwen-3-8b", "--db", "x.sqlite"],
    &["check", "x.sqlite"],
    &["schema", "--db", "x.sqlite"],
];

#[test]
fn a_missing_database_is_not_made() {
    let folder = Folder::new();
    for words in READERS {
        let line = folder.refused(1, words);
        assert_eq!(line, "no such database: x.sqlite; build it with 'energydb build -o FILE'");
        assert_eq!(folder.names(""), Vec::<String>::new(), "{words:?}");
    }
}

#[test]
fn a_file_that_is_no_database_is_refused_and_kept() {
    for content in ["", "SQLite format 3", "SQLite format 3\0 and then too little", "{}"] {
        let folder = Folder::new();
        folder.write("x.sqlite", content);
        for words in READERS {
            assert_eq!(
                folder.refused(1, words),
                "not an energydb database, and not a SQLite file: x.sqlite; build one with \
                 'energydb build -o FILE'"
            );
        }
        // An empty file, as mktemp makes one, contains nothing that could be lost.
        if !content.is_empty() {
            let line = folder.refused(1, ["build", "-o", "x.sqlite", "--quiet"]);
            assert_eq!(
                line,
                "x.sqlite exists and is not an energydb database, so it is not replaced; name \
                 another file"
            );
        }
        assert_eq!(folder.read("x.sqlite"), content.as_bytes());
    }
}

#[test]
fn a_sqlite_file_of_another_kind_is_refused_and_kept() {
    // Without the mark of an owner, and with that of another one: "GPKG", a GeoPackage.
    for application_id in [0, 0x4750_4B47] {
        let folder = Folder::new();
        let other = Connection::open(folder.path("x.sqlite")).unwrap();
        // As like ours as can be otherwise.
        other.execute_batch("create table gpus (gpu text)").unwrap();
        other.pragma_update(None, "application_id", application_id).unwrap();
        other.pragma_update(None, "user_version", SCHEMA_VERSION).unwrap();
        other.close().unwrap();
        let before = folder.read("x.sqlite");
        for words in READERS {
            assert_eq!(
                folder.refused(1, words),
                "not an energydb database, but a SQLite file of another kind: x.sqlite; build one \
                 with 'energydb build -o FILE'"
            );
        }
        let line = folder.refused(1, ["build", "-o", "x.sqlite", "--quiet"]);
        assert!(line.starts_with("x.sqlite exists and is not an energydb database"), "{line}");
        assert!(folder.read("x.sqlite") == before);
    }
}

#[test]
fn a_database_of_another_version_says_what_to_do() {
    let folder = Folder::new();
    let both = |version: i32| {
        format!("(schema version {version}, this energydb reads {SCHEMA_VERSION}): x.sqlite")
    };
    for (version, expected) in [
        (
            SCHEMA_VERSION - 1,
            format!(
                "an older energydb built this database {}; upgrade it with 'energydb \
                 migrate x.sqlite'",
                both(SCHEMA_VERSION - 1)
            ),
        ),
        (
            SCHEMA_VERSION + 1,
            format!(
                "a newer energydb built this database {}; install the newer energydb",
                both(SCHEMA_VERSION + 1)
            ),
        ),
    ] {
        folder.done(["build", "-o", "x.sqlite", "--quiet"]);
        let database = folder.open_to_change("x.sqlite");
        database.pragma_update(None, "user_version", version).unwrap();
        database.close().unwrap();
        for words in READERS {
            assert_eq!(folder.refused(1, words), expected);
        }
        // It is ours all the same, and a build may replace it.
        folder.done(["build", "-o", "x.sqlite", "--quiet"]);
        folder.done(READERS[0]);
    }
}

#[test]
fn a_damaged_database_is_refused_in_one_line() {
    let folder = Folder::with_database();
    let whole = folder.read("energy.sqlite");
    folder.write("x.sqlite", &whole[..whole.len() / 2]);
    folder.refused(1, ["query", "gpus", "--db", "x.sqlite"]);
    let mut damaged = whole;
    damaged[200..8192].fill(0xff);
    folder.write("x.sqlite", damaged);
    folder.refused(1, ["query", "gpus", "--db", "x.sqlite"]);
}

#[test]
fn a_view_of_a_foreign_file_is_not_run_where_somebody_altered_it() {
    let folder = Folder::with_database();
    folder
        .open_to_change("energy.sqlite")
        .execute_batch(
            "drop view best_per_deadline;
            create view best_per_deadline as
            with recursive n(i) as (select 1 union all select i + 1 from n)
            select 'x' as task, i as deadline_ms from n where i < 0",
        )
        .unwrap();
    folder.write("good.sqlite", Folder::with_database().read("energy.sqlite"));
    let refusal =
        "altered after energydb built it: energy.sqlite: the view best_per_deadline was altered";
    for command in [
        "query best",
        "query --sql=select(1)",
        "export -o out",
        "schema",
        "diff energy.sqlite good.sqlite",
        "diff good.sqlite energy.sqlite",
    ] {
        let line = folder.refused(1, command.split(' '));
        assert!(line.starts_with(refusal), "{command}: {line}");
    }
    assert_eq!(folder.names(""), ["energy.sqlite", "good.sqlite"]);
}

#[test]
fn a_statement_may_begin_with_a_comment_and_be_of_several_lines() {
    let folder = Folder::new();
    let sql = "-- How many there are.\nselect count(*) as models\nfrom models; -- That is all.\n";
    assert_eq!(folder.done(["query", "--quiet", "--sql", sql]), "models\n46\n");
}

#[test]
fn a_query_that_takes_too_long_is_given_up() {
    let folder = Folder::new();
    let sql =
        "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
    let ended = folder.run(["query", "--quiet", "--timeout", "0.2", "--sql", sql]);
    assert_eq!(ended.status, Some(1));
    assert_eq!(ended.err, "error: stopped after the time given with --timeout\n");
}

#[test]
fn what_was_refused_left_no_file_behind() {
    let folder = Folder::new();
    folder.write("cut.json", &task_file("lm-arena-chat", &source_configurations())[..100_000]);
    for words in [
        &["build", "cut.json"] as &[&str],
        &["build", "none.json"],
        &["query", "--sql", "attach 'other.sqlite' as other"],
        &["query", "--sql", "vacuum into 'copy.sqlite'"],
        &["query", "best", "--gpu", "B20"],
        &["export", "--model", "nobody", "-o", "nobody.json"],
        &["export", "--task", "none", "-o", "out"],
    ] {
        let ended = folder.run(words);
        assert!(matches!(ended.status, Some(1 | 2)), "{words:?}: {}", ended.err);
        assert_eq!(ended.out, b"", "{words:?}");
        let last = ended.err.lines().last().unwrap();
        assert!(last.starts_with("error: "), "{words:?}: {}", ended.err);
        assert_eq!(folder.names(""), ["cut.json"], "{words:?}");
    }
}

#[test]
fn a_file_among_own_queries_that_is_no_text_is_named() {
    let folder = Folder::new();
    folder.write("own/latin.sql", b"-- Caf\xe9.\nselect 1 as one order by one;\n");
    let line = folder.refused(1, ["query", "latin", "--queries", "own", "--quiet"]);
    assert!(line.starts_with("could not read the query: own/latin.sql: "), "{line}");
    let ended = folder.run(["query", "gpus", "--queries", "own"]).succeeded();
    let note = "note: left out: could not read the query: own/latin.sql: ";
    assert!(ended.err.contains(note), "{ended:?}");
    // Other files in the folder are none of ours.
    fs::rename(folder.path("own/latin.sql"), folder.path("own/notes.txt")).unwrap();
    folder.done(["query", "gpus", "--queries", "own", "--quiet"]);
}

#[test]
fn reading_a_database_in_write_ahead_mode_leaves_nothing_beside_it() {
    let folder = Folder::with_database();
    let open = || folder.open_to_change("energy.sqlite");
    let mode: String = open().query_row("pragma journal_mode = wal", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    let before = folder.read("energy.sqlite");
    for words in [
        &["query", "gpus"][..],
        &["export", "-q", "-o", "out"],
        &["diff", "-q", "energy.sqlite", "energy.sqlite"],
        &["schema"],
    ] {
        folder.done(words);
        let names = folder.names("");
        assert!(names.iter().all(|name| name == "energy.sqlite" || name == "out"), "{names:?}");
        assert!(folder.read("energy.sqlite") == before, "{words:?}");
    }
    // Another program's files stay, and so does what it wrote.
    let other = open();
    other.execute("update configurations set repeat = repeat", []).unwrap();
    folder.done(["query", "gpus"]);
    assert!(folder.path("energy.sqlite-wal").metadata().unwrap().len() > 0);
    drop(other);
    assert!(!folder.path("energy.sqlite-wal").exists());
}

#[test]
fn a_statement_of_megabytes_is_refused_at_once() {
    let folder = Folder::with_database();
    let tables: String =
        (1..100_000).map(|n| format!(",\n a{n} as (select * from a{})", n - 1)).collect();
    let sql = format!("-- A chain.\nwith a0 as (select 1 as x){tables}\nselect * from a99999");
    folder.write("own/chain.sql", sql);
    let start = std::time::Instant::now();
    let line = folder.refused(1, ["query", "chain", "--queries", "own"]);
    assert!(line.contains("chain.sql"), "{line}");
    assert!(start.elapsed() < std::time::Duration::from_secs(10));
}
