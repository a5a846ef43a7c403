//! Whether every motion that the rows leave free has inertia.
//!
//! Where M is singular the system determines its accelerations only if M is definite on the null space of A.
//! With a basis Z of that space, in units that make the diagonal of the metric one,
//!
//! ```text
//! Zᵀ M Z,    each zₖ divided by Σᵢ |zₖᵢ| √Mᵢᵢ
//! ```
//!
//! has entries of at most one, of which a rounding error is known; it is eliminated with the largest pivot first, and a
//! pivot that is no more than rounding belongs to a motion without inertia.

use super::rows::Tolerance;
use crate::decide::PRODUCTS;
use crate::{CompleteOrthogonal, add_scaled, dot, unit_rows};

/// Room for one decision.
#[derive(Clone, Debug)]
pub(crate) struct FreeInertia {
    rows: CompleteOrthogonal,
    /// A in units, with rows of length one.
    scaled: Vec<f64>,
    /// The vectors zₖ, one after the other, and M zₖ.
    ways: Vec<f64>,
    weighed: Vec<f64>,
    matrix: Vec<f64>,
    /// Speeds in units of their inertia.
    sizes: Vec<f64>,
}

impl FreeInertia {
    pub(crate) fn new(nv: usize, nc: usize) -> Self {
        Self {
            rows: CompleteOrthogonal::new(nc, nv),
            scaled: vec![0.0; nc * nv],
            ways: vec![0.0; nv * nv],
            weighed: vec![0.0; nv * nv],
            matrix: vec![0.0; nv * nv],
            sizes: vec![0.0; nv],
        }
    }

    /// Whether M (its upper triangle is read) is definite where A leaves freedom.
    pub(crate) fn is_definite(&mut self, M: &[f64], A: &[f64], units: &[f64]) -> bool {
        let nv = units.len();
        self.choose_ways(A, units);
        let freedoms = nv - self.rows.rank();
        for ((size, own), unit) in self
            .sizes
            .iter_mut()
            .zip(M.iter().step_by(nv + 1))
            .zip(units)
        {
            *size = own.max(0.0).sqrt() * unit;
        }
        for k in 0..freedoms {
            let way = &mut self.ways[k * nv..][..nv];
            let terms = way
                .iter()
                .zip(&self.sizes)
                .map(|(z, size)| (z * size).abs());
            let terms: f64 = terms.sum();
            if terms == 0.0 {
                return false;
            }
            way.iter_mut()
                .zip(units)
                .for_each(|(z, unit)| *z *= unit / terms);
            for i in 0..nv {
                let above = (0..i).map(|j| M[j * nv + i] * way[j]).sum::<f64>();
                self.weighed[k * nv + i] = above + dot(&M[i * nv..][i..nv], &way[i..]);
            }
        }
        for k in 0..freedoms {
            for l in 0..freedoms {
                let product = dot(&self.ways[k * nv..][..nv], &self.weighed[l * nv..][..nv]);
                self.matrix[k * freedoms + l] = product;
            }
        }
        has_full_rank(
            &mut self.matrix[..freedoms * freedoms],
            &mut self.sizes[..freedoms],
        )
    }

    /// The null space of A, in units.
    fn choose_ways(&mut self, A: &[f64], units: &[f64]) {
        let nv = units.len();
        self.scaled.copy_from_slice(A);
        unit_rows(&mut self.scaled, units);
        self.rows.factor(&self.scaled, Tolerance::default().rank);
        for k in 0..nv - self.rows.rank() {
            self.rows.null_vector(k, &mut self.ways[k * nv..][..nv]);
        }
    }
}

/// Whether all pivots of a semidefinite matrix with entries of at most one are more than rounding; it is used up.
fn has_full_rank(matrix: &mut [f64], row: &mut [f64]) -> bool {
    let n = row.len();
    for _ in 0..n {
        let larger = |best, j| {
            if matrix[j * n + j] > matrix[best * n + best] {
                j
            } else {
                best
            }
        };
        let p = (0..n).fold(0, larger);
        let pivot = matrix[p * n + p];
        if pivot.is_nan() || pivot <= PRODUCTS * n as f64 {
            return false;
        }
        row.copy_from_slice(&matrix[p * n..][..n]);
        for i in 0..n {
            let factor = -row[i] / pivot;
            add_scaled(&mut matrix[i * n..][..n], factor, row);
        }
        matrix[p * n + p] = 0.0; // used, like what is left of its row and column
    }
    true
}

#[cfg(test)]
mod tests {
    use super::FreeInertia;

    #[test]
    fn rows_that_leave_a_motion_without_inertia_are_told_from_those_that_do_not() {
        // (x' - 3 y')² with z' = x': y' = x'/3 moves nothing; with z' = x' - 2 y' something.
        let M = [1.0, -3.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 0.0];
        let mut free = FreeInertia::new(3, 2);
        let along = [-1.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        assert!(!free.is_definite(&M, &along, &[1.0, 0.3, 700.0]));
        let held = [-1.0, 0.0, 1.0, 1.0, -2.0, 0.0];
        assert!(free.is_definite(&M, &held, &[1.0, 0.3, 700.0]));
        let nearly = [-1.0, 0.0, 1.0, 1.0, -3.0 - 1e-5, 0.0];
        assert!(free.is_definite(&M, &nearly, &[1.0, 0.3, 700.0]));
        let not = [-1.0, 0.0, 1.0, -1e6, 3e6, 0.0];
        assert!(!free.is_definite(&M, &not, &[1.0, 0.3, 700.0]));
    }
}
