//! Parquet for a program that does not read it.

use std::io::{Error, ErrorKind, Read, Result};

use crate::error::WITHOUT_PARQUET;

/// Refuses.
///
/// # Errors
/// Always.
pub(crate) fn unpacked<'r>(_: impl Read + 'r) -> Result<Box<dyn Read + 'r>> {
    Err(Error::new(ErrorKind::Unsupported, format!("it is Parquet, and {WITHOUT_PARQUET}")))
}
