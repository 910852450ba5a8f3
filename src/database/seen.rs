//! Remembers rows by their keys, to find repeated measurements. A row is stored as its number and 32 bits of
//! a hash of its key, so a million rows need little memory. Two keys may have the same bits, so the caller
//! compares the rows.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

/// Maps that the rows are spread over. One map would need half as much memory again while it grows.
const MAPS: usize = 16;

/// The rows of one table seen so far, by their keys.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The latest row for the bits of a key. Their upper ones say in which of the maps.
    latest: [HashMap<u32, u32, BuildHasherDefault<Spread>>; MAPS],
    /// The row before each that has the bits of an earlier one.
    earlier: HashMap<u32, u32>,
}

/// Spreads bits of a hash over 64, all of which a map looks at. To hash them again would be slow.
#[derive(Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(self.0 as u32 ^ u32::from(*byte)));
    }

    fn write_u32(&mut self, bits: u32) {
        // 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4).
        self.0 = u64::from(bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The bits of a key: those of what it names and of its values.
pub(super) fn bits(names: impl Hash, values: impl Iterator<Item = u64>) -> u32 {
    let mut hasher = DefaultHasher::new();
    names.hash(&mut hasher);
    values.for_each(|value| hasher.write_u64(value));
    hasher.finish() as u32
}

/// Which of the maps.
fn map(bits: u32) -> usize {
    (bits >> (u32::BITS - MAPS.ilog2())) as usize
}

impl Seen {
    /// The numbers of the rows whose key has these bits, the latest first.
    pub(super) fn rows(&self, bits: u32) -> impl Iterator<Item = u32> {
        let latest = self.latest[map(bits)].get(&bits).copied();
        std::iter::successors(latest, |number| self.earlier.get(number).copied())
    }

    /// Remembers a row.
    pub(super) fn add(&mut self, bits: u32, number: u32) {
        if let Some(earlier) = self.latest[map(bits)].insert(bits, number) {
            self.earlier.insert(number, earlier);
        }
    }
}
