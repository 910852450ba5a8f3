//! Measures the parts of energydb's work in process: parse, load, build, best, export.
//!
//! `cargo bench` runs all of them, and `cargo bench best` runs one. `benches/compare` measures whole processes
//! and compares them with other tools.
#![allow(missing_docs, reason = "criterion's macros write undocumented items")]
#![allow(clippy::unwrap_used, reason = "a benchmark that fails ends")]

mod generator;

use std::ffi::OsString;
use std::fs::File;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::atomic::AtomicU64;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use energydb::catalogue::{Catalogue, statement};
use energydb::command;
use energydb::database::build::{Plan, Progress, fill_file};
use energydb::database::dates::Dates;
use energydb::database::destination::Destination;
use energydb::database::load::Loader;
use energydb::database::{open, template};
use energydb::input::document::Document;
use energydb::input::findings::Accepted;
use energydb::input::read::{self, Reading};
use energydb::manifest::Manifest;
use energydb::signal::Signals;
use rusqlite::Connection;

/// Rows of the documents; the first is the published one.
const SIZES: [usize; 3] = [328, 10_000, 100_000];

fn dates() -> Dates {
    Dates::of("2026-10-19")
}

/// A document of so many rows in the folder.
fn document(folder: &Path, rows: usize) -> PathBuf {
    let path = folder.join(format!("{rows}.json"));
    if rows == 328 {
        std::fs::copy(
            concat!(env!("CARGO_MANIFEST_DIR"), "/data/leaderboard/tasks/lm-arena-chat.json"),
            &path,
        )
        .unwrap();
    } else {
        let document = generator::Document { rows, seed: 1, bare_array: false };
        document.write_to(&mut File::create(&path).unwrap()).unwrap();
    }
    path
}

fn plan(path: &Path) -> Plan {
    Plan {
        order: read::order(Document::of_inputs(&[path.to_owned()], &Signals::none()).unwrap())
            .unwrap(),
        manifest: Manifest::built_in().unwrap(),
        dates: dates(),
        accept: Accepted::default(),
        strict: false,
    }
}

fn parse(plan: &Plan, take: &mut read::Take<'_>) -> Reading {
    read::read(&plan.order.documents, &plan.accept, false, &AtomicU64::new(0), take).unwrap()
}

fn build(path: &Path, database: &Path) {
    let destination = Destination::prepare(database).unwrap();
    fill_file(&destination, &plan(path), &Progress::default(), &Signals::none()).unwrap();
    destination.replace(None).unwrap();
}

fn work(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let catalogue = Catalogue::built_in();
    for rows in SIZES {
        let path = document(folder.path(), rows);
        let plan = plan(&path);
        let database = folder.path().join(format!("{rows}.sqlite"));
        build(&path, &database);

        let mut group = criterion.benchmark_group(format!("{rows} rows"));
        group.sample_size(if rows > 10_000 { 10 } else { 20 });
        group.throughput(Throughput::Elements(rows as u64));
        group.bench_function("parse", |bench| {
            bench.iter(|| {
                parse(&plan, &mut |batch| {
                    black_box(batch);
                    true
                })
            });
        });

        let mut batches = Vec::new();
        let reading = parse(&plan, &mut |batch| {
            batches.push(batch);
            true
        });
        group.bench_function("load", |bench| {
            bench.iter_batched(
                || {
                    let mut connection = Connection::open("").unwrap();
                    template::copy_into(&mut connection).unwrap();
                    (connection, batches.clone())
                },
                |(connection, batches)| {
                    let mut loader =
                        Loader::begin(&connection, &plan.order.documents, &plan.order.tasks)
                            .unwrap();
                    batches.into_iter().for_each(|batch| loader.take(batch).unwrap());
                    let release = plan
                        .dates
                        .release(&plan.manifest, &plan.order.documents, &reading.documents)
                        .unwrap();
                    loader.end(&reading, &plan.manifest, &release).unwrap()
                },
                BatchSize::PerIteration,
            );
        });

        group.bench_function("build", |bench| {
            bench.iter(|| build(&path, &folder.path().join("built.sqlite")));
        });

        let connection = open::read_only(&database, &Signals::none()).unwrap();
        let query = catalogue.get("best").unwrap();
        for (percentile, deadline_ms) in [("median", "500"), ("p99", "50")] {
            let given = |name: &str| match name {
                "gpu" => Some("B200".to_owned()),
                "percentile" => Some(percentile.to_owned()),
                "deadline_ms" => Some(deadline_ms.to_owned()),
                _ => None,
            };
            let values = statement::values(&connection, query, given).unwrap();
            let id = BenchmarkId::new("best", format!("{percentile}, {deadline_ms} ms"));
            group.bench_function(id, |bench| {
                let mut prepared = statement::prepare(&connection, query).unwrap();
                bench.iter(|| {
                    statement::run(&mut prepared, &values, |row| {
                        black_box(row);
                        Ok(())
                    })
                    .unwrap();
                });
            });
        }

        group.bench_function("export", |bench| {
            let out = folder.path().join("out");
            let words = ["energydb", "export", "--quiet", "--db"].map(OsString::from);
            let words = words.into_iter().chain([database.clone().into(), "-o".into(), out.into()]);
            bench.iter(|| command::run(words.clone()).unwrap());
        });
        group.finish();
    }
}

/// Every named query on the built-in data, as a whole process: the first example of its help, from a file and
/// from the data in the program.
fn queries(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let leaderboard = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/leaderboard");
    let database = folder.path().join("built.sqlite");
    build(&leaderboard, &database);
    for (place, words) in
        [("file", vec!["--db".as_ref(), database.as_os_str()]), ("memory", vec![])]
    {
        let mut group = criterion.benchmark_group(format!("query, whole process, from {place}"));
        group.sample_size(20);
        // The built-in data has one source, so there is no other to compare.
        let of_one_source =
            Catalogue::built_in().queries.into_iter().filter(|query| !query.takes("other_source"));
        for query in of_one_source {
            let example = &query.head.examples[0].arguments;
            group.bench_function(&query.name, |bench| {
                bench.iter(|| {
                    let output = Process::new(env!("CARGO_BIN_EXE_energydb"))
                        .args(["query", &query.name, "--quiet"])
                        .args(example.split_whitespace())
                        .args(&words)
                        .current_dir(&folder)
                        .env_remove("ENERGYDB_DB")
                        .output()
                        .unwrap();
                    assert!(output.status.success(), "{output:?}");
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, work, queries);
criterion_main!(benches);
