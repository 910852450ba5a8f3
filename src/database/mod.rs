//! The database: where it is, how it is opened, how it is built. No other module sets a pragma.
//!
//! Except for a database that is being built, every database is opened read-only and as untrusted.

pub mod build;
pub mod content_hash;
pub mod dates;
pub mod destination;
pub mod dictionary;
mod known;
mod lengths;
pub mod load;
pub mod location;
pub mod lock;
pub mod metadata;
pub mod migrate;
pub mod open;
pub mod release;
mod row;
pub mod schema;
mod schema_pages;
pub mod seen;
pub mod template;
mod unstable;
pub mod verify;
