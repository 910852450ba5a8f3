//! The result folder of the ML.ENERGY benchmark, as the benchmark writes it (`run/…`, `configs/…`)
//! and as its authors compile it (`llm/h100/current/run/…`). Each run is a document, its
//! `results.json`; what stands beside it and among the configurations is looked up by its [`place`].
//!
//! The figures are those that the benchmark's own toolkit derives: [`text`] those of steady-state
//! serving, with percentiles of all [`gaps`] between tokens, [`diffusion`] those of whole batches.

pub(in crate::input) mod diffusion;
mod gaps;
mod place;
pub(in crate::input) mod text;
