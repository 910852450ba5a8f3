//! Values as people read them, shared by the formats table, markdown and line.

use rusqlite::types::ValueRef;

use crate::hash::hex;
use crate::measurement::published::{self, Precision};

/// Whether a character of a text needs a backslash before it in some format.
pub type NeedsBackslash = fn(char) -> bool;

/// One column of a format for people.
#[derive(Debug)]
pub struct HumanColumn {
    /// The column's name, safe to show.
    pub name: String,
    precision: Precision,
    needs_backslash: NeedsBackslash,
}

impl HumanColumn {
    /// The column of this name.
    pub fn new(name: &str, needs_backslash: NeedsBackslash) -> Self {
        HumanColumn {
            name: safe(name, needs_backslash),
            precision: published::of(name),
            needs_backslash,
        }
    }

    /// A value of the column: figures in published precision, null empty, text safe to show.
    pub fn text(&self, value: ValueRef<'_>) -> String {
        match value {
            ValueRef::Null => String::new(),
            ValueRef::Integer(integer) => self.precision.integer_text(integer),
            ValueRef::Real(real) => self.precision.real_text(real),
            ValueRef::Text(text) => safe(&String::from_utf8_lossy(text), self.needs_backslash),
            ValueRef::Blob(bytes) => hex(bytes),
        }
    }

    /// Whether the value is read as a number in this column.
    pub fn is_number(&self, value: ValueRef<'_>) -> bool {
        self.precision != Precision::Boolean
            && matches!(value, ValueRef::Integer(_) | ValueRef::Real(_))
    }
}

/// No character needs a backslash.
pub fn no_backslash(_: char) -> bool {
    false
}

/// The text on one line, with nothing in it that a terminal acts on instead of showing.
fn safe(text: &str, needs_backslash: NeedsBackslash) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unseen(character) {
            shown.extend(character.escape_default());
        } else {
            if needs_backslash(character) {
                shown.push('\\');
            }
            shown.push(character);
        }
    }
    shown
}

/// Control characters, and those that break a line or turn its direction around.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::text;

    fn shown(value: ValueRef<'_>) -> String {
        HumanColumn::new("anything", no_backslash).text(value)
    }

    #[test]
    fn control_characters_are_shown_escaped() {
        assert_eq!(shown(text("\u{1b}[31mred")), r"\u{1b}[31mred");
        assert_eq!(shown(text("a\nb\r\tc")), r"a\nb\r\tc");
        assert_eq!(shown(text("\u{9b}2J\u{7f}\0")), r"\u{9b}2J\u{7f}\u{0}");
        assert_eq!(shown(text("abc\u{202e}fed")), r"abc\u{202e}fed");
    }

    #[test]
    fn letters_of_any_script_stay_as_they_are() {
        assert_eq!(shown(text("PixArt-Σ 模型 \"x\" \\ 'y'")), "PixArt-Σ 模型 \"x\" \\ 'y'");
    }

    #[test]
    fn bytes_that_are_no_text_are_marked() {
        assert_eq!(shown(ValueRef::Text(b"a\xffb")), "a\u{fffd}b");
    }

    #[test]
    fn null_is_empty_and_a_blob_is_hexadecimal() {
        assert_eq!(shown(ValueRef::Null), "");
        assert_eq!(shown(ValueRef::Blob(&[0xde, 0xad, 0x01])), "dead01");
    }

    #[test]
    fn the_name_of_a_column_is_shown_escaped_too() {
        assert_eq!(HumanColumn::new("a\u{1b}b", no_backslash).name, r"a\u{1b}b");
    }

    #[test]
    fn figures_have_the_precision_of_their_column() {
        let column = HumanColumn::new("median_itl_ms", no_backslash);
        assert_eq!(column.text(ValueRef::Real(383.25)), "383.2");
        assert_eq!(shown(ValueRef::Real(383.25)), "383.25");
    }
}
