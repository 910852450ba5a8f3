//! Text that people are shown: what comes from outside stays on its line and does nothing to a terminal.

/// Whether a character is not seen, or changes how others are.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Text on one line, whatever it holds.
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            printable.extend(character.escape_default());
        } else {
            printable.push(character);
        }
    }
    printable
}

/// A number of things, of which one has no `s` at its end.
pub fn counted(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_on_its_line_and_keeps_what_can_be_seen() {
        assert_eq!(printable("a  Σ/é'\"\\b"), "a  Σ/é'\"\\b");
        assert_eq!(printable("a\nb\x1b[2J\u{202e}"), "a\\nb\\u{1b}[2J\\u{202e}");
    }
}
