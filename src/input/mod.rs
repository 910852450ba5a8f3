//! Reading documents: from bytes to checked records, streaming, in constant memory.
//!
//! [`document`] finds the inputs, with [`folder`] for a whole folder, and opens them;
//! [`exclude`] leaves some out. [`bytes`] hashes and unpacks, and [`json`] reads JSON strictly. Each [`kind`] of document has a room of its
//! own, and [`classify`] lists them; [`leaderboard`] has those of the leaderboard, [`own`] those of
//! the user's own measurements. A [`reader`] has what they share: [`value`] knows what a field may hold, and [`identities`] numbers what is named.
//! [`read`] runs them over all documents, hands on what is in them as a [`reading`], and
//! [`cross_checks`] compares the documents. [`gpu_reference`] has what vendors publish of GPUs.
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
