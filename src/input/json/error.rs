//! What can go wrong while a document is read, and where.

use std::fmt;

/// A place in a document, for people: both numbers start at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line; only a line feed starts a new one.
    pub line: u64,
    /// The column, counted in characters (not bytes).
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}", self.line, self.column)
    }
}

/// Why a document could not be read.
#[derive(Debug)]
pub enum JsonError {
    /// The text is not JSON, or not the JSON that was asked for.
    Syntax {
        /// The offending character, or the start of the offending token.
        place: Place,
        /// One line in lower case: what is wrong, what was expected, what was found.
        message: String,
    },
    /// The input could not be read.
    Read(std::io::Error),
}

impl fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { place, message } => write!(formatter, "{place}: {message}"),
            Self::Read(error) => write!(formatter, "cannot read the document: {error}"),
        }
    }
}

impl std::error::Error for JsonError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax { .. } => None,
            Self::Read(error) => Some(error),
        }
    }
}

/// The result of reading a part of a document.
pub type Result<T> = std::result::Result<T, JsonError>;

/// Shows a character of the document on one line, whatever it is.
pub(crate) fn describe(character: char) -> String {
    match character {
        '\0' => "a NUL character".to_owned(),
        '\'' => "\"'\"".to_owned(),
        '"' | '\\' => format!("'{character}'"),
        _ => format!("'{}'", character.escape_debug()),
    }
}
