//! What the rows have to do with each other: the vectors x with xᵀ A = 0.
//!
//! ```text
//! N Nᵀ b     the part of right sides that no motion can meet
//! λ − N Nᵀ λ   of all multipliers with the same force Aᵀ λ the least
//! ```
//!
//! N has these vectors, made orthonormal, as columns. A row is redundant if some x ends with it: then it depends on the
//! rows before it.

use crate::linear::factorisation::rows::{RowReport, mark_unique};
use crate::linear::{add_scaled, dot, norm};

/// An orthonormal basis of the null space of Aᵀ.
#[derive(Clone, Debug)]
pub(super) struct Relations {
    nc: usize,
    /// `count` vectors of nc entries.
    vectors: Vec<f64>,
    count: usize,
    /// The same space, each vector ending before the one after it.
    ordered: Vec<f64>,
}

impl Relations {
    pub(super) fn new(nc: usize) -> Self {
        Self {
            nc,
            vectors: vec![0.0; nc * nc],
            count: 0,
            ordered: vec![0.0; nc * nc],
        }
    }

    /// Takes `count` independent relations from `fill`, which gets a vector of zeros for each.
    pub(super) fn take(&mut self, count: usize, mut fill: impl FnMut(usize, &mut [f64])) {
        let nc = self.nc;
        self.count = count;
        for k in 0..count {
            let (done, rest) = self.vectors.split_at_mut(k * nc);
            let vector = &mut rest[..nc];
            vector.fill(0.0);
            fill(k, vector);
            for _ in 0..2 {
                for other in done.chunks_exact(nc) {
                    let part = dot(other, vector);
                    add_scaled(vector, -part, other);
                }
            }
            let length = norm(vector);
            vector.iter_mut().for_each(|entry| *entry /= length);
        }
    }

    fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.vectors.chunks_exact(self.nc.max(1)).take(self.count)
    }

    /// part ← N Nᵀ x.
    pub(super) fn part_of(&self, x: &[f64], part: &mut [f64]) {
        part.fill(0.0);
        for vector in self.iter() {
            add_scaled(part, dot(vector, x), vector);
        }
    }

    /// x ← x − N Nᵀ x.
    pub(super) fn remove_from(&self, x: &mut [f64]) {
        for vector in self.iter() {
            let part = dot(vector, x);
            add_scaled(x, -part, vector);
        }
    }

    /// Whose multiplier no relation moves.
    pub(super) fn mark_unique(&self, rows: &mut [RowReport]) {
        mark_unique(self.iter(), rows);
    }

    /// Which rows depend on rows before them, and whose multiplier no relation moves.
    pub(super) fn report(&mut self, tolerance: f64, rows: &mut [RowReport]) {
        mark_unique(self.iter(), rows);
        let (nc, mut left) = (self.nc, self.count);
        self.ordered.copy_from_slice(&self.vectors);
        for (i, row) in rows.iter_mut().enumerate().rev() {
            let column = self.ordered.iter().skip(i).step_by(nc).take(left);
            let size = column.map(|entry| entry * entry).sum::<f64>().sqrt();
            row.redundant = left > 0 && (size > tolerance || left == i + 1);
            if row.redundant {
                left -= 1;
                self.gather(i, left);
            }
        }
    }

    /// Turns the first vectors so that of them and vector `last` only that one has an entry for row i.
    fn gather(&mut self, i: usize, last: usize) {
        let nc = self.nc;
        let (others, vector) = self.ordered.split_at_mut(last * nc);
        let vector = &mut vector[..nc];
        for other in others.chunks_exact_mut(nc) {
            let length = vector[i].hypot(other[i]);
            if length > 0.0 {
                let (cosine, sine) = (vector[i] / length, other[i] / length);
                for (v, o) in vector.iter_mut().zip(other) {
                    (*v, *o) = (cosine * *v + sine * *o, cosine * *o - sine * *v);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Relations;
    use crate::formulation::RowReport;

    /// Rows (1, 0), (2, 0), (0, 0), (0, 1), (1, 1): the second, third and last depend on rows before them.
    fn relations() -> Relations {
        let mut relations = Relations::new(5);
        let given = [
            [2.0, -1.0, 0.0, 0.0, 0.0],
            [0.0, 0.5, 3.0, 1.0, -1.0],
            [0.0, 0.5, -7.0, 1.0, -1.0],
        ];
        relations.take(3, |k, x| x.copy_from_slice(&given[k]));
        relations
    }

    #[test]
    fn rows_that_end_a_relation_are_redundant() {
        let mut rows = [RowReport::default(); 5];
        relations().report(1e-8, &mut rows);
        assert_eq!(
            rows.map(|row| row.redundant),
            [false, true, true, false, true]
        );
        assert!(rows.iter().all(|row| !row.reaction_unique));
    }

    #[test]
    fn least_multipliers_share_the_force_of_parallel_rows() {
        // A force (6, 4) held by rows 0, 3: least are λ with λ₀ + 2 λ₁ + λ₄ = 6 and λ₃ + λ₄ = 4.
        let mut lambda = [6.0, 0.0, 5.0, 4.0, 0.0];
        relations().remove_from(&mut lambda);
        assert!(lambda[2].abs() < 1e-14);
        assert!((lambda[0] + 2.0 * lambda[1] + lambda[4] - 6.0).abs() < 1e-14);
        assert!((lambda[3] + lambda[4] - 4.0).abs() < 1e-14);
        assert!(
            (lambda[1] - 2.0 * lambda[0]).abs() < 1e-14,
            "along the rows"
        );
        assert!((lambda[4] - lambda[0] - lambda[3]).abs() < 1e-14);
        let mut part = [0.0; 5];
        relations().part_of(&lambda, &mut part);
        assert!(part.iter().all(|entry| entry.abs() < 1e-14));
    }
}
