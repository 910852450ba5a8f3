//! Published precision: the number of decimals of a figure in the output.
//!
//! The database keeps every figure as received. Figures are rounded once, on output. Only the column's whole
//! name decides how (see [`labels`]), so queries do not round and all outputs agree. A rounded figure is the
//! exact binary value with a fixed number of decimals, ties to even.

use rusqlite::types::ValueRef;
use serde::{Serialize, Serializer};

use super::labels;
use crate::hash::hex;

/// How the figures of one column are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Rounded to this many decimals.
    Decimals(u8),
    /// Rounded to a whole number, and written as an integer.
    Whole,
    /// True or false, stored as 1 or 0.
    Boolean,
    /// As received, and written as a real number even where the value is whole.
    Real,
    /// Every digit, for people too.
    Exact,
    /// A relative change, for people in percent with its sign.
    Change,
    /// As received.
    AsReceived,
}

/// Reals from here up are written with an exponent in the human formats.
const HUGE: f64 = 1e15;

/// Reals below this, other than zero, are written with an exponent in the human formats.
const TINY: f64 = 1e-5;

/// The published precision of the column of this name.
pub fn of(column: &str) -> Precision {
    labels::of(column).map_or(Precision::AsReceived, |label| label.precision)
}

/// Powers of ten that published decimals need; each is exact as a double.
const POWERS_OF_TEN: [f64; 8] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

/// The value rounded to a number of decimals, ties to even. Negative zero becomes zero.
pub fn round(value: f64, decimals: u8) -> f64 {
    if let Some(power) = POWERS_OF_TEN.get(usize::from(decimals)) {
        let scaled = value * power;
        let distance_from_tie = (scaled.fract().abs() - 0.5).abs();
        // Scaling errs by less than 1e-6 below 1e9, so away from a tie the nearest whole number is
        // right, and one division gives the double nearest to its decimal text.
        if scaled.abs() < 1e9 && distance_from_tie > 1e-6 {
            return scaled.round() / power + 0.0;
        }
    }
    // Near a tie only the exact decimal text tells.
    let text = format!("{value:.*}", usize::from(decimals));
    text.parse::<f64>().unwrap_or(value) + 0.0
}

/// A column's value as it is in a published JSON document. What JSON has no number for is null.
#[derive(Clone, Copy, Debug)]
pub struct Published<'v>(pub Precision, pub ValueRef<'v>);

impl Serialize for Published<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(precision, value) = *self;
        match (value, precision) {
            (ValueRef::Null, _) => serializer.serialize_unit(),
            (ValueRef::Integer(0), Precision::Boolean) => serializer.serialize_bool(false),
            (ValueRef::Integer(1), Precision::Boolean) => serializer.serialize_bool(true),
            (ValueRef::Integer(integer), Precision::Decimals(_) | Precision::Real) => {
                serializer.serialize_f64(integer as f64)
            }
            (ValueRef::Integer(integer), _) => serializer.serialize_i64(integer),
            (ValueRef::Real(real), Precision::Decimals(decimals)) => {
                serializer.serialize_f64(round(real, decimals))
            }
            // The cast saturates, so a value outside i64 would be written as another one.
            (ValueRef::Real(real), Precision::Whole) if real.abs() < i64::MAX as f64 => {
                serializer.serialize_i64(round(real, 0) as i64)
            }
            (ValueRef::Real(real), _) => serializer.serialize_f64(real),
            (ValueRef::Text(text), _) => serializer.serialize_str(&String::from_utf8_lossy(text)),
            (ValueRef::Blob(bytes), _) => serializer.serialize_str(&hex(bytes)),
        }
    }
}

impl Precision {
    /// An integer of such a column as people read it.
    pub fn integer_text(self, integer: i64) -> String {
        match (self, integer) {
            (Precision::Boolean, 0) => "false".to_owned(),
            (Precision::Boolean, 1) => "true".to_owned(),
            (Precision::Decimals(_) | Precision::Real, _) => self.real_text(integer as f64),
            _ => integer.to_string(),
        }
    }

    /// A real of such a column as people read it: all its decimals where the column has a published
    /// number of them, so that they align, else 6 significant digits.
    pub fn real_text(self, real: f64) -> String {
        match self {
            _ if !real.is_finite() => shortest(real),
            Precision::Decimals(decimals) => {
                format!("{:.*}", usize::from(decimals), round(real, decimals))
            }
            Precision::Whole => format!("{:.0}", round(real, 0)),
            Precision::Real | Precision::Exact => shortest(real),
            Precision::Change => percent(real),
            Precision::Boolean | Precision::AsReceived => six_significant_digits(real),
        }
    }
}

/// A relative change in percent: three significant digits, and every digit before the point.
fn percent(change: f64) -> String {
    let percent = change * 100.0;
    let scientific = format!("{percent:.2e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let sign = if percent > 0.0 { "+" } else { "" };
    if percent != 0.0 && !(TINY..HUGE).contains(&percent.abs()) {
        return format!("{sign}{}e{exponent} %", without_trailing_zeros(mantissa));
    }
    let decimals = 2_i32.saturating_sub(exponent.parse().unwrap_or(0)).max(0);
    let digits = format!("{:.*}", decimals as usize, percent + 0.0);
    format!("{sign}{} %", without_trailing_zeros(&digits))
}

/// The shortest text that reads back as the same real, and never as an integer: `235.0`.
pub fn shortest(real: f64) -> String {
    if real.is_infinite() {
        let sign = if real < 0.0 { "-" } else { "" };
        return format!("{sign}Infinity");
    }
    format!("{real:?}")
}

/// Six significant digits, and every digit before the decimal point however many there are, since
/// a zero in the place of a known digit misleads. Zeros at the end of a fraction are left out.
fn six_significant_digits(real: f64) -> String {
    let scientific = format!("{real:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    if real != 0.0 && !(TINY..HUGE).contains(&real.abs()) {
        return format!("{}e{exponent}", without_trailing_zeros(mantissa));
    }
    // The exponent is that of the rounded value: 999999.7 has 7 digits before the point.
    let decimals = 5_i32.saturating_sub(exponent.parse().unwrap_or(0)).max(0);
    // Adding zero turns negative zero into zero.
    without_trailing_zeros(&format!("{:.*}", decimals as usize, real + 0.0)).to_owned()
}

fn without_trailing_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn json(precision: Precision, value: ValueRef<'_>) -> Value {
        serde_json::to_value(Published(precision, value)).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn a_rounded_value_is_that_of_its_exact_decimal_text(
            value in prop_oneof![
                any::<f64>().prop_filter("finite", |value| value.is_finite()),
                -1e9..1e9,
                // Exact ties and their neighbours.
                (-100_000i32..100_000).prop_map(|eighths| f64::from(eighths) / 8.0),
                (0u64..100_000).prop_map(|n| f64::from_bits((n as f64 / 16.0).to_bits() + 1)),
            ],
            decimals in 0u8..8,
        ) {
            let text = format!("{value:.*}", usize::from(decimals));
            prop_assert_eq!(round(value, decimals), text.parse::<f64>().unwrap());
        }
    }

    #[test]
    fn a_column_takes_the_precision_of_its_name() {
        for (column, expected) in [
            ("wh_per_million_output_tokens", Precision::Decimals(2)),
            ("joules_per_output_token", Precision::Decimals(7)),
            ("itl_ms", Precision::Decimals(1)),
            ("median_itl_ms", Precision::Decimals(1)),
            ("p99_itl_ms", Precision::Decimals(1)),
            ("tokens_per_second", Precision::Decimals(1)),
            ("avg_requests_in_flight", Precision::Decimals(1)),
            ("avg_running_batch", Precision::Decimals(1)),
            ("power_watts", Precision::Whole),
            ("gpu_power_watts_total", Precision::Whole),
            ("avg_output_tokens", Precision::Whole),
            ("params_b", Precision::Real),
            ("active_params_b", Precision::Real),
            ("under_itl_deadline", Precision::Boolean),
            ("energy_rises", Precision::Boolean),
            ("estimate", Precision::Boolean),
            ("received", Precision::Exact),
            ("unrounded_value", Precision::Exact),
        ] {
            assert_eq!(of(column), expected, "{column}");
        }
    }

    #[test]
    fn a_column_that_only_ends_in_a_published_name_is_as_received() {
        for column in ["cost_estimate", "my_itl_ms", "renamed_power_watts", "is_under_itl_deadline"]
        {
            assert_eq!(of(column), Precision::AsReceived, "{column}");
        }
    }

    #[test]
    fn any_other_column_is_as_received() {
        for column in [
            "deadline_ms",
            "itl_deadline_ms",
            "model",
            "max_num_seqs",
            "horsepower_watts",
            "power_watts_change",
            "",
        ] {
            assert_eq!(of(column), Precision::AsReceived, "{column}");
        }
    }

    #[test]
    fn rounds_the_exact_binary_value_with_ties_to_even() {
        for (value, decimals, expected) in [
            (383.25, 1, 383.2),
            (383.75, 1, 383.8),
            (0.5, 0, 0.0),
            (1.5, 0, 2.0),
            (2.5, 0, 2.0),
            (-2.5, 0, -2.0),
            // Stored as 2.67499999999999982236431605997495353221893310546875.
            (2.675, 2, 2.67),
            (1e300, 1, 1e300),
        ] {
            assert_eq!(round(value, decimals), expected, "{value} to {decimals}");
        }
    }

    #[test]
    fn no_rounded_value_is_negative_zero() {
        assert!(round(-0.04, 1).is_sign_positive());
        assert!(round(-0.0, 1).is_sign_positive());
        assert_eq!(Precision::Decimals(1).real_text(-0.04), "0.0");
        assert_eq!(Precision::Whole.real_text(-0.4), "0");
        assert_eq!(Precision::AsReceived.real_text(-0.0), "0");
    }

    #[test]
    fn json_has_a_decimal_point_wherever_the_column_has_decimals() {
        for (value, expected) in [
            (ValueRef::Real(235.0), "235.0"),
            (ValueRef::Real(303.2), "303.2"),
            (ValueRef::Real(303.204), "303.2"),
            (ValueRef::Real(303.206), "303.21"),
            (ValueRef::Integer(235), "235.0"),
        ] {
            assert_eq!(json(Precision::Decimals(2), value).to_string(), expected);
        }
        assert_eq!(json(Precision::Real, ValueRef::Integer(70)).to_string(), "70.0");
        assert_eq!(json(Precision::Real, ValueRef::Real(3.375)).to_string(), "3.375");
    }

    #[test]
    fn json_has_an_integer_for_a_whole_number() {
        assert_eq!(json(Precision::Whole, ValueRef::Real(2741.5)).to_string(), "2742");
        assert_eq!(json(Precision::Whole, ValueRef::Real(2742.5)).to_string(), "2742");
        assert_eq!(json(Precision::Whole, ValueRef::Integer(7)).to_string(), "7");
        assert_eq!(json(Precision::Whole, ValueRef::Real(-0.2)).to_string(), "0");
    }

    #[test]
    fn json_does_not_change_a_whole_number_beyond_64_bits() {
        assert_eq!(json(Precision::Whole, ValueRef::Real(1e30)), json!(1e30));
        assert_eq!(json(Precision::Whole, ValueRef::Real(-1e30)), json!(-1e30));
    }

    #[test]
    fn json_has_true_and_false_for_one_and_zero() {
        assert_eq!(json(Precision::Boolean, ValueRef::Integer(1)), json!(true));
        assert_eq!(json(Precision::Boolean, ValueRef::Integer(0)), json!(false));
        assert_eq!(json(Precision::Boolean, ValueRef::Integer(2)), json!(2));
    }

    #[test]
    fn json_keeps_what_is_as_received() {
        let received = Precision::AsReceived;
        assert_eq!(json(received, ValueRef::Real(500.0)).to_string(), "500.0");
        assert_eq!(json(received, ValueRef::Integer(500)).to_string(), "500");
        assert_eq!(json(received, ValueRef::Real(0.1)).to_string(), "0.1");
        assert_eq!(json(received, ValueRef::Text("PixArt-Σ".as_bytes())), json!("PixArt-Σ"));
        assert_eq!(json(received, ValueRef::Blob(&[0x00, 0xab])), json!("00ab"));
        assert_eq!(json(received, ValueRef::Null), json!(null));
    }

    #[test]
    fn json_has_null_for_infinity() {
        for precision in [
            Precision::Decimals(1),
            Precision::Whole,
            Precision::Boolean,
            Precision::Real,
            Precision::AsReceived,
        ] {
            assert_eq!(
                json(precision, ValueRef::Real(f64::INFINITY)),
                json!(null),
                "{precision:?}"
            );
        }
    }

    #[test]
    fn text_has_all_decimals_of_the_column() {
        assert_eq!(Precision::Decimals(2).real_text(303.2), "303.20");
        assert_eq!(Precision::Decimals(7).real_text(0.25), "0.2500000");
        assert_eq!(Precision::Decimals(1).integer_text(5), "5.0");
        assert_eq!(Precision::Whole.real_text(2741.6), "2742");
        assert_eq!(Precision::Whole.integer_text(2741), "2741");
        assert_eq!(Precision::Real.real_text(235.0), "235.0");
        assert_eq!(Precision::Real.integer_text(235), "235.0");
        assert_eq!(Precision::Boolean.integer_text(1), "true");
        assert_eq!(Precision::Boolean.integer_text(0), "false");
    }

    #[test]
    fn text_of_another_real_has_six_significant_digits() {
        for (value, expected) in [
            (0.0, "0"),
            (500.0, "500"),
            (-12.5, "-12.5"),
            (2.46913578, "2.46914"),
            (0.000123456789, "0.000123457"),
            (0.00001, "0.00001"),
            (99.99996, "100"),
            (999999.7, "1000000"),
            (1234567.8, "1234568"),
            (0.1 + 0.2, "0.3"),
            (1e15, "1e15"),
            (1.5e20, "1.5e20"),
            (-1.25e-7, "-1.25e-7"),
        ] {
            assert_eq!(Precision::AsReceived.real_text(value), expected, "{value}");
        }
    }

    #[test]
    fn text_of_an_infinity_is_a_word() {
        assert_eq!(Precision::Decimals(1).real_text(f64::INFINITY), "Infinity");
        assert_eq!(Precision::Whole.real_text(f64::NEG_INFINITY), "-Infinity");
        assert_eq!(Precision::AsReceived.real_text(f64::INFINITY), "Infinity");
    }

    #[test]
    fn the_shortest_text_of_a_real_never_looks_like_an_integer() {
        for (value, expected) in [
            (235.0, "235.0"),
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (1e16, "1e16"),
            (5e-324, "5e-324"),
            (0.30000000000000004, "0.30000000000000004"),
        ] {
            assert_eq!(shortest(value), expected);
        }
    }
}
