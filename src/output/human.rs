//! Values as people read them, shared by the formats table, markdown and line.

use rusqlite::types::ValueRef;

use crate::hash::hex;
use crate::measurement::published::{self, Precision};
use crate::text::printable;

/// Writes text so that a format shows it as it is.
pub type Escape = fn(&str) -> String;

/// A format that shows every text as it is.
pub fn as_it_is(text: &str) -> String {
    text.to_owned()
}

/// One column of a format for people.
#[derive(Debug)]
pub struct HumanColumn {
    /// The column's name, safe to show.
    pub name: String,
    precision: Precision,
    escape: Escape,
}

impl HumanColumn {
    /// The column of this name.
    pub fn new(name: &str, escape: Escape) -> Self {
        HumanColumn { name: printable(&escape(name)), precision: published::of(name), escape }
    }

    /// A value of the column: figures in published precision, null empty, text safe to show.
    pub fn text(&self, value: ValueRef<'_>) -> String {
        match value {
            ValueRef::Null => String::new(),
            ValueRef::Integer(integer) => self.precision.integer_text(integer),
            ValueRef::Real(real) => self.precision.real_text(real),
            ValueRef::Text(text) => printable(&(self.escape)(&String::from_utf8_lossy(text))),
            ValueRef::Blob(bytes) => hex(bytes),
        }
    }

    /// Whether the value is read as a number in this column.
    pub fn is_number(&self, value: ValueRef<'_>) -> bool {
        self.precision != Precision::Boolean
            && matches!(value, ValueRef::Integer(_) | ValueRef::Real(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::text;

    fn shown(value: ValueRef<'_>) -> String {
        HumanColumn::new("anything", as_it_is).text(value)
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
        assert_eq!(HumanColumn::new("a\u{1b}b", as_it_is).name, r"a\u{1b}b");
    }

    #[test]
    fn figures_have_the_precision_of_their_column() {
        let column = HumanColumn::new("median_itl_ms", as_it_is);
        assert_eq!(column.text(ValueRef::Real(383.25)), "383.2");
        assert_eq!(shown(ValueRef::Real(383.25)), "383.25");
    }
}
