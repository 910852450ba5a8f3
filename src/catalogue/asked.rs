//! The caption above an answer on a terminal: phrases that repeat the question.

use rusqlite::types::{Value, ValueRef};

use super::Query;
use crate::catalogue::declaration::mentioned;
use crate::catalogue::parameter::{Kind, Parameter};
use crate::catalogue::statement::Values;
use crate::output::human::{HumanColumn, as_it_is};
use crate::output::screen::{About, phrase};

/// The phrases of the caption: the names that were given, then the query's own caption, then
/// everything else that was given.
pub fn about(query: &Query, values: &Values, given: impl Fn(&Parameter) -> bool) -> About {
    let texts: Vec<(String, String)> = values
        .iter()
        .filter(|(_, value)| *value != Value::Null)
        .map(|(name, value)| {
            (name.clone(), HumanColumn::new(name, as_it_is).text(ValueRef::from(value)))
        })
        .collect();
    let text =
        |name: &str| texts.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
    let head = &query.head;
    let mut names = Vec::new();
    let mut others = Vec::new();
    let mut repeated = Vec::new();
    for parameter in &head.parameters {
        let name = &parameter.name;
        let Some(value) = text(name) else { continue };
        let is_mentioned = head.caption.iter().any(|phrase| {
            mentioned(phrase).any(|mentioned| mentioned == name) && filled(phrase, &text).is_some()
        });
        match &parameter.kind {
            _ if is_mentioned => {}
            Kind::Named(_) if name == "task" => names.insert(0, value.to_owned()),
            Kind::Named(_) => names.push(phrase(name, value)),
            // A column with this constant value shows it.
            _ if !given(parameter) => continue,
            // A load profile: its file, and the JSON that was read from it.
            Kind::LoadProfile => continue,
            Kind::Boolean => {
                let name = name.replace('_', " ");
                others.push(if value == "1" { name } else { format!("no {name}") });
            }
            _ => others.push(phrase(name, value)),
        }
        repeated.push((name.clone(), value.to_owned()));
    }
    // A deadline that nobody gave is the one that the published documents choose by.
    let is_published = |phrase: &str| {
        let mut parameters = mentioned(phrase).filter_map(|name| head.parameter(name));
        parameters.any(|parameter| parameter.release_column().is_some() && !given(parameter))
    };
    let phrases = head.caption.iter().filter_map(|phrase| {
        let filled = filled(phrase, &text)?;
        let end = if is_published(phrase) { ", as published" } else { "" };
        Some(format!("{filled}{end}"))
    });
    let asked = names.into_iter().chain(phrases).chain(others).collect();
    let description = head.description.clone();
    About { description, asked, repeated, important: head.important.clone(), is_prose: false }
}

/// The phrase with the values of its parameters, or `None` if one of them has no value.
fn filled<'t>(phrase: &str, text: &impl Fn(&str) -> Option<&'t str>) -> Option<String> {
    let mut filled = phrase.to_owned();
    // The longest name first, of which another may be the beginning.
    let mut names: Vec<_> = mentioned(phrase).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        filled = filled.replace(&format!(":{name}"), text(name)?);
    }
    Some(filled)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::catalogue::declaration;

    #[test]
    fn what_was_asked_is_said_in_the_phrases_of_the_caption() {
        let sql = "-- A.\n\
                   -- :model model  a\n\
                   -- :task task  a\n\
                   -- :percentile text = median  a\n\
                   -- :deadline_ms real  a\n\
                   -- :max_gpus integer  a\n\
                   -- :repeats text = lowest  a\n\
                   -- :every_deadline boolean  a\n\
                   -- :min_x real  a\n\
                   -- caption: :percentile ITL at most :deadline_ms ms · at most :max_gpus GPUs\n\
                   select 1";
        let query = Query {
            name: "a".into(),
            head: LazyLock::new(Box::new(|| declaration::parse(sql).unwrap())),
            sql: sql.into(),
            file: None,
        };
        let text = |text: &str| Value::Text(text.into());
        let values: Values = [
            ("model", Value::Null),
            ("task", text("gpqa")),
            ("percentile", text("p99")),
            ("deadline_ms", Value::Real(50.0)),
            ("max_gpus", Value::Null),
            ("repeats", text("lowest")),
            ("every_deadline", Value::Integer(1)),
            ("min_x", Value::Real(0.5)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let given = |parameter: &Parameter| {
            ["deadline_ms", "every_deadline", "min_x"].contains(&parameter.name.as_str())
        };
        let about = about(&query, &values, given);
        assert_eq!(about.asked, ["gpqa", "p99 ITL at most 50 ms", "every deadline", "min x 0.5"]);
        assert!(about.repeated.contains(&("deadline_ms".to_owned(), "50".to_owned())));
        assert!(!about.repeated.iter().any(|(name, _)| name == "max_gpus"));
    }
}
