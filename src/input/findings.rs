//! What the checks found in one document, in bounded memory.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::input::json::JsonError;
use crate::input::value::Json;
use crate::measurement::check::{Check, Finding};

/// How many findings of a document are kept in full.
const KEPT: usize = 1000;
/// How many findings end the reading of a document.
pub const MOST: u64 = 10_000;
/// How many places of a check's findings are kept for its summary.
const FIRST_PLACES: usize = 3;
/// How many names of unknown fields of a document are remembered.
const UNKNOWN_NAMES: usize = 100;

/// What was found in one document.
#[derive(Debug, Default)]
pub struct Findings {
    /// The first findings, in the order of the document.
    pub told: Vec<Finding>,
    /// How many there are in all.
    pub count: u64,
    /// How many each check has, in the order of their first.
    pub by_check: Vec<OfCheck>,
    /// Set when there are so many that nobody reads on.
    pub is_full: Arc<AtomicBool>,
    /// Fields that this program does not know, with the number of times each is there.
    pub unknown: BTreeMap<String, u64>,
    /// Whether there are more of them than are remembered.
    pub has_more_unknown: bool,
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfCheck {
    /// The check.
    pub check: Check,
    /// How many findings it has.
    pub count: u64,
    /// Where the first of them are.
    pub places: Vec<String>,
}

impl Findings {
    /// Adds a finding that refuses the document.
    pub fn add(&mut self, finding: Finding) {
        self.count += 1;
        if self.count >= MOST {
            self.is_full.store(true, Ordering::Relaxed);
        }
        let of_check = self.of_check(finding.check);
        of_check.count += 1;
        if of_check.places.len() < FIRST_PLACES {
            of_check.places.push(finding.place.clone());
        }
        if self.told.len() < KEPT {
            self.told.push(finding);
        }
    }

    fn of_check(&mut self, check: Check) -> &mut OfCheck {
        let known = self.by_check.iter().position(|of| of.check == check);
        let at = known.unwrap_or(self.by_check.len());
        if known.is_none() {
            self.by_check.push(OfCheck { check, count: 0, places: Vec::new() });
        }
        &mut self.by_check[at]
    }

    /// Whether there are so many that the document was not read to its end.
    pub fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Adds a finding if there is one.
    pub fn extend(&mut self, finding: Option<Finding>) {
        finding.into_iter().for_each(|finding| self.add(finding));
    }

    /// Adds the findings of a later check of the same document.
    pub fn append(&mut self, later: Self) {
        self.count += later.count;
        for of in later.by_check {
            let known = self.of_check(of.check);
            known.count += of.count;
            let room = FIRST_PLACES.saturating_sub(known.places.len());
            known.places.extend(of.places.into_iter().take(room));
        }
        let room = KEPT.saturating_sub(self.told.len());
        self.told.extend(later.told.into_iter().take(room));
    }

    /// Counts a field that this program does not know.
    pub fn add_unknown(&mut self, name: &str) {
        if let Some(count) = self.unknown.get_mut(name) {
            *count += 1;
        } else if self.unknown.len() < UNKNOWN_NAMES {
            self.unknown.insert(name.to_owned(), 1);
        } else {
            self.has_more_unknown = true;
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

/// The keys of one object, to find one that is there twice.
#[derive(Debug, Default)]
pub struct Keys {
    keys: HashSet<String>,
    memory: Memory,
}

impl Keys {
    /// Forgets the keys, for the next object.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.memory = Memory::default();
    }

    /// Whether the key is new to this object.
    pub fn insert(&mut self, key: &str) -> bool {
        let is_new = !self.keys.contains(key) && self.keys.insert(key.to_owned());
        self.memory.keeps(if is_new { key.len() } else { 0 });
        is_new
    }

    /// Refuses an object of which more is remembered than memory is for.
    ///
    /// # Errors
    /// When there are too many keys, or too long ones.
    pub(crate) fn check(&self, json: &mut Json<'_>) -> Result<(), JsonError> {
        self.memory.check(json, MOST_OF_AN_OBJECT)
    }
}

/// MiB of an object's members that are kept.
pub(crate) const MOST_OF_AN_OBJECT: usize = 16;

/// How much memory is taken by what is kept of a document.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Memory(usize);

impl Memory {
    /// Counts a text that is kept, with what it takes beside its bytes.
    pub(crate) fn keeps(&mut self, bytes: usize) {
        const BESIDE: usize = 64;
        self.0 += bytes + BESIDE;
    }

    /// Counts what another has counted.
    pub(crate) fn add(&mut self, other: Self) {
        self.0 += other.0;
    }

    /// Refuses a document of which more is kept than this many MiB.
    ///
    /// # Errors
    /// When it is.
    pub(crate) fn check(self, json: &mut Json<'_>, most: usize) -> Result<(), JsonError> {
        if self.0 <= most << 20 {
            return Ok(());
        }
        Err(json.error_at(0, format!("members of more than {most} MiB, which no measurement has")))
    }
}
