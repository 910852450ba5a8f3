//! Reads an object: one result of a tool, or one row of a table. Members of inner objects get a path as their
//! name, such as `request_latency/avg`. Arrays, such as lists of all gaps, are skipped.

use std::collections::BTreeMap;

use crate::input::findings::{MOST_OF_AN_OBJECT, Memory, twice};
use crate::input::json::{JsonError, Kind, Scalar};
use crate::input::number;
use crate::input::own::row::{Row, place};
use crate::input::reader::Reader;
use crate::input::value::Json;
use crate::measurement::check::{Check, NOTHING};

/// How many members of members a result may have.
const MOST_INNER: usize = 1 << 16;
/// Bytes of the longest path of a member of a member. What is deeper is passed over.
const LONGEST_PATH: usize = 256;

/// The members of an object as text, by their paths. The names of the outermost have `_` for `-`.
#[derive(Debug, Default)]
pub(super) struct Flat {
    /// The line in which it begins.
    pub line: u64,
    /// What is not null.
    pub members: BTreeMap<String, String>,
    /// How many of them are members of members.
    inner: usize,
    /// What they take.
    pub memory: Memory,
}

impl Flat {
    /// The text or number of a member.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.members.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// A member that is a number above 0, or the text of one.
    pub fn number(&self, name: &str) -> Option<f64> {
        number::above_zero(self.text(name)?.parse().ok()?)
    }

    /// A number that a row needs. Where there is none, it is reported.
    pub fn needed(&self, reader: &mut Reader<'_, '_>, row: &Row, name: &str) -> Option<f64> {
        let number = self.number(name);
        if number.is_none() {
            let found = self.text(name).unwrap_or(NOTHING);
            reader.add(Check::NumberRange, row.place_of(name), found, "a number above 0");
        }
        number
    }

    /// The members whose paths begin so, with the rest of their paths.
    pub fn inside<'f>(&'f self, path: &'f str) -> impl Iterator<Item = (&'f str, &'f str)> {
        let from = self.members.range(path.to_owned()..);
        from.map_while(move |(name, text)| Some((name.strip_prefix(path)?, text.as_str())))
    }

    /// Reads the object that comes next.
    pub fn read(reader: &mut Reader<'_, '_>, json: &mut Json<'_>) -> Result<Self, JsonError> {
        json.begin_object()?;
        let mut result = Self { line: json.token_place().line, ..Self::default() };
        while let Some(name) = json.next_key()? {
            let name = name.replace('-', "_");
            match json.peek()? {
                Kind::Array => json.skip()?,
                _ => result.member(reader, json, name, false)?,
            }
            result.memory.check(json, MOST_OF_AN_OBJECT)?;
        }
        if result.inner > MOST_INNER {
            let found = format!("{} inner members", result.inner);
            reader.add(
                Check::DocumentForm,
                place(result.line, 0),
                found,
                format!("at most {MOST_INNER}"),
            );
        }
        Ok(result)
    }

    /// Reads the member that comes next, and what is inside it.
    fn member(
        &mut self,
        reader: &mut Reader<'_, '_>,
        json: &mut Json<'_>,
        path: String,
        is_inner: bool,
    ) -> Result<(), JsonError> {
        if is_inner && path.len() > LONGEST_PATH {
            return json.skip();
        }
        let text = match json.peek()? {
            Kind::Object => {
                json.begin_object()?;
                while let Some(name) = json.next_key()? {
                    let path = format!("{path}/{name}");
                    self.member(reader, json, path, true)?;
                }
                return Ok(());
            }
            Kind::Array => {
                json.begin_array()?;
                for at in 0.. {
                    if !json.next_element()? {
                        break;
                    }
                    self.member(reader, json, format!("{path}/{at}"), true)?;
                }
                return Ok(());
            }
            Kind::Text | Kind::Number | Kind::Boolean | Kind::Null => match json.scalar()? {
                Scalar::Text(text) | Scalar::Number(text) => text.to_owned(),
                Scalar::Boolean(is_so) => is_so.to_string(),
                Scalar::Null => return Ok(()),
            },
        };
        self.inner += usize::from(is_inner);
        if is_inner && self.inner > MOST_INNER {
            return Ok(());
        }
        if self.members.contains_key(&path) {
            reader.report.findings.add(twice("", &path));
        }
        self.memory.keeps(path.len() + text.len());
        self.members.insert(path, text);
        Ok(())
    }
}
