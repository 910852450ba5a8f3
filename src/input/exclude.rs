//! Inputs that are left out by a pattern, such as one broken file of a whole checkout.

use anyhow::Result;
use glob::{MatchOptions, Pattern};

use crate::error::usage;
use crate::input::document::Document;

/// `*` and `?` stay within a part of a path, as in a shell; `**` does not.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// Removes the documents that a pattern matches: by their path as messages show it, by their name
/// within the folder that was given, or by their file name alone. Returns how messages call them.
///
/// # Errors
/// When a pattern is none, or matches nothing where it must.
pub fn exclude(
    documents: &mut Vec<Document>,
    patterns: &[String],
    must_match: bool,
) -> Result<Vec<String>> {
    let mut excluded = Vec::new();
    for text in patterns {
        let pattern = Pattern::new(text)
            .map_err(|error| usage(format!("--exclude '{text}': {}", error.msg)))?;
        let is_meant = |document: &Document| {
            let file = document.name.rsplit('/').next().unwrap_or_default();
            [&document.shown, &document.name, file]
                .into_iter()
                .any(|name| pattern.matches_with(name, OPTIONS))
        };
        let before = excluded.len();
        excluded.extend(documents.extract_if(.., |document| is_meant(document)).map(|of| of.shown));
        if must_match && excluded.len() == before {
            return Err(usage(format!("--exclude '{text}' matches no input")));
        }
    }
    Ok(excluded)
}
