//! The numbers of a run: states and stages of all lanes, allocated once.

use crate::kernels::{
    advance, copy_lanes, inverse_measured, inverse_scales, remember_largest, square_sum, weigh,
};
use crate::options::Control;
use crate::system::{Evaluation, Mask, System};
use crate::tableau::{Estimate, Row, Tableau};

/// States and stages, each of n values in L lanes.
#[derive(Clone, Debug)]
pub(crate) struct Buffers<const L: usize> {
    /// State at the start of the step.
    pub(crate) y: Vec<[f64; L]>,
    /// State at its end.
    pub(crate) y_new: Vec<[f64; L]>,
    /// Argument of a stage, or scratch between stages.
    pub(crate) stage: Vec<[f64; L]>,
    /// One over the error that each value may have in the step under way.
    scales: Vec<[f64; L]>,
    /// The same of the step in which the derivative was found to jump.
    measure: Vec<[f64; L]>,
    /// What rounding may leave in each value of the step, zero in lanes where it was not asked for.
    rounding: Vec<[f64; L]>,
    /// The largest that each value has been.
    largest: Vec<[f64; L]>,
    /// The largest value of each group, in units.
    groups: Vec<[f64; L]>,
    /// Derivatives at the stages, one after another.
    pub(crate) k: Vec<[f64; L]>,
    /// Rows of the dense output, one after another, see [`crate::dense`].
    pub(crate) dense: Vec<[f64; L]>,
    /// A state for those who ask for one between the steps.
    pub(crate) sample: Vec<[f64; L]>,
}

impl<const L: usize> Buffers<L> {
    /// For so many values, stages, rows of the dense output and groups.
    pub(crate) fn new(n: usize, stages: usize, rows: usize, groups: usize) -> Self {
        let zeros = |states: usize| vec![[0.0; L]; states * n];
        Buffers {
            y: zeros(1),
            y_new: zeros(1),
            stage: zeros(1),
            scales: zeros(1),
            measure: zeros(1),
            rounding: zeros(1),
            largest: zeros(1),
            groups: vec![[0.0; L]; groups],
            k: zeros(stages),
            dense: zeros(rows),
            sample: zeros(1),
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.y.len()
    }

    /// One over the error that each value may have in the step under way.
    pub(crate) fn scales(&self) -> &[[f64; L]] {
        &self.scales
    }

    /// The errors that values may have, in `sample`.
    pub(crate) fn write_tolerances(&mut self) {
        for (target, scale) in self.sample.iter_mut().zip(&self.scales) {
            *target = scale.map(|inverse| 1.0 / inverse);
        }
    }

    /// Derivative at stage `i`.
    pub(crate) fn k(&self, i: usize) -> &[[f64; L]] {
        let n = self.size();
        &self.k[i * n..][..n]
    }

    /// Evaluates stage `i` at the state in `self.stage`.
    pub(crate) fn evaluate_stage(
        &mut self,
        system: &mut impl System<L>,
        i: usize,
        now: &mut Evaluation<L>,
    ) {
        let n = self.size();
        system.derivative(now, &self.stage, &mut self.k[i * n..][..n]);
    }

    /// Evaluates stage `i` at the state in `self.y_new`, in the active lanes only.
    pub(crate) fn evaluate_end(
        &mut self,
        system: &mut impl System<L>,
        i: usize,
        now: &mut Evaluation<L>,
    ) {
        let n = self.size();
        system.derivative(now, &self.y_new, &mut self.stage);
        copy_lanes(&mut self.k[i * n..][..n], &self.stage, &now.active);
    }

    /// Makes the end of the step the start of the next, in the given lanes.
    pub(crate) fn commit(&mut self, last: usize, lanes: &Mask<L>) {
        let n = self.size();
        copy_lanes(&mut self.y, &self.y_new, lanes);
        remember_largest(&mut self.largest, &self.y, lanes);
        let (first, rest) = self.k.split_at_mut(n);
        copy_lanes(first, &rest[(last - 1) * n..][..n], lanes);
    }

    /// Puts the end of the step where it begins.
    pub(crate) fn stay(&mut self) {
        self.y_new.copy_from_slice(&self.y);
    }

    /// Whether something has no size yet.
    pub(crate) fn lacks_scales(&self) -> bool {
        self.scales.as_flattened().contains(&f64::MAX)
    }

    /// Puts the end of the step about where it will be: a value at rest that is about to move gets a size.
    pub(crate) fn look_ahead(
        &mut self,
        system: &mut impl System<L>,
        h: &[f64; L],
        now: &mut Evaluation<L>,
    ) {
        let n = self.size();
        for i in 0..n {
            self.stage[i] = std::array::from_fn(|l| self.y[i][l] + h[l] * self.k[i][l]);
        }
        self.evaluate_stage(system, 1, now);
        for i in 0..n {
            let (first, second) = (self.k[i], self.k[n + i]);
            self.y_new[i] =
                std::array::from_fn(|l| self.y[i][l] + 0.5 * h[l] * (first[l] + second[l]));
        }
        let failed = std::mem::replace(&mut now.failed, [false; L]);
        let finite = self.y_new.as_flattened().iter().all(|y| y.is_finite());
        if failed.contains(&true) || !finite {
            self.stay();
        }
    }

    /// Finds the error that each value may have in the step from `y` to `y_new`.
    pub(crate) fn measure_step(&mut self, h: &[f64; L], control: &Control, rtol: f64) {
        self.rounding.fill([0.0; L]);
        match control {
            Control::Absolute(atol) => {
                inverse_scales(&mut self.scales, atol, rtol, &self.y, &self.y_new);
            }
            Control::Measured(measures) => {
                let (out, groups) = (&mut self.scales, &mut self.groups);
                let (largest, y) = (&self.largest, &self.y_new);
                inverse_measured(out, groups, measures, rtol, largest, y, h, &self.k);
            }
        }
    }

    /// Allows each value of the step the error that rounding may leave in it, in some lanes.
    pub(crate) fn allow_rounding(
        &mut self,
        system: &mut impl System<L>,
        times: (&[f64; L], &[f64; L]),
        lanes: &Mask<L>,
    ) {
        system.rounding(times, &self.y, lanes, &mut self.sample);
        copy_lanes(&mut self.rounding, &self.sample, lanes);
        for (scale, rounding) in self.scales.iter_mut().zip(&self.rounding) {
            for l in 0..L {
                scale[l] = scale[l].min(1.0 / rounding[l]);
            }
        }
    }

    /// Norm of the estimated error of the step, in units of the error that it may have.
    pub(crate) fn error(&mut self, tableau: &Tableau, h: &[f64; L]) -> [f64; L] {
        let n = self.size() as f64;
        match tableau.estimate {
            Estimate::Single(row) => {
                weigh(&mut self.stage, h, row, &self.k);
                let squares = square_sum(&self.stage, &self.scales);
                squares.map(|square| (square / n).sqrt())
            }
            Estimate::Pair { fifth, third } => {
                weigh(&mut self.stage, h, fifth, &self.k);
                let fifth = square_sum(&self.stage, &self.scales);
                weigh(&mut self.stage, h, third, &self.k);
                let third = square_sum(&self.stage, &self.scales);
                std::array::from_fn(|l| {
                    let denominator = fifth[l] + 0.01 * third[l];
                    // Zero over zero: both estimates vanish, as for a constant state.
                    let denominator = if denominator > 0.0 || denominator.is_nan() {
                        denominator
                    } else {
                        1.0
                    };
                    fifth[l] / (n * denominator).sqrt()
                })
            }
        }
    }

    /// Forgets what the values have been.
    pub(crate) fn forget(&mut self) {
        self.largest.fill([0.0; L]);
    }

    /// Takes over what the values have been.
    pub(crate) fn remember_from(&mut self, other: &Self) {
        self.largest.copy_from_slice(&other.largest);
    }

    /// Takes notice of what the values are at the start.
    pub(crate) fn remember(&mut self) {
        remember_largest(&mut self.largest, &self.y, &[true; L]);
    }

    /// The estimated error of one value in the step, with its sign where there is one estimate only.
    pub(crate) fn error_of(&self, tableau: &Tableau, lane: usize, h: f64, value: usize) -> f64 {
        let n = self.size();
        let along = |row: Row| -> f64 {
            let terms = row
                .iter()
                .map(|&(stage, weight)| weight * self.k[stage * n + value][lane]);
            h * terms.sum::<f64>()
        };
        match tableau.estimate {
            Estimate::Single(row) => along(row),
            Estimate::Pair { fifth, third } => {
                let (fifth, third) = (along(fifth), along(third));
                let both = fifth.hypot(0.1 * third);
                if both > 0.0 {
                    fifth * fifth / both
                } else {
                    0.0
                }
            }
        }
    }

    /// Length of the step times the rate at which the derivative changes from the last stage to the end, both of which are at the end
    /// of the step (Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations II", section IV.2).
    pub(crate) fn stiffness(&mut self, tableau: &Tableau, lane: usize, h: &[f64; L]) -> f64 {
        let (n, last) = (self.size(), tableau.last());
        self.advance_stage(h, tableau.stages[last - 1]);
        let (mut apart, mut change) = (0.0, 0.0);
        for i in 0..n {
            let scale = self.scales[i][lane];
            let slopes = self.k[last * n + i][lane] - self.k[(last - 1) * n + i][lane];
            apart += ((self.y_new[i][lane] - self.stage[i][lane]) * scale).powi(2);
            change += (slopes * scale).powi(2);
        }
        if apart > 0.0 {
            h[lane].abs() * (change / apart).sqrt()
        } else {
            0.0
        }
    }

    /// Norms of the difference of `y_new` and `self.stage`, unless that is rounding, and of what the step moves by, in units of
    /// its tolerance.
    pub(crate) fn displacement(&self) -> [[f64; 2]; L] {
        let n = self.size() as f64;
        let mut sums = [[0.0; 2]; L];
        for (i, s) in self.scales.iter().enumerate() {
            for l in 0..L {
                let (end, at, y) = (self.y_new[i][l], self.stage[i][l], self.y[i][l]);
                if (end - at).abs() > self.rounding[i][l] {
                    sums[l][0] += ((end - at) * s[l]).powi(2);
                }
                sums[l][1] += ((at - y) * s[l]).powi(2);
            }
        }
        sums.map(|sums| sums.map(|square| (square / n).sqrt()))
    }

    /// Norm of the difference of `self.sample` and `self.stage`, in units of the tolerance of the step.
    pub(crate) fn sample_displacement(&self) -> [f64; L] {
        let n = self.size() as f64;
        let mut sums = [0.0; L];
        for ((a, b), s) in self.sample.iter().zip(&self.stage).zip(&self.scales) {
            for l in 0..L {
                sums[l] += ((a[l] - b[l]) * s[l]).powi(2);
            }
        }
        sums.map(|square| (square / n).sqrt())
    }

    /// The value of a lane that differs most between `y_new` and `self.stage`.
    pub(crate) fn farthest(&self, lane: usize) -> usize {
        let moved = |i: usize| {
            let difference = self.y_new[i][lane] - self.stage[i][lane];
            (difference * self.scales[i][lane]).abs()
        };
        let all = 0..self.size();
        all.max_by(|&a, &b| moved(a).total_cmp(&moved(b)))
            .unwrap_or(0)
    }

    /// Takes the present tolerance as the measure of [`Self::spread`] in a lane.
    pub(crate) fn remember_scales(&mut self, lane: usize) {
        for (measure, scale) in self.measure.iter_mut().zip(&self.scales) {
            measure[lane] = scale[lane];
        }
    }

    /// How much the derivatives at the first so many stages differ from the first.
    pub(crate) fn spread(&self, lane: usize, stages: usize) -> f64 {
        let n = self.size();
        let widest = |i: usize| {
            let apart = |s: usize| (self.k[s * n + i][lane] - self.k[i][lane]).abs();
            (1..stages).map(apart).fold(0.0, f64::max)
        };
        let measured = |i: usize| widest(i) * self.measure[i][lane];
        (0..n).map(measured).fold(0.0, f64::max)
    }

    /// Norms of `y_new` and of the derivative there, stage `last`, in units of the tolerance at `y_new`.
    pub(crate) fn start_norms(
        &mut self,
        last: usize,
        control: &Control,
        rtol: f64,
    ) -> ([f64; L], [f64; L]) {
        match control {
            Control::Absolute(atol) => {
                inverse_scales(&mut self.scales, atol, rtol, &self.y_new, &self.y_new);
            }
            Control::Measured(measures) => {
                let (out, groups) = (&mut self.scales, &mut self.groups);
                let (y, none) = (&self.y_new, &[0.0; L]);
                inverse_measured(out, groups, measures, rtol, y, y, none, &self.k);
                // What is zero has no scale yet, and nothing to say.
                let unknown = out
                    .as_flattened_mut()
                    .iter_mut()
                    .filter(|s| **s >= f64::MAX);
                unknown.for_each(|scale| *scale = 0.0);
            }
        }
        let n = self.size() as f64;
        let root = |square: f64| (square / n).sqrt();
        (
            square_sum(&self.y_new, &self.scales).map(root),
            square_sum(self.k(last), &self.scales).map(root),
        )
    }

    /// Norm of the difference of stage 0 and stage `last`, in the units of the last call of `start_norms`.
    pub(crate) fn start_change(&mut self, last: usize) -> [f64; L] {
        let n = self.size();
        let end = &self.k[last * n..][..n];
        for ((out, first), end) in self.stage.iter_mut().zip(&self.k).zip(end) {
            for l in 0..L {
                out[l] = first[l] - end[l];
            }
        }
        let squares = square_sum(&self.stage, &self.scales);
        squares.map(|square| (square / n as f64).sqrt())
    }

    /// Writes `y_new` + h k, k being stage `last`, to `self.stage`.
    pub(crate) fn euler_step(&mut self, last: usize, h: &[f64; L]) {
        let n = self.size();
        let k = &self.k[last * n..][..n];
        for ((out, y), k) in self.stage.iter_mut().zip(&self.y_new).zip(k) {
            for l in 0..L {
                out[l] = y[l] + h[l] * k[l];
            }
        }
    }

    /// Writes the argument of a stage to `self.stage`.
    pub(crate) fn advance_stage(&mut self, h: &[f64; L], row: Row) {
        advance(&mut self.stage, &self.y, h, row, &self.k);
    }

    /// Writes the state at the end of the step to `self.y_new`.
    pub(crate) fn advance_end(&mut self, h: &[f64; L], row: Row) {
        advance(&mut self.y_new, &self.y, h, row, &self.k);
    }

    /// The first value in a lane of which a derivative at the stages 0 to `last`, or the state at the end
    /// of the step, is not finite.
    pub(crate) fn first_non_finite(&self, lane: usize, last: usize) -> Option<usize> {
        let n = self.size();
        let k = &self.k[..(last + 1) * n];
        k.iter()
            .chain(&self.y_new)
            .position(|value| !value[lane].is_finite())
            .map(|position| position % n)
    }
}
