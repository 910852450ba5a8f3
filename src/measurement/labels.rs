//! The label of a column for people, the unit of its values, and the precision of its published figures. Each
//! is declared once, in `migrations/labels.csv`, by the column's whole name. A column that is not declared
//! there is shown as it is.

use super::published::Precision;
use crate::embedded::LABELS;

/// How one column is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// A few words for a heading or an axis.
    pub label: &'static str,
    /// The unit, which the words leave out.
    pub unit: Option<&'static str>,
    /// How its figures are published.
    pub precision: Precision,
}

/// How the column of this name is shown, where that is declared.
pub fn of(column: &str) -> Option<&'static Label> {
    let place = LABELS.binary_search_by_key(&column, |(name, _)| name).ok()?;
    LABELS.get(place).map(|(_, label)| label)
}

/// The label of a column, or its name with blanks where none is declared.
pub fn words(column: &str) -> String {
    of(column).map_or_else(|| column.replace('_', " "), |known| known.label.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_can_be_found() {
        let lines = include_str!("../../migrations/labels.csv").lines().count();
        assert_eq!(LABELS.len(), lines - 1);
        for (name, label) in LABELS {
            assert_eq!(of(name), Some(label));
        }
        let energy = of("wh_per_million_output_tokens").unwrap();
        assert_eq!(energy.label, "Energy");
        assert_eq!(energy.unit, Some("Wh/Mtok"));
        assert_eq!(energy.precision, Precision::Decimals(2));
        assert_eq!(of("cost_estimate"), None);
        assert_eq!(words("wh_per_million_output_tokens"), "Energy");
        assert_eq!(words("cost_estimate"), "cost estimate");
    }
}
