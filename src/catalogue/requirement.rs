//! Which figures a configuration must have to count in a query, since a source may lack some.
//!
//! `requires: avg_running_batch, :percentile_itl_ms, p99_itl_ms for :p99_ms, avg_output_tokens unless
//! :output_tokens, steady unless :unstable` has a column of `configuration_energy` between two commas;
//! `:percentile` is replaced by its value, and `steady` is a run whose load was. `for` counts where the
//! parameter is given or true, `unless` where it is not.

use anyhow::{Context, Result, bail};
use rusqlite::types::Value;
use serde::Serialize;

use super::declaration::mentioned;
use super::statement::{Values, value_of};

/// The word for a run whose load was steady.
const STEADY: &str = "steady";

/// One thing that a configuration must have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Requirement {
    /// A column, or the word for a steady run.
    figure: String,
    condition: Option<Condition>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Condition {
    parameter: String,
    /// Whether the parameter is to be given, or not to be.
    is_for: bool,
}

impl Requirement {
    /// Reads what stands behind `requires: `.
    ///
    /// # Errors
    /// When it is not of the grammar.
    pub fn parse(line: &str) -> Result<Vec<Self>> {
        line.split(',').map(|part| Self::of(part.trim())).collect()
    }

    fn of(part: &str) -> Result<Self> {
        let name = |word: &str| word.strip_prefix(':').map(str::to_owned).context("has no ':name'");
        let (figure, condition) = match part.split(' ').collect::<Vec<_>>()[..] {
            [figure] => (figure, None),
            [figure, word @ ("for" | "unless"), parameter] => {
                let condition = Condition { parameter: name(parameter)?, is_for: word == "for" };
                (figure, Some(condition))
            }
            _ => bail!(
                "'{part}' is neither 'COLUMN' nor 'COLUMN for :NAME' nor 'COLUMN unless :NAME'"
            ),
        };
        Ok(Self { figure: figure.to_owned(), condition })
    }

    /// The parameters that it is about.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        // The name of a percentile ends before the rest of the column.
        let of_figure = mentioned(&self.figure).map(|_| "percentile");
        of_figure.chain(self.condition.iter().map(|condition| condition.parameter.as_str()))
    }

    /// What a configuration lacks that does not have it, and the condition of SQL that such a one
    /// meets; none where these values do not ask for it.
    pub fn lack(&self, values: &Values) -> Option<Lack> {
        if let Some(Condition { parameter, is_for }) = &self.condition {
            let is_given = !matches!(
                value_of(values, parameter),
                None | Some(Value::Null | Value::Integer(0))
            );
            if is_given != *is_for {
                return None;
            }
        }
        if self.figure == STEADY {
            let flag = self.condition.as_ref().map(|condition| condition.parameter.clone());
            return Some(Lack {
                what: What::Steadiness(flag),
                sql: "unstable_reason is not null".into(),
            });
        }
        let column = match (self.figure.strip_prefix(":percentile"), value_of(values, "percentile"))
        {
            (Some(rest), Some(Value::Text(percentile))) => format!("{percentile}{rest}"),
            (Some(_), _) => return None,
            (None, _) => self.figure.clone(),
        };
        let sql = format!("{column} is null");
        Some(Lack { what: What::Figure(column), sql })
    }
}

/// What a configuration lacks, and the condition of SQL that it meets.
#[derive(Debug, Clone, PartialEq)]
pub struct Lack {
    /// What it is.
    pub what: What,
    /// The condition, on rows of `configuration_energy`.
    pub sql: String,
}

/// What a configuration may lack.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A figure, by its column.
    Figure(String),
    /// A steady load; the parameter that counts other runs, too.
    Steadiness(Option<String>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_required_where_its_condition_holds() {
        let line = ":percentile_itl_ms, p99_itl_ms for :p99_ms, avg_output_tokens unless \
                    :output_tokens, steady unless :unstable";
        let required = Requirement::parse(line).unwrap();
        let names: Vec<_> = required.iter().flat_map(Requirement::parameters).collect();
        assert_eq!(names, ["percentile", "p99_ms", "output_tokens", "unstable"]);
        let asked = |p99: Value, output: Value, unstable: i64| -> Vec<String> {
            let values = vec![
                ("percentile".to_owned(), Value::Text("p90".into())),
                ("p99_ms".to_owned(), p99),
                ("output_tokens".to_owned(), output),
                ("unstable".to_owned(), Value::Integer(unstable)),
            ];
            required.iter().filter_map(|of| of.lack(&values)).map(|lack| lack.sql).collect()
        };
        let [itl, p99, output, steady] = [
            "p90_itl_ms is null",
            "p99_itl_ms is null",
            "avg_output_tokens is null",
            "unstable_reason is not null",
        ];
        assert_eq!(asked(Value::Null, Value::Null, 0), [itl, output, steady]);
        assert_eq!(asked(Value::Real(9.0), Value::Real(5.0), 1), [itl, p99]);
        for line in ["a b", "a for b", "a when :b", ""] {
            assert!(Requirement::parse(line).is_err() || line.is_empty(), "{line}");
        }
    }
}
