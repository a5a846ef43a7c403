//! Timing: the least of many short runs, which is what the code costs on a quiet machine.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long to measure: in full, or one run to see that it works.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    once: bool,
}

impl Clock {
    /// Reads the arguments of the bench: `--test` asks for a single run of everything.
    #[must_use]
    pub fn from_arguments() -> Self {
        Self {
            once: std::env::args().any(|argument| argument == "--test"),
        }
    }

    /// Whether every case is only run once, without a figure worth quoting.
    #[must_use]
    pub fn is_test(self) -> bool {
        self.once
    }

    /// Least time of one call of `work`, over about half a second.
    pub fn least<T>(self, mut work: impl FnMut() -> T) -> Duration {
        let started = Instant::now();
        black_box(work());
        let first = started.elapsed();
        if self.once {
            return first;
        }
        // Runs of at least 20 µs, so that reading the clock does not count.
        let calls = (20_000 / first.as_nanos().max(1) + 1) as u32;
        let mut least = Duration::MAX;
        while started.elapsed() < Duration::from_millis(500) {
            let run = Instant::now();
            for _ in 0..calls {
                black_box(work());
            }
            least = least.min(run.elapsed() / calls);
        }
        least
    }
}

/// A duration in microseconds.
#[must_use]
pub fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
