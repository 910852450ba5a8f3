//! Progress on a terminal's standard error, for work that takes longer than a second. It shows the name of
//! the phase and, if the size of the phase is known, how much is done and the time left.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::terminal;
use crate::progress::{READING, phase};

/// How long work may take before it shows how far it is.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two looks at how far it is.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// How far reading is.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// Bytes read.
    pub bytes: u64,
    /// Bytes to read, where known.
    pub total: Option<u64>,
    /// Rows loaded.
    pub rows: u64,
}

/// Does the work while showing its phases; `reading` says how far the phase is in which documents
/// are read.
pub fn shown<T>(
    is_wanted: bool,
    reading: impl Fn() -> Option<Reading> + Send,
    work: impl FnOnce() -> T,
) -> T {
    if !is_wanted || !terminal::redraws() {
        return work();
    }
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let start = Instant::now();
            if !matches!(is_done.recv_timeout(PATIENCE), Err(RecvTimeoutError::Timeout)) {
                return;
            }
            let bar = bar();
            let mut before = String::new();
            let mut since = start;
            while matches!(is_done.recv_timeout(BETWEEN_LOOKS), Err(RecvTimeoutError::Timeout)) {
                let phase = phase();
                if phase != before {
                    // The first began before anyone looked.
                    since = if before.is_empty() { start } else { Instant::now() };
                    before.clone_from(&phase);
                }
                let reading = (phase == READING).then(&reading).flatten();
                bar.set_message(text(&phase, reading, since.elapsed()));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        let outcome = work();
        drop(done);
        outcome
    })
}

/// The line that is shown.
fn text(phase: &str, reading: Option<Reading>, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let Some(Reading { bytes, total, rows }) = reading else {
        return format!("{phase}, {seconds} s");
    };
    match total {
        Some(total) if bytes < total && bytes > 0 => {
            let left = elapsed.mul_f64((total - bytes) as f64 / bytes as f64);
            format!(
                "{phase}: {} of {}, {rows} rows, {} s left of it",
                HumanBytes(bytes),
                HumanBytes(total),
                left.as_secs_f64().ceil()
            )
        }
        Some(_) if bytes > 0 => format!("loading what was read: {rows} rows, {seconds} s"),
        _ => format!("{phase}: {}, {rows} rows, {seconds} s", HumanBytes(bytes)),
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{wide_msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_is_left_is_that_of_the_phase_and_never_none() {
        let reading = |bytes, total| Some(Reading { bytes, total, rows: 7 });
        let elapsed = Duration::from_secs(6);
        for (phase, reading, expected) in [
            (
                "reading",
                reading(1024, Some(4096)),
                "reading: 1.00 KiB of 4.00 KiB, 7 rows, 18 s left of it",
            ),
            (
                "reading",
                reading(4095, Some(4096)),
                "reading: 4.00 KiB of 4.00 KiB, 7 rows, 1 s left of it",
            ),
            ("reading", reading(4096, Some(4096)), "loading what was read: 7 rows, 6 s"),
            ("reading", reading(0, Some(4096)), "reading: 0 B, 7 rows, 6 s"),
            ("reading", reading(2048, None), "reading: 2.00 KiB, 7 rows, 6 s"),
            ("making indexes", None, "making indexes, 6 s"),
        ] {
            assert_eq!(text(phase, reading, elapsed), expected);
        }
    }
}
