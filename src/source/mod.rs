//! Reading documents: from bytes to checked records, streaming, in constant memory.
//!
//! [`document`] finds the inputs, with [`folder`] for a whole folder, and opens them; [`bytes`]
//! hashes and unpacks, [`json`] reads JSON strictly, and [`form`] tells which form of file a document
//! is. [`task_file`], [`model_file`] and [`index_file`] know one form each, [`rows`] what they
//! share: configurations, whose [`fields`] are listed in [`shape`], with their [`histogram`]s. [`value`]
//! knows what a field may hold, [`identities`] numbers what is named, [`gpu_reference`] tells what
//! vendors publish of GPUs, and [`read`] runs them over all documents, which [`agreement`] compares.
//! Nothing here knows the database.

mod agreement;
pub mod bytes;
pub mod document;
mod fields;
pub mod findings;
pub mod folder;
pub mod form;
pub mod gpu_reference;
mod histogram;
pub mod identities;
mod index_file;
pub mod json;
mod model_file;
mod number;
pub mod read;
mod rows;
pub mod shape;
mod task_file;
pub mod value;
