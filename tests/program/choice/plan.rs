//! Compares plans and footprints with all possible choices.

use super::*;
use crate::reference::plan::{self, Terms};

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

/// The deadline alone, as terms.
fn promise_of(percentile: &'static str, deadline_ms: f64) -> Terms {
    Terms { percentile, deadline_ms, ..Terms::default() }
}

/// Asks for a plan and tries every number of replicas beside it. Returns how many plans there were.
pub(super) fn check_plan(subject: &Subject, terms: &Terms, demand: f64, only: &Arguments) -> usize {
    let mut arguments = terms.plan_arguments(demand);
    arguments.extend_from_slice(only);
    let answer = subject.ask("plan", &arguments);
    let merged: Vec<Row> =
        subject.merged.iter().filter(|row| terms.lets_in(row)).cloned().collect();
    let curves = curves(&merged);
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
        let about = format!("{model} on {gpu}, {demand}, {terms:?}");
        let points: Vec<&Row> = curves.iter().flat_map(|(_, points)| points).copied().collect();
        let fastest = points.iter().map(|row| row.itl(terms.percentile)).fold(f64::MAX, f64::min);
        let options: Vec<_> = curves
            .iter()
            .flat_map(|(series, points)| plan::deployments(series, points, demand, terms))
            .collect();
        check_cells(row, &[("fastest_itl_ms", real(fastest))], &about);
        let Some(best) = plan::best(&options) else {
            let status = if !points.iter().any(|row| terms.is_kept_by(row)) {
                "none meets"
            } else if terms.minimize == "cost" && terms.prices.is_none() {
                "cost needs both rates"
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
            .filter(|row| row.slug == *model && row.gpu == *gpu && terms.lets_in(row))
            .filter(|row| {
                let limits = Limits {
                    percentile: terms.percentile,
                    deadline_ms: terms.deadline_ms,
                    highest_itl: terms.highest_itl,
                    max_request_seconds: terms.max_request_seconds,
                    min_requests_per_slot: terms.min_requests_per_slot,
                    ..Limits::default()
                };
                limits.let_through(row)
            })
            .map(|row| row.joules)
            .reduce(f64::min);
        let tokens = best.place.throughput * best.replicas as f64;
        let joules = best.watts / tokens;
        let slots = best.place.upper.max_num_seqs;
        let gpus = best.gpus();
        let [kwh, gpu_hour, host, pue] = terms.prices.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let kwh_per_day = (best.watts + host * gpus as f64) * 24.0 / 1000.0 * pue;
        let priced = |usd: f64| perhaps(terms.prices.map(|_| usd));
        let rent = gpus as f64 * 24.0 * gpu_hour;
        let [tensor, data, expert] = best.series.3;
        let expected = [
            ("status", text("meets")),
            ("replicas", whole(best.replicas)),
            ("num_gpus", whole(best.place.upper.num_gpus)),
            ("total_gpus", whole(gpus)),
            ("precision", text(&best.place.upper.precision)),
            ("tensor_parallel", whole(tensor)),
            ("data_parallel", whole(data)),
            ("expert_parallel", whole(expert)),
            ("max_num_seqs", whole(slots)),
            ("slots", whole(slots * best.replicas)),
            ("busy_share", real(best.place.load / slots as f64)),
            ("itl_ms", real(best.place.itl(terms.percentile))),
            ("highest_share_of_deadline", real(best.place.highest_share_of_deadline(terms))),
            ("requests_per_slot", perhaps(best.place.requests_per_slot())),
            ("total_rated_power_watts", perhaps(rated(gpu).map(|watts| watts * gpus as f64))),
            ("per_replica_avg_running_batch", real(best.place.load)),
            ("per_replica_tokens_per_second", real(best.place.throughput)),
            ("ms_per_token_in_flight", real(1000.0 * best.place.load / best.place.throughput)),
            ("request_seconds", real(best.place.load / best.place.requests_per_second)),
            ("tokens_per_second", real(tokens)),
            ("requests_per_second", real(best.place.requests_per_second * best.replicas as f64)),
            ("power_watts", real(best.watts)),
            ("peak_mean_power_watts", real(best.watts)),
            ("wh_per_million_output_tokens", real(joules * 1e6 / 3600.0)),
            ("energy_relative_to_best", perhaps(lowest.map(|lowest| joules / lowest))),
            ("estimate", whole(best.place.is_estimate.into())),
            ("pue", real(pue)),
            ("kwh_per_day", real(kwh_per_day)),
            ("gpu_hours_per_day", real(gpus as f64 * 24.0)),
            ("electricity_usd_per_day", priced(kwh_per_day * kwh)),
            ("rent_usd_per_day", priced(rent)),
            ("usd_per_day", priced(kwh_per_day * kwh + rent)),
            (
                "usd_per_million_output_tokens",
                priced((kwh_per_day * kwh + rent) / (tokens * 86400.0) * 1e6),
            ),
            ("co2e_kg_per_day", Sql::Null),
            ("following_kwh_per_day", Sql::Null),
            ("lower_row_id", text(best.place.lower.row_id())),
            ("upper_row_id", text(best.place.upper.row_id())),
        ];
        check_near(row, &expected, &about);
        // An end of room is found by halving, and a share of those who wait by another sum.
        let headroom = figure(row, "headroom");
        let (_, points) = curves.iter().find(|(series, _)| series == best.series).unwrap();
        let room = plan::room_end(points, best.share, terms) / best.share - 1.0;
        assert!(
            (headroom - room).abs() <= 1e-9 * (1.0 + headroom),
            "{about}: {headroom}, not {room}"
        );
        let waiting = figure(row, "waiting_share");
        let expected = plan::erlang_c(slots, best.place.load);
        assert!((waiting - expected).abs() <= 1e-9, "{about}: {waiting}, not {expected}");
        // What a plan promises, apart from which one it is.
        let Sql::Integer(replicas) = row["replicas"] else { panic!("{about}") };
        let unit = if terms.by_requests { "requests_per_second" } else { "tokens_per_second" };
        let served = figure(row, unit);
        assert!((served - demand).abs() <= 1e-12 * demand, "{about}: {served} are served");
        assert!(replicas >= 1 && headroom >= terms.headroom * (1.0 - 1e-9) - 1e-9, "{about}");
        let itl = figure(row, "itl_ms");
        assert!(itl <= terms.deadline_ms * (1.0 + 1e-12), "{about}: the deadline is missed");
        for option in &options {
            assert!(option.objective >= best.objective * (1.0 - 1e-12), "{about}: {option:?}");
        }
    }
    plans
}

/// As [`check_cells`], with room for what many steps round off.
fn check_near(row: &BTreeMap<String, Sql>, expected: &[(&str, Sql)], about: &str) {
    check_within(row, expected, 1e-10, about);
}

/// As [`check_cells`], with a relative tolerance.
fn check_within(
    row: &BTreeMap<String, Sql>,
    expected: &[(&str, Sql)],
    tolerance: f64,
    about: &str,
) {
    for (column, expected) in expected {
        let is_near = match (&row[*column], expected) {
            (Sql::Real(got), Sql::Real(expected)) => {
                (got - expected).abs() <= tolerance * expected.abs().max(got.abs())
            }
            (got, expected) => got == expected,
        };
        let got = &row[*column];
        assert!(is_near, "{about}: {column} is {got:?}, not {expected:?}\n{row:?}");
    }
}

/// What the data sheets of the GPUs say.
pub(super) fn rated(gpu: &str) -> Option<f64> {
    match gpu {
        "H100" => Some(700.0),
        "B200" => Some(1000.0),
        _ => None,
    }
}

/// Asks what a number of GPUs can serve, and looks at every stretch of every curve beside it. Returns
/// how many can serve something.
fn check_capacity(subject: &Subject, terms: &Terms, only: &Arguments) -> usize {
    let mut capacities = 0;
    let mut arguments = terms.arguments();
    arguments.extend_from_slice(only);
    let merged: Vec<Row> =
        subject.merged.iter().filter(|row| terms.lets_in(row)).cloned().collect();
    let curves = curves(&merged);
    let max_gpus = terms.max_gpus.unwrap();
    for row in subject.ask("capacity", &arguments) {
        let key = (row["model"].clone().into_text(), row["gpu"].clone().into_text());
        let about = format!("{key:?}, {terms:?}");
        let curves = &curves[&key];
        // One replica is within the limit on GPUs where its share is looked for.
        let most = curves
            .iter()
            .filter(|(series, _)| series.2 <= max_gpus)
            .filter_map(|(series, points)| {
                let one = Terms { max_gpus: None, minimize: "power", ..terms.clone() };
                let rate = plan::highest_rate(points, &one)?;
                Some(
                    (1..=max_gpus / series.2)
                        .map(|replicas| replicas as f64 * rate)
                        .fold(0.0, f64::max),
                )
            })
            .reduce(f64::max);
        let points: Vec<&Row> = curves.iter().flat_map(|(_, points)| points).copied().collect();
        let status = if most.is_some() {
            "meets"
        } else if !points.iter().any(|row| terms.is_kept_by(row)) {
            "none meets"
        } else if points.iter().all(|row| row.num_gpus > max_gpus) {
            "too few GPUs"
        } else {
            "no load within all limits"
        };
        assert_eq!(row["status"], text(status), "{about}");
        let Some(most) = most else {
            assert_eq!(row["tokens_per_second"], Sql::Null, "{about}");
            continue;
        };
        let got = figure(&row, "tokens_per_second");
        assert!((got - most).abs() <= 1e-9 * most, "{about}: {got}, not {most}\n{row:?}");
        let Sql::Integer(gpus) = row["total_gpus"] else { panic!("{about}") };
        assert!(gpus <= max_gpus, "{about}");
        // Series may serve equally much but for what rounds off; the row is of one of them.
        check_capacity_figures(&row, curves, terms, got, &about);
        capacities += 1;
    }
    capacities
}

/// The figures of a capacity, all of which follow from its series and how much it serves.
fn check_capacity_figures(
    row: &BTreeMap<String, Sql>,
    curves: &Curves<'_>,
    terms: &Terms,
    tokens_per_second: f64,
    about: &str,
) {
    let upper = row["upper_row_id"].clone().into_text();
    let is_it = |points: &&Vec<&Row>| points.iter().any(|row| row.row_id() == upper);
    let points = curves.iter().map(|(_, points)| points).find(is_it).unwrap();
    let num_gpus = points[0].num_gpus;
    let replicas = terms.max_gpus.unwrap() / num_gpus;
    let gpus = replicas * num_gpus;
    let place = plan::place(points, tokens_per_second / replicas as f64, terms).unwrap();
    let watts = place.watts * replicas as f64;
    let [kwh, gpu_hour, host, pue] = terms.prices.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let kwh_per_day = (watts + host * gpus as f64) * 24.0 / 1000.0 * pue;
    let rent = gpus as f64 * 24.0 * gpu_hour;
    let usd = kwh_per_day * kwh + rent;
    let priced = |usd: f64| perhaps(terms.prices.map(|_| usd));
    let slots = place.upper.max_num_seqs;
    let expected = [
        ("replicas", whole(replicas)),
        ("num_gpus", whole(num_gpus)),
        ("total_gpus", whole(gpus)),
        ("slots", whole(slots * replicas)),
        ("busy_share", real(place.load / slots as f64)),
        ("requests_per_second", real(place.requests_per_second * replicas as f64)),
        ("itl_ms", real(place.itl(terms.percentile))),
        ("highest_share_of_deadline", real(place.highest_share_of_deadline(terms))),
        ("per_replica_avg_running_batch", real(place.load)),
        ("per_replica_tokens_per_second", real(place.throughput)),
        ("ms_per_token_in_flight", real(1000.0 * place.load / place.throughput)),
        ("request_seconds", real(place.load / place.requests_per_second)),
        ("power_watts", real(watts)),
        (
            "total_rated_power_watts",
            perhaps(rated(&place.upper.gpu).map(|watts| watts * gpus as f64)),
        ),
        ("wh_per_million_output_tokens", real(watts / tokens_per_second * 1e6 / 3600.0)),
        ("pue", real(pue)),
        ("kwh_per_day", real(kwh_per_day)),
        ("electricity_usd_per_day", priced(kwh_per_day * kwh)),
        ("gpu_hours_per_day", real(gpus as f64 * 24.0)),
        ("rent_usd_per_day", priced(rent)),
        ("usd_per_day", priced(usd)),
        ("usd_per_million_output_tokens", priced(usd / (tokens_per_second * 86400.0) * 1e6)),
        ("upper_row_id", text(place.upper.row_id())),
    ];
    check_within(row, &expected, 1e-7, about);
    let waiting = figure(row, "waiting_share");
    let waits = plan::erlang_c(slots, place.load);
    assert!((waiting - waits).abs() <= 1e-5, "{about}: {waiting}, not {waits}");
}

/// Limits of every kind. Many of them exclude nothing.
fn terms() -> impl Strategy<Value = Terms> {
    let deadlines = (
        promises(),
        prop::option::of(2.0..5.5_f64),
        prop::option::of(3.0..6.5_f64),
        prop::option::of(0.0..5.0_f64),
        0..4_usize,
    );
    let room = (
        prop::sample::select(vec![0.0, 0.0, 0.1, 0.2, 1.0]),
        prop::option::of(0.3..1.0_f64),
        any::<bool>(),
        prop::option::of(1..64_i64),
        prop::option::of(5.0..11.0_f64),
    );
    let choice = (
        prop::sample::select(vec!["power", "gpus", "cost"]),
        any::<bool>(),
        prop::option::of((0.0..0.5_f64, 0.0..5.0_f64, 0.0..200.0_f64, 1.0..2.0_f64)),
    );
    (deadlines, room, choice).prop_map(|(deadlines, room, choice)| {
        let (promise, one, p99, seconds, place) = deadlines;
        let (headroom, max_busy_share, measured_only, max_gpus, watts) = room;
        let (minimize, by_requests, prices) = choice;
        let mut highest_itl = [None; 4];
        highest_itl[3] = p99.map(f64::exp);
        highest_itl[place] = one.map(f64::exp).or(highest_itl[place]);
        Terms {
            highest_itl,
            max_request_seconds: seconds.map(f64::exp),
            headroom,
            max_busy_share,
            measured_only,
            max_gpus,
            max_power_watts: watts.map(f64::exp),
            minimize,
            by_requests,
            prices: prices.map(|(kwh, rent, host, pue)| [kwh, rent, host, pue]),
            ..promise
        }
    })
}

/// A question about one model of one workload: terms, workload, model, and a demand or GPUs.
type Case<D> = (Terms, usize, prop::sample::Index, D);

fn case<D: Strategy>(demand: D) -> impl Strategy<Value = Case<D::Value>> {
    let precision = prop::sample::select(vec![None, None, None, Some("BF16"), Some("FP8")]);
    let terms = (terms(), precision, prop::option::weighted(0.3, 1.0..12.0_f64));
    let terms = terms.prop_map(|(terms, precision, min_requests_per_slot)| Terms {
        precision: precision.map(str::to_owned),
        min_requests_per_slot,
        ..terms
    });
    (terms, 0..5_usize, any::<prop::sample::Index>(), demand)
}

/// The subject of a case and the arguments that name it.
fn with_model<D, T>(case: &Case<D>, check: impl FnOnce(&Subject, &Arguments) -> T) -> T {
    let (_, subject, model, _) = case;
    TEXT_SUBJECTS.with(|subjects| {
        let subject = &subjects[*subject];
        let models: Vec<&str> = subject.models().into_iter().collect();
        let model = models[model.index(models.len())];
        check(subject, &given(&[("task", subject.task), ("model", model)]))
    })
}

/// Returns how many plans there are.
fn check_plan_of(case: &Case<f64>) -> usize {
    let (terms, .., demand) = case;
    // About as many requests as that many tokens.
    let demand = if terms.by_requests { demand.exp() / 400.0 } else { demand.exp() };
    with_model(case, |subject, only| check_plan(subject, terms, demand, only))
}

/// Returns how many can serve something.
fn check_capacity_of(case: &Case<i64>) -> usize {
    let (terms, .., max_gpus) = case;
    let max_gpus = Some(*max_gpus);
    let terms = Terms { max_gpus, max_power_watts: None, by_requests: false, ..terms.clone() };
    with_model(case, |subject, only| check_capacity(subject, &terms, only))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_number_of_replicas_is_better_than_the_plan_within_any_terms(case in case(0.0..10.0_f64)) {
        check_plan_of(&case);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_share_of_any_number_of_replicas_is_more_than_the_capacity(case in case(1..20_i64)) {
        check_capacity_of(&case);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn plans_and_capacities_hold_on_curves_of_any_shape_within_any_terms(made in any_shape()) {
        check_any_shape(&made);
    }
}

/// Curves of any shape and questions about them: terms, a deadline in ms, a number of times that what one
/// point serves is asked for, and a demand.
type AnyShape = (Vec<Made>, Vec<Terms>, u32, u32, f64);

fn any_shape() -> impl Strategy<Value = AnyShape> {
    let rows = prop::collection::vec(made(), 1..24);
    (rows, prop::collection::vec(terms(), 4), 1..12_u32, 1..9_u32, 20.0..3_000.0_f64)
}

/// Returns how many plans and capacities there are.
fn check_any_shape((rows, terms, deadline, times, demand): &AnyShape) -> usize {
    let subject = Subject::of(&document(rows));
    let mut found = 0;
    for terms in terms.clone() {
        let short = |limit: Option<f64>| limit.map(|limit| limit.ln());
        let terms = Terms {
            deadline_ms: (*deadline).into(),
            highest_itl: terms.highest_itl.map(short),
            by_requests: false,
            ..terms
        };
        found += check_plan(&subject, &terms, *demand, &[]);
        found += check_plan(&subject, &terms, 55.0 * f64::from(*times), &[]);
        let requests = Terms { by_requests: true, ..terms.clone() };
        found += check_plan(&subject, &requests, demand / 500.0, &[]);
        let max_gpus = terms.max_gpus.or(Some(3));
        found += check_capacity(&subject, &Terms { max_gpus, max_power_watts: None, ..terms }, &[]);
    }
    found
}

#[test]
fn a_capacity_ends_where_more_slots_come_with_more_latency_than_the_deadline() {
    // At 4 requests in flight the first point has half of its 8 slots busy. Just above, 32 slots would
    // be there, but the deadline is missed. So 0.3 of 8 slots are 66 of 110 tokens per second.
    let mut document = series(&[(4.0, 110.0, 33.0, 3.0), (16.0, 330.0, 99.0, 4.0)]);
    document["configurations"][0]["max_num_seqs"] = json!(8);
    document["configurations"][1]["max_num_seqs"] = json!(32);
    let subject = Subject::of(&document);
    let terms = Terms { max_busy_share: Some(0.3), max_gpus: Some(3), ..promise_of("p99", 3.0) };
    assert_eq!(check_capacity(&subject, &terms, &[]), 1);
    let answer = subject.ask("capacity", &terms.arguments());
    let [row] = &answer[..] else { panic!("{answer:?}") };
    assert_eq!(row["max_num_seqs"], whole(8));
    let per_replica = figure(row, "per_replica_tokens_per_second");
    assert!((per_replica - 66.0).abs() < 1e-9, "{per_replica}");
}

#[test]
fn the_share_that_waits_is_that_of_published_tables() {
    // Tables have 0.409 for 10 servers and 8 Erlang, and 0.217 for 100 and 90. The others are the sum of
    // its definition with 60 digits.
    for (slots, load, expected) in [
        (10, 8.0, 0.409180),
        (100, 90.0, 0.216940),
        (4096, 4000.0, 0.083242),
        (4096, 4064.0, 0.504868),
        (4096, 4095.0, 0.980634),
    ] {
        let mut document = series(&[(load, 100.0, 100.0, 10.0)]);
        document["configurations"][0]["max_num_seqs"] = json!(slots);
        let subject = Subject::of(&document);
        let answer = subject.ask("plan", &given(&[("tokens_per_second", "300")]));
        let waiting = figure(&answer[0], "waiting_share");
        assert!((waiting - expected).abs() < 1e-6, "{slots} {load}: {waiting}");
        let recursion = plan::erlang_c(slots, load);
        assert!((waiting - recursion).abs() < 1e-9, "{slots} {load}: {waiting} {recursion}");
    }
}

fn promises() -> impl Strategy<Value = Terms> {
    (prop::sample::select(PERCENTILES.to_vec()), 1.5..7.0_f64)
        .prop_map(|(percentile, log)| promise_of(percentile, log.exp()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_number_of_replicas_takes_less_than_the_plan(
        promise in promises(),
        demand in 0.0..11.0_f64,
    ) {
        PUBLISHED_SUBJECT.with(|subject| check_plan(subject, &promise, demand.exp(), &[]));
    }
}

thread_local! {
    static PUBLISHED_SUBJECT: Subject = Subject::published();
    static TEXT_SUBJECTS: Vec<Subject> = [
        "lm-arena-chat",
        "gpqa",
        "image-chat",
        "video-chat",
        "sourcegraph-fim",
    ]
    .map(Subject::of_task)
    .into();
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
            check_plan(&subject, &promise_of(percentile, deadline_ms), demand, &[]);
        }
        // Round figures, at which points, deadlines and power are equal.
        let promise = promise_of(percentile, deadline.into());
        for demand in [55.0, 110.0, 220.0, 330.0, 0.3] {
            check_plan(&subject, &promise, demand * f64::from(times), &[]);
        }
    }
}

#[test]
fn a_multiple_of_a_measured_throughput_needs_that_many_replicas() {
    let subject = Subject::published();
    let promise = promise_of("median", 1e4);
    for point in subject.merged.iter().step_by(31) {
        let only = [("model", point.slug.clone()), ("gpu", point.gpu.clone())];
        for replicas in [1.0, 3.0, 7.0, 49.0] {
            check_plan(&subject, &promise, point.throughput * replicas, &only);
            let itl = promise_of("p99", point.itl("p99"));
            check_plan(&subject, &itl, point.throughput * replicas, &only);
        }
    }
}

#[test]
fn a_billion_tokens_a_second_are_planned_without_trying_every_number() {
    let subject = Subject::published();
    let only = given(&[("model", "llama-3-1-70b-instruct"), ("gpu", "B200")]);
    for (percentile, deadline_ms) in [("p99", 100.0), ("median", 50.0)] {
        assert_eq!(check_plan(&subject, &promise_of(percentile, deadline_ms), 1e9, &only), 1);
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
    check_plan(&subject, &promise_of("median", deadline_ms), demand, &[]);
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

#[test]
fn plans_and_capacities_rest_on_steady_runs_alone() {
    let subject = Subject::of(&series(&[(8.0, 100.0, 100.0, 10.0), (16.0, 300.0, 120.0, 30.0)]));
    let statement = "insert into unstable_configurations (configuration_id, reason)
        select configuration_id, 'too short' from configurations where max_num_seqs = 2000";
    assert_eq!(subject.connection.execute(statement, []).unwrap(), 1);
    let plan = subject.ask("plan", &given(&[("tokens_per_second", "300")]));
    let expected = [
        ("replicas", whole(3)),
        ("power_watts", real(300.0)),
        ("headroom", real(0.0)),
        // 1 joule per token, where the run that was not steady has 0.4.
        ("energy_relative_to_best", real(1.0)),
    ];
    check_cells(&plan[0], &expected, "the plan");
    let capacity = subject.ask("capacity", &given(&[("max_gpus", "2")]));
    check_cells(&capacity[0], &[("tokens_per_second", real(200.0))], "the capacity");
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

/// Returns how many days have a plan.
fn check_day(subject: &Subject, promise: &Terms, parts: &[(f64, f64)], only: &Arguments) -> usize {
    let mut days = 0;
    let file = profile(parts);
    let prices = [("usd_per_kwh", "0.25"), ("usd_per_gpu_hour", "2"), ("gco2_per_kwh", "400")];
    let powers = [("pue", "1.5"), ("host_watts_per_gpu", "100"), ("idle_watts_per_gpu", "60")];
    let mut arguments = [given(&prices), given(&powers)].concat();
    arguments.extend([
        ("load_profile", file.path().display().to_string()),
        ("percentile", promise.percentile.to_owned()),
        ("deadline_ms", promise.deadline_ms.to_string()),
        ("headroom", promise.headroom.to_string()),
    ]);
    arguments.extend_from_slice(only);
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
        days += 1;
        let (series, points) =
            curves[&key].iter().find(|(series, _)| series == best.series).unwrap();
        // Energy and GPU hours of the day and its hours below the measured range, if every part can
        // be served.
        type Served = Option<(f64, i64, bool)>;
        let day = |served: &dyn Fn(f64) -> Served| -> Option<[f64; 3]> {
            parts.iter().try_fold([0.0; 3], |[energy, gpu_hours, estimated], (hours, demand)| {
                let (watts, gpus, is_estimate) = served(*demand)?;
                let idle = (best.gpus() - gpus).max(0) as f64 * 60.0;
                let watts = watts + gpus as f64 * 100.0 + idle;
                let below = if is_estimate { *hours } else { 0.0 };
                let energy = energy + hours * watts / 1000.0 * 1.5;
                Some([energy, gpu_hours + hours * gpus as f64, estimated + below])
            })
        };
        let fixed = day(&|demand| {
            let option = plan::deployment(series, points, demand, best.replicas, promise, false)?;
            Some((option.watts, option.gpus(), option.place.is_estimate))
        });
        let following = day(&|demand| {
            let options = plan::deployments(series, points, demand, promise);
            let best = plan::best(&options)?;
            Some((best.watts, best.gpus(), best.place.is_estimate))
        });
        let of = |day: Option<[f64; 3]>, place: usize, factor: f64| {
            perhaps(day.map(|day| day[place] * factor))
        };
        let gpu_hours = best.gpus() as f64 * 24.0;
        let tokens: f64 = parts.iter().map(|(hours, demand)| hours * demand * 3600.0).sum();
        let usd = fixed.map(|day| day[0] * 0.25 + gpu_hours * 2.0);
        let following_usd = following.map(|day| day[0] * 0.25 + day[1] * 2.0);
        let expected = [
            ("replicas", whole(best.replicas)),
            ("tokens_per_second", real(peak)),
            ("pue", real(1.5)),
            ("kwh_per_day", of(fixed, 0, 1.0)),
            ("electricity_usd_per_day", of(fixed, 0, 0.25)),
            ("gpu_hours_per_day", real(gpu_hours)),
            ("rent_usd_per_day", real(gpu_hours * 2.0)),
            ("usd_per_day", perhaps(usd)),
            ("usd_per_million_output_tokens", perhaps(usd.map(|usd| usd / tokens * 1e6))),
            ("co2e_kg_per_day", of(fixed, 0, 0.4)),
            ("estimated_hours", of(fixed, 2, 1.0)),
            ("following_kwh_per_day", of(following, 0, 1.0)),
            ("following_electricity_usd_per_day", of(following, 0, 0.25)),
            ("following_gpu_hours_per_day", of(following, 1, 1.0)),
            ("following_rent_usd_per_day", of(following, 1, 2.0)),
            ("following_usd_per_day", perhaps(following_usd)),
            ("following_co2e_kg_per_day", of(following, 0, 0.4)),
            ("following_estimated_hours", of(following, 2, 1.0)),
        ];
        check_near(&row, &expected, &about);
    }
    days
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
    let promise = promise_of("median", 15.0);
    // 300 is one replica, with which the others have 18 and 30 ms. Two serve 200 and 225, and 140 as
    // two that have less to do than was measured.
    let kwh = |watts: f64| real(12.0 * 1.5 * (180.0 + watts) / 1000.0);
    for (demand, following) in [(200.0, kwh(200.0)), (225.0, kwh(212.5)), (140.0, kwh(200.0))] {
        let parts = [(12.0, demand), (12.0, 300.0)];
        check_day(&subject, &promise, &parts, &[]);
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
        PUBLISHED_SUBJECT.with(|subject| check_day(subject, &promise, &parts, &[]));
        let promise = Terms { deadline_ms: deadline.into(), ..promise };
        let subject = Subject::of(&document(&rows));
        check_day(&subject, &promise, &parts, &[]);
        check_day(&subject, &Terms { headroom: 0.2, ..promise }, &parts, &[]);
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
                arguments.extend(given(&[("usd_per_gpu_hour", "2.5"), ("users", "200")]));
                arguments.extend(given(&[("requests_per_user", "3")]));
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
                    let seconds = length * f64::from(requests) / row.throughput;
                    let gpu_hours = row.num_gpus as f64 * seconds / 3600.0;
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
                        real(length / row.output_tokens),
                        real(gpu_hours),
                        perhaps(is_priced.then_some(gpu_hours * 2.5)),
                        perhaps(is_priced.then_some(kwh * 0.2 + gpu_hours * 2.5)),
                        real(watt_hours),
                        perhaps(is_priced.then_some(watt_hours * 0.6)),
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
                "electricity_usd",
                "co2e_kg",
                "output_length_ratio",
                "gpu_hours",
                "rent_usd",
                "usd",
                "kwh_per_thousand_requests",
                "kwh_per_day",
            ];
            subject.expect("footprint", &arguments, &columns, &rows);
        }
    }
}

/// A day of a workload's every model: a promise, a headroom and the parts.
fn day() -> impl Strategy<Value = (Terms, usize, Vec<f64>)> {
    let headroom = prop::sample::select(vec![0.0, 0.0, 0.2, 0.5]);
    let terms =
        (promises(), headroom).prop_map(|(promise, headroom)| Terms { headroom, ..promise });
    (terms, 0..5_usize, prop::collection::vec(0.0..9.0_f64, 1..5))
}

fn check_day_of((terms, subject, demands): &(Terms, usize, Vec<f64>)) -> usize {
    let hours = 24.0 / demands.len() as f64;
    let parts: Vec<_> = demands.iter().map(|demand| (hours, demand.exp())).collect();
    TEXT_SUBJECTS.with(|subjects| {
        let subject = &subjects[*subject];
        check_day(subject, terms, &parts, &given(&[("task", subject.task)]))
    })
}

#[test]
#[ignore = "takes long; RANDOM_CASES says how many"]
fn thousands_of_random_plans_are_the_best() {
    println!("plans: {}", random(&case(0.0..10.0_f64), check_plan_of));
}

#[test]
#[ignore = "takes long; RANDOM_CASES says how many"]
fn thousands_of_random_capacities_are_the_most() {
    println!("capacities: {}", random(&case(1..20_i64), check_capacity_of));
}

#[test]
#[ignore = "takes long; RANDOM_CASES says how many"]
fn thousands_of_random_days_are_the_sums_of_their_parts() {
    println!("load profiles: {}", random(&day(), check_day_of));
}

#[test]
#[ignore = "takes long; RANDOM_CASES says how many"]
fn thousands_of_random_curves_of_any_shape_have_the_best_plans() {
    println!("plans and capacities of any shape: {}", random(&any_shape(), check_any_shape));
}
