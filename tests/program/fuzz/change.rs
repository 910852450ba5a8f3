//! Changes inputs at random, so that most keep their structure and reach what lies behind it.

use serde_json::Value;

/// Numbers that look random and are the same for the same seed (SplitMix64).
pub struct Random(u64);

impl Random {
    /// Numbers of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// One of several things.
    pub fn of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }
}

/// Values that programs trip over.
const VALUES: [&str; 24] = [
    "0",
    "-0.0",
    "-1",
    "1e308",
    "1e309",
    "5e-324",
    "18446744073709551616",
    "0.1e-400",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"=1+1\"",
    "\"a\\u202eb\"",
    "\"\\u00a0B200\"",
    "\"e\\u0301\"",
    "\"con\"",
    "\"index\"",
    "NaN",
    "Infinity",
    "\"\\u001b[2J\"",
];

/// Bytes that begin files of other kinds, or end texts.
const PIECES: [&[u8]; 12] = [
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\xfd7zXZ\x00",
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"SQLite format 3\x00",
    b"\x00\x00\x00\x00",
    b"[[[[[[[[",
    b"{\"\":{\"\":",
    b"\r\n",
    b"\xc0\xaf",
];

/// A JSON text with some of its values removed, doubled, exchanged or replaced; any other text as
/// text.
pub fn json_changed(random: &mut Random, original: &[u8], other: &[u8]) -> Vec<u8> {
    let Ok(mut value) = serde_json::from_slice::<Value>(original) else {
        return text_changed(random, original, other);
    };
    let other = serde_json::from_slice::<Value>(other).unwrap_or(Value::Null);
    for _ in 0..random.below(5) {
        change(random, &mut value, &other);
    }
    let mut text = serde_json::to_string(&value).unwrap();
    // Values that no parsed JSON can hold take the place of one that it contains.
    for number in 0..4 {
        let value: &&str = random.of(&VALUES);
        text = text.replace(&format!("\"@{number}\""), value);
    }
    text.into_bytes()
}

/// Changes one value somewhere.
fn change(random: &mut Random, value: &mut Value, other: &Value) {
    match value {
        Value::Object(members) if !members.is_empty() && random.below(8) != 0 => {
            let keys: Vec<_> = members.keys().cloned().collect();
            let key = random.of(&keys).clone();
            match random.below(10) {
                0 => {
                    members.remove(&key);
                }
                1 => {
                    let copy = members[&key].clone();
                    members.insert(format!("{key}{}", random.below(3)), copy);
                }
                _ => change(random, &mut members[&key], other),
            }
        }
        Value::Array(elements) if !elements.is_empty() && random.below(8) != 0 => {
            let index = random.below(elements.len());
            match random.below(8) {
                0 => {
                    elements.remove(index);
                }
                1 => {
                    let copy = elements[index].clone();
                    elements.insert(random.below(elements.len()), copy);
                }
                _ => change(random, &mut elements[index], other),
            }
        }
        Value::Number(number) if random.below(3) == 0 => {
            let factor = *random.of(&[1000.0, 0.001, -1.0, 1.5, 1e300]);
            *value = number.as_f64().map_or(Value::Null, |number| Value::from(number * factor));
        }
        _ => {
            *value = match random.below(4) {
                0 => part_of(random, other).clone(),
                _ => Value::String(format!("@{}", random.below(4))),
            };
        }
    }
}

/// Some value within another.
fn part_of<'v>(random: &mut Random, value: &'v Value) -> &'v Value {
    let inner: Vec<&Value> = match value {
        Value::Object(members) => members.values().collect(),
        Value::Array(elements) => elements.iter().collect(),
        _ => Vec::new(),
    };
    if inner.is_empty() || random.below(4) == 0 {
        return value;
    }
    let next = *random.of(&inner);
    part_of(random, next)
}

/// A text with some of its lines removed, doubled, exchanged or taken from another, and some words
/// replaced.
pub fn text_changed(random: &mut Random, original: &[u8], other: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = original.split(|byte| *byte == b'\n').map(Into::into).collect();
    let others: Vec<&[u8]> = other.split(|byte| *byte == b'\n').collect();
    for _ in 0..random.below(5) {
        let index = random.below(lines.len());
        match random.below(6) {
            0 if lines.len() > 1 => {
                lines.remove(index);
            }
            1 => lines.insert(index, lines[index].clone()),
            2 => lines.insert(index, random.of(&others).to_vec()),
            3 => {
                let to = random.below(lines.len());
                lines.swap(index, to);
            }
            _ => {
                let line = std::mem::take(&mut lines[index]);
                lines[index] = words_changed(random, &line);
            }
        }
    }
    let changed = lines.join(&b'\n');
    if random.below(5) == 0 { bytes_changed(random, changed) } else { changed }
}

fn words_changed(random: &mut Random, line: &[u8]) -> Vec<u8> {
    let mut words: Vec<Vec<u8>> = line.split(|byte| *byte == b' ').map(Into::into).collect();
    let index = random.below(words.len());
    match random.below(4) {
        0 => words[index] = random.of(&VALUES).as_bytes().to_vec(),
        1 => words.insert(index, words[index].clone()),
        2 => {
            words.remove(index);
        }
        _ => words[index] = bytes_changed(random, words[index].clone()),
    }
    words.join(&b' ')
}

/// Bytes of which some are replaced, removed, doubled or added.
pub fn bytes_changed(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len());
        match random.below(7) {
            0 => bytes.truncate(at),
            1 => {
                let piece = *random.of(&PIECES);
                bytes.splice(at..at, piece.iter().copied());
            }
            2 => {
                let end = (at + random.below(64)).min(bytes.len());
                bytes.drain(at..end);
            }
            3 => {
                let end = (at + random.below(4096)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
    bytes
}
