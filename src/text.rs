//! Text for people. Text from outside is made printable, so that it stays on its line and cannot control a
//! terminal.

use crate::embedded::HIDDEN;

/// Whether a character is not seen, or changes how others are.
pub fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    let following = HIDDEN.partition_point(|(_, last)| *last < character);
    HIDDEN.get(following).is_some_and(|(first, _)| *first <= character)
}

/// Text on one line, whatever it contains.
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    push_printable(&mut printable, text, |_| false);
    printable
}

/// Text of several lines, which breaks only where it says so.
pub fn printable_lines(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    push_printable(&mut printable, text, |character| matches!(character, '\n' | '\t'));
    printable
}

fn push_printable(printable: &mut String, text: &str, is_kept: impl Fn(char) -> bool) {
    // Nearly all text is such, and at once.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return printable.push_str(text);
    }
    for character in text.chars() {
        if is_hidden(character) && !is_kept(character) {
            printable.extend(character.escape_default());
        } else {
            printable.push(character);
        }
    }
}

/// Text broken at its blanks into lines of at most this many columns; a longer word is broken
/// anywhere.
pub fn folded(text: &str, width: usize) -> Vec<String> {
    use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.width() + 1 + word.width() > width {
            lines.push(std::mem::take(&mut line));
        } else if !line.is_empty() {
            line.push(' ');
        }
        for character in word.chars() {
            if line.width() + character.width().unwrap_or(0) > width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line);
    lines
}

/// Text as it is written in HTML, within an element or a quoted attribute.
pub fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A template with values in the places of their names. A value is taken as it is, whatever it contains.
pub fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        page.push_str(before);
        let known = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        match known {
            Some((value, after)) => {
                page.push_str(value);
                rest = after;
            }
            None => {
                page.push('{');
                rest = after;
            }
        }
    }
    page + rest
}

/// Characters of the longest text that a message repeats.
const LONGEST: usize = 300;

/// The beginning of a text that is too long for a message.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Joins each paragraph into one line, so that it can be folded to any width. Indented lists and examples do
/// not change.
pub fn paragraphs(text: &str) -> String {
    let paragraph = |block: &str| {
        let is_laid_out = block.lines().any(|line| line.starts_with([' ', '\t']));
        if is_laid_out { block.to_owned() } else { block.lines().collect::<Vec<_>>().join(" ") }
    };
    text.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n")
}

/// A number of things, of which one has no `s` at its end.
pub fn counted(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_one_line_and_a_list_stays() {
        assert_eq!(paragraphs("a\nb\n\nList:\n  c\n  d\n\ne"), "a b\n\nList:\n  c\n  d\n\ne");
    }

    #[test]
    fn text_stays_on_its_line_and_keeps_what_can_be_seen() {
        assert_eq!(printable("a  Σ/é'\"\\b"), "a  Σ/é'\"\\b");
        assert_eq!(printable("模型 e\u{301} 🙂 °"), "模型 e\u{301} 🙂 °");
        assert_eq!(printable("a\nb\x1b[2J\u{202e}"), "a\\nb\\u{1b}[2J\\u{202e}");
        assert_eq!(printable_lines("a\n\tb\r\x1b"), "a\n\tb\\r\\u{1b}");
    }

    #[test]
    fn characters_that_nobody_sees_are_hidden() {
        for code in [
            0x0, 0x1b, 0x7f, 0x85, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e,
            0x200b, 0x200e, 0x2028, 0x2029, 0x202e, 0x2060, 0x2066, 0x2800, 0x3000, 0x3164, 0xfe00,
            0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffe, 0xffff, 0x1fffe, 0xe0001, 0xe0041, 0xe0100,
            0x10ffff,
        ] {
            let character = char::from_u32(code).unwrap();
            assert!(is_hidden(character), "U+{code:04X}");
        }
        assert!(!(' '..='~').any(is_hidden));
        assert!(!"éΣ模가أ🙂\u{301}—·…°".chars().any(is_hidden));
    }

    #[test]
    fn text_is_broken_at_blanks_and_only_a_long_word_within() {
        assert_eq!(folded("one two three", 7), ["one two", "three"]);
        assert_eq!(folded("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(folded("模型模型", 5), ["模型", "模型"]);
        assert_eq!(folded("", 5), [""]);
    }
}
