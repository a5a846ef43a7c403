//! The least step that changes rows as wanted, where the metric may leave some unknowns without a price.
//!
//! ```text
//! J Δ = r        Δ = Δ₀ + Z c,   J Δ₀ = r,  J Z = 0,   (Zᵀ W Z) c = −Zᵀ W Δ₀
//! ```
//!
//! Ranks are decided on the rows alone, after rows and columns were brought to one size: neither the metric, nor units, nor
//! what a row is multiplied by change them. There are two prices, W₁ before W₂: along what W₁ leaves free, W₂ decides.

use crate::decide::{NO_INERTIA, RANK, SOLVED};
use crate::linear::{CompleteOrthogonal, Groups, Matrix, add_scaled, balance, dot};

/// Times that a step is shortened: where an unknown hardly occurs in the rows the ways along them are long, and the first
/// time leaves rounding of their squares.
const SHORTENED: usize = 3;
/// Rows and prices, factored: unknowns that neither a row nor a price couples know nothing of each other.
pub(super) struct Least {
    parts: Vec<Part>,
}

/// Unknowns and the rows that speak of them.
struct Part {
    unknowns: Vec<usize>,
    rows_of: Vec<usize>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    orthogonal: CompleteOrthogonal,
    prices: Vec<Price>,
}

/// Ways along which one price decides.
struct Price {
    ways: Vec<Vec<f64>>,
    /// The products of the ways with the metric.
    products: Vec<Vec<f64>>,
    /// Zᵀ W Z, brought to size one, and what each way is multiplied by.
    factored: CompleteOrthogonal,
    sizes: Vec<f64>,
}

impl Least {
    /// J, and the metrics, n × n, the one that goes first first.
    pub(super) fn new(slopes: &Matrix<'_>, metrics: [&[f64]; 2]) -> Self {
        let n = slopes.columns();
        let mut groups = Groups::new(n);
        for row in 0..slopes.rows() {
            groups.join(known(slopes, row));
        }
        for i in 0..n {
            let coupled = |&j: &usize| metrics.iter().any(|metric| metric[i * n + j] != 0.0);
            groups.join(std::iter::once(i).chain((0..n).filter(coupled)));
        }
        let mut rows_of = vec![Vec::new(); n];
        for row in 0..slopes.rows() {
            if let Some(first) = known(slopes, row).next() {
                rows_of[groups.of(first)].push(row);
            }
        }
        let mut unknowns = vec![Vec::new(); n];
        (0..n).for_each(|j| unknowns[groups.of(j)].push(j));
        let parts = unknowns.into_iter().zip(rows_of);
        let parts = parts.filter(|(_, rows)| !rows.is_empty());
        Self {
            parts: parts
                .map(|(unknowns, rows)| Part::new(unknowns, rows, slopes, metrics))
                .collect(),
        }
    }

    /// step ← the least Δ with J Δ = `wanted`, as far as the rows can.
    pub(super) fn step(&self, wanted: &[f64], step: &mut [f64]) {
        step.fill(0.0);
        for part in &self.parts {
            let wanted: Vec<f64> = part.rows_of.iter().map(|&row| wanted[row]).collect();
            for (&j, value) in part.unknowns.iter().zip(part.step(&wanted)) {
                step[j] = value;
            }
        }
    }
}

/// The unknowns in a row whose slope is not zero.
fn known(slopes: &Matrix<'_>, row: usize) -> impl Iterator<Item = usize> {
    let entries = slopes.stored(row).filter(|(_, slope)| *slope != 0.0);
    entries.map(|(j, _)| j)
}

impl Part {
    fn new(
        unknowns: Vec<usize>,
        rows_of: Vec<usize>,
        slopes: &Matrix<'_>,
        metrics: [&[f64]; 2],
    ) -> Self {
        let (m, n, all) = (rows_of.len(), unknowns.len(), slopes.columns());
        let full = slopes.to_full();
        let of_row = |&row: &usize| unknowns.iter().map(move |&j| (row, j));
        let entries = rows_of.iter().flat_map(of_row);
        let mut scaled: Vec<f64> = entries.map(|(row, j)| full[row * all + j]).collect();
        let (mut rows, mut columns) = balance(&Matrix::full(m, n, &scaled));
        // Powers of two: what is scaled is not rounded.
        let power = |by: f64| by.log2().round().exp2();
        columns.iter_mut().for_each(|by| *by = power(*by));
        for (row, by) in scaled.chunks_exact_mut(n).zip(&mut rows) {
            row.iter_mut().zip(&columns).for_each(|(x, c)| *x *= c);
            let largest = row.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            *by = if largest > 0.0 {
                power(1.0 / largest)
            } else {
                1.0
            };
            row.iter_mut().for_each(|x| *x *= *by);
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
        let mut prices = Vec::new();
        for metric in metrics {
            let of_row = |&i: &usize| unknowns.iter().map(move |&j| metric[i * all + j]);
            let metric: Vec<f64> = unknowns.iter().flat_map(of_row).collect();
            let own = |j: usize| metric[j * n + j] * columns[j] * columns[j];
            let dearest = (0..n).map(own).fold(0.0, f64::max);
            let price = Price::new(ways, &metric, NO_INERTIA * dearest);
            ways = price.free_ways();
            prices.push(price);
        }
        Self {
            unknowns,
            rows_of,
            rows,
            columns,
            orthogonal,
            prices,
        }
    }

    fn step(&self, wanted: &[f64]) -> Vec<f64> {
        let scaled: Vec<f64> = wanted.iter().zip(&self.rows).map(|(r, s)| r * s).collect();
        let mut step = vec![0.0; self.unknowns.len()];
        self.orthogonal.least(&scaled, &mut step);
        step.iter_mut()
            .zip(&self.columns)
            .for_each(|(x, c)| *x *= c);
        for price in &self.prices {
            (0..SHORTENED).for_each(|_| price.shorten(&mut step));
        }
        step
    }
}

impl Price {
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
        let mut factored = CompleteOrthogonal::new(count, count);
        factored.factor(&matrix, SOLVED);
        Self {
            ways,
            products,
            factored,
            sizes,
        }
    }

    /// Ways that cost nothing.
    fn free_ways(&self) -> Vec<Vec<f64>> {
        let count = self.ways.len();
        let free = |k: usize| {
            let mut parts = vec![0.0; count];
            self.factored.null_vector(k, &mut parts);
            let mut way = vec![0.0; self.ways[0].len()];
            for ((own, size), part) in self.ways.iter().zip(&self.sizes).zip(&parts) {
                add_scaled(&mut way, part * size, own);
            }
            way
        };
        (0..count - self.factored.rank()).map(free).collect()
    }

    /// Moves a step along the ways to where it costs least.
    fn shorten(&self, step: &mut [f64]) {
        let excess = self.products.iter().zip(&self.sizes);
        let excess: Vec<f64> = excess
            .map(|(product, size)| -size * dot(product, step))
            .collect();
        let mut back = vec![0.0; excess.len()];
        self.factored.least(&excess, &mut back);
        for ((way, size), back) in self.ways.iter().zip(&self.sizes).zip(&back) {
            add_scaled(step, size * back, way);
        }
    }
}
