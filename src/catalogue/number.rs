//! A number as people write it: `50ms`, `5k`, `1.5M`, `2kW`.
//!
//! k, M and G are powers of 1,000. A unit may follow where it is that of the parameter, which the end
//! of the parameter's name says; another one is refused, never converted.

/// A unit, and how people write it.
#[derive(Debug)]
pub struct Unit {
    /// How the name of a parameter in this unit ends.
    suffix: &'static str,
    /// What may follow a number; messages use the first.
    names: &'static [&'static str],
    /// Whether k, M and G may be before it.
    has_multiples: bool,
}

const UNITS: [Unit; 12] = [
    Unit { suffix: "_ms", names: &["ms"], has_multiples: true },
    Unit { suffix: "_s", names: &["s"], has_multiples: true },
    Unit {
        suffix: "tokens_per_second",
        names: &["tokens/s", "token/s", "tok/s", "t/s", "tps"],
        has_multiples: true,
    },
    Unit { suffix: "images_per_second", names: &["images/s"], has_multiples: true },
    Unit { suffix: "videos_per_second", names: &["videos/s"], has_multiples: true },
    Unit { suffix: "_watts", names: &["W", "watts", "watt"], has_multiples: true },
    // Its unit is a multiple, so that 70k would be no number of parameters that anyone means.
    Unit { suffix: "params_b", names: &["B", "b"], has_multiples: false },
    Unit { suffix: "usd_per_kwh", names: &["USD/kWh", "USD"], has_multiples: true },
    Unit { suffix: "gco2_per_kwh", names: &["g/kWh", "g"], has_multiples: false },
    Unit { suffix: "tokens", names: &["tokens", "token"], has_multiples: true },
    Unit { suffix: "requests", names: &["requests", "request"], has_multiples: true },
    Unit { suffix: "gpus", names: &["GPUs", "GPU"], has_multiples: true },
];

/// The power of ten that a prefix means.
fn power(prefix: &str) -> Option<u8> {
    match prefix {
        "k" | "K" => Some(3),
        "M" => Some(6),
        "G" => Some(9),
        _ => None,
    }
}

/// The unit of a parameter of this name, if any.
pub fn unit_of(name: &str) -> Option<&'static Unit> {
    UNITS.iter().find(|unit| name.ends_with(unit.suffix))
}

impl Unit {
    /// What messages call it.
    pub fn shown(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }
}

/// The number that a word means, as plain digits with or without an exponent. None where the word
/// is not a number in this unit.
pub fn plain(word: &str, unit: Option<&Unit>) -> Option<String> {
    let (number, rest) = split(word)?;
    if rest.is_empty() {
        return Some(number.to_owned());
    }
    let mut endings = vec![""];
    endings.extend(unit.into_iter().flat_map(|unit| unit.names));
    let takes_prefix = unit.is_none_or(|unit| unit.has_multiples);
    endings.into_iter().find_map(|ending| match before(rest, ending)?.trim_end() {
        "" => Some(number.to_owned()),
        prefix if takes_prefix && !number.contains(['e', 'E']) => {
            Some(format!("{number}e{}", power(prefix)?))
        }
        _ => None,
    })
}

/// Whether a unit or a prefix follows the number.
pub fn has_unit(word: &str) -> bool {
    split(word).is_some_and(|(_, rest)| !rest.is_empty())
}

/// The number at the beginning of a word, and what follows it.
fn split(word: &str) -> Option<(&str, &str)> {
    let is_part = |character: char| character.is_ascii_digit() || "+-.eE".contains(character);
    let longest = word.find(|character| !is_part(character)).unwrap_or(word.len());
    let end = (1..=longest).rev().find(|&end| word[..end].parse::<f64>().is_ok())?;
    Some((&word[..end], word[end..].trim_start()))
}

/// What is before an ending; one of several letters may be in any case.
fn before<'t>(text: &'t str, ending: &str) -> Option<&'t str> {
    let start = text.len().checked_sub(ending.len())?;
    let (before, last) = (text.get(..start)?, text.get(start..)?);
    let is_it = if ending.len() == 1 { last == ending } else { last.eq_ignore_ascii_case(ending) };
    is_it.then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_have_a_multiple_and_the_unit_of_its_parameter() {
        for (name, word, expected) in [
            ("deadline_ms", "50", Some(50.0)),
            ("deadline_ms", "50ms", Some(50.0)),
            ("deadline_ms", "50 MS", Some(50.0)),
            ("deadline_ms", "0.05s", None),
            ("deadline_ms", "1m", None),
            ("deadline_s", "2s", Some(2.0)),
            ("deadline_s", "2ms", None),
            ("tokens_per_second", "5k", Some(5000.0)),
            ("tokens_per_second", "1.1K", Some(1100.0)),
            ("min_tokens_per_second", "1M tokens/s", Some(1e6)),
            ("tokens_per_second", "2ktps", Some(2000.0)),
            ("tokens_per_second", "5m", None),
            ("max_power_watts", "2kW", Some(2000.0)),
            ("max_power_watts", "700W", Some(700.0)),
            ("max_power_watts", "2kJ", None),
            ("max_params_b", "70B", Some(70.0)),
            ("max_params_b", "70b", Some(70.0)),
            ("max_params_b", "70k", None),
            ("gco2_per_kwh", "400g", Some(400.0)),
            ("gco2_per_kwh", "400G", None),
            ("requests", "1e6", Some(1e6)),
            ("requests", "2G", Some(2e9)),
            ("requests", "1e3k", None),
            ("pue", "1.2", Some(1.2)),
            ("pue", "1.2x", None),
            ("load", "1e", None),
            ("load", "k", None),
            ("load", "", None),
            ("load", "5é", None),
        ] {
            let number = plain(word, unit_of(name)).map(|plain| plain.parse::<f64>().unwrap());
            assert_eq!(number, expected, "--{name} {word}");
        }
    }
}
