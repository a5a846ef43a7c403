//! Gauss–Newton with the least step in a metric, damped; and from a solution to the nearest one.
//!
//! Steps are judged by the corrections they leave, measured in the metric: neither the units of a row nor those of an
//! unknown change what is done. Damping after [D], chapters 3 and 4; the way to the nearest solution is steepest
//! descent along the solutions with the step lengths of [BB], each step followed by Gauss–Newton back to the rows.
//!
//! [D]: Deuflhard, "Newton Methods for Nonlinear Problems", Springer 2004.
//! [M]: Moré, "The Levenberg–Marquardt algorithm: implementation and theory", Lecture Notes in Math. 630 (1978) 105–116.
//! [BB]: Barzilai, Borwein, "Two-point step size gradient methods", IMA J. Numer. Anal. 8 (1988) 141–148.

use super::least::Least;
use super::{MEDIUM, Metric, Rows, SMALL};
use crate::decide::{CLEAR, Ending, KNOWN, MET, ROUNDING, SOLVED, beside};
use crate::linear::factorisation::{Factorisation, Tolerance};
use crate::linear::{Cholesky, Pattern, add_scaled, dot};
use std::sync::Arc;

/// Steps tried before giving up, and for each unknown, and at most; a root where the slope vanishes halves its distance
/// in each.
const MAX_STEPS: [usize; 3] = [60, 1, 200];
/// Halvings of a step before it is given up.
const MAX_SHORTENINGS: i32 = 13;
/// Steps along the solutions towards the nearest.
const MAX_DESCENTS: usize = 80;
/// Halvings of such a step.
const MAX_HALVINGS: usize = 8;

/// Some rows over some unknowns; the others keep their values.
pub(super) struct Newton<'r> {
    source: &'r mut dyn Rows,
    rows: &'r [usize],
    free: &'r [usize],
    pattern: Arc<Pattern>,
    /// Where the slopes of these rows by these unknowns are among all.
    places: Vec<usize>,
    metric: Metric,
    factorisation: Option<Factorisation>,
    /// In place of that where the matrices are small.
    dense: Option<Least>,
    /// Unknowns and rows up to which they are taken for small.
    small: usize,
    /// Residuals and slopes where x is now: of all rows, and of these.
    all: (Vec<f64>, Vec<f64>),
    residual: Vec<f64>,
    slopes: Vec<f64>,
    /// Sizes of the unknowns.
    scales: Vec<f64>,
    /// The least that terms of each row count for.
    floor: Vec<f64>,
    /// Factorisations made so far.
    pub(super) factored: usize,
}

impl<'r> Newton<'r> {
    /// `metric` and `scales` are those of all unknowns.
    pub(super) fn new(
        source: &'r mut dyn Rows,
        rows: &'r [usize],
        free: &'r [usize],
        (metric, scales): (&Metric, &[f64]),
    ) -> Self {
        let (pattern, places) = source.pattern().select(rows, free);
        let pattern = Arc::new(pattern);
        let scales: Vec<f64> = free.iter().map(|&j| scales[j]).collect();
        let metric = metric.part(free, &scales);
        // Without rows there is nothing to solve.
        let factorisation = match rows.is_empty() {
            true => None,
            false => Factorisation::of(&metric.pattern, &pattern, Tolerance::default()),
        };
        Self {
            source,
            rows,
            free,
            pattern,
            places,
            metric,
            factorisation,
            dense: None,
            small: SMALL,
            all: (Vec::new(), Vec::new()),
            residual: vec![0.0; rows.len()],
            slopes: Vec::new(),
            scales,
            floor: Vec::new(),
            factored: 0,
        }
    }

    /// Whether the matrices are full.
    pub(super) fn is_full(&self) -> bool {
        self.pattern.is_full()
    }

    /// Takes larger matrices for small from here on; whether these are such. Full ones give the least step whatever has no inertia,
    /// which sparse ones only come near to: where bodies must turn far, that decides whether joints close.
    pub(super) fn in_full(&mut self) -> bool {
        let (n, rows) = (self.free.len(), self.rows.len());
        let before = std::mem::replace(&mut self.small, MEDIUM);
        n.max(rows) > before && n.max(rows) <= MEDIUM
    }

    /// Residuals and slopes at x; whether all are numbers.
    fn evaluate(&mut self, x: &[f64]) -> bool {
        let (residual, slopes) = &mut self.all;
        self.source.at(x, residual, slopes);
        for (r, &row) in self.residual.iter_mut().zip(self.rows) {
            *r = residual[row];
        }
        self.slopes.clear();
        self.slopes
            .extend(self.places.iter().map(|&place| slopes[place]));
        let numbers = |list: &[f64]| list.iter().all(|value| value.is_finite());
        numbers(&self.residual) && numbers(&self.slopes)
    }

    /// Whether the rows hold at x to the last bit.
    pub(super) fn is_met(&mut self, x: &[f64]) -> bool {
        self.evaluate(x) && self.residual.iter().all(|r| *r == 0.0)
    }

    /// Largest residual beside the terms of its row; infinite where one is no number.
    pub(super) fn relative(&mut self, x: &[f64]) -> f64 {
        self.evaluate(x);
        let terms = self.source.terms(x);
        self.beside(&terms)
    }

    /// Largest residual beside what stands for its row.
    pub(super) fn beside(&self, terms: &[f64]) -> f64 {
        let part = |(r, &row): (&f64, &usize)| {
            let floor = self.floor.get(row).copied().unwrap_or(0.0);
            beside(*r, terms[row].max(floor))
        };
        let residuals = self.residual.iter().zip(self.rows);
        residuals.map(part).fold(0.0, f64::max)
    }

    /// All residuals beside what stands for their rows, added up.
    pub(super) fn all_beside(&self, terms: &[f64]) -> f64 {
        let part = |(r, &row): (&f64, &usize)| beside(*r, terms[row]);
        self.residual.iter().zip(self.rows).map(part).sum()
    }

    /// From here on terms never count for less than a trace of what they are at `given`: x² = 0 has no others in the end.
    pub(super) fn begin(&mut self, given: &[f64]) -> Vec<f64> {
        let terms = self.source.terms(given);
        self.floor = terms.iter().map(|size| SOLVED * size).collect();
        terms
    }

    /// The rows at x, factored; whether that can be done.
    fn factor(&mut self) -> bool {
        self.factored += 1;
        let n = self.free.len();
        if (1..=self.small).contains(&n) && self.rows.len() <= self.small {
            let finite = |list: &[f64]| list.iter().all(|x| x.is_finite());
            if !finite(&self.slopes) || !finite(&self.metric.bare) {
                return false;
            }
            let bare = self.metric.pattern.matrix(&self.metric.bare);
            // The upper triangle is what counts.
            let mut metric = bare.to_full().into_owned();
            let mut sizes = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..i {
                    metric[i * n + j] = metric[j * n + i];
                }
                sizes[i * n + i] = self.scales[i].powi(-2);
            }
            let slopes = self.pattern.matrix(&self.slopes);
            self.dense = Some(Least::new(&slopes, [&metric, &sizes]));
            return true;
        }
        let Some(factorisation) = &mut self.factorisation else {
            return false;
        };
        let rows = self.pattern.matrix(&self.slopes);
        let mut factored = |metric: &Metric| {
            let metric = metric.pattern.matrix(&metric.values);
            factorisation.factor_any_rank(&metric, &rows).is_ok()
        };
        if factored(&self.metric) {
            return true;
        }
        // Semidefinite where the rows leave freedom; or no mass matrix at all: compared by their sizes.
        self.metric = self.metric.clone().firmer();
        if factored(&self.metric) {
            return true;
        }
        self.metric = Metric::sizes(&self.metric.pattern, &self.scales);
        factored(&self.metric)
    }

    /// The least step that takes what is `wanted` of the rows as factored.
    fn least(&mut self, wanted: &[f64], step: &mut [f64]) {
        if let Some(dense) = &self.dense {
            dense.step(wanted, step);
            return;
        }
        match &mut self.factorisation {
            Some(factorisation) => {
                factorisation.project(wanted, step);
            }
            None => step.fill(0.0),
        }
    }

    /// The step that would take the residuals away.
    fn correction(&mut self, step: &mut [f64]) -> f64 {
        let wanted: Vec<f64> = self.residual.iter().map(|r| -r).collect();
        self.least(&wanted, step);
        self.metric.length(step)
    }

    /// Moves x until the rows hold as well as numbers can, or no step makes them better.
    pub(super) fn reach(&mut self, x: &mut [f64]) {
        let n = self.free.len();
        let (mut step, mut left) = (vec![0.0; n], vec![0.0; n]);
        let mut trial = x.to_vec();
        if !self.evaluate(x) {
            return;
        }
        let [least, each, most] = MAX_STEPS;
        let mut ending = Ending::new(0.0, (least + each * n).min(most));
        loop {
            let worst = self.relative(x);
            let near = worst <= MET;
            if ending.is_over(worst, near) || !self.factor() {
                return;
            }
            let length = self.correction(&mut step);
            if !length.is_finite() {
                return;
            }
            let before = self.measured();
            let mut part = 1.0;
            loop {
                for ((&j, x), step) in self.free.iter().zip(pick(x, self.free)).zip(&step) {
                    trial[j] = x + part * step;
                }
                if self.evaluate(&trial) {
                    let (now, was) = (self.measured_like(&before), before.length);
                    if self.correction(&mut left) <= (1.0 - part / 4.0) * length
                        || now <= (1.0 - part / 4.0) * was
                    {
                        break;
                    }
                }
                part /= 2.0;
                // Where the rows are met but for rounding a whole step makes them better, or none does.
                if part < 0.5_f64.powi(MAX_SHORTENINGS) || near {
                    self.evaluate(x);
                    return;
                }
            }
            x.copy_from_slice(&trial);
        }
    }

    /// Moves x to where the sum of the squares of all residuals, measured by `terms`, is least, by Levenberg's and
    /// Marquardt's method. Where more rows than unknowns pull in different directions least steps may rest between
    /// them, because they measure each row by its slope of now; this does not.
    pub(super) fn descend(&mut self, x: &mut [f64], terms: &[f64]) {
        let n = self.free.len();
        if n == 0 || n > SMALL || !self.pattern.is_full() || !self.evaluate(x) {
            return;
        }
        let weight = |&row: &usize| {
            if terms[row] > 0.0 {
                1.0 / terms[row]
            } else {
                1.0
            }
        };
        let weights: Vec<f64> = self.rows.iter().map(weight).collect();
        let sum = |residual: &[f64]| -> f64 {
            let measured = residual.iter().zip(&weights);
            measured.map(|(r, w)| (r * w).powi(2)).sum()
        };
        let mut cholesky = Cholesky::new(n);
        let (mut damping, mut trial) = (1e-3, x.to_vec());
        // The steepest so far: an unknown on which nothing depends for an instant is not let go far ([M], section 5).
        let mut steepest = vec![0.0_f64; n];
        for _ in 0..MAX_DESCENTS {
            let before = sum(&self.residual);
            let (mut normal, mut way) = (vec![0.0; n * n], vec![0.0; n]);
            let measured = self.residual.iter().zip(&weights);
            for ((residual, weight), row) in measured.zip(self.slopes.chunks_exact(n)) {
                let weight = weight * weight;
                add_scaled(&mut way, -weight * residual, row);
                for (j, slope) in row.iter().enumerate() {
                    add_scaled(&mut normal[j * n..][..n], weight * slope, row);
                }
            }
            for (j, steepest) in steepest.iter_mut().enumerate() {
                *steepest = steepest.max(normal[j * n + j]);
            }
            let largest = steepest.iter().copied().fold(0.0, f64::max);
            for (j, steepest) in steepest.iter().enumerate() {
                normal[j * n + j] += damping * steepest.max(KNOWN * largest);
            }
            if largest == 0.0 || cholesky.factor(&normal, ROUNDING).is_err() {
                damping *= 10.0;
                if largest == 0.0 || damping > 1e12 {
                    return;
                }
                continue;
            }
            cholesky.solve(&mut way);
            for (&j, way) in self.free.iter().zip(&way) {
                trial[j] = x[j] + way;
            }
            let better = self.evaluate(&trial) && sum(&self.residual) < before * (1.0 - MET);
            if better {
                x.copy_from_slice(&trial);
                damping = (damping / 5.0_f64).max(1e-12);
            } else {
                self.evaluate(x);
                damping *= 5.0;
            }
            if damping > 1e12 {
                return;
            }
        }
    }

    /// Residuals divided by the slopes of their rows along steps of the unknowns' sizes.
    fn measured(&self) -> Measured {
        let rows = self.pattern.matrix(&self.slopes);
        let slopes: Vec<f64> = (0..self.rows.len())
            .map(|row| rows.size_along(row, &self.scales))
            .collect();
        let mut measured = Measured {
            slopes,
            length: 0.0,
        };
        measured.length = self.measured_like(&measured);
        measured
    }

    /// The residuals of now, divided by the slopes of before.
    fn measured_like(&self, before: &Measured) -> f64 {
        let measured = self.residual.iter().zip(&before.slopes);
        let square = |(r, s): (&f64, &f64)| if *s > 0.0 { (r / s).powi(2) } else { 0.0 };
        measured.map(square).sum::<f64>().sqrt()
    }

    /// Distance of the free unknowns from `given`.
    pub(super) fn distance(&self, x: &[f64], given: &[f64]) -> f64 {
        let way: Vec<f64> = self.free.iter().map(|&j| given[j] - x[j]).collect();
        self.metric.length(&way)
    }

    /// Moves x along the solutions to the one nearest `given`.
    pub(super) fn approach(&mut self, x: &mut [f64], given: &[f64]) {
        let n = self.free.len();
        let mut last: Option<(Vec<f64>, Vec<f64>)> = None;
        let mut way = vec![0.0; n];
        for _ in 0..MAX_DESCENTS {
            let distance = self.distance(x, given);
            if !self.evaluate(x) || !self.factor() {
                return;
            }
            self.tangent(x, given, &mut way);
            let ahead = self.metric.length(&way);
            if !ahead.is_finite() || ahead <= KNOWN * distance {
                return;
            }
            let here: Vec<f64> = pick(x, self.free).collect();
            let stride = last.as_ref().map_or(1.0, |(before, way_before)| {
                stride(&self.metric, (before, way_before), (&here, &way))
            });
            let Some(next) = self.advance(x, given, &way, stride) else {
                return;
            };
            last = Some((here, way.clone()));
            x.copy_from_slice(&next);
        }
    }

    /// The part of the way to `given` along which the rows hold on.
    fn tangent(&mut self, x: &[f64], given: &[f64], way: &mut [f64]) {
        for (way, &j) in way.iter_mut().zip(self.free) {
            *way = given[j] - x[j];
        }
        let mut across = vec![0.0; way.len()];
        // Twice: what is left after a projection is rounding of what was there before.
        for _ in 0..2 {
            let rows = self.pattern.matrix(&self.slopes);
            let wanted: Vec<f64> = (0..self.rows.len())
                .map(|row| rows.along(row, way))
                .collect();
            self.least(&wanted, &mut across);
            add_scaled(way, -1.0, &across);
        }
    }

    /// x, moved along `way` and back to the rows, if that brings it nearer to `given`.
    fn advance(
        &mut self,
        x: &[f64],
        given: &[f64],
        way: &[f64],
        mut stride: f64,
    ) -> Option<Vec<f64>> {
        let (before, ahead) = (self.distance(x, given), self.metric.length(way));
        let held = self.relative(x);
        for _ in 0..MAX_HALVINGS {
            let mut next = x.to_vec();
            for (&j, way) in self.free.iter().zip(way) {
                next[j] += stride * way;
            }
            self.reach(&mut next);
            let nearer = self.distance(&next, given);
            // Half squares: the gain of a step along a slope; where it is rounding the step is taken on trust.
            let gain = 1e-4 * stride * ahead * ahead / before;
            let trusted = ahead <= CLEAR * before && nearer <= before * (1.0 + SOLVED);
            if (nearer <= before - gain || trusted) && self.relative(&next) <= held.max(KNOWN) {
                return Some(next);
            }
            stride /= 2.0;
        }
        None
    }
}

struct Measured {
    slopes: Vec<f64>,
    length: f64,
}

/// The length of the next step along the solutions, from the last two points and slopes.
fn stride(metric: &Metric, before: (&[f64], &[f64]), now: (&[f64], &[f64])) -> f64 {
    let difference =
        |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
    let moved = difference(now.0, before.0);
    let turned = difference(before.1, now.1);
    let mut weighed = vec![0.0; moved.len()];
    metric
        .pattern
        .matrix(&metric.values)
        .multiply(&moved, &mut weighed);
    let (square, product) = (dot(&weighed, &moved), dot(&weighed, &turned));
    if product > 0.0 {
        (square / product).clamp(0.05, 20.0)
    } else {
        1.0
    }
}

fn pick(x: &[f64], free: &[usize]) -> impl Iterator<Item = f64> {
    free.iter().map(|&j| x[j])
}
