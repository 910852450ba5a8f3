//! Where configurations were seen, to find those measured again. Rows are remembered as a hash and
//! a number, sixteen bytes each, so that a million of them fit in little memory.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::record::Configuration;

/// The rows seen so far.
#[derive(Debug, Default)]
pub struct Occurrences {
    /// Hash of the key and number of the row, of the documents before, in order.
    before: Vec<(u64, u32)>,
    /// The same of the document being read, in the order of its rows.
    current: Vec<(u64, u32)>,
}

/// The key within which measurements repeat: task, model, GPU, number of GPUs and limit.
pub fn key(task: u32, row: &Configuration) -> [u32; 5] {
    [task, row.model, row.gpu, row.num_gpus, row.max_num_seqs]
}

fn hash(key: [u32; 5]) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

impl Occurrences {
    /// Remembers a row of the current document.
    pub fn add(&mut self, key: [u32; 5], number: u32) {
        self.current.push((hash(key), number));
    }

    /// Rows of earlier documents that may have this key. Two keys may share a hash, so the caller
    /// compares.
    pub fn before(&self, key: [u32; 5]) -> impl Iterator<Item = u32> {
        let hash = hash(key);
        let start = self.before.partition_point(|(known, _)| *known < hash);
        self.before[start..]
            .iter()
            .take_while(move |(known, _)| *known == hash)
            .map(|(_, row)| *row)
    }

    /// Ends the current document. Gives the rows of it that may share a key, in groups, each in
    /// the order of the document. They are remembered for the documents that follow, if any do.
    pub fn end_document(&mut self, more_follow: bool) -> Vec<Vec<u32>> {
        self.current.sort_unstable();
        let groups = self
            .current
            .chunk_by(|left, right| left.0 == right.0)
            .filter(|group| group.len() > 1)
            .map(|group| group.iter().map(|(_, row)| *row).collect())
            .collect();
        if more_follow {
            self.before.append(&mut self.current);
            self.before.sort_unstable();
        } else {
            // The memory is wanted for sorting indexes.
            self.current = Vec::new();
        }
        groups
    }
}
