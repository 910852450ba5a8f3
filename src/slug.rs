//! Slugs: the names of models and tasks in queries, row ids and file names.

/// The slug that no model may have, because it is the name of an export's index.
pub const INDEX: &str = "index";

/// The slug of a display name: lower case, every run of characters other than a–z and 0–9 one
/// hyphen, none at the ends. Empty when the name has none of those characters.
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for character in name.chars().flat_map(char::to_lowercase) {
        if character.is_ascii_lowercase() || character.is_ascii_digit() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    if slug.ends_with('-') {
        slug.pop();
    }
    slug
}

/// Names of devices on Windows, which cannot be file names with any ending. Those of serial and parallel ports
/// end with a digit.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];
const PORTS: [&str; 2] = ["com", "lpt"];

/// Whether a text is a slug that is a safe name for a file or folder, on every system.
pub fn is_slug(text: &str) -> bool {
    !text.is_empty() && slug(text) == text && !is_device(text)
}

fn is_device(text: &str) -> bool {
    let is_port = |port: &&str| {
        text.strip_prefix(*port)
            .is_some_and(|digit| digit.len() == 1 && digit.as_bytes()[0].is_ascii_digit())
    };
    DEVICES.contains(&text) || PORTS.iter().any(is_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_has_one_hyphen_for_every_run_of_other_characters() {
        for (name, expected) in [
            ("Qwen 3 14B", "qwen-3-14b"),
            ("Llama 3.1 70B Instruct", "llama-3-1-70b-instruct"),
            ("DeepSeek V3.1", "deepseek-v3-1"),
            ("PixArt-Σ", "pixart"),
            ("  (a)__b  ", "a-b"),
            ("../../etc/passwd", "etc-passwd"),
            ("Σ", ""),
            ("", ""),
        ] {
            assert_eq!(slug(name), expected, "{name:?}");
        }
    }

    #[test]
    fn only_a_slug_is_a_slug() {
        for (text, expected) in
            [("lm-arena-chat", true), ("", false), ("..", false), ("a/b", false), ("A", false)]
                .into_iter()
                .chain(
                    ["con", "prn", "aux", "nul", "com1", "lpt9", "com0"].map(|name| (name, false)),
                )
                .chain(["cons", "con-1", "com", "com10", "comx", "lpt-1"].map(|name| (name, true)))
        {
            assert_eq!(is_slug(text), expected, "{text:?}");
        }
    }
}
