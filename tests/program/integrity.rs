//! Whether a file that was altered is found out, whatever was altered, and an older one migrated.

use std::sync::atomic::AtomicU64;

use crate::common::{Folder, frozen, in_project, rows, source_configurations, task_file};
use energydb::database::build::Plan;
use energydb::database::load::Loader;
use energydb::database::schema::SCHEMA_VERSION;
use energydb::database::{content_hash, template};
use energydb::input::document::Document;
use energydb::input::findings::Accepted;
use energydb::input::read;
use rusqlite::Connection;
use serde_json::json;

/// The content hash of the built-in data. A change of the data, of what is stored of it, or of the
/// dictionary changes it; write the new one here when that is meant.
const BUILT_IN_CONTENT_HASH: &str =
    "8c53849980bfff38091837a6f0e2bbc168c7913a3b7d76748a1962d18e1bcb03";

/// The lines of a check, each as name and result, and the details by name.
struct Report {
    status: Option<i32>,
    failed: Vec<(String, String)>,
    ok: usize,
    err: String,
}

fn check(folder: &Folder, words: &[&str]) -> Report {
    let ended = folder.run(["check", "--format", "json"].iter().chain(words));
    let lines: Vec<serde_json::Value> = match &ended.out[..] {
        [] => Vec::new(),
        out => serde_json::from_slice(out).unwrap(),
    };
    let text = |line: &serde_json::Value, name: &str| line[name].as_str().unwrap().to_owned();
    let (failed, ok): (Vec<_>, Vec<_>) =
        lines.iter().partition(|line| text(line, "result") == "failed");
    let failed = failed.iter().map(|line| (text(line, "check_name"), text(line, "detail")));
    let report =
        Report { status: ended.status, failed: failed.collect(), ok: ok.len(), err: ended.err };
    assert!(!report.err.contains("panicked"), "{}", report.err);
    report
}

/// Alters a database with SQL as another program may, and returns the checks that then fail.
fn failing(alter: &str) -> Vec<String> {
    let folder = Folder::with_database();
    let database = folder.open_to_change("energy.sqlite");
    database
        .execute_batch(&format!(
            "pragma foreign_keys = off; pragma ignore_check_constraints = on; {alter}"
        ))
        .unwrap();
    database.close().unwrap();
    let report = check(&folder, &["energy.sqlite"]);
    assert_eq!(report.status, Some(1), "{alter}");
    assert!(report.err.ends_with("checks failed: energy.sqlite\n"), "{}", report.err);
    report.failed.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_database_as_it_was_built_passes_every_check() {
    let folder = Folder::with_database();
    for words in [&["energy.sqlite"][..], &["--db", "energy.sqlite"], &[]] {
        let report = check(&folder, words);
        assert_eq!((report.status, report.failed.len(), report.ok), (Some(0), 0, 29));
        assert_eq!(report.err, "note: all 29 checks passed: energy.sqlite\n");
    }
    let folder = Folder::new();
    let report = check(&folder, &["--quiet"]);
    assert_eq!((report.status, report.ok, report.err.as_str()), (Some(0), 29, ""));
}

#[test]
fn the_content_hash_of_the_built_in_data_is_the_committed_one() {
    let folder = Folder::new();
    let report = folder.done(["build", "--quiet"]);
    let line = report.lines().find_map(|line| line.strip_prefix("content hash")).unwrap();
    assert_eq!(line.trim(), BUILT_IN_CONTENT_HASH);
    let connection = folder.open("energy.sqlite");
    assert_eq!(content_hash::computed(&connection).unwrap(), BUILT_IN_CONTENT_HASH);
    assert_eq!(rows(&connection, "select sha256 from content_hash"), [[BUILT_IN_CONTENT_HASH]]);
}

#[test]
fn the_hash_taken_while_loading_is_the_one_of_what_is_stored() {
    let folder = Folder::new();
    let configurations = source_configurations();
    // Repeats next to each other and far apart, three of one, and a second document with some of
    // the same rows.
    let mut first: Vec<_> = configurations[..40].to_vec();
    for (of, energy) in [(39, 0.25), (3, 0.5), (3, 0.75), (20, 0.125)] {
        let mut again = configurations[of].clone();
        again["energy_per_token_joules"] = json!(energy);
        first.push(again);
    }
    folder.write("first.json", task_file("a", &first));
    folder.write("second.json", task_file("a", &configurations[30..80]));
    folder.write("third.json", task_file("b", &configurations));
    folder.done([
        "build",
        "first.json",
        "second.json",
        "third.json",
        "--quiet",
        "--accept",
        "power-identity",
        "--accept",
        "request-energy-identity",
    ]);
    let connection = folder.open("energy.sqlite");
    let recorded = content_hash::recorded(&connection).unwrap();
    assert_eq!(recorded, Some(content_hash::computed(&connection).unwrap()));
    let repeats = "select repeat, document_position from configurations where task_id = 1 and \
                   document_position >= 40 and repeat > 1 order by document_position";
    assert_eq!(rows(&connection, repeats), [["2", "40"], ["2", "41"], ["3", "42"], ["2", "43"]]);
    let report = check(&folder, &[]);
    assert_eq!(report.failed, []);
}

#[test]
fn the_hash_is_right_wherever_the_name_of_another_table_stands_among_those_of_all() {
    let plan = Plan::new(Document::built_in().unwrap(), Accepted::default()).unwrap();
    for name in ["aaa_configurations", "configurations_", "d", "zzz"] {
        let mut connection = Connection::open_in_memory().unwrap();
        template::copy_into(&mut connection).unwrap();
        let table = format!("create table {name} (id integer primary key, x real)");
        connection.execute_batch(&table).unwrap();
        connection.execute_batch(&format!("insert into {name} values (7, 0.5)")).unwrap();
        let mut loader =
            Loader::begin(&connection, &plan.order.documents, &plan.order.tasks).unwrap();
        let mut batches = Vec::new();
        let documents = &plan.order.documents;
        let take = &mut |batch| {
            batches.push(batch);
            true
        };
        let progress = AtomicU64::new(0);
        let reading = read::read(documents, &plan.accept, false, &progress, take).unwrap();
        batches.into_iter().for_each(|batch| loader.take(batch).unwrap());
        let release =
            plan.dates.release(&plan.manifest, &plan.order.documents, &reading.documents).unwrap();
        let loaded = loader.end(&reading, &plan.manifest, &release).unwrap();
        assert_eq!(loaded.content_hash, content_hash::computed(&connection).unwrap(), "{name}");
        assert_eq!(loaded.counts.configurations, 1858, "{name}");
    }
}

#[test]
fn whatever_was_altered_is_found_out() {
    for (alter, expected) in [
        // A figure that no relation holds together, then one that two do.
        (
            "update configurations set avg_running_batch = avg_running_batch * 0.999 where configuration_id = 7",
            &["content-hash"][..],
        ),
        (
            "update configurations set power_watts = power_watts * 1.001 where configuration_id = 7",
            &["power-identity", "content-hash"],
        ),
        (
            "update configurations set median_itl_ms = 1e6 where configuration_id = 7",
            &["itl-order", "time-per-token", "content-hash"],
        ),
        (
            "update configurations set p99_itl_ms = 'fast' where configuration_id = 7",
            &["number-range", "content-hash"],
        ),
        ("update content_hash set content_hash_id = 2", &["content-hash"]),
        ("insert into content_hash values (2, '')", &["content-hash"]),
        ("delete from configurations where configuration_id = 7", &["rows", "content-hash"]),
        // The last row may be alone on its page, which would be a free one without the vacuum.
        ("delete from configurations where configuration_id = 328; vacuum", &["content-hash"]),
        ("delete from gpus where gpu_id = 2", &["foreign-keys", "content-hash"]),
        (
            "update models set model_name = '=1+1' where model_id = 1",
            &["name-form", "model-slug", "content-hash"],
        ),
        ("update gpus set gpu = 'b200' where gpu = 'H100'", &["name-spelling", "content-hash"]),
        (
            "update configurations set repeat = 2 where configuration_id = 1",
            &["same-configuration", "content-hash"],
        ),
        (
            "update models set active_params_b = params_b + 1 where model_id = 1",
            &["active-within-total", "content-hash"],
        ),
        (
            "update configurations set max_num_seqs = 1 where configuration_id = 1",
            &["load-within-limit", "content-hash"],
        ),
        ("update documents set sha256 = 'x'", &["content-hash"]),
        ("update sources set licence = 'none'", &["content-hash"]),
        ("delete from release", &["history", "rows", "content-hash"]),
        (
            "delete from dictionary where column_name = 'power_watts'",
            &["dictionary", "content-hash"],
        ),
        ("update content_hash set sha256 = replace(sha256, 'c', 'd')", &["content-hash"]),
        ("delete from content_hash", &["content-hash"]),
        ("drop index configurations_by_energy", &["file-form", "schema", "views"]),
        (
            "create table notes (note text)",
            &["sqlite", "foreign-keys", "schema", "views", "content-hash"],
        ),
        (
            "create trigger t after insert on gpus begin delete from gpus; end",
            &["sqlite", "foreign-keys", "schema", "views", "content-hash"],
        ),
        ("drop view gpu_power", &["schema", "views"]),
        (
            "drop view gpu_power; create view gpu_power as with recursive n(x) as \
             (select 1 union all select x + 1 from n) select x from n where x < 0",
            &["sqlite", "foreign-keys", "schema", "views", "content-hash"],
        ),
        (
            "pragma writable_schema = on; update sqlite_schema set sql = replace(sql, '1e6', '1e5') \
             where name = 'best_per_deadline'",
            &["sqlite", "foreign-keys", "schema", "views", "content-hash"],
        ),
        // Rows on which the library that keeps the history ends in a panic.
        (
            "insert into refinery_schema_history values (99, 'x', 'no day', 'no number')",
            &["history"],
        ),
        (
            "update refinery_schema_history set checksum = -1, applied_on = x'ff', name = null",
            &["history"],
        ),
        ("drop table refinery_schema_history", &["file-form", "schema", "history", "views"]),
        (
            "drop table configurations",
            &[
                "file-form",
                "schema",
                "views",
                "rows",
                "output-lengths",
                "same-configuration",
                "number-range",
                "power-identity",
                "request-energy-identity",
                "itl-order",
                "load-within-limit",
                "batch-identity",
                "degrees-identity",
                "rated-power",
                "time-per-token",
                "energy-per-token",
                "itl-spread",
                "output-tokens",
                "energy-per-pixel",
                "active-within-total",
                "content-hash",
            ],
        ),
    ] {
        assert_eq!(failing(alter), expected, "{alter}");
    }
}

#[test]
fn a_file_that_was_cut_off_or_overwritten_is_found_out() {
    let folder = Folder::with_database();
    let whole = folder.read("energy.sqlite");
    for length in [100, 512, 8192, 10_000, whole.len() / 2, whole.len() - 8192, whole.len() - 1] {
        folder.write("x.sqlite", &whole[..length]);
        let report = check(&folder, &["x.sqlite"]);
        assert_eq!(report.status, Some(1), "{length}");
    }
    // Every page in turn, as a bad disk would leave it; the first contains the header.
    for start in (8192..whole.len()).step_by(8192) {
        for filling in [0, 0xff] {
            let mut damaged = whole.clone();
            damaged[start..start + 8192].fill(filling);
            folder.write("x.sqlite", &damaged);
            let report = check(&folder, &["x.sqlite"]);
            assert_eq!(report.status, Some(1), "{start} {filling}");
        }
    }
    // One figure, without SQLite knowing; a page that was split keeps a dead copy.
    let power = 759.946_792_029_899_4_f64.to_be_bytes();
    let mut damaged = whole.clone();
    for at in (0..whole.len() - 8).filter(|at| whole[*at..].starts_with(&power)) {
        damaged[at + 7] ^= 1;
    }
    assert_ne!(damaged, whole);
    folder.write("x.sqlite", &damaged);
    let report = check(&folder, &["x.sqlite"]);
    let failed: Vec<_> = report.failed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(failed, ["content-hash"]);
}

#[test]
fn a_check_that_failed_is_told_to_a_reader_that_went_away_by_the_status() {
    let folder = Folder::with_database();
    folder
        .open_to_change("energy.sqlite")
        .execute_batch("update configurations set p99_itl_ms = 1e300 where configuration_id = 1")
        .unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = folder.command().arg("check").stdout(writer).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn a_file_that_not_everybody_can_read_or_that_holds_more_than_its_rows_is_found_out() {
    assert_eq!(failing("pragma journal_mode = wal"), ["file-form"]);
    // The bytes of deleted rows stay in the file.
    let all = "create table x (t); insert into x values (zeroblob(100000)); drop table x";
    assert_eq!(failing(all), ["file-form"]);

    let folder = Folder::with_database();
    let mut longer = folder.read("energy.sqlite");
    longer.extend_from_slice(b"more");
    folder.write("x.sqlite", longer);
    let report = check(&folder, &["x.sqlite"]);
    let failed: Vec<_> = report.failed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(failed, ["file-form"]);
}

/// Fills the gap of each page of a database, between the numbers of its cells and the cells.
fn with_filled_gaps(whole: &[u8], filling: u8) -> (Vec<u8>, usize) {
    const PAGE: usize = 8192;
    let (mut bytes, mut filled) = (whole.to_vec(), 0);
    for (number, page) in bytes.chunks_exact_mut(PAGE).enumerate() {
        let header = if number == 0 { 100 } else { 0 };
        // As https://www.sqlite.org/fileformat.html has it: the pages of trees begin so.
        let header_bytes = match page[header] {
            2 | 5 => 12,
            10 | 13 => 8,
            _ => continue,
        };
        let at = |at: usize| usize::from(u16::from_be_bytes([page[at], page[at + 1]]));
        let gap = header + header_bytes + 2 * at(header + 3)..at(header + 5);
        filled += gap.len();
        page[gap].fill(filling);
    }
    (bytes, filled)
}

#[test]
fn bytes_in_the_gaps_of_pages_belong_to_no_row_and_are_not_looked_at() {
    let folder = Folder::with_database();
    let (bytes, filled) = with_filled_gaps(&folder.read("energy.sqlite"), 0x5a);
    assert!(filled > 10_000, "{filled}");
    folder.write("x.sqlite", bytes);
    // The documentation says so, and what is read of it is what was built.
    assert_eq!(check(&folder, &["x.sqlite"]).failed, []);
    folder.done(["diff", "--exit-code", "energy.sqlite", "x.sqlite"]);
    let page = std::fs::read_to_string(crate::common::in_project("docs/clients.md")).unwrap();
    assert!(page.contains("It does not look at unused bytes within a page."));
}

#[test]
fn what_a_publisher_accepted_is_no_failure() {
    let folder = Folder::new();
    let mut given = source_configurations()[..3].to_vec();
    given[1]["avg_power_watts"] = json!(700.5);
    let total = given[2]["total_params_billions"].as_f64().unwrap();
    given[2]["activated_params_billions"] = json!(total + 1.0);
    given.remove(0);
    folder.write("chat.json", task_file("lm-arena-chat", &given[..1]));
    folder.write("more.json", task_file("gpqa", &given[1..]));
    let accept = ["--accept", "power-identity", "--accept", "active-within-total", "--quiet"];
    let ended = folder.run(["build", "chat.json"].iter().chain(&accept));
    assert_eq!(ended.status, Some(0), "{}", ended.err);
    let out = folder.done(["check", "--format", "csv"]);
    assert!(
        out.contains("power-identity,ok,\"1 configurations, 1 accepted by the publisher\""),
        "{out}"
    );
    folder.done(["build", "more.json"].iter().chain(&accept));
    let out = folder.done(["check", "--format", "csv"]);
    assert!(
        out.contains("active-within-total,ok,\"1 models, 1 accepted by the publisher\""),
        "{out}"
    );
    let database = folder.open_to_change("energy.sqlite");
    database.execute_batch("delete from findings").unwrap();
    database.close().unwrap();
    let failed: Vec<_> = check(&folder, &[]).failed.into_iter().map(|(name, _)| name).collect();
    assert_eq!(failed, ["active-within-total", "content-hash"]);
}

#[test]
fn the_documents_are_compared_byte_for_byte() {
    let folder = Folder::with_database();
    folder.write("same.json", crate::common::source());
    let mut other = crate::common::source();
    other.push(b'\n');
    folder.write("other.json", other);
    let inputs = |inputs: &[&str]| {
        let words: Vec<_> = ["energy.sqlite", "--inputs"].iter().chain(inputs).copied().collect();
        let report = check(&folder, &words);
        (report.ok, report.failed)
    };
    assert_eq!(inputs(&["same.json"]), (30, vec![]));
    let (ok, failed) = inputs(&["other.json"]);
    assert_eq!((ok, failed.len(), failed[0].0.as_str()), (29, 1, "documents"));
    assert!(failed[0].1.starts_with("other.json ("), "{}", failed[0].1);
    let line = folder.refused(1, ["check", "--inputs", "none.json"]);
    assert!(line.starts_with("could not read the input: none.json"), "{line}");
}

const OLDER: &str = "an older energydb built this database (schema version 1, this energydb reads";

#[test]
fn an_older_database_is_named_as_that_and_migrated_with_every_figure() {
    let folder = Folder::with_database();
    folder.write("old.sqlite", frozen(1));
    let line = folder.refused(1, ["check", "old.sqlite"]);
    assert!(line.starts_with(OLDER), "{line}");
    assert!(line.ends_with("upgrade it with 'energydb migrate old.sqlite'"), "{line}");
    std::fs::copy(folder.path("old.sqlite"), folder.path("before.sqlite")).unwrap();

    let ended = folder.run(["migrate", "old.sqlite"]);
    assert_eq!(ended.status, Some(0), "{}", ended.err);
    let notes: Vec<_> = ended.err.lines().collect();
    assert!(
        notes.iter().any(|note| {
            note.starts_with(
                "note: null in every row, because schema version 1 did not record it: ",
            ) && note.contains("gpus.rated_power_watts")
        }),
        "{notes:?}"
    );
    assert_eq!(folder.names(""), ["before.sqlite", "energy.sqlite", "old.sqlite"]);
    assert_eq!(check(&folder, &["old.sqlite"]).failed, []);

    let (before, after) = (folder.open("before.sqlite"), folder.open("old.sqlite"));
    // What every database of that schema held.
    assert_eq!(rows(&after, "select distinct output from tasks"), [["tokens"]]);
    let url = "select count(*) from documents join sources using (source_id)
               where documents.data_url is not sources.data_url";
    assert_eq!(rows(&after, url), [["0"]]);
    let fresh = folder.open("energy.sqlite");
    let schema = "select type, name, tbl_name, sql from sqlite_schema order by type, name";
    assert_eq!(rows(&after, schema), rows(&fresh, schema));
    let tables = "select name from sqlite_schema where type = 'table' \
                  and name <> 'refinery_schema_history' order by name";
    for table in rows(&before, tables).concat() {
        let columns = rows(&before, &format!("select name from pragma_table_info('{table}')"));
        let sql = format!("select {} from {table} order by 1, 2", columns.concat().join(", "));
        assert_eq!(rows(&before, &sql), rows(&after, &sql), "{table}");
    }
    // The same data, so whatever the old file could know is what a build knows today.
    for table in ["configurations", "models", "dictionary", "refinery_schema_history"] {
        let sql = format!("select * from {table} order by 1");
        assert_eq!(rows(&after, &sql), rows(&fresh, &sql), "{table}");
    }
    let number = format!("select count(*), {SCHEMA_VERSION} from refinery_schema_history");
    assert_eq!(rows(&after, &number).len(), 1);

    let bytes = folder.read("old.sqlite");
    let ended = folder.run(["migrate", "old.sqlite"]);
    assert_eq!((ended.status, ended.out.len()), (Some(0), 0));
    assert!(ended.err.ends_with("already has schema version 5\n"), "{}", ended.err);
    assert!(folder.read("old.sqlite") == bytes);
}

#[test]
fn a_database_of_the_first_release_has_every_row_of_a_new_one() {
    let folder = Folder::new();
    folder.write("old.sqlite", frozen(5));
    folder.done(["migrate", "old.sqlite", "--quiet"]);
    assert_eq!(check(&folder, &["old.sqlite"]).failed, []);
    // What it was built from.
    let inputs = [
        "data/leaderboard/tasks/sourcegraph-fim.json",
        "data/leaderboard/tasks/text-to-video.json",
        "tests/frozen/own.csv",
    ]
    .map(|input| in_project(input).display().to_string());
    let words = ["build", "--quiet", "--data-version", "2026-12-02", "-o", "new.sqlite"];
    let inputs = inputs.iter().map(String::as_str);
    folder.done(words.into_iter().chain(inputs));
    let (old, new) = (folder.open("old.sqlite"), folder.open("new.sqlite"));
    // The release has the version of the program, which the hash covers.
    let names = "select name from sqlite_schema where type in ('table', 'view') \
                 and name not in ('release', 'content_hash') order by name";
    let mut read = 0;
    for name in rows(&new, names).concat() {
        let sql = format!("select * from {name} order by 1, 2");
        let expected = rows(&new, &sql);
        read += expected.len();
        assert_eq!(rows(&old, &sql), expected, "{name}");
    }
    assert!(read > 500, "{read}");
}

#[test]
fn a_database_of_all_workloads_is_migrated_with_every_row() {
    let folder = Folder::new();
    folder.write("old.sqlite", frozen(4));
    std::fs::copy(folder.path("old.sqlite"), folder.path("before.sqlite")).unwrap();
    folder.done(["migrate", "old.sqlite", "--quiet"]);
    assert_eq!(check(&folder, &["old.sqlite"]).failed, []);
    let (before, after) = (folder.open("before.sqlite"), folder.open("old.sqlite"));

    let tables = "select name from sqlite_schema where type = 'table' and name not in \
                  ('refinery_schema_history', 'dictionary', 'content_hash', \
                  'image_configurations', 'video_configurations')";
    let mut read = 0;
    for table in rows(&before, tables).concat() {
        let columns = rows(&before, &format!("select name from pragma_table_info('{table}')"));
        let sql = format!("select {} from {table} order by 1, 2", columns.concat().join(", "));
        let kept = rows(&after, &sql);
        read += kept.len();
        assert_eq!(rows(&before, &sql), kept, "{table}");
    }
    assert!(read > 500, "{read}");

    let columns = |kind: &str| {
        format!(
            "task_id, model_id, gpu_id, num_gpus, batch_size, height_pixels, width_pixels, \
             inference_steps, ulysses_degree, ring_degree, precision_id, repeat, \
             joules_per_{kind}, batch_latency_s, {kind}s_per_second, power_watts, document_id, \
             document_position"
        )
    };
    let mut expected = rows(
        &before,
        &format!(
            "select {}, null, null from image_configurations order by image_configuration_id",
            columns("image")
        ),
    );
    expected.extend(rows(
        &before,
        &format!(
            "select {}, num_frames, frames_per_second from video_configurations \
             order by video_configuration_id",
            columns("video")
        ),
    ));
    for (index, row) in expected.iter_mut().enumerate() {
        row.push((index + 1).to_string());
    }
    let stored = format!(
        "select {}, num_frames, frames_per_second, diffusion_configuration_id \
         from diffusion_configurations order by diffusion_configuration_id",
        columns("output")
    );
    assert_eq!(rows(&after, &stored), expected);
    assert!(expected.len() > 20, "{}", expected.len());

    // Every row has the source of its document, and the measured combinations are theirs.
    for table in ["configurations", "diffusion_configurations"] {
        let other = format!(
            "select count(*) from {table} as rows join documents using (document_id) \
             where rows.source_id <> documents.source_id"
        );
        assert_eq!(rows(&after, &other), [["0"]], "{table}");
    }
    let combinations = "select task_id, model_id, gpu_id, source_id from configurations union \
                        select task_id, model_id, gpu_id, source_id from diffusion_configurations \
                        order by 1, 2, 3, 4";
    let measured = "select * from measured order by 1, 2, 3, 4";
    assert_eq!(rows(&after, measured), rows(&after, combinations));
}

#[test]
fn documents_without_a_source_get_one_when_migrated() {
    let folder = Folder::new();
    folder.write("old.sqlite", frozen(4));
    let database = folder.open_to_change("old.sqlite");
    database.execute_batch("update documents set source_id = null where task_id = 1").unwrap();
    let hash = content_hash::computed(&database).unwrap();
    content_hash::record(&database, &hash).unwrap();
    database.close().unwrap();
    folder.done(["migrate", "old.sqlite", "--quiet"]);
    let sources = "select distinct source, sources.name from configurations \
                   join sources using (source_id) where task_id = 1";
    assert_eq!(rows(&folder.open("old.sqlite"), sources), [["published", "null"]]);
}

#[test]
fn migrating_twice_the_same_file_gives_the_same_bytes() {
    let migrated = || {
        let folder = Folder::new();
        folder.write("old.sqlite", frozen(1));
        folder.done(["migrate", "old.sqlite", "--quiet"]);
        folder.read("old.sqlite")
    };
    assert!(migrated() == migrated());
}

#[test]
fn an_older_database_that_was_altered_is_not_migrated() {
    for alter in [
        "insert into refinery_schema_history values (2, 'x', 'no day', 'no number')",
        "update refinery_schema_history set checksum = '1'",
        "update refinery_schema_history set checksum = x'00', version = 'one'",
        "create trigger t before update on gpus begin delete from models; end",
        "create table gpus_too (gpu text)",
        "drop index configurations_by_energy",
        "delete from release",
        "pragma foreign_keys = off; delete from models where model_id = 2",
        "update configurations set power_watts = 1 where configuration_id = 3",
    ] {
        let folder = Folder::new();
        folder.write("old.sqlite", frozen(1));
        let database = folder.open_to_change("old.sqlite");
        database.execute_batch(alter).unwrap();
        database.close().unwrap();
        let before = folder.read("old.sqlite");
        let line = folder.refused(1, ["migrate", "old.sqlite"]);
        assert!(line.contains("not migrated"), "{alter}: {line}");
        assert!(folder.read("old.sqlite") == before, "{alter}");
        assert_eq!(folder.names(""), ["old.sqlite"], "{alter}");
        // It is older, whatever else it is.
        let line = folder.refused(1, ["check", "old.sqlite"]);
        assert!(line.starts_with(OLDER), "{alter}: {line}");
    }
    let folder = Folder::with_database();
    let line = folder.refused(1, ["migrate", "none.sqlite"]);
    assert!(line.starts_with("no such database: none.sqlite"), "{line}");
    folder.write("notes.txt", "notes");
    let line = folder.refused(1, ["migrate", "notes.txt"]);
    assert!(line.starts_with("not an energydb database"), "{line}");
}

#[test]
fn the_date_stamp_of_an_old_history_is_not_trusted() {
    let folder = Folder::new();
    folder.write("old.sqlite", frozen(1));
    let database = folder.open_to_change("old.sqlite");
    database.execute_batch("update refinery_schema_history set applied_on = 'never'").unwrap();
    database.close().unwrap();
    folder.done(["migrate", "old.sqlite", "--quiet"]);
    assert_eq!(check(&folder, &["old.sqlite"]).failed, []);
}
