//! Facts that complete own measurements: from the manifest, from the command line, and from the models of
//! the built-in data.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::database::location::Location;
use crate::error::usage;
use crate::input::document::Document;
use crate::input::exclude::{is_meant, pattern};
use crate::input::own::given::{Given, KnownModel};
use crate::input::own::power::Power;
use crate::manifest::Manifest;
use crate::measurement::columns::Table;
use crate::measurement::product::Product;
use crate::signal::Signals;

/// Adds to each document the facts that the manifest has for it, and the facts of the command line, which
/// take precedence.
///
/// # Errors
/// When a fact is not written `NAME=VALUE`, or is unknown.
pub(super) fn give(
    documents: &mut [Document],
    manifest: &Manifest,
    facts: &[String],
    power: Option<&Arc<Power>>,
) -> Result<()> {
    for document in documents {
        let mut given = Given::default();
        for of in manifest.own() {
            let pattern = pattern(&of.files)
                .with_context(|| format!("the pattern '{}' in the manifest", of.files))?;
            if !is_meant(&pattern, document) {
                continue;
            }
            for (name, value) in &of.facts {
                let value = match value {
                    Value::String(text) => text.clone(),
                    Value::Number(_) | Value::Bool(_) => value.to_string(),
                    Value::Null | Value::Array(_) | Value::Object(_) => {
                        bail!(
                            "the manifest's fact {name} of {} is neither text nor a number",
                            of.files
                        )
                    }
                };
                given.add(name, &value).context("the manifest")?;
            }
        }
        for fact in facts {
            let (name, value) = fact.split_once('=').ok_or_else(|| {
                usage(format!("--fact takes NAME=VALUE, such as gpu=H100, not '{fact}'"))
            })?;
            given.add(name.trim(), value.trim())?;
        }
        given.power = power.cloned();
        document.given = Arc::new(given);
    }
    Ok(())
}

/// Refuses facts that no input can use.
///
/// # Errors
/// When no document contains own measurements, or none of the product that has the fact.
pub(super) fn have_a_place(facts: &[String], documents: &[Document]) -> Result<()> {
    let products: Vec<Product> =
        documents.iter().filter(|of| of.form.is_own()).map(|of| of.form.product).collect();
    if !facts.is_empty() && products.is_empty() {
        return Err(usage("--fact is for your own measurements, but no input contains any"));
    }
    for fact in facts {
        let name = fact.split_once('=').map_or("", |(name, _)| name.trim());
        let of_tables: Vec<Product> = Table::all()
            .filter(|table| table.find(name).is_some())
            .flat_map(|table| table.products)
            .copied()
            .collect();
        if !of_tables.is_empty() && !products.iter().any(|product| of_tables.contains(product)) {
            let named: Vec<_> = of_tables.iter().map(|product| product.name()).collect();
            return Err(usage(format!(
                "--fact {name} is for measurements of {}, but no input contains any",
                named.join(" and ")
            )));
        }
    }
    Ok(())
}

/// Adds the models of the built-in data to the documents of own measurements, if there are any.
///
/// # Errors
/// When the built-in data cannot be read, as without memory.
pub(super) fn know_models(documents: &mut [Document]) -> Result<()> {
    let mut own = documents.iter_mut().filter(|of| of.form.is_own()).peekable();
    if own.peek().is_none() {
        return Ok(());
    }
    let models = known_models()?;
    own.for_each(|of| Arc::make_mut(&mut of.given).models = Arc::clone(&models));
    Ok(())
}

/// The models of the built-in data.
fn known_models() -> Result<Arc<[KnownModel]>> {
    let connection = Location::BuiltIn.open(&Signals::none())?;
    let mut models = connection.prepare(
        "select model, model_name, hugging_face_id, params_b, active_params_b, architecture \
         from models order by model_id",
    )?;
    let models = models.query_map([], |row| {
        Ok(KnownModel {
            slug: row.get(0)?,
            name: row.get(1)?,
            hugging_face_id: row.get(2)?,
            params_b: row.get(3)?,
            active_params_b: row.get(4)?,
            architecture: row.get(5)?,
        })
    })?;
    Ok(models.collect::<rusqlite::Result<Arc<[_]>>>()?)
}
