//! The messages of a reader: what it found, and what it expected there.

use std::io::Read;

use super::{Container, JsonReader, Kind, MAXIMUM_DEPTH, MAXIMUM_TOKEN, State};
use crate::input::json::error::{JsonError, Place, Result, describe};

impl<R> JsonReader<R> {
    /// An error at an offset from the position.
    #[cold]
    pub(crate) fn error_at(&mut self, offset: usize, message: String) -> JsonError {
        syntax(self.window.place(offset), message)
    }

    /// Something else than expected comes next.
    pub(crate) fn unexpected(&mut self, expected: &str) -> JsonError {
        self.unexpected_at(0, expected)
    }

    /// Something else than expected is at an offset, or the document ends there.
    #[cold]
    pub(crate) fn unexpected_at(&mut self, offset: usize, expected: &str) -> JsonError {
        let Some(found) = self.window.character(offset) else {
            return self.unexpected_end();
        };
        let hint = match found {
            '/' | '#' => " (JSON has no comments)",
            '\'' => " (JSON has only double quotes)",
            _ => "",
        };
        let found = describe(found);
        self.error_at(offset, format!("expected {expected}, found {found}{hint}"))
    }

    /// The document ends inside of something.
    #[cold]
    pub(crate) fn ends_in(&mut self, part: &str) -> JsonError {
        let end = self.window.unread().len();
        self.error_at(end, format!("the document ends in the middle of {part}"))
    }

    #[cold]
    pub(crate) fn unexpected_end(&mut self) -> JsonError {
        match (self.open.last(), self.state) {
            (Some(container), _) => self.ends_in(&container.kind().to_string()),
            (None, State::ValueDue) => self.error_at(0, "the document is empty".to_owned()),
            (None, _) => self.error_at(0, "unexpected end of the document".to_owned()),
        }
    }

    /// What comes next may not come here, whatever it is.
    #[cold]
    pub(crate) fn out_of_place(&mut self) -> JsonError {
        match (self.open.last(), self.state) {
            (_, State::ValueDue) => self.unexpected("the value to be read first"),
            (Some(Container::Object), State::Opened) => self.unexpected("a key or '}'"),
            (Some(Container::Object), State::ValueDone) => self.unexpected("',' or '}'"),
            (Some(Container::Array), _) => self.unexpected("',' or ']'"),
            (None, _) => match self.window.character(0) {
                Some(found) => {
                    let found = describe(found);
                    self.error_at(0, format!("text after the end of the document: found {found}"))
                }
                None => self.unexpected_end(),
            },
        }
    }

    /// The innermost container is not of the kind that was asked for.
    #[cold]
    pub(crate) fn not_inside(&mut self, container: Container) -> JsonError {
        self.unexpected(&format!("to be inside {}", container.kind()))
    }

    /// The innermost container closes right behind a comma.
    #[cold]
    pub(crate) fn trailing_comma(&mut self) -> JsonError {
        self.unexpected(match self.open.last() {
            Some(Container::Object) => "a key after ',' (JSON has no trailing commas)",
            _ => "a value after ',' (JSON has no trailing commas)",
        })
    }

    #[cold]
    pub(crate) fn too_deep(&mut self) -> JsonError {
        self.error_at(0, format!("nesting is deeper than {MAXIMUM_DEPTH} levels"))
    }

    /// The token that began at the mark has too many bytes.
    #[cold]
    pub(crate) fn too_long(&mut self, what: &str) -> JsonError {
        syntax(self.window.mark_place(), format!("{what} is longer than {MAXIMUM_TOKEN} bytes"))
    }

    /// A control character is in a string, at the position.
    #[cold]
    pub(crate) fn control_character(&mut self) -> JsonError {
        let message = match self.window.character(0) {
            Some('\0') | None => "NUL character in a string".to_owned(),
            Some(found) => format!("unescaped control character {} in a string", describe(found)),
        };
        self.error_at(0, message)
    }

    /// A backslash with a character that means nothing behind it is at the position.
    #[cold]
    pub(crate) fn invalid_escape(&mut self) -> JsonError {
        let found = self.window.character(1).map(describe).unwrap_or_default();
        self.error_at(0, format!("invalid escape in a string: found {found} after '\\'"))
    }
}

impl<R: Read> JsonReader<R> {
    /// The kind of what begins like no value: null, where it is a word that is read as null.
    #[cold]
    pub(crate) fn other_kind(&mut self) -> Result<Kind> {
        let length = if self.has_infinity { self.word_length(0)? } else { 0 };
        match self.word(0, length) {
            "NaN" | "Infinity" => Ok(Kind::Null),
            _ => Err(self.not_a_value()),
        }
    }

    /// No value begins like what comes next.
    #[cold]
    pub(crate) fn not_a_value(&mut self) -> JsonError {
        let length = match self.word_length(0) {
            Ok(length) => length,
            Err(error) => return error,
        };
        match self.window.character(0) {
            Some('+' | '.') => self.unexpected("a value (a number begins with a digit or '-')"),
            Some(_) if length > 0 => self.unknown_word(0, length),
            _ => self.unexpected("a value"),
        }
    }

    /// A letter is behind the sign at the position.
    #[cold]
    pub(crate) fn not_a_number(&mut self) -> JsonError {
        match self.word_length(1) {
            Ok(length) if is_no_number(self.word(1, length)) => self.unknown_word(1, length),
            Ok(_) => self.unexpected_at(1, "a digit after '-'"),
            Err(error) => error,
        }
    }

    /// The word that comes next begins like true, false or null, but is something else.
    #[cold]
    pub(crate) fn not_a_literal(&mut self, length: usize) -> JsonError {
        let word = self.word(0, length);
        let whole = ["true", "false", "null"].into_iter().find(|whole| whole.starts_with(word));
        match (whole, self.byte(length)) {
            (_, Err(error)) => error,
            (Some(whole), Ok(None)) => self.ends_in(whole),
            _ => self.unknown_word(0, length),
        }
    }

    /// A word that is not a value is at the position, behind a sign or not.
    fn unknown_word(&mut self, sign: usize, length: usize) -> JsonError {
        let found = self.word(0, sign + length);
        let message = if is_no_number(self.word(sign, length)) {
            format!("JSON has no NaN or Infinity, found '{found}'")
        } else {
            format!("expected a value, found '{found}'")
        };
        self.error_at(0, message)
    }
}

/// Whether a word is how some writers spell a number that is none.
fn is_no_number(word: &str) -> bool {
    ["nan", "inf", "infinity"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

fn syntax(place: Place, message: String) -> JsonError {
    JsonError::Syntax { place, message }
}
