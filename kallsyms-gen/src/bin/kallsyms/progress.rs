//! A progress bar for training that takes its time.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Training shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears when stderr is a terminal and its patience is over.
pub(crate) struct Progress {
    start: Instant,
    terminal: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), terminal: stderr().is_terminal(), bar: None }
    }

    /// Shows that `done` of `total` steps are done.
    pub(crate) fn show(&mut self, done: u64, total: u64) {
        if !self.terminal || self.start.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("training {wide_bar} {percent}% {eta}");
            ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_length(total);
        bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
