//! How a name looks. Two names that look the same would be two GPUs or two models, and an answer for one of
//! them would lack the rows of the other.

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use crate::embedded::{SKELETON_TEXT, SKELETONS};

/// A name without differences that people overlook: upper and lower case, wide and other forms of a
/// character, and look-alike letters of another script. Two names look alike if their results are equal.
pub fn look(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let mut look = String::with_capacity(name.len());
    for character in name.nfkc() {
        if character.is_ascii() {
            look.push(character);
        } else {
            // For Unicode 0 and O, or 1 and l, look alike too, but ASCII names may differ in them.
            let upper: String = character.to_uppercase().collect();
            look.push_str(&skeleton(&upper));
        }
    }
    look.to_lowercase()
}

/// The skeleton of a text, as Unicode defines it (UTS 39, section 4). Two texts with one skeleton look alike.
/// The table has no pointers, because each start of the program would have to write them.
fn skeleton(text: &str) -> String {
    let mut shapes = String::with_capacity(text.len());
    for character in text.nfd() {
        match SKELETONS.binary_search_by_key(&character, |(of, ..)| *of) {
            Ok(at) => {
                let (_, start, length) = SKELETONS[at];
                shapes.push_str(&SKELETON_TEXT[start.into()..][..length.into()]);
            }
            Err(_) => shapes.push(character),
        }
    }
    shapes.nfd().collect()
}

/// Whether each letter with an accent is one character, if Unicode has such a character. Otherwise one name
/// could have different bytes.
pub fn is_composed(name: &str) -> bool {
    name.is_ascii() || is_nfc(name)
}

#[cfg(test)]
mod tests {
    use unicode_security::confusable_detection;

    use super::*;

    #[test]
    fn the_skeleton_of_every_character_is_that_of_unicode() {
        for character in '\0'..=char::MAX {
            let text = format!("A{character}\u{301}");
            let expected: String = confusable_detection::skeleton(&text).collect();
            assert_eq!(skeleton(&text), expected, "{character:?}");
        }
    }

    #[test]
    fn names_that_nobody_can_tell_apart_look_alike() {
        for (one, other) in [
            ("B200", "b200"),
            ("B200", "\u{ff22}200"),
            ("B200", "\u{412}200"),
            ("H100", "\u{397}100"),
            ("Modèle", "Mode\u{300}le"),
            ("PixArt-Σ", "pixart-σ"),
        ] {
            assert_eq!(look(one), look(other), "{one} {other}");
        }
        for (one, other) in
            [("B200", "B300"), ("whisper-1", "whisper-l"), ("A10", "A1O"), ("PixArt", "PixArt-Σ")]
        {
            assert_ne!(look(one), look(other), "{one} {other}");
        }
    }

    #[test]
    fn an_accent_belongs_to_its_letter() {
        assert!(is_composed("Modèle"));
        assert!(!is_composed("Mode\u{300}le"));
    }
}
