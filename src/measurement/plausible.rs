//! Whether the figures of a row have a plausible size. A wrong unit usually changes figures by a factor of a
//! thousand. If all figures are wrong in the same way, no relation between them is broken.
//!
//! Every bound is far outside the 1,858 rows that the leaderboard had published by October 2026, and leaves
//! room for future hardware. But any published figure breaks its bounds if it is multiplied or divided by a
//! thousand, together with the figures that follow from it.

use crate::measurement::check::{Broken, Check};
use crate::measurement::columns::{NULL, Values, diffusion, text};
use crate::measurement::product::Product;

/// Power as a share of the rated power of the GPUs. Published values are 0.27 to 0.99. A whole node takes
/// more than its GPUs.
const SHARE_OF_RATED_POWER: [f64; 2] = [0.05, 3.0];
/// Power of one GPU for which there is no rating, watts.
const WATTS_PER_GPU: [f64; 2] = [5.0, 10_000.0];
/// Inter-token latency as a share of the time per token in flight. Published are 0.062 to 1.4.
const SHARE_OF_TIME_PER_TOKEN: [f64; 2] = [0.01, 10.0];
/// Joules per output token for each 10^9 active parameters. Published are 0.0025 to 0.98.
const JOULES_PER_TOKEN: [f64; 2] = [1e-4, 20.0];
/// The same of a model whose parameters are unknown, from the bounds of the smallest and largest.
const JOULES_PER_TOKEN_OF_ANY: [f64; 2] = [1e-5, 20_000.0];
/// A percentile of the inter-token latency in medians. Published are at most 118.
const MOST_MEDIANS: f64 = 500.0;
/// Mean length of an answer, tokens. Published are 214 to 11,861.
const OUTPUT_LENGTHS: [f64; 2] = [1.0, 200_000.0];
/// Joules for each 10^6 pixels of every frame and inference step. Published are 16 to 497.
const JOULES_PER_MEGAPIXEL_STEP: [f64; 2] = [0.5, 15_000.0];

/// What is known of a row beside its own columns, or `None` if it is not.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known {
    /// Highest power that one of its GPUs is rated for, watts.
    pub rated_power_watts: Option<f64>,
    /// Parameters of its model that are used for each token, 10^9.
    pub active_params_b: Option<f64>,
}

/// Reports every figure of a row that has no plausible size. Null figures are skipped, and so are checks that
/// need them.
pub fn figures(product: Product, values: &Values, known: Known, report: &mut impl FnMut(Broken)) {
    let mut row = Row { product, values, report };
    match product {
        Product::Tokens => {
            use text::{ITL, JOULES, LOAD, NUM_GPUS, OUTPUT_TOKENS, PER_SECOND, POWER, TPOT};
            let [median, tail @ ..] = ITL;
            row.power(POWER, NUM_GPUS, known);
            let in_flight = 1000.0 * values[LOAD] / values[PER_SECOND];
            if values[LOAD] != NULL && values[PER_SECOND] != NULL {
                let why = "times 1000 * load / tokens per second";
                for column in [median, TPOT] {
                    row.within(
                        Check::TimePerToken,
                        column,
                        SHARE_OF_TIME_PER_TOKEN,
                        in_flight,
                        why,
                    );
                }
            }
            let (bounds, unit, why) = match known.active_params_b {
                Some(active) => (JOULES_PER_TOKEN, active, "J for each 10^9 active parameters"),
                None => (JOULES_PER_TOKEN_OF_ANY, 1.0, "J"),
            };
            row.within(Check::EnergyPerToken, JOULES, bounds, unit, why);
            if values[median] != NULL {
                for column in tail {
                    let bounds = [0.0, MOST_MEDIANS];
                    row.within(Check::ItlSpread, column, bounds, values[median], "medians");
                }
            }
            row.within(Check::OutputTokens, OUTPUT_TOKENS, OUTPUT_LENGTHS, 1.0, "tokens");
        }
        Product::Images | Product::Videos => {
            use diffusion::{FRAMES, HEIGHT, JOULES, NUM_GPUS, POWER, STEPS, WIDTH};
            row.power(POWER, NUM_GPUS, known);
            let frames = if values[FRAMES] == NULL { 1.0 } else { values[FRAMES] };
            let steps = values[HEIGHT] * values[WIDTH] / 1e6 * frames * values[STEPS];
            let why = "J for each 10^6 pixels, frame and inference step";
            if steps != NULL {
                row.within(Check::EnergyPerPixel, JOULES, JOULES_PER_MEGAPIXEL_STEP, steps, why);
            }
        }
    }
}

/// A row whose figures are looked at.
struct Row<'r, R> {
    product: Product,
    values: &'r Values,
    report: &'r mut R,
}

impl<R: FnMut(Broken)> Row<'_, R> {
    fn power(&mut self, power: usize, num_gpus: usize, known: Known) {
        let gpus = self.values[num_gpus];
        if gpus == NULL {
            return;
        }
        match known.rated_power_watts {
            Some(rated) => {
                let (bounds, why) = (SHARE_OF_RATED_POWER, "times the rated power of the GPUs");
                self.within(Check::RatedPower, power, bounds, rated * gpus, why);
            }
            None => self.within(Check::RatedPower, power, WATTS_PER_GPU, gpus, "W for each GPU"),
        }
    }

    /// A column is within bounds, which are in a unit of its own.
    fn within(&mut self, check: Check, column: usize, bounds: [f64; 2], unit: f64, why: &str) {
        let value = self.values[column];
        let [low, high] = bounds.map(|bound| bound * unit);
        if value == NULL || (low <= value && value <= high) {
            return;
        }
        let name = self.product.table().columns[column].name;
        let expected = match bounds {
            [0.0, most] => format!("at most {} ({most} {why})", short(high)),
            [least, most] => {
                format!("{} to {} ({least} to {most} {why})", short(low), short(high))
            }
        };
        (self.report)(Broken { check, column: name, value, expected });
    }
}

/// A bound with three digits, as nobody needs more.
fn short(bound: f64) -> String {
    format!("{bound:.2e}")
        .parse()
        .map_or_else(|_| bound.to_string(), |short: f64| short.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::columns::MOST;

    const H100: Known = Known { rated_power_watts: Some(700.0), active_params_b: Some(14.0) };

    /// The published row of Qwen 3 14B on one B200 at a limit of 8, and a video of Wan 2.1.
    const TEXT_ROW: [(&str, f64); 10] = [
        ("num_gpus", 1.0),
        ("avg_running_batch", 7.935),
        ("tokens_per_second", 1086.7),
        ("power_watts", 759.9),
        ("joules_per_output_token", 0.6993),
        ("median_itl_ms", 7.156),
        ("p90_itl_ms", 8.387),
        ("p95_itl_ms", 9.684),
        ("p99_itl_ms", 17.9),
        ("avg_output_tokens", 615.05),
    ];
    const VIDEO_ROW: [(&str, f64); 7] = [
        ("num_gpus", 1.0),
        ("height_pixels", 480.0),
        ("width_pixels", 832.0),
        ("inference_steps", 50.0),
        ("num_frames", 81.0),
        ("joules_per_output", 61_491.4),
        ("power_watts", 830.7),
    ];

    fn found(product: Product, row: &[(&str, f64)], known: Known) -> Vec<(Check, &'static str)> {
        let mut values = [NULL; MOST];
        for (name, value) in row {
            let columns = product.table().columns;
            values[columns.iter().position(|column| column.name == *name).unwrap()] = *value;
        }
        let mut found = Vec::new();
        figures(product, &values, known, &mut |broken| found.push((broken.check, broken.column)));
        found
    }

    fn times(
        row: &[(&'static str, f64)],
        columns: &[&str],
        factor: f64,
    ) -> Vec<(&'static str, f64)> {
        let of =
            |(name, value)| (name, if columns.contains(&name) { value * factor } else { value });
        row.iter().copied().map(of).collect()
    }

    #[test]
    fn a_published_row_is_plausible_and_what_is_null_is_not_looked_at() {
        for known in [H100, Known::default()] {
            assert_eq!(found(Product::Tokens, &TEXT_ROW, known), []);
            assert_eq!(found(Product::Videos, &VIDEO_ROW, known), []);
        }
        for (column, _) in TEXT_ROW {
            assert_eq!(found(Product::Tokens, &times(&TEXT_ROW, &[column], 0.0), H100), []);
        }
    }

    #[test]
    fn a_mistake_by_a_thousand_is_found_at_its_column() {
        const ITL: [&str; 4] = ["median_itl_ms", "p90_itl_ms", "p95_itl_ms", "p99_itl_ms"];
        let time = (Check::TimePerToken, "median_itl_ms");
        let power = (Check::RatedPower, "power_watts");
        for (columns, factor, expected) in [
            (&["power_watts", "joules_per_output_token"][..], 1000.0, power),
            (&["power_watts", "joules_per_output_token"], 0.001, power),
            (&ITL, 1000.0, time),
            (&ITL, 0.001, time),
            (&["avg_running_batch"], 1000.0, time),
            (&["avg_running_batch"], 0.001, time),
            (&["tokens_per_second"], 1000.0, time),
            (&["tokens_per_second"], 0.001, time),
            (&["p99_itl_ms"], 1000.0, (Check::ItlSpread, "p99_itl_ms")),
            (&["p90_itl_ms"], 1000.0, (Check::ItlSpread, "p90_itl_ms")),
            (&["avg_output_tokens"], 1000.0, (Check::OutputTokens, "avg_output_tokens")),
            (&["avg_output_tokens"], 0.001, (Check::OutputTokens, "avg_output_tokens")),
        ] {
            let found = found(Product::Tokens, &times(&TEXT_ROW, columns, factor), H100);
            assert!(found.contains(&expected), "{columns:?} {factor}: {found:?}");
        }
        for factor in [1000.0, 0.001] {
            let row = times(&VIDEO_ROW, &["joules_per_output", "power_watts"], factor);
            let pixel = (Check::EnergyPerPixel, "joules_per_output");
            assert_eq!(found(Product::Videos, &row, H100), [power, pixel]);
        }
    }

    #[test]
    fn a_bound_is_told_in_the_unit_of_its_column() {
        let mut said = Vec::new();
        let mut values = [NULL; MOST];
        (values[text::NUM_GPUS], values[text::POWER]) = (2.0, 1_400_000.0);
        figures(Product::Tokens, &values, H100, &mut |broken| said.push(broken.expected));
        assert_eq!(said, ["70 to 4200 (0.05 to 3 times the rated power of the GPUs)"]);
    }
}
