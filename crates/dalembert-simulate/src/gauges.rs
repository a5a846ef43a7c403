//! What a run is reduced to: extremes, means and integrals of functions of its motion, values when conditions become true, values at its ends.
//!
//! Functions are taken at the Chebyshev points of each step, on the integrator's own polynomials: integrals are those of Clenshaw and Curtis,
//! extremes are looked for between the points around the largest value. At an instant at which velocities jump both sides count.
//!
//! Reference: Clenshaw, Curtis, "A method for numerical integration on an automatic computer", Numerische Mathematik 2 (1960) 197–205.

use super::hybrid::{Conditions, First, Happened, Happening};
use super::motion::{MotionSystem, Step};
use super::observed::Observed;
use super::rank::least;
use super::record::Recorded;
use super::trail::{POINTS, place};
use dalembert_expr::ExprId;
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::LoweredGauge;
use std::f64::consts::PI;

/// Rounds in which an extreme is looked for between two points: what is left of their distance changes it by less than rounding does.
const ROUNDS: usize = 36;

/// The numbers that a run was reduced to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gauged {
    /// In the order of the system's gauges.
    pub numbers: Vec<f64>,
    /// The first that had no number on the way, and when: as √x has none where x is negative, and a multiplier where rows depend on each other.
    pub undefined: Option<(usize, f64)>,
}

/// How a function is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Follow {
    Largest,
    Least,
    Integral,
}

/// Extremes and integrals along the pieces of a motion.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    /// Which gauge each function belongs to, and how it is followed.
    of: Vec<(usize, Follow)>,
    numbers: Vec<f64>,
    /// Which of them had no number first, and when.
    undefined: Option<(usize, f64)>,
    /// Values at the points of a piece, point after point.
    values: Vec<f64>,
    weights: [f64; POINTS],
}

impl Followed {
    /// What some gauges follow, and the functions that they ask for.
    pub(super) fn of(gauges: &[LoweredGauge]) -> (Self, Vec<ExprId>) {
        let (mut of, mut functions) = (Vec::new(), Vec::new());
        for (index, gauge) in gauges.iter().enumerate() {
            let (follow, function) = match gauge {
                LoweredGauge::Largest(it) => (Follow::Largest, *it),
                LoweredGauge::Least(it) => (Follow::Least, *it),
                LoweredGauge::Mean(it) | LoweredGauge::Integral(it) => (Follow::Integral, *it),
                _ => continue,
            };
            of.push((index, follow));
            functions.push(function);
        }
        let mut followed = Self {
            numbers: Vec::new(),
            undefined: None,
            values: vec![0.0; POINTS * of.len()],
            weights: weights(),
            of,
        };
        followed.begin();
        (followed, functions)
    }

    /// Forgets what was seen.
    pub(super) fn begin(&mut self) {
        self.undefined = None;
        self.numbers.clear();
        self.numbers.extend(self.of.iter().map(|(_, it)| match it {
            Follow::Largest => f64::NEG_INFINITY,
            Follow::Least => f64::INFINITY,
            Follow::Integral => 0.0,
        }));
    }

    /// Adds a piece, whose values at a time are given.
    pub(super) fn add(&mut self, piece: [f64; 2], mut values_at: impl FnMut(f64, &mut [f64])) {
        let count = self.of.len();
        for point in 0..POINTS {
            values_at(
                place(point, piece),
                &mut self.values[point * count..][..count],
            );
        }
        let mut all = vec![0.0; count];
        for which in 0..count {
            let value = |point: usize| self.values[point * count + which];
            if let Some(point) = (0..POINTS).find(|&it| value(it).is_nan()) {
                let first = (self.of[which].0, place(point, piece));
                self.undefined = self.undefined.or(Some(first));
                continue;
            }
            let sign = match self.of[which].1 {
                Follow::Integral => {
                    let sum: f64 = (0..POINTS).map(|it| self.weights[it] * value(it)).sum();
                    self.numbers[which] += (piece[1] - piece[0]) * sum;
                    continue;
                }
                Follow::Largest => 1.0,
                Follow::Least => -1.0,
            };
            let height = |point: usize| sign * value(point);
            let top = (0..POINTS).max_by(|&a, &b| height(a).total_cmp(&height(b)));
            let top = top.unwrap_or(0);
            let mut best = (sign * self.numbers[which]).max(height(top));
            let around = [top.saturating_sub(1), (top + 1).min(POINTS - 1)];
            let middle = top.clamp(1, POINTS - 2);
            let beside = [middle - 1, middle, middle + 1].map(|it| (place(it, piece), height(it)));
            let around = around.map(|it| place(it, piece));
            if vertex(beside).is_some_and(|(t, peak)| t > around[0] && t < around[1] && peak > best)
            {
                let mut low = |t: f64| {
                    values_at(t, &mut all);
                    -sign * all[which]
                };
                let t = least(&mut low, around, ROUNDS);
                best = best.max(-low(t));
            }
            self.numbers[which] = sign * best;
        }
    }

    /// Writes the numbers of a motion over a span to where their gauges have them.
    pub(super) fn write(&self, gauges: &[LoweredGauge], span: f64, numbers: &mut [f64]) {
        for ((gauge, _), number) in self.of.iter().zip(&self.numbers) {
            numbers[*gauge] = match gauges[*gauge] {
                LoweredGauge::Mean(_) => number / span,
                _ => *number,
            };
        }
    }

    pub(super) fn undefined(&self) -> Option<(usize, f64)> {
        self.undefined
    }
}

/// The top of the parabola through three points, if it has one.
fn vertex([(a, fa), (b, fb), (c, fc)]: [(f64, f64); 3]) -> Option<(f64, f64)> {
    let (left, right) = ((fb - fa) / (b - a), (fc - fb) / (c - b));
    let bend = (right - left) / (c - a);
    if bend >= 0.0 {
        return None;
    }
    // The slope vanishes there: left + bend (2 t − a − b) = 0.
    let t = (a + b - left / bend) / 2.0;
    Some((t, fa + (t - a) * (left + bend * (t - b))))
}

/// Weights of the values at Chebyshev's points, for pieces of length one.
fn weights() -> [f64; POINTS] {
    let n = POINTS - 1;
    std::array::from_fn(|point| {
        let angle = PI * point as f64 / n as f64;
        let sum: f64 = (1..=n / 2)
            .map(|k| 2.0 * (2.0 * k as f64 * angle).cos() / (1.0 - 4.0 * (k * k) as f64))
            .sum();
        let all = (1.0 + sum) / n as f64;
        if point == 0 || point == n {
            all / 2.0
        } else {
            all
        }
    })
}

/// A value that is taken when a condition becomes true for the first time.
struct Mark<'m> {
    gauge: usize,
    conditions: Conditions<'m>,
    value: Observed<'m>,
    number: Option<f64>,
}

/// Watches what a run is reduced to.
pub(super) struct Gauges<'m> {
    gauges: &'m [LoweredGauge],
    reduced: &'m [(usize, usize)],
    followed: Followed,
    functions: Option<Observed<'m>>,
    marks: Vec<Mark<'m>>,
    /// Values at the start and at the end, each by itself: those at the end use numbers before them.
    ends: Vec<(usize, Observed<'m>)>,
    numbers: Vec<f64>,
    undefined: Option<(usize, f64)>,
    from: f64,
    state: Vec<f64>,
}

impl<'m> Gauges<'m> {
    /// What a run from a state is to be reduced to; `None` if there is nothing.
    pub(super) fn new(
        mechanism: &'m Mechanism,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &[[f64; 1]]),
    ) -> Option<Self> {
        let plan = &mechanism.system.run;
        let gauges = plan.gauges.as_slice();
        if gauges.is_empty() {
            return None;
        }
        let graph = &mechanism.system.graph;
        let watch = |it: ExprId| Observed::new(mechanism, graph, &[it]);
        let (followed, functions) = Followed::of(gauges);
        let mut numbers = vec![f64::NAN; gauges.len()];
        let mut undefined = None;
        let (mut ends, mut marks) = (Vec::new(), Vec::new());
        for (gauge, lowered) in gauges.iter().enumerate() {
            match lowered {
                LoweredGauge::Start(it) => {
                    let mut value = watch(*it)?;
                    numbers[gauge] = value.at(system, (t, y))[0];
                    if numbers[gauge].is_nan() {
                        undefined = undefined.or(Some((gauge, t)));
                    }
                }
                LoweredGauge::End(it) => ends.push((gauge, watch(*it)?)),
                LoweredGauge::When(value, condition) => marks.push(Mark {
                    gauge,
                    conditions: Conditions::new(
                        mechanism,
                        std::slice::from_ref(condition),
                        y.len(),
                    )?,
                    value: watch(*value)?,
                    number: None,
                }),
                _ => {}
            }
        }
        Some(Self {
            gauges,
            reduced: &plan.reduced,
            followed,
            functions: Observed::new(mechanism, graph, &functions),
            marks,
            ends,
            numbers,
            undefined,
            from: t,
            state: vec![0.0; y.len()],
        })
    }

    /// Adds a step as far as it counts.
    pub(super) fn add(&mut self, step: &mut Step<'_, 'm>) {
        let piece @ [from, to] = [step.t_old(0), step.t_new(0)];
        if to <= from {
            return;
        }
        let state = &mut self.state;
        if let Some(functions) = &mut self.functions {
            self.followed.add(piece, |t, values| {
                step.state(0, t, state);
                values.copy_from_slice(functions.at(step.system(), (t, state.as_chunks().0)));
            });
        }
        for mark in self.marks.iter_mut().filter(|it| it.number.is_none()) {
            step.state(0, from, state);
            let begins = mark.begins(step.system(), (from, state.as_chunks().0));
            let when = match begins {
                Ok(true) => Some(from),
                Ok(false) => match mark.conditions.locate(step) {
                    Some(First::True(t)) => Some(t),
                    Some(First::Undefined(_, [_, t])) => {
                        self.undefined = self.undefined.or(Some((mark.gauge, t)));
                        None
                    }
                    None => None,
                },
                Err(()) => {
                    self.undefined = self.undefined.or(Some((mark.gauge, from)));
                    None
                }
            };
            if let Some(t) = when {
                step.state(0, t, state);
                let number = mark.value.at(step.system(), (t, state.as_chunks().0))[0];
                if number.is_nan() {
                    self.undefined = self.undefined.or(Some((mark.gauge, t)));
                }
                mark.number = Some(number);
            }
        }
    }

    /// The numbers of a run that ends at a state.
    pub(super) fn finish(
        mut self,
        system: &mut MotionSystem<'m>,
        (t, y): (f64, &[[f64; 1]]),
        happened: &[Happened],
    ) -> Gauged {
        let mut undefined = self.undefined.or_else(|| self.followed.undefined());
        self.followed
            .write(self.gauges, t - self.from, &mut self.numbers);
        for mark in &mut self.marks {
            // What ends a run may be what is waited for.
            if mark.number.is_none() && mark.begins(system, (t, y)) == Ok(true) {
                mark.number = Some(mark.value.at(system, (t, y))[0]);
            }
            self.numbers[mark.gauge] = mark.number.unwrap_or(f64::NAN);
        }
        for (gauge, lowered) in self.gauges.iter().enumerate() {
            let times = |event: usize| {
                let of = Happening::Event(event);
                happened.iter().filter(move |it| it.of == of).map(|it| it.t)
            };
            self.numbers[gauge] = match *lowered {
                LoweredGauge::Count(event) => times(event).count() as f64,
                LoweredGauge::First(event) => times(event).next().unwrap_or(f64::NAN),
                LoweredGauge::Last(event) => times(event).next_back().unwrap_or(f64::NAN),
                _ => continue,
            };
        }
        for (gauge, value) in &mut self.ends {
            for &(of, parameter) in self.reduced {
                value.set_parameter(parameter, self.numbers[of]);
            }
            let number = value.at(system, (t, y))[0];
            self.numbers[*gauge] = number;
        }
        undefined = undefined.or_else(|| self.undefined_end(t));
        Gauged {
            numbers: self.numbers,
            undefined,
        }
    }

    /// A value at the end that is no number though all that it is made of are.
    fn undefined_end(&self, t: f64) -> Option<(usize, f64)> {
        let known = self
            .reduced
            .iter()
            .all(|(of, _)| !self.numbers[*of].is_nan());
        let mut ends = self.ends.iter().filter(|_| known);
        ends.find(|(gauge, _)| self.numbers[*gauge].is_nan())
            .map(|(gauge, _)| (*gauge, t))
    }
}

impl<'m> Mark<'m> {
    /// Whether the condition is true at a state, from which it is watched otherwise.
    fn begins(
        &mut self,
        system: &mut MotionSystem<'m>,
        state: (f64, &[[f64; 1]]),
    ) -> Result<bool, ()> {
        let known = self.conditions.are_true(system, state).map_err(|_| ())?;
        self.conditions.resume(system, state);
        Ok(known[0])
    }
}

/// What variants that run side by side are reduced to: of functions of the state alone.
pub(super) struct PlainGauges {
    gauges: Vec<LoweredGauge>,
    reduced: Vec<(usize, usize)>,
    followed: Followed,
    functions: Option<Recorded>,
    ends: Vec<(usize, Recorded)>,
    /// q, q', t and parameters.
    inputs: Vec<f64>,
    numbers: Vec<f64>,
}

impl PlainGauges {
    /// `None` where conditions are waited for: these are for usual runs.
    pub(super) fn new(mechanism: &Mechanism) -> Option<Self> {
        let (system, plan) = (&mechanism.system, &mechanism.system.run);
        let symbols = &system.symbols;
        let arguments = [
            symbols.coordinates.as_slice(),
            &symbols.rates,
            &[symbols.time],
            &symbols.parameters,
        ]
        .concat();
        let program = |it: &[ExprId]| Recorded::new(&system.graph, &arguments, it);
        let mut ends = Vec::new();
        for (gauge, lowered) in plan.gauges.iter().enumerate() {
            match lowered {
                LoweredGauge::Start(it) | LoweredGauge::End(it) => {
                    ends.push((gauge, program(&[*it])?));
                }
                LoweredGauge::When(..) => return None,
                _ => {}
            }
        }
        let (followed, functions) = Followed::of(&plan.gauges);
        Some(Self {
            gauges: plan.gauges.clone(),
            reduced: plan.reduced.clone(),
            functions: program(&functions),
            followed,
            ends,
            inputs: vec![0.0; arguments.len()],
            numbers: vec![f64::NAN; plan.gauges.len()],
        })
    }

    /// Whether anything is followed on the way.
    pub(super) fn follows(&self) -> bool {
        self.functions.is_some()
    }

    /// The same for another variant that runs beside.
    pub(super) fn beside(&self) -> Followed {
        self.followed.clone()
    }

    /// Adds a piece of the motion of a variant, whose state at a time is given.
    pub(super) fn add(
        &mut self,
        followed: &mut Followed,
        parameters: &[f64],
        piece: [f64; 2],
        mut state_at: impl FnMut(f64, &mut [f64]),
    ) {
        let Some(functions) = &self.functions else {
            return;
        };
        let inputs = &mut self.inputs;
        let size = inputs.len() - parameters.len();
        inputs[size..].copy_from_slice(parameters);
        followed.add(piece, |t, values| {
            state_at(t, &mut inputs[..size - 1]);
            inputs[size - 1] = t;
            functions.write(inputs, values);
        });
    }

    /// The numbers of a variant, of its states at both ends.
    pub(super) fn finish(
        &mut self,
        followed: &Followed,
        parameters: &[f64],
        [start, end]: [(f64, &[f64]); 2],
    ) -> Gauged {
        self.numbers.fill(f64::NAN);
        followed.write(&self.gauges, end.0 - start.0, &mut self.numbers);
        let size = self.inputs.len() - parameters.len();
        let mut undefined = followed.undefined();
        for (gauge, lowered) in self.gauges.iter().enumerate() {
            // Where anything could happen, variants do not run side by side.
            if let LoweredGauge::Count(_) = lowered {
                self.numbers[gauge] = 0.0;
            }
        }
        for (gauge, value) in &self.ends {
            self.inputs[size..].copy_from_slice(parameters);
            for &(of, parameter) in &self.reduced {
                self.inputs[size + parameter] = self.numbers[of];
            }
            let (t, state) = match self.gauges[*gauge] {
                LoweredGauge::Start(_) => start,
                _ => end,
            };
            self.inputs[..size - 1].copy_from_slice(state);
            self.inputs[size - 1] = t;
            let mut number = [0.0];
            value.write(&self.inputs, &mut number);
            self.numbers[*gauge] = number[0];
            if number[0].is_nan() {
                undefined = undefined.or(Some((*gauge, t)));
            }
        }
        Gauged {
            numbers: self.numbers.clone(),
            undefined,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed() -> Followed {
        let mut graph = dalembert_expr::Graph::new();
        let x = graph.symbol("x", dalembert_expr::SymbolKind::Parameter);
        let gauges = [
            LoweredGauge::Largest(x),
            LoweredGauge::Least(x),
            LoweredGauge::Integral(x),
        ];
        Followed::of(&gauges).0
    }

    /// sin t over pieces of unequal length: its peaks lie between the points of pieces.
    #[test]
    fn extremes_lie_between_points() {
        let mut found = followed();
        let times = [0.0, 0.7, 2.1, 2.9, 4.4, 5.3, 6.0];
        for piece in times.windows(2) {
            found.add([piece[0], piece[1]], |t, values| values.fill(t.sin()));
        }
        let exact = [1.0, -1.0, 1.0 - 6.0_f64.cos()];
        for (number, exact) in found.numbers.iter().zip(exact) {
            assert!((number - exact).abs() < 1e-10, "{number} {exact}");
        }
        assert_eq!(found.undefined(), None);
    }

    /// A polynomial of degree 7 has its integral exactly, and extremes at the ends count.
    #[test]
    fn integrals_of_polynomials_are_exact() {
        let mut found = followed();
        found.add([-1.0, 2.0], |t, values| values.fill(t.powi(7)));
        let exact = [128.0, -1.0, 255.0 / 8.0];
        for (number, exact) in found.numbers.iter().zip(exact) {
            assert!(
                (number - exact).abs() < 1e-13 * exact.abs(),
                "{number} {exact}"
            );
        }
    }

    #[test]
    fn what_is_no_number_is_told() {
        let mut found = followed();
        found.add([0.0, 1.0], |t, values| values.fill((t - 0.5).sqrt()));
        assert_eq!(found.undefined(), Some((0, 0.0)));
    }
}
