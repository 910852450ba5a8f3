//! A time on one of two clocks: UTC, or local time whose offset no file says.

use crate::date::{days_since_1970, of_digits};

/// Nanoseconds of a second.
const NANOSECONDS: f64 = 1e9;

/// Which clock a time is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// That of the machine's place.
    Local,
    /// Coordinated universal time.
    Utc,
}

/// A time on a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Which clock.
    pub clock: Clock,
    /// Nanoseconds from 1970 on that clock.
    pub nanoseconds: i64,
}

impl Moment {
    /// The time on a clock. `utc_offset_s` is by how many seconds local time is ahead.
    pub fn on(self, clock: Clock, utc_offset_s: Option<i64>) -> Option<i64> {
        let offset = || utc_offset_s.map(|seconds| seconds * NANOSECONDS as i64);
        match (self.clock, clock) {
            (Clock::Local, Clock::Utc) => Some(self.nanoseconds - offset()?),
            (Clock::Utc, Clock::Local) => Some(self.nanoseconds + offset()?),
            (Clock::Local, Clock::Local) | (Clock::Utc, Clock::Utc) => Some(self.nanoseconds),
        }
    }
}

/// Reads a time as logs and results write it: seconds from 1970, which are UTC, or a day and a time
/// of day: `2026/11/20 10:15:00.123`, `2026-11-20T10:15:00Z` or `20261120-101500`. One that says no
/// offset is on `usual`.
pub fn read(text: &str, usual: Clock) -> Option<Moment> {
    if !text.contains(['/', ':', 'T', '-']) {
        let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
        let nanoseconds = nanoseconds(seconds.parse().ok()?, fraction)?;
        return Some(Moment { clock: Clock::Utc, nanoseconds });
    }
    let digits: String = text.chars().take(15).filter(char::is_ascii_digit).collect();
    if digits.len() == 14 && text.len() == 15 {
        let (day, time) = (of_digits(text.get(..8)?)?, text.get(9..)?);
        let time = format!("{}:{}:{}", time.get(..2)?, time.get(2..4)?, time.get(4..)?);
        return Some(Moment { clock: usual, nanoseconds: at(&day, &time)? });
    }
    let (day, time) = text.split_at_checked(10)?;
    let time = time.strip_prefix([' ', 'T'])?;
    let day = day.replace('/', "-");
    if let Some(time) = time.strip_suffix('Z') {
        return Some(Moment { clock: Clock::Utc, nanoseconds: at(&day, time)? });
    }
    let Some(sign) = time.rfind(['+', '-']) else {
        return Some(Moment { clock: usual, nanoseconds: at(&day, time)? });
    };
    let (time, offset) = time.split_at(sign);
    let nanoseconds = at(&day, time)? - offset_s(offset)? * NANOSECONDS as i64;
    Some(Moment { clock: Clock::Utc, nanoseconds })
}

/// Seconds that `+HH:MM` or `-HH:MM` is ahead of UTC.
pub fn offset_s(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    let [hours, minutes] = [number(hours, 2, 14)?, number(minutes, 2, 59)?];
    Some(sign * (hours * 3600 + minutes * 60))
}

fn at(day: &str, time: &str) -> Option<i64> {
    let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
    let mut parts = clock.split(':');
    let mut part = |most| number(parts.next()?, 2, most);
    let [hours, minutes, seconds] = [part(23)?, part(59)?, part(60)?];
    if parts.next().is_some() {
        return None;
    }
    let days = i64::from(days_since_1970(day).ok()?);
    nanoseconds(days * 86_400 + hours * 3600 + minutes * 60 + seconds, fraction)
}

fn number(text: &str, digits: usize, most: i64) -> Option<i64> {
    let is_plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_plain && *number <= most)
}

fn nanoseconds(seconds: i64, fraction: &str) -> Option<i64> {
    if fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<9}").parse().ok()?;
    seconds.checked_mul(NANOSECONDS as i64)?.checked_add(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_logs_and_results_write_them() {
        // date -u -d '2026-11-20 10:15:00' +%s
        let base = 1_795_169_700_000_000_000;
        for (text, clock, nanoseconds) in [
            ("2026/11/20 10:15:00.123", Clock::Local, base + 123_000_000),
            ("20261120-101500", Clock::Local, base),
            ("2026-11-20T10:15:00", Clock::Local, base),
            ("2026-11-20T10:15:00.5Z", Clock::Utc, base + 500_000_000),
            ("2026-11-20T10:15:00+01:30", Clock::Utc, base - 5400 * 1_000_000_000),
            ("2026-11-20T10:15:00.25-05:00", Clock::Utc, base + 18_000_250_000_000),
            ("1795169700", Clock::Utc, base),
            ("1795169700.25", Clock::Utc, base + 250_000_000),
        ] {
            assert_eq!(read(text, Clock::Local), Some(Moment { clock, nanoseconds }), "{text}");
        }
        for text in
            ["", "now", "2026/11/20", "2026/13/20 10:15:00", "2026/11/20 25:15:00", "20261120"]
        {
            assert!(
                read(text, Clock::Local)
                    .is_none_or(|of| text == "20261120" && of.clock == Clock::Utc),
                "{text}"
            );
        }
        assert_eq!(offset_s("-05:30"), Some(-19_800));
        assert_eq!(offset_s("+15:00"), None);
    }
}
