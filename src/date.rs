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
