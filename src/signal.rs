//! Ends a command from outside, by a signal or by `--timeout`. The command stops at the next safe moment and
//! leaves no temporary files.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rusqlite::Connection;
use signal_hook::flag;

use crate::error::{Interrupted, TimeIsOver};
use crate::platform;

/// Steps of SQLite's machine between two looks for a signal and at the clock.
const STEPS_BETWEEN_LOOKS: i32 = 10_000;
/// How long a statement waits for another program that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// The signal that was received, if any, and the time of the timeout, if there is one.
#[derive(Debug, Clone)]
pub struct Signals {
    came: Arc<AtomicUsize>,
    end: Option<Instant>,
    /// Whether a signal ends the program at once, since nothing is left to be tidied up.
    at_once: Arc<AtomicBool>,
}

impl Signals {
    /// Watches for the signals that ask a program to end from now on, and for the end of the time.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn watch(limit: Option<Duration>) -> Result<Self> {
        let signals = Self::clock(limit);
        for signal in platform::ending_signals() {
            let (came, at_once) = (Arc::clone(&signals.came), Arc::clone(&signals.at_once));
            flag::register_conditional_shutdown(signal, 128 + signal, at_once)
                .and_then(|_| flag::register_usize(signal, came, signal as usize))
                .context("could not watch for signals")?;
        }
        platform::report_full_quota().context("could not watch for signals")?;
        Ok(signals)
    }

    /// Watches for the end of the time alone; a signal ends the program as usual.
    pub fn clock(limit: Option<Duration>) -> Self {
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { came: Arc::default(), end, at_once: Arc::default() }
    }

    /// Watches for nothing.
    pub fn none() -> Self {
        Self::clock(None)
    }

    /// Lets a signal end the program at once from now on: what is left to do may wait for a reader
    /// for ever, and leaves nothing behind.
    ///
    /// # Errors
    /// [`Interrupted`] when a signal came already.
    pub fn end_at_once(&self) -> Result<()> {
        self.at_once.store(true, Ordering::SeqCst);
        self.interrupted()
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// [`Interrupted`] when a signal came, [`TimeIsOver`] when the time is over.
    pub fn check(&self) -> Result<()> {
        self.interrupted()?;
        if is_past(self.end) { Err(TimeIsOver.into()) } else { Ok(()) }
    }

    /// Whether no signal came, whatever the time.
    ///
    /// # Errors
    /// [`Interrupted`] when one did.
    pub fn interrupted(&self) -> Result<()> {
        match self.came.load(Ordering::Relaxed) {
            0 => Ok(()),
            signal => Err(Interrupted(u8::try_from(signal).unwrap_or_default()).into()),
        }
    }

    /// Ends a long statement of the connection when a signal comes or the time is over, also while
    /// SQLite reads the schema and prepares.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn interrupt(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let Self { came, end, .. } = self.clone();
        if let Some(end) = end {
            connection.busy_timeout(PATIENCE.min(end.saturating_duration_since(Instant::now())))?;
        }
        let is_over = move || came.load(Ordering::Relaxed) != 0 || is_past(end);
        connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(is_over))
    }
}

fn is_past(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

#[cfg(test)]
mod tests {
    use signal_hook::consts::SIGINT;

    use super::*;

    const ENDLESS: &str = "with recursive n (i) as (select 1 union all select i + 1 from n) \
                           select count(*) from n";

    #[test]
    fn one_handler_ends_a_statement_by_a_signal_and_by_the_clock() {
        for (came, limit) in [(SIGINT, None), (0, Some(Duration::from_millis(20)))] {
            let signals = Signals::clock(limit);
            let mut connection = Connection::open_in_memory().unwrap();
            signals.interrupt(&mut connection).unwrap();
            signals.came.store(came as usize, Ordering::Relaxed);
            let outcome = connection.query_row(ENDLESS, [], |row| row.get::<_, i64>(0));
            assert!(outcome.is_err());
            let error = signals.check().unwrap_err();
            assert_eq!(error.is::<Interrupted>(), came != 0);
            assert_eq!(error.is::<TimeIsOver>(), came == 0);
            assert_eq!(signals.interrupted().is_err(), came != 0);
        }
    }
}
