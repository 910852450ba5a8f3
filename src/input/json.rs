//! A strict streaming JSON reader: the caller reads one key, value or bracket at a time.
//!
//! It accepts a JSON text as RFC 8259 defines it, in UTF-8, with four limits:
//!
//! - A string contains no NUL character, not even an escaped one.
//! - A string contains no escaped half of a surrogate pair.
//! - Nesting has at most [`MAXIMUM_DEPTH`] levels.
//! - Keys, strings and numbers have at most [`MAXIMUM_TOKEN`] bytes.
//!
//! Memory use does not depend on the length of the document.

mod buffer;
mod error;
mod messages;
mod repeated;
mod scan;
#[cfg(test)]
mod tests;
mod token;

use std::fmt;
use std::io::Read;

use crate::input::json::buffer::Window;
pub use crate::input::json::error::{JsonError, Place, Result};
pub use crate::input::json::repeated::Passage;
use crate::input::json::token::Token;

/// How many containers may be open at once.
pub const MAXIMUM_DEPTH: usize = 128;

/// How many bytes of the document a key, string (without its quotes) or number may take.
pub const MAXIMUM_TOKEN: usize = 1 << 20;

/// Large enough to make reads rare, small enough to stay in a processor's cache.
const WINDOW_CAPACITY: usize = 64 * 1024;

/// The kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Keys with values, in braces.
    Object,
    /// Values in brackets.
    Array,
    /// A string.
    Text,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// Null.
    Null,
}

impl Kind {
    /// The kind of the value that begins with a byte.
    ///
    /// Strings and numbers, which most values are, are asked about first.
    #[inline(always)]
    fn of(first: u8) -> Option<Self> {
        if first == b'"' {
            return Some(Self::Text);
        }
        if first.is_ascii_digit() || first == b'-' {
            return Some(Self::Number);
        }
        match first {
            b'{' => Some(Self::Object),
            b'[' => Some(Self::Array),
            b't' | b'f' => Some(Self::Boolean),
            b'n' => Some(Self::Null),
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Object => "an object",
            Self::Array => "an array",
            Self::Text => "a string",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::Null => "null",
        })
    }
}

/// A value that contains no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar<'a> {
    /// A number, as it is written in the document.
    Number(&'a str),
    /// A string, decoded.
    Text(&'a str),
    /// True or false.
    Boolean(bool),
    /// Null.
    Null,
}

/// A container that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    Object,
    Array,
}

impl Container {
    fn kind(self) -> Kind {
        match self {
            Self::Object => Kind::Object,
            Self::Array => Kind::Array,
        }
    }

    fn closing(self) -> u8 {
        match self {
            Self::Object => b'}',
            Self::Array => b']',
        }
    }
}

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// A value must come.
    ValueDue,
    /// The innermost container was just opened.
    Opened,
    /// A value has just ended.
    ValueDone,
}

/// Reads a JSON document piece by piece.
///
/// Every method that reads skips the white space before what it reads. Once a method has returned
/// an error, what further calls return is of no use.
pub struct JsonReader<R> {
    window: Window<R>,
    scratch: String,
    open: Vec<Container>,
    state: State,
    has_infinity: bool,
}

impl<R> JsonReader<R> {
    /// Also reads `NaN` and `Infinity`, which JSON has not but Python writes, as null.
    pub fn with_infinity(self) -> Self {
        Self { has_infinity: true, ..self }
    }

    /// The input, of which more may have been read than was asked for.
    pub fn get_ref(&self) -> &R {
        self.window.input()
    }

    /// Gives the input back, of which more may have been read than was asked for.
    pub fn into_inner(self) -> R {
        self.window.into_input()
    }

    /// The place of the next unread byte: right after a [`peek`](Self::peek), of the value to come.
    pub fn place(&mut self) -> Place {
        self.window.place(0)
    }

    /// The place at which the last key, scalar or container that was read begins.
    ///
    /// After a [`skip`](Self::skip) of a container this is some part of it.
    pub fn token_place(&mut self) -> Place {
        self.window.mark_place()
    }
}

impl<R: Read> JsonReader<R> {
    /// Starts reading a document; a byte-order mark at its start is ignored.
    pub fn new(input: R) -> Self {
        Self::with_capacity(input, WINDOW_CAPACITY)
    }

    fn with_capacity(input: R, capacity: usize) -> Self {
        Self {
            window: Window::new(input, capacity),
            scratch: String::new(),
            open: Vec::new(),
            state: State::ValueDue,
            has_infinity: false,
        }
    }

    /// Tells the kind of the value that comes next, from its first character.
    ///
    /// # Errors
    ///
    /// When no value comes next, and when the input cannot be read.
    #[inline(always)]
    pub fn peek(&mut self) -> Result<Kind> {
        let byte = self.next_byte()?;
        if self.state != State::ValueDue {
            return Err(self.out_of_place());
        }
        match byte.and_then(Kind::of) {
            Some(kind) => Ok(kind),
            None => self.other_kind(),
        }
    }

    /// Enters the object that comes next.
    ///
    /// # Errors
    ///
    /// When something else comes next, when too many containers are open, and when the input
    /// cannot be read.
    pub fn begin_object(&mut self) -> Result<()> {
        self.begin(Container::Object)
    }

    /// Reads the next key of the innermost container, an object, with the colon behind it; `None`
    /// when the object ended instead. The value of the key is to be read next.
    ///
    /// # Errors
    ///
    /// When the text is wrong, when the innermost container is no object or the value of its last
    /// key was not read, and when the input cannot be read.
    pub fn next_key(&mut self) -> Result<Option<&str>> {
        let key = self.next_key_token()?;
        Ok(key.map(|key| self.text(key)))
    }

    #[inline(always)]
    fn next_key_token(&mut self) -> Result<Option<Token>> {
        let expected = match self.state {
            State::Opened => "a key in double quotes or '}'",
            _ => "a key in double quotes",
        };
        match self.next_item(Container::Object)? {
            Some(b'"') => {}
            Some(_) => return Err(self.unexpected(expected)),
            None => return Ok(None),
        }
        let key = self.string()?;
        let key = self.colon(key)?;
        self.state = State::ValueDue;
        Ok(Some(key))
    }

    /// Enters the array that comes next.
    ///
    /// # Errors
    ///
    /// As [`begin_object`](Self::begin_object).
    pub fn begin_array(&mut self) -> Result<()> {
        self.begin(Container::Array)
    }

    /// Tells whether the innermost container, an array, has one more element, which is to be read
    /// next; `false` when the array ended instead.
    ///
    /// # Errors
    ///
    /// When the text is wrong, when the innermost container is no array or its last element was
    /// not read, and when the input cannot be read.
    pub fn next_element(&mut self) -> Result<bool> {
        let more = self.next_item(Container::Array)?.is_some();
        if more {
            self.state = State::ValueDue;
        }
        Ok(more)
    }

    /// Reads the value that comes next, which is not a container.
    ///
    /// # Errors
    ///
    /// When the text is wrong or a container comes next, and when the input cannot be read.
    pub fn scalar(&mut self) -> Result<Scalar<'_>> {
        let kind = self.peek()?;
        self.window.set_mark();
        self.state = State::ValueDone;
        match kind {
            Kind::Text => {
                let token = self.string()?;
                Ok(Scalar::Text(self.text(token)))
            }
            Kind::Number => {
                let token = self.number()?;
                Ok(Scalar::Number(self.text(token)))
            }
            Kind::Boolean | Kind::Null => self.literal(),
            Kind::Object | Kind::Array => {
                let expected = "a string, a number, true, false or null";
                Err(self.error_at(0, format!("expected {expected}, found {kind}")))
            }
        }
    }

    /// Reads over the value that comes next, whatever it is, and checks its syntax; keys may
    /// repeat.
    ///
    /// # Errors
    ///
    /// When the text is wrong, and when the input cannot be read.
    pub fn skip(&mut self) -> Result<()> {
        let outside = self.open.len();
        loop {
            match self.peek()? {
                Kind::Object => self.begin_object()?,
                Kind::Array => self.begin_array()?,
                _ => {
                    self.scalar()?;
                }
            }
            loop {
                if self.open.len() == outside {
                    return Ok(());
                }
                let more = match self.open.last() {
                    Some(Container::Object) => self.next_key()?.is_some(),
                    _ => self.next_element()?,
                };
                if more {
                    break;
                }
            }
        }
    }

    /// Checks that the document ends here.
    ///
    /// # Errors
    ///
    /// When anything but white space follows, when no value was read or a container is open, and
    /// when the input cannot be read.
    pub fn finish(&mut self) -> Result<()> {
        let byte = self.next_byte()?;
        if byte.is_none() && self.open.is_empty() && self.state == State::ValueDone {
            return Ok(());
        }
        Err(self.out_of_place())
    }

    /// Whether another document follows in the same text, which is read next.
    ///
    /// # Errors
    ///
    /// When no value was read or a container is open, and when the input cannot be read.
    pub fn begins_again(&mut self) -> Result<bool> {
        if self.next_byte()?.is_none() {
            return self.finish().map(|()| false);
        }
        if !self.open.is_empty() || self.state != State::ValueDone {
            return Err(self.out_of_place());
        }
        self.state = State::ValueDue;
        Ok(true)
    }

    fn begin(&mut self, container: Container) -> Result<()> {
        let kind = self.peek()?;
        if kind != container.kind() {
            return Err(self.error_at(0, format!("expected {}, found {kind}", container.kind())));
        }
        if self.open.len() == MAXIMUM_DEPTH {
            return Err(self.too_deep());
        }
        self.window.set_mark();
        self.window.advance(1);
        self.open.push(container);
        self.state = State::Opened;
        Ok(())
    }

    /// Reads what is between the items of the innermost container, and returns the first byte
    /// of the next item, which stays unread; `None` when the container ended.
    #[inline(always)]
    fn next_item(&mut self, container: Container) -> Result<Option<u8>> {
        let byte = self.next_byte()?;
        if self.open.last() != Some(&container) {
            return Err(self.not_inside(container));
        }
        match (byte, self.state) {
            (Some(b','), State::ValueDone) => {
                self.window.advance(1);
                match self.next_byte()? {
                    Some(byte) if byte == container.closing() => Err(self.trailing_comma()),
                    Some(byte) => Ok(Some(byte)),
                    None => Err(self.unexpected_end()),
                }
            }
            (Some(byte), State::ValueDone | State::Opened) if byte == container.closing() => {
                self.window.advance(1);
                self.open.pop();
                self.state = State::ValueDone;
                Ok(None)
            }
            (Some(_), State::Opened) => Ok(byte),
            _ => Err(self.out_of_place()),
        }
    }

    /// Reads the colon behind a key, and keeps the key at hand.
    #[inline(always)]
    fn colon(&mut self, key: Token) -> Result<Token> {
        if self.window.unread().first() == Some(&b':') {
            self.window.advance(1);
            return Ok(key);
        }
        self.colon_apart(key)
    }

    fn colon_apart(&mut self, key: Token) -> Result<Token> {
        // Looking further for the colon may drop the key from the window.
        if let Token::InWindow(indices) = key {
            self.scratch.clear();
            self.scratch.push_str(self.window.slice(indices));
        }
        if self.next_byte()? != Some(b':') {
            return Err(self.unexpected("':' after the key"));
        }
        self.window.advance(1);
        Ok(Token::InScratch)
    }

    /// Skips white space; the byte behind it stays unread. `None` at the end of the document.
    #[inline(always)]
    fn next_byte(&mut self) -> Result<Option<u8>> {
        let unread = self.window.unread();
        let length = match unread.first() {
            Some(byte) if *byte > b' ' => 0,
            _ => scan::blank_length(unread),
        };
        let byte = unread.get(length).copied();
        self.window.advance(length);
        if byte.is_some() { Ok(byte) } else { self.next_byte_beyond() }
    }

    #[cold]
    fn next_byte_beyond(&mut self) -> Result<Option<u8>> {
        while self.window.extend()? {
            let unread = self.window.unread();
            let length = scan::blank_length(unread);
            let byte = unread.get(length).copied();
            self.window.advance(length);
            if byte.is_some() {
                return Ok(byte);
            }
        }
        Ok(None)
    }

    /// The byte at an offset from the position; `None` at the end of the document.
    fn byte(&mut self, offset: usize) -> Result<Option<u8>> {
        loop {
            let byte = self.window.unread().get(offset).copied();
            if byte.is_some() || !self.window.extend()? {
                return Ok(byte);
            }
        }
    }
}
