//! Linear equations in numbers of thirty digits, by elimination with the largest pivots.

use dalembert_expr::normal::precise::Number;
use dalembert_mechanics::decide::thirty::{CLEAR, OPERATION};

/// One equation a·x = b.
pub struct Line {
    /// a, and b after it.
    pub entries: Vec<Number>,
    /// How wrong an entry of a may be.
    pub doubt: f64,
    /// How wrong b may be.
    pub error: f64,
}

/// A solution of A x = b.
pub struct Solved {
    /// One that leaves unknowns without a pivot at zero.
    pub x: Vec<Number>,
    /// Whether there is one value only.
    pub unique: Vec<bool>,
    /// How many unknowns the equations determine in terms of the others.
    pub rank: usize,
    /// How wrong a value may be, by what b may be wrong.
    pub errors: Vec<f64>,
    /// Whether the equations without a pivot hold too.
    pub consistent: bool,
}

/// A line as it is eliminated: what it is of the given ones, and what of it may be rounding.
struct Row {
    entries: Vec<Number>,
    shares: Vec<f64>,
    doubt: f64,
    /// Its largest entry, and where that is.
    largest: (f64, usize),
}

impl Row {
    fn find_largest(&mut self, columns: usize) {
        self.largest = (0.0, 0);
        for (k, x) in self.entries[..columns].iter().enumerate() {
            if x.size() > self.largest.0 {
                self.largest = (x.size(), k);
            }
        }
    }

    /// Takes a multiple of another away, which has entries and shares at some places only.
    fn take(&mut self, factor: Number, other: &Row, (entries, shares): (&[usize], &[usize])) {
        for &k in entries {
            self.entries[k] = self.entries[k] - factor * other.entries[k];
        }
        let part = factor.to_f64();
        for &k in shares {
            self.shares[k] -= part * other.shares[k];
        }
    }
}

/// Solves A x = b. A pivot is one that its error cannot have made, and that is above `none`, the largest entry of each
/// row being 1. Equations that have no unknown in common are solved on their own.
pub fn solve(mut lines: Vec<Line>, columns: usize, none: f64) -> Solved {
    let mut right = 0.0;
    for line in &mut lines {
        let sizes = line.entries[..columns].iter().map(|x| x.size());
        let largest = sizes.fold(0.0, f64::max);
        let known = largest > 0.0 && largest.is_finite();
        let scale = if known { largest } else { 1.0 };
        let by = Number::ONE / Number::from(scale);
        line.entries.iter_mut().for_each(|x| *x = *x * by);
        line.doubt = line.doubt / scale + OPERATION * columns as f64;
        line.error /= scale;
        right = f64::max(right, line.entries[columns].size());
    }
    let lost = OPERATION * columns as f64 * right;
    let mut solved = Solved {
        x: vec![Number::ZERO; columns],
        unique: vec![false; columns],
        rank: 0,
        errors: vec![0.0; columns],
        consistent: true,
    };
    for (of_lines, of_columns) in uncoupled(&lines, columns) {
        let part = |&line: &usize| {
            let line = &lines[line];
            let entries = of_columns.iter().chain([&columns]);
            Line {
                entries: entries.map(|&k| line.entries[k]).collect(),
                ..*line
            }
        };
        let part = eliminate(
            of_lines.iter().map(part).collect(),
            of_columns.len(),
            none,
            lost,
        );
        for (place, &k) in of_columns.iter().enumerate() {
            solved.x[k] = part.x[place];
            solved.unique[k] = part.unique[place];
            solved.errors[k] = part.errors[place];
        }
        solved.rank += part.rank;
        solved.consistent &= part.consistent;
    }
    solved
}

/// Lines, and the columns that occur in them and in no others.
fn uncoupled(lines: &[Line], columns: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut group: Vec<usize> = (0..columns).collect();
    let root = |group: &mut [usize], mut k: usize| {
        while group[k] != k {
            group[k] = group[group[k]];
            k = group[k];
        }
        k
    };
    let occurs = |line: &Line, k: usize| line.entries[k].size() != 0.0;
    let mut first = Vec::with_capacity(lines.len());
    for line in lines {
        let mut present = (0..columns).filter(|&k| occurs(line, k));
        let own = present.next();
        first.push(own);
        for k in present {
            let (a, b) = (root(&mut group, own.unwrap_or(k)), root(&mut group, k));
            group[b.max(a)] = a.min(b);
        }
    }
    let mut parts = vec![(Vec::new(), Vec::new()); columns + 1];
    for k in 0..columns {
        parts[root(&mut group, k)].1.push(k);
    }
    for (line, first) in first.into_iter().enumerate() {
        let place = first.map_or(columns, |k| root(&mut group, k));
        parts[place].0.push(line);
    }
    parts.retain(|(lines, _)| !lines.is_empty());
    parts
}

/// Solves equations whose rows are scaled; `lost` is what one operation loses of b.
fn eliminate(lines: Vec<Line>, columns: usize, none: f64, lost: f64) -> Solved {
    let count = lines.len();
    let (mut doubts, mut errors) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut rows: Vec<Row> = Vec::with_capacity(count);
    let ones = vec![1.0; count];
    for (i, line) in lines.into_iter().enumerate() {
        doubts.push(line.doubt);
        errors.push(line.error);
        let mut shares = vec![0.0; count];
        shares[i] = 1.0;
        rows.push(Row {
            entries: line.entries,
            shares,
            doubt: line.doubt,
            largest: (0.0, 0),
        });
        rows[i].find_largest(columns);
    }
    let mut pivots: Vec<usize> = Vec::new();
    while let Some((row, column)) = largest(&rows, pivots.len(), none) {
        let at = pivots.len();
        rows.swap(at, row);
        let pivot = rows[at].entries[column];
        let scale = Number::ONE / pivot;
        let chosen = &mut rows[at];
        chosen.entries.iter_mut().for_each(|x| *x = *x * scale);
        let (size, scale) = (pivot.size(), scale.to_f64());
        chosen.shares.iter_mut().for_each(|share| *share *= scale);
        chosen.doubt /= size;
        let (before, rest) = rows.split_at_mut(at);
        let Some((chosen, after)) = rest.split_first_mut() else {
            break;
        };
        let entries = chosen.entries.iter().enumerate();
        let entries = entries.filter(|(_, x)| x.size() != 0.0).map(|(k, _)| k);
        let entries: Vec<usize> = entries.collect();
        let shares = chosen.shares.iter().enumerate();
        let shares = shares.filter(|(_, share)| **share != 0.0).map(|(k, _)| k);
        let shares: Vec<usize> = shares.collect();
        for other in before.iter_mut().chain(after) {
            let factor = other.entries[column];
            if factor.size() <= 0.0 {
                continue;
            }
            other.take(factor, chosen, (&entries, &shares));
            other.doubt = weighed(&other.shares, &doubts);
            other.find_largest(columns);
        }
        pivots.push(column);
    }
    let free: Vec<usize> = (0..columns).filter(|k| !pivots.contains(k)).collect();
    let mut solved = Solved {
        x: vec![Number::ZERO; columns],
        unique: vec![false; columns],
        rank: pivots.len(),
        errors: vec![0.0; columns],
        consistent: true,
    };
    // What elimination itself loses of b, also where a share is zero.
    let growth = rows.iter().map(|row| weighed(&row.shares, &ones));
    let lost = lost * growth.fold(1.0, f64::max);
    for (row, &pivot) in rows.iter().zip(&pivots) {
        solved.x[pivot] = row.entries[columns];
        let mut open = free.iter().map(|&k| row.entries[k].size());
        solved.unique[pivot] = open.all(|size| size <= CLEAR * row.doubt);
        solved.errors[pivot] = weighed(&row.shares, &errors) + lost;
    }
    for row in &rows[pivots.len()..] {
        let error = weighed(&row.shares, &errors) + lost;
        solved.consistent &= row.entries[columns].size() <= CLEAR * error;
    }
    solved
}

fn weighed(shares: &[f64], of: &[f64]) -> f64 {
    let parts = shares.iter().zip(of);
    parts.map(|(share, part)| share.abs() * part).sum()
}

/// The largest entry that may be a pivot of the rows that have none: its row and column.
fn largest(rows: &[Row], from: usize, none: f64) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for (i, row) in rows.iter().enumerate().skip(from) {
        let (size, k) = row.largest;
        let clear = size > none.max(CLEAR * row.doubt);
        if clear && best.is_none_or(|(known, ..)| size > known) {
            best = Some((size, i, k));
        }
    }
    best.map(|(_, row, column)| (row, column))
}
