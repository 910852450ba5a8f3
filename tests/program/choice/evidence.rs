//! Compares the evidence and the cost in answers with the models' own files.

use super::*;

/// The row of the reference of this name.
fn row<'s>(subject: &'s Subject, row_id: &Sql) -> &'s Row {
    subject.rows.iter().find(|row| text(row.row_id()) == *row_id).unwrap()
}

#[test]
fn requests_per_slot_are_those_of_the_models_own_files() {
    let subject = Subject::leaderboard();
    let known = subject.rows.iter().filter(|row| row.requests.is_some()).count();
    assert!(known > 300, "{known}");
    for answer in subject.ask("curve", &[]) {
        let row = row(&subject, &answer["row_id"]);
        let got = &answer["requests_per_slot"];
        assert!(is_same(got, &perhaps(row.requests_per_slot())), "{answer:?}");
    }
    for min_requests_per_slot in [1.5, 2.0, 8.0] {
        let limits = Limits {
            deadline_ms: 60.0,
            min_requests_per_slot: Some(min_requests_per_slot),
            ..Limits::default()
        };
        check_best(&subject, &limits);
        check_best(&subject, &Limits { percentile: "p99", ..limits });
    }
    // A document without models' own files has no evidence, and none is assumed.
    let subject = Subject::published();
    assert!(subject.ask("best", &[]).iter().all(|row| row["requests_per_slot"] == Sql::Null));
    let evidence = given(&[("min_requests_per_slot", "0.1")]);
    assert_eq!(subject.ask("best", &evidence).len(), 0);
}

#[test]
fn best_shows_its_neighbours_on_the_curve_and_the_spread_of_its_repeats() {
    let subject = Subject::published();
    let mut spreads = 0;
    for (percentile, deadline_ms) in [("median", "40"), ("p99", "90"), ("p90", "500")] {
        let arguments = given(&[("percentile", percentile), ("deadline_ms", deadline_ms)]);
        for answer in subject.ask("best", &arguments) {
            let own = row(&subject, &answer["row_id"]);
            let series: Vec<&Row> =
                subject.rows.iter().filter(|row| row.series() == own.series()).collect();
            let others = series.iter().filter(|row| row.max_num_seqs != own.max_num_seqs);
            let near = |is_on_side: &dyn Fn(&Row) -> bool| {
                let side = others.clone().filter(|row| is_on_side(row));
                let distance = |row: &&&Row| (row.load - own.load).abs();
                side.min_by(|one, other| distance(one).total_cmp(&distance(other))).copied()
            };
            let near = [near(&|row| row.load < own.load), near(&|row| row.load >= own.load)];
            let least = near.into_iter().flatten().map(|row| row.joules).reduce(f64::min);
            let ratio = perhaps(least.map(|joules| joules / own.joules));
            assert!(is_same(&answer["neighbours_energy_ratio"], &ratio), "{answer:?}");
            let again = series.iter().filter(|row| row.max_num_seqs == own.max_num_seqs);
            let joules: Vec<f64> = again.map(|row| row.joules).collect();
            let (low, high) = joules
                .iter()
                .fold((f64::MAX, 0.0_f64), |(low, high), one| (low.min(*one), high.max(*one)));
            let mean = joules.iter().sum::<f64>() / joules.len() as f64;
            let spread = (joules.len() > 1).then_some((high - low) / mean * 100.0);
            spreads += i32::from(spread.is_some());
            assert!(is_same(&answer["energy_spread_percent"], &perhaps(spread)), "{answer:?}");
        }
    }
    assert!(spreads > 0);
}

/// US dollars per million output tokens at these rates.
pub(super) fn usd_per_million(row: &Row, [kwh, gpu_hour, host, pue]: [f64; 4]) -> f64 {
    let gpus = row.num_gpus as f64;
    let seconds = 1e6 / row.throughput;
    let electricity = (row.watts + host * gpus) * seconds / 3.6e6 * pue * kwh;
    electricity + gpus * seconds / 3600.0 * gpu_hour
}

/// The rates as arguments.
pub(super) fn rates([kwh, gpu_hour, host, pue]: [f64; 4]) -> Vec<(&'static str, String)> {
    let names = ["usd_per_kwh", "usd_per_gpu_hour", "host_watts_per_gpu", "pue"];
    names.into_iter().zip([kwh, gpu_hour, host, pue].map(|rate| rate.to_string())).collect()
}

#[test]
fn a_million_output_tokens_cost_electricity_and_rent() {
    let subject = Subject::published();
    let prices = [0.15, 2.4, 80.0, 1.25];
    for query in ["best", "curve"] {
        let answer = subject.ask(query, &rates(prices));
        assert!(!answer.is_empty());
        for answer in answer {
            let usd = usd_per_million(row(&subject, &answer["row_id"]), prices);
            let Sql::Real(got) = answer["usd_per_million_output_tokens"] else {
                panic!("{answer:?}")
            };
            // Power is energy * throughput to 1e-9 in the source.
            assert!((got - usd).abs() <= 1e-8 * usd, "{answer:?}: not {usd}");
        }
        for one in ["usd_per_kwh", "usd_per_gpu_hour"] {
            let answer = subject.ask(query, &given(&[(one, "1")]));
            assert!(answer.iter().all(|row| row["usd_per_million_output_tokens"] == Sql::Null));
        }
    }
}
