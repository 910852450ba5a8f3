//! Progress on a terminal's standard error, for what takes longer than a second.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::terminal;

/// How long a build may take before it shows how far it is.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two looks at how far it is.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Does the work while showing how far it is. `total` is the number of bytes to read, where known;
/// `look` gives the bytes read and the rows loaded so far.
pub fn shown<T>(
    is_wanted: bool,
    total: Option<u64>,
    look: impl Fn() -> (u64, u64) + Send,
    work: impl FnOnce() -> T,
) -> T {
    if !is_wanted || !terminal::is_watched() {
        return work();
    }
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if !matches!(is_done.recv_timeout(PATIENCE), Err(RecvTimeoutError::Timeout)) {
                return;
            }
            let bar = bar(total);
            while matches!(is_done.recv_timeout(BETWEEN_LOOKS), Err(RecvTimeoutError::Timeout)) {
                let (bytes, rows) = look();
                bar.set_position(bytes);
                bar.set_message(format!("{rows} rows"));
            }
            bar.finish_and_clear();
        });
        let outcome = work();
        drop(done);
        outcome
    })
}

fn bar(total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    let template = match total {
        Some(_) => "{msg}, {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        None => "{msg}, {bytes}, {bytes_per_sec}",
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
