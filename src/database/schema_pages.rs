//! Counts the objects in the schema of a SQLite file from its pages. SQLite compares each name with all
//! others, which takes minutes for a file with a hundred thousand objects.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of the file's header, before the first page's own.
const FILE_HEADER: usize = 100;
/// The kind of a page that refers to others.
const INTERIOR: u8 = 5;
/// The kind of a page that contains rows.
const LEAF: u8 = 13;
/// Pages that are read at most, since pages may refer to each other in a circle.
const MOST_PAGES: usize = 20_000;

/// The number of rows of `sqlite_schema`; counting ends above `most`. Of a file that is broken it
/// is the number that was found.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn objects(mut file: File, most: usize) -> io::Result<usize> {
    let mut header = [0; FILE_HEADER];
    if read_at(&mut file, 0, &mut header)? < FILE_HEADER {
        return Ok(0);
    }
    let page_bytes = match number(&header, 16) {
        1 => 1 << 16,
        bytes => bytes,
    };
    let mut page = vec![0; page_bytes];
    let mut waiting = vec![1_u32];
    let mut objects = 0;
    for _ in 0..MOST_PAGES {
        let Some(next) = waiting.pop() else { break };
        let Some(before) = u64::from(next).checked_sub(1) else { continue };
        if read_at(&mut file, before * page_bytes as u64, &mut page)? < page_bytes {
            continue;
        }
        let start = if next == 1 { FILE_HEADER } else { 0 };
        let cells = number(&page, start + 3);
        match page.get(start) {
            Some(&LEAF) => objects += cells,
            Some(&INTERIOR) => {
                waiting.extend(child(&page, start + 8));
                let pointers = (0..cells).map(|cell| number(&page, start + 12 + 2 * cell));
                waiting.extend(pointers.filter_map(|cell| child(&page, cell)));
            }
            _ => {}
        }
        if objects > most || waiting.len() > most {
            return Ok(most + 1);
        }
    }
    Ok(objects)
}

/// Fills as much of the buffer as the file has from there.
fn read_at(file: &mut File, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    file.seek(SeekFrom::Start(at))?;
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest)? {
            0 => break,
            length => filled += length,
        }
    }
    Ok(filled)
}

/// A number of two bytes; 0 beyond the end.
fn number(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..at + 2) {
        Some(&[high, low]) => usize::from(high) << 8 | usize::from(low),
        _ => 0,
    }
}

/// The number of a page, of four bytes.
fn child(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map(u32::from_be_bytes)
}
