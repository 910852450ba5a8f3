//! Facts of own measurements that are not in their files: facts that the user gives by name, and the models
//! of the built-in data.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;

use crate::error::{did_you_mean, usage};
use crate::input::own::power::Power;
pub use crate::input::own::row::NAMES;
use crate::input::value::name_fault;
use crate::measurement::columns::Table;
use crate::measurement::method;
pub use crate::measurement::method::PUBLISHED;
use crate::slug::is_slug;

/// The source of own measurements that are not given another name.
pub const USUAL_SOURCE: &str = "mine";

/// A model that the built-in data knows.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "each is documented in identities::Model")]
pub struct KnownModel {
    pub slug: String,
    pub name: String,
    pub hugging_face_id: String,
    pub params_b: Option<f64>,
    pub active_params_b: Option<f64>,
    pub architecture: Option<String>,
}

/// What is given for a document of own measurements.
#[derive(Debug, Clone, Default)]
pub struct Given {
    facts: BTreeMap<String, String>,
    /// The models of the built-in data.
    pub models: Arc<[KnownModel]>,
    /// The log of the power of their GPUs.
    pub power: Option<Arc<Power>>,
}

impl Given {
    /// Adds `name=value`, in place of an earlier value.
    ///
    /// # Errors
    /// When the name is no fact's, or the value is unsound.
    pub fn add(&mut self, name: &str, value: &str) -> Result<()> {
        if !names().any(|known| known == name) {
            return Err(usage(format!(
                "'{name}' is not a fact of a measurement{}; 'energydb template' lists the facts",
                did_you_mean(name, names())
            )));
        }
        if let Some(expected) = fault(name, value) {
            return Err(usage(format!("the fact {name} takes {expected}, not '{value}'")));
        }
        self.facts.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// The names and values of all facts.
    pub fn facts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.facts.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a fact.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.facts.get(name).map(String::as_str)
    }
}

/// Facts of a whole file: what was measured, by whom, and how.
pub fn of_file() -> impl Iterator<Item = &'static str> {
    ["task", "source", "workload"].into_iter().chain(method::FACTS.iter().map(|fact| fact.name))
}

/// Every fact that may be given.
fn names() -> impl Iterator<Item = &'static str> {
    let columns = Table::all().flat_map(|table| table.columns).map(|column| column.name);
    of_file().chain(NAMES).chain(columns)
}

/// What a value should have been, or `None` if it is sound. Figures are checked later.
pub(crate) fn fault(name: &str, value: &str) -> Option<String> {
    if let Some(at) = method::place(name)
        && let Some(expected) = method::fault(at, value)
    {
        return Some(expected);
    }
    match name {
        "task" | "source" if !is_slug(value) => {
            Some("a name of a-z, 0-9 and single hyphens".into())
        }
        "source" if value == PUBLISHED => {
            Some(format!("a name other than {PUBLISHED}, which is the leaderboard's data"))
        }
        _ => name_fault(value).map(Into::into),
    }
}
