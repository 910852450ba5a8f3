//! The label of a column for people, the unit of its values, and the precision of its published figures. Each
//! is declared once, in `migrations/labels.csv`, by the column's whole name. A column that is not declared
//! there is shown as it is.

use std::collections::HashMap;
use std::sync::LazyLock;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::published::Precision;

const LABELS: &str = include_str!("../../migrations/labels.csv");

static BY_NAME: LazyLock<HashMap<String, Label>> = LazyLock::new(|| read().unwrap_or_default());

/// How one column is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// A few words for a heading or an axis.
    pub label: String,
    /// The unit, which the words leave out.
    pub unit: Option<String>,
    /// How its figures are published.
    pub precision: Precision,
}

/// A line of the file.
#[derive(Deserialize)]
struct Line {
    column_name: String,
    label: String,
    unit: Option<String>,
    decimals: Option<String>,
}

/// How the column of this name is shown, where that is declared.
pub fn of(column: &str) -> Option<&'static Label> {
    BY_NAME.get(column)
}

/// The lines of the file.
///
/// # Errors
/// When one is broken, which the tests rule out.
pub fn read() -> Result<HashMap<String, Label>> {
    let mut labels = HashMap::new();
    for line in csv::Reader::from_reader(LABELS.as_bytes()).deserialize() {
        let Line { column_name, label, unit, decimals } = line?;
        let precision = match decimals.as_deref() {
            None => Precision::AsReceived,
            Some("whole") => Precision::Whole,
            Some("boolean") => Precision::Boolean,
            Some("real") => Precision::Real,
            Some("exact") => Precision::Exact,
            Some("change") => Precision::Change,
            Some(number) => {
                Precision::Decimals(number.parse().with_context(|| format!("'{number}' decimals"))?)
            }
        };
        let twice = column_name.clone();
        if labels.insert(column_name, Label { label, unit, precision }).is_some() {
            bail!("{twice} has two labels");
        }
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_can_be_read() {
        assert!(read().unwrap().len() > 100);
        let energy = of("wh_per_million_output_tokens").unwrap();
        assert_eq!(energy.label, "Energy");
        assert_eq!(energy.unit.as_deref(), Some("Wh/Mtok"));
        assert_eq!(energy.precision, Precision::Decimals(2));
        assert_eq!(of("cost_estimate"), None);
    }
}
