//! The least step that changes rows as wanted, where the metric may leave some unknowns without a price.
//!
//! ```text
//! J Δ = r        Δ = Δ₀ + Z c,   J Δ₀ = r,  J Z = 0,   (Zᵀ W Z) c = −Zᵀ W Δ₀
//! ```
//!
//! Ranks are decided on the rows alone, after rows and columns were brought to one size: neither the metric, nor units, nor
//! what a row is multiplied by change them. There are two prices, W₁ before W₂: along what W₁ leaves free, W₂ decides.

use crate::linear::{CompleteOrthogonal, Matrix, add_scaled, dot};

/// Part of a row of size one up to which it depends on others.
const RANK: f64 = 1e-8;
/// Part of a price of size one up to which a way along the rows is free.
const FREE: f64 = 1e-12;
/// Part of the dearest price up to which a way is free: what rounding leaves of dear unknowns in it.
const ROUNDING: f64 = 1e-26;
/// Rounds in which rows and columns are brought to one size.
const ROUNDS: usize = 6;

/// Rows and prices, factored.
pub(super) struct Least {
    rows: Vec<f64>,
    columns: Vec<f64>,
    orthogonal: CompleteOrthogonal,
    levels: Vec<Level>,
}

/// Ways along which one price decides.
struct Level {
    ways: Vec<Vec<f64>>,
    /// The products of the ways with the metric.
    products: Vec<Vec<f64>>,
    /// Zᵀ W Z, brought to size one, and what each way is multiplied by.
    prices: CompleteOrthogonal,
    sizes: Vec<f64>,
}

impl Least {
    /// J, and the metrics, n × n, the one that goes first first.
    pub(super) fn new(slopes: &Matrix<'_>, metrics: [&[f64]; 2]) -> Self {
        let (m, n) = (slopes.rows(), slopes.columns());
        let (rows, columns) = balance(slopes);
        let mut scaled = slopes.to_full().into_owned();
        for (row, by) in scaled.chunks_exact_mut(n).zip(&rows) {
            row.iter_mut().zip(&columns).for_each(|(x, c)| *x *= by * c);
        }
        let mut orthogonal = CompleteOrthogonal::new(m, n);
        orthogonal.factor(&scaled, RANK);
        let along = |k: usize| {
            let mut way = vec![0.0; n];
            orthogonal.null_vector(k, &mut way);
            way.iter_mut().zip(&columns).for_each(|(x, c)| *x *= c);
            way
        };
        let mut ways: Vec<Vec<f64>> = (0..n - orthogonal.rank()).map(along).collect();
        let mut levels = Vec::new();
        for metric in metrics {
            let own = |j: usize| metric[j * n + j] * columns[j] * columns[j];
            let dearest = (0..n).map(own).fold(0.0, f64::max);
            let level = Level::new(ways, metric, ROUNDING * dearest);
            ways = level.free_ways();
            levels.push(level);
        }
        Self {
            rows,
            columns,
            orthogonal,
            levels,
        }
    }

    /// step ← the least Δ with J Δ = `wanted`, as far as the rows can.
    pub(super) fn step(&self, wanted: &[f64], step: &mut [f64]) {
        let scaled: Vec<f64> = wanted.iter().zip(&self.rows).map(|(r, s)| r * s).collect();
        solve(&self.orthogonal, &scaled, step);
        step.iter_mut()
            .zip(&self.columns)
            .for_each(|(x, c)| *x *= c);
        self.levels.iter().for_each(|level| level.shorten(step));
    }
}

impl Level {
    fn new(ways: Vec<Vec<f64>>, metric: &[f64], noise: f64) -> Self {
        let count = ways.len();
        let product = |way: &Vec<f64>| {
            let rows = metric.chunks_exact(way.len().max(1));
            rows.map(|row| dot(row, way)).collect()
        };
        let products: Vec<Vec<f64>> = ways.iter().map(product).collect();
        let price = |(way, product): (&Vec<f64>, &Vec<f64>)| dot(way, product);
        let own: Vec<f64> = ways.iter().zip(&products).map(price).collect();
        let size = |&price: &f64| {
            if price > noise {
                price.sqrt().recip()
            } else {
                1.0
            }
        };
        let sizes: Vec<f64> = own.iter().map(size).collect();
        let mut matrix = vec![0.0; count * count];
        for i in (0..count).filter(|&i| own[i] > noise) {
            for j in (0..count).filter(|&j| own[j] > noise) {
                matrix[i * count + j] = sizes[i] * sizes[j] * dot(&ways[i], &products[j]);
            }
        }
        let mut prices = CompleteOrthogonal::new(count, count);
        prices.factor(&matrix, FREE);
        Self {
            ways,
            products,
            prices,
            sizes,
        }
    }

    /// Ways that cost nothing.
    fn free_ways(&self) -> Vec<Vec<f64>> {
        let count = self.ways.len();
        let free = |k: usize| {
            let mut parts = vec![0.0; count];
            self.prices.null_vector(k, &mut parts);
            let mut way = vec![0.0; self.ways[0].len()];
            for ((own, size), part) in self.ways.iter().zip(&self.sizes).zip(&parts) {
                add_scaled(&mut way, part * size, own);
            }
            way
        };
        (0..count - self.prices.rank()).map(free).collect()
    }

    /// Moves a step along the ways to where it costs least.
    fn shorten(&self, step: &mut [f64]) {
        let excess = self.products.iter().zip(&self.sizes);
        let excess: Vec<f64> = excess
            .map(|(product, size)| -size * dot(product, step))
            .collect();
        let mut back = vec![0.0; excess.len()];
        solve(&self.prices, &excess, &mut back);
        for ((way, size), back) in self.ways.iter().zip(&self.sizes).zip(&back) {
            add_scaled(step, size * back, way);
        }
    }
}

/// What rows and columns are multiplied by to bring the largest entry of each to about one.
pub(super) fn balance(matrix: &Matrix<'_>) -> (Vec<f64>, Vec<f64>) {
    let (m, n) = (matrix.rows(), matrix.columns());
    let (mut rows, mut columns) = (vec![1.0; m], vec![1.0; n]);
    for _ in 0..ROUNDS {
        for (i, by) in rows.iter_mut().enumerate() {
            let entries = matrix.stored(i).map(|(j, x)| (x * *by * columns[j]).abs());
            *by *= factor(entries.fold(0.0, f64::max));
        }
        let mut largest = vec![0.0_f64; n];
        for (i, by) in rows.iter().enumerate() {
            for (j, x) in matrix.stored(i) {
                largest[j] = largest[j].max((x * by * columns[j]).abs());
            }
        }
        for (by, largest) in columns.iter_mut().zip(largest) {
            *by *= factor(largest);
        }
    }
    (rows, columns)
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
