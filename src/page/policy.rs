//! The content-security policy of the page: the scripts and styles in it by their hashes, SQLite's
//! machine code, and no request to anywhere.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest, Sha256};

/// The policy that allows these scripts and styles.
pub fn content_security(scripts: &[&str], styles: &[&str]) -> String {
    format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval'; style-src {}; img-src data:; \
         base-uri 'none'; form-action 'none'",
        hashes(scripts),
        hashes(styles)
    )
}

fn hashes(texts: &[&str]) -> String {
    let hash = |text: &&str| {
        format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text.as_bytes())))
    };
    texts.iter().map(hash).collect::<Vec<_>>().join(" ")
}
