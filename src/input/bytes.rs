//! The bytes of a document: hashed as received, and unpacked if they are gzip or Parquet.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::GzDecoder;
use sha2::{Digest, Sha256};

use crate::hash::hex;
use crate::parquet_text;

/// The size of gzip output that is always allowed.
const UNPACKED_FREELY: u64 = 64 << 20;
/// The highest ratio of gzip output to input beyond that size. Measurements compress to about a fifth; only
/// text that was made to attack a reader compresses better than this.
const MOST_EXPANSION: u64 = 200;

/// A document's bytes as they were received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Their sha256, in hexadecimal.
    pub sha256: String,
    /// Their number.
    pub bytes: u64,
}

/// A document's text as it is read.
pub type Text<'r> = Box<dyn Read + 'r>;

/// Passes the text of a document to `read`, and returns its result. If `read` reached the end, the sha256 of
/// the whole document is returned too. `progress` counts the bytes received.
///
/// # Errors
/// When the bytes cannot be had before `read` takes the first of them; later errors are its own.
pub fn receive<T>(
    document: impl Read,
    progress: &AtomicU64,
    read: impl FnOnce(Text<'_>) -> T,
) -> io::Result<(T, Received)> {
    let mut incoming = Incoming { document, sha256: Sha256::new(), bytes: 0, progress };
    let made = read(unpacked(&mut incoming)?);
    let Incoming { sha256, bytes, .. } = incoming;
    Ok((made, Received { sha256: hex(&sha256.finalize()), bytes }))
}

/// A document's bytes, hashed while the processor still has them at hand.
struct Incoming<'p, R> {
    document: R,
    sha256: Sha256,
    bytes: u64,
    progress: &'p AtomicU64,
}

impl<R: Read> Read for Incoming<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.document.read(buffer)?;
        self.sha256.update(&buffer[..length]);
        self.bytes += length as u64;
        self.progress.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// What begins files of other kinds that may be taken for a document, with what to say of them.
const OTHER_KINDS: [(&[u8], &str); 10] = [
    (b"SQLite format 3\0", "it is a SQLite database, not JSON; --db FILE reads one"),
    (&[0x28, 0xb5, 0x2f, 0xfd], "it is compressed by zstd; unpack it with 'zstd -d' first"),
    (b"PK\x03\x04", "it is a zip archive; unpack it first"),
    (b"\xfd7zXZ\0", "it is compressed by xz; unpack it with 'xz -d' first"),
    (b"BZh", "it is compressed by bzip2; unpack it with 'bzip2 -d' first"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive; unpack it first"),
    (&[0xff, 0xfe], UTF_16),
    (&[0xfe, 0xff], UTF_16),
    (b"{\0", UTF_16),
    (b"\0{", UTF_16),
];
/// What to say of UTF-16, with a byte-order mark or without.
const UTF_16: &str = "it is text in UTF-16; save it as UTF-8, as 'iconv -f UTF-16 -t UTF-8' does";
/// The longest of those beginnings.
const BEGINNING_BYTES: u64 = 16;

/// What begins a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// Whether the beginning of a document does not show its text, because the end is needed to read it.
pub(crate) fn is_read_from_its_end(beginning: &[u8]) -> bool {
    beginning.starts_with(PARQUET)
}

/// The text of bytes that may be gzip or Parquet, which their content shows, not their name.
///
/// # Errors
/// When the bytes cannot be had, or are no sound Parquet. A file of another kind is reported when it
/// is read.
pub(crate) fn unpacked<'r>(mut received: impl Read + 'r) -> io::Result<Text<'r>> {
    let mut start = Vec::new();
    received.by_ref().take(BEGINNING_BYTES).read_to_end(&mut start)?;
    if let Some((_, told)) = OTHER_KINDS.iter().find(|(begins, _)| start.starts_with(begins)) {
        return Ok(Box::new(OtherKind(told)));
    }
    let is_gzip = start.starts_with(&[0x1f, 0x8b]);
    let is_parquet = is_read_from_its_end(&start);
    let whole = Cursor::new(start).chain(received);
    if is_parquet {
        return parquet_text::unpacked(whole);
    }
    if !is_gzip {
        return Ok(Box::new(whole));
    }
    let packed = Counted { inner: whole, bytes: 0 };
    Ok(Box::new(Bounded { unpacked: Members::new(BufReader::new(packed)), bytes: 0 }))
}

/// Says of a file of another kind what it is, in place of its text.
struct OtherKind(&'static str);

impl Read for OtherKind {
    fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::Unsupported, self.0))
    }
}

struct Counted<R> {
    inner: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.bytes += length as u64;
        Ok(length)
    }
}

/// The text of one gzip member after the other.
enum Members<R> {
    In(GzDecoder<R>),
    /// Before the next member, or the end.
    Between(R),
    /// While one is taken for the other.
    Nothing,
}

impl<R: BufRead> Members<R> {
    fn new(packed: R) -> Self {
        Self::In(GzDecoder::new(packed))
    }

    fn packed(&self) -> Option<&R> {
        match self {
            Self::In(member) => Some(member.get_ref()),
            Self::Between(packed) => Some(packed),
            Self::Nothing => None,
        }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, Self::Nothing) {
                Self::In(mut member) => {
                    let read = member.read(buffer);
                    let is_over = matches!(read, Ok(0)) && !buffer.is_empty();
                    if !is_over {
                        *self = Self::In(member);
                        return read;
                    }
                    *self = Self::Between(member.into_inner());
                }
                Self::Between(mut packed) => {
                    let next = packed.fill_buf()?.first().copied();
                    match next {
                        None => {
                            *self = Self::Between(packed);
                            return Ok(0);
                        }
                        Some(0x1f) => *self = Self::new(packed),
                        Some(_) => {
                            return Err(io::Error::new(
                                io::ErrorKind::InvalidData,
                                "something that is not gzip follows the compressed text",
                            ));
                        }
                    }
                }
                Self::Nothing => return Ok(0),
            }
        }
    }
}

/// Stops a decompression bomb, which would otherwise be read for hours.
struct Bounded<R> {
    unpacked: Members<BufReader<Counted<R>>>,
    bytes: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.unpacked.read(buffer)?;
        self.bytes += length as u64;
        let packed = self.unpacked.packed().map_or(0, |packed| packed.get_ref().bytes);
        if self.bytes > UNPACKED_FREELY && self.bytes / MOST_EXPANSION > packed {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("gzip that unpacks to over {MOST_EXPANSION} times its size"),
            ));
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read(received: &[u8]) -> (io::Result<String>, Received) {
        receive(received, &AtomicU64::new(0), |mut text| {
            let mut read = String::new();
            text.read_to_string(&mut read).map(|_| read)
        })
        .unwrap()
    }

    #[test]
    fn the_hash_is_of_the_bytes_as_received_and_the_text_is_unpacked() {
        // The hash of "abc" is in FIPS 180-2.
        let (text, received) = read(b"abc");
        assert_eq!(text.unwrap(), "abc");
        assert_eq!(received.bytes, 3);
        assert_eq!(
            received.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );

        let bytes = packed(b"abc");
        let (text, received) = read(&bytes);
        assert_eq!(text.unwrap(), "abc");
        assert_eq!(received.bytes, bytes.len() as u64);
    }

    #[test]
    fn a_file_of_another_kind_is_told_as_what_it_is() {
        for (begins, told) in OTHER_KINDS {
            assert!(begins.len() as u64 <= BEGINNING_BYTES);
            let (text, _) = read(&[begins, b"..."].concat());
            assert_eq!(text.unwrap_err().to_string(), told);
        }
    }

    #[test]
    fn gzip_may_have_several_members_and_nothing_else_behind_them() {
        let (text, _) = read(&[packed(b"abc"), packed(b"def")].concat());
        assert_eq!(text.unwrap(), "abcdef");
        for garbage in [&b"x"[..], b"garbage behind it", &[0; 600]] {
            let (text, _) = read(&[&packed(b"abc"), garbage].concat());
            let error = text.unwrap_err().to_string();
            assert_eq!(error, "something that is not gzip follows the compressed text");
        }
        let whole = packed(b"abcdef");
        let (text, _) = read(&whole[..whole.len() - 9]);
        assert_eq!(text.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_decompression_bomb_ends_early() {
        let (text, _) = read(&packed(&vec![b' '; 80 << 20]));
        let error = text.unwrap_err();
        assert!(error.to_string().contains("over 200 times"), "{error}");
    }
}
