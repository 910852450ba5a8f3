//! The result folder of the ML.ENERGY benchmark, as the benchmark writes it (`run/…`, `configs/…`)
//! and as its authors compile it (`llm/h100/current/run/…`). Each run is a document, its
//! `results.json`; what is beside it and among the configurations is looked up by its [`place`].
//!
//! The figures are the same as those of the benchmark's own toolkit. [`text`] derives those of steady-state
//! serving, with percentiles of all [`gaps`] between tokens, and [`diffusion`] those of whole batches.
//! [`table`] reads the tables of runs in which the benchmark's authors keep these figures.

pub(in crate::input) mod diffusion;
mod gaps;
mod place;
pub(in crate::input) mod table;
pub(in crate::input) mod text;

use crate::input::document::Document;
use crate::input::json::{JsonError, Scalar};
use crate::input::kind::DocumentKind;
use crate::input::value::Json;

/// The task of a run, from its path, because its content does not name it. `None` for other documents.
pub(in crate::input) fn task(document: &Document) -> Option<String> {
    let is = |kind: &DocumentKind| document.form.kind.name == kind.name;
    if is(&text::KIND) {
        place::Place::of_text(document).task
    } else if is(&diffusion::KIND) {
        place::Place::of_diffusion(document).task
    } else {
        None
    }
}

/// The number that comes next.
fn number(json: &mut Json<'_>) -> Result<Option<f64>, JsonError> {
    Ok(match json.scalar()? {
        Scalar::Number(text) => text.parse().ok(),
        _ => None,
    })
}
