//! Decisions about numbers: every threshold that says what is zero, dependent, definite, met, still or rounding, with its reason.
//!
//! All are without units. A residual stands beside the terms it is the difference of (`Terms` in `dalembert-mechanics`), a row
//! beside its own length or the terms of its entries, an inertia beside other inertias, a correction beside what it corrects, an error
//! of a step beside its tolerance, an imbalance beside energies and works: a model in any units, and a row multiplied by any number, is
//! decided alike. Numbers that only say how something is looked for (lengths of steps and probes, weights, costs) stand where they are
//! used.
//!
//! From the last digit to the first: [`ROUNDING`], [`SOLVED`], [`KNOWN`], [`MET`], [`CANCELLED`], [`RANK`], [`USED_UP`], [`CLEAR`],
//! [`COARSE`], [`RELATED`]. Others follow from these, and are written so.

// Digits of doubles.

/// A sum is rounding up to this part of its terms: each of them is right to half of `f64::EPSILON`, and the sizes of terms
/// count every operation. Times and arguments of tables that differ by less are the same.
pub const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// The same for sums of products, each of which was rounded several times; for each of the products.
pub const PRODUCTS: f64 = 4.0 * ROUNDING;
/// The same for energies: sums of products of products.
pub const EVALUATED: f64 = 4.0 * PRODUCTS;
/// Part of the terms of equations up to which what is left of their solution is rounding: what errors of a step are held against.
/// A pivot, a row, a price or a term that is smaller beside those it was made of tells nothing.
pub const SOLVED: f64 = 200.0 * f64::EPSILON;
/// Part of its size to which a value is known that was found by solving equations: a coordinate of a start, a direction, an entry
/// of a rotation as it is written.
pub const KNOWN: f64 = 1e-12;
/// Corners of a mesh closer than this part of its size are one: files have the digits of single precision. What a mesh encloses is
/// nothing if it is a smaller part of the cube of that.
pub const SAME_CORNER: f64 = 1e-6;
/// Part of its terms up to which a row is met where no step gets nearer, and of its size by which a value has not moved: rows whose
/// slopes vanish, or that depend on each other, are met less well than others.
pub const MET: f64 = 1e-10;
/// Part of its terms up to which a sum vanishes at a state that is met as well as numbers can: what it depends on is known to
/// [`KNOWN`], and its slopes are not. A sequence of impacts is over when this part of the run is left of it.
pub const CANCELLED: f64 = 1e-9;
/// Distance from the span of others up to which a row of length one depends on them. Rows that depend on each other only
/// where positions are met differ by the error of the positions, so this is more than that.
pub const RANK: f64 = 1e-8;
/// Part of what doubles solve for (accelerations, multipliers, what a surface gives) by which it may be wrong: rows that are nearer than
/// [`RANK`] to others count as dependent, so a condition takes half of the digits at most.
pub const IN_DOUBLES: f64 = RANK;
/// Part of a row of length one, or of a diagonal entry, that elimination must leave for it to count: less is used up by others,
/// and a matrix with larger pivots is definite without doubt. More than the root of a rounding error: a small pivot before
/// may have magnified one that much.
pub const USED_UP: f64 = 1e-7;
/// Part from which two numbers differ, a direction has a component, rows contradict each other, and formulations disagree: less may be
/// the error of a state, magnified by rows that nearly depend on each other. At a change point, where positions are known to half
/// the digits, it decides about ranks too. A step shorter by this is another one: what still differs as much in it jumps.
pub const CLEAR: f64 = 1e-6;
/// Three digits: what is smaller than this part of what it belongs to takes no part in it. A row in a combination of rows, a speed
/// across the curve of a motion, what is left of a slope or of a way where it vanishes at first order, a hundredth of its size away;
/// a row of length one that is farther from others is independent without doubt, and refinement makes up for the condition;
/// rows that depend on each other as nearly as this between steps, where they are met as a step errs, are not told apart; energy
/// lost beyond this part of what a motion usually has is another motion. Far below a tolerance is this part of it; intervals between
/// impacts shrink by one law if their factors agree to it.
pub const COARSE: f64 = 1e-3;
/// Two digits: what is left in a relation between rows that depend on each other but for the error of a state between steps.
pub const RELATED: f64 = 1e-2;

// Inertias and sparse systems.

/// Ratio of the lightest speed's inertia to the heaviest's below which rows get a penalty: with rows measured by M alone, those that
/// share a nearly massless speed would look parallel. What has no inertia, or no given value, is moved at a start for this part of
/// the price of the dearest.
pub const WIDE: f64 = 1e-10;
/// Part of the heaviest inertia that a speed counts for in such a penalty, at least: the square of its condition stays within
/// the digits there are, [`KNOWN`]. A semidefinite M gets this part of its diagonal more where it must be definite.
pub const LIGHT: f64 = CLEAR;
/// An inertia, or a price, this much smaller than the largest is the square of a rounding error, as of sin² π.
pub const NO_INERTIA: f64 = EVALUATED * EVALUATED;
/// ε on the zero block of a sparse system, beside rows of length one: it lets dependent rows in any order be eliminated, refinement
/// takes it away again, and it is less than what makes rows dependent.
pub const REGULARISATION: f64 = CANCELLED;
/// Part of the squared length of a unit row by which rows give way that depend on each other where they are met: less than the squared
/// distance at which rows count as dependent between steps, and enough for what they differ by off the surface to stay small.
pub const SOFT: f64 = 1.0 / (1 << 20) as f64;
/// Part of the largest unknown, or of the terms of the largest equation, that rounding leaves in others which nothing couples to it, or only
/// by a long way: the first correction does so too, but is corrected itself, and those after it are small.
pub const FAINT: f64 = COARSE * ROUNDING;
/// Numbers below this have products and differences without digits: they are nothing in any unit.
pub const NOTHING: f64 = f64::MIN_POSITIVE / f64::EPSILON;

// Steps of an integrator. Errors are parts of the tolerance.

/// A step shorter than this multiple of the spacing of numbers at t does not advance the time.
pub const SMALLEST_STEP_IN_ULPS: f64 = 10.0;
/// A norm in units of the tolerance up to which a state is zero, and tells nothing of times (Hairer, Nørsett, Wanner 1993, section
/// II.4).
pub const NO_SIZE: f64 = 1e-5;
/// Times its tolerance by which a single step may be off, in the energy or in the way back to its rows: one that is farther off has
/// lost its branch, or the motion.
pub const SINGLE: f64 = 100.0;
/// Part of what a step moves by, at most, by which a projection moves its end: unless that is far below the tolerance.
pub const MOST_OF_STEP: f64 = 0.1;
/// How much more a derivative that jumps may differ in a step that is a million times as short; near a pole it would differ the
/// more, the shorter the step is.
pub const SAME_JUMP: f64 = 10.0;

// Runs.

/// Times rtol √n S that the energy of a run may be out of balance by; runs that are right stay within about 4.
pub const WHOLE: f64 = 30.0;
/// Rounding of the energies that n steps add up, as part of √n S.
pub const ADDED_UP: f64 = 1e-13;
/// Rows whose pivots, beside the usual lengths of the rows, become as small as this have lost their rank: a row that holds
/// but for 1e-13 of its size, as rounding leaves it, turns a corner at a distance of the root of that. The corner of a motion
/// that keeps more distance is its own.
pub const SINGULAR: f64 = 5e-7;
/// Parts of the greatest pivot between which rows are near to losing their rank, and not so near that another branch, which is as far away,
/// could be taken for what rounding leaves: that is rounding over the square of the pivot.
pub const NARROWING: [f64; 2] = [1e-4, 0.1];
/// Part of the slope with which a pivot began to vanish that is left where it does so in proportion to the way: branches that cross
/// part at first order, and differ in direction however near they are. It is looked at once more where the pivot is [`RELATED`].
pub const STRAIGHT: f64 = 0.5;
/// Part of the usual step below which steps have collapsed: a passage begins.
pub const COLLAPSED: f64 = 1e-2;
/// Part of its length by which a direction may miss the one extrapolated over a passage: on another branch it misses by more.
pub const MISSED: f64 = 0.02;
/// Part of the least pivots at both ends of a step that is left where the step passes a change point.
pub const MUCH_LESS: f64 = 0.05;
/// Part of the speed of its arrival up to which a motion has come to rest at a change point.
pub const AT_REST: f64 = 1e-4;

/// Numbers of thirty digits.
pub mod thirty {
    /// Part of its result that a sum or a product may lose: a few units in the last place of 2⁻¹⁰⁴.
    pub const OPERATION: f64 = 1e-30;
    /// The same of any operation, functions included.
    pub const ROUNDING: f64 = 10.0 * OPERATION;
    /// A residual up to so many times what rounding of its terms explains is met: it was added up of many.
    pub const EXPLAINED: f64 = 1e3;
    /// A difference counts if it is this many times larger than rounding could make it.
    pub const CLEAR: f64 = 16.0;
    /// Angles above this have lost too many digits to their turns, and have no sine.
    pub const FEW_DIGITS_LEFT: f64 = 1e9;
    /// A term below this part of the sum changes none of its digits, and ends a series.
    pub const NOTHING: f64 = 1e-34;
    /// Values below this lose digits to the range of doubles: parts of them that count are no normal numbers.
    pub const TINY: f64 = f64::MIN_POSITIVE / NOTHING;
}

/// Whether a residual is rounding beside the terms it is the difference of.
#[must_use]
pub fn is_rounding(residual: f64, terms: f64) -> bool {
    residual.abs() <= ROUNDING * terms
}

/// A residual beside the terms it is the difference of: infinite where that is no number, and zero only where it is zero.
#[must_use]
pub fn beside(residual: f64, terms: f64) -> f64 {
    match residual.abs() / terms {
        _ if residual == 0.0 => 0.0,
        part if part.is_nan() => f64::INFINITY,
        part => part,
    }
}

/// When a search for values that meet equations is over: they are met well enough, the last correction did not make them better, or
/// too many were made.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Largest residual, measured, that is good enough.
    enough: f64,
    most: usize,
    made: usize,
    last: f64,
}

impl Ending {
    /// With so many corrections at most.
    #[must_use]
    pub fn new(enough: f64, most: usize) -> Self {
        Self {
            enough,
            most,
            made: 0,
            last: f64::INFINITY,
        }
    }

    /// Starts another search.
    pub fn begin(&mut self) {
        (self.made, self.last) = (0, f64::INFINITY);
    }

    /// Corrections made so far.
    #[must_use]
    pub fn corrections(&self) -> usize {
        self.made
    }

    /// Whether it is over where the largest residual is `worst`; if not, a correction follows. What is not `near` to being met may get
    /// worse on the way.
    pub fn is_over(&mut self, worst: f64, near: bool) -> bool {
        let stalls = near && worst >= self.last;
        let over = worst <= self.enough || stalls || self.made == self.most;
        self.made += usize::from(!over);
        self.last = worst;
        over
    }
}

#[cfg(test)]
mod tests {
    use super::{Ending, beside, is_rounding};

    #[test]
    fn a_search_ends_where_it_is_met_or_gets_no_better() {
        let ends = |worst: &[f64], near: f64| {
            let mut ending = Ending::new(1e-15, 6);
            worst.iter().position(|&it| ending.is_over(it, it <= near))
        };
        assert_eq!(ends(&[1.0, 1e-3, 1e-9, 1e-16, 0.0], 1e-6), Some(3), "met");
        assert_eq!(
            ends(&[1.0, 3.0, 1e-9, 2e-9], 1e-6),
            Some(3),
            "worse far away is no end"
        );
        assert_eq!(ends(&[1.0, 3.0], 10.0), Some(1), "near at once");
        assert_eq!(
            ends(&[9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0], 0.0),
            Some(6),
            "too many"
        );
    }

    #[test]
    fn the_unit_does_not_decide() {
        for unit in [1e-200, 1e-9, 1.0, 1e9, 1e200] {
            assert!(is_rounding(1e-16 * unit, unit) && !is_rounding(1e-14 * unit, unit));
        }
        assert!(is_rounding(0.0, 0.0) && !is_rounding(f64::MIN_POSITIVE, 0.0));
    }

    #[test]
    fn what_is_no_number_is_not_met() {
        assert!(beside(f64::NAN, 1.0).is_infinite() && beside(1.0, 0.0).is_infinite());
        assert!(beside(0.0, 0.0) == 0.0 && (beside(-1.0, 4.0) - 0.25).abs() < 1e-15);
    }
}
