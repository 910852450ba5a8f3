//! Reading documents: from bytes to checked records, streaming, in constant memory.
//!
//! [`document`] finds the inputs and opens them, [`bytes`] hashes and unpacks, [`json`] reads
//! JSON strictly, [`task_file`] knows the leaderboard's form, [`value`] what a field may hold,
//! [`identities`] numbers what is named, [`gpu_reference`] tells what vendors publish of GPUs, and
//! [`read`] runs them over all documents. Nothing here knows the database.

pub mod bytes;
pub mod document;
pub mod findings;
pub mod gpu_reference;
pub mod identities;
pub mod json;
mod number;
pub mod read;
pub mod task_file;
pub mod value;
