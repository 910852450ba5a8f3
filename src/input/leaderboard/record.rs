//! The fields of one configuration while they are read, in any order.

use crate::input::findings::Keys;
use crate::input::json::{JsonError, Kind, Passage};
use crate::input::leaderboard::fields::{FACTS, Fact, NAMES, Name, Shape, Target};
use crate::input::number;
use crate::input::value::{Json, Refusal, SoundName, no_slash, take_number};
use crate::measurement::columns::{MOST, NULL, Values};
use crate::measurement::record::Histogram;

/// The next key of a configuration.
pub(crate) enum Key {
    /// That of the field at this place.
    Field(usize),
    /// One that this program does not know.
    Unknown(String),
}

/// The fields of one configuration as they are read.
pub(crate) struct Record {
    pub(crate) shape: Shape,
    /// The keys of the previous configuration as they were written, in order, with their fields.
    passages: Vec<(Passage, usize)>,
    /// How many known fields were read.
    read: usize,
    pub(crate) values: Values,
    facts: [f64; FACTS],
    names: [SoundName; NAMES],
    pub(crate) lengths: Histogram,
    /// One bit for every field that is in the object.
    pub(crate) seen: u64,
    pub(crate) unknown: Keys,
}

/// Every field of a configuration has a bit.
const _: () = assert!(MOST + NAMES + FACTS + 2 < u64::BITS as usize);

impl Record {
    pub(crate) fn new(shape: Shape) -> Self {
        Self {
            shape,
            passages: Vec::new(),
            read: 0,
            values: [NULL; MOST],
            facts: [NULL; FACTS],
            names: Default::default(),
            lengths: Histogram::default(),
            seen: 0,
            unknown: Keys::default(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.read = 0;
        self.values = [NULL; MOST];
        self.seen = 0;
        self.unknown.clear();
    }

    /// Reads the next key of a configuration. It is usually the same key as in the previous configuration,
    /// written in the same way.
    pub(crate) fn next_field(&mut self, json: &mut Json<'_>) -> Result<Option<Key>, JsonError> {
        let place = self.read;
        self.read += 1;
        if let Some((passage, field)) = self.passages.get(place)
            && json.passes(passage)
        {
            return Ok(Some(Key::Field(*field)));
        }
        let mut learned = Passage::default();
        let Some(key) = json.next_key_learning(&mut learned)? else { return Ok(None) };
        let Some(field) = self.shape.field_named(key) else {
            self.read = place;
            return Ok(Some(Key::Unknown(key.into())));
        };
        self.passages.truncate(place);
        self.passages.push((learned, field));
        Ok(Some(Key::Field(field)))
    }

    /// Reads the value of a field. Lengths and degrees of parallelism are read elsewhere, since there
    /// may be more than one thing wrong in them.
    pub(crate) fn take(
        &mut self,
        json: &mut Json<'_>,
        target: Target,
        is_nullable: bool,
    ) -> Result<Result<(), Refusal>, JsonError> {
        match target {
            Target::Column(_) if is_nullable && json.peek()? == Kind::Null => {
                json.scalar().map(|_| Ok(()))
            }
            Target::Column(at) => {
                let is_whole = self.shape.table.columns[at].is_whole;
                let read = if is_whole { count } else { number::figure };
                take_number(json, read, &mut self.values[at])
            }
            Target::Fact(fact) => take_number(json, number::figure, &mut self.facts[fact as usize]),
            Target::Name(Name::Gpu) => {
                let gpu = &mut self.names[Name::Gpu as usize];
                Ok(gpu.take(json)?.and_then(|()| no_slash(&gpu.text)))
            }
            Target::Name(name) => self.names[name as usize].take(json),
            Target::Parallelization | Target::Lengths => json.skip().map(Ok),
        }
    }

    pub(crate) fn fact(&self, fact: Fact) -> f64 {
        self.facts[fact as usize]
    }

    pub(crate) fn name(&self, name: Name) -> &str {
        &self.names[name as usize].text
    }
}

/// A count, which a double holds exactly.
fn count(text: &str) -> Result<f64, Refusal> {
    number::count(text).map(f64::from)
}
