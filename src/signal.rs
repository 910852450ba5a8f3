//! What ends a command from outside: a signal, or the clock of `--timeout`. The command ends at the
//! next safe moment and leaves no litter.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rusqlite::Connection;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::error::{Interrupted, TimeIsOver};

/// Steps of SQLite's machine between two looks for a signal and at the clock.
const STEPS_BETWEEN_LOOKS: i32 = 10_000;
/// How long a statement waits for another program that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// The signal that came, if any, and the moment at which the time is over, if it is limited.
#[derive(Debug, Clone)]
pub struct Signals {
    came: Arc<AtomicUsize>,
    end: Option<Instant>,
}

impl Signals {
    /// Watches for SIGINT and SIGTERM from now on, and for the end of the time.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn watch(limit: Option<Duration>) -> Result<Self> {
        let signals = Self::clock(limit);
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_usize(signal, Arc::clone(&signals.came), signal as usize)
                .context("could not watch for signals")?;
        }
        report_full_quota()?;
        Ok(signals)
    }

    /// Watches for the end of the time alone; a signal ends the program as usual.
    pub fn clock(limit: Option<Duration>) -> Self {
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { came: Arc::new(AtomicUsize::new(0)), end }
    }

    /// Watches for nothing.
    pub fn none() -> Self {
        Self::clock(None)
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
        let Self { came, end } = self.clone();
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

/// Makes a write beyond the limit on the size of files an error, which otherwise ends the program
/// without a word.
#[cfg(unix)]
fn report_full_quota() -> Result<()> {
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
        .context("could not watch for signals")?;
    Ok(())
}

#[cfg(not(unix))]
fn report_full_quota() -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
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
