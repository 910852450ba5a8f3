//! The figures that a configuration must have to be used in a query. A source may lack some figures.
//!
//! In `requires: avg_running_batch, :percentile_itl_ms, p99_itl_ms for :p99_ms, avg_output_tokens unless
//! :output_tokens, steady unless :unstable`, each item is a column of `configuration_energy`.
//! `:percentile` is replaced by its value, and `steady` means a run with a steady load. An item with `for`
//! applies if the parameter is given or true, an item with `unless` if it is not.

use anyhow::{Context, Result, bail};

use super::declaration::{Head, mentioned};
use super::parameter::Kind;

/// The word for a run whose load was steady.
const STEADY: &str = "steady";

/// One thing that a configuration must have.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// A column, or the word for a steady run.
    figure: String,
    condition: Option<Condition>,
}

#[derive(Debug, Clone, PartialEq)]
struct Condition {
    parameter: String,
    /// Whether the parameter is to be given, or not to be.
    is_for: bool,
}

impl Requirement {
    /// Reads the text after `requires: `.
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
            _ => bail!("'{part}' must be 'COLUMN', 'COLUMN for :NAME' or 'COLUMN unless :NAME'"),
        };
        Ok(Self { figure: figure.to_owned(), condition })
    }

    /// The parameters that it is about.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        // The name of a percentile ends before the rest of the column.
        let of_figure = mentioned(&self.figure).map(|_| "percentile");
        of_figure.chain(self.condition.iter().map(|condition| condition.parameter.as_str()))
    }

    /// What a configuration without this figure lacks, or `None` if the query has no choice of percentiles.
    pub fn lack(&self, head: &Head) -> Option<Lack> {
        let (told, is_met_by) = match self.figure.strip_prefix(":percentile") {
            _ if self.figure == STEADY => {
                let condition = self.condition.as_ref();
                let counts = condition
                    .map(|of| format!(", which --{} counts", of.parameter.replace('_', "-")));
                let counts = counts.unwrap_or_default();
                (format!("'not steady{counts}'"), "unstable_reason is not null".into())
            }
            None => {
                let column = &self.figure;
                (format!("'without {column}'"), format!("{column} is null"))
            }
            Some(rest) => {
                let Kind::OneOf(choices) = &head.parameter("percentile")?.kind else { return None };
                let cases =
                    choices.iter().map(|choice| format!(" when '{choice}' then {choice}{rest}"));
                let column = format!("case :percentile{} end", cases.collect::<String>());
                (
                    format!("'without ' || :percentile || '{rest}'"),
                    format!(":percentile is not null and {column} is null"),
                )
            }
        };
        let is_met_by = match &self.condition {
            None => is_met_by,
            Some(Condition { parameter, is_for }) => {
                let sign = if *is_for { "<>" } else { "=" };
                format!("coalesce(:{parameter}, 0) {sign} 0 and {is_met_by}")
            }
        };
        Some(Lack { told, is_met_by })
    }
}

/// What a configuration lacks.
#[derive(Debug, Clone, PartialEq)]
pub struct Lack {
    /// An SQL expression for the text of the note.
    pub told: String,
    /// An SQL condition for such rows of `configuration_energy`.
    pub is_met_by: String,
}

#[cfg(test)]
mod tests {
    use rusqlite::types::Value;
    use rusqlite::{Connection, OptionalExtension as _, named_params};

    use super::*;
    use crate::catalogue::declaration;

    #[test]
    fn a_figure_is_required_where_its_condition_holds() {
        let line = ":percentile_itl_ms, p99_itl_ms for :p99_ms, avg_output_tokens unless \
                    :output_tokens, steady unless :unstable";
        let required = Requirement::parse(line).unwrap();
        let names: Vec<_> = required.iter().flat_map(Requirement::parameters).collect();
        assert_eq!(names, ["percentile", "p99_ms", "output_tokens", "unstable"]);
        let head = "A query.\n--\n-- :percentile one of median|p90 = median  ITL\n";
        let head = declaration::parse(&format!("-- {head}select :percentile")).unwrap();
        let lacks: Vec<_> = required.iter().filter_map(|of| of.lack(&head)).collect();
        let connection = Connection::open_in_memory().unwrap();
        let row = "(select null as p90_itl_ms, null as p99_itl_ms, 1 as median_itl_ms, \
                   null as avg_output_tokens, 'short' as unstable_reason)";
        let asked = |p99: Value, output: Value, unstable: bool| -> Vec<String> {
            let told = lacks.iter().map(|lack| {
                let select = "select :percentile, :p99_ms, :output_tokens, :unstable";
                let (told, is_met_by) = (&lack.told, &lack.is_met_by);
                let sql = format!("{select}, {told} from {row} where {is_met_by}");
                let values = named_params! {
                    ":percentile": "p90", ":p99_ms": p99, ":output_tokens": output,
                    ":unstable": unstable,
                };
                connection.query_row(&sql, values, |row| row.get(4)).optional().unwrap()
            });
            told.flatten().collect()
        };
        let [itl, p99, output, steady] = [
            "without p90_itl_ms",
            "without p99_itl_ms",
            "without avg_output_tokens",
            "not steady, which --unstable counts",
        ];
        assert_eq!(asked(Value::Null, Value::Null, false), [itl, output, steady]);
        assert_eq!(asked(Value::Real(9.0), Value::Real(5.0), true), [itl, p99]);
        for line in ["a b", "a for b", "a when :b", ""] {
            assert!(Requirement::parse(line).is_err() || line.is_empty(), "{line}");
        }
    }
}
