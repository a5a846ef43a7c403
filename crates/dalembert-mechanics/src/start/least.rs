//! The least step that changes rows as wanted, where the metric may leave some unknowns without a price.
//!
//! ```text
//! J Δ = r        Δ = Δ₀ + Z c,   J Δ₀ = r,  J Z = 0,   (Zᵀ W Z) c = −Zᵀ W Δ₀
//! ```
//!
//! Ranks are decided on the rows alone, after rows and columns were brought to one size: neither the metric, nor units, nor
//! what a row is multiplied by change them. There are two prices, W₁ before W₂: along what W₁ leaves free, W₂ decides.

use crate::decide::RANK;
use crate::linear::{CompleteOrthogonal, Matrix, add_scaled, dot};

/// Part of a price of size one up to which a way along the rows is free.
const FREE: f64 = 1e-14;
/// Part of the dearest price up to which a way is free: what rounding leaves of dear unknowns in it.
const ROUNDING: f64 = 1e-26;
/// Times that a step is shortened: where an unknown hardly occurs in the rows the ways along them are long, and the first
/// time leaves rounding of their squares.
const SHORTENED: usize = 3;
/// Rounds in which rows and columns are brought to one size.
const ROUNDS: usize = 8;
/// Rounds in which their means are.
const MEANS: usize = 20;
/// An entry that is this small beside the largest of its row and column is rounding.
const FAINT: f64 = 1e-13;

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
        let (mut rows, columns) = balance(&Matrix::full(m, n, &scaled));
        for (row, by) in scaled.chunks_exact_mut(n).zip(&mut rows) {
            row.iter_mut()
                .zip(&columns)
                .for_each(|(x, c)| *x *= *by * c);
            let largest = row.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            if largest > 0.0 {
                row.iter_mut().for_each(|x| *x /= largest);
                *by /= largest;
            }
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
            let of_row = |&i: &usize| unknowns.iter().map(move |&j| metric[i * all + j]);
            let metric: Vec<f64> = unknowns.iter().flat_map(of_row).collect();
            let own = |j: usize| metric[j * n + j] * columns[j] * columns[j];
            let dearest = (0..n).map(own).fold(0.0, f64::max);
            let level = Level::new(ways, &metric, ROUNDING * dearest);
            ways = level.free_ways();
            levels.push(level);
        }
        Self {
            unknowns,
            rows_of,
            rows,
            columns,
            orthogonal,
            levels,
        }
    }

    fn step(&self, wanted: &[f64]) -> Vec<f64> {
        let scaled: Vec<f64> = wanted.iter().zip(&self.rows).map(|(r, s)| r * s).collect();
        let mut step = vec![0.0; self.unknowns.len()];
        solve(&self.orthogonal, &scaled, &mut step);
        step.iter_mut()
            .zip(&self.columns)
            .for_each(|(x, c)| *x *= c);
        for level in &self.levels {
            (0..SHORTENED).for_each(|_| level.shorten(&mut step));
        }
        step
    }
}

/// Unknowns that belong together, each group named by its first.
pub(super) struct Groups {
    leader: Vec<usize>,
}

impl Groups {
    pub(super) fn new(count: usize) -> Self {
        Self {
            leader: (0..count).collect(),
        }
    }

    /// The first of the group of an unknown.
    pub(super) fn of(&mut self, mut j: usize) -> usize {
        while self.leader[j] != j {
            self.leader[j] = self.leader[self.leader[j]];
            j = self.leader[j];
        }
        j
    }

    /// These belong together.
    pub(super) fn join(&mut self, mut members: impl Iterator<Item = usize>) {
        let Some(first) = members.next() else { return };
        for j in members {
            let (a, b) = (self.of(first), self.of(j));
            self.leader[a.max(b)] = a.min(b);
        }
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

/// What rows and columns are multiplied by to bring all entries near to one: first the largest of each, then their
/// geometric means, where what is rounding beside these does not count.
pub(super) fn balance(matrix: &Matrix<'_>) -> (Vec<f64>, Vec<f64>) {
    let (m, n) = (matrix.rows(), matrix.columns());
    let (mut rows, mut columns) = (vec![0.0; m], vec![0.0; n]);
    let mut entries: Vec<(usize, usize, f64)> = Vec::new();
    for i in 0..m {
        let stored = matrix.stored(i).filter(|(_, x)| *x != 0.0 && x.is_finite());
        entries.extend(stored.map(|(j, x)| (i, j, x.abs().ln())));
    }
    for round in 0..ROUNDS + MEANS {
        if round == ROUNDS {
            let rounding = |&(i, j, x): &(usize, usize, f64)| x + rows[i] + columns[j] > FAINT.ln();
            entries.retain(rounding);
        }
        let side = |own: &mut Vec<f64>, other: &[f64], by_row: bool| {
            let (mut sizes, mut counts) =
                (vec![f64::NEG_INFINITY; own.len()], vec![0.0; own.len()]);
            for &(i, j, x) in &entries {
                let (to, from) = if by_row { (i, j) } else { (j, i) };
                let size = x + other[from];
                if round < ROUNDS {
                    sizes[to] = size.max(sizes[to]);
                    counts[to] = 1.0;
                } else {
                    sizes[to] = if counts[to] == 0.0 {
                        size
                    } else {
                        sizes[to] + size
                    };
                    counts[to] += 1.0;
                }
            }
            for ((own, size), count) in own.iter_mut().zip(sizes).zip(counts) {
                if count > 0.0 {
                    *own = (*own - size / count) / 2.0;
                }
            }
        };
        side(&mut rows, &columns, true);
        side(&mut columns, &rows, false);
    }
    let factors = |logarithms: Vec<f64>| logarithms.into_iter().map(f64::exp).collect();
    (factors(rows), factors(columns))
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
