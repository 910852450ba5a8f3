//! The checks that every document and record passes before it is stored, and what they find.
//!
//! A finding refuses the whole build, unless its check is one that a publisher may accept and
//! did: then it is stored in the database, where every reader of the file sees it.

use std::fmt;

use crate::measurement::record::{Figures, GenerationFigures, GenerationKey, Product};

/// Largest relative difference between two sides of an identity.
const IDENTITY_TOLERANCE: f64 = 1e-6;

/// Declares the checks, each in one place: its name, whether a publisher may accept what it finds
/// (`acceptable`) or it refuses the data in any case (`refuses`), and what it ensures.
macro_rules! checks {
    ($($check:ident $name:literal $accept:ident $ensures:literal;)*) => {
        /// A rule that the data must keep.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Check {
            $(#[doc = $ensures] $check,)*
        }

        impl Check {
            /// Every check, in the order in which `energydb checks` lists them.
            pub const ALL: &[Self] = &[$(Self::$check),*];

            /// The name that findings show and `--accept` takes.
            pub fn name(self) -> &'static str {
                match self { $(Self::$check => $name,)* }
            }

            /// What the check ensures, in one line.
            pub fn ensures(self) -> &'static str {
                match self { $(Self::$check => $ensures,)* }
            }

            /// Whether a publisher may load data that this check finds fault with.
            pub fn acceptable(self) -> bool {
                match self { $(Self::$check => checks!(@ $accept),)* }
            }
        }
    };
    (@ acceptable) => { true };
    (@ refuses) => { false };
}

checks! {
    Json "json" refuses
        "the bytes are one JSON text in UTF-8, plain or gzip";
    DuplicateKey "duplicate-key" refuses
        "no key of the document or a configuration stands twice";
    DocumentForm "document-form" refuses
        "the document is a leaderboard file: task and configurations, of a model too, or an index";
    MissingField "missing-field" refuses
        "no field is absent, nor null save num_frames and fps";
    FieldType "field-type" refuses
        "numbers are numbers and names are text";
    NumberRange "number-range" refuses
        "figures are above 0, counts whole and at least 1 (of a histogram 0), none loses value when read";
    NameForm "name-form" refuses
        "names begin with a letter or digit, have no invisible characters or blanks around, and are in NFC";
    UnknownField "unknown-field" refuses
        "no field is unknown to this program (a warning, an error with --strict)";
    Rows "rows" refuses
        "the document has at least one configuration";
    OutputLengths "output-lengths" refuses
        "a histogram of output lengths has ascending edges, one more than counts, and a request";
    FileName "file-name" refuses
        "a file that is named after a task or model, as the leaderboard's are, holds that";
    ModelFacts "model-facts" refuses
        "one model id always has the same name, parameters, architecture and listed precision";
    ModelName "model-name" refuses
        "every model has a display name, in its own file, a task file or the index";
    ModelSlug "model-slug" refuses
        "every model has a slug other than 'index', and no two share one";
    NameSpelling "name-spelling" refuses
        "no two names look alike: they differ in more than case, and in more than Unicode's look-alikes";
    SameConfiguration "same-configuration" refuses
        "a configuration in two documents has the same figures in both";
    PowerIdentity "power-identity" acceptable
        "power = energy per token, image or video * how many per second, within 1e-6 of it";
    RequestEnergyIdentity "request-energy-identity" acceptable
        "energy per request = energy per token * output length, within 1e-6 of it";
    ItlOrder "itl-order" acceptable
        "median, p90, p95 and p99 ITL ascend";
    LoadWithinLimit "load-within-limit" acceptable
        "measured load is not above max_num_seqs";
    BatchIdentity "batch-identity" acceptable
        "images or videos per second * batch latency = batch size, within 1e-6 of it";
    DegreesIdentity "degrees-identity" acceptable
        "Ulysses degree * ring degree = number of GPUs";
    ActiveWithinTotal "active-within-total" acceptable
        "active parameters are not above the total";
}

impl Check {
    /// The acceptable check of this name.
    pub fn acceptable_named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|check| check.acceptable() && check.name() == name)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One thing that a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which check.
    pub check: Check,
    /// Where in the document: a JSON pointer, or line and column where the text itself is broken.
    pub place: String,
    /// What is there.
    pub value: String,
    /// What the check expected.
    pub expected: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { check, place, value, expected } = self;
        // What is wrong with text that is not JSON is a sentence of its own.
        if *check == Check::Json {
            return write!(formatter, "{place}: {value} [{check}]");
        }
        write!(formatter, "{place}: found {value}, expected {expected} [{check}]")
    }
}

/// A relation between the columns of one row that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// Which check.
    pub check: Check,
    /// The column at fault, by its name in the database.
    pub column: &'static str,
    /// The value in that column.
    pub value: f64,
    /// What was expected of it.
    pub expected: String,
}

/// Reports every relation between a configuration's figures that does not hold.
pub fn relations(figures: &Figures, max_num_seqs: u32, report: &mut impl FnMut(Broken)) {
    let Figures { joules_per_output_token: joules, .. } = *figures;
    let mut identity = |check, column, value: f64, expected: f64, formula: &str| {
        if !within_tolerance(value, expected) {
            report(Broken { check, column, value, expected: format!("{expected} ({formula})") });
        }
    };
    identity(
        Check::PowerIdentity,
        "power_watts",
        figures.power_watts,
        joules * figures.tokens_per_second,
        "energy per token * tokens per second",
    );
    identity(
        Check::RequestEnergyIdentity,
        "joules_per_request",
        figures.joules_per_request,
        joules * figures.avg_output_tokens,
        "energy per token * output length",
    );
    let percentiles = [
        ("median_itl_ms", figures.median_itl_ms),
        ("p90_itl_ms", figures.p90_itl_ms),
        ("p95_itl_ms", figures.p95_itl_ms),
        ("p99_itl_ms", figures.p99_itl_ms),
    ];
    for pair in percentiles.windows(2) {
        if let [(lower_name, lower), (column, value)] = *pair
            && value < lower
        {
            let expected = format!("at least {lower} ({lower_name})");
            report(Broken { check: Check::ItlOrder, column, value, expected });
        }
    }
    if figures.avg_running_batch > f64::from(max_num_seqs) {
        report(Broken {
            check: Check::LoadWithinLimit,
            column: "avg_running_batch",
            value: figures.avg_running_batch,
            expected: format!("at most {max_num_seqs} (max_num_seqs)"),
        });
    }
}

/// The same for a configuration that makes images or videos.
pub fn generation_relations(
    key: &GenerationKey,
    figures: &GenerationFigures,
    output: Product,
    report: &mut impl FnMut(Broken),
) {
    let GenerationFigures { joules, batch_latency_s, per_second, power_watts } = *figures;
    let (batch_column, of_power) = match output {
        Product::Videos => ("videos_per_second", "energy per video * videos per second"),
        _ => ("images_per_second", "energy per image * images per second"),
    };
    let expected = joules * per_second;
    if !within_tolerance(power_watts, expected) {
        report(Broken {
            check: Check::PowerIdentity,
            column: "power_watts",
            value: power_watts,
            expected: format!("{expected} ({of_power})"),
        });
    }
    let expected = f64::from(key.batch_size) / batch_latency_s;
    if !within_tolerance(per_second, expected) {
        report(Broken {
            check: Check::BatchIdentity,
            column: batch_column,
            value: per_second,
            expected: format!("{expected} (batch size / batch latency)"),
        });
    }
    let degrees = u64::from(key.ulysses_degree) * u64::from(key.ring_degree);
    if degrees != u64::from(key.num_gpus) {
        report(Broken {
            check: Check::DegreesIdentity,
            column: "num_gpus",
            value: key.num_gpus.into(),
            expected: format!("{degrees} (Ulysses degree * ring degree)"),
        });
    }
}

/// Reports a model whose active parameters are above its total, both in 10^9.
pub fn model_relations(params: f64, active: f64, report: &mut impl FnMut(Broken)) {
    if active > params {
        report(Broken {
            check: Check::ActiveWithinTotal,
            column: "active_params_b",
            value: active,
            expected: format!("at most {params} (total parameters)"),
        });
    }
}

fn within_tolerance(value: f64, expected: f64) -> bool {
    // A product too large for a double is near to nothing.
    expected.is_finite() && (value - expected).abs() <= IDENTITY_TOLERANCE * expected.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> Figures {
        Figures {
            avg_running_batch: 7.5,
            tokens_per_second: 1000.0,
            power_watts: 500.0,
            joules_per_output_token: 0.5,
            joules_per_request: 50.0,
            median_itl_ms: 10.0,
            p90_itl_ms: 11.0,
            p95_itl_ms: 11.0,
            p99_itl_ms: 12.0,
            avg_output_tokens: 100.0,
        }
    }

    fn broken(figures: Figures) -> Vec<(Check, &'static str)> {
        let mut found = Vec::new();
        relations(&figures, 8, &mut |broken| found.push((broken.check, broken.column)));
        found
    }

    #[test]
    fn a_sound_row_breaks_no_relation() {
        assert_eq!(broken(sound()), []);
    }

    #[test]
    fn every_relation_is_found_broken_at_its_own_column() {
        assert_eq!(
            broken(Figures { power_watts: 500.001, ..sound() }),
            [(Check::PowerIdentity, "power_watts")]
        );
        assert_eq!(broken(Figures { power_watts: 500.0004, ..sound() }), []);
        let beyond_a_double =
            Figures { tokens_per_second: f64::MAX, joules_per_output_token: 9.0, ..sound() };
        assert!(broken(beyond_a_double).contains(&(Check::PowerIdentity, "power_watts")));
        assert_eq!(
            broken(Figures { joules_per_request: 49.9, ..sound() }),
            [(Check::RequestEnergyIdentity, "joules_per_request")]
        );
        assert_eq!(
            broken(Figures { p95_itl_ms: 10.5, ..sound() }),
            [(Check::ItlOrder, "p95_itl_ms")]
        );
        assert_eq!(
            broken(Figures { avg_running_batch: 8.1, ..sound() }),
            [(Check::LoadWithinLimit, "avg_running_batch")]
        );
        let mut found = Vec::new();
        model_relations(8.0, 8.1, &mut |broken| found.push(broken.column));
        assert_eq!(found, ["active_params_b"]);
    }

    #[test]
    fn every_relation_of_images_and_videos_is_found_broken_at_its_own_column() {
        let key = GenerationKey {
            model: 1,
            gpu: 1,
            num_gpus: 8,
            batch_size: 4,
            height: 1024,
            width: 1024,
            inference_steps: 20,
            num_frames: None,
            frames_per_second: None,
            ulysses_degree: 2,
            ring_degree: 4,
        };
        let sound = GenerationFigures {
            joules: 500.0,
            batch_latency_s: 2.0,
            per_second: 2.0,
            power_watts: 1000.0,
        };
        let broken = |key: &GenerationKey, figures: &GenerationFigures, output| {
            let mut found = Vec::new();
            generation_relations(key, figures, output, &mut |broken| {
                found.push((broken.check, broken.column));
            });
            found
        };
        assert_eq!(broken(&key, &sound, Product::Images), []);
        let hotter = GenerationFigures { power_watts: 1000.1, ..sound };
        let power = (Check::PowerIdentity, "power_watts");
        assert_eq!(broken(&key, &hotter, Product::Images), [power]);
        let slower = GenerationFigures { batch_latency_s: 2.1, ..sound };
        let of_images = (Check::BatchIdentity, "images_per_second");
        let of_videos = (Check::BatchIdentity, "videos_per_second");
        assert_eq!(broken(&key, &slower, Product::Images), [of_images]);
        assert_eq!(broken(&key, &slower, Product::Videos), [of_videos]);
        let fewer = GenerationKey { num_gpus: 4, ..key };
        let degrees = (Check::DegreesIdentity, "num_gpus");
        assert_eq!(broken(&fewer, &sound, Product::Images), [degrees]);
    }

    #[test]
    fn checks_have_names_of_their_own_and_seven_are_acceptable() {
        let mut names: Vec<_> = Check::ALL.iter().map(|check| check.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Check::ALL.len());
        assert_eq!(Check::ALL.iter().filter(|check| check.acceptable()).count(), 7);
        assert_eq!(Check::acceptable_named("json"), None);
        assert_eq!(Check::acceptable_named("itl-order"), Some(Check::ItlOrder));
    }
}
