//! Signals that ask the program to end: it does so at the next safe moment and leaves no litter.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use rusqlite::Connection;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::error::Interrupted;

/// Steps of SQLite's machine between two looks for a signal.
const STEPS_BETWEEN_LOOKS: i32 = 10_000;

/// The signal that came, if any.
#[derive(Debug, Clone)]
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Watches for SIGINT and SIGTERM from now on.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn watch() -> Result<Self> {
        let signals = Self::none();
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_usize(signal, Arc::clone(&signals.0), signal as usize)
                .context("could not watch for signals")?;
        }
        report_full_quota()?;
        Ok(signals)
    }

    /// Watches for nothing.
    pub fn none() -> Self {
        Self(Arc::new(AtomicUsize::new(0)))
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// [`Interrupted`] when a signal came.
    pub fn check(&self) -> Result<()> {
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            signal => Err(Interrupted(u8::try_from(signal).unwrap_or_default()).into()),
        }
    }

    /// Ends a long statement of the connection when a signal comes.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn interrupt(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let signal = Arc::clone(&self.0);
        let is_over = move || signal.load(Ordering::Relaxed) != 0;
        connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(is_over))
    }
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
