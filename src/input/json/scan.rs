//! The inner loops: the lengths of runs of bytes, found eight bytes at a time.

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const LOW_BITS: u64 = ONES * 0x7F;
const HIGH_BITS: u64 = ONES * 0x80;

/// The length of the run of white space at the start.
pub(crate) fn blank_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    loop {
        match bytes.get(length) {
            Some(b'\n' | b'\r' | b'\t') => length += 1,
            Some(b' ') => length += spaces_length(bytes.get(length..).unwrap_or_default()),
            _ => return length,
        }
    }
}

#[inline]
fn spaces_length(bytes: &[u8]) -> usize {
    run_length(bytes, |word| word ^ (ONES * u64::from(b' ')), |byte| byte == b' ')
}

/// Why there is not a number at the start of some bytes.
pub(crate) enum NumberFault {
    /// The bytes end where the number may go on or, at the end of the document, has to.
    Cut,
    /// More digits follow the zero at this offset.
    LeadingZero(usize),
    /// There is no digit at this offset, in this part of a number.
    NoDigit(usize, &'static str),
}

/// The length of the number at the start of some bytes, with which the document ends or not.
#[inline(always)]
pub(crate) fn number(bytes: &[u8], ended: bool) -> Result<usize, NumberFault> {
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let mut end = digits_end(bytes, sign, "after '-'")?;
    if bytes.get(sign) == Some(&b'0') && end > sign + 1 {
        return Err(NumberFault::LeadingZero(sign));
    }
    if bytes.get(end) == Some(&b'.') {
        end = digits_end(bytes, end + 1, "after the decimal point")?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let has_sign = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        end = digits_end(bytes, end + 1 + usize::from(has_sign), "in the exponent")?;
    }
    if end < bytes.len() || ended { Ok(end) } else { Err(NumberFault::Cut) }
}

/// The offset at which the digits end of which at least one has to be at the start.
#[inline(always)]
fn digits_end(bytes: &[u8], start: usize, part: &'static str) -> Result<usize, NumberFault> {
    let digits = bytes.get(start..).unwrap_or_default();
    match digits_length(digits) {
        0 if digits.is_empty() => Err(NumberFault::Cut),
        0 => Err(NumberFault::NoDigit(start, part)),
        length => Ok(start + length),
    }
}

/// The length of the run of decimal digits at the start.
#[inline]
fn digits_length(bytes: &[u8]) -> usize {
    // A digit becomes 0 to 9; adding 0x76 to more than that sets the high bit.
    let others = |word: u64| {
        let word = word ^ (ONES * u64::from(b'0'));
        (((word & LOW_BITS) + ONES * 0x76) | word) & HIGH_BITS
    };
    run_length(bytes, others, |byte| byte.is_ascii_digit())
}

/// The length of the run of bytes that stand for themselves in a string: up to a quote, a
/// backslash or a control character.
#[inline]
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    // Taking more from a byte than it holds sets its high bit, and may borrow from the next byte:
    // the lowest mark is right, those above it need not be.
    let others = |word: u64| {
        let control = word.wrapping_sub(ONES * u64::from(b' '));
        let quote = (word ^ (ONES * u64::from(b'"'))).wrapping_sub(ONES);
        let backslash = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
        (control | quote | backslash) & !word & HIGH_BITS
    };
    run_length(bytes, others, |byte| byte >= b' ' && byte != b'"' && byte != b'\\')
}

/// The length of the run of bytes at the start that belong to it, which is asked of single bytes
/// and of eight bytes at once: the lowest bit that `others` sets is in the first byte that does
/// not belong.
#[inline]
fn run_length(bytes: &[u8], others: impl Fn(u64) -> u64, belongs: impl Fn(u8) -> bool) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = others(u64::from_le_bytes(*word));
        if marks != 0 {
            return index * 8 + (marks.trailing_zeros() / 8) as usize;
        }
    }
    words.len() * 8 + rest.iter().take_while(|byte| belongs(**byte)).count()
}
