//! Decisions about numbers in symbols: what is equal, what is rounding, what is beyond doubt. Those about doubles in mechanics stand in
//! `decide.rs` of `dalembert-linear`, which this crate does not know.

/// Values at the point of a field that differ by more than this part of their terms are different: they are doubles, and rounding
/// is far below.
pub const NEAR: f64 = 1e-6;

// Numbers of thirty digits.

/// Part of its result that a sum or a product may lose: a few units in the last place of 2⁻¹⁰⁴.
pub const OPERATION: f64 = 1e-30;
/// The same of any operation, functions included.
pub const ROUNDING: f64 = 10.0 * OPERATION;
/// A residual up to so many times what rounding of its terms explains is met: it was added up of many.
pub const EXPLAINED: f64 = 1e3;
/// A difference counts if it is this many times larger than rounding could make it.
pub const CLEAR: f64 = 16.0;
/// Values below this lose digits to the range of doubles.
pub const TINY: f64 = 1e-270;
/// Angles above this have lost too many digits to their turns, and have no sine.
pub const FEW_DIGITS_LEFT: f64 = 1e9;
/// A term below this part of the sum changes none of its digits, and ends a series.
pub const NOTHING: f64 = 1e-34;

/// Part of the size of its arguments by which one may be beyond the end of a table: rounding.
pub const SAME_ARGUMENT: f64 = 4.0 * f64::EPSILON;
