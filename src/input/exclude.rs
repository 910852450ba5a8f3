//! Inputs that are left out by a pattern, such as one broken file of a whole checkout.

use anyhow::Result;
use glob::{MatchOptions, Pattern, PatternError};

use crate::error::usage;
use crate::input::document::Document;

/// `*` and `?` stay within a part of a path, as in a shell; `**` does not.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// A pattern of paths.
///
/// # Errors
/// When it is none.
pub fn pattern(text: &str) -> Result<Pattern, PatternError> {
    Pattern::new(text)
}

/// Whether a pattern matches a document: by its path as messages show it, by its name within the
/// folder that was given, or by its file name alone.
pub fn is_meant(pattern: &Pattern, document: &Document) -> bool {
    let file = document.name.rsplit('/').next().unwrap_or_default();
    [&document.shown, &document.name, file]
        .into_iter()
        .any(|name| pattern.matches_with(name, OPTIONS))
}

/// Removes the documents that a pattern matches. Returns how messages call them.
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
        let pattern =
            pattern(text).map_err(|error| usage(format!("--exclude '{text}': {}", error.msg)))?;
        let before = excluded.len();
        let is_meant = |document: &mut Document| is_meant(&pattern, document);
        excluded.extend(documents.extract_if(.., is_meant).map(|of| of.shown));
        if must_match && excluded.len() == before {
            return Err(usage(format!("--exclude '{text}' matches no input")));
        }
    }
    Ok(excluded)
}
