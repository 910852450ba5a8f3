//! One row as one JSON object on one line, shared by the formats json and ndjson.

use std::collections::HashSet;
use std::io::{self, ErrorKind, Write};

use rusqlite::types::ValueRef;

use crate::hash::hex;
use crate::measurement::published::{self, Precision};

/// The members that every row's object has.
#[derive(Debug, Default)]
pub struct Members {
    /// Names, and whether 1 and 0 are true and false.
    columns: Vec<(String, bool)>,
}

impl Members {
    /// One member per column. Readers keep only one of two members of the same name, so that
    /// is an error.
    pub fn new(names: &[String]) -> io::Result<Self> {
        let mut seen = HashSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(*name)) {
            let message = format!(
                "two columns are named {twice:?}, but JSON needs distinct names; rename one with `as`"
            );
            return Err(io::Error::new(ErrorKind::InvalidInput, message));
        }
        let is_boolean = |name: &str| published::of(name) == Precision::Boolean;
        Ok(Members { columns: names.iter().map(|name| (name.clone(), is_boolean(name))).collect() })
    }

    /// Writes the object of one row.
    pub fn write(&self, out: &mut dyn Write, values: &[ValueRef<'_>]) -> io::Result<()> {
        let mut before = "{";
        for ((name, is_boolean), value) in self.columns.iter().zip(values) {
            out.write_all(before.as_bytes())?;
            serde_json::to_writer(&mut *out, name)?;
            out.write_all(b": ")?;
            match (value, is_boolean) {
                (ValueRef::Integer(0), true) => out.write_all(b"false")?,
                (ValueRef::Integer(1), true) => out.write_all(b"true")?,
                _ => write_value(out, name, *value)?,
            }
            before = ", ";
        }
        out.write_all(b"}")
    }
}

fn write_value(out: &mut dyn Write, name: &str, value: ValueRef<'_>) -> io::Result<()> {
    match value {
        ValueRef::Null => out.write_all(b"null"),
        ValueRef::Integer(integer) => write!(out, "{integer}"),
        ValueRef::Real(real) if real.is_finite() => {
            out.write_all(published::shortest(real).as_bytes())
        }
        // JSON has no number for it.
        ValueRef::Real(_) => out.write_all(b"null"),
        ValueRef::Text(text) => match str::from_utf8(text) {
            Ok(text) => Ok(serde_json::to_writer(out, text)?),
            Err(_) => Err(io::Error::new(
                ErrorKind::InvalidData,
                format!("column {name:?} contains text that is not UTF-8, which JSON cannot store"),
            )),
        },
        ValueRef::Blob(bytes) => write!(out, "\"{}\"", hex(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::text;

    fn object(names: &[&str], values: &[ValueRef<'_>]) -> io::Result<String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut out = Vec::new();
        Members::new(&names)?.write(&mut out, values)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn figures_are_not_rounded() {
        let values = [
            ValueRef::Real(303.20456789),
            ValueRef::Real(235.0),
            ValueRef::Integer(i64::MIN),
            ValueRef::Integer(1),
        ];
        assert_eq!(
            object(
                &["wh_per_million_output_tokens", "params_b", "n", "under_itl_deadline"],
                &values
            )
            .unwrap(),
            r#"{"wh_per_million_output_tokens": 303.20456789, "params_b": 235.0, "n": -9223372036854775808, "under_itl_deadline": true}"#
        );
    }

    #[test]
    fn one_and_zero_are_true_and_false_in_declared_columns_alone() {
        let values = [0, 1, 2].map(ValueRef::Integer);
        assert_eq!(
            object(&["estimate", "energy_rises", "under_itl_deadline"], &values).unwrap(),
            r#"{"estimate": false, "energy_rises": true, "under_itl_deadline": 2}"#
        );
        assert_eq!(
            object(&["cost_estimate"], &[ValueRef::Integer(1)]).unwrap(),
            r#"{"cost_estimate": 1}"#
        );
    }

    #[test]
    fn what_json_has_no_number_for_is_null() {
        let values =
            [ValueRef::Null, ValueRef::Real(f64::INFINITY), ValueRef::Real(-f64::INFINITY)];
        assert_eq!(
            object(&["a", "b", "c"], &values).unwrap(),
            r#"{"a": null, "b": null, "c": null}"#
        );
    }

    #[test]
    fn text_is_exact_and_a_blob_is_hexadecimal() {
        let values = [text("PixArt-Σ \"q\" \\ \n\u{1b}"), ValueRef::Blob(&[0x0f])];
        assert_eq!(
            object(&["na\"me", "b"], &values).unwrap(),
            r#"{"na\"me": "PixArt-Σ \"q\" \\ \n\u001b", "b": "0f"}"#
        );
    }

    #[test]
    fn two_columns_of_one_name_are_an_error() {
        let error = object(&["model", "gpu", "model"], &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert_eq!(
            error.to_string(),
            "two columns are named \"model\", but JSON needs distinct names; rename one with `as`"
        );
    }

    #[test]
    fn text_that_is_not_utf_8_is_an_error() {
        let error = object(&["note"], &[ValueRef::Text(b"\xff")]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert_eq!(
            error.to_string(),
            "column \"note\" contains text that is not UTF-8, which JSON cannot store"
        );
    }
}
