//! Suggestions for an unknown name. Only names in the data are suggested, and an unknown GPU or
//! precision is never taken for another one: these are listed, and models with common words are named.

use std::cmp::Reverse;

use crate::error::did_you_mean;

/// Names that a message lists.
const MOST_LISTED: usize = 8;
/// Models of a family that are near to one that was not measured.
const MOST_NEAR: usize = 3;
/// Names at least this similar count as one name with a typing error.
const SLIP: f64 = 0.9;

/// The first of the names, and how many more there are.
pub fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(MOST_LISTED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The message for an unknown name. It lists the known names.
pub fn all_of(thing: &str, word: &str, known: &[&str]) -> String {
    match (thing, known) {
        (_, []) => format!("no {thing} is called '{word}', and the database has none"),
        ("GPU" | "precision", _) => {
            format!("the {thing} '{word}' was not measured; measured {thing}s: {}", listed(known))
        }
        _ => {
            let are = if known.len() == 1 { "is only" } else { "are" };
            let meant = did_you_mean(word, known.iter().copied());
            format!("no {thing} is called '{word}'{meant}; there {are} {}", listed(known))
        }
    }
}

/// The message for an unknown model; `known` are the slugs. In `owner/model` the owner is ignored.
pub fn model(word: &str, known: &[&str]) -> String {
    let wanted = words_of(word.rsplit('/').next().unwrap_or(word));
    let fits: Vec<&str> = known.iter().copied().filter(|slug| has_all(slug, &wanted)).collect();
    if let [one] = fits[..] {
        return format!("no model is called '{word}'; did you mean '{one}'?");
    }
    if !fits.is_empty() {
        return format!("'{word}' matches several models: {}", listed(&fits));
    }
    let slip = known
        .iter()
        .filter(|slug| numbers_of(&words_of(slug)).eq(numbers_of(&wanted)))
        .map(|slug| (strsim::jaro_winkler(&word.to_lowercase(), slug), slug))
        .filter(|(likeness, _)| *likeness >= SLIP)
        .max_by(|left, right| left.0.total_cmp(&right.0));
    if let Some((_, slug)) = slip {
        return format!("no model is called '{word}'; did you mean '{slug}'?");
    }
    match &near(&wanted, known)[..] {
        [] => format!("no measured model is called '{word}'; 'energydb query models' lists them"),
        near => format!("the model '{word}' was not measured; the nearest are {}", near.join(", ")),
    }
}

/// The models of the same family that are nearest, by the words they share, then by their size.
fn near<'k>(wanted: &[String], known: &[&'k str]) -> Vec<&'k str> {
    let Some(family) = wanted.first().filter(|word| word.chars().all(char::is_alphabetic)) else {
        return Vec::new();
    };
    let mut near: Vec<_> = known
        .iter()
        .map(|slug| (words_of(slug), *slug))
        .filter(|(words, _)| words.first() == Some(family))
        .map(|(words, slug)| {
            let shared = wanted.iter().filter(|word| words.contains(word)).count();
            let sizes = (size_of(wanted), size_of(&words));
            let distance = match sizes {
                (Some(wanted), Some(size)) => (wanted / size).ln().abs(),
                _ => f64::INFINITY,
            };
            (Reverse(shared), distance, slug)
        })
        .collect();
    near.sort_by(|left, right| {
        left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)).then(left.2.cmp(right.2))
    });
    near.into_iter().take(MOST_NEAR).map(|(.., slug)| slug).collect()
}

/// Whether a name has all the words. Of the last the beginning is enough.
fn has_all(name: &str, wanted: &[String]) -> bool {
    let words = words_of(name);
    let Some((last, others)) = wanted.split_last() else { return false };
    others.iter().all(|word| words.contains(word))
        && words.iter().any(|known| known.starts_with(last.as_str()))
}

/// The words of a name: letters and digits, with a number as the beginning of a word.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for character in name.to_lowercase().chars() {
        let begins =
            !before.is_alphanumeric() || (before.is_alphabetic() && character.is_numeric());
        if character.is_alphanumeric() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(character);
            }
        }
        before = character;
    }
    words
}

/// The words that have a digit, which tell one model of a family from another.
fn numbers_of(words: &[String]) -> impl Iterator<Item = &String> {
    words.iter().filter(|word| word.contains(|character: char| character.is_numeric()))
}

/// The number of parameters that a name says, 10^9: the largest of `30b` and `3b`.
fn size_of(words: &[String]) -> Option<f64> {
    let sizes = words.iter().filter_map(|word| word.strip_suffix('b')?.parse::<f64>().ok());
    sizes.filter(|size| *size > 0.0).max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODELS: [&str; 8] = [
        "deepseek-r1",
        "gpt-oss-20b",
        "llama-3-1-70b-instruct",
        "llama-3-1-8b-instruct",
        "llama-3-3-70b-instruct",
        "qwen-3-14b",
        "qwen-3-30b-a3b-instruct",
        "qwen-3-8b",
    ];

    #[test]
    fn a_model_is_offered_for_the_words_it_shares_and_never_for_another_number() {
        for (word, expected) in [
            ("qwen-3-14", "no model is called 'qwen-3-14'; did you mean 'qwen-3-14b'?"),
            ("Qwen3 14B", "no model is called 'Qwen3 14B'; did you mean 'qwen-3-14b'?"),
            ("qwne-3-14b", "no model is called 'qwne-3-14b'; did you mean 'qwen-3-14b'?"),
            (
                "llama 70b",
                "'llama 70b' matches several models: llama-3-1-70b-instruct, \
                 llama-3-3-70b-instruct",
            ),
            (
                "qwen-3-4b",
                "the model 'qwen-3-4b' was not measured; the nearest are qwen-3-8b, qwen-3-14b, \
                 qwen-3-30b-a3b-instruct",
            ),
            (
                "llama-3-2-3b",
                "the model 'llama-3-2-3b' was not measured; the nearest are llama-3-1-8b-instruct, \
                 llama-3-1-70b-instruct, llama-3-3-70b-instruct",
            ),
            ("gpt-4", "the model 'gpt-4' was not measured; the nearest are gpt-oss-20b"),
            (
                "meta-llama/Llama-3.2-3B-Instruct",
                "the model 'meta-llama/Llama-3.2-3B-Instruct' was not measured; the nearest are \
                 llama-3-1-8b-instruct, llama-3-1-70b-instruct, llama-3-3-70b-instruct",
            ),
            (
                "unsloth/Qwen3-14B",
                "no model is called 'unsloth/Qwen3-14B'; did you mean 'qwen-3-14b'?",
            ),
            (
                "mixtral-8x7b",
                "no measured model is called 'mixtral-8x7b'; 'energydb query models' lists them",
            ),
            ("", "no measured model is called ''; 'energydb query models' lists them"),
        ] {
            assert_eq!(model(word, &MODELS), expected);
        }
    }

    #[test]
    fn a_long_list_says_how_many_more_there_are() {
        let names: Vec<String> = (0..11).map(|number| format!("llama-{number}b")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let message = model("llama", &names);
        assert!(message.ends_with("llama-7b and 3 more"), "{message}");
        assert_eq!(
            all_of("GPU", "A100", &["B200", "H100"]),
            "the GPU 'A100' was not measured; measured GPUs: B200, H100"
        );
        assert_eq!(
            all_of("task", "lm-arena-chats", &["gpqa", "lm-arena-chat"]),
            "no task is called 'lm-arena-chats' (did you mean 'lm-arena-chat'?); there are gpqa, \
             lm-arena-chat"
        );
        assert_eq!(
            all_of("task", "sums", &["gpqa", "lm-arena-chat"]),
            "no task is called 'sums'; there are gpqa, lm-arena-chat"
        );
    }
}
