//! What the checks found in one document, in bounded memory.

use std::collections::{BTreeMap, HashSet};

use crate::measurement::check::{Check, Finding};

/// How many findings of a document are told in full.
pub const TOLD: usize = 20;
/// How many names of unknown fields of a document are remembered.
const UNKNOWN_NAMES: usize = 100;

/// What was found in one document.
#[derive(Debug, Default)]
pub struct Findings {
    /// The first findings, in the order of the document.
    pub told: Vec<Finding>,
    /// How many there are in all.
    pub count: u64,
    /// Fields that this program does not know, with the number of times each stands there.
    pub unknown: BTreeMap<String, u64>,
}

impl Findings {
    /// Adds a finding that refuses the document.
    pub fn add(&mut self, finding: Finding) {
        self.count += 1;
        if self.told.len() < TOLD {
            self.told.push(finding);
        }
    }

    /// Adds a finding if there is one.
    pub fn extend(&mut self, finding: Option<Finding>) {
        finding.into_iter().for_each(|finding| self.add(finding));
    }

    /// Adds the findings of a later check of the same document.
    pub fn append(&mut self, later: Self) {
        let untold = later.count - later.told.len() as u64;
        later.told.into_iter().for_each(|finding| self.add(finding));
        self.count += untold;
    }

    /// Counts a field that this program does not know.
    pub fn add_unknown(&mut self, name: &str) {
        if let Some(count) = self.unknown.get_mut(name) {
            *count += 1;
        } else if self.unknown.len() < UNKNOWN_NAMES {
            self.unknown.insert(name.to_owned(), 1);
        }
    }

    /// Makes unknown fields findings, as `--strict` asks.
    pub fn refuse_unknown(&mut self) {
        for (name, count) in std::mem::take(&mut self.unknown) {
            self.add(Finding {
                check: Check::UnknownField,
                place: format!("field \"{}\"", shown(&name)),
                value: times(count),
                expected: "only known fields".into(),
            });
        }
    }
}

/// `once` or `N times`.
pub fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

/// Which findings a build lets through.
#[derive(Debug, Clone, Default)]
pub struct Accepted(pub Vec<Check>);

impl Accepted {
    /// Whether the publisher accepted what this check finds.
    pub fn contains(&self, check: Check) -> bool {
        self.0.contains(&check)
    }
}

/// Text for a message: on one line, printable, and not too long.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// The finding for a key that an object has twice.
pub(crate) fn twice(object: &str, key: &str) -> Finding {
    Finding {
        check: Check::DuplicateKey,
        place: format!("{object}/{}", escaped(&shown(key))),
        value: "the key again".into(),
        expected: "every key once".into(),
    }
}

/// A key as a part of a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The keys of one object, to find one that stands twice.
#[derive(Debug, Default)]
pub struct Keys(HashSet<String>);

impl Keys {
    /// Forgets the keys, for the next object.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether the key is new to this object.
    pub fn insert(&mut self, key: &str) -> bool {
        !self.0.contains(key) && self.0.insert(key.to_owned())
    }
}
