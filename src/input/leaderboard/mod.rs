//! The leaderboard's own files.
//!
//! [`task_file`], [`model_file`] and [`index_file`] read one form each, and [`configurations`] what
//! they share: rows, each a [`record`] while it is read, some with a [`histogram`].

pub mod configurations;
mod histogram;
pub(super) mod index_file;
pub(super) mod model_file;
mod record;
pub(super) mod task_file;
