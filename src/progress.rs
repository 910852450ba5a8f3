//! The current phase of long work, for the display of progress. A process does one work at a time.

use std::sync::{Mutex, PoisonError};

/// The phase in which documents are read.
pub const READING: &str = "reading";

static PHASE: Mutex<String> = Mutex::new(String::new());

/// Says what is done from now on, in a few words, such as `making indexes`.
pub fn enter(phase: &str) {
    phase.clone_into(&mut PHASE.lock().unwrap_or_else(PoisonError::into_inner));
}

/// What is done now; empty before anything began.
pub fn phase() -> String {
    PHASE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
