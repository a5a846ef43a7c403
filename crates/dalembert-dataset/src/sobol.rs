//! Sobol's sequence: points that fill a cube evenly, each by its number.
//!
//! Points are shifted bit by bit by numbers of the seed, which leaves them as even as they are.
//!
//! References: Sobol, USSR Comput. Math. Math. Phys. 7 (1967) 86–112; direction numbers of Joe, Kuo, "Constructing Sobol sequences with better
//! two-dimensional projections", SIAM J. Sci. Comput. 30 (2008) 2635–2654 (`new-joe-kuo-6`).

use super::random::{bits, unit};

/// Most dimensions.
pub const DIMENSIONS: usize = INITIAL.len() + 1;

/// The primitive polynomial of each dimension but the first, its coefficients as bits, and the first direction numbers.
#[rustfmt::skip]
const INITIAL: [(u32, &[u64]); 63] = [
    (3, &[1]), (7, &[1, 3]), (11, &[1, 3, 1]), (13, &[1, 1, 1]),
    (19, &[1, 1, 3, 3]), (25, &[1, 3, 5, 13]), (37, &[1, 1, 5, 5, 17]), (41, &[1, 1, 5, 5, 5]),
    (47, &[1, 1, 7, 11, 19]), (55, &[1, 1, 5, 1, 1]), (59, &[1, 1, 1, 3, 11]), (61, &[1, 3, 5, 5, 31]),
    (67, &[1, 3, 3, 9, 7, 49]), (91, &[1, 1, 1, 15, 21, 21]), (97, &[1, 3, 1, 13, 27, 49]), (103, &[1, 1, 1, 15, 7, 5]),
    (109, &[1, 3, 1, 15, 13, 25]), (115, &[1, 1, 5, 5, 19, 61]), (131, &[1, 3, 7, 11, 23, 15, 103]), (137, &[1, 3, 7, 13, 13, 15, 69]),
    (143, &[1, 1, 3, 13, 7, 35, 63]), (145, &[1, 3, 5, 9, 1, 25, 53]), (157, &[1, 3, 1, 13, 9, 35, 107]), (167, &[1, 3, 1, 5, 27, 61, 31]),
    (171, &[1, 1, 5, 11, 19, 41, 61]), (185, &[1, 3, 5, 3, 3, 13, 69]), (191, &[1, 1, 7, 13, 1, 19, 1]), (193, &[1, 3, 7, 5, 13, 19, 59]),
    (203, &[1, 1, 3, 9, 25, 29, 41]), (211, &[1, 3, 5, 13, 23, 1, 55]), (213, &[1, 3, 7, 3, 13, 59, 17]), (229, &[1, 3, 1, 3, 5, 53, 69]),
    (239, &[1, 1, 5, 5, 23, 33, 13]), (241, &[1, 1, 7, 7, 1, 61, 123]), (247, &[1, 1, 7, 9, 13, 61, 49]), (253, &[1, 3, 3, 5, 3, 55, 33]),
    (285, &[1, 3, 1, 15, 31, 13, 49, 245]), (299, &[1, 3, 5, 15, 31, 59, 63, 97]), (301, &[1, 3, 1, 11, 11, 11, 77, 249]), (333, &[1, 3, 1, 11, 27, 43, 71, 9]),
    (351, &[1, 1, 7, 15, 21, 11, 81, 45]), (355, &[1, 3, 7, 3, 25, 31, 65, 79]), (357, &[1, 3, 1, 1, 19, 11, 3, 205]), (361, &[1, 1, 5, 9, 19, 21, 29, 157]),
    (369, &[1, 3, 7, 11, 1, 33, 89, 185]), (391, &[1, 3, 3, 3, 15, 9, 79, 71]), (397, &[1, 3, 7, 11, 15, 39, 119, 27]), (425, &[1, 1, 3, 1, 11, 31, 97, 225]),
    (451, &[1, 1, 1, 3, 23, 43, 57, 177]), (463, &[1, 3, 7, 7, 17, 17, 37, 71]), (487, &[1, 3, 1, 5, 27, 63, 123, 213]), (501, &[1, 1, 3, 5, 11, 43, 53, 133]),
    (529, &[1, 3, 5, 5, 29, 17, 47, 173, 479]), (539, &[1, 3, 3, 11, 3, 1, 109, 9, 69]), (545, &[1, 1, 1, 5, 17, 39, 23, 5, 343]), (557, &[1, 3, 1, 5, 25, 15, 31, 103, 499]),
    (563, &[1, 1, 1, 11, 11, 17, 63, 105, 183]), (601, &[1, 1, 5, 11, 9, 29, 97, 231, 363]), (607, &[1, 1, 5, 15, 19, 45, 41, 7, 383]), (617, &[1, 3, 7, 7, 31, 19, 83, 137, 221]),
    (623, &[1, 1, 1, 3, 23, 15, 111, 223, 83]), (631, &[1, 1, 5, 13, 31, 15, 55, 25, 161]), (637, &[1, 1, 3, 13, 25, 47, 39, 87, 257]),
];

/// Direction numbers of a dimension, as 64 bits after the point.
pub(crate) fn directions(dimension: usize) -> [u64; 64] {
    let mut found = [0; 64];
    let Some(index) = dimension.checked_sub(1) else {
        return std::array::from_fn(|k| 1 << (63 - k));
    };
    let (polynomial, first) = INITIAL[index];
    let degree = first.len();
    for k in 0..64 {
        found[k] = match first.get(k) {
            Some(number) => number << (63 - k),
            None => {
                // vₖ = vₖ₋ₛ ⊕ vₖ₋ₛ/2ˢ ⊕ Σ aᵢ vₖ₋ᵢ
                let mut next = found[k - degree] ^ (found[k - degree] >> degree);
                for i in 1..degree {
                    if polynomial >> (degree - i) & 1 == 1 {
                        next ^= found[k - i];
                    }
                }
                next
            }
        };
    }
    found
}

/// A point of the sequence in one dimension, not shifted: its bits after the point.
fn point(directions: &[u64; 64], index: u64) -> u64 {
    let gray = index ^ (index >> 1);
    let chosen = directions.iter().enumerate();
    let chosen = chosen.filter(|(k, _)| gray >> k & 1 == 1);
    chosen.fold(0, |sum, (_, direction)| sum ^ direction)
}

/// The same, shifted by the seed: between 0 and 1, neither of them included.
pub(crate) fn shifted(directions: &[u64; 64], (seed, dimension): (u64, u64), index: u64) -> f64 {
    unit(point(directions, index) ^ bits(seed, dimension, u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fourth, fifth and sixth point in six dimensions, as `scipy.stats.qmc.Sobol(6, scramble=False)` has them.
    #[test]
    fn points_are_those_of_joe_and_kuo() {
        let known = [
            (3, [0.25, 0.75, 0.75, 0.75, 0.25, 0.25]),
            (4, [0.375, 0.375, 0.625, 0.875, 0.375, 0.125]),
            (5, [0.875, 0.875, 0.125, 0.375, 0.875, 0.625]),
        ];
        for (index, values) in known {
            for (dimension, value) in values.into_iter().enumerate() {
                let found = point(&directions(dimension), index) as f64 * 2.0_f64.powi(-64);
                assert!(
                    (found - value).abs() < 1e-15,
                    "{index} {dimension}: {found}"
                );
            }
        }
    }

    /// Of 2ᵏ points each of 2ᵏ slices has one, in every dimension, wherever they are shifted to.
    #[test]
    fn slices_have_one_point_each() {
        for dimension in 0..DIMENSIONS {
            let directions = directions(dimension);
            let mut taken = [false; 256];
            for index in 0..256 {
                let x = shifted(&directions, (9, dimension as u64), index);
                taken[(x * 256.0) as usize] = true;
            }
            assert_eq!(taken, [true; 256], "{dimension}");
        }
    }
}
