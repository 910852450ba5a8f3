//! Values of fields as they are read: sound, or refused with what was expected.

use crate::input::bytes::Text;
use crate::input::findings::shown;
use crate::input::json::{JsonError, JsonReader, Kind, Scalar};
use crate::input::look::is_composed;
use crate::measurement::check::Check;
use crate::text::is_hidden;

/// A document that is being read.
pub(crate) type Json<'r> = JsonReader<Text<'r>>;

/// Why a value is refused: the check, what is there, what was expected.
pub(crate) type Refusal = (Check, String, &'static str);

/// Reads the number that comes next with `read`, which may refuse it.
pub(crate) fn take_number<N>(
    json: &mut Json<'_>,
    read: fn(&str) -> Result<N, Refusal>,
    into: &mut N,
) -> Result<Result<(), Refusal>, JsonError> {
    if json.peek()? != Kind::Number {
        return Ok(Err((Check::FieldType, described(json)?, "a number")));
    }
    Ok(match json.scalar()? {
        Scalar::Number(text) => read(text).map(|number| *into = number),
        _ => Ok(()),
    })
}

/// A name that was found to be sound.
#[derive(Debug, Default)]
pub(crate) struct SoundName {
    /// The name.
    pub(crate) text: String,
    /// As it is in the document; empty for a name that has to be escaped there.
    quoted: String,
}

impl SoundName {
    /// Reads the name that comes next. Names mostly repeat from row to row, so the one that was
    /// read last is only compared.
    pub(crate) fn take(&mut self, json: &mut Json<'_>) -> Result<Result<(), Refusal>, JsonError> {
        if json.passes_string(&self.quoted) {
            return Ok(Ok(()));
        }
        if json.peek()? != Kind::Text {
            return Ok(Err((Check::FieldType, described(json)?, "text")));
        }
        let Scalar::Text(name) = json.scalar()? else { return Ok(Ok(())) };
        self.text.clear();
        self.quoted.clear();
        if let Some(expected) = name_fault(name) {
            return Ok(Err((Check::NameForm, format!("\"{}\"", shown(name)), expected)));
        }
        self.text.push_str(name);
        if !name.contains(['"', '\\']) {
            self.quoted.extend(["\"", name, "\""]);
        }
        Ok(Ok(()))
    }
}

/// What a name lacks to be printable, unambiguous, and safe in a spreadsheet, which runs cells
/// that begin with `=`, `+`, `-` or `@`.
pub fn name_fault(name: &str) -> Option<&'static str> {
    const LONGEST: usize = 200;
    if name.is_empty() {
        Some("a name")
    } else if name.trim() != name {
        Some("no blanks around the name")
    } else if !name.starts_with(char::is_alphanumeric) {
        Some("a name that begins with a letter or digit")
    } else if name.contains(is_hidden) {
        Some("a name without control or invisible characters")
    } else if !is_composed(name) {
        Some("a name in Unicode NFC, where a letter and its accent are one character")
    } else if name.chars().count() > LONGEST {
        Some("a name of at most 200 characters")
    } else {
        None
    }
}

/// A GPU's name is a part of row ids, between slashes.
pub(crate) fn no_slash(gpu: &str) -> Result<(), Refusal> {
    if gpu.contains('/') {
        return Err((Check::NameForm, format!("\"{}\"", shown(gpu)), "a name without a slash"));
    }
    Ok(())
}

/// Reads past a value and describes it for a message.
pub(crate) fn described(json: &mut Json<'_>) -> Result<String, JsonError> {
    let description = match json.peek()? {
        Kind::Object => "an object".into(),
        Kind::Array => "an array".into(),
        _ => match json.scalar()? {
            Scalar::Number(text) => return Ok(shown(text)),
            Scalar::Text(text) => return Ok(format!("\"{}\"", shown(text))),
            Scalar::Boolean(value) => return Ok(value.to_string()),
            Scalar::Null => return Ok("null".into()),
        },
    };
    json.skip()?;
    Ok(description)
}
