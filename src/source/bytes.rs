//! The bytes of a document: counted and hashed as received, unpacked where they are gzip.

use std::cell::RefCell;
use std::io::{self, Cursor, Read};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

/// Gzip output that is always allowed, whatever its input was.
const UNPACKED_FREELY: u64 = 64 << 20;
/// How many times its input gzip output may be beyond that. Measurements pack to about a fifth;
/// only text made for it reaches more than this.
const MOST_EXPANSION: u64 = 200;

/// What has been read of a document so far.
#[derive(Default)]
pub struct Tally {
    sha256: Sha256,
    /// Bytes as received.
    pub bytes: u64,
}

impl Tally {
    /// The sha256 of the bytes read, in hexadecimal.
    pub fn sha256(&self) -> String {
        hexadecimal(&self.sha256.clone().finalize())
    }
}

/// Bytes in lower-case hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A document's text as it is read.
pub type Text<'r> = Box<dyn Read + 'r>;

/// A reader of a document's text, and the tally of the bytes that it takes.
///
/// # Errors
/// When the first bytes cannot be read.
pub fn open<'r>(received: impl Read + 'r) -> io::Result<(Text<'r>, Rc<RefCell<Tally>>)> {
    let tally = Rc::new(RefCell::new(Tally::default()));
    let mut tallied = Tallied { received, tally: Rc::clone(&tally) };
    let mut start = Vec::new();
    tallied.by_ref().take(2).read_to_end(&mut start)?;
    let is_gzip = start == [0x1f, 0x8b];
    let whole = Cursor::new(start).chain(tallied);
    let text: Text<'r> = if is_gzip {
        let unpacked = MultiGzDecoder::new(whole);
        Box::new(Bounded { unpacked, tally: Rc::clone(&tally), bytes: 0 })
    } else {
        Box::new(whole)
    };
    Ok((text, tally))
}

struct Tallied<R> {
    received: R,
    tally: Rc<RefCell<Tally>>,
}

impl<R: Read> Read for Tallied<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.received.read(buffer)?;
        let mut tally = self.tally.borrow_mut();
        tally.sha256.update(&buffer[..length]);
        tally.bytes += length as u64;
        Ok(length)
    }
}

/// Ends a decompression bomb, which would otherwise be read for hours.
struct Bounded<R> {
    unpacked: R,
    tally: Rc<RefCell<Tally>>,
    bytes: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.unpacked.read(buffer)?;
        self.bytes += length as u64;
        let received = self.tally.borrow().bytes;
        if self.bytes > UNPACKED_FREELY && self.bytes / MOST_EXPANSION > received {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("gzip that unpacks to more than {MOST_EXPANSION} times its size"),
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

    #[test]
    fn the_hash_is_of_the_bytes_as_received_and_the_text_is_unpacked() {
        // The hash of "abc" stands in FIPS 180-2.
        let (mut text, tally) = open(&b"abc"[..]).unwrap();
        let mut read = String::new();
        text.read_to_string(&mut read).unwrap();
        assert_eq!(read, "abc");
        assert_eq!(tally.borrow().bytes, 3);
        assert_eq!(
            tally.borrow().sha256(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );

        let received = packed(b"abc");
        let (mut text, tally) = open(&received[..]).unwrap();
        read.clear();
        text.read_to_string(&mut read).unwrap();
        assert_eq!(read, "abc");
        assert_eq!(tally.borrow().bytes, received.len() as u64);
    }

    #[test]
    fn a_decompression_bomb_ends_early() {
        let received = packed(&vec![b' '; 80 << 20]);
        let (mut text, _) = open(&received[..]).unwrap();
        let error = io::copy(&mut text, &mut io::sink()).unwrap_err();
        assert!(error.to_string().contains("more than 200 times"), "{error}");
    }
}
