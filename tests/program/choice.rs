//! Compares every query that makes a choice with a reference, which is computed without SQL from the parsed source.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use energydb::catalogue::{Catalogue, statement};
use energydb::database::build::{Plan, Progress, fill};
use energydb::database::dates::Dates;
use energydb::database::location::Location;
use energydb::input::document::Document;
use energydb::input::findings::Accepted;
use energydb::input::read;
use energydb::manifest::Manifest;
use energydb::signal::Signals;
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value as Sql;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

mod evidence;
mod interpolation;
mod media;
mod plan;

use crate::common::{DATA, SIZES};
use crate::reference::{Limits, PERCENTILES, Row, perhaps, real, text, whole};

const PUBLISHED: &[u8] = include_bytes!("../../data/leaderboard/tasks/lm-arena-chat.json");

/// A database with the rows that it was built from.
struct Subject {
    task: &'static str,
    connection: Connection,
    catalogue: Catalogue,
    rows: Vec<Row>,
    /// The rows with repeated measurements merged into their mean.
    merged: Vec<Row>,
}

type Arguments = [(&'static str, String)];

impl Subject {
    fn published() -> Self {
        let document: Value = serde_json::from_slice(PUBLISHED).unwrap();
        Self::of_file(DATA.into(), &document)
    }

    /// The whole leaderboard as the program carries it, with the rows of the chat workload and the
    /// requests that the models' own files give.
    fn leaderboard() -> Self {
        Self::of_task("lm-arena-chat")
    }

    /// The same, with the rows of one task.
    fn of_task(task: &'static str) -> Self {
        let folder = Path::new(DATA).parent().unwrap();
        let read = |path: PathBuf| -> Value {
            serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
        };
        let document = read(folder.join(format!("{task}.json")));
        let mut rows = crate::reference::parse(&document);
        for entry in std::fs::read_dir(folder.parent().unwrap().join("models")).unwrap() {
            let path = entry.unwrap().path();
            if path.to_string_lossy().ends_with(&format!("__{task}.json")) {
                crate::reference::add_requests(&mut rows, &read(path));
            }
        }
        let connection = Location::BuiltIn.open(&Signals::none()).unwrap();
        let merged = crate::reference::means(&rows);
        Self { task, rows, merged, ..Self::new(connection, &json!({"configurations": []})) }
    }

    /// A database of a document.
    fn of(document: &Value) -> Self {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(document.to_string().as_bytes()).unwrap();
        Self::of_file(file.path().to_owned(), document)
    }

    fn of_file(path: PathBuf, document: &Value) -> Self {
        let plan = Plan {
            order: read::order(Document::of_inputs(&[path], &Signals::none()).unwrap()).unwrap(),
            manifest: Manifest::built_in().unwrap(),
            dates: Dates::of("2026-01-01"),
            accept: Accepted(SIZES.to_vec()),
            strict: true,
        };
        let mut connection = Connection::open_in_memory().unwrap();
        let outcome = fill(&mut connection, &plan, &Progress::default(), &Signals::none()).unwrap();
        let findings: Vec<_> = outcome.documents.iter().flat_map(|of| &of.findings.told).collect();
        assert!(outcome.is_sound(), "{findings:?}");
        Self::new(connection, document)
    }

    fn new(connection: Connection, document: &Value) -> Self {
        let catalogue = Catalogue::built_in();
        let rows = crate::reference::parse(document);
        let merged = crate::reference::means(&rows);
        Self { task: "lm-arena-chat", connection, catalogue, rows, merged }
    }

    /// The rows of a named query, each with its columns by name.
    fn ask(&self, name: &str, arguments: &Arguments) -> Vec<BTreeMap<String, Sql>> {
        let query = self.catalogue.get(name).unwrap();
        for (argument, _) in arguments {
            assert!(query.takes(argument), "{name} does not take {argument}");
        }
        let given = |name: &str| {
            arguments.iter().find(|(known, _)| *known == name).map(|(_, word)| word.clone())
        };
        let values = statement::values(&self.connection, query, given).unwrap();
        let mut prepared = statement::prepare(&self.connection, query).unwrap();
        let columns = statement::columns(&prepared);
        let mut rows = Vec::new();
        statement::run(&mut prepared, &values, |row| {
            let values = row.iter().map(|value| Sql::try_from(*value).unwrap());
            rows.push(columns.iter().cloned().zip(values).collect());
            Ok(())
        })
        .unwrap();
        rows
    }

    /// Checks that a query gives these rows, in this order, in these columns.
    fn expect(&self, name: &str, arguments: &Arguments, columns: &[&str], rows: &[Vec<Sql>]) {
        let answer: Vec<Vec<Sql>> = self
            .ask(name, arguments)
            .iter()
            .map(|row| columns.iter().map(|column| row[*column].clone()).collect())
            .collect();
        assert_eq!(answer.len(), rows.len(), "rows of {name} {arguments:?}");
        for (got, expected) in answer.iter().zip(rows) {
            let is_same = got.iter().zip(expected).all(|(got, expected)| is_same(got, expected));
            assert!(is_same, "{name} {arguments:?}: {columns:?}\n got {got:?}\nnot {expected:?}");
        }
    }

    fn models(&self) -> BTreeSet<&str> {
        self.rows.iter().map(|row| row.slug.as_str()).collect()
    }
}

/// Whether two values are equal; of reals, all but what the order of adding may change.
fn is_same(got: &Sql, expected: &Sql) -> bool {
    match (got, expected) {
        (Sql::Real(got), Sql::Real(expected)) => {
            (got - expected).abs() <= 1e-12 * expected.abs().max(got.abs())
        }
        _ => got == expected,
    }
}

/// Checks as many random cases as the variable RANDOM_CASES says, else 2,000. Returns a sentence of
/// how many there were, and how many answers the reference had.
fn random<S: Strategy>(cases: &S, check: impl Fn(&S::Value) -> usize) -> String {
    let count = std::env::var("RANDOM_CASES").map_or(2_000, |count| count.parse().unwrap());
    let config = ProptestConfig { cases: count, failure_persistence: None, ..Default::default() };
    let (checked, answers) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let outcome = proptest::test_runner::TestRunner::new(config).run(cases, |case| {
        answers.set(answers.get() + check(&case));
        checked.set(checked.get() + 1);
        Ok(())
    });
    outcome.unwrap();
    format!("{} random cases with {} answers", checked.get(), answers.get())
}

fn given(arguments: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    arguments.iter().map(|(name, word)| (*name, (*word).to_owned())).collect()
}

const DEADLINES: [f64; 5] = [5.0, 20.0, 50.0, 100.0, 500.0];

fn check_best(subject: &Subject, limits: &Limits) {
    let rows: Vec<_> = crate::reference::best(&subject.rows, limits)
        .iter()
        .map(|row| {
            vec![
                text(row.row_id()),
                real(row.watt_hours()),
                real(row.itl(limits.percentile)),
                real(row.throughput),
                real(row.watts),
                text(&row.precision),
                real(row.itl("p99")),
                real(row.ms_in_flight()),
                real(row.request_seconds()),
            ]
        })
        .collect();
    let columns = [
        "row_id",
        "wh_per_million_output_tokens",
        "itl_ms",
        "tokens_per_second",
        "power_watts",
        "precision",
        "p99_itl_ms",
        "ms_per_token_in_flight",
        "request_seconds",
    ];
    subject.expect("best", &limits.arguments(), &columns, &rows);
}

#[test]
fn best_is_the_lowest_energy_within_every_limit() {
    let subject = Subject::published();
    let usual = Limits::default();
    for percentile in PERCENTILES {
        for deadline_ms in DEADLINES {
            for repeats in ["lowest", "mean", "highest"] {
                check_best(&subject, &Limits { percentile, deadline_ms, repeats, ..usual.clone() });
            }
        }
    }
    for repeats in ["lowest", "mean", "highest"] {
        let usual = Limits { repeats, percentile: "p90", deadline_ms: 90.0, ..usual.clone() };
        check_best(&subject, &Limits { max_gpus: Some(1), ..usual.clone() });
        check_best(&subject, &Limits { max_request_seconds: Some(15.0), ..usual.clone() });
        let highest_itl = [Some(30.0), None, Some(60.0), Some(75.0)];
        check_best(&subject, &Limits { highest_itl, ..usual.clone() });
        check_best(&subject, &Limits { min_tokens_per_second: Some(4000.0), ..usual.clone() });
        check_best(&subject, &Limits { max_power_watts: Some(900.0), ..usual.clone() });
        check_best(&subject, &Limits { precision: Some("FP8".into()), ..usual.clone() });
        check_best(&subject, &Limits { architecture: Some("MoE".into()), ..usual.clone() });
        check_best(&subject, &Limits { max_params_b: Some(30.0), ..usual.clone() });
        let all = Limits {
            max_gpus: Some(4),
            min_tokens_per_second: Some(1000.0),
            max_power_watts: Some(3000.0),
            precision: Some("BF16".into()),
            architecture: Some("Dense Transformer".into()),
            max_params_b: Some(100.0),
            ..usual
        };
        assert!(!crate::reference::best(&subject.rows, &all).is_empty());
        check_best(&subject, &all);
    }
}

#[test]
fn best_counts_a_repeated_configuration_as_asked() {
    let subject = Subject::published();
    let energy = |repeats: &str| {
        let mut arguments = given(&[("gpu", "H100"), ("model", "qwen-3-30b-a3b-instruct")]);
        arguments.extend(given(&[("deadline_ms", "60"), ("repeats", repeats)]));
        match subject.ask("best", &arguments)[0]["wh_per_million_output_tokens"] {
            Sql::Real(energy) => energy,
            ref other => panic!("{other:?}"),
        }
    };
    assert!(energy("lowest") < energy("mean") && energy("mean") < energy("highest"));
}

#[test]
fn deadlines_are_the_best_at_each_usual_deadline() {
    let subject = Subject::published();
    let usual = [10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 400, 500];
    for percentile in PERCENTILES {
        let mut rows: Vec<(String, String, f64, Vec<Sql>)> = Vec::new();
        for deadline_ms in usual.map(f64::from) {
            let limits = Limits { percentile, deadline_ms, ..Limits::default() };
            for row in crate::reference::best(&subject.rows, &limits) {
                let cells = vec![text(row.row_id()), real(deadline_ms), real(row.watt_hours())];
                rows.push((row.slug, row.gpu, deadline_ms, cells));
            }
        }
        rows.sort_by(|left, right| {
            (&left.0, &left.1, left.2).partial_cmp(&(&right.0, &right.1, right.2)).unwrap()
        });
        let rows: Vec<_> = rows.into_iter().map(|(.., cells)| cells).collect();
        let columns = ["row_id", "deadline_ms", "wh_per_million_output_tokens"];
        subject.expect("deadlines", &given(&[("percentile", percentile)]), &columns, &rows);
    }
}

/// A limit by name, and whether a row is within it.
type Test<'t> = (&'t str, Box<dyn Fn(&Row) -> bool + 't>);

/// Checks `feasibility` against the rows, limit by limit.
fn check_feasibility(subject: &Subject, limits: &Limits) {
    let mut rows = Vec::new();
    for model in subject.models() {
        for gpu in ["B200", "H100"] {
            let measured: Vec<&Row> =
                subject.rows.iter().filter(|row| row.slug == model && row.gpu == gpu).collect();
            let itl = |row: &Row| row.itl(limits.percentile);
            let fastest = measured.iter().min_by(|left, right| {
                let of = |row: &Row| (itl(row), row.joules);
                of(left).partial_cmp(&of(right)).unwrap()
            });
            let mut tests: Vec<Test<'_>> =
                vec![("deadline_ms", Box::new(|row| itl(row) <= limits.deadline_ms))];
            for (place, name) in crate::reference::HIGHEST_ITL.into_iter().enumerate() {
                let limit = limits.highest_itl[place].unwrap_or(f64::MAX);
                tests.push((name, Box::new(move |row| row.itl[place] <= limit)));
            }
            let seconds = limits.max_request_seconds.unwrap_or(f64::MAX);
            tests.push((
                "max_request_seconds",
                Box::new(move |row| row.request_seconds() <= seconds),
            ));
            let failing = tests.iter().filter(|(_, test)| !measured.iter().any(|row| test(row)));
            let failing: Vec<&str> = failing.map(|(name, _)| *name).collect();
            let meets = measured.iter().any(|row| tests.iter().all(|(_, test)| test(row)));
            let (status, fails) = match fastest {
                None => ("no data", Sql::Null),
                Some(_) if meets => ("meets", Sql::Null),
                Some(_) if failing.is_empty() => ("none meets", text("all together")),
                Some(_) => ("none meets", text(failing.join(", "))),
            };
            let shortest = measured.iter().map(|row| row.request_seconds()).reduce(f64::min);
            rows.push(vec![
                text(model),
                text(gpu),
                text(status),
                fails,
                perhaps(fastest.map(|row| itl(row))),
                perhaps(fastest.map(|row| row.ms_in_flight())),
                perhaps(fastest.map(|row| row.request_seconds())),
                perhaps(shortest),
                fastest.map_or(Sql::Null, |row| text(row.row_id())),
            ]);
        }
    }
    let mut arguments = limits.arguments();
    arguments.retain(|(name, _)| *name != "repeats");
    let columns = [
        "model",
        "gpu",
        "status",
        "failing_limits",
        "fastest_itl_ms",
        "ms_per_token_in_flight",
        "request_seconds",
        "fastest_request_seconds",
        "row_id",
    ];
    subject.expect("feasibility", &arguments, &columns, &rows);
}

#[test]
fn feasibility_tells_what_meets_the_deadlines_from_what_was_never_measured() {
    let subject = Subject::published();
    for percentile in PERCENTILES {
        for deadline_ms in DEADLINES {
            let usual = Limits { percentile, deadline_ms, ..Limits::default() };
            check_feasibility(&subject, &usual);
            let highest_itl = [Some(12.0), None, Some(40.0), Some(deadline_ms / 2.0)];
            check_feasibility(&subject, &Limits { highest_itl, ..usual.clone() });
            check_feasibility(&subject, &Limits { max_request_seconds: Some(7.0), ..usual });
        }
    }
}

fn check_pareto(subject: &Subject, scope: &str, against: &str, percentile: &str) {
    let mut frontier = crate::reference::pareto(&subject.rows, scope, against, percentile);
    frontier.sort_by(|left, right| {
        let of = |row: &Row| match scope {
            "gpu" => (row.slug.clone(), row.gpu.clone(), row.joules, row.position),
            "model" => (row.slug.clone(), String::new(), row.joules, row.position),
            _ => (String::new(), String::new(), row.joules, row.position),
        };
        of(left).partial_cmp(&of(right)).unwrap()
    });
    let rows: Vec<_> = frontier
        .iter()
        .map(|row| {
            vec![
                text(row.row_id()),
                real(row.watt_hours()),
                real(row.itl(percentile)),
                real(row.throughput / row.num_gpus as f64),
            ]
        })
        .collect();
    let arguments = given(&[("scope", scope), ("against", against), ("percentile", percentile)]);
    let columns = ["row_id", "wh_per_million_output_tokens", "itl_ms", "per_gpu_tokens_per_second"];
    subject.expect("pareto", &arguments, &columns, &rows);
}

/// The view's frontier of one percentile.
fn frontier_of_view(subject: &Subject, percentile: &str) -> BTreeSet<String> {
    let sql = "select row_id from pareto_frontier where percentile = ?1";
    let mut statement = subject.connection.prepare(sql).unwrap();
    let rows = statement.query_map([percentile], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn pareto_is_what_no_other_beats() {
    let subject = Subject::published();
    for percentile in PERCENTILES {
        for scope in ["gpu", "model", "all"] {
            for against in ["itl", "throughput", "request-time"] {
                check_pareto(&subject, scope, against, percentile);
            }
        }
        let expected = crate::reference::pareto(&subject.rows, "gpu", "itl", percentile);
        let expected: BTreeSet<String> = expected.iter().map(|row| row.row_id()).collect();
        assert_eq!(frontier_of_view(&subject, percentile), expected);
    }
}

#[test]
fn pareto_compares_only_what_the_filters_let_through() {
    let subject = Subject::published();
    let rows: Vec<Row> = subject.rows.iter().filter(|row| row.gpu == "H100").cloned().collect();
    let frontier = crate::reference::pareto(&rows, "all", "itl", "p99");
    let expected: BTreeSet<_> = frontier.iter().map(|row| text(row.row_id()).into_text()).collect();
    let arguments = given(&[("gpu", "H100"), ("scope", "all"), ("percentile", "p99")]);
    let answer = subject.ask("pareto", &arguments);
    let got: BTreeSet<_> = answer.iter().map(|row| row["row_id"].clone().into_text()).collect();
    assert_eq!(got, expected);
}

/// The text of a value.
trait IntoText {
    fn into_text(self) -> String;
}

impl IntoText for Sql {
    fn into_text(self) -> String {
        match self {
            Sql::Text(text) => text,
            other => panic!("not text: {other:?}"),
        }
    }
}

/// The columns that tell apart the series of one model, GPU and number of GPUs.
const APART: [&str; 4] = ["tensor_parallel", "data_parallel", "expert_parallel", "precision"];

fn apart(row: &Row) -> [Sql; 4] {
    let [tensor, data, expert] = row.parallel.map(whole);
    [tensor, data, expert, text(&row.precision)]
}

fn check_curve(subject: &Subject) {
    let mut rows = Vec::new();
    for points in crate::reference::by_series(&subject.rows).values() {
        let lowest = points.iter().map(|row| row.joules).fold(f64::MAX, f64::min);
        let mut before = f64::MAX;
        for row in points {
            let figures = [
                text(row.row_id()),
                real(row.load),
                real(row.watt_hours()),
                real(row.joules / lowest),
                whole((row.joules > before).into()),
                real(row.itl("p95")),
                real(row.throughput),
                real(row.watts),
                real(row.ms_in_flight()),
                real(row.request_seconds()),
            ];
            rows.push([figures.to_vec(), apart(row).to_vec()].concat());
            before = row.joules;
        }
    }
    let columns = [
        "row_id",
        "avg_running_batch",
        "wh_per_million_output_tokens",
        "energy_relative_to_best",
        "energy_rises",
        "p95_itl_ms",
        "tokens_per_second",
        "power_watts",
        "ms_per_token_in_flight",
        "request_seconds",
    ];
    subject.expect("curve", &[], &[&columns[..], &APART].concat(), &rows);
}

#[test]
fn curve_marks_where_energy_rises_with_load() {
    check_curve(&Subject::published());
}

/// Checks `at` for every series of a model, at one load or throughput.
fn check_at(subject: &Subject, model: &str, what: &'static str, wanted: f64) {
    let figure = |row: &Row| if what == "load" { row.load } else { row.throughput };
    let mut rows = Vec::new();
    for ((slug, gpu, num_gpus, ..), points) in crate::reference::by_series(&subject.merged) {
        if slug != model {
            continue;
        }
        let place = crate::reference::at(&points, figure, wanted);
        let energy = place
            .figure(|row| row.watts)
            .zip(place.figure(|row| row.throughput))
            .map(|(watts, throughput)| watts / throughput);
        let name = |row: &Row| text(row.row_id());
        let (lower, upper, max_num_seqs) = match &place.between {
            Some((lower, upper, _)) => (name(lower), name(upper), whole(upper.max_num_seqs)),
            None => (Sql::Null, Sql::Null, Sql::Null),
        };
        let mut cells = vec![
            text(gpu),
            whole(num_gpus),
            text(place.status),
            real(place.from),
            real(place.to),
            perhaps(place.figure(|row| row.load)),
            perhaps(place.figure(|row| row.throughput)),
            perhaps(place.figure(|row| row.watts)),
            perhaps(energy),
            perhaps(energy.map(|joules| joules * 1e6 / 3600.0)),
            max_num_seqs,
            lower,
            upper,
        ];
        let load = place.figure(|row| row.load);
        let seconds =
            load.zip(place.figure(Row::requests_per_second)).map(|(load, rate)| load / rate);
        let per_token = load.zip(place.figure(|row| row.throughput));
        cells.push(perhaps(per_token.map(|(load, throughput)| 1000.0 * load / throughput)));
        cells.push(perhaps(seconds));
        let figures = [place.figure(|row| row.itl[0]), place.figure(|row| row.itl[3]), seconds];
        let failing = ["median_ms", "p99_ms", "max_request_seconds"]
            .into_iter()
            .zip(figures.into_iter().zip([30.0, 90.0, 12.0]))
            .filter(|(_, (figure, limit))| figure.is_some_and(|figure| figure > *limit))
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
            .join(", ");
        cells.push(match load {
            None => Sql::Null,
            Some(_) if failing.is_empty() => text("none"),
            Some(_) => text(failing),
        });
        for percentile in PERCENTILES {
            cells.push(perhaps(place.figure(|row| row.itl(percentile))));
        }
        cells.extend(apart(points[0]));
        rows.push(cells);
    }
    let columns = [
        "gpu",
        "num_gpus",
        "status",
        "measured_from",
        "measured_to",
        "avg_running_batch",
        "tokens_per_second",
        "power_watts",
        "joules_per_output_token",
        "wh_per_million_output_tokens",
        "max_num_seqs",
        "lower_row_id",
        "upper_row_id",
        "ms_per_token_in_flight",
        "request_seconds",
        "failing_limits",
        "median_itl_ms",
        "p90_itl_ms",
        "p95_itl_ms",
        "p99_itl_ms",
    ];
    let mut arguments = vec![("model", model.to_owned()), (what, wanted.to_string())];
    arguments.extend(given(&[
        ("median_ms", "30"),
        ("p99_ms", "90"),
        ("max_request_seconds", "12"),
    ]));
    subject.expect("at", &arguments, &[&columns[..], &APART].concat(), &rows);
}

#[test]
fn at_reads_a_series_between_its_measured_points_and_never_beyond() {
    let subject = Subject::published();
    for model in subject.models() {
        for load in [1.0, 10.0, 77.7, 300.0, 1e6] {
            check_at(&subject, model, "load", load);
        }
        for throughput in [1.0, 900.0, 2500.0, 6000.0, 1e9] {
            check_at(&subject, model, "tokens_per_second", throughput);
        }
    }
}

#[test]
fn repeats_are_the_configurations_measured_more_than_once() {
    let subject = Subject::published();
    assert_eq!(crate::reference::repeats(&subject.rows).len(), 2);
    check_repeats(&subject);
}

fn check_repeats(subject: &Subject) {
    for percentile in PERCENTILES {
        let rows: Vec<_> = crate::reference::repeats(&subject.rows)
            .iter()
            .map(|repeated| {
                let [low, mean, high] = repeated.extent(Row::watt_hours);
                let [fast, mean_itl, slow] = repeated.extent(|row| row.itl(percentile));
                vec![
                    text(repeated.of[0].row_id()),
                    whole(repeated.of.len() as i64),
                    real(low),
                    real(mean),
                    real(high),
                    real(high - low),
                    real((high - low) / mean * 100.0),
                    real(fast),
                    real(mean_itl),
                    real(slow),
                    real(slow - fast),
                    real((slow - fast) / mean_itl * 100.0),
                ]
            })
            .collect();
        let columns = [
            "row_id",
            "measurements",
            "lowest_wh_per_million_output_tokens",
            "mean_wh_per_million_output_tokens",
            "highest_wh_per_million_output_tokens",
            "spread_wh_per_million_output_tokens",
            "energy_spread_percent",
            "lowest_itl_ms",
            "mean_itl_ms",
            "highest_itl_ms",
            "spread_itl_ms",
            "itl_spread_percent",
        ];
        subject.expect("repeats", &given(&[("percentile", percentile)]), &columns, &rows);
    }
}

fn check_gpu_power(subject: &Subject, rated: impl Fn(&str) -> Option<f64>) {
    let mut rows: Vec<&Row> = subject.rows.iter().collect();
    rows.sort_by(|left, right| {
        let of =
            |row: &Row| (row.slug.clone(), row.gpu.clone(), row.num_gpus, row.load, row.position);
        of(left).partial_cmp(&of(right)).unwrap()
    });
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let watts = row.watts / row.num_gpus as f64;
            let rated = rated(&row.gpu);
            let figures = [
                text(row.row_id()),
                real(row.load),
                real(watts),
                perhaps(rated),
                perhaps(rated.map(|rated| watts / rated)),
            ];
            [figures.to_vec(), apart(row).to_vec()].concat()
        })
        .collect();
    let columns = [
        "row_id",
        "avg_running_batch",
        "per_gpu_power_watts",
        "rated_power_watts",
        "share_of_rated_power",
    ];
    subject.expect("gpu-power", &[], &[&columns[..], &APART].concat(), &rows);
}

#[test]
fn gpu_power_stands_beside_the_rated_power() {
    let rated = |gpu: &str| Some(if gpu == "H100" { 700.0 } else { 1000.0 });
    let subject = Subject::published();
    check_gpu_power(&subject, rated);
    for row in subject.ask("gpus", &[]) {
        let gpu = row["gpu"].clone().into_text();
        let of: Vec<_> = subject.rows.iter().filter(|row| row.gpu == gpu).collect();
        let models: BTreeSet<_> = of.iter().map(|row| &row.slug).collect();
        assert_eq!(row["configurations"], whole(of.len() as i64), "{gpu}");
        assert_eq!(row["models"], whole(models.len() as i64), "{gpu}");
        assert_eq!(row["rated_power_watts"], perhaps(rated(&gpu)), "{gpu}");
    }
}

/// One side of a comparison: model, GPU, and the precision, empty where it does not matter.
type Side = (String, String, String);

fn check_compare(subject: &Subject, arguments: &[(&'static str, &str)]) {
    let word = |name: &str| {
        arguments.iter().find(|(known, _)| *known == name).map(|(_, word)| (*word).to_owned())
    };
    let by_precision = word("precision").is_some() || word("other_precision").is_some();
    // Another model counts in any precision.
    let other_by_precision = by_precision && word("other_model").is_none();
    let sides = |by_precision: bool| -> BTreeSet<Side> {
        let side = |row: &Row| {
            let precision = if by_precision { row.precision.clone() } else { String::new() };
            (row.slug.clone(), row.gpu.clone(), precision)
        };
        subject.rows.iter().map(side).collect()
    };
    let (sides, other_sides) = (sides(by_precision), sides(other_by_precision));
    let deadlines = if word("every_deadline").is_some() {
        vec![10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 400, 500]
    } else {
        vec![word("deadline_ms").map_or(500, |word| word.parse().unwrap())]
    };
    let percentile = PERCENTILES
        .into_iter()
        .find(|known| word("percentile").is_some_and(|word| word == *known))
        .unwrap_or("median");
    let best = |(model, gpu, precision): &Side, deadline_ms: f64| {
        let rows: Vec<Row> = subject
            .rows
            .iter()
            .filter(|row| row.slug == *model && row.gpu == *gpu)
            .filter(|row| precision.is_empty() || row.precision == *precision)
            .cloned()
            .collect();
        let limits = Limits { percentile, deadline_ms, ..Limits::default() };
        crate::reference::best(&rows, &limits).pop()
    };
    // The builds of a model in other precisions have the precision at the end of their ids.
    let build_of = |(model, _, precision): &Side| {
        let row = subject.rows.iter().find(|row| row.slug == *model).unwrap();
        let id = row.hugging_face_id.to_lowercase();
        let end = format!("-{}", precision.to_lowercase());
        id.strip_suffix(&end).map_or(id.clone(), str::to_owned)
    };
    let is = |name: &str, own: &str| word(name).is_none_or(|word| word == own);
    let is_not = |name: &str, own: &str| word(name).is_none_or(|word| word != own);
    let firsts = sides.iter().filter(|(model, gpu, precision)| {
        is("model", model)
            && is("gpu", gpu)
            && is("precision", precision)
            && is_not("other_model", model)
            && is_not("other_gpu", gpu)
            && is_not("other_precision", precision)
    });
    let firsts: Vec<&Side> = firsts.collect();
    let others = other_sides.iter().filter(|side| {
        let (model, gpu, precision) = side;
        let is_build = || {
            let of = |first: &&Side| is("model", &first.0) && build_of(first) == build_of(side);
            word("model").is_none() || sides.iter().any(|first| of(&first))
        };
        is("other_model", model)
            && is("other_gpu", gpu)
            && is("other_precision", precision)
            && (word("other_gpu").is_some() || is("gpu", gpu))
            && (!other_by_precision
                || word("other_precision").is_some()
                || is("precision", precision))
            && match (word("other_model"), word("other_precision")) {
                (Some(_), _) => true,
                (None, Some(_)) => is_build(),
                (None, None) => is("model", model),
            }
    });
    let others: Vec<&Side> = others.collect();
    let is_pair = |first: &Side, other: &Side| {
        let is_same_model = match word("other_precision") {
            Some(_) => build_of(first) == build_of(other),
            None => first.0 == other.0,
        };
        (word("other_model").is_some() || is_same_model)
            && (word("other_gpu").is_some() || first.1 == other.1)
            && (word("other_precision").is_some()
                || word("other_model").is_some()
                || first.2 == other.2)
    };
    let mut pairs: Vec<(Option<&Side>, Option<&Side>)> = Vec::new();
    for first in &firsts {
        let mut found: Vec<_> = others.iter().filter(|other| is_pair(first, other)).collect();
        pairs.extend(found.drain(..).map(|other| (Some(*first), Some(*other))));
        if !others.iter().any(|other| is_pair(first, other)) {
            pairs.push((Some(first), None));
        }
    }
    let lonely = others.iter().filter(|other| !firsts.iter().any(|first| is_pair(first, other)));
    pairs.extend(lonely.map(|other| (None, Some(*other))));
    let mut rows = Vec::new();
    for (first, other) in pairs {
        for deadline_ms in deadlines.iter().copied().map(f64::from) {
            let pair = (
                first.and_then(|side| best(side, deadline_ms)),
                other.and_then(|side| best(side, deadline_ms)),
            );
            let status = match (&pair, first, other) {
                (_, None, _) => "the first was not measured",
                (_, _, None) => "the other was not measured",
                ((Some(_), Some(_)), ..) => "both meet",
                ((Some(_), None), ..) => "only the first meets",
                ((None, Some(_)), ..) => "only the other meets",
                ((None, None), ..) => "neither meets",
            };
            let ratio = |figure: &dyn Fn(&Row) -> f64| match &pair {
                (Some(first), Some(other)) => real(figure(other) / figure(first)),
                _ => Sql::Null,
            };
            // The energies of all measurements of a configuration.
            let energies = |row: &Row| {
                let is_again = |again: &&Row| {
                    again.series() == row.series() && again.max_num_seqs == row.max_num_seqs
                };
                let all: Vec<f64> =
                    subject.rows.iter().filter(is_again).map(|row| row.joules).collect();
                let low = all.iter().copied().fold(f64::MAX, f64::min);
                (all.len(), low, all.into_iter().fold(0.0, f64::max))
            };
            let within_spread = match &pair {
                (Some(first), Some(other)) => {
                    let (first, other) = (energies(first), energies(other));
                    let is_within = first.1 <= other.2 && other.1 <= first.2;
                    if first.0 + other.0 > 2 { whole(is_within.into()) } else { Sql::Null }
                }
                _ => Sql::Null,
            };
            let name = |row: &Option<Row>| row.as_ref().map_or(Sql::Null, |row| text(row.row_id()));
            let gpus =
                |row: &Option<Row>| row.as_ref().map_or(Sql::Null, |row| whole(row.num_gpus));
            // A side that was not measured has the name that was asked for, else the other side's.
            let named =
                |side: Option<&Side>, asked: &str, one: Option<&Side>, of: fn(&Side) -> &String| {
                    let name = side.map(of).cloned().or(word(asked).map(|word| word.to_string()));
                    name.or(one.map(of).cloned()).map_or(Sql::Null, |name| text(&name))
                };
            let lacks_first = |flag: &'static str, other_flag: &str| {
                if word(other_flag).is_none() { "none" } else { flag }
            };
            let other_if = |other_flag: &str| other.filter(|_| word(other_flag).is_none());
            let cells = vec![
                named(
                    first,
                    lacks_first("model", "other_model"),
                    other_if("other_model"),
                    |side| &side.0,
                ),
                named(first, lacks_first("gpu", "other_gpu"), other_if("other_gpu"), |side| {
                    &side.1
                }),
                named(other, "other_model", first, |side| &side.0),
                named(other, "other_gpu", first, |side| &side.1),
                real(deadline_ms),
                text(status),
                ratio(&|row| row.joules),
                ratio(&|row| row.throughput / row.num_gpus as f64),
                ratio(&|row| row.watts),
                name(&pair.0),
                name(&pair.1),
                gpus(&pair.0),
                gpus(&pair.1),
                within_spread,
            ];
            // Null comes before every name.
            let of = |side: Option<&Side>| side.cloned();
            let lead = first.or(other).unwrap().0.clone();
            let (own, against) = (of(first), of(other));
            let place = (
                lead,
                own.as_ref().map(|side| side.1.clone()),
                against.as_ref().map(|side| (side.0.clone(), side.1.clone())),
                own.map(|side| side.2),
                against.map(|side| side.2),
            );
            rows.push((place, deadline_ms, cells));
        }
    }
    rows.sort_by(|left, right| (&left.0, left.1).partial_cmp(&(&right.0, right.1)).unwrap());
    let rows: Vec<_> = rows.into_iter().map(|(.., cells)| cells).collect();
    let columns = [
        "model",
        "gpu",
        "other_model",
        "other_gpu",
        "deadline_ms",
        "status",
        "energy_ratio",
        "per_gpu_throughput_ratio",
        "power_ratio",
        "row_id",
        "other_row_id",
        "num_gpus",
        "other_num_gpus",
        "within_spread",
    ];
    subject.expect("compare", &given(arguments), &columns, &rows);
}

#[test]
fn compare_sets_two_sides_beside_each_other_at_equal_deadlines() {
    let subject = Subject::published();
    check_compare(&subject, &[("gpu", "H100"), ("other_gpu", "B200")]);
    check_compare(&subject, &[("other_gpu", "H100"), ("precision", "FP8")]);
    for deadline in ["5", "20", "60"] {
        let deadline = ("deadline_ms", deadline);
        check_compare(&subject, &[("other_gpu", "B200"), ("percentile", "p99"), deadline]);
    }
    let models = [("model", "qwen-3-235b-a22b-instruct"), ("every_deadline", "true")];
    let other = ("other_model", "qwen-3-235b-a22b-instruct-fp8");
    check_compare(&subject, &[models[0], models[1], other]);
    check_compare(&subject, &[other, ("gpu", "B200")]);
    check_compare(&subject, &[other, ("precision", "BF16")]);
    // The builds of one model, each with an id of its own.
    check_compare(&subject, &[("precision", "BF16"), ("other_precision", "FP8")]);
    let model = ("model", "qwen-3-235b-a22b-instruct");
    check_compare(&subject, &[model, ("other_precision", "FP8"), ("deadline_ms", "60")]);
}

#[test]
fn a_precision_restricts_the_first_model_alone() {
    let subject = Subject::of_task("gpqa");
    let other = ("other_model", "qwen-3-235b-a22b-thinking-fp8");
    let model = ("model", "qwen-3-235b-a22b-thinking");
    let arguments = [model, other, ("gpu", "B200"), ("precision", "BF16")];
    check_compare(&subject, &arguments);
    let answer = subject.ask("compare", &given(&arguments));
    let precisions = ["precision", "other_precision"].map(|column| answer[0][column].clone());
    assert_eq!((answer.len(), precisions), (1, ["BF16", "FP8"].map(text)));
    // Of another GPU only the GPU is another.
    check_compare(&subject, &[model, ("precision", "BF16"), ("other_gpu", "H100")]);
    check_compare(&subject, &[model, ("precision", "FP8"), ("other_gpu", "H100")]);
}

#[test]
fn provenance_leads_from_every_figure_to_its_place_in_the_document() {
    let subject = Subject::published();
    let document: Value = serde_json::from_slice(PUBLISHED).unwrap();
    let sha256: String =
        Sha256::digest(PUBLISHED).iter().map(|byte| format!("{byte:02x}")).collect();
    for row in
        subject.rows.iter().step_by(7).chain(subject.rows.iter().filter(|row| row.repeat > 1))
    {
        let answer = subject.ask("provenance", &[("row_id", row.row_id())]);
        let mut fields = BTreeSet::new();
        let mut figures = BTreeMap::new();
        let mut methods = BTreeMap::new();
        for told in answer {
            // How the source measured is not of the document.
            if told["field"] == text("source") {
                methods.insert(told["figure"].clone().into_text(), told["received"].clone());
                continue;
            }
            let pointer = told["json_pointer"].clone().into_text();
            let received = document.pointer(&pointer).unwrap_or_else(|| panic!("{pointer}"));
            let is_as_received = match &told["received"] {
                Sql::Text(text) => received.as_str() == Some(text),
                Sql::Integer(whole) => received.as_i64() == Some(*whole),
                Sql::Real(real) => received.as_f64() == Some(*real),
                _ => false,
            };
            assert!(is_as_received, "{pointer}: {:?}, not {received}", told["received"]);
            assert_eq!(told["sha256"], text(&sha256));
            assert_eq!(told["document"], text("tasks/lm-arena-chat.json"));
            assert!(told["source_url"].clone().into_text().ends_with("/lm-arena-chat.json"));
            fields.insert(told["field"].clone().into_text());
            figures.insert(told["figure"].clone().into_text(), told["unrounded_value"].clone());
        }
        let object = document["configurations"][row.position].as_object().unwrap();
        assert!(object.keys().eq(fields.iter()), "every field is told");
        assert_eq!(methods["energy_boundary"], text("gpu"));
        assert_eq!(methods["measurement_window"], text("steady-state"));
        for (figure, expected) in [
            ("model", text(&row.slug)),
            ("model_name", text(&row.name)),
            ("hugging_face_id", text(&row.hugging_face_id)),
            ("precision", text(&row.precision)),
            ("active_params_b", real(row.active_params_b)),
            ("joules_per_output_token", real(row.joules)),
            ("wh_per_million_output_tokens", real(row.watt_hours())),
            ("power_watts", real(row.watts)),
            ("avg_output_tokens", real(row.output_tokens)),
            ("under_itl_deadline", whole((row.itl("median") <= 500.0).into())),
            ("p99_itl_ms", real(row.itl("p99"))),
        ] {
            assert_eq!(figures[figure], expected, "{figure} of {}", row.row_id());
        }
        // What the documents publish is what the provenance tells, under the same names.
        let [ref stored] = subject
            .ask("configurations", &[("model", row.slug.clone()), ("gpu", row.gpu.clone())])
            .into_iter()
            .filter(|stored| stored["row_id"] == text(row.row_id()))
            .collect::<Vec<_>>()[..]
        else {
            panic!("{} is one row", row.row_id())
        };
        for (figure, value) in &figures {
            assert!(stored.get(figure).is_none_or(|stored| stored == value), "{figure}");
        }
    }
}

/// A row of a synthetic document. Few and round figures make ties and repeats frequent.
#[derive(Debug, Clone)]
struct Made {
    model: usize,
    gpu: usize,
    precision: usize,
    num_gpus: u32,
    tensor_parallel: u32,
    limit: usize,
    load: u32,
    throughput: u32,
    joules: u32,
    itl: [u32; 4],
}

fn made() -> impl Strategy<Value = Made> {
    let names = (0..2_usize, 0..2_usize, 0..2_usize, 1..3_u32, 1..3_u32, 0..4_usize);
    let figures = (5..=10_u32, 1..7_u32, 1..7_u32, [1..6_u32, 0..2, 0..2, 0..3]);
    (names, figures).prop_map(|(names, (load, throughput, joules, itl))| {
        let (model, gpu, precision, num_gpus, tensor_parallel, limit) = names;
        Made {
            model,
            gpu,
            precision,
            num_gpus,
            tensor_parallel,
            limit,
            load,
            throughput,
            joules,
            itl,
        }
    })
}

fn document(rows: &[Made]) -> Value {
    let configurations: Vec<Value> = rows
        .iter()
        .map(|row| {
            let limit = [8, 16, 32, 64][row.limit];
            let joules = f64::from(row.joules) * 0.3;
            let throughput = f64::from(row.throughput) * 110.0;
            let mut itl = row.itl.map(f64::from);
            for place in 1..itl.len() {
                itl[place] += itl[place - 1];
            }
            json!({
                "model_id": (["maker/One", "maker/Two"][row.model]),
                "nickname": (["One 1B", "Two 2B"][row.model]),
                "architecture": (["Dense Transformer", "MoE"][row.model]),
                "total_params_billions": ([1.0, 2.0][row.model]),
                "activated_params_billions": 1.0,
                "gpu_model": (["H100", "Unheard-of"][row.gpu]),
                "weight_precision": (["bfloat16", "fp8"][row.precision]),
                "num_gpus": row.num_gpus,
                "tensor_parallel": row.tensor_parallel,
                "data_parallel": 1,
                "expert_parallel": 1,
                "max_num_seqs": limit,
                "avg_batch_size": f64::from(limit * row.load) / 10.0,
                "avg_output_len": 500.0,
                "output_throughput_tokens_per_sec": throughput,
                "energy_per_token_joules": joules,
                "energy_per_request_joules": joules * 500.0,
                "avg_power_watts": joules * throughput,
                "median_itl_ms": itl[0],
                "p90_itl_ms": itl[1],
                "p95_itl_ms": itl[2],
                "p99_itl_ms": itl[3],
            })
        })
        .collect();
    json!({
        "task": "synthetic",
        "task_display_name": "Synthetic",
        "configurations": configurations,
    })
}

/// The energy of each model and GPU that has an answer.
fn energies(subject: &Subject, limits: &Limits) -> BTreeMap<(String, String), f64> {
    let answer = subject.ask("best", &limits.arguments());
    let energies = answer.into_iter().map(|row| {
        let Sql::Real(energy) = row["wh_per_million_output_tokens"] else { panic!("{row:?}") };
        ((row["model"].clone().into_text(), row["gpu"].clone().into_text()), energy)
    });
    energies.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_pareto_point_is_beaten_and_every_other_point_is(
        rows in prop::collection::vec(made(), 1..40),
        percentile in prop::sample::select(PERCENTILES.to_vec()),
    ) {
        let subject = Subject::of(&document(&rows));
        for against in ["itl", "throughput", "request-time"] {
            for scope in ["gpu", "model", "all"] {
                let arguments =
                    given(&[("percentile", percentile), ("scope", scope), ("against", against)]);
                let answer = subject.ask("pareto", &arguments);
                let frontier: BTreeSet<String> =
                    answer.iter().map(|row| row["row_id"].clone().into_text()).collect();
                prop_assert_eq!(answer.len(), frontier.len());
                let of = |row: &Row| crate::reference::figures(row, against, percentile);
                for row in &subject.rows {
                    let is_beaten = subject.rows.iter().any(|other| {
                        (scope == "all" || other.slug == row.slug)
                            && (scope != "gpu" || other.gpu == row.gpu)
                            && crate::reference::beats(of(other), of(row))
                    });
                    prop_assert_eq!(frontier.contains(&row.row_id()), !is_beaten, "{:?}", row);
                }
                if against == "itl" && scope == "gpu" {
                    prop_assert_eq!(&frontier_of_view(&subject, percentile), &frontier);
                }
            }
        }
    }

    #[test]
    fn interpolation_meets_the_measured_points_and_stays_between_its_neighbours(
        rows in prop::collection::vec(made(), 1..40),
        along in 0.01..0.99_f64,
        throughput in 50.0..800.0_f64,
    ) {
        let subject = Subject::of(&document(&rows));
        for ((model, gpu, num_gpus, ..), points) in crate::reference::by_series(&subject.merged) {
            check_at(&subject, &model, "tokens_per_second", throughput);
            let ask = |load: f64| {
                let arguments = [
                    ("model", model.clone()),
                    ("gpu", gpu.clone()),
                    ("num_gpus", num_gpus.to_string()),
                    ("load", load.to_string()),
                ];
                subject.ask("at", &arguments)
            };
            for point in &points {
                check_at(&subject, &model, "load", point.load);
                check_at(&subject, &model, "tokens_per_second", point.throughput);
            }
            for pair in points.windows(2) {
                let [lower, upper] = pair else { unreachable!("pairs") };
                let load = lower.load + along * (upper.load - lower.load);
                if !(lower.load < load && load < upper.load) {
                    continue;
                }
                let answer = ask(load);
                let answer = answer.iter().find(|row| {
                    row["lower_row_id"] == text(lower.row_id())
                        && row["upper_row_id"] == text(upper.row_id())
                });
                let Some(answer) = answer else {
                    panic!("{load} is not between {} and {}", lower.row_id(), upper.row_id())
                };
                let energy = |row: &Row| row.watts / row.throughput;
                for (column, left, right) in [
                    ("avg_running_batch", lower.load, upper.load),
                    ("tokens_per_second", lower.throughput, upper.throughput),
                    ("power_watts", lower.watts, upper.watts),
                    ("joules_per_output_token", energy(lower), energy(upper)),
                    ("median_itl_ms", lower.itl[0], upper.itl[0]),
                    ("p99_itl_ms", lower.itl[3], upper.itl[3]),
                ] {
                    let Sql::Real(got) = answer[column] else { panic!("{column}") };
                    let (low, high) = (left.min(right), left.max(right));
                    let room = 1e-12 * high;
                    prop_assert!(low - room <= got && got <= high + room, "{} {}", column, got);
                }
            }
        }
    }

    #[test]
    fn relaxing_a_deadline_or_a_limit_never_raises_the_best_energy(
        rows in prop::collection::vec(made(), 1..40),
        percentile in prop::sample::select(PERCENTILES.to_vec()),
        repeats in prop::sample::select(vec!["lowest", "mean", "highest"]),
        deadline in 1..12_u32,
        throughput in 1..7_u32,
        watts in 1..30_u32,
    ) {
        let subject = Subject::of(&document(&rows));
        let tight = Limits {
            percentile,
            repeats,
            deadline_ms: deadline.into(),
            max_gpus: Some(1),
            min_tokens_per_second: Some(f64::from(throughput) * 110.0),
            max_power_watts: Some(f64::from(watts) * 50.0),
            precision: subject.rows.first().map(|row| row.precision.clone()),
            architecture: Some("MoE".into()).filter(|name| {
                subject.rows.iter().any(|row| row.architecture == *name)
            }),
            max_params_b: Some(1.0),
            max_request_seconds: Some(60.0),
            highest_itl: [None, Some(f64::from(deadline)), None, Some(f64::from(deadline) + 1.0)],
            ..Limits::default()
        };
        let loose = [
            Limits { deadline_ms: tight.deadline_ms + 1.0, ..tight.clone() },
            Limits { highest_itl: [None; 4], ..tight.clone() },
            Limits { max_request_seconds: None, ..tight.clone() },
            Limits { max_gpus: Some(2), ..tight.clone() },
            Limits { max_gpus: None, ..tight.clone() },
            Limits { min_tokens_per_second: None, ..tight.clone() },
            Limits { max_power_watts: None, ..tight.clone() },
            Limits { precision: None, ..tight.clone() },
            Limits { architecture: None, ..tight.clone() },
            Limits { max_params_b: Some(2.0), architecture: None, ..tight.clone() },
            Limits { percentile, repeats, ..Limits::default() },
        ];
        check_best(&subject, &tight);
        let before = energies(&subject, &tight);
        for limits in loose {
            check_best(&subject, &limits);
            let after = energies(&subject, &limits);
            for (place, energy) in &before {
                prop_assert!(after.get(place).is_some_and(|lower| lower <= energy), "{:?}", limits);
            }
        }
    }

    #[test]
    fn every_other_question_holds_on_synthetic_data(
        rows in prop::collection::vec(made(), 1..40),
        deadline in 1..12_u32,
    ) {
        let subject = Subject::of(&document(&rows));
        check_curve(&subject);
        check_repeats(&subject);
        check_gpu_power(&subject, |gpu| (gpu == "H100").then_some(700.0));
        let deadline = deadline.to_string();
        let has = |test: &dyn Fn(&Row) -> bool| subject.rows.iter().any(test);
        if has(&|row| row.precision == "FP8") && has(&|row| row.precision == "BF16") {
            let pair = [("precision", "BF16"), ("other_precision", "FP8")];
            check_compare(&subject, &[pair[0], pair[1], ("deadline_ms", &deadline)]);
        }
        if has(&|row| row.gpu == "H100") {
            check_compare(&subject, &[("other_gpu", "H100"), ("deadline_ms", &deadline)]);
        }
        if has(&|row| row.slug == "two-2b") {
            check_compare(&subject, &[("other_model", "two-2b"), ("every_deadline", "true")]);
        }
    }
}
