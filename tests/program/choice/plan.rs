//! Plans and footprints against all that could have been chosen.

use super::*;
use crate::reference::plan::{self, Promise};

/// Points of a model on a GPU, by series.
type Curves<'r> = Vec<(crate::reference::Series, Vec<&'r Row>)>;

/// The curves of every model and GPU that was measured.
fn curves(merged: &[Row]) -> BTreeMap<(String, String), Curves<'_>> {
    let mut of: BTreeMap<(String, String), Curves<'_>> = BTreeMap::new();
    for (series, points) in crate::reference::by_series(merged) {
        of.entry((series.0.clone(), series.1.clone())).or_default().push((series, points));
    }
    of
}

fn figure(row: &BTreeMap<String, Sql>, column: &str) -> f64 {
    match row[column] {
        Sql::Real(real) => real,
        ref other => panic!("{column} is {other:?}"),
    }
}

fn check_cells(row: &BTreeMap<String, Sql>, expected: &[(&str, Sql)], about: &str) {
    for (column, expected) in expected {
        let got = &row[*column];
        assert!(is_same(got, expected), "{about}: {column} is {got:?}, not {expected:?}\n{row:?}");
    }
}

/// Asks for a plan and tries every number of replicas beside it. Returns how many plans there were.
fn check_plan(subject: &Subject, promise: Promise, demand: f64, only: &Arguments) -> usize {
    let mut arguments = vec![
        ("tokens_per_second", demand.to_string()),
        ("percentile", promise.percentile.to_owned()),
        ("deadline_ms", promise.deadline_ms.to_string()),
    ];
    arguments.extend_from_slice(only);
    let answer = subject.ask("plan", &arguments);
    let curves = curves(&subject.merged);
    let is_wanted = |name: &str, value: &str| {
        only.iter().find(|(known, _)| *known == name).is_none_or(|(_, word)| word == value)
    };
    let wanted: Vec<_> = curves
        .iter()
        .filter(|((model, gpu), _)| is_wanted("model", model) && is_wanted("gpu", gpu))
        .collect();
    assert_eq!(answer.len(), wanted.len());
    let mut plans = 0;
    for ((model, gpu), curves) in wanted {
        let row = answer
            .iter()
            .find(|row| row["model"] == text(model) && row["gpu"] == text(gpu))
            .unwrap_or_else(|| panic!("no row for {model} {gpu}"));
        let about = format!("{model} on {gpu}, {demand} tokens/s, {promise:?}");
        let points = curves.iter().flat_map(|(_, points)| points);
        let fastest = points.map(|point| point.itl(promise.percentile)).fold(f64::MAX, f64::min);
        let options: Vec<_> = curves
            .iter()
            .flat_map(|(series, points)| plan::deployments(series, points, demand, promise))
            .collect();
        check_cells(row, &[("fastest_itl_ms", real(fastest)), ("pue", real(1.0))], &about);
        let Some(best) = plan::best(&options) else {
            let status = if fastest > promise.deadline_ms {
                "none meets"
            } else {
                "no whole number of replicas meets"
            };
            check_cells(row, &[("status", text(status)), ("replicas", Sql::Null)], &about);
            check_cells(row, &[("power_watts", Sql::Null), ("estimate", Sql::Null)], &about);
            continue;
        };
        plans += 1;
        let lowest = subject
            .rows
            .iter()
            .filter(|row| row.slug == *model && row.gpu == *gpu)
            .filter(|row| row.itl(promise.percentile) <= promise.deadline_ms)
            .map(|row| row.joules)
            .fold(f64::MAX, f64::min);
        let joules = best.watts / demand;
        let [tensor, data, expert] = best.series.3;
        let expected = [
            ("status", text("meets")),
            ("replicas", whole(best.replicas)),
            ("num_gpus", whole(best.upper.num_gpus)),
            ("total_gpus", whole(best.gpus())),
            ("precision", text(&best.upper.precision)),
            ("tensor_parallel", whole(tensor)),
            ("data_parallel", whole(data)),
            ("expert_parallel", whole(expert)),
            ("max_num_seqs", whole(best.upper.max_num_seqs)),
            ("per_replica_avg_running_batch", real(best.load)),
            ("per_replica_tokens_per_second", real(best.share)),
            ("itl_ms", real(best.itl)),
            ("tokens_per_second", real(demand)),
            ("power_watts", real(best.watts)),
            ("wh_per_million_output_tokens", real(joules * 1e6 / 3600.0)),
            ("energy_relative_to_best", real(joules / lowest)),
            ("estimate", whole(best.is_estimate.into())),
            ("kwh_per_day", real(best.watts * 24.0 / 1000.0)),
            ("cost_usd_per_day", Sql::Null),
            ("co2e_kg_per_day", Sql::Null),
            ("following_kwh_per_day", Sql::Null),
            ("lower_row_id", text(best.lower.row_id())),
            ("upper_row_id", text(best.upper.row_id())),
        ];
        check_cells(row, &expected, &about);
        // What a plan promises, apart from which one it is.
        let Sql::Integer(replicas) = row["replicas"] else { panic!("{about}") };
        let served = figure(row, "per_replica_tokens_per_second") * replicas as f64;
        assert!((served - demand).abs() <= 1e-12 * demand, "{about}: {served} are served");
        assert!(promise.is_kept(figure(row, "itl_ms")), "{about}: the deadline is missed");
        let watts = figure(row, "power_watts");
        for option in &options {
            assert!(option.watts >= watts * (1.0 - 1e-12), "{about}: cheaper is {option:?}");
        }
    }
    plans
}

fn promises() -> impl Strategy<Value = Promise> {
    (prop::sample::select(PERCENTILES.to_vec()), 1.5..7.0_f64)
        .prop_map(|(percentile, log)| Promise { percentile, deadline_ms: log.exp() })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_number_of_replicas_takes_less_than_the_plan(
        promise in promises(),
        demand in 0.0..11.0_f64,
    ) {
        PUBLISHED_SUBJECT.with(|subject| check_plan(subject, promise, demand.exp(), &[]));
    }
}

thread_local! {
    static PUBLISHED_SUBJECT: Subject = Subject::published();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_number_of_replicas_takes_less_on_curves_of_any_shape(
        rows in prop::collection::vec(made(), 1..24),
        percentile in prop::sample::select(PERCENTILES.to_vec()),
        demands in prop::collection::vec((20.0..30_000.0_f64, 1.0..12.0_f64), 3),
        times in 1..9_u32,
        deadline in 1..12_u32,
    ) {
        let subject = Subject::of(&document(&rows));
        for (demand, deadline_ms) in demands {
            check_plan(&subject, Promise { percentile, deadline_ms }, demand, &[]);
        }
        // Round figures, at which points, deadlines and power are equal.
        let promise = Promise { percentile, deadline_ms: deadline.into() };
        for demand in [55.0, 110.0, 220.0, 330.0, 0.3] {
            check_plan(&subject, promise, demand * f64::from(times), &[]);
        }
    }
}

#[test]
fn a_multiple_of_a_measured_throughput_needs_that_many_replicas() {
    let subject = Subject::published();
    let promise = Promise { percentile: "median", deadline_ms: 1e4 };
    for point in subject.merged.iter().step_by(31) {
        let only = [("model", point.slug.clone()), ("gpu", point.gpu.clone())];
        for replicas in [1.0, 3.0, 7.0, 49.0] {
            check_plan(&subject, promise, point.throughput * replicas, &only);
            let itl = Promise { percentile: "p99", deadline_ms: point.itl("p99") };
            check_plan(&subject, itl, point.throughput * replicas, &only);
        }
    }
}

#[test]
fn a_billion_tokens_a_second_are_planned_without_trying_every_number() {
    let subject = Subject::published();
    let only = given(&[("model", "llama-3-1-70b-instruct"), ("gpu", "B200")]);
    for (percentile, deadline_ms) in [("p99", 100.0), ("median", 50.0)] {
        assert_eq!(check_plan(&subject, Promise { percentile, deadline_ms }, 1e9, &only), 1);
    }
}

/// A document of one series, of (load, throughput, watts, itl).
fn series(points: &[(f64, f64, f64, f64)]) -> Value {
    let mut made = document(&[]);
    let configurations =
        points.iter().enumerate().map(|(place, (load, throughput, watts, itl))| {
            let joules = watts / throughput;
            json!({
                "model_id": "maker/One",
                "nickname": "One 1B",
                "architecture": "Dense Transformer",
                "total_params_billions": 1.0,
                "activated_params_billions": 1.0,
                "gpu_model": "H100",
                "weight_precision": "bfloat16",
                "num_gpus": 1,
                "tensor_parallel": 1,
                "data_parallel": 1,
                "expert_parallel": 1,
                "max_num_seqs": 1000 * (place + 1),
                "avg_batch_size": load,
                "avg_output_len": 500.0,
                "output_throughput_tokens_per_sec": throughput,
                "energy_per_token_joules": joules,
                "energy_per_request_joules": joules * 500.0,
                "avg_power_watts": watts,
                "median_itl_ms": itl,
                "p90_itl_ms": itl,
                "p95_itl_ms": itl,
                "p99_itl_ms": itl,
            })
        });
    made["configurations"] = configurations.collect();
    made
}

/// The status, the replicas, the watts and whether it is an estimate.
fn planned(points: &[(f64, f64, f64, f64)], demand: f64, deadline_ms: f64) -> [Sql; 4] {
    let subject = Subject::of(&series(points));
    check_plan(&subject, Promise { percentile: "median", deadline_ms }, demand, &[]);
    let arguments =
        [("tokens_per_second", demand.to_string()), ("deadline_ms", deadline_ms.to_string())];
    let answer = subject.ask("plan", &arguments);
    ["status", "replicas", "power_watts", "estimate"].map(|column| answer[0][column].clone())
}

fn meets(replicas: i64, watts: f64, is_estimate: bool) -> [Sql; 4] {
    [text("meets"), whole(replicas), real(watts), whole(is_estimate.into())]
}

#[test]
fn more_replicas_are_taken_where_the_deadline_or_the_power_asks_for_them() {
    // ITL 10 to 30 ms and 100 to 300 W on 100 to 300 tokens/s: everything is equal to the share.
    let even = [(8.0, 100.0, 100.0, 10.0), (16.0, 300.0, 300.0, 30.0)];
    assert_eq!(planned(&even, 300.0, 30.0), meets(1, 300.0, false));
    assert_eq!(planned(&even, 300.0, 15.0), meets(2, 300.0, false));
    assert_eq!(planned(&even, 300.0, 10.0), meets(3, 300.0, false));
    // Power that rises faster than throughput: many replicas at the lowest load take less.
    let steep = [(8.0, 100.0, 100.0, 10.0), (16.0, 300.0, 600.0, 30.0)];
    assert_eq!(planned(&steep, 300.0, 30.0), meets(3, 300.0, false));
    // Power that hardly rises: one replica.
    let flat = [(8.0, 100.0, 100.0, 10.0), (16.0, 300.0, 120.0, 30.0)];
    assert_eq!(planned(&flat, 300.0, 30.0), meets(1, 120.0, false));
    assert_eq!(planned(&flat, 301.0, 30.0)[1], whole(2));
}

#[test]
fn a_deadline_that_falling_latency_meets_later_asks_for_a_larger_share() {
    let falling = [(8.0, 100.0, 100.0, 30.0), (16.0, 300.0, 200.0, 10.0)];
    // 20 ms is met from 200 tokens/s on: 2 of 200 and 1 of 300, but not 1 of 150 or 1 of 600.
    assert_eq!(planned(&falling, 400.0, 20.0), meets(2, 300.0, false));
    assert_eq!(planned(&falling, 300.0, 20.0), meets(1, 200.0, false));
    let [status, replicas, ..] = planned(&falling, 150.0, 20.0);
    assert_eq!((status, replicas), (text("no whole number of replicas meets"), Sql::Null));
    let [status, ..] = planned(&falling, 350.0, 15.0);
    assert_eq!(status, text("no whole number of replicas meets"));
    let [status, ..] = planned(&falling, 150.0, 9.0);
    assert_eq!(status, text("none meets"));
}

#[test]
fn a_share_below_the_measured_range_is_an_estimate_for_any_number_of_replicas() {
    let single = [(8.0, 100.0, 70.0, 10.0)];
    assert_eq!(planned(&single, 40.0, 10.0), meets(1, 70.0, true));
    assert_eq!(planned(&single, 100.0, 10.0), meets(1, 70.0, false));
    assert_eq!(planned(&single, 300.0, 10.0), meets(3, 210.0, false));
    assert_eq!(planned(&single, 150.0, 10.0), meets(2, 140.0, true));
    assert_eq!(planned(&single, 301.0, 10.0), meets(4, 280.0, true));
    assert_eq!(planned(&single, 40.0, 9.0)[0], text("none meets"));
}

#[test]
fn a_dip_and_equal_loads_have_no_say_beyond_what_was_reached() {
    // The dip at load 24 has 150 tokens/s at 90 W, but they are reached before it, at 125 W.
    let dip = [
        (8.0, 100.0, 100.0, 10.0),
        (16.0, 200.0, 150.0, 20.0),
        (24.0, 150.0, 90.0, 12.0),
        (32.0, 400.0, 300.0, 22.0),
    ];
    assert_eq!(planned(&dip, 150.0, 30.0), meets(1, 125.0, false));
    // 200 itself belongs to the load where it is first reached; just above it, to the last segment.
    assert_eq!(planned(&dip, 200.0, 30.0), meets(1, 150.0, false));
    assert_eq!(planned(&dip, 250.0, 15.5), meets(2, 225.0, false));
    let equal = [(8.0, 100.0, 100.0, 10.0), (8.0, 200.0, 110.0, 20.0), (8.0, 150.0, 90.0, 5.0)];
    assert_eq!(planned(&equal, 150.0, 20.0), meets(1, 105.0, false));
}

/// A load profile as a file.
fn profile(parts: &[(f64, f64)]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    writeln!(file, "hours,tokens_per_second").unwrap();
    for (hours, demand) in parts {
        writeln!(file, "{hours},{demand}").unwrap();
    }
    file
}

fn check_day(subject: &Subject, promise: Promise, parts: &[(f64, f64)]) {
    let file = profile(parts);
    let mut arguments = given(&[("usd_per_kwh", "0.25"), ("gco2_per_kwh", "400"), ("pue", "1.5")]);
    arguments.extend([
        ("load_profile", file.path().display().to_string()),
        ("percentile", promise.percentile.to_owned()),
        ("deadline_ms", promise.deadline_ms.to_string()),
    ]);
    let peak = parts.iter().map(|part| part.1).fold(0.0, f64::max);
    let curves = curves(&subject.merged);
    for row in subject.ask("plan", &arguments) {
        let key = (row["model"].clone().into_text(), row["gpu"].clone().into_text());
        let about = format!("{key:?}, {parts:?}, {promise:?}");
        let options: Vec<_> = curves[&key]
            .iter()
            .flat_map(|(series, points)| plan::deployments(series, points, peak, promise))
            .collect();
        let Some(best) = plan::best(&options) else {
            check_cells(&row, &[("kwh_per_day", Sql::Null)], &about);
            check_cells(&row, &[("following_kwh_per_day", Sql::Null)], &about);
            continue;
        };
        let (series, points) =
            curves[&key].iter().find(|(series, _)| series == best.series).unwrap();
        // Energy of the day and its hours below the measured range, if every part can be served.
        let day = |watts: &dyn Fn(f64) -> Option<(f64, bool)>| -> Option<(f64, f64)> {
            parts.iter().try_fold((0.0, 0.0), |(energy, estimated), (hours, demand)| {
                let (watts, is_estimate) = watts(*demand)?;
                let below = if is_estimate { *hours } else { 0.0 };
                Some((energy + hours * watts / 1000.0 * 1.5, estimated + below))
            })
        };
        let fixed = day(&|demand| {
            let option = plan::deployment(series, points, demand, best.replicas, promise)?;
            Some((option.watts, option.is_estimate))
        });
        let following = day(&|demand| {
            let options = plan::deployments(series, points, demand, promise);
            let best = plan::best(&options)?;
            Some((best.watts, best.is_estimate))
        });
        let of = |day: Option<(f64, f64)>, factor: f64| perhaps(day.map(|day| day.0 * factor));
        let expected = [
            ("replicas", whole(best.replicas)),
            ("tokens_per_second", real(peak)),
            ("pue", real(1.5)),
            ("kwh_per_day", of(fixed, 1.0)),
            ("cost_usd_per_day", of(fixed, 0.25)),
            ("co2e_kg_per_day", of(fixed, 0.4)),
            ("estimated_hours", perhaps(fixed.map(|day| day.1))),
            ("following_kwh_per_day", of(following, 1.0)),
            ("following_cost_usd_per_day", of(following, 0.25)),
            ("following_co2e_kg_per_day", of(following, 0.4)),
            ("following_estimated_hours", perhaps(following.map(|day| day.1))),
        ];
        check_cells(&row, &expected, &about);
        if let (Some(fixed), Some(following)) = (fixed, following)
            && fixed.1 == 0.0
        {
            assert!(following.0 <= fixed.0 * (1.0 + 1e-12), "{about}: following takes more");
        }
    }
}

#[test]
fn a_day_that_misses_the_deadline_with_the_replicas_of_the_peak_has_no_sum() {
    let hump = [
        (8.0, 100.0, 100.0, 10.0),
        (16.0, 200.0, 150.0, 30.0),
        (24.0, 250.0, 160.0, 30.0),
        (32.0, 300.0, 180.0, 10.0),
    ];
    let subject = Subject::of(&series(&hump));
    let promise = Promise { percentile: "median", deadline_ms: 15.0 };
    // 300 is one replica, with which the others have 18 and 30 ms. Two serve 200 and 225, and 140 as
    // two that have less to do than was measured.
    let kwh = |watts: f64| real(12.0 * 1.5 * (180.0 + watts) / 1000.0);
    for (demand, following) in [(200.0, kwh(200.0)), (225.0, kwh(212.5)), (140.0, kwh(200.0))] {
        let parts = [(12.0, demand), (12.0, 300.0)];
        check_day(&subject, promise, &parts);
        let file = profile(&parts).into_temp_path();
        let mut arguments = given(&[("deadline_ms", "15"), ("pue", "1.5")]);
        arguments.push(("load_profile", file.display().to_string()));
        let answer = subject.ask("plan", &arguments);
        let expected = [
            ("replicas", whole(1)),
            ("power_watts", real(180.0)),
            ("kwh_per_day", Sql::Null),
            ("following_kwh_per_day", following),
        ];
        check_cells(&answer[0], &expected, "the hump");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_day_is_the_sum_of_its_parts(
        promise in promises(),
        rows in prop::collection::vec(made(), 1..24),
        deadline in 1..12_u32,
        demands in prop::collection::vec(0.0..9.0_f64, 1..5),
    ) {
        let hours = 24.0 / demands.len() as f64;
        let parts: Vec<_> = demands.iter().map(|demand| (hours, demand.exp())).collect();
        PUBLISHED_SUBJECT.with(|subject| check_day(subject, promise, &parts));
        let promise = Promise { deadline_ms: deadline.into(), ..promise };
        check_day(&Subject::of(&document(&rows)), promise, &parts);
    }
}

#[test]
fn a_footprint_is_the_energy_of_the_best_times_what_is_asked() {
    let subject = Subject::published();
    for percentile in PERCENTILES {
        let limits = Limits { percentile, deadline_ms: 60.0, ..Limits::default() };
        let best = crate::reference::best(&subject.rows, &limits);
        for (output_tokens, requests, pue) in [(None, 1, 1.0), (Some(250.5), 1_000_000, 1.3)] {
            let mut arguments = given(&[("percentile", percentile), ("deadline_ms", "60")]);
            arguments.push(("requests", requests.to_string()));
            arguments.push(("pue", pue.to_string()));
            let is_priced = output_tokens.is_some();
            if let Some(output_tokens) = output_tokens {
                arguments.push(("output_tokens", output_tokens.to_string()));
                arguments.extend(given(&[("usd_per_kwh", "0.2"), ("gco2_per_kwh", "350")]));
            }
            let mut best = best.clone();
            best.sort_by(|one, other| {
                let per_request =
                    |row: &Row| row.joules * output_tokens.unwrap_or(row.output_tokens);
                per_request(one)
                    .total_cmp(&per_request(other))
                    .then_with(|| one.row_id().cmp(&other.row_id()))
            });
            let rows: Vec<_> = best
                .iter()
                .map(|row| {
                    let length = output_tokens.unwrap_or(row.output_tokens);
                    let watt_hours = row.joules * length / 3600.0 * pue;
                    let kwh = watt_hours * f64::from(requests) / 1000.0;
                    vec![
                        text(row.row_id()),
                        real(row.watt_hours()),
                        real(row.itl(percentile)),
                        real(length),
                        real(pue),
                        real(watt_hours),
                        whole(requests.into()),
                        real(kwh),
                        perhaps(is_priced.then_some(kwh * 0.2)),
                        perhaps(is_priced.then_some(kwh * 0.35)),
                    ]
                })
                .collect();
            let columns = [
                "row_id",
                "wh_per_million_output_tokens",
                "itl_ms",
                "output_tokens",
                "pue",
                "wh_per_request",
                "requests",
                "kwh",
                "cost_usd",
                "co2e_kg",
            ];
            subject.expect("footprint", &arguments, &columns, &rows);
        }
    }
}
