//! J of a motion whose accelerations solve sparse equations. J itself is full and never made: what is solved with it is sparse.
//!
//! ```text
//! q' = v,   v' = a,   E(q, v, a, λ) = 0,   w' = P(q, v, a, λ)        w enters nothing
//! ```
//!
//! Stages coupled by weights D (three with a J each, or one, where D is the number s) solve (D ⊗ 1 − J) (x, u) = (r, p):
//!
//! ```text
//! u = D x − r,   δa = D u − p        ⇒        (E_a D² + E_v D + E_q) x + E_λ δλ = E_a (D r + p) + E_v r
//! ```
//!
//! Rows of E that depend on each other give way a little, as wherever rows are sparse: corrections are none the worse for it.

use super::{Linearisation, fastest};
use dalembert_linear::{Complex, Pattern, SparseLu, SparseScalar};
use std::ops::Range;

/// Where the parts of E and P stand in a matrix of their derivatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// First columns of q, v, a and λ.
    pub columns: [usize; 4],
    /// Number of q, v or a; and of λ.
    pub sizes: [usize; 2],
    /// Rows of E, as many as a and λ.
    pub equations: Range<usize>,
    /// Rows of P.
    pub followers: Range<usize>,
}

/// What an entry is a derivative by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Q,
    V,
    A,
    Lambda,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    row: u32,
    by: By,
    column: u32,
    place: u32,
}

/// J by its equations, and what implicit steps solve with it, in factors.
#[derive(Debug)]
pub struct SparseLinearised {
    n: usize,
    rows: usize,
    followers: usize,
    /// Of E and of P.
    entries: Vec<Entry>,
    powers: Vec<Entry>,
    /// The derivatives; those set aside, and those of stages.
    values: Vec<f64>,
    start: Vec<f64>,
    stages: [Vec<f64>; 3],
    real: Coupled<f64>,
    complex: Coupled<Complex>,
    /// The accelerations themselves; whether their factors are those of the derivatives, and were of those set aside.
    motion: Coupled<f64>,
    is_motion: bool,
    was_motion: bool,
    whole: Option<Coupled<f64>>,
    numbers: Vec<Complex>,
    direction: Vec<f64>,
    moved: Vec<f64>,
}

impl SparseLinearised {
    /// Room for derivatives of a pattern; `None` if that is too large for memory.
    #[must_use]
    pub fn new(pattern: &Pattern, parts: &Parts) -> Option<Self> {
        let [n, rows] = parts.sizes;
        let list = |range: Range<usize>| {
            let mut found = Vec::new();
            for row in range.clone() {
                for (place, column) in pattern.row(row).zip(pattern.columns_of(row)) {
                    let by = [By::Q, By::V, By::A, By::Lambda].into_iter();
                    for (by, start) in by.zip(parts.columns) {
                        let size = if by == By::Lambda { rows } else { n };
                        if (start..start + size).contains(&column) {
                            found.push(Entry {
                                row: (row - range.start) as u32,
                                by,
                                column: (column - start) as u32,
                                place: place as u32,
                            });
                        }
                    }
                }
            }
            found
        };
        let entries = list(parts.equations.clone());
        let followers = parts.followers.len();
        let size = 2 * n + followers;
        let values = vec![0.0; pattern.size()];
        Some(Self {
            n,
            rows,
            followers,
            powers: list(parts.followers.clone()),
            start: values.clone(),
            stages: [const { Vec::new() }; 3],
            values,
            real: Coupled::new(1, [n, rows], &entries)?,
            complex: Coupled::new(1, [n, rows], &entries)?,
            motion: Coupled::new(1, [n, rows], &entries)?,
            is_motion: false,
            was_motion: false,
            whole: None,
            numbers: vec![Complex::default(); size],
            direction: (0..size).map(|i| 1.0 / (1.0 + i as f64)).collect(),
            moved: vec![0.0; size],
            entries,
        })
    }

    /// Takes derivatives; false where some are no numbers.
    pub fn set(&mut self, values: &[f64]) -> bool {
        self.values.copy_from_slice(values);
        self.is_motion = false;
        values.iter().all(|value| value.is_finite())
    }

    /// Factors what gives accelerations.
    fn find_motion(&mut self) -> bool {
        if !self.is_motion {
            let weights = Weights {
                a: &[1.0],
                v: &[0.0],
                q: 0.0,
            };
            self.is_motion = self
                .motion
                .factor(&self.entries, [&*self.values; 3], &weights);
        }
        self.is_motion
    }
}

impl Linearisation for SparseLinearised {
    fn propagated(&mut self, value: usize, errors: &[f64]) -> f64 {
        let n = self.n;
        let known = |i: usize| {
            if errors[i].is_finite() {
                errors[i]
            } else {
                0.0
            }
        };
        if value < n {
            return known(n + value);
        }
        if !self.find_motion() {
            return 0.0;
        }
        // The row of K⁻¹ that the value is made of, and with it the row of J.
        let row = &mut self.motion.right;
        row.fill(0.0);
        self.moved.fill(0.0);
        if value < 2 * n {
            row[value - n] = 1.0;
        }
        let powers = self
            .powers
            .iter()
            .filter(|it| 2 * n + it.row as usize == value);
        for entry in powers {
            let (slope, column) = (self.values[entry.place as usize], entry.column as usize);
            match entry.by {
                By::Q => self.moved[column] += slope,
                By::V => self.moved[n + column] += slope,
                By::A => row[column] += slope,
                By::Lambda => row[n + column] += slope,
            }
        }
        self.motion.lu.solve_transposed(row);
        for entry in &self.entries {
            let slope = -self.values[entry.place as usize] * row[entry.row as usize];
            match entry.by {
                By::Q => self.moved[entry.column as usize] += slope,
                By::V => self.moved[n + entry.column as usize] += slope,
                By::A | By::Lambda => {}
            }
        }
        let slopes = self.moved[..2 * n].iter().enumerate();
        slopes.map(|(i, slope)| slope.abs() * known(i)).sum()
    }

    fn fastest(&mut self) -> f64 {
        if !self.find_motion() {
            return f64::NAN;
        }
        let (n, values) = (self.n, &self.values);
        fastest(&mut self.direction, &mut self.moved, |direction, moved| {
            let right = &mut self.motion.right;
            right.fill(0.0);
            for entry in &self.entries {
                let column = entry.column as usize;
                let by = match entry.by {
                    By::Q => direction[column],
                    By::V => direction[n + column],
                    By::A | By::Lambda => continue,
                };
                right[entry.row as usize] -= values[entry.place as usize] * by;
            }
            self.motion.lu.solve(right);
            moved[..n].copy_from_slice(&direction[n..2 * n]);
            moved[n..2 * n].copy_from_slice(&right[..n]);
            moved[2 * n..].fill(0.0);
        })
    }

    fn factor(&mut self, s: f64, [re, im]: [f64; 2]) -> bool {
        let values = [&*self.values; 3];
        let real = Weights {
            a: &[s * s],
            v: &[s],
            q: 1.0,
        };
        let z = Complex { re, im };
        let complex = Weights {
            a: &[z * z],
            v: &[z],
            q: Complex { re: 1.0, im: 0.0 },
        };
        self.real.factor(&self.entries, values, &real)
            && self.complex.factor(&self.entries, values, &complex)
    }

    fn solve_real(&mut self, x: &mut [f64]) {
        self.real.solve(&self.entries, [&*self.values; 3], x);
        self.real.follow(&self.powers, &self.values, x);
    }

    fn solve_complex(&mut self, x: &mut [f64], y: &mut [f64]) {
        for (target, (&re, &im)) in self.numbers.iter_mut().zip(x.iter().zip(&*y)) {
            *target = Complex { re, im };
        }
        let numbers = &mut self.numbers;
        self.complex
            .solve(&self.entries, [&*self.values; 3], numbers);
        self.complex.follow(&self.powers, &self.values, numbers);
        for (part, (x, y)) in numbers.iter().zip(x.iter_mut().zip(y)) {
            (*x, *y) = (part.re, part.im);
        }
    }

    fn keep_start(&mut self) {
        self.start.copy_from_slice(&self.values);
        self.was_motion = self.is_motion;
    }

    fn recall_start(&mut self) {
        self.values.copy_from_slice(&self.start);
        // Nothing has asked for the motion of a stage.
        self.is_motion = self.was_motion;
    }

    fn keep_stage(&mut self, stage: usize) {
        self.stages[stage].clone_from(&self.values);
    }

    fn factor_stages(&mut self, weights: [[f64; 3]; 3]) -> bool {
        if self.whole.is_none() {
            self.whole = Coupled::new(3, [self.n, self.rows], &self.entries);
        }
        let Some(whole) = &mut self.whole else {
            return false;
        };
        let squared = super::stages::squared(&weights);
        let weights = Weights {
            a: squared.as_flattened(),
            v: weights.as_flattened(),
            q: 1.0,
        };
        let stages = self.stages.each_ref().map(|stage| &**stage);
        whole.factor(&self.entries, stages, &weights)
    }

    fn solve_stages(&mut self, x: &mut [f64]) {
        let (n, size) = (self.n, 2 * self.n + self.followers);
        if let Some(whole) = &mut self.whole {
            let stages = self.stages.each_ref().map(|stage| &**stage);
            whole.solve(&self.entries, stages, x);
        }
        // What follows is integrated after the stages are known.
        x.chunks_exact_mut(size)
            .for_each(|stage| stage[2 * n..].fill(0.0));
    }
}

/// What the derivatives by a, v and q are multiplied by: D², D, and one.
struct Weights<'a, T> {
    a: &'a [T],
    v: &'a [T],
    q: T,
}

/// Some stages, coupled, in factors.
#[derive(Debug)]
struct Coupled<T: SparseScalar> {
    stages: usize,
    n: usize,
    rows: usize,
    lu: SparseLu<T>,
    /// Where each entry goes: for each stage, by a and v to each of the stages.
    places: Vec<u32>,
    /// D.
    weights: Vec<T>,
    /// Right sides, then x and δλ of each stage.
    right: Vec<T>,
    /// D r + p of each stage, then δa.
    mixed: Vec<T>,
}

impl<T: SparseScalar> Coupled<T> {
    fn new(stages: usize, [n, rows]: [usize; 2], entries: &[Entry]) -> Option<Self> {
        let unknowns = n + rows;
        let mut list: Vec<(u32, u32)> = Vec::new();
        for stage in 0..stages {
            let at = |row: usize| (stage * unknowns + row) as u32;
            for entry in entries {
                let (row, column) = (at(entry.row as usize), entry.column as usize);
                match entry.by {
                    By::Q => list.push((row, at(column))),
                    By::Lambda => list.push((row, at(n + column))),
                    By::V | By::A => {
                        list.extend((0..stages).map(|k| (row, (k * unknowns + column) as u32)));
                    }
                }
            }
        }
        let soft = list.len();
        for stage in 0..stages {
            let at = |row: usize| (stage * unknowns + n + row) as u32;
            list.extend((0..rows).map(|row| (at(row), at(row))));
        }
        let (mut lu, mut places) = SparseLu::new(stages * unknowns, &list)?;
        lu.soften(&places[soft..]);
        places.truncate(soft);
        Some(Self {
            weights: vec![T::ZERO; stages * stages],
            right: vec![T::ZERO; stages * unknowns],
            mixed: vec![T::ZERO; stages * n],
            stages,
            n,
            rows,
            lu,
            places,
        })
    }

    fn factor(&mut self, entries: &[Entry], values: [&[f64]; 3], weights: &Weights<'_, T>) -> bool {
        let (count, places) = (self.stages, &self.places);
        self.weights.copy_from_slice(weights.v);
        self.lu.factor(|target| {
            let mut places = places.iter().map(|&place| place as usize);
            let mut add = |value: T| {
                if let Some(place) = places.next() {
                    target[place] = target[place] + value;
                }
            };
            for (stage, values) in values.into_iter().enumerate().take(count) {
                let coupled = stage * count..(stage + 1) * count;
                for entry in entries {
                    let value = T::real(values[entry.place as usize]);
                    match entry.by {
                        By::Q => add(weights.q * value),
                        By::Lambda => add(value),
                        By::V => weights.v[coupled.clone()]
                            .iter()
                            .for_each(|w| add(*w * value)),
                        By::A => weights.a[coupled.clone()]
                            .iter()
                            .for_each(|w| add(*w * value)),
                    }
                }
            }
        })
    }

    /// Σ D x over the stages.
    fn mix(&self, stage: usize, value: impl Fn(usize) -> T) -> T {
        let weights = &self.weights[stage * self.stages..][..self.stages];
        let terms = weights.iter().enumerate().map(|(k, w)| *w * value(k));
        terms.fold(T::ZERO, |sum, term| sum + term)
    }

    /// x ← the solution of each stage, q and v parts only.
    fn solve(&mut self, entries: &[Entry], values: [&[f64]; 3], x: &mut [T]) {
        let (n, unknowns) = (self.n, self.n + self.rows);
        let size = x.len() / self.stages;
        for stage in 0..self.stages {
            for i in 0..n {
                let mixed = self.mix(stage, |k| x[k * size + i]);
                self.mixed[stage * n + i] = mixed + x[stage * size + n + i];
            }
        }
        self.right.fill(T::ZERO);
        for (stage, values) in values.into_iter().enumerate().take(self.stages) {
            for entry in entries {
                let column = entry.column as usize;
                let by = match entry.by {
                    By::A => self.mixed[stage * n + column],
                    By::V => x[stage * size + column],
                    By::Q | By::Lambda => continue,
                };
                let target = &mut self.right[stage * unknowns + entry.row as usize];
                *target = *target + T::real(values[entry.place as usize]) * by;
            }
        }
        self.lu.solve(&mut self.right);
        for stage in 0..self.stages {
            for i in 0..n {
                // δa = D u − p = D² x − (D r + p).
                let mixed = self.mix(stage, |k| self.right[k * unknowns + i]);
                let u = mixed - x[stage * size + i];
                x[stage * size + i] = u;
            }
        }
        // The places of x hold u for the moment, those of u still p.
        for stage in 0..self.stages {
            for i in 0..n {
                let du = self.mix(stage, |k| x[k * size + i]);
                self.mixed[stage * n + i] = du - x[stage * size + n + i];
            }
        }
        for stage in 0..self.stages {
            for i in 0..n {
                x[stage * size + n + i] = x[stage * size + i];
                x[stage * size + i] = self.right[stage * unknowns + i];
            }
        }
    }

    /// What follows, of one stage that was just solved: s δw − δP = its right side.
    fn follow(&self, powers: &[Entry], values: &[f64], x: &mut [T]) {
        let n = self.n;
        for entry in powers {
            let column = entry.column as usize;
            let by = match entry.by {
                By::Q => x[column],
                By::V => x[n + column],
                By::A => self.mixed[column],
                By::Lambda => self.right[n + column],
            };
            let target = &mut x[2 * n + entry.row as usize];
            *target = *target + T::real(values[entry.place as usize]) * by;
        }
        for value in &mut x[2 * n..] {
            *value = *value / self.weights[0];
        }
    }
}
