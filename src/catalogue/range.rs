//! The limits on a number that a parameter's type may declare: `above 0`, `from 1`, `up to 100`, or
//! a lower and an upper one, `above 0 up to 100`.

use anyhow::{Context, Result, bail};

use crate::measurement::published::shortest;

/// Limits on a number; the default has none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Range {
    /// The limits as declared, which messages repeat.
    words: String,
    above: Option<f64>,
    from: Option<f64>,
    up_to: Option<f64>,
}

impl Range {
    /// Reads the limits.
    ///
    /// # Errors
    /// When the words are not of the grammar.
    pub fn parse(words: &str) -> Result<Self> {
        let mut range = Self { words: words.to_owned(), ..Self::default() };
        let mut rest = words.split_whitespace();
        while let Some(word) = rest.next() {
            let limit = match word {
                "above" => &mut range.above,
                "from" => &mut range.from,
                "up" if rest.next() == Some("to") => &mut range.up_to,
                _ => bail!("'{words}' is not a range; write above N, from N or up to N"),
            };
            let number = rest.next().context("a number is missing after the limit")?;
            let number: f64 = number.parse().with_context(|| format!("the limit '{number}'"))?;
            *limit = Some(number);
        }
        Ok(range)
    }

    /// Whether the number is within the limits.
    pub fn holds(&self, number: f64) -> bool {
        self.above.is_none_or(|limit| number > limit)
            && self.from.is_none_or(|limit| number >= limit)
            && self.up_to.is_none_or(|limit| number <= limit)
    }

    /// The limits: above the first, from the second, up to the third.
    pub fn limits(&self) -> [Option<f64>; 3] {
        [self.above, self.from, self.up_to]
    }

    /// The limits as SQL that follows another condition: ` and x > 0`.
    pub fn condition(&self, sql: &str) -> String {
        let limits = [(">", self.above), (">=", self.from), ("<=", self.up_to)];
        let conditions = limits.iter().filter_map(|(compares, limit)| {
            limit.map(|limit| format!(" and {sql} {compares} {}", shortest(limit)))
        });
        conditions.collect()
    }

    /// What a message says is expected: `a number above 0`.
    pub fn shown(&self, kind: &str) -> String {
        format!("{kind} {}", self.words).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Catalogue;
    use super::*;
    use crate::catalogue::parameter::Kind;

    #[test]
    fn every_number_that_a_built_in_query_takes_has_a_range() {
        let catalogue = Catalogue::built_in();
        for query in &catalogue.queries {
            for parameter in &query.head.parameters {
                if let Kind::Integer(range) | Kind::Real(range) = &parameter.kind {
                    let lowest = [range.above, range.from];
                    assert_ne!(lowest, [None; 2], "{}: {}", query.name, parameter.name);
                }
            }
        }
    }

    #[test]
    fn a_range_holds_what_its_words_say() {
        for (words, within, without) in [
            ("", vec![-1e300, 0.0, 1e300], vec![]),
            ("above 0", vec![5e-324, 1.0], vec![0.0, -0.0, -5.0]),
            ("from 1", vec![1.0, 1.5], vec![0.999, 0.0]),
            ("up to 1e3", vec![-1.0, 1000.0], vec![1000.1]),
            ("above 0 up to 2", vec![0.1, 2.0], vec![0.0, 2.1]),
        ] {
            let range = Range::parse(words).unwrap();
            for number in within {
                assert!(range.holds(number), "{words}: {number}");
            }
            for number in without {
                assert!(!range.holds(number), "{words}: {number}");
            }
        }
        assert_eq!(Range::parse("from 1").unwrap().shown("a number"), "a number from 1");
        assert_eq!(Range::default().shown("a number"), "a number");
    }

    #[test]
    fn words_outside_the_grammar_are_refused() {
        for words in ["above", "above zero", "up 5", "over 3", "from 1 2"] {
            assert!(Range::parse(words).is_err(), "{words}");
        }
    }
}
