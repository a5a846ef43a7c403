//! Decisions about steps: when the end of one is off its rows, when a derivative jumps, when time stands still. Those about numbers,
//! which this crate shares with mechanics, stand in `decide.rs` of `dalembert-linear`; numbers of the controllers, which say how
//! long the next step is, stand with them (`control.rs`).
//!
//! None has units: errors are parts of the tolerance, lengths of steps parts of other steps.

/// A step shorter than this multiple of the spacing of numbers at t does not advance the time.
pub(crate) const SMALLEST_STEP_IN_ULPS: f64 = 10.0;
/// Smallest steps from one jump of the derivative to the next: jumps that follow each other faster are no motion any more.
pub(crate) const FAR_FROM_JUMP: f64 = 1e3;

/// A norm in units of the tolerance up to which a state is zero, and tells nothing of times.
pub(crate) const NO_SIZE: f64 = 1e-5;
/// Times the tolerance of a step by which a projection may move its end: a state that must be moved farther has lost its branch.
pub(crate) const MOST_MOVED: f64 = 100.0;
/// Part of what a step moves by, at most, by which a projection moves its end: unless that is far below the tolerance.
pub(crate) const MOST_OF_STEP: f64 = 0.1;
/// Part of the tolerance which is far below it, and of the largest value of its group below which a value is not looked at more
/// closely. Of a row of rejected steps those are long, and show the jump, that are at least this part of the first.
pub(crate) const FAR_BELOW: f64 = 1e-3;

/// A derivative jumps if it differs about as much in a step this part as long; near a pole it would differ the more, the shorter
/// the step is.
pub(crate) const SHORT: f64 = 1e-6;
/// How much more a derivative that jumps may differ there.
pub(crate) const SAME_JUMP: f64 = 10.0;
