//! Bytes as text that a page can hold: gzip, then base64.

use std::io::Write;

use anyhow::Result;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The bytes packed. The same bytes give the same text, since nothing of the time or the machine
/// is in it.
///
/// # Errors
/// When memory refuses.
pub fn packed(bytes: &[u8]) -> Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(BASE64_STANDARD.encode(encoder.finish()?))
}
