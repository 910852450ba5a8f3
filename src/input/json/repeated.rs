//! Skips keys and strings that are written exactly as before, which are most of a long document. Comparing
//! text is faster than reading it.

use std::io::Read;

use super::{Container, JsonReader, Result, State, scan};

/// The text that led from one value of an object to the value of the next key, or from the brace
/// to the first: comma, white space, key, colon.
#[derive(Debug, Default)]
pub struct Passage {
    text: Vec<u8>,
    from: Option<State>,
}

impl<R: Read> JsonReader<R> {
    /// Reads the next key, as [`next_key`](Self::next_key) does, and learns the passage to its
    /// value.
    ///
    /// # Errors
    ///
    /// As [`next_key`](Self::next_key).
    pub fn next_key_learning(&mut self, passage: &mut Passage) -> Result<Option<&str>> {
        let (from, start, extensions) =
            (self.state, self.window.position(), self.window.extensions());
        passage.from = None;
        let Some(key) = self.next_key_token()? else { return Ok(None) };
        // Where more of the document was read meanwhile, the text is not there to be learned.
        if self.window.extensions() == extensions {
            let blank = scan::blank_length(self.window.unread());
            self.window.advance(blank);
            let text = self.window.slice(start..self.window.position());
            passage.text.clear();
            passage.text.extend_from_slice(text.as_bytes());
            passage.from = Some(from);
        }
        Ok(Some(self.text(key)))
    }

    /// Passes over the string that comes next where it is written as `quoted`, a string with its
    /// quotes and without escapes. Otherwise nothing is read.
    #[inline]
    pub fn passes_string(&mut self, quoted: &str) -> bool {
        let is_same = !quoted.is_empty()
            && self.state == State::ValueDue
            && self.window.unread().starts_with(quoted.as_bytes());
        if is_same {
            self.window.advance(quoted.len());
            self.state = State::ValueDone;
        }
        is_same
    }

    /// Passes over the next key where it is written as it was when the passage was learned; the
    /// value of the key is to be read next. Otherwise nothing is read.
    #[inline]
    pub fn passes(&mut self, passage: &Passage) -> bool {
        let is_same = passage.from == Some(self.state)
            && self.open.last() == Some(&Container::Object)
            && self.window.unread().starts_with(&passage.text);
        if is_same {
            self.window.advance(passage.text.len());
            self.state = State::ValueDue;
        }
        is_same
    }
}
