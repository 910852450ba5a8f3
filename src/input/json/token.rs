//! Strings, numbers and words: the parts of a document that hold text.

use std::io::Read;
use std::ops::Range;

use super::{JsonReader, MAXIMUM_TOKEN, Scalar, scan};
use crate::input::json::error::Result;
use crate::input::json::scan::NumberFault;

/// How much of a word that is not JSON is worth showing.
const LONGEST_WORD: usize = 32;

/// The length of `\u` with its four digits.
const UNICODE_ESCAPE: usize = 6;

/// Where the text of a token is.
pub(crate) enum Token {
    /// In the window, as it is in the document.
    InWindow(Range<usize>),
    /// In the scratch string, decoded.
    InScratch,
}

impl<R: Read> JsonReader<R> {
    #[inline(always)]
    pub(crate) fn text(&self, token: Token) -> &str {
        match token {
            Token::InWindow(indices) => self.window.slice(indices),
            Token::InScratch => &self.scratch,
        }
    }

    /// Reads a string, whose opening quote comes next.
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Result<Token> {
        self.window.set_mark();
        let end = self.plain_end(1, 0)?;
        let indices = self.window.indices(1..end);
        if self.window.unread().get(end) == Some(&b'"') {
            self.window.advance(end + 1);
            return Ok(Token::InWindow(indices));
        }
        self.scratch.clear();
        self.scratch.push_str(self.window.slice(indices));
        self.window.advance(end);
        self.rest_of_string(end - 1)
    }

    /// Decodes a string from its first escape on; `length` bytes of it went before.
    fn rest_of_string(&mut self, mut length: usize) -> Result<Token> {
        loop {
            match self.byte(0)? {
                Some(b'"') => break,
                Some(b'\\') => length += self.escape()?,
                _ => return Err(self.control_character()),
            }
            let end = self.plain_end(0, length)?;
            self.scratch.push_str(self.window.slice(self.window.indices(0..end)));
            self.window.advance(end);
            length += end;
        }
        self.window.advance(1);
        Ok(Token::InScratch)
    }

    /// The offset at which text that stands for itself ends, in a string of which `length` bytes
    /// went before the start.
    #[inline(always)]
    fn plain_end(&mut self, start: usize, length: usize) -> Result<usize> {
        let unread = self.window.unread();
        let end = start + scan::plain_length(unread.get(start..).unwrap_or_default());
        if end < unread.len() && length + end - start <= MAXIMUM_TOKEN {
            return Ok(end);
        }
        self.plain_end_beyond(start, length)
    }

    #[cold]
    fn plain_end_beyond(&mut self, start: usize, length: usize) -> Result<usize> {
        loop {
            let unread = self.window.unread();
            let end = start + scan::plain_length(unread.get(start..).unwrap_or_default());
            let in_memory = end < unread.len();
            if length + end - start > MAXIMUM_TOKEN {
                return Err(self.too_long("a string"));
            }
            if in_memory {
                return Ok(end);
            }
            if !self.window.extend()? {
                return Err(self.ends_in("a string"));
            }
        }
    }

    /// Decodes the escape that comes next, and returns its length.
    fn escape(&mut self) -> Result<usize> {
        let (character, length) = match self.byte(1)? {
            Some(byte @ (b'"' | b'\\' | b'/')) => (char::from(byte), 2),
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'u') => self.unicode_escape()?,
            Some(_) => return Err(self.invalid_escape()),
            None => return Err(self.ends_in("a string")),
        };
        self.scratch.push(character);
        self.window.advance(length);
        Ok(length)
    }

    fn unicode_escape(&mut self) -> Result<(char, usize)> {
        let first = self.code_unit(2)?;
        if first == 0 {
            return Err(self.error_at(0, "NUL character in a string".to_owned()));
        }
        if let Some(character) = char::from_u32(first) {
            return Ok((character, UNICODE_ESCAPE));
        }
        if self.low_half_follows(first)? {
            let second = self.code_unit(UNICODE_ESCAPE + 2)?;
            if let Some(Ok(character)) = char::decode_utf16([first, second].map(low_bits)).next() {
                return Ok((character, 2 * UNICODE_ESCAPE));
            }
        }
        let message = format!("lone surrogate '\\u{first:04x}' in a string: half a character");
        Err(self.error_at(0, message))
    }

    /// Whether a code unit is the first half of a pair and one more escaped unit comes behind it.
    fn low_half_follows(&mut self, first: u32) -> Result<bool> {
        let is_high = first < 0xDC00;
        Ok(is_high
            && self.byte_of_string(UNICODE_ESCAPE)? == b'\\'
            && self.byte_of_string(UNICODE_ESCAPE + 1)? == b'u')
    }

    /// Four hexadecimal digits at an offset.
    fn code_unit(&mut self, start: usize) -> Result<u32> {
        let mut unit = 0;
        for offset in start..start + 4 {
            let byte = self.byte_of_string(offset)?;
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(self.unexpected_at(offset, "four hexadecimal digits after '\\u'"));
            };
            unit = unit * 16 + digit;
        }
        Ok(unit)
    }

    fn byte_of_string(&mut self, offset: usize) -> Result<u8> {
        match self.byte(offset)? {
            Some(byte) => Ok(byte),
            None => Err(self.ends_in("a string")),
        }
    }

    /// Reads a number, whose sign or first digit comes next.
    #[inline(always)]
    pub(crate) fn number(&mut self) -> Result<Token> {
        let end = match scan::number(self.window.unread(), false) {
            Ok(end) if end <= MAXIMUM_TOKEN => end,
            _ => self.number_beyond()?,
        };
        let indices = self.window.indices(0..end);
        self.window.advance(end);
        Ok(Token::InWindow(indices))
    }

    /// The length of the number that comes next, which is wrong or not wholly in memory.
    #[cold]
    fn number_beyond(&mut self) -> Result<usize> {
        let mut ended = false;
        loop {
            let unread = self.window.unread();
            match scan::number(unread, ended) {
                Ok(end) if end <= MAXIMUM_TOKEN => return Ok(end),
                Err(NumberFault::Cut) if unread.len() <= MAXIMUM_TOKEN => {
                    if ended {
                        return Err(self.ends_in("a number"));
                    }
                    ended = !self.window.extend()?;
                }
                Ok(_) | Err(NumberFault::Cut) => return Err(self.too_long("a number")),
                Err(NumberFault::LeadingZero(offset)) => {
                    let message = "a number may not have leading zeros".to_owned();
                    return Err(self.error_at(offset, message));
                }
                Err(NumberFault::NoDigit(1, _)) => return Err(self.not_a_number()),
                Err(NumberFault::NoDigit(offset, part)) => {
                    return Err(self.unexpected_at(offset, &format!("a digit {part}")));
                }
            }
        }
    }

    /// Reads true, false or null, whose first letter comes next.
    pub(crate) fn literal(&mut self) -> Result<Scalar<'static>> {
        let length = self.word_length(0)?;
        let scalar = match self.word(0, length) {
            "true" => Scalar::Boolean(true),
            "false" => Scalar::Boolean(false),
            "null" => Scalar::Null,
            "NaN" | "Infinity" if self.has_infinity => Scalar::Null,
            _ => return Err(self.not_a_literal(length)),
        };
        self.window.advance(length);
        Ok(scalar)
    }

    /// The length of the run of letters and digits at an offset, as far as is worth showing.
    pub(crate) fn word_length(&mut self, start: usize) -> Result<usize> {
        let mut length = 0;
        while length < LONGEST_WORD
            && let Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') =
                self.byte(start + length)?
        {
            length += 1;
        }
        Ok(length)
    }

    pub(crate) fn word(&self, start: usize, length: usize) -> &str {
        self.window.slice(self.window.indices(start..start + length))
    }
}

/// A code unit in the width that decoding takes; four hexadecimal digits always fit.
fn low_bits(unit: u32) -> u16 {
    (unit & 0xFFFF) as u16
}
