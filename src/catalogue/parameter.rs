//! The parameters of named queries: their types, and how a word of the command line becomes a value.

use anyhow::{Context, Result, anyhow, bail};
use rusqlite::types::Value;

use crate::catalogue::number;
use crate::catalogue::range::Range;
use crate::date::check_date;
use crate::measurement::product::Product;

/// The prefix of a default that comes from the database's release, and the columns that it may name.
const RELEASE: &str = "release.";
const RELEASE_COLUMNS: [&str; 3] = ["itl_deadline_ms", "image_deadline_s", "video_deadline_s"];

/// Every whole number up to this one is exact as a real number: 2^53.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The type of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Any text.
    Text,
    /// A whole number of 64 bits within a range.
    Integer(Range),
    /// A number within a range, neither NaN nor infinite.
    Real(Range),
    /// true or false; bound as 1 or 0.
    Boolean,
    /// A day, YYYY-MM-DD.
    Date,
    /// A CSV file of a day's demand; bound as JSON.
    LoadProfile,
    /// One of these words.
    OneOf(Vec<String>),
    /// The name of something in the database.
    Named(Named),
}

/// What a naming type names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// A workload.
    Task,
    /// A workload, or every one where none is named.
    AnyTask,
    /// A workload that makes text.
    TextTask,
    /// A workload that makes images.
    ImageTask,
    /// A workload that makes videos.
    VideoTask,
    /// A workload that makes images or videos.
    MediaTask,
    /// A model: slug, display name or Hugging Face id; bound as the slug.
    Model,
    /// A type of GPU.
    Gpu,
    /// A precision, published or as the source names it; bound as published.
    Precision,
    /// The architecture of a model.
    Architecture,
    /// One measured configuration.
    RowId,
    /// A published data set or own measurements.
    Source,
}

impl Named {
    /// Every naming type.
    pub const ALL: [Self; 12] = [
        Self::Task,
        Self::AnyTask,
        Self::TextTask,
        Self::ImageTask,
        Self::VideoTask,
        Self::MediaTask,
        Self::Model,
        Self::Gpu,
        Self::Precision,
        Self::Architecture,
        Self::RowId,
        Self::Source,
    ];

    /// Its name in a head comment.
    pub fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::AnyTask => "any_task",
            Self::TextTask => "text_task",
            Self::ImageTask => "image_task",
            Self::VideoTask => "video_task",
            Self::MediaTask => "media_task",
            Self::Model => "model",
            Self::Gpu => "gpu",
            Self::Precision => "precision",
            Self::Architecture => "architecture",
            Self::RowId => "row_id",
            Self::Source => "source",
        }
    }

    /// What the workloads make that it may name, or `None` if it names no workload.
    pub fn makes(self) -> Option<Vec<Product>> {
        Some(match self {
            Self::Task | Self::AnyTask => Product::all().collect(),
            Self::TextTask => vec![Product::Tokens],
            Self::ImageTask => vec![Product::Images],
            Self::VideoTask => vec![Product::Videos],
            Self::MediaTask => vec![Product::Images, Product::Videos],
            Self::Model
            | Self::Gpu
            | Self::Precision
            | Self::Architecture
            | Self::RowId
            | Self::Source => return None,
        })
    }
}

impl Kind {
    /// The type of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn parse(name: &str) -> Result<Self> {
        if let Some(choices) = name.strip_prefix("one of") {
            let choices: Vec<String> =
                choices.split('|').map(|choice| choice.trim().to_owned()).collect();
            if choices.iter().any(String::is_empty) {
                bail!("'one of' has no choices; write one of a|b|c");
            }
            return Ok(Self::OneOf(choices));
        }
        for (number, kind) in
            [("integer", Self::Integer as fn(Range) -> Self), ("real", Self::Real)]
        {
            if let Some(limits) = name.strip_prefix(number)
                && (limits.is_empty() || limits.starts_with(' '))
            {
                return Range::parse(limits.trim())
                    .map(kind)
                    .with_context(|| format!("the type '{name}'"));
            }
        }
        Ok(match name {
            "text" => Self::Text,
            "boolean" => Self::Boolean,
            "date" => Self::Date,
            "load profile" => Self::LoadProfile,
            _ if let Some(named) = Named::ALL.into_iter().find(|named| named.name() == name) => {
                Self::Named(named)
            }
            _ => bail!(
                "'{name}' is not a type; the types are text, integer, real (both also above N, \
                 from N, up to N), boolean, date, load profile, one of a|b|c, task, any_task, text_task, \
                 image_task, video_task, media_task, model, gpu, precision, architecture, row_id, \
                 source"
            ),
        })
    }

    /// The placeholder for a value in help.
    pub fn placeholder(&self) -> String {
        match self {
            Self::Text => "TEXT".into(),
            Self::Integer(_) => "N".into(),
            Self::Real(_) => "NUMBER".into(),
            Self::Boolean => "true|false".into(),
            Self::Date => "DATE".into(),
            Self::LoadProfile => "FILE".into(),
            Self::OneOf(choices) => choices.join("|"),
            Self::Named(named) if named.makes().is_some() => "TASK".into(),
            Self::Named(named) => named.name().to_uppercase(),
        }
    }
}

/// A declared parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name, without the colon.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// Its value when it is not given; null without one.
    pub default: Option<String>,
    /// What it means.
    pub help: String,
    /// Other names for its flag, as people know the concept.
    pub aliases: Vec<String>,
}

impl Parameter {
    /// Its flag on the command line, without the hyphens before it.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// The default that help shows; none without one.
    pub fn shown_default(&self) -> Option<String> {
        let default = self.default.as_ref()?;
        Some(match self.release_column() {
            Some(column) => format!("{column} of the release"),
            None => default.clone(),
        })
    }

    /// The column of the release that gives the default, or `None` if the default is a value.
    pub fn release_column(&self) -> Option<&'static str> {
        let name = self.default.as_ref()?.strip_prefix(RELEASE)?;
        RELEASE_COLUMNS.into_iter().find(|column| *column == name)
    }

    /// Checks that the default is of the type, or that of the release.
    ///
    /// # Errors
    /// When it is not.
    pub fn check_default(&self) -> Result<()> {
        match (&self.default, self.release_column(), &self.kind) {
            (None, ..) | (Some(_), Some(_), Kind::Real(_)) => Ok(()),
            (Some(default), ..) => self.read(default).map(drop),
        }
    }

    /// The value of a word. The names of things are still to be looked up, and files to be read.
    ///
    /// # Errors
    /// When the word is not of the type.
    pub fn read(&self, word: &str) -> Result<Value> {
        let refused = |expected: &str| anyhow!("--{} takes {expected}, not '{word}'", self.flag());
        let unit = number::unit_of(&self.name);
        let refused_number = |kind: &str, range: &Range| {
            let unit = unit.map(|unit| format!(" in {}", unit.shown())).unwrap_or_default();
            let multiples =
                if number::has_unit(word) { "; k, M and G mean 10^3, 10^6 and 10^9" } else { "" };
            anyhow!("{}{multiples}", refused(&format!("{}{unit}", range.shown(kind))))
        };
        match &self.kind {
            Kind::Text | Kind::Named(_) | Kind::LoadProfile => Ok(Value::Text(word.to_owned())),
            Kind::Integer(range) => match number::plain(word, unit).as_deref().and_then(whole) {
                Some(number) if range.holds(number as f64) => Ok(Value::Integer(number)),
                _ => Err(refused_number("a whole number", range)),
            },
            Kind::Real(range) => {
                match number::plain(word, unit).map(|plain| plain.parse::<f64>()) {
                    Some(Ok(number)) if number.is_finite() && range.holds(number) => {
                        Ok(Value::Real(number))
                    }
                    _ => Err(refused_number("a number", range)),
                }
            }
            Kind::Boolean => match word.to_ascii_lowercase().as_str() {
                "true" => Ok(Value::Integer(1)),
                "false" => Ok(Value::Integer(0)),
                _ => Err(refused("true or false")),
            },
            Kind::Date => {
                check_date(word).map_err(|_| refused("a date (YYYY-MM-DD)"))?;
                Ok(Value::Text(word.to_owned()))
            }
            Kind::OneOf(choices) => {
                let chosen = choices.iter().find(|choice| is_choice(choice, word));
                let choice =
                    chosen.ok_or_else(|| refused(&format!("one of {}", choices.join(", "))))?;
                Ok(Value::Text(choice.clone()))
            }
        }
    }
}

/// Whether a word means a choice, ignoring case. A percentile may be written without its p, and the
/// median as p50.
fn is_choice(choice: &str, word: &str) -> bool {
    let number = word.strip_prefix(['p', 'P']).unwrap_or(word);
    choice.eq_ignore_ascii_case(word)
        || choice.strip_prefix('p').is_some_and(|percentile| percentile == number)
        || (choice == "median" && number == "50")
}

/// A whole number, which may be written with an exponent, as help shows limits: 1e6.
fn whole(word: &str) -> Option<i64> {
    if !word.contains(['e', 'E']) {
        return word.parse().ok();
    }
    let number: f64 = word.parse().ok()?;
    let is_exact = number.fract() == 0.0 && number.abs() <= MOST_EXACT;
    is_exact.then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_has_a_type_that_names_its_workloads_and_no_others() {
        let made: Vec<_> = Named::ALL.into_iter().filter_map(Named::makes).collect();
        for product in Product::all() {
            assert!(made.contains(&vec![product]), "{product:?}");
        }
    }

    fn read(kind: Kind, word: &str) -> Option<Value> {
        let (name, default, help, aliases) = ("the_name".into(), None, String::new(), Vec::new());
        Parameter { name, kind, default, help, aliases }.read(word).ok()
    }

    #[test]
    fn words_become_values_of_their_type_or_are_refused() {
        let kind = |name: &str| Kind::parse(name).unwrap();
        assert_eq!(read(kind("real"), "50"), Some(Value::Real(50.0)));
        assert_eq!(read(kind("real"), "-1e3"), Some(Value::Real(-1000.0)));
        for word in ["nan", "NaN", "inf", "-infinity", "1e999", "fast", ""] {
            assert_eq!(read(kind("real"), word), None, "{word}");
        }
        assert_eq!(read(kind("real above 0"), "0.5"), Some(Value::Real(0.5)));
        assert_eq!(read(kind("real above 0"), "0"), None);
        assert_eq!(read(kind("integer"), "-7"), Some(Value::Integer(-7)));
        assert_eq!(read(kind("integer from 1"), "1"), Some(Value::Integer(1)));
        assert_eq!(read(kind("integer from 1"), "0"), None);
        assert_eq!(read(kind("integer"), "2.5e6"), Some(Value::Integer(2_500_000)));
        assert_eq!(read(kind("integer"), "-1E3"), Some(Value::Integer(-1000)));
        for word in ["1.5", "9223372036854775808", "", "1x", "1.0", "1e-1", "1e16", "1e999", "e"] {
            assert_eq!(read(kind("integer"), word), None, "{word}");
        }
        assert_eq!(read(Kind::Boolean, "true"), Some(Value::Integer(1)));
        assert_eq!(read(Kind::Boolean, "FALSE"), Some(Value::Integer(0)));
        assert_eq!(read(Kind::Boolean, "yes"), None);
        assert_eq!(read(Kind::Date, "2026-09-27"), Some(Value::Text("2026-09-27".into())));
        assert_eq!(read(Kind::Date, "2026-02-30"), None);
        let choices = Kind::OneOf(vec!["median".into(), "p90".into()]);
        assert_eq!(read(choices.clone(), "P90"), Some(Value::Text("p90".into())));
        for word in ["90", "P90"] {
            assert_eq!(read(choices.clone(), word), Some(Value::Text("p90".into())));
        }
        for word in ["50", "p50", "Median"] {
            assert_eq!(read(choices.clone(), word), Some(Value::Text("median".into())));
        }
        assert_eq!(read(choices.clone(), "9"), None);
        assert_eq!(read(choices, "p91"), None);
    }
}
