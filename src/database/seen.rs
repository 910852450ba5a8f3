//! Where configurations were seen, to find those measured again. A row is remembered as 32 bits of
//! a hash of its key and its number, so that a million of them fit in little memory. Two keys may
//! share those bits, so the caller compares.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use anyhow::Result;
use hashbrown::HashTable;

use crate::measurement::record::Configuration;

/// The key within which measurements repeat: task, model, GPU, number of GPUs and limit.
pub type Key = [u32; 5];

/// The key of a row.
pub fn key(task: u32, row: &Configuration) -> Key {
    [task, row.model, row.gpu, row.num_gpus, row.max_num_seqs]
}

/// Tables that the rows are spread over. One table would need half as much again while it grows.
const TABLES: usize = 16;

/// The rows of one table seen so far, by a key of any type.
#[derive(Debug, Default)]
pub struct Occurrences {
    /// The latest row of each key, with the bits that its key is found by, which also say in which
    /// of the tables.
    latest: [HashTable<(u32, u32)>; TABLES],
    /// The row before each that repeats one.
    previous: HashMap<u32, u32>,
}

fn bits(key: impl Hash) -> u32 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish() as u32
}

/// Which of the tables.
fn table(bits: u32) -> usize {
    (bits >> (u32::BITS - TABLES.ilog2())) as usize
}

/// A hash made of those bits, which tells where in its table a row stands.
fn spread(bits: u32) -> u64 {
    u64::from(bits).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Occurrences {
    /// The latest row of this key, with its number. `read` gives the row of a number and `key_of` its
    /// key, since rows of other keys may be found by the same bits.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub fn latest<K: Hash + PartialEq, R>(
        &self,
        key: K,
        read: impl Fn(u32) -> Result<R>,
        key_of: impl Fn(&R) -> K,
    ) -> Result<Option<(u32, R)>> {
        let bits = bits(&key);
        let found = self.latest[table(bits)].iter_hash(spread(bits));
        for (_, number) in found.filter(|(known, _)| *known == bits) {
            let row = read(*number)?;
            if key_of(&row) == key {
                return Ok(Some((*number, row)));
            }
        }
        Ok(None)
    }

    /// The row of the same key before this one.
    pub fn previous(&self, number: u32) -> Option<u32> {
        self.previous.get(&number).copied()
    }

    /// Remembers the first row of a key.
    pub fn add(&mut self, key: impl Hash, number: u32) {
        let bits = bits(key);
        self.latest[table(bits)]
            .insert_unique(spread(bits), (bits, number), |(bits, _)| spread(*bits));
    }

    /// Remembers a row that repeats an earlier one.
    pub fn add_repeat(&mut self, key: impl Hash, earlier: u32, number: u32) {
        let bits = bits(key);
        let found = self.latest[table(bits)].find_mut(spread(bits), |(_, known)| *known == earlier);
        if let Some((_, latest)) = found {
            *latest = number;
        }
        self.previous.insert(number, earlier);
    }
}
