//! The least step that changes rows as wanted, where the metric may leave some unknowns without a price.
//!
//! ```text
//! J Δ = r        Δ = Δ₀ + Z c,   J Δ₀ = r,  J Z = 0,   (Zᵀ W Z) c = −Zᵀ W Δ₀
//! ```
//!
//! Ranks are decided on the rows alone, after rows and columns were brought to one size: neither the metric, nor units, nor
//! what a row is multiplied by change them. What neither rows nor metric speak of stays where it is.

use crate::linear::{CompleteOrthogonal, add_scaled, dot};

/// Part of a row of size one up to which it depends on others.
const RANK: f64 = 1e-8;
/// Part of a price of size one up to which a way along the rows is free.
const FREE: f64 = 1e-12;
/// Rounds in which rows and columns are brought to one size.
const ROUNDS: usize = 6;

/// Rows and a metric, factored.
pub(super) struct Least {
    rows: Vec<f64>,
    columns: Vec<f64>,
    orthogonal: CompleteOrthogonal,
    /// Ways along the rows, each with its product with the metric.
    ways: Vec<(Vec<f64>, Vec<f64>)>,
    /// Zᵀ W Z, brought to size one, and the sizes.
    prices: CompleteOrthogonal,
    sizes: Vec<f64>,
}

impl Least {
    /// J of m rows, n to a row, and W, n × n.
    pub(super) fn new(slopes: &[f64], metric: &[f64], n: usize) -> Self {
        let m = slopes.len() / n;
        let (mut rows, mut columns) = (vec![1.0; m], vec![1.0; n]);
        let mut scaled = slopes.to_vec();
        for _ in 0..ROUNDS {
            for (row, scale) in scaled.chunks_exact_mut(n).zip(&mut rows) {
                let largest = row.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
                let by = factor(largest);
                row.iter_mut().for_each(|x| *x *= by);
                *scale *= by;
            }
            for (j, scale) in columns.iter_mut().enumerate() {
                let entries = scaled.iter().skip(j).step_by(n);
                let by = factor(entries.fold(0.0_f64, |a, x| a.max(x.abs())));
                scaled.iter_mut().skip(j).step_by(n).for_each(|x| *x *= by);
                *scale *= by;
            }
        }
        let mut orthogonal = CompleteOrthogonal::new(m, n);
        orthogonal.factor(&scaled, RANK);
        let along = |k: usize| {
            let mut way = vec![0.0; n];
            orthogonal.null_vector(k, &mut way);
            way.iter_mut().zip(&columns).for_each(|(x, c)| *x *= c);
            let product = metric.chunks_exact(n).map(|row| dot(row, &way)).collect();
            (way, product)
        };
        let ways: Vec<(Vec<f64>, Vec<f64>)> = (0..n - orthogonal.rank()).map(along).collect();
        let count = ways.len();
        let size = |(way, product): &(Vec<f64>, Vec<f64>)| {
            let price = dot(way, product);
            if price > 0.0 {
                price.sqrt().recip()
            } else {
                0.0
            }
        };
        let sizes: Vec<f64> = ways.iter().map(size).collect();
        let mut matrix = Vec::with_capacity(count * count);
        for ((way, _), a) in ways.iter().zip(&sizes) {
            let entry =
                |((_, product), b): (&(Vec<f64>, Vec<f64>), &f64)| a * b * dot(way, product);
            matrix.extend(ways.iter().zip(&sizes).map(entry));
        }
        let mut prices = CompleteOrthogonal::new(count, count);
        prices.factor(&matrix, FREE);
        Self {
            rows,
            columns,
            orthogonal,
            ways,
            prices,
            sizes,
        }
    }

    /// step ← the least Δ with J Δ = `wanted`, as far as the rows can.
    pub(super) fn step(&self, wanted: &[f64], step: &mut [f64]) {
        let scaled: Vec<f64> = wanted.iter().zip(&self.rows).map(|(r, s)| r * s).collect();
        solve(&self.orthogonal, &scaled, step);
        step.iter_mut()
            .zip(&self.columns)
            .for_each(|(x, c)| *x *= c);
        let excess = self.ways.iter().zip(&self.sizes);
        let excess: Vec<f64> = excess
            .map(|((_, product), size)| -size * dot(product, step))
            .collect();
        let mut back = vec![0.0; excess.len()];
        solve(&self.prices, &excess, &mut back);
        for (((way, _), size), back) in self.ways.iter().zip(&self.sizes).zip(&back) {
            add_scaled(step, size * back, way);
        }
    }
}

/// What brings a size half the way to one.
fn factor(size: f64) -> f64 {
    if size > 0.0 && size.is_finite() {
        size.sqrt().recip()
    } else {
        1.0
    }
}

/// x ← the shortest solution of W x = e.
fn solve(orthogonal: &CompleteOrthogonal, e: &[f64], x: &mut [f64]) {
    let mut reduced = vec![0.0; e.len()];
    orthogonal.reduce(e, &mut reduced);
    orthogonal.solve_triangle(&mut reduced);
    let mut turned = vec![0.0; e.len().max(x.len())];
    turned[..e.len()].copy_from_slice(&reduced);
    orthogonal.turn(&turned, x);
}
