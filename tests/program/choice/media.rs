//! Compares the queries on images and videos with all that was measured.

use super::*;
use crate::reference::media::{self, Maker};
use crate::reference::plan::Terms;

/// A workload of images or videos, with its rows.
struct Media {
    subject: Subject,
    makers: Vec<Maker>,
    /// Batch latency within the release's deadline.
    usual_s: f64,
}

thread_local! {
    static MEDIA: [Media; 2] = [("text-to-image", 30.0), ("text-to-video", 300.0)]
        .map(|(task, usual_s)| {
            let folder = Path::new(DATA).parent().unwrap();
            let bytes = std::fs::read(folder.join(format!("{task}.json"))).unwrap();
            let makers = media::parse(&serde_json::from_slice(&bytes).unwrap());
            let connection = Location::BuiltIn.open(&Signals::none()).unwrap();
            let empty = json!({"configurations": []});
            let subject = Subject { task, ..Subject::new(connection, &empty) };
            Media { subject, makers, usual_s }
        });
}

fn with_each(test: impl Fn(&Media)) {
    MEDIA.with(|all| all.iter().for_each(test));
}

impl Media {
    fn ask(&self, name: &str, arguments: &Arguments) -> Vec<BTreeMap<String, Sql>> {
        let task = [("task", self.subject.task.to_owned())];
        self.subject.ask(name, &[&task[..], arguments].concat())
    }

    /// The configurations of an answer's model, GPU and setting.
    fn rivals(&self, row: &BTreeMap<String, Sql>) -> Vec<&Maker> {
        let (width, height, steps, frames) = (
            row["width_pixels"].clone(),
            row["height_pixels"].clone(),
            row["inference_steps"].clone(),
            row["num_frames"].clone(),
        );
        self.makers
            .iter()
            .filter(|maker| {
                let (own_width, own_height, own_steps, own_frames) = maker.setting;
                text(&maker.slug) == row["model"]
                    && text(&maker.gpu) == row["gpu"]
                    && whole(own_width) == width
                    && whole(own_height) == height
                    && whole(own_steps) == steps
                    && own_frames.map_or(Sql::Null, whole) == frames
            })
            .collect()
    }

    /// The configuration of an answer.
    fn maker(&self, row: &BTreeMap<String, Sql>) -> &Maker {
        let row_id = row["row_id"].clone().into_text();
        let is_it = |maker: &&&Maker| {
            let [ulysses, ring] = maker.parallel;
            let (width, height, steps, _) = maker.setting;
            let begin = format!(
                "{}/{}/{}/{}/{width}x{height}/",
                maker.slug, maker.gpu, maker.num_gpus, maker.batch_size
            );
            row_id.starts_with(&begin) && row_id.ends_with(&format!("/{steps}/u{ulysses}r{ring}"))
        };
        let found: Vec<_> = self.rivals(row).into_iter().collect();
        found.iter().find(is_it).copied().unwrap_or_else(|| panic!("{row_id}"))
    }

    /// How many models, GPUs and settings were measured.
    fn settings(&self) -> usize {
        let settings: BTreeSet<_> =
            self.makers.iter().map(|maker| (&maker.slug, &maker.gpu, maker.setting)).collect();
        settings.len()
    }
}

fn check(row: &BTreeMap<String, Sql>, expected: &[(&str, Sql)], about: &str) {
    for (column, expected) in expected {
        assert!(
            is_same(&row[*column], expected),
            "{about}: {column} is {:?}, not {expected:?}\n{row:?}",
            row[*column]
        );
    }
}

/// Returns how many plans there are.
fn check_plan(media: &Media, terms: &Terms, per_hour: f64, deadline_s: Option<f64>) -> usize {
    let mut plans = 0;
    let mut arguments = terms.arguments();
    arguments.retain(|(name, _)| !["percentile", "deadline_ms", "measured_only"].contains(name));
    arguments.push(("outputs_per_hour", per_hour.to_string()));
    arguments.push(("minimize", terms.minimize.to_owned()));
    arguments.extend(deadline_s.map(|deadline| ("deadline_s", deadline.to_string())));
    arguments.extend(terms.max_power_watts.map(|watts| ("max_power_watts", watts.to_string())));
    let deadline_s = deadline_s.unwrap_or(media.usual_s);
    let answer = media.ask("plan-media", &arguments);
    assert_eq!(answer.len(), media.settings());
    for row in answer {
        let about = format!("{per_hour} an hour in {deadline_s} s, {terms:?}");
        let rivals = media.rivals(&row);
        let demand = per_hour / 3600.0;
        let fastest = rivals.iter().map(|maker| maker.latency_s).fold(f64::MAX, f64::min);
        check(&row, &[("fastest_batch_latency_s", real(fastest))], &about);
        let Some(best) = media::plan(&rivals, demand, deadline_s, terms) else {
            let status = if fastest > deadline_s {
                "none meets"
            } else if terms.minimize == "cost" && terms.prices.is_none() {
                "cost needs both rates"
            } else {
                "no number of replicas meets"
            };
            check(&row, &[("status", text(status)), ("power_watts", Sql::Null)], &about);
            continue;
        };
        let gpus = best.replicas * best.maker.num_gpus;
        let served = best.replicas as f64 * best.maker.per_second;
        let expected = [
            ("status", text("meets")),
            ("total_gpus", whole(gpus)),
            ("replicas", whole(best.replicas)),
            ("batch_latency_s", real(best.maker.latency_s)),
            ("batch_size", whole(best.maker.batch_size)),
            ("power_watts", real(best.watts)),
            ("power_at_work_watts", real(best.replicas as f64 * best.maker.watts)),
            ("busy_share", real(demand / served)),
            ("headroom", real(served / demand - 1.0)),
            ("wh_per_output", real(best.maker.joules / 3600.0)),
            ("deadline_s", real(deadline_s)),
            ("outputs_per_second", real(demand)),
        ];
        check_loosely(&row, &expected, &about);
        check_day_of(&row, terms, best.watts, gpus, demand, &about);
        assert!(std::ptr::eq(media.maker(&row), best.maker), "{about}\n{row:?}\n{best:?}");
        plans += 1;
    }
    plans
}

/// Energy and money of a day with so much power and so many GPUs, which make so much a second.
fn check_day_of(
    row: &BTreeMap<String, Sql>,
    terms: &Terms,
    watts: f64,
    gpus: i64,
    rate: f64,
    about: &str,
) {
    let rated = super::plan::rated(&row["gpu"].clone().into_text());
    let [kwh, gpu_hour, host, pue] = terms.prices.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let kwh_per_day = (watts + host * gpus as f64) * 24.0 / 1000.0 * pue;
    let rent = gpus as f64 * 24.0 * gpu_hour;
    let usd = kwh_per_day * kwh + rent;
    let priced = |usd: f64| perhaps(terms.prices.map(|_| usd));
    let expected = [
        ("total_rated_power_watts", perhaps(rated.map(|watts| watts * gpus as f64))),
        ("kwh_per_day", real(kwh_per_day)),
        ("electricity_usd_per_day", priced(kwh_per_day * kwh)),
        ("gpu_hours_per_day", real(gpus as f64 * 24.0)),
        ("rent_usd_per_day", priced(rent)),
        ("usd_per_day", priced(usd)),
        ("usd_per_thousand_outputs", priced(usd / (rate * 86_400.0) * 1000.0)),
        ("co2e_kg_per_day", Sql::Null),
    ];
    check_loosely(row, &expected, about);
}

/// As [`check`], with room for what many steps round off.
fn check_loosely(row: &BTreeMap<String, Sql>, expected: &[(&str, Sql)], about: &str) {
    for (column, expected) in expected {
        let is_near = match (&row[*column], expected) {
            (Sql::Real(got), Sql::Real(expected)) => {
                (got - expected).abs() <= 1e-9 * (expected.abs() + 1.0)
            }
            (got, expected) => got == expected,
        };
        assert!(is_near, "{about}: {column} is {:?}, not {expected:?}\n{row:?}", row[*column]);
    }
}

fn terms() -> impl Strategy<Value = Terms> {
    let room = (
        prop::sample::select(vec![0.0, 0.1, 0.2, 1.0]),
        prop::option::of(0.3..1.0_f64),
        prop::option::of(1..200_i64),
        prop::option::of(5.0..13.0_f64),
    );
    let choice = (
        prop::sample::select(vec!["power", "gpus", "cost"]),
        prop::option::of((0.0..0.5_f64, 0.0..5.0_f64, 0.0..200.0_f64, 1.0..2.0_f64)),
    );
    (room, choice).prop_map(|((headroom, max_busy_share, max_gpus, watts), (minimize, prices))| {
        Terms {
            headroom,
            max_busy_share,
            max_gpus,
            max_power_watts: watts.map(f64::exp),
            minimize,
            prices: prices.map(|(kwh, rent, host, pue)| [kwh, rent, host, pue]),
            ..Terms::default()
        }
    })
}

/// Asks what a number of GPUs can make, and tries every number of replicas beside it. Returns how
/// many can make something.
fn check_capacity(media: &Media, terms: &Terms, max_gpus: i64, deadline: Option<f64>) -> usize {
    let mut capacities = 0;
    let terms = Terms { max_gpus: Some(max_gpus), ..terms.clone() };
    let mut arguments = terms.arguments();
    arguments.retain(|(name, _)| !["percentile", "deadline_ms", "measured_only"].contains(name));
    arguments.extend(deadline.map(|log| ("deadline_s", log.exp().to_string())));
    let deadline_s = deadline.map_or(media.usual_s, f64::exp);
    for row in media.ask("capacity-media", &arguments) {
        let rivals = media.rivals(&row);
        let spare = (1.0 + terms.headroom).max(1.0 / terms.max_busy_share.unwrap_or(1.0));
        let mut most: Option<f64> = None;
        for maker in rivals.iter().filter(|maker| maker.latency_s <= deadline_s) {
            for replicas in 1..=max_gpus / maker.num_gpus {
                let rate = replicas as f64 * maker.per_second / spare;
                most = Some(most.map_or(rate, |most| most.max(rate)));
            }
        }
        let status = match most {
            Some(_) => "meets",
            None if rivals.iter().all(|maker| maker.latency_s > deadline_s) => "none meets",
            None => "too few GPUs",
        };
        let expected = [
            ("status", text(status)),
            ("outputs_per_second", perhaps(most)),
            ("outputs_per_hour", perhaps(most.map(|rate| rate * 3600.0))),
        ];
        check(&row, &expected, &format!("{max_gpus} GPUs in {deadline_s} s, {terms:?}"));
        if let Some(rate) = most {
            let maker = media.maker(&row);
            let watts = rate * maker.joules;
            let replicas = max_gpus / maker.num_gpus;
            let gpus = replicas * maker.num_gpus;
            let busy = rate / (replicas as f64 * maker.per_second);
            let figures = [
                ("replicas", whole(replicas)),
                ("total_gpus", whole(gpus)),
                ("batch_size", whole(maker.batch_size)),
                ("batch_latency_s", real(maker.latency_s)),
                ("busy_share", real(busy)),
                ("wh_per_output", real(maker.joules / 3600.0)),
            ];
            check_loosely(&row, &figures, "the figures");
            check_day_of(&row, &terms, watts, gpus, rate, "the day");
            check(&row, &[("power_watts", real(watts))], "the power");
            capacities += 1;
        }
    }
    capacities
}

/// Terms, images an hour, videos an hour or GPUs, and a deadline, all but the terms as logarithms.
type Case<D> = (Terms, D, Option<f64>);

fn case<D: Strategy>(demand: D) -> impl Strategy<Value = Case<D::Value>> {
    (terms(), demand, prop::option::of(-1.0..8.0_f64))
}

fn check_plans_of((terms, (images, videos), deadline): &Case<(f64, f64)>) -> usize {
    MEDIA.with(|[of_images, of_videos]| {
        let deadline_s = deadline.map(f64::exp);
        check_plan(of_images, terms, images.exp(), deadline_s)
            + check_plan(of_videos, terms, videos.exp(), deadline_s)
    })
}

fn check_capacities_of((terms, max_gpus, deadline): &Case<i64>) -> usize {
    MEDIA.with(|all| {
        all.iter().map(|media| check_capacity(media, terms, *max_gpus, *deadline)).sum()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_number_of_replicas_makes_images_or_videos_better_than_the_plan(
        case in case((2.0..10.0_f64, 0.0..5.0_f64)),
    ) {
        check_plans_of(&case);
    }

    #[test]
    fn no_gpus_make_more_images_or_videos_than_the_capacity(case in case(1..40_i64)) {
        check_capacities_of(&case);
    }
}

#[test]
#[ignore = "takes long; RANDOM_CASES says how many"]
fn thousands_of_random_plans_of_images_and_videos_are_the_best() {
    println!("plans of media: {}", random(&case((2.0..10.0_f64, 0.0..5.0_f64)), check_plans_of));
}

#[test]
#[ignore = "takes long; RANDOM_CASES says how many"]
fn thousands_of_random_capacities_of_images_and_videos_are_the_most() {
    println!("capacities of media: {}", random(&case(1..40_i64), check_capacities_of));
}

#[test]
fn feasibility_of_media_tells_what_meets_a_deadline_from_what_was_never_measured() {
    with_each(|media| {
        for deadline_s in [0.5, 2.0, 20.0, 200.0] {
            let arguments = [("deadline_s", deadline_s.to_string())];
            let answer = media.ask("feasibility-media", &arguments);
            let settings: BTreeSet<_> =
                media.makers.iter().map(|maker| (&maker.slug, maker.setting)).collect();
            assert_eq!(answer.len(), settings.len() * 2);
            for row in answer {
                let rivals = media.rivals(&row);
                let fastest = rivals.iter().map(|maker| maker.latency_s).reduce(f64::min);
                let status = match fastest {
                    None => "no data",
                    Some(fastest) if fastest <= deadline_s => "meets",
                    Some(_) => "none meets",
                };
                let expected =
                    [("status", text(status)), ("fastest_batch_latency_s", perhaps(fastest))];
                check(&row, &expected, &format!("{deadline_s} s"));
            }
        }
    });
}

#[test]
fn deadlines_of_media_are_the_lowest_energy_within_each() {
    with_each(|media| {
        let mut seen = 0;
        for row in media.ask("deadlines-media", &[]) {
            let Sql::Real(deadline_s) = row["deadline_s"] else { panic!("{row:?}") };
            let within =
                media.rivals(&row).into_iter().filter(|maker| maker.latency_s <= deadline_s);
            let least = within.map(|maker| maker.joules).reduce(f64::min).unwrap();
            check(&row, &[("wh_per_output", real(least / 3600.0))], "the energy");
            seen += 1;
        }
        let usual = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].map(f64::from);
        let mut expected = 0;
        for deadline_s in usual {
            let within = media.makers.iter().filter(|maker| maker.latency_s <= deadline_s);
            let met: BTreeSet<_> =
                within.map(|maker| (&maker.slug, &maker.gpu, maker.setting)).collect();
            expected += met.len();
        }
        assert_eq!(seen, expected);
    });
}

#[test]
fn pareto_of_media_is_what_no_other_beats() {
    with_each(|media| {
        for against in ["latency", "throughput"] {
            for scope in ["gpu", "model", "all"] {
                let arguments = given(&[("against", against), ("scope", scope)]);
                let answer = media.ask("pareto-media", &arguments);
                let figures = |maker: &Maker| match against {
                    "latency" => (maker.joules, maker.latency_s),
                    _ => (maker.joules, -maker.per_second / maker.num_gpus as f64),
                };
                let frontier: BTreeSet<usize> =
                    answer.iter().map(|row| media.maker(row).position).collect();
                assert_eq!(frontier.len(), answer.len());
                for maker in &media.makers {
                    let is_beaten = media.makers.iter().any(|other| {
                        other.setting == maker.setting
                            && (scope == "all" || other.slug == maker.slug)
                            && (scope != "gpu" || other.is_rival(maker))
                            && crate::reference::beats(figures(other), figures(maker))
                    });
                    assert_eq!(frontier.contains(&maker.position), !is_beaten, "{maker:?}");
                }
            }
        }
    });
}

#[test]
fn the_curve_of_media_is_against_the_size_of_the_batch() {
    let prices = [0.15, 2.4, 80.0, 1.25];
    with_each(|media| {
        let answer = media.ask("curve-media", &super::evidence::rates(prices));
        assert_eq!(answer.len(), media.makers.len());
        for row in answer {
            let own = media.maker(&row);
            let series: Vec<_> =
                media.makers.iter().filter(|other| other.is_of_series(own)).collect();
            let least = series.iter().map(|maker| maker.joules).fold(f64::MAX, f64::min);
            let before = series
                .iter()
                .filter(|maker| maker.batch_size < own.batch_size)
                .max_by_key(|maker| maker.batch_size);
            let rises = before.is_some_and(|before| own.joules > before.joules);
            let gpus = own.num_gpus as f64;
            let [kwh, gpu_hour, host, pue] = prices;
            let seconds = 1000.0 / own.per_second;
            let joules = own.joules * 1000.0 + host * gpus * seconds;
            let usd = joules / 3.6e6 * pue * kwh + gpus * seconds / 3600.0 * gpu_hour;
            let expected = [
                ("wh_per_output", real(own.joules / 3600.0)),
                ("energy_relative_to_best", real(own.joules / least)),
                ("energy_rises", whole(rises.into())),
                ("batch_latency_s", real(own.latency_s)),
                ("outputs_per_second", real(own.per_second)),
                ("power_watts", real(own.watts)),
                ("usd_per_thousand_outputs", real(usd)),
            ];
            check(&row, &expected, "the curve");
        }
    });
}

#[test]
fn the_footprint_of_media_is_the_energy_of_the_best_times_what_is_asked() {
    with_each(|media| {
        let mut arguments = given(&[("outputs", "12345"), ("users", "70"), ("pue", "1.3")]);
        arguments.extend(given(&[("outputs_per_user", "3"), ("usd_per_kwh", "0.2")]));
        arguments.extend(given(&[("usd_per_gpu_hour", "2.5"), ("gco2_per_kwh", "350")]));
        let answer = media.ask("footprint-media", &arguments);
        assert!(!answer.is_empty());
        for row in answer {
            let within = media.rivals(&row).into_iter();
            let within = within.filter(|maker| maker.latency_s <= media.usual_s);
            let best = within.min_by(|one, other| one.joules.total_cmp(&other.joules)).unwrap();
            let kwh = best.joules / 3.6e6 * 1.3;
            let hours = best.num_gpus as f64 / best.per_second / 3600.0 * 12345.0;
            let expected = [
                ("kwh", real(kwh * 12345.0)),
                ("kwh_per_thousand", real(kwh * 1000.0)),
                ("kwh_per_day", real(kwh * 210.0)),
                ("electricity_usd", real(kwh * 12345.0 * 0.2)),
                ("gpu_hours", real(hours)),
                ("rent_usd", real(hours * 2.5)),
                ("usd", real(kwh * 12345.0 * 0.2 + hours * 2.5)),
                ("co2e_kg", real(kwh * 12345.0 * 0.35)),
            ];
            check(&row, &expected, "the footprint");
        }
    });
}
