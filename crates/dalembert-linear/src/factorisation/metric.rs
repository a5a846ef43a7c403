//! The mass matrix as a measure of accelerations, also where it is singular.
//!
//! Where M is singular but positive definite on the null space of A, a penalty on the rows makes it
//! definite and changes neither v' nor λ, because A v' = b makes it vanish:
//!
//! ```text
//! (M + Aᵀ G A) v' = h + Aᵀ G b + Aᵀ λ + w,    G = diag(g),    1/g_i = Σ_j A_ij² / M_jj
//! ```
//!
//! * gᵢ is the mass a row feels, so a row in other units gives the same matrix. Speeds lighter than
//!   [`LIGHT`] of the heaviest count as that heavy here, those without any mass as the heaviest.
//! * The penalty is also put on where M is definite but nearly singular, or spans very many
//!   decades: with B = A M^-½ all rows that share a nearly massless speed would look parallel.
//! * Where even M + Aᵀ G A is singular, there are motions without inertia and without constraint:
//!   [`Unsolved::Undetermined`]. Where M is not semidefinite: [`Unsolved::NotPositive`].
//! * Cost: a Cholesky factorisation; with a penalty two and a check that M is semidefinite, nv³.

use super::inertia::FreeInertia;
use super::unsolved::{Quantity, Unsolved};
use crate::decide::{CLEAR, LIGHT, NO_INERTIA, PRODUCTS, USED_UP, WIDE};
use crate::{Cholesky, add_scaled, symmetric_eigen};

/// M, or M + Aᵀ G A, and its Cholesky factor.
#[derive(Clone, Debug)]
pub struct Metric {
    nv: usize,
    /// M or M + Aᵀ G A, nv × nv; filled by [`Metric::choose`].
    pub matrix: Vec<f64>,
    /// g, nc; zero where there is no penalty.
    pub weights: Vec<f64>,
    /// L Lᵀ of the matrix, if it is definite.
    pub cholesky: Cholesky,
    scratch: Vec<f64>,
    units: Vec<f64>,
    /// 1 / Mⱼⱼ, of massless speeds that of the heaviest; filled by both ways to factor.
    pub mobilities: Vec<f64>,
    free: FreeInertia,
}

impl Metric {
    /// Room for nv speeds and nc rows.
    pub fn new(nv: usize, nc: usize) -> Self {
        Self {
            nv,
            matrix: vec![0.0; nv * nv],
            weights: vec![0.0; nc],
            cholesky: Cholesky::new(nv),
            scratch: vec![0.0; nv * nv],
            units: vec![0.0; nv],
            mobilities: vec![0.0; nv],
            free: FreeInertia::new(nv, nc),
        }
    }

    /// Factors M if that is clearly possible, for the fast path.
    pub fn factor_definite(&mut self, M: &[f64]) -> bool {
        let (lightest, heaviest) = range_of_diagonal(M, self.nv);
        for (mobility, inertia) in self.mobilities.iter_mut().zip(inertias(M, self.nv)) {
            *mobility = 1.0 / inertia;
        }
        lightest > NO_INERTIA * heaviest && self.cholesky.factor(M, USED_UP).is_ok()
    }

    /// Puts a penalty on the rows if M needs it, and factors.
    ///
    /// All formulations decide here, so that least multipliers of dependent rows agree.
    pub fn choose(&mut self, M: &[f64], A: &[f64]) -> Result<(), Unsolved> {
        finite(Quantity::MassMatrix, M)?;
        finite(Quantity::Jacobian, A)?;
        let nv = self.nv;
        self.matrix.copy_from_slice(M);
        self.weights.fill(0.0);
        let (lightest, heaviest) = range_of_diagonal(M, nv);
        if self.factor_definite(M) && lightest > WIDE * heaviest {
            return Ok(());
        }
        self.refuse_negative(M)?;
        let most = 1.0 / (LIGHT * heaviest);
        for (row, g) in A.chunks_exact(nv).zip(&mut self.weights) {
            let felt = row.iter().zip(&self.mobilities);
            let mobility: f64 = felt.map(|(a, mobility)| a * a * mobility.min(most)).sum();
            *g = if mobility > 0.0 { 1.0 / mobility } else { 0.0 };
            for (i, &entry) in row.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
                add_scaled(&mut self.matrix[i * nv..][..nv], *g * entry, row);
            }
        }
        let (lightest, heaviest) = range_of_diagonal(&self.matrix, nv);
        let regular = nv == 0 || lightest > NO_INERTIA * heaviest;
        let threshold = PRODUCTS * nv as f64;
        if regular
            && self.cholesky.factor(&self.matrix, threshold).is_ok()
            && self.is_definite_along(M, A)
        {
            Ok(())
        } else {
            Err(undetermined(&self.matrix, nv))
        }
    }

    /// Whether M is definite where A leaves freedom: light rows may hide from Cholesky's pivots that it is not.
    fn is_definite_along(&mut self, M: &[f64], A: &[f64]) -> bool {
        units_into(&self.matrix, &mut self.units);
        self.free.is_definite(M, A, &self.units)
    }

    /// Cholesky with the largest pivot first; what is left when the pivots are used up must vanish.
    fn refuse_negative(&mut self, M: &[f64]) -> Result<(), Unsolved> {
        let nv = self.nv;
        let rest = &mut self.scratch;
        units_into(M, &mut self.units);
        let units = &self.units;
        for i in 0..nv {
            for j in 0..nv {
                let (low, high) = (i.min(j), i.max(j));
                rest[i * nv + j] = M[low * nv + high] * units[i] * units[j];
            }
        }
        for _ in 0..nv {
            let pivot = (0..nv).fold(0, |best, j| {
                let larger = rest[j * nv + j] > rest[best * nv + best];
                if larger { j } else { best }
            });
            let value = rest[pivot * nv + pivot];
            if value <= USED_UP {
                break;
            }
            for i in (0..nv).filter(|i| *i != pivot) {
                let factor = rest[i * nv + pivot] / value;
                for j in 0..nv {
                    rest[i * nv + j] -= factor * rest[pivot * nv + j];
                }
            }
            rest[pivot * nv..][..nv].fill(0.0);
            (0..nv).for_each(|i| rest[i * nv + pivot] = 0.0);
        }
        let vanishes = rest.iter().all(|entry| entry.abs() <= 2.0 * USED_UP);
        if vanishes {
            Ok(())
        } else {
            Err(not_positive(M, nv))
        }
    }
}

/// The first entry that is not finite, as a failure.
pub fn finite(what: Quantity, values: &[f64]) -> Result<(), Unsolved> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(Unsolved::NotFinite { what, index }),
        None => Ok(()),
    }
}

fn range_of_diagonal(M: &[f64], nv: usize) -> (f64, f64) {
    let diagonal = M.iter().step_by(nv + 1);
    diagonal.fold((f64::INFINITY, 0.0), |(low, high), &entry| {
        (f64::min(low, entry), f64::max(high, entry))
    })
}

/// The diagonal; massless speeds take the heaviest's entry.
fn inertias(M: &[f64], nv: usize) -> impl Iterator<Item = f64> {
    let (_, heaviest) = range_of_diagonal(M, nv);
    let default = if heaviest > 0.0 { heaviest } else { 1.0 };
    let diagonal = M.iter().step_by(nv + 1);
    diagonal.map(move |&own| {
        if own > NO_INERTIA * heaviest {
            own
        } else {
            default
        }
    })
}

/// The units in which each speed has a diagonal entry of one; massless speeds take the heaviest's.
pub fn units_into(M: &[f64], units: &mut [f64]) {
    let inertias = inertias(M, units.len());
    for (unit, inertia) in units.iter_mut().zip(inertias) {
        *unit = 1.0 / inertia.sqrt();
    }
}

/// Eigenvalues and, as rows, eigenvectors of M in the units of [`units_into`], which come third.
fn eigen(M: &[f64], nv: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut units = vec![0.0; nv];
    units_into(M, &mut units);
    let mut matrix = vec![0.0; nv * nv];
    for i in 0..nv {
        for j in i..nv {
            matrix[i * nv + j] = M[i * nv + j] * units[i] * units[j];
            matrix[j * nv + i] = matrix[i * nv + j];
        }
    }
    let mut vectors = vec![0.0; nv * nv];
    symmetric_eigen(&mut matrix, &mut vectors, nv);
    let values = matrix.iter().step_by(nv + 1).copied().collect();
    (values, vectors, units)
}

fn not_positive(M: &[f64], nv: usize) -> Unsolved {
    let (values, vectors, units) = eigen(M, nv);
    let least = smallest(&values);
    let vector = &vectors[least * nv..][..nv];
    let speed = largest_entry(vector);
    let scale = units[speed] * vector[speed];
    Unsolved::NotPositive {
        speed,
        value: values[least] / (scale * scale),
    }
}

/// The null space of M + Aᵀ G A, as a basis in which as few speeds as possible move at once.
pub fn undetermined(matrix: &[f64], nv: usize) -> Unsolved {
    let (values, vectors, units) = eigen(matrix, nv);
    let noise = (4.0 * PRODUCTS * nv as f64).max(values[smallest(&values)]);
    let mut directions: Vec<Vec<f64>> = Vec::new();
    for (value, vector) in values.iter().zip(vectors.chunks_exact(nv)) {
        if *value <= noise {
            directions.push(vector.to_vec());
        }
    }
    // Gauss and Jordan: each direction gets a speed that moves in no other one.
    for k in 0..directions.len() {
        let lead = largest_entry(&directions[k]);
        let scale = 1.0 / directions[k][lead];
        directions[k].iter_mut().for_each(|entry| *entry *= scale);
        let pivot = directions[k].clone();
        for (other, direction) in directions.iter_mut().enumerate() {
            if other != k {
                let factor = direction[lead];
                add_scaled(direction, -factor, &pivot);
            }
        }
    }
    for direction in &mut directions {
        for (entry, unit) in direction.iter_mut().zip(&units) {
            // What is left of an entry that cancelled.
            *entry = if entry.abs() < CLEAR {
                0.0
            } else {
                *entry * unit
            };
        }
        let scale = 1.0 / direction[largest_entry(direction)];
        direction.iter_mut().for_each(|entry| *entry *= scale);
    }
    Unsolved::Undetermined { directions }
}

fn smallest(values: &[f64]) -> usize {
    (0..values.len()).fold(0, |best, k| if values[k] < values[best] { k } else { best })
}

fn largest_entry(vector: &[f64]) -> usize {
    (0..vector.len()).fold(0, |best, k| {
        let larger = vector[k].abs() > vector[best].abs();
        if larger { k } else { best }
    })
}
