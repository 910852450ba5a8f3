//! Reading documents: from bytes to checked records, streaming, in constant memory.
//!
//! - [`document`] finds and opens the inputs, with [`folder`] for a whole folder. [`exclude`] leaves some out.
//! - [`bytes`] hashes and unpacks, and [`json`] reads JSON strictly.
//! - Each [`kind`] of document has its own module, and [`classify`] lists them. [`leaderboard`] contains those
//!   of the leaderboard, [`own`] those of the user's own measurements.
//! - They share the [`reader`]. [`value`] checks the value of a field, and [`identities`] numbers the names.
//! - [`read`] reads all documents and passes on their content as a [`reading`]. [`cross_checks`] compares the
//!   documents.
//! - [`gpu_reference`] has the data that vendors publish about GPUs.
//!
//! Nothing here knows the database.

pub mod bytes;
pub mod classify;
mod cross_checks;
pub mod document;
pub mod exclude;
pub mod findings;
pub mod folder;
pub mod gpu_reference;
pub mod identities;
pub mod json;
pub mod kind;
pub mod leaderboard;
pub mod look;
mod number;
pub mod own;
pub mod read;
mod reader;
pub mod reading;
pub mod value;
