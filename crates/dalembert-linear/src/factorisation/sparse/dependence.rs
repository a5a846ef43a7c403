//! Which rows depend on others, in work that grows with the number of entries.
//!
//! P = ε (Â M̂⁻¹ Âᵀ + ε)⁻¹ leaves what lies in the null space of Âᵀ as it is, and shrinks what the rows hold
//! with the strength σ² by ε / (ε + σ²). Applied a few times to noise it leaves a vector of the null space
//! in which every row takes part that takes part in any dependence: all others are independent, and
//! their multipliers unique. Those that take part are examined as dense rows are, if they are few;
//! otherwise by the pivots of Â Âᵀ in the order of the rows.

use super::kkt::Kkt;
use crate::CompleteOrthogonal;
use crate::decide::{CLEAR, REGULARISATION, USED_UP};
use crate::factorisation::rows::{RowReport, Tolerance, report_of};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Par, Side};

/// Times P is applied.
const TIMES: usize = 3;
/// Vectors of noise: a row that takes part by accident does not show in one of them only.
const VECTORS: usize = 2;
/// Rows that are examined as dense ones, at most.
const FEW: usize = 500;
/// Entries of a factor in the order of the rows, at most; beyond it any order must do.
const MANY: usize = 30_000_000;
/// Columns of these, at most.
const WIDE: usize = 3000;

/// What is known of the rows at one state.
pub(super) struct Dependence {
    pub(super) rank: usize,
    pub(super) reports: Vec<RowReport>,
    /// Rows that take part in a dependence, ascending.
    pub(super) members: Vec<usize>,
    /// These as vectors of so many entries, if they are few.
    pub(super) coordinates: Option<(Vec<f64>, usize)>,
}

/// Reproducible numbers of size about one, without pattern.
pub(super) struct Noise(fastrand::Rng);

impl Default for Noise {
    fn default() -> Self {
        Self(fastrand::Rng::with_seed(1))
    }
}

impl Noise {
    pub(super) fn next(&mut self) -> f64 {
        let size = 0.5 + self.0.f64();
        if self.0.bool() { size } else { -size }
    }
}

impl Dependence {
    pub(super) fn examine(kkt: &mut Kkt, rows: &[f64], tolerance: Tolerance) -> Self {
        let nc = kkt.symbolic.nc();
        let mut found = Self {
            rank: nc,
            reports: vec![RowReport::INDEPENDENT; nc],
            members: members(kkt),
            coordinates: None,
        };
        if found.members.is_empty() {
            return found;
        }
        let columns = kkt.symbolic.rows.columns_of_all(&found.members);
        if found.members.len() <= FEW && columns.len() <= WIDE {
            found.decide(kkt, rows, &columns, tolerance);
        } else {
            found.count(kkt, rows);
        }
        found
    }

    /// Dense rows of length one decide as they do everywhere.
    fn decide(&mut self, kkt: &Kkt, rows: &[f64], columns: &[usize], tolerance: Tolerance) {
        let (count, wide) = (self.members.len(), columns.len());
        let mut unit = kkt.symbolic.rows.matrix(rows).block(&self.members, columns);
        for (&row, entries) in self.members.iter().zip(unit.chunks_exact_mut(wide.max(1))) {
            for (entry, &column) in entries.iter_mut().zip(columns) {
                *entry *= kkt.scales[row] * kkt.units[column];
            }
        }
        let mut orthogonal = CompleteOrthogonal::new(count, wide);
        orthogonal.factor(&unit, tolerance.rank);
        let rank = orthogonal.rank();
        let mut coordinates = vec![0.0; count * rank];
        orthogonal.coordinates(&mut coordinates);
        let mut reports = vec![RowReport::default(); count];
        report_of(&orthogonal, tolerance.rank, &mut reports);
        for (&row, report) in self.members.iter().zip(reports) {
            self.reports[row] = report;
        }
        self.rank -= count - rank;
        if rank == count {
            self.members.clear();
        }
        self.coordinates = Some((coordinates, rank));
    }

    /// Pivots of Â Âᵀ + ε in the order of the rows: those that vanish belong to rows that depend on rows before.
    fn count(&mut self, kkt: &Kkt, rows: &[f64]) {
        let pivots = pivots_in_order(kkt, rows, &self.members);
        for (&row, pivot) in self.members.iter().zip(pivots) {
            let redundant = pivot <= USED_UP;
            self.reports[row] = RowReport {
                redundant,
                reaction_unique: false,
            };
            self.rank -= usize::from(redundant);
        }
    }

    /// The multipliers of dependent rows become the least of those with the same forces.
    ///
    /// What rounding leaves in the null space is divided by ε; here it is taken away again.
    pub(super) fn take_least(&self, kkt: &mut Kkt, solution: &mut [f64], scratch: &mut [f64]) {
        if self.members.is_empty() {
            return;
        }
        let symbolic = std::sync::Arc::clone(&kkt.symbolic);
        let reactions = &symbolic.order[symbolic.nv()..];
        for _ in 0..2 {
            scratch.fill(0.0);
            for &row in &self.members {
                scratch[reactions[row] as usize] = solution[reactions[row] as usize];
            }
            shrink(kkt, scratch);
            for &row in &self.members {
                solution[reactions[row] as usize] -= scratch[reactions[row] as usize];
            }
        }
    }
}

/// x ← P x, a few times, for the rows' part of x.
fn shrink(kkt: &mut Kkt, x: &mut [f64]) {
    let symbolic = std::sync::Arc::clone(&kkt.symbolic);
    for _ in 0..TIMES {
        for (value, sign) in x.iter_mut().zip(&symbolic.signs) {
            // K (v, x) = (0, −ε z) has x = ε (Â M̂⁻¹ Âᵀ + ε)⁻¹ z.
            *value = if *sign > 0 {
                0.0
            } else {
                -REGULARISATION * *value
            };
        }
        kkt.solve(x);
    }
}

/// Rows that take part in dependences.
fn members(kkt: &mut Kkt) -> Vec<usize> {
    let symbolic = std::sync::Arc::clone(&kkt.symbolic);
    let reactions = &symbolic.order[symbolic.nv()..];
    let mut noise = Noise::default();
    let mut takes_part = vec![false; reactions.len()];
    let mut x = vec![0.0; symbolic.order.len()];
    for _ in 0..VECTORS {
        for &place in reactions {
            x[place as usize] = noise.next();
        }
        shrink(kkt, &mut x);
        let size = |place: u32| x[place as usize].abs();
        let largest = reactions.iter().fold(0.0_f64, |a, &p| a.max(size(p)));
        if largest < CLEAR {
            continue;
        }
        for (part, &place) in takes_part.iter_mut().zip(reactions) {
            *part |= size(place) > CLEAR * largest;
        }
    }
    (0..takes_part.len())
        .filter(|&row| takes_part[row])
        .collect()
}

/// Squared distances of rows of length one from the rows before them, roughly.
fn pivots_in_order(kkt: &Kkt, rows: &[f64], members: &[usize]) -> Vec<f64> {
    let pattern = &kkt.symbolic.rows;
    let n = members.len();
    // Rows that share a column, later ones first.
    let mut by_column: Vec<Vec<(u32, f64)>> = vec![Vec::new(); pattern.columns()];
    for (k, &row) in members.iter().enumerate() {
        for (column, place) in pattern.columns_of(row).zip(pattern.row(row)) {
            let entry = rows[place] * kkt.scales[row] * kkt.units[column];
            by_column[column].push((k as u32, entry));
        }
    }
    let mut triplets: Vec<Triplet<u32, u32, f64>> = (0..n as u32)
        .map(|k| Triplet::new(k, k, REGULARISATION))
        .collect();
    for column in &by_column {
        for (place, &(k, a)) in column.iter().enumerate() {
            let upper = column[..=place].iter();
            triplets.extend(upper.map(|&(i, b)| Triplet::new(i, k, a * b)));
        }
    }
    let failed = vec![f64::INFINITY; n];
    let Ok(matrix) = SparseColMat::try_new_from_triplets(n, n, &triplets) else {
        return failed;
    };
    let symbolic = |order| {
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
            ..Default::default()
        };
        factorize_symbolic_cholesky(matrix.symbolic(), Side::Upper, order, parameters).ok()
    };
    let natural = symbolic(SymmetricOrdering::Identity).filter(|found| found.len_val() <= MANY);
    let Some(symbolic) = natural.or_else(|| symbolic(SymmetricOrdering::Amd)) else {
        return failed;
    };
    let mut values = vec![0.0; symbolic.len_val()];
    let scratch = symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default());
    let factored = symbolic.factorize_numeric_ldlt(
        &mut values,
        matrix.as_ref(),
        Side::Upper,
        Default::default(),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    );
    let (true, SymbolicCholeskyRaw::Simplicial(structure)) = (factored.is_ok(), symbolic.raw())
    else {
        return failed;
    };
    let pivot = |place: usize| values[structure.col_ptr()[place] as usize];
    match symbolic.perm() {
        None => (0..n).map(pivot).collect(),
        Some(order) => {
            let place = |k: usize| order.arrays().1[k] as usize;
            (0..n).map(|k| pivot(place(k))).collect()
        }
    }
}
