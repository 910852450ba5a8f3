//! The checks that every document and record passes before it is stored, and what they find.
//!
//! A finding refuses the whole build, unless the publisher accepts its check. An accepted finding is stored
//! in the database, where every reader of the file can see it.

use std::fmt;

use crate::measurement::columns::{NULL, Table, Values, diffusion, text};
use crate::measurement::plausible::{self, Known};
use crate::measurement::product::Product;

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

                    /// Whether a publisher may load data that fails this check.
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
        "no key of the document or a configuration is there twice";
    DocumentForm "document-form" refuses
        "the document is a task file, a model's own file, or an index of the leaderboard";
    MissingField "missing-field" refuses
        "no field is missing or null, except num_frames and fps; own measurements need only the required ones";
    FieldType "field-type" refuses
        "numbers are numbers and names are text";
    NumberRange "number-range" refuses
        "figures are from 1e-300 to 1e300 and keep their value when read; counts are whole and at least 1 (0 in a histogram)";
    NameForm "name-form" refuses
        "names begin with a letter or digit, have no invisible or surrounding blank characters, and are in NFC";
    UnknownField "unknown-field" refuses
        "this program knows every field (a warning, or an error with --strict)";
    Table "table" refuses
        "every line of a table has as many cells as its header; all rows have one task, source and method";
    SourceMethod "source-method" refuses
        "all configurations of one source and task were measured with the same method";
    PowerLog "power-log" refuses
        "a power log covers all GPUs of each run, with samples at most 3 s apart and its times certain to 2 %";
    Rows "rows" refuses
        "the document has at least one configuration";
    OutputLengths "output-lengths" refuses
        "a histogram of output lengths has ascending edges, one more edge than counts, and at least one request";
    FileName "file-name" refuses
        "a file that is named after a task or model, as in the leaderboard, contains that task or model";
    ModelFacts "model-facts" refuses
        "one model id always has the same name, parameters, architecture and listed precision";
    ModelName "model-name" refuses
        "every model has a display name in its own file, a task file or the index";
    ModelSlug "model-slug" refuses
        "every model has a slug other than 'index', and no two share one";
    NameSpelling "name-spelling" refuses
        "no two names differ only in case or in characters that look alike";
    SameConfiguration "same-configuration" refuses
        "a configuration in two documents has the same figures in both";
    PowerIdentity "power-identity" acceptable
        "power = energy per token, image or video * their number per second, to a relative 1e-6";
    RequestEnergyIdentity "request-energy-identity" acceptable
        "energy per request = energy per token * output length, to a relative 1e-6";
    ItlOrder "itl-order" acceptable
        "median, p90, p95 and p99 ITL ascend";
    LoadWithinLimit "load-within-limit" acceptable
        "measured load is not above max_num_seqs";
    BatchIdentity "batch-identity" acceptable
        "images or videos per second * batch latency = batch size, to a relative 1e-6";
    DegreesIdentity "degrees-identity" acceptable
        "Ulysses degree * ring degree = number of GPUs";
    RatedPower "rated-power" acceptable
        "power is 0.05 to 3 times the rated power of the GPUs (published: 0.27 to 0.99), or 5 to 10,000 W for each GPU without a rating; accept this check if your method measures whole machines";
    TimePerToken "time-per-token" acceptable
        "median ITL and mean TPOT are 0.01 to 10 times 1000 * load / tokens per second (published: 0.062 to 1.4); accept this check if your method measures load and throughput at different times";
    EnergyPerToken "energy-per-token" acceptable
        "energy per token is 0.0001 to 20 J for each 10^9 active parameters (published: 0.0025 to 0.98); accept this check if your method includes idle time";
    ItlSpread "itl-spread" acceptable
        "p90, p95 and p99 ITL are at most 500 times the median (published: at most 118)";
    OutputTokens "output-tokens" acceptable
        "an answer has 1 to 200,000 tokens on average (published: 214 to 11,861)";
    EnergyPerPixel "energy-per-pixel" acceptable
        "energy per image or video is 0.5 to 15,000 J for each 10^6 pixels, frame and step (published: 16 to 497)";
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

/// The value of a finding for something that is missing. What is expected is then what to do.
pub const NOTHING: &str = "nothing";

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { check, place, value, expected } = self;
        // What is wrong with text that is not JSON is a sentence of its own.
        if *check == Check::Json {
            return write!(formatter, "{place}: {value} [{check}]");
        }
        if *check == Check::MissingField && value == NOTHING {
            return write!(formatter, "{place}: missing; {expected} [{check}]");
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

/// The checks of relations between the columns of one row of a product.
pub fn of_rows(product: Product) -> &'static [Check] {
    use Check::{
        BatchIdentity, DegreesIdentity, EnergyPerPixel, EnergyPerToken, ItlOrder, ItlSpread,
        LoadWithinLimit, OutputTokens, PowerIdentity, RatedPower, RequestEnergyIdentity,
        TimePerToken,
    };
    match product {
        Product::Tokens => &[
            PowerIdentity,
            RequestEnergyIdentity,
            ItlOrder,
            LoadWithinLimit,
            RatedPower,
            TimePerToken,
            EnergyPerToken,
            ItlSpread,
            OutputTokens,
        ],
        Product::Images | Product::Videos => {
            &[PowerIdentity, BatchIdentity, DegreesIdentity, RatedPower, EnergyPerPixel]
        }
    }
}

/// Reports every relation between the columns of one row that does not hold, and every figure that is
/// not of the size of such figures. What is null takes part in none.
pub fn relations(product: Product, values: &Values, known: Known, report: &mut impl FnMut(Broken)) {
    use Check::{
        BatchIdentity, DegreesIdentity, ItlOrder, LoadWithinLimit, PowerIdentity,
        RequestEnergyIdentity,
    };
    let mut row = Row { table: product.table(), values, report };
    let product_of = |[one, other]: [f64; 2]| one * other;
    let power = match product {
        Product::Tokens => "energy per token * tokens per second",
        Product::Images => "energy per image * images per second",
        Product::Videos => "energy per video * videos per second",
    };
    match product {
        Product::Tokens => {
            use text::{ITL, JOULES, LIMIT, LOAD, OUTPUT_TOKENS, PER_REQUEST, PER_SECOND, POWER};
            row.equals(PowerIdentity, POWER, [JOULES, PER_SECOND], product_of, power);
            let per_request = "energy per token * output length";
            let of = [JOULES, OUTPUT_TOKENS];
            row.equals(RequestEnergyIdentity, PER_REQUEST, of, product_of, per_request);
            row.ascend(ItlOrder, &ITL);
            row.at_most(LoadWithinLimit, LOAD, LIMIT);
        }
        Product::Images | Product::Videos => {
            use diffusion::{
                BATCH_SIZE, JOULES, LATENCY, NUM_GPUS, PER_SECOND, POWER, RING, ULYSSES,
            };
            row.equals(PowerIdentity, POWER, [JOULES, PER_SECOND], product_of, power);
            let (of, formula) = ([BATCH_SIZE, LATENCY], "batch size / batch latency");
            row.equals(BatchIdentity, PER_SECOND, of, |[size, time]| size / time, formula);
            let (of, formula) = ([ULYSSES, RING], "Ulysses degree * ring degree");
            row.equals(DegreesIdentity, NUM_GPUS, of, product_of, formula);
        }
    }
    plausible::figures(product, values, known, report);
}

/// A row whose relations are looked at.
struct Row<'r, R> {
    table: &'static Table,
    values: &'r Values,
    report: &'r mut R,
}

impl<R: FnMut(Broken)> Row<'_, R> {
    fn broken(&mut self, check: Check, column: usize, expected: String) {
        let (column, value) = (self.table.columns[column].name, self.values[column]);
        (self.report)(Broken { check, column, value, expected });
    }

    /// A column is what two others come to.
    fn equals(
        &mut self,
        check: Check,
        column: usize,
        others: [usize; 2],
        of: impl Fn([f64; 2]) -> f64,
        formula: &str,
    ) {
        let (value, others) = (self.values[column], others.map(|other| self.values[other]));
        if value == NULL || others.contains(&NULL) {
            return;
        }
        let expected = of(others);
        if !within_tolerance(value, expected) {
            self.broken(check, column, format!("{expected} ({formula})"));
        }
    }

    /// Columns ascend.
    fn ascend(&mut self, check: Check, columns: &[usize]) {
        let values = self.values;
        let mut lower: Option<usize> = None;
        for &column in columns.iter().filter(|column| values[**column] != NULL) {
            if let Some(lower) = lower
                && values[column] < values[lower]
            {
                let name = self.table.columns[lower].name;
                self.broken(check, column, format!("at least {} ({name})", values[lower]));
            }
            lower = Some(column);
        }
    }

    /// A column is not above another.
    fn at_most(&mut self, check: Check, column: usize, limit: usize) {
        let (name, limit) = (self.table.columns[limit].name, self.values[limit]);
        if limit != NULL && self.values[column] > limit {
            self.broken(check, column, format!("at most {limit} ({name})"));
        }
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
    use crate::measurement::columns::MOST;

    /// A row of the product with these values, the others of which are null.
    fn row(product: Product, values: &[(&str, f64)]) -> Values {
        let mut row = [NULL; MOST];
        for (name, value) in values {
            let columns = product.table().columns;
            let at = columns.iter().position(|column| column.name == *name).unwrap();
            row[at] = *value;
        }
        row
    }

    fn broken(product: Product, values: &[(&str, f64)]) -> Vec<(Check, &'static str)> {
        let mut found = Vec::new();
        let values = row(product, values);
        relations(product, &values, Known::default(), &mut |broken| {
            found.push((broken.check, broken.column))
        });
        found
    }

    /// A sound row with another value in one column.
    fn with<'n>(sound: &[(&'n str, f64)], column: &str, value: f64) -> Vec<(&'n str, f64)> {
        let other = |(name, old)| (name, if name == column { value } else { old });
        sound.iter().copied().map(other).collect()
    }

    const TEXT_ROW: [(&str, f64); 11] = [
        ("max_num_seqs", 8.0),
        ("avg_running_batch", 7.5),
        ("tokens_per_second", 1000.0),
        ("power_watts", 500.0),
        ("joules_per_output_token", 0.5),
        ("joules_per_request", 50.0),
        ("median_itl_ms", 10.0),
        ("p90_itl_ms", 11.0),
        ("p95_itl_ms", 11.0),
        ("p99_itl_ms", 12.0),
        ("avg_output_tokens", 100.0),
    ];

    const DIFFUSION_ROW: [(&str, f64); 8] = [
        ("num_gpus", 8.0),
        ("batch_size", 4.0),
        ("ulysses_degree", 2.0),
        ("ring_degree", 4.0),
        ("joules_per_output", 500.0),
        ("batch_latency_s", 2.0),
        ("outputs_per_second", 2.0),
        ("power_watts", 1000.0),
    ];

    #[test]
    fn a_sound_row_breaks_no_relation() {
        assert_eq!(broken(Product::Tokens, &TEXT_ROW), []);
        assert_eq!(broken(Product::Images, &DIFFUSION_ROW), []);
        assert_eq!(broken(Product::Videos, &DIFFUSION_ROW), []);
    }

    #[test]
    fn every_relation_is_found_broken_at_its_own_column() {
        for (product, sound, column, value, check) in [
            (Product::Tokens, &TEXT_ROW[..], "power_watts", 500.001, Check::PowerIdentity),
            (Product::Tokens, &TEXT_ROW, "joules_per_request", 49.9, Check::RequestEnergyIdentity),
            (Product::Tokens, &TEXT_ROW, "p95_itl_ms", 10.5, Check::ItlOrder),
            (Product::Tokens, &TEXT_ROW, "avg_running_batch", 8.1, Check::LoadWithinLimit),
            (Product::Images, &DIFFUSION_ROW, "power_watts", 1000.1, Check::PowerIdentity),
            (Product::Videos, &DIFFUSION_ROW, "num_gpus", 4.0, Check::DegreesIdentity),
        ] {
            assert_eq!(broken(product, &with(sound, column, value)), [(check, column)]);
            let checks = of_rows(product);
            assert!(checks.contains(&check), "{check} is not among {checks:?}");
        }
        assert_eq!(broken(Product::Tokens, &with(&TEXT_ROW, "power_watts", 500.0004)), []);
        let slower = with(&DIFFUSION_ROW, "batch_latency_s", 2.1);
        let batch = (Check::BatchIdentity, "outputs_per_second");
        assert_eq!(broken(Product::Videos, &slower), [batch]);
        let faster = with(&TEXT_ROW, "tokens_per_second", f64::MAX);
        let beyond_a_double = with(&faster, "joules_per_output_token", 9.0);
        let power = (Check::PowerIdentity, "power_watts");
        assert!(broken(Product::Tokens, &beyond_a_double).contains(&power));
        let mut found = Vec::new();
        model_relations(8.0, 8.1, &mut |broken| found.push(broken.column));
        assert_eq!(found, ["active_params_b"]);
    }

    #[test]
    fn what_is_null_takes_part_in_no_relation() {
        for (product, row) in
            [(Product::Tokens, &TEXT_ROW[..]), (Product::Images, &DIFFUSION_ROW[..])]
        {
            for (column, _) in row {
                assert_eq!(broken(product, &with(row, column, NULL)), [], "{column}");
            }
        }
        // The order holds over a percentile that is missing.
        let lower = with(&with(&TEXT_ROW, "p90_itl_ms", NULL), "p95_itl_ms", 9.0);
        assert_eq!(broken(Product::Tokens, &lower), [(Check::ItlOrder, "p95_itl_ms")]);
    }

    #[test]
    fn checks_have_names_of_their_own_and_some_are_acceptable() {
        let mut names: Vec<_> = Check::ALL.iter().map(|check| check.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Check::ALL.len());
        assert_eq!(Check::ALL.iter().filter(|check| check.acceptable()).count(), 13);
        assert_eq!(Check::acceptable_named("json"), None);
        assert_eq!(Check::acceptable_named("itl-order"), Some(Check::ItlOrder));
    }
}
