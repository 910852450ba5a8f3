//! Values in energydb's own column names, for one configuration or for the whole file.

use std::collections::BTreeMap;

use crate::input::findings::shown;
use crate::input::own::completion::read;
use crate::input::own::given::{self, of_file};
use crate::input::own::row::{NAMES, Row};
use crate::input::reader::Reader;
use crate::measurement::check::{Check, Finding};
use crate::measurement::columns::Table;

/// What the rows so far say of the whole file.
#[derive(Debug, Default)]
pub(super) struct Said(BTreeMap<&'static str, String>);

impl Said {
    /// What was said of the whole file under a name.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }

    /// Takes a value under its name, or reports what is wrong with it. False where no column and no
    /// fact has the name.
    pub fn put(
        &mut self,
        reader: &mut Reader<'_, '_>,
        table: &Table,
        row: &mut Row,
        name: &str,
        text: &str,
    ) -> bool {
        if let Some(at) = table.find(name) {
            match read(&table.columns[at], text) {
                Ok(value) => row.values[at] = value,
                Err(refusal) => reader.refuse(row.place_of(name), refusal),
            }
        } else if let Some(name) = NAMES.into_iter().find(|known| *known == name) {
            row.names.insert(name, text.to_owned());
        } else if let Some(name) = of_file().find(|known| *known == name) {
            self.of_file(reader, row, name, text);
        } else {
            return false;
        }
        true
    }

    fn of_file(&mut self, reader: &mut Reader<'_, '_>, row: &Row, name: &'static str, text: &str) {
        let quoted = |text: &str| format!("\"{}\"", shown(text));
        let found = |check, expected| Finding {
            check,
            place: row.place_of(name),
            value: quoted(text),
            expected,
        };
        if let Some(expected) = given::fault(name, text) {
            reader.report.findings.add(found(Check::NameForm, expected));
            return;
        }
        match self.0.get(name) {
            None => {
                self.0.insert(name, text.to_owned());
            }
            Some(said) if said == text => {}
            Some(said) => {
                let expected =
                    format!("{}, as in the rows before: use a file for each", quoted(said));
                reader.report.findings.add(found(Check::Table, expected));
            }
        }
    }
}
