//! Decisions about numbers: every threshold that says what is zero, dependent, definite, met or still, with its reason.
//!
//! All are without units. A residual stands beside the terms it is the difference of (`Terms` in `dalembert-mechanics`), a row
//! beside its own length or the terms of its entries, an inertia beside other inertias, a correction beside what it corrects:
//! a model in any units, and a row multiplied by any number, is decided alike.

/// A sum is rounding up to this part of its terms: each of them is right to half of `f64::EPSILON`, and the sizes of terms
/// count every operation.
pub const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// The same for sums of products, each of which was rounded several times; for each of the products.
pub const PRODUCTS: f64 = 16.0 * f64::EPSILON;

/// Part of its terms up to which a sum vanishes at a state that is met as well as numbers can: what it depends on is known to
/// [`KNOWN`], and its slopes are not.
pub const BALANCED: f64 = 1e-9;
/// Part of the terms of its entries up to which a row is rounding, and none.
pub const VANISHED_ROW: f64 = 1e-14;
/// Distance from the span of others up to which a row of length one depends on them. Rows that depend on each other only
/// where positions are met differ by the error of the positions, so this is more than that.
pub const RANK: f64 = 1e-8;
/// The same at a change point, where positions are known to half the digits.
pub const RANK_WHERE_FLAT: f64 = 1e-6;
/// Part of the sizes of coordinates to which those of a start, or of a state beside it, are known.
pub const KNOWN: f64 = 1e-12;
/// Squared distance of a row of length one from those before it that leaves no doubt of its independence; refinement makes up
/// for a condition of its inverse.
pub const CLEARLY_INDEPENDENT: f64 = 1e-6;
/// Part of a null vector of length one up to which it does not move a multiplier.
pub const UNIQUE: f64 = 1e-6;
/// Length up to which what is left of a row of length one is used up by others.
pub const USED_UP: f64 = 1e-7;
/// Part of the accelerations and the terms in a row up to which its right side agrees with other rows.
pub const CONTRADICTION: f64 = 1e-6;

/// A pivot above this part of its diagonal entry leaves no doubt that a matrix is definite. More than the root of a rounding
/// error: a small pivot before may have magnified one that much.
pub const CLEARLY_DEFINITE: f64 = 1e-7;
/// An inertia this much smaller than the largest is the square of a rounding error, as of sin² π.
pub const NO_INERTIA: f64 = 1e-28;
/// A pivot below this part of the largest entry: the matrix is singular.
pub const SINGULAR: f64 = 1e-13;

/// Part of one by which products of rows of a rotation matrix, evaluated as it is written, may differ from 1 and 0.
pub const ORTHOGONAL: f64 = 1e-12;

/// Whether a residual is rounding beside the terms it is the difference of.
#[must_use]
pub fn is_rounding(residual: f64, terms: f64) -> bool {
    residual.abs() <= ROUNDING * terms
}

#[cfg(test)]
mod tests {
    use super::is_rounding;

    #[test]
    fn the_unit_does_not_decide() {
        for unit in [1e-200, 1e-9, 1.0, 1e9, 1e200] {
            assert!(is_rounding(1e-16 * unit, unit) && !is_rounding(1e-14 * unit, unit));
        }
        assert!(is_rounding(0.0, 0.0) && !is_rounding(f64::MIN_POSITIVE, 0.0));
    }
}
