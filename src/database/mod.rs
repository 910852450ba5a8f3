//! The database: where it is, how it is opened, how it is built. Nobody else sets a pragma.
//!
//! Every database but one that is being built is opened read-only and as untrusted.

pub mod build;
pub mod content_hash;
pub mod destination;
pub mod dictionary;
pub mod facts;
pub mod load;
pub mod location;
pub mod migrate;
pub mod occurrences;
pub mod open;
mod row;
pub mod schema;
pub mod template;
pub mod verify;
