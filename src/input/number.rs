//! Numbers, exact or refused.

use crate::input::findings::shown;
use crate::input::value::Refusal;
use crate::measurement::check::Check;
use crate::measurement::columns::FIGURES;

fn refusal<N>(text: &str, expected: &'static str) -> Result<N, Refusal> {
    Err((Check::NumberRange, shown(text), expected))
}

/// A figure: the double nearest to the text. Only digits that a double cannot represent are lost.
pub(crate) fn figure(text: &str) -> Result<f64, Refusal> {
    let is_whole = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let value: f64 = match text.parse() {
        Ok(value) => value,
        Err(_) => return refusal(text, "a number"),
    };
    if value > *FIGURES.end() {
        refusal(text, "a number of at most 1e300")
    } else if value.abs() < *FIGURES.start() && has_digit_above_zero(text) {
        refusal(text, "a number of at least 1e-300")
    } else if value <= 0.0 {
        refusal(text, "a number above 0")
    } else if is_whole && text.parse::<u64>().is_ok_and(|whole| is_exactly(value, whole)) {
        Ok(value)
    } else if is_whole {
        refusal(text, "a whole number that a double holds exactly")
    } else {
        Ok(value)
    }
}

/// A number above 0. Any other is none: of a user's own figures, it means that nothing was measured.
pub(crate) fn above_zero(number: f64) -> Option<f64> {
    (number.is_finite() && number > 0.0).then_some(number)
}

fn is_exactly(value: f64, whole: u64) -> bool {
    // 2^64, to which the last numbers of 64 bits are rounded, would be cut to the largest.
    value < 18_446_744_073_709_551_616.0 && value as u64 == whole
}

/// A count: whole and at least 1.
pub(crate) fn count(text: &str) -> Result<u32, Refusal> {
    if let Ok(count) = text.parse::<u32>()
        && count >= 1
    {
        return Ok(count);
    }
    refusal(text, "a whole number from 1 to 4294967295, written without a point")
}

/// What a value that was computed should have been; none where a table may store it.
pub(crate) fn fault(value: f64, is_whole: bool) -> Option<&'static str> {
    let is_count = value.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&value);
    match is_whole {
        true => (!is_count).then_some("a whole number from 1 to 4294967295"),
        false => (!FIGURES.contains(&value)).then_some("a number from 1e-300 to 1e300"),
    }
}

fn has_digit_above_zero(text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_lose_value_are_refused() {
        for text in [
            "18446744073709551616",
            "18446744073709551615",
            "9007199254740993",
            "1e309",
            "1.1e300",
            "9e-301",
            "1e-400",
            "4.9e-324",
            "0",
            "-0.0",
            "-1.5",
            "0e5",
        ] {
            assert!(figure(text).is_err(), "{text}");
        }
        let sound = [
            ("235.0", 235.0),
            ("235", 235.0),
            ("1e3", 1000.0),
            ("0.1", 0.1),
            ("1e300", 1e300),
            ("1e-300", 1e-300),
        ];
        for (text, value) in sound {
            assert_eq!(figure(text).unwrap().to_bits(), f64::to_bits(value), "{text}");
        }
    }

    #[test]
    fn counts_are_whole_and_at_least_1() {
        for text in ["0", "-1", "1.5", "8.0", "1e1", "4294967296", "18446744073709551617"] {
            assert!(count(text).is_err(), "{text}");
        }
        assert_eq!(count("4096").unwrap(), 4096);
    }
}
