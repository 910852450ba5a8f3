//! Dates, written YYYY-MM-DD.

use anyhow::{Result, bail};

/// Refuses text that is not a day of the calendar written YYYY-MM-DD.
///
/// # Errors
/// When it is not one.
pub fn check_date(text: &str) -> Result<()> {
    let parts: Vec<&str> = text.split('-').collect();
    let well_formed = text.len() == 10
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        && parts.iter().map(|part| part.len()).eq([4, 2, 2]);
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    if let [year, month, day] = numbers[..]
        && well_formed
        && (1..=days_in_month(year, month)).contains(&day)
    {
        return Ok(());
    }
    bail!("'{text}' is not a date; write YYYY-MM-DD, such as 2026-09-27")
}

/// The day in eight digits, `20261120`, written YYYY-MM-DD, or `None` if they are not a day.
pub fn of_digits(digits: &str) -> Option<String> {
    let day = format!("{}-{}-{}", digits.get(..4)?, digits.get(4..6)?, digits.get(6..)?);
    check_date(&day).is_ok().then_some(day)
}

/// The day of a time as benchmarks write it: `20261120-101500`.
pub fn of_time(time: &str) -> Option<String> {
    of_digits(time.split_once('-')?.0)
}

/// Days from the first of January 1970 to a day written YYYY-MM-DD, in the Gregorian calendar.
///
/// # Errors
/// When it is not a day.
pub fn days_since_1970(text: &str) -> Result<i32> {
    check_date(text)?;
    let number = |range: std::ops::Range<usize>| text[range].parse::<i32>();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    // A year that begins in March has its odd day last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = 365 * year + leap_days + (153 * month + 2) / 5 + day - 1;
    Ok(days - 719_468)
}

/// Days of a month of the Gregorian calendar; 0 for a month that is none.
fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        1..=12 => 31,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are Python's.
    #[cfg(feature = "parquet")]
    #[test]
    fn days_are_counted_from_1970() {
        for (date, days) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
            ("2026-10-19", 20_745),
            ("0001-01-01", -719_162),
            ("9999-12-31", 2_932_896),
        ] {
            assert_eq!(days_since_1970(date).unwrap(), days, "{date}");
        }
    }

    #[test]
    fn only_days_of_the_calendar_are_dates() {
        for date in ["2026-09-27", "2024-02-29", "2000-02-29", "0001-01-01"] {
            assert!(check_date(date).is_ok(), "{date}");
        }
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-9-27",
            "27-09-2026",
            "2026-09-00",
            "",
            "+026-09-27",
            "2026-09-27 ",
            "２０２６-09-27",
        ] {
            assert!(check_date(text).is_err(), "{text}");
        }
    }
}
