//! The metric in which what is given moves as little as possible: the mass matrix, made definite.

use crate::decide::{LIGHT, WIDE};
use crate::linear::{Pattern, dot};
use std::sync::Arc;

/// A symmetric positive definite matrix.
#[derive(Clone)]
pub(in crate::start) struct Metric {
    pub(super) pattern: Arc<Pattern>,
    pub(super) values: Vec<f64>,
    /// The same without what was added to make it definite: what has no price is zero here.
    pub(super) bare: Vec<f64>,
}

impl Metric {
    /// M, with a little on the diagonal for what has no inertia; what is not `given` costs that little only, beside
    /// the dearest of what `moves`. Where M is no
    /// matrix of numbers, unknowns are compared by their sizes.
    pub(in crate::start) fn definite(
        pattern: &Arc<Pattern>,
        mass: &[f64],
        scales: &[f64],
        given: impl Fn(usize) -> bool,
        moves: impl Fn(usize) -> bool,
    ) -> Self {
        let n = pattern.rows();
        let price = |i: usize| mass[pattern.diagonal_place(i)] * scales[i] * scales[i];
        let dearest = (0..n)
            .filter(|&i| given(i) && moves(i))
            .map(price)
            .fold(0.0_f64, f64::max);
        let sound = mass.iter().all(|value| value.is_finite());
        if !sound || dearest <= 0.0 || (0..n).any(|i| price(i) < 0.0) {
            return Self::sizes(pattern, scales);
        }
        let mut values = mass.to_vec();
        let mut bare = mass.to_vec();
        for row in 0..n {
            for (place, column) in pattern.row(row).zip(pattern.columns_of(row)) {
                if !given(row) || !given(column) {
                    (values[place], bare[place]) = (0.0, 0.0);
                }
            }
            if !given(row) || price(row) <= 0.0 {
                values[pattern.diagonal_place(row)] += WIDE * dearest / (scales[row] * scales[row]);
            }
        }
        Self {
            pattern: Arc::clone(pattern),
            values,
            bare,
        }
    }

    /// With a little more on the diagonal: what M left without a price has one, too.
    pub(super) fn firmer(mut self) -> Self {
        for i in 0..self.pattern.rows() {
            self.values[self.pattern.diagonal_place(i)] *= 1.0 + LIGHT;
        }
        self
    }

    /// Every unknown costs the same to be moved by its size.
    pub(in crate::start) fn sizes(pattern: &Arc<Pattern>, scales: &[f64]) -> Self {
        let mut values = vec![0.0; pattern.size()];
        for (i, scale) in scales.iter().enumerate() {
            values[pattern.diagonal_place(i)] = 1.0 / (scale * scale);
        }
        Self {
            pattern: Arc::clone(pattern),
            bare: values.clone(),
            values,
        }
    }

    /// The metric of some unknowns, the others being held.
    pub(super) fn part(&self, free: &[usize], scales: &[f64]) -> Self {
        let (pattern, places) = self.pattern.select(free, free);
        let pick = |of: &[f64]| places.iter().map(|&place| of[place]).collect::<Vec<f64>>();
        let (values, bare) = (pick(&self.values), pick(&self.bare));
        let pattern = Arc::new(pattern);
        let definite = (0..free.len()).all(|i| values[pattern.diagonal_place(i)] > 0.0);
        if definite {
            Self {
                pattern,
                values,
                bare,
            }
        } else {
            Self::sizes(&pattern, scales)
        }
    }

    /// √(xᵀ W x).
    pub(super) fn length(&self, x: &[f64]) -> f64 {
        let mut product = vec![0.0; x.len()];
        self.pattern.matrix(&self.values).multiply(x, &mut product);
        let square = dot(&product, x);
        if square < 0.0 { 0.0 } else { square.sqrt() }
    }
}
