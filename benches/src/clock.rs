//! Timing: the least of many short runs, which is what the code costs on a quiet machine.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one figure is measured.
const BUDGET: Duration = Duration::from_millis(500);

/// How long to measure: in full, or one run to see that it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    once: bool,
}

impl Clock {
    /// Measures for about half a second.
    pub const FULL: Self = Self { once: false };
    /// Runs everything once, without a figure worth quoting.
    pub const ONCE: Self = Self { once: true };

    /// Reads the arguments of a cargo bench: `--test` asks for a single run of everything.
    #[must_use]
    pub fn from_arguments() -> Self {
        Self {
            once: std::env::args().any(|argument| argument == "--test"),
        }
    }

    /// Whether every case is only run once.
    #[must_use]
    pub fn is_once(self) -> bool {
        self.once
    }

    /// Least time of one call of `work`.
    pub fn least<T>(self, mut work: impl FnMut() -> T) -> Duration {
        let started = Instant::now();
        black_box(work());
        let mut least = started.elapsed();
        // Runs of at least 20 µs, so that reading the clock does not count.
        let calls = (20_000 / least.as_nanos().max(1) + 1) as u32;
        while !self.once && started.elapsed() < BUDGET {
            let run = Instant::now();
            for _ in 0..calls {
                black_box(work());
            }
            least = least.min(run.elapsed() / calls);
        }
        least
    }

    /// Least time that `work` reports: for a part of what it does.
    pub fn least_part(self, mut work: impl FnMut() -> Duration) -> Duration {
        let started = Instant::now();
        let mut least = work();
        while !self.once && started.elapsed() < BUDGET {
            least = least.min(work());
        }
        least
    }
}

/// The time one piece of work takes, and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let started = Instant::now();
    let result = work();
    (started.elapsed(), result)
}

/// A duration in milliseconds.
#[must_use]
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A duration in microseconds.
#[must_use]
pub fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// A duration in nanoseconds.
#[must_use]
pub fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}
