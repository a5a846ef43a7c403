//! Which numbers of a sparse system stand where, decided once for all states of a model.
//!
//! ```text
//!     ⎡ M  Aᵀ ⎤        the order of elimination: `order.rs`
//! K = ⎣ A  −ε ⎦        stored: the lower triangle of K in that order, by columns
//! ```
//!
//! K has a factorisation L D Lᵀ in every order where M is definite and ε positive (Vanderbei 1995), so that
//! the order is free to save work, and the same for all states.

use super::fronts::Fronts;
use super::leaves::{Found, Leaves};
use super::order::{Columns, order, within};
use crate::{Groups, Pattern};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use std::sync::Arc;

/// Unknowns up to which a factor that is full in large parts is taken apart as others are.
pub(super) const FEW: usize = 128;

/// The structure of M and A, ordered and factored without numbers.
#[derive(Debug)]
pub struct Symbolic {
    pub(super) mass: Arc<Pattern>,
    pub(super) rows: Arc<Pattern>,
    /// Place of each coordinate, then of each row, in the order of elimination.
    pub(super) order: Vec<u32>,
    /// K in that order; entries in columns of leaves stand side by side.
    pub(super) kkt: SymbolicSparseColMat<u32>,
    /// Place in K of each entry of M, of A, and of −ε for each row.
    pub(super) mass_places: Vec<u32>,
    pub(super) row_places: Vec<u32>,
    pub(super) diagonal_places: Vec<u32>,
    /// Rows that M couples all speeds of, and the places in K of the pairs of these, row after row.
    pub(super) within: Vec<u32>,
    pub(super) within_places: Vec<u32>,
    /// 1 for coordinates, −1 for rows, in the order of elimination.
    pub(super) signs: Vec<i8>,
    /// What is coupled has one number, in the order of elimination.
    pub(super) parts: Vec<u32>,
    pub(super) blocks: Blocks,
    multiplications: f64,
}

/// How K is taken apart.
#[derive(Debug)]
pub(super) enum Blocks {
    /// Small ones.
    Small(Fronts),
    /// Those of a factor that is full in large parts.
    Large(SymbolicCholesky<u32>),
}

impl Symbolic {
    /// Orders and factors; `None` if the system is too large for 32-bit places or for memory.
    ///
    /// # Panics
    /// If the patterns are full, or do not belong together.
    #[must_use]
    pub fn new(mass: &Arc<Pattern>, rows: &Arc<Pattern>) -> Option<Self> {
        assert!(
            !mass.is_full() && !rows.is_full() && mass.columns() == rows.columns(),
            "compressed patterns of as many columns"
        );
        let n = mass.rows() + rows.rows();
        let entries = entries(mass, rows);
        u32::try_from(entries.len().max(n)).ok()?;
        let mut order = order(mass, rows, &entries)?;
        let (mut upper, _) = assemble(&entries, &order, true);
        let (mut kkt, mut places) = assemble(&entries, &order, false);
        let cholesky = factorize_symbolic_cholesky(
            upper.as_ref(),
            faer::Side::Upper,
            SymmetricOrdering::Identity,
            CholeskySymbolicParams::default(),
        )
        .ok()?;
        let mut columns = Columns::of(upper.as_ref())?;
        let mut signs = signs_of(&order, mass.rows());
        let blocks = match cholesky.raw() {
            SymbolicCholeskyRaw::Supernodal(_) if n > FEW => Blocks::Large(cholesky),
            _ => {
                let found = Found::of(&columns, &kkt, &signs);
                let mut leaves = Leaves::default();
                if let Some(now) = found.numbering(n) {
                    order.iter_mut().for_each(|it| *it = now[*it as usize]);
                    signs = signs_of(&order, mass.rows());
                    (upper, _) = assemble(&entries, &order, true);
                    (kkt, places) = assemble(&entries, &order, false);
                    columns = Columns::of(upper.as_ref())?;
                    leaves = found.leaves(&columns, &kkt);
                    let stored = leaves.side_by_side(&kkt);
                    places.iter_mut().for_each(|it| *it = stored[*it as usize]);
                }
                Blocks::Small(Fronts::new(&columns, &kkt, leaves))
            }
        };
        let mut groups = Groups::new(n);
        for &(i, j) in &entries {
            groups.join([order[i as usize] as usize, order[j as usize] as usize].into_iter());
        }
        let parts = (0..n).map(|place| groups.of(place) as u32).collect();
        let (in_mass, rest) = places.split_at(mass.size());
        let (in_rows, diagonal) = rest.split_at(rows.size());
        let own: Vec<u32> = (0..rows.rows() as u32)
            .filter(|&row| within(mass, rows, row as usize))
            .collect();
        let pairs = own
            .iter()
            .flat_map(|&row| pairs_within(mass, rows, row as usize, in_mass));
        Some(Self {
            within_places: pairs.collect(),
            within: own,
            mass_places: in_mass.to_vec(),
            row_places: in_rows.to_vec(),
            diagonal_places: diagonal.to_vec(),
            mass: Arc::clone(mass),
            rows: Arc::clone(rows),
            order,
            kkt,
            signs,
            parts,
            blocks,
            multiplications: columns.multiplications(),
        })
    }

    /// Number of coordinates.
    #[must_use]
    pub fn nv(&self) -> usize {
        self.mass.rows()
    }

    /// Number of rows.
    #[must_use]
    pub fn nc(&self) -> usize {
        self.rows.rows()
    }

    /// M and A, compressed.
    pub(crate) fn patterns(&self) -> (&Pattern, &Pattern) {
        (&self.mass, &self.rows)
    }

    /// Whether M couples all speeds of a row anyway, several of them, as for a unit quaternion: M may be singular there.
    #[must_use]
    pub fn has_identities(&self) -> bool {
        let several = |&row: &u32| self.rows.row(row as usize).len() > 1;
        self.within.iter().any(several)
    }

    /// Whether this is the structure of matrices with these patterns.
    #[must_use]
    pub fn is_of(&self, mass: &Pattern, rows: &Pattern) -> bool {
        let same = |own: &Pattern, other: &Pattern| std::ptr::eq(own, other) || own == other;
        same(&self.mass, mass) && same(&self.rows, rows)
    }

    /// Entries of M and A.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.mass.size() + self.rows.size()
    }

    /// Entries of the factor.
    #[must_use]
    pub fn factor_entries(&self) -> usize {
        match &self.blocks {
            Blocks::Small(fronts) => fronts.size(),
            Blocks::Large(cholesky) => cholesky.len_val(),
        }
    }

    /// Sizes of terms become at least a part of the largest of what is eliminated together, in the order of elimination. Of rows these are
    /// the terms of Â M̂⁻¹ Âᵀ λ̂ as well, which motions are the sums of: about as large as multipliers x are, for rows have length one.
    pub(super) fn share_largest(&self, part: f64, x: &[f64], sizes: &mut [f64]) {
        let Blocks::Small(fronts) = &self.blocks else {
            return;
        };
        fronts.leaves.share_largest(part, x, sizes);
        for front in &fronts.fronts {
            let range = front.first as usize..(front.first + front.pivots) as usize;
            let own = &mut sizes[range.clone()];
            let terms = x[range.clone()].iter().zip(&self.signs[range]);
            let multipliers = terms.map(|(x, &sign)| if sign < 0 { x.abs() } else { 0.0 });
            let largest = own.iter().copied().chain(multipliers);
            let least = part * largest.fold(0.0, f64::max);
            own.iter_mut().for_each(|size| *size = size.max(least));
        }
    }

    /// Multiplications of a factorisation.
    #[must_use]
    pub fn multiplications(&self) -> f64 {
        self.multiplications
    }
}

/// 1 for coordinates, −1 for rows, in the order of elimination.
fn signs_of(order: &[u32], coordinates: usize) -> Vec<i8> {
    let mut signs = vec![1; order.len()];
    for &place in &order[coordinates..] {
        signs[place as usize] = -1;
    }
    signs
}

/// Pairs of variables with an entry: of M, of A, and the rows' diagonal.
fn entries(mass: &Pattern, rows: &Pattern) -> Vec<(u32, u32)> {
    let nv = mass.rows();
    let mut pairs = Vec::with_capacity(mass.size() + rows.size() + rows.rows());
    for i in 0..nv {
        pairs.extend(mass.columns_of(i).map(|j| (i as u32, j as u32)));
    }
    for i in 0..rows.rows() {
        pairs.extend(rows.columns_of(i).map(|j| (j as u32, (nv + i) as u32)));
    }
    pairs.extend((nv..nv + rows.rows()).map(|i| (i as u32, i as u32)));
    pairs
}

/// The places in K of all pairs of speeds in a row that M couples.
fn pairs_within(mass: &Pattern, rows: &Pattern, row: usize, places: &[u32]) -> Vec<u32> {
    let columns: Vec<usize> = rows.columns_of(row).collect();
    let pairs = columns
        .iter()
        .enumerate()
        .flat_map(|(k, &i)| columns[k..].iter().map(move |&j| (i, j)));
    let place = |(i, j)| mass.place(i, j).map(|place| places[place]);
    pairs.filter_map(place).collect()
}

/// The upper or the lower triangle in a given order, and the place of each pair in it.
pub(super) fn assemble(
    pairs: &[(u32, u32)],
    order: &[u32],
    upper: bool,
) -> (SymbolicSparseColMat<u32>, Vec<u32>) {
    let n = order.len();
    let turn = |(tag, &(i, j)): (usize, &(u32, u32))| {
        let (i, j) = (order[i as usize], order[j as usize]);
        let (low, high) = (i.min(j), i.max(j));
        match upper {
            true => (high, low, tag as u32),
            false => (low, high, tag as u32),
        }
    };
    let mut sorted: Vec<(u32, u32, u32)> = pairs.iter().enumerate().map(turn).collect();
    sorted.sort_unstable();
    let mut starts = vec![0_u32; n + 1];
    let mut rows = Vec::with_capacity(sorted.len());
    let mut places = vec![0; sorted.len()];
    for (place, &(column, row, tag)) in sorted.iter().enumerate() {
        starts[column as usize + 1] += 1;
        rows.push(row);
        places[tag as usize] = place as u32;
    }
    for column in 0..n {
        starts[column + 1] += starts[column];
    }
    // Pairs differ, for those of a pattern do.
    let matrix = SymbolicSparseColMat::new_checked(n, n, starts, None, rows);
    (matrix, places)
}
