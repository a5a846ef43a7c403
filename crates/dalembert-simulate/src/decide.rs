//! Decisions about runs: whether the ledger closes, whether a branch was lost, whether a motion rests. What is rounding, dependent or
//! negligible is decided as everywhere (`decide.rs` of `dalembert-linear`); numbers that only say how something is looked for
//! (how far ahead, how often) stand where they are used.
//!
//! None has units: an imbalance stands beside energies and works, a pivot beside the usual one, a step beside the usual steps.

use dalembert_mechanics::decide::PRODUCTS;

/// Times rtol √n S that the energy of a run may be out of balance by; runs that are right stay within about 4.
pub(crate) const WHOLE: f64 = 30.0;
/// Times rtol S for a single step.
pub(crate) const SINGLE: f64 = 100.0;
/// Rounding of the energies that n steps add up, as part of √n S.
pub(crate) const ADDED_UP: f64 = 1e-13;
/// Rounding of T and V as they are evaluated, as part of their size: sums of products of products.
pub(crate) const EVALUATED: f64 = 4.0 * PRODUCTS;

/// Rows whose pivots, beside the usual lengths of the rows, become as small as this have lost their rank: a row that holds
/// but for 1e-13 of its size, as rounding leaves it, turns a corner at a distance of the root of that. The corner of a motion
/// that keeps more distance is its own.
pub(crate) const SINGULAR: f64 = 5e-7;
/// Part of the usual step below which steps have collapsed: a passage begins.
pub(crate) const COLLAPSED: f64 = 1e-2;
/// Part of its length by which a direction may miss the one extrapolated over a passage: on another branch it misses by more.
pub(crate) const MISSED: f64 = 0.02;
/// Part of the least pivots at both ends of a step that is left where the step passes a change point.
pub(crate) const MUCH_LESS: f64 = 0.05;
/// Part of the speed of its arrival up to which a motion has come to rest at a change point.
pub(crate) const AT_REST: f64 = 1e-4;

/// Part of a time within which conditions become true at one instant: a few spacings of numbers.
pub(crate) const AT_ONCE: f64 = 4.0 * f64::EPSILON;
/// Part by which the factors of intervals between impacts may differ that follow each other by one law.
pub(crate) const ALIKE: f64 = 1e-3;
/// Part of the span that is left of a sequence of impacts when it is over.
pub(crate) const OVER: f64 = 1e-9;
