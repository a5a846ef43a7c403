//! What rows and columns are multiplied by to bring the entries of a matrix near to one, and which of them belong together.
//!
//! The factors r and c make the sum of (log |aᵢⱼ| + log rᵢ + log cⱼ)² over all entries least: geometric means. There is one
//! solution, up to a number that the rows of a group are multiplied by and its columns divided by; so a matrix whose rows and
//! columns are multiplied by numbers is balanced to the same matrix. (Largest entries have many solutions, and which one is
//! found depends on units.) Entries that are rounding beside the largest of their row and column, as slopes of what was solved for may
//! be, do not count.

use crate::decide::{PRODUCTS, SOLVED};
use crate::{Matrix, dot};

/// Steps of the conjugate gradients at most; unlike sizes need about as many as there are kinds of them.
const MOST_STEPS: usize = 200;

/// Rounds of dividing rows and columns by their largest entries.
const ROUNDS: usize = 8;

/// The factors of the rows and of the columns; one for those without entries.
#[must_use]
pub fn balance(matrix: &Matrix<'_>) -> (Vec<f64>, Vec<f64>) {
    let logarithms = Logarithms::of(matrix);
    let counts = &logarithms.counts;
    // With the best factors of the rows put in, conjugate gradients for those of the columns, divided by their numbers of
    // entries.
    let mut columns = vec![0.0; matrix.columns()];
    let mut left = logarithms.excess(&columns, true);
    let mut way = quotients(&left, counts);
    let mut size = dot(&left, &way);
    let entries = logarithms.rows.iter().flatten();
    let rounding = PRODUCTS * PRODUCTS * entries.map(|(_, a)| a * a).sum::<f64>();
    for _ in 0..MOST_STEPS {
        let product = logarithms.excess(&way, false);
        let bend = -dot(&way, &product);
        if size <= rounding || bend <= 0.0 {
            break;
        }
        let step = size / bend;
        crate::add_scaled(&mut columns, step, &way);
        crate::add_scaled(&mut left, step, &product);
        let next = quotients(&left, counts);
        let before = std::mem::replace(&mut size, dot(&left, &next));
        let turn = size / before;
        way.iter_mut()
            .zip(next)
            .for_each(|(way, next)| *way = next + turn * *way);
    }
    let rows = logarithms
        .means(&columns, true)
        .into_iter()
        .map(|mean| (-mean).exp());
    let rows = rows.collect();
    (rows, columns.into_iter().map(f64::exp).collect())
}

fn quotients(sums: &[f64], counts: &[f64]) -> Vec<f64> {
    let pairs = sums.iter().zip(counts);
    pairs.map(|(sum, count)| sum / count.max(1.0)).collect()
}

/// The logarithms of the entries, by row.
struct Logarithms {
    rows: Vec<Vec<(usize, f64)>>,
    /// Entries of each column.
    counts: Vec<f64>,
}

impl Logarithms {
    fn of(matrix: &Matrix<'_>) -> Self {
        let of_row = |row: usize| -> Vec<(usize, f64)> {
            let entries = matrix
                .stored(row)
                .filter(|(_, a)| *a != 0.0 && a.is_finite());
            entries.map(|(j, a)| (j, a.abs().ln())).collect()
        };
        let mut rows: Vec<Vec<(usize, f64)>> = (0..matrix.rows()).map(of_row).collect();
        let mut columns = vec![0.0; matrix.columns()];
        for _ in 0..ROUNDS {
            let mut largest = vec![f64::NEG_INFINITY; columns.len()];
            for row in &rows {
                let own = largest_of(row, &columns);
                for (j, a) in row {
                    largest[*j] = largest[*j].max(a - own);
                }
            }
            columns = largest
                .into_iter()
                .map(|a| if a.is_finite() { -a } else { 0.0 })
                .collect();
        }
        let mut counts = vec![0.0; columns.len()];
        for row in &mut rows {
            let own = largest_of(row, &columns);
            row.retain(|(j, a)| a + columns[*j] - own > SOLVED.ln());
            row.iter().for_each(|(j, _)| counts[*j] += 1.0);
        }
        Self { rows, counts }
    }

    /// The mean of each row of the logarithms with those of the columns added; of the latter alone where not `own`.
    fn means(&self, columns: &[f64], own: bool) -> Vec<f64> {
        let mean = |row: &Vec<(usize, f64)>| {
            let terms = row
                .iter()
                .map(|(j, a)| columns[*j] + if own { *a } else { 0.0 });
            terms.sum::<f64>() / (row.len() as f64).max(1.0)
        };
        self.rows.iter().map(mean).collect()
    }

    /// For each column the sum of what is above the mean of its row, with the sign changed: the way down.
    fn excess(&self, columns: &[f64], own: bool) -> Vec<f64> {
        let mut sums = vec![0.0; columns.len()];
        for (row, mean) in self.rows.iter().zip(self.means(columns, own)) {
            for (j, a) in row {
                sums[*j] += mean - columns[*j] - if own { *a } else { 0.0 };
            }
        }
        sums
    }
}

/// The logarithm of the largest entry of a row with those of the columns added.
fn largest_of(row: &[(usize, f64)], columns: &[f64]) -> f64 {
    let entries = row.iter().map(|(j, a)| a + columns[*j]);
    entries.fold(f64::NEG_INFINITY, f64::max)
}

/// Unknowns that belong together, each group named by its first.
pub struct Groups {
    leader: Vec<usize>,
}

impl Groups {
    /// Each alone.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self {
            leader: (0..count).collect(),
        }
    }

    /// The first of the group of an unknown.
    pub fn of(&mut self, mut j: usize) -> usize {
        while self.leader[j] != j {
            self.leader[j] = self.leader[self.leader[j]];
            j = self.leader[j];
        }
        j
    }

    /// These belong together.
    pub fn join(&mut self, mut members: impl Iterator<Item = usize>) {
        let Some(first) = members.next() else { return };
        for j in members {
            let (a, b) = (self.of(first), self.of(j));
            self.leader[a.max(b)] = a.min(b);
        }
    }
}
