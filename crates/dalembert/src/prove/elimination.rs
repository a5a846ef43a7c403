//! Linear equations in numbers of thirty digits, by elimination with the largest pivots.

use dalembert_expr::normal::precise::Number;

/// A solution of A x = b.
pub(super) struct Solved {
    /// One that leaves unknowns without a pivot at zero.
    pub(super) x: Vec<Number>,
    /// Whether there is one value only.
    pub(super) unique: Vec<bool>,
    /// The largest pivot over the smallest: how much worse than its data the solution may be.
    pub(super) condition: f64,
}

/// Solves A x = b, each row of `rows` being one of A and of b. Pivots below `none` times the largest entry of their row
/// are zero.
pub(super) fn solve(mut rows: Vec<Vec<Number>>, columns: usize, none: f64) -> Solved {
    for row in &mut rows {
        let largest = row[..columns].iter().map(|x| x.size()).fold(0.0, f64::max);
        if largest > 0.0 && largest.is_finite() {
            let scale = Number::ONE / Number::from(largest);
            row.iter_mut().for_each(|x| *x = *x * scale);
        }
    }
    let mut pivots: Vec<usize> = Vec::new();
    let (mut first, mut last) = (0.0, 1.0);
    while let Some((size, row, column)) = largest(&rows, pivots.len(), columns) {
        if size <= none {
            break;
        }
        if pivots.is_empty() {
            first = size;
        }
        last = size;
        let at = pivots.len();
        rows.swap(at, row);
        let scale = Number::ONE / rows[at][column];
        rows[at].iter_mut().for_each(|x| *x = *x * scale);
        let chosen = rows[at].clone();
        for (i, other) in rows.iter_mut().enumerate() {
            let factor = other[column];
            if i == at || factor.size() <= 0.0 {
                continue;
            }
            for (x, base) in other.iter_mut().zip(&chosen) {
                *x = *x - factor * *base;
            }
        }
        pivots.push(column);
    }
    let free: Vec<usize> = (0..columns).filter(|k| !pivots.contains(k)).collect();
    let mut solved = Solved {
        x: vec![Number::ZERO; columns],
        unique: vec![false; columns],
        condition: (first / last).max(1.0),
    };
    for (row, &pivot) in rows.iter().zip(&pivots) {
        solved.x[pivot] = row[columns];
        solved.unique[pivot] = free.iter().all(|&k| row[k].size() <= none.sqrt());
    }
    solved
}

/// The largest entry of the rows that have no pivot: size, row and column.
fn largest(rows: &[Vec<Number>], from: usize, columns: usize) -> Option<(f64, usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for (i, row) in rows.iter().enumerate().skip(from) {
        for (k, x) in row[..columns].iter().enumerate() {
            if best.is_none_or(|(size, ..)| x.size() > size) {
                best = Some((x.size(), i, k));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Number, solve};

    fn rows(entries: &[&[f64]]) -> Vec<Vec<Number>> {
        let row = |row: &&[f64]| row.iter().map(|&x| Number::from(x)).collect();
        entries.iter().map(row).collect()
    }

    #[test]
    fn a_regular_system_is_solved_to_all_digits() {
        let found = solve(rows(&[&[3.0, 1.0, 2.0], &[1.0, 7.0, 1.0]]), 2, 1e-20);
        let twentieth = Number::ONE / Number::from(20.0);
        let [x, y] = [13.0, 1.0].map(|n| Number::from(n) * twentieth);
        assert!((found.x[0] - x).size() < 1e-31 && (found.x[1] - y).size() < 1e-31);
        assert_eq!(found.unique, [true, true]);
    }

    #[test]
    fn what_is_not_determined_is_told() {
        // x + y = 1 twice, z = 3.
        let twice = rows(&[
            &[1.0, 1.0, 0.0, 1.0],
            &[2.0, 2.0, 0.0, 2.0],
            &[0.0, 0.0, 1.0, 3.0],
        ]);
        let found = solve(twice, 3, 1e-20);
        assert_eq!(found.unique, [false, false, true]);
        assert!((found.x[2] - Number::from(3.0)).size() < 1e-30);
    }
}
