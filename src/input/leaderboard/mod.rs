//! The leaderboard's own files.
//!
//! [`task_file`], [`model_file`] and [`index_file`] read one kind of document each, and
//! [`configurations`] what they share: rows of [`fields`], each a [`record`] while it is read, some
//! with a [`histogram`]. [`file_names`] says what the name of such a file says of its content.

mod configurations;
pub mod fields;
pub mod file_names;
mod histogram;
pub(super) mod index_file;
pub(super) mod model_file;
mod record;
pub(super) mod task_file;
