//! The constraint rows as directions of length one, what depends on what, and what contradicts.
//!
//! A row of B = A M^-½ (or of A L⁻ᵀ, which differs by a rotation) is divided by its length sᵢ, so that neither
//! the rank nor least multipliers depend on the units a row was written in: with λ̂ᵢ = sᵢ λᵢ the
//! force of a row is λ̂ᵢ times a direction, and least |λ̂| scales no row up or down.
//!
//! * A row whose entries are rounding beside their terms holds nothing, and demands nothing if its right side vanishes
//!   (Appell and Hamel's particle at rest). Where the terms are not known it is rounding beside the longest row.
//! * A row is *redundant* if it depends on rows before it; its reaction is *unique* if its
//!   multiplier is zero in all vectors of the null space of Aᵀ.
//! * A contradiction is named by a *circuit*: rows of which each depends on the others, while any
//!   part of them is independent.

use super::unsolved::Unsolved;
use crate::decide::{CLEAR, NOTHING, PRODUCTS, RANK, RELATED, SOLVED, USED_UP};
use crate::{CompleteOrthogonal, add_scaled, dot, norm};

/// Rows from which a circuit is tried, those with the largest residual first.
const ATTEMPTS: usize = 8;

/// What is decided where; relative to rows of length one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Distance from the span of other rows up to which a row of length one depends on them.
    ///
    /// Rows that depend on each other only where the positions are met exactly differ by the
    /// positions' error, so this should not be smaller than that.
    pub rank: f64,
    /// Part of the accelerations in a row up to which its right side agrees with other rows.
    pub contradiction: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self {
            rank: RANK,
            contradiction: CLEAR,
        }
    }
}

/// What is known of a row besides its multiplier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowReport {
    /// It depends on rows before it.
    pub redundant: bool,
    /// Its multiplier has one value only.
    pub reaction_unique: bool,
}

impl RowReport {
    /// Of a row that no other has to do with.
    pub const INDEPENDENT: Self = Self {
        redundant: false,
        reaction_unique: true,
    };
}

/// Sizes of the terms of rows at a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowTerms {
    /// Of the entries of A, or of a part of it, stored as these are.
    pub jacobian: Vec<f64>,
    /// Of b, or of the residuals.
    pub bias: Vec<f64>,
}

/// Rows of length one, nc × nv, and their lengths.
#[derive(Clone, Debug)]
pub struct Rows {
    nv: usize,
    /// Row-major.
    pub unit: Vec<f64>,
    /// s, nc.
    pub lengths: Vec<f64>,
    /// 1/s, nc; zero for zero rows.
    pub scales: Vec<f64>,
}

impl Rows {
    /// Room for nc rows of nv entries.
    pub fn new(nv: usize, nc: usize) -> Self {
        Self {
            nv,
            unit: vec![0.0; nc * nv],
            lengths: vec![0.0; nc],
            scales: vec![0.0; nc],
        }
    }

    /// Divides the rows in `unit` by their lengths; tells whether none of them is zero but those left out. Which are is seen by the rows as
    /// they are written, each speed alone: a penalty makes rows of massless speeds long. `terms` are those of the entries
    /// of A, if they are known.
    pub fn normalise(
        &mut self,
        A: &[f64],
        mobilities: &[f64],
        terms: &[f64],
        left_out: &[bool],
    ) -> bool {
        let nv = self.nv;
        let felt = |matrix: &[f64], i: usize| -> f64 {
            let entries = matrix[i * nv..][..nv].iter().zip(mobilities);
            entries.map(|(a, mobility)| a * a * mobility).sum()
        };
        let mut longest: f64 = 0.0;
        for (i, (length, scale)) in self.lengths.iter_mut().zip(&mut self.scales).enumerate() {
            *length = norm(&self.unit[i * nv..][..nv]);
            *scale = felt(A, i);
            longest = longest.max(*scale);
        }
        let mut all = true;
        for (i, (length, scale)) in self.lengths.iter().zip(&mut self.scales).enumerate() {
            let terms = terms.get(i * nv..(i + 1) * nv);
            let is_zero =
                is_nothing(&A[i * nv..][..nv], terms, (*scale, longest)) || *length == 0.0;
            all &= !is_zero || left_out.get(i) == Some(&true);
            *scale = if is_zero { 0.0 } else { 1.0 / length };
            let row = &mut self.unit[i * nv..][..nv];
            row.iter_mut().for_each(|entry| *entry *= *scale);
        }
        all
    }

    /// An error if the right side b is out of reach.
    ///
    /// `unmet` is the part of b̂ − B̂ y that no motion can meet; y the motion, and what was taken from it to meet the rows;
    /// `coordinates` the rows of length one as vectors of `rank` entries; `terms` those of b, if they are known.
    pub fn refuse_contradiction(
        &self,
        (b, terms): (&[f64], &[f64]),
        (y, taken): (&[f64], &[f64]),
        unmet: &[f64],
        coordinates: impl FnOnce() -> (Vec<f64>, usize),
        tolerance: f64,
    ) -> Result<(), Unsolved> {
        let nv = self.nv;
        if let Some(i) = zero_row_in_conflict((b, terms), &self.scales, tolerance) {
            return Err(Unsolved::Contradictory {
                rows: vec![i],
                residual: b[i],
            });
        }
        let along = |i: usize, y: &[f64]| {
            let row = self.unit[i * nv..][..nv].iter().zip(y);
            row.map(|(a, y)| (a * y).abs()).sum::<f64>()
        };
        let size = |i: usize| {
            let own = b[i].abs().max(terms.get(i).copied().unwrap_or(0.0)) * self.scales[i];
            own + along(i, y)
        };
        // What is unmet is a part of all right sides, and rounding of the largest of them.
        let largest = (0..b.len()).map(size).fold(0.0, f64::max);
        let allowed = |i: usize| {
            let rounding = PRODUCTS * nv as f64 * (along(i, taken) + largest);
            tolerance * size(i) + rounding + NOTHING
        };
        let mut suspects: Vec<usize> = Vec::new();
        for i in (0..b.len()).filter(|&i| self.scales[i] > 0.0) {
            if unmet[i].abs() > allowed(i) {
                suspects.push(i);
            }
        }
        if suspects.is_empty() {
            return Ok(());
        }
        let (coordinates, rank) = coordinates();
        let conflict = Conflict {
            b,
            scales: &self.scales,
            lengths: &self.lengths,
            unmet,
            allowed: &(0..b.len()).map(allowed).collect::<Vec<_>>(),
        };
        match name_conflict(&conflict, suspects, &coordinates, rank) {
            Some((rows, residual)) => Err(Unsolved::Contradictory { rows, residual }),
            None => Ok(()),
        }
    }
}

/// Whether a row of A is nothing: each of its entries is rounding beside its terms, for terms that cancel along a speed of hardly any inertia do not
/// make nothing of what a row is along others. Where terms are not known it is so short beside the longest row; lengths are squared.
pub(crate) fn is_nothing(
    row: &[f64],
    terms: Option<&[f64]>,
    (length, longest): (f64, f64),
) -> bool {
    match terms {
        Some(terms) => (row.iter().zip(terms)).all(|(a, term)| a.abs() <= SOLVED * term),
        None => length <= SOLVED * SOLVED * longest,
    }
}

/// A row that vanishes while its right side does not: beside the terms of that, or the other right sides where they are not
/// known.
pub(crate) fn zero_row_in_conflict(
    (b, terms): (&[f64], &[f64]),
    scales: &[f64],
    tolerance: f64,
) -> Option<usize> {
    let largest = b.iter().fold(0.0_f64, |size, b| size.max(b.abs()));
    let size = |i: usize| terms.get(i).copied().unwrap_or(largest);
    (0..b.len()).find(|&i| scales[i] == 0.0 && b[i].abs() > tolerance * size(i) + NOTHING)
}

/// What is known of rows that contradict each other, each of nc entries.
pub(crate) struct Conflict<'a> {
    pub(crate) b: &'a [f64],
    pub(crate) scales: &'a [f64],
    pub(crate) lengths: &'a [f64],
    /// What no motion can meet of b̂.
    pub(crate) unmet: &'a [f64],
    /// How much of it is rounding.
    pub(crate) allowed: &'a [f64],
}

/// The smallest set of rows found to be in conflict, ascending, and by how much the last of them differs; `None` where what no
/// motion meets is rounding of the other rows in it: a row of which nothing moves takes its share of that.
pub(crate) fn name_conflict(
    conflict: &Conflict<'_>,
    mut suspects: Vec<usize>,
    coordinates: &[f64],
    rank: usize,
) -> Option<(Vec<usize>, f64)> {
    let Conflict {
        b,
        scales,
        lengths,
        unmet,
        allowed,
    } = conflict;
    suspects.sort_by(|&i, &k| unmet[k].abs().total_cmp(&unmet[i].abs()));
    let mut best: Option<(Vec<usize>, f64)> = None;
    for &i in suspects.iter().take(ATTEMPTS) {
        let Some(circuit) = circuit(coordinates, rank, i) else {
            continue;
        };
        let gap: f64 = circuit.iter().map(|(k, z)| z * b[*k] * scales[*k]).sum();
        let bound: f64 = circuit.iter().map(|(k, z)| z.abs() * allowed[*k]).sum();
        let found = gap.abs() > bound && circuit.len() > 1;
        if found
            && best
                .as_ref()
                .is_none_or(|(rows, _)| circuit.len() < rows.len())
        {
            let (last, z) = circuit[circuit.len() - 1];
            let residual = gap / (z * scales[last]);
            best = Some((circuit.iter().map(|(k, _)| *k).collect(), residual));
        }
    }
    best.or_else(|| {
        let worst = suspects[0];
        let most = allowed.iter().fold(0.0_f64, |a, b| a.max(*b));
        let residual = unmet[worst] * lengths[worst];
        suspects.sort_unstable();
        (unmet[worst].abs() > most).then_some((suspects, residual))
    })
}

/// Rows whose sum with the factors z vanishes, row i among them, ascending; `None` if none are found.
///
/// Matching pursuit: the row most parallel to what is left comes first, so that the circuit is
/// short where a short one exists nearby. Chosen rows are independent, hence their one relation
/// with row i has no smaller one inside.
fn circuit(coordinates: &[f64], rank: usize, i: usize) -> Option<Vec<(usize, f64)>> {
    let row = |k: usize| &coordinates[k * rank..][..rank];
    let count = coordinates.len().checked_div(rank).unwrap_or(0);
    let mut left = row(i).to_vec();
    let (mut chosen, mut basis): (Vec<usize>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    while norm(&left) > USED_UP && chosen.len() < rank {
        let free = (0..count).filter(|k| *k != i && !chosen.contains(k));
        let size = |k: &usize| dot(row(*k), &left).abs();
        let Some(next) = free.max_by(|j, k| size(j).total_cmp(&size(k)).then(k.cmp(j))) else {
            break;
        };
        let mut direction = row(next).to_vec();
        if orthogonalise(&mut direction, &basis) <= USED_UP {
            break;
        }
        let length = norm(&direction);
        direction.iter_mut().for_each(|entry| *entry /= length);
        let part = dot(&direction, &left);
        add_scaled(&mut left, -part, &direction);
        chosen.push(next);
        basis.push(direction);
    }
    // row(i) = Σ z_k row(k): triangular in the basis, solved from the last row chosen.
    let mut rest = row(i).to_vec();
    let mut relation = vec![(i, -1.0)];
    for (&k, direction) in chosen.iter().zip(&basis).rev() {
        let z = dot(&rest, direction) / dot(row(k), direction);
        add_scaled(&mut rest, -z, row(k));
        if z.abs() > USED_UP {
            relation.push((k, z));
        }
    }
    relation.sort_by_key(|(k, _)| *k);
    (norm(&rest) <= RELATED).then_some(relation)
}

/// Takes from x its parts along the directions, twice against rounding; returns the length left.
fn orthogonalise(x: &mut [f64], basis: &[Vec<f64>]) -> f64 {
    for _ in 0..2 {
        for direction in basis {
            let part = dot(direction, x);
            add_scaled(x, -part, direction);
        }
    }
    norm(x)
}

/// What is known of rows by their orthogonal decomposition.
pub(crate) fn report_of(orthogonal: &CompleteOrthogonal, tolerance: f64, rows: &mut [RowReport]) {
    let (count, rank) = (rows.len(), orthogonal.rank());
    if rank == count {
        rows.fill(RowReport::INDEPENDENT);
        return;
    }
    let mut coordinates = vec![0.0; count * rank];
    orthogonal.coordinates(&mut coordinates);
    mark_redundant(&coordinates, rank, tolerance, rows);
    let mut null_vectors = vec![0.0; (count - rank) * count];
    let mut reduced = vec![0.0; count];
    for (k, vector) in null_vectors.chunks_exact_mut(count).enumerate() {
        reduced.fill(0.0);
        reduced[rank + k] = 1.0;
        orthogonal.expand(&mut reduced, vector);
    }
    mark_unique(null_vectors.chunks_exact(count), rows);
}

/// Marks rows that depend on rows before them: nc − rank of them.
pub fn mark_redundant(coordinates: &[f64], rank: usize, tolerance: f64, rows: &mut [RowReport]) {
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(rank);
    let mut distances = vec![0.0; rows.len()];
    for (i, report) in rows.iter_mut().enumerate() {
        let mut x = coordinates[i * rank..][..rank].to_vec();
        let distance = orthogonalise(&mut x, &basis);
        report.redundant = distance <= tolerance || basis.len() == rank;
        distances[i] = distance;
        if !report.redundant {
            x.iter_mut().for_each(|entry| *entry /= distance);
            basis.push(x);
        }
    }
    // Where the two decisions differ by a hair, the farthest of the rows left out make up the rank.
    for _ in basis.len()..rank {
        let left_out = (0..rows.len()).filter(|&i| rows[i].redundant);
        if let Some(i) = left_out.max_by(|&i, &k| distances[i].total_cmp(&distances[k])) {
            rows[i].redundant = false;
        }
    }
}

/// Marks rows on which vectors of the null space of B̂ᵀ, of length one, have no entry.
pub fn mark_unique<'a>(null_vectors: impl Iterator<Item = &'a [f64]>, rows: &mut [RowReport]) {
    rows.iter_mut().for_each(|row| row.reaction_unique = true);
    for vector in null_vectors {
        for (row, entry) in rows.iter_mut().zip(vector) {
            row.reaction_unique &= entry.abs() <= CLEAR;
        }
    }
}
