//! The part of a document that is in memory: checked text, a read position and its place.

use std::io::{ErrorKind, Read};
use std::ops::Range;

use crate::input::json::error::{JsonError, Place, Result};

/// A character takes at most four bytes, so a smaller buffer might never complete one.
const SMALLEST_CAPACITY: usize = 4;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What follows the text in memory.
#[derive(Clone, Copy)]
enum Beyond {
    /// Bytes that were not read yet, if any.
    Unknown,
    /// The end of the document.
    End,
    /// Bytes that are not UTF-8.
    Invalid,
    /// The first bytes of a character, then the end of the document.
    CutCharacter,
}

/// A sliding window over a document.
///
/// Bytes become text once, a buffer at a time, so that taking a token out of the text costs no
/// second check. What lies before the position is dropped only by [`Window::extend`]: until then
/// indices into the text stay valid.
pub(crate) struct Window<R> {
    input: R,
    /// Where bytes are read to; its first `pending` bytes begin a character.
    raw: Box<[u8]>,
    pending: usize,
    text: String,
    /// The index of the next unread byte of the text.
    position: usize,
    /// The index of the first byte whose line and column are known.
    counted: usize,
    counted_place: Place,
    /// The index at which the last token began, never before `counted`.
    mark: usize,
    /// The place of the mark, once its text was dropped.
    dropped_mark: Option<Place>,
    at_start: bool,
    beyond: Beyond,
    extensions: u64,
}

impl<R: Read> Window<R> {
    pub(crate) fn new(input: R, capacity: usize) -> Self {
        Self {
            input,
            raw: vec![0; capacity.max(SMALLEST_CAPACITY)].into_boxed_slice(),
            pending: 0,
            text: String::new(),
            position: 0,
            counted: 0,
            counted_place: Place { line: 1, column: 1 },
            mark: 0,
            dropped_mark: None,
            at_start: true,
            beyond: Beyond::Unknown,
            extensions: 0,
        }
    }

    /// Reads more of the document behind the text in memory and drops what was read before.
    ///
    /// Returns whether there is more. The unread text at least doubles unless the document ends:
    /// beginning a token anew after each call still takes time in proportion to its length.
    pub(crate) fn extend(&mut self) -> Result<bool> {
        self.extensions += 1;
        self.drop_read_text();
        let before = self.text.len();
        while self.text.len() < (2 * before).max(1) {
            match self.beyond {
                Beyond::Unknown => self.fill()?,
                _ if self.text.len() > before => break,
                Beyond::End => return Ok(false),
                Beyond::Invalid => return Err(self.error_at_end("invalid UTF-8")),
                Beyond::CutCharacter => {
                    let message = "invalid UTF-8: the document ends in the middle of a character";
                    return Err(self.error_at_end(message));
                }
            }
        }
        Ok(true)
    }

    fn error_at_end(&mut self, message: &str) -> JsonError {
        let place = self.place_of(self.text.len());
        JsonError::Syntax { place, message: message.to_owned() }
    }

    fn fill(&mut self) -> Result<()> {
        let count = self.read()?;
        if count == 0 {
            self.beyond = if self.pending == 0 { Beyond::End } else { Beyond::CutCharacter };
            return Ok(());
        }
        let filled = (self.pending + count).min(self.raw.len());
        let bytes = self.raw.get(..filled).unwrap_or_default();
        self.pending = 0;
        match std::str::from_utf8(bytes) {
            Ok(text) => self.text.push_str(text),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                self.text.push_str(std::str::from_utf8(valid).unwrap_or_default());
                if error.error_len().is_some() {
                    self.beyond = Beyond::Invalid;
                } else {
                    self.pending = rest.len();
                    self.raw.copy_within(error.valid_up_to()..filled, 0);
                }
            }
        }
        self.remove_byte_order_mark();
        Ok(())
    }

    fn read(&mut self) -> Result<usize> {
        let room = self.raw.get_mut(self.pending..).unwrap_or_default();
        loop {
            match self.input.read(room) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => return result.map_err(JsonError::Read),
            }
        }
    }

    fn remove_byte_order_mark(&mut self) {
        if self.at_start && !self.text.is_empty() {
            self.at_start = false;
            if self.text.starts_with(BYTE_ORDER_MARK) {
                self.text.drain(..BYTE_ORDER_MARK.len());
            }
        }
    }

    fn drop_read_text(&mut self) {
        if self.position == 0 {
            return;
        }
        if self.mark < self.position {
            self.dropped_mark = Some(self.mark_place());
            self.mark = self.position;
        }
        self.count_to(self.position);
        self.text.drain(..self.position);
        self.position = 0;
        self.counted = 0;
        self.mark = 0;
    }
}

impl<R> Window<R> {
    pub(crate) fn input(&self) -> &R {
        &self.input
    }

    pub(crate) fn into_input(self) -> R {
        self.input
    }

    /// The text in memory that was not read yet.
    #[inline]
    pub(crate) fn unread(&self) -> &[u8] {
        self.text.as_bytes().get(self.position..).unwrap_or_default()
    }

    /// The character that begins at an offset from the position, if it is in memory.
    pub(crate) fn character(&self, offset: usize) -> Option<char> {
        self.text.get(self.position + offset..)?.chars().next()
    }

    /// Moves the position over bytes that are in memory.
    #[inline]
    pub(crate) fn advance(&mut self, count: usize) {
        self.position = (self.position + count).min(self.text.len());
    }

    /// The index of the next unread byte, for [`Window::slice`] until more is read.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// How many times more was read, which makes indices invalid.
    pub(crate) fn extensions(&self) -> u64 {
        self.extensions
    }

    /// The indices of a part of the unread text, for [`Window::slice`].
    #[inline]
    pub(crate) fn indices(&self, offsets: Range<usize>) -> Range<usize> {
        self.position + offsets.start..self.position + offsets.end
    }

    /// A part of the text; tokens begin and end between characters.
    #[inline]
    pub(crate) fn slice(&self, indices: Range<usize>) -> &str {
        self.text.get(indices).unwrap_or_default()
    }

    /// Remembers the position as the start of a token.
    #[inline]
    pub(crate) fn set_mark(&mut self) {
        self.mark = self.position;
        self.dropped_mark = None;
    }

    /// The place that was marked last.
    pub(crate) fn mark_place(&mut self) -> Place {
        self.dropped_mark.unwrap_or_else(|| self.place_of(self.mark))
    }

    /// The place of the byte at an offset from the position.
    pub(crate) fn place(&mut self, offset: usize) -> Place {
        self.place_of(self.position + offset)
    }

    /// The place of an index that is not before the mark.
    fn place_of(&mut self, index: usize) -> Place {
        // Remembering the count as far as no one asks for an earlier place keeps a caller that
        // asks often from counting the same text again each time.
        self.count_to(self.mark);
        let bytes = self.text.as_bytes().get(self.counted..index).unwrap_or_default();
        place_after(self.counted_place, bytes)
    }

    fn count_to(&mut self, index: usize) {
        let bytes = self.text.as_bytes().get(self.counted..index).unwrap_or_default();
        self.counted_place = place_after(self.counted_place, bytes);
        self.counted = index;
    }
}

/// The place that follows some bytes of text.
fn place_after(start: Place, bytes: &[u8]) -> Place {
    let lines = count(bytes, |byte| byte == b'\n');
    // Looking for the last line feed goes byte by byte: not where there is none.
    let last = if lines == 0 { None } else { bytes.iter().rposition(|byte| *byte == b'\n') };
    let (column, line_start) = last.map_or((start.column, 0), |index| (1, index + 1));
    let tail = bytes.get(line_start..).unwrap_or_default();
    let characters = count(tail, |byte| byte & 0b1100_0000 != 0b1000_0000);
    Place { line: start.line + lines, column: column + characters }
}

/// Counts the bytes that match, in runs short enough for a sum in one byte, which is fast.
fn count(bytes: &[u8], matches: impl Fn(u8) -> bool) -> u64 {
    let in_run = |run: &[u8]| run.iter().map(|byte| u8::from(matches(*byte))).sum::<u8>();
    bytes.chunks(usize::from(u8::MAX)).map(|run| u64::from(in_run(run))).sum()
}
