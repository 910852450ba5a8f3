//! Hashes, and bytes as hexadecimal digits.

use std::fmt::Write as _;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Bytes read and hashed at a time.
const PIECE_BYTES: usize = 256 << 10;

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The sha256 of bytes, in hexadecimal.
///
/// # Errors
/// When they cannot be had.
pub fn sha256(mut bytes: impl Read) -> io::Result<String> {
    let mut sha256 = Sha256::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match bytes.read(&mut piece) {
            Ok(0) => return Ok(hex(&sha256.finalize())),
            Ok(length) => sha256.update(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
