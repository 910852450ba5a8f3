//! How the configurations of a source were measured. Figures of two methods cannot be compared, so a source
//! has one method.

use std::fmt;

use crate::date::check_date;

/// The source of the leaderboard's documents.
pub const PUBLISHED: &str = "published";

/// A fact of a method: its column in the table `sources`, what it may be, and what it means.
#[derive(Debug)]
pub struct Fact {
    /// Its column, and the name by which it is given.
    pub name: &'static str,
    /// The words that it may be; any text where there are none.
    pub choices: &'static [&'static str],
    /// What it means.
    pub help: &'static str,
}

/// The facts of a method, in the order of the columns.
pub const FACTS: [Fact; 7] = [
    Fact {
        name: "energy_boundary",
        choices: &["gpu", "gpu-and-cpu", "node"],
        help: "whose energy was measured",
    },
    Fact {
        name: "measurement_window",
        choices: &["steady-state", "whole-run"],
        help: "steady load only, or from the first request to the last",
    },
    Fact {
        name: "itl_kind",
        choices: &["per-token", "per-chunk", "mean-of-requests"],
        help: "how inter-token latency was measured",
    },
    Fact { name: "runtime", choices: &[], help: "program that served the models, such as vLLM" },
    Fact { name: "runtime_version", choices: &[], help: "its version" },
    Fact { name: "measured_on", choices: &[], help: "day of the measurement, YYYY-MM-DD" },
    Fact {
        name: "is_estimated",
        choices: &["false", "true"],
        help: "whether the energy was estimated and not measured",
    },
];

/// The places of the facts that every own source must have.
pub const ENERGY_BOUNDARY: usize = 0;
/// As [`ENERGY_BOUNDARY`].
pub const MEASUREMENT_WINDOW: usize = 1;
/// The fact that a source with latencies must have.
pub const ITL_KIND: usize = 2;
/// The day of the measurement.
pub const MEASURED_ON: usize = 5;
/// Whether the energy is an estimate.
pub const IS_ESTIMATED: usize = 6;

/// How a source was measured: each of [`FACTS`], where it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Method(pub [Option<String>; FACTS.len()]);

impl Method {
    /// The fact at a place of [`FACTS`].
    pub fn get(&self, at: usize) -> Option<&str> {
        self.0.get(at).and_then(Option::as_deref)
    }

    /// The first fact in which two methods differ, whatever the day.
    pub fn first_difference(&self, other: &Self) -> Option<usize> {
        let mut facts = (0..FACTS.len()).filter(|at| *at != MEASURED_ON);
        facts.find(|at| self.get(*at) != other.get(*at))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = self.0.iter().flatten().map(String::as_str).collect();
        formatter.write_str(&known.join(", "))
    }
}

/// The facts in which figures of two methods may differ: all but the day.
pub fn compared() -> impl Iterator<Item = &'static Fact> {
    FACTS.iter().enumerate().filter(|(at, _)| *at != MEASURED_ON).map(|(_, fact)| fact)
}

/// The place of a fact in [`FACTS`].
pub fn place(name: &str) -> Option<usize> {
    FACTS.iter().position(|fact| fact.name == name)
}

/// What a word should have been to be the fact at this place, or `None` if it is sound.
pub fn fault(at: usize, word: &str) -> Option<String> {
    let choices = FACTS.get(at).map_or(&[][..], |fact| fact.choices);
    if !choices.is_empty() && !choices.contains(&word) {
        return Some(format!("one of {}", choices.join(", ")));
    }
    (at == MEASURED_ON && check_date(word).is_err()).then(|| "a day, YYYY-MM-DD".into())
}
