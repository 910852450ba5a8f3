//! Reading documents: from bytes to checked records, streaming, in constant memory.
//!
//! [`document`] finds the inputs, with [`folder`] for a whole folder, and opens them; [`bytes`]
//! hashes and unpacks, [`json`] reads JSON strictly, and [`classify`] tells which form of file a document
//! is. [`leaderboard`] reads the leaderboard's own files. [`value`] knows what a field may hold,
//! [`identities`] numbers what is named, [`gpu_reference`] has what vendors publish of GPUs, and
//! [`read`] runs them over all documents, which [`cross_checks`] compares.
//! Nothing here knows the database.

pub mod bytes;
pub mod classify;
mod cross_checks;
pub mod document;
pub mod findings;
pub mod folder;
pub mod gpu_reference;
pub mod identities;
pub mod json;
pub mod leaderboard;
pub mod look;
mod number;
pub mod read;
pub mod value;
