//! The motion at a state to some thirty digits: coordinates and rates moved onto the rows, accelerations and multipliers
//! from M q'' = f(λ) + Gᵀ λ, A q'' = b, all by Newton's method in numbers of that many digits.

use super::canonical::canonical;
use super::elimination::solve;
use super::laws::{Laws, frozen_name, slips};
use super::multipliers::label;
use dalembert_expr::calculus::jacobian;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};
use dalembert_mechanics::lower::{Level, Sparse, System};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot};
use std::collections::BTreeMap;

/// Coordinates and rows above which states are taken as they are in doubles: elimination costs the cube of these.
const LARGE: usize = 120;
/// Digits that are trusted: this part of a result, times how much worse than its data it may be.
const TRUSTED: f64 = 1e-27;
/// Parts of states, and of accelerations and multipliers, that doubles may have wrong.
const DOUBLE: [f64; 2] = [1e-11, 1e-8];
/// A pivot of rows that is none, off the surface and on it.
const NEAR: f64 = 1e-9;
const ON: f64 = 1e-18;
/// Corrections made at most, and the part of its values at which one is rounding.
const CORRECTIONS: usize = 12;
const ROUNDING: f64 = 1e-29;
/// A slip below this part of its terms may be one that begins.
const SLOW: f64 = 1e-6;
/// A residual above this part of its terms is not met.
const HOLDS: f64 = 1e-24;

/// Values of symbols at a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    known: BTreeMap<SymbolId, Bounded>,
    /// Multipliers by name: that of the row, and that of equations.
    named: BTreeMap<String, Bounded>,
}

impl Values {
    /// Values of expressions.
    pub(super) fn of(&self, graph: &Graph, expressions: &[ExprId]) -> Vec<Bounded> {
        let nothing = || Bounded::exact(Number::from(f64::NAN));
        evaluate_bounded(graph, expressions, |symbol| {
            let data = graph.symbol_data(symbol);
            let found = match data.kind {
                SymbolKind::Multiplier => self.named.get(&*data.name),
                _ => self.known.get(&symbol),
            };
            found.copied().unwrap_or_else(nothing)
        })
    }

    fn set(&mut self, symbols: &[SymbolId], values: &[Number], error: f64) {
        for (&symbol, &value) in symbols.iter().zip(values) {
            self.known.insert(symbol, Bounded::within(value, error));
        }
    }
}

/// Rows of one level: residuals and their derivatives.
struct Rows {
    residuals: Vec<ExprId>,
    jacobian: Vec<Sparse>,
}

/// A system, ready for numbers of many digits.
pub(super) struct Precise<'m> {
    mechanism: &'m Mechanism,
    graph: Graph,
    parameters: Values,
    positions: Rows,
    velocities: Rows,
    /// M, f, the rows of [A b], and those of G; then the derivatives of f by the multipliers.
    motion: Vec<ExprId>,
    law_slopes: Vec<(usize, usize)>,
    /// Speeds of slips, and the sizes of their terms.
    slips: Vec<(ExprId, ExprId)>,
}

impl<'m> Precise<'m> {
    pub(super) fn new(mechanism: &'m Mechanism) -> Self {
        let system = &mechanism.system;
        let mut graph = system.graph.clone();
        let mut parameters = Values::default();
        for &i in &system.parameter_order {
            let value = parameters.of(&graph, &[system.parameters[i]])[0];
            parameters.known.insert(system.symbols.parameters[i], value);
        }
        let n = system.symbols.coordinates.len();
        let small = n + system.rows.len() <= LARGE;
        let mut motion = Vec::new();
        let mut law_slopes = Vec::new();
        if small {
            motion = canonical(&mut graph, system);
        }
        let slips = slips(&mut graph, system);
        if small && system.has_laws() {
            let laws = Laws::of(&mut graph, system);
            let force = laws.read(&mut graph, &motion[n * n..n * n + n]);
            motion[n * n..n * n + n].copy_from_slice(&force);
            let slopes = jacobian(&mut graph, &force, &laws.multipliers);
            for (row, column, value) in slopes.triplets() {
                law_slopes.push((row, column));
                motion.push(value);
            }
        }
        let of = |residual: &dyn Fn(usize) -> Option<ExprId>| {
            let mut rows = Rows {
                residuals: Vec::new(),
                jacobian: Vec::new(),
            };
            for (i, row) in system.rows.iter().enumerate() {
                if let Some(residual) = residual(i) {
                    rows.residuals.push(residual);
                    rows.jacobian.push(row.jacobian.clone());
                }
            }
            rows
        };
        let position = |i: usize| {
            let row = &system.rows[i];
            (row.level == Level::Position).then_some(row.residual)
        };
        Self {
            positions: of(&position),
            velocities: of(&|i| system.rows[i].rate),
            mechanism,
            graph,
            parameters,
            motion,
            law_slopes,
            slips,
        }
    }

    fn system(&self) -> &'m System {
        &self.mechanism.system
    }

    fn is_large(&self) -> bool {
        self.system().symbols.coordinates.len() + self.system().rows.len() > LARGE
    }

    /// Moves coordinates and rates of a state onto the rows, in doubles; `false` if that fails.
    pub(super) fn correct(&self, state: &mut State) -> bool {
        let symbols = &self.system().symbols;
        if self.is_large() {
            return false;
        }
        let mut values = self.at_time(state.t);
        let rates: Vec<Number> = state.rates.iter().map(|&x| Number::from(x)).collect();
        values.set(&symbols.rates, &rates, 0.0);
        for (rows, symbols, kept) in [
            (
                &self.positions,
                &symbols.coordinates,
                &mut state.coordinates,
            ),
            (&self.velocities, &symbols.rates, &mut state.rates),
        ] {
            let mut numbers: Vec<Number> = kept.iter().map(|&x| Number::from(x)).collect();
            if self
                .meet(rows, symbols, &mut numbers, &mut values)
                .is_none()
            {
                return false;
            }
            *kept = numbers.iter().map(|x| x.to_f64()).collect();
        }
        true
    }

    /// The part of a step that lies along the surface of the position rows; `None` where that has no value.
    pub(super) fn along(&self, state: &State, step: &[f64]) -> Option<Vec<f64>> {
        let rows = &self.positions;
        let mut values = self.at_time(state.t);
        let numbers =
            |list: &[f64]| -> Vec<Number> { list.iter().map(|&x| Number::from(x)).collect() };
        let symbols = &self.system().symbols;
        values.set(&symbols.coordinates, &numbers(&state.coordinates), 0.0);
        let mut step = numbers(step);
        let matrix = self.slopes(rows, &values, step.len())?;
        let dot = |a: &[Number], b: &[Number]| {
            let products = a.iter().zip(b).map(|(a, b)| *a * *b);
            products.fold(Number::ZERO, |sum, x| sum + x)
        };
        // Less Aᵀ y, with A Aᵀ y = A step.
        let normal = |row: &Vec<Number>| {
            let mut line: Vec<Number> = matrix.iter().map(|other| dot(row, other)).collect();
            line.push(dot(row, &step));
            line
        };
        let solved = solve(matrix.iter().map(normal).collect(), matrix.len(), NEAR);
        for (row, y) in matrix.iter().zip(&solved.x) {
            for (part, a) in step.iter_mut().zip(row) {
                *part = *part - *a * *y;
            }
        }
        let along: Vec<f64> = step.iter().map(|x| x.to_f64()).collect();
        along.iter().all(|x| x.is_finite()).then_some(along)
    }

    /// Derivatives of rows, each in a row of n; `None` where one has no value.
    fn slopes(&self, rows: &Rows, values: &Values, n: usize) -> Option<Vec<Vec<Number>>> {
        let entries = rows.jacobian.iter().flatten().map(|entry| entry.1);
        let entries: Vec<ExprId> = entries.collect();
        let mut slopes = values.of(&self.graph, &entries).into_iter();
        let mut matrix = Vec::with_capacity(rows.jacobian.len());
        for row in &rows.jacobian {
            let mut line = vec![Number::ZERO; n];
            for &(column, _) in row {
                let slope = slopes.next()?.value;
                line[column] = line[column] + slope;
            }
            matrix.push(line);
        }
        let finite = matrix.iter().flatten().all(|x| x.is_finite());
        finite.then_some(matrix)
    }

    fn at_time(&self, t: f64) -> Values {
        let mut values = self.parameters.clone();
        values.set(&[self.system().symbols.time], &[Number::from(t)], 0.0);
        values
    }

    /// Moves numbers onto rows by Newton's method; how far they may still be off, `None` if it does not get there.
    fn meet(
        &self,
        rows: &Rows,
        symbols: &[SymbolId],
        numbers: &mut [Number],
        values: &mut Values,
    ) -> Option<f64> {
        let n = numbers.len();
        let mut error = 0.0;
        for made in 0..=CORRECTIONS {
            values.set(symbols, numbers, 0.0);
            if rows.residuals.is_empty() {
                return Some(0.0);
            }
            let residuals = values.of(&self.graph, &rows.residuals);
            let met = residuals.iter().all(is_met);
            if made == CORRECTIONS {
                values.set(symbols, numbers, error);
                return met.then_some(error);
            }
            let mut augmented = self.slopes(rows, values, n)?;
            for (line, residual) in augmented.iter_mut().zip(&residuals) {
                line.push(-residual.value);
            }
            if residuals.iter().any(|residual| !residual.value.is_finite()) {
                return None;
            }
            let solved = solve(augmented, n, NEAR);
            let size = numbers.iter().map(|x| x.size()).fold(0.0, f64::max);
            let step = solved.x.iter().map(|x| x.size()).fold(0.0, f64::max);
            error = TRUSTED * solved.condition * (size + step);
            for (number, step) in numbers.iter_mut().zip(&solved.x) {
                *number = *number + *step;
            }
            if met && step <= ROUNDING.max(TRUSTED * solved.condition) * size {
                values.set(symbols, numbers, error);
                return Some(error);
            }
        }
        None
    }

    /// The motion at a state; `None` where there is none. The snapshot is told what was found.
    pub(super) fn motion(&self, snapshot: &mut Snapshot) -> Option<Values> {
        let symbols = &self.system().symbols;
        let numbers =
            |values: &[f64]| -> Vec<Number> { values.iter().map(|&x| Number::from(x)).collect() };
        let state = &snapshot.state;
        let (mut coordinates, mut rates) = (numbers(&state.coordinates), numbers(&state.rates));
        let mut values = self.at_time(state.t);
        let (mut accelerations, mut multipliers) = (
            numbers(&snapshot.accelerations),
            numbers(&snapshot.multipliers),
        );
        let mut unique = snapshot.unique.clone();
        let errors = match self.is_large() {
            true => {
                let kinds = [
                    (&coordinates, 0),
                    (&rates, 0),
                    (&accelerations, 1),
                    (&multipliers, 1),
                ];
                let errors = kinds.map(|(list, kind)| DOUBLE[kind] * largest(list));
                values.set(&symbols.coordinates, &coordinates, errors[0]);
                values.set(&symbols.rates, &rates, errors[1]);
                [errors[2], errors[3]]
            }
            false => {
                values.set(&symbols.rates, &rates, 0.0);
                self.meet(
                    &self.positions,
                    &symbols.coordinates,
                    &mut coordinates,
                    &mut values,
                )?;
                self.meet(&self.velocities, &symbols.rates, &mut rates, &mut values)?;
                if self.is_at_rest(&values) {
                    return None;
                }
                let condition =
                    self.solve_motion(&values, &mut accelerations, &mut multipliers, &mut unique)?;
                let error = TRUSTED * condition;
                [&accelerations, &multipliers].map(|list| error * largest(list))
            }
        };
        values.set(&symbols.accelerations, &accelerations, errors[0]);
        self.name_multipliers(&multipliers, (errors[1], &unique), &mut values);
        let doubles = |numbers: &[Number]| numbers.iter().map(|x| x.to_f64()).collect();
        snapshot.state.coordinates = doubles(&coordinates);
        snapshot.state.rates = doubles(&rates);
        snapshot.accelerations = doubles(&accelerations);
        snapshot.multipliers = doubles(&multipliers);
        snapshot.unique = unique;
        Some(values)
    }

    /// Whether some point is nearly at rest where it slides, so that friction may have another direction.
    fn is_at_rest(&self, values: &Values) -> bool {
        let ends: Vec<ExprId> = self.slips.iter().flat_map(|&(a, b)| [a, b]).collect();
        let found = values.of(&self.graph, &ends);
        let slow = |pair: &[Bounded]| pair[0].value.size() <= SLOW * pair[1].value.size();
        found.chunks(2).any(slow)
    }

    fn name_multipliers(
        &self,
        multipliers: &[Number],
        (error, unique): (f64, &[bool]),
        values: &mut Values,
    ) {
        for ((row, &value), &unique) in self.system().rows.iter().zip(multipliers).zip(unique) {
            // One that is not unique has no value.
            let value = if unique {
                value
            } else {
                Number::from(f64::NAN)
            };
            let bounded = Bounded::within(value, error);
            values.named.insert(row.name.clone(), bounded);
            values.named.insert(label(&row.name), bounded);
            values.named.insert(frozen_name(&row.name), bounded);
        }
    }

    /// Solves for q'' and λ, from what is known of them in doubles; how much worse than its data the result may be.
    fn solve_motion(
        &self,
        values: &Values,
        accelerations: &mut [Number],
        multipliers: &mut [Number],
        unique: &mut Vec<bool>,
    ) -> Option<f64> {
        let (n, m) = (accelerations.len(), multipliers.len());
        let mut values = values.clone();
        let rounds = if self.law_slopes.is_empty() {
            2
        } else {
            CORRECTIONS
        };
        let mut condition = 1.0;
        let mut last = f64::INFINITY;
        for _ in 0..rounds {
            self.name_multipliers(multipliers, (0.0, &vec![true; m]), &mut values);
            let all: Vec<Number> = values
                .of(&self.graph, &self.motion)
                .iter()
                .map(|x| x.value)
                .collect();
            if all.iter().any(|x| !x.is_finite()) {
                return None;
            }
            let (mass, rest) = all.split_at(n * n);
            let (force, rest) = rest.split_at(n);
            let (rows, rest) = rest.split_at(m * (n + 1));
            let (reactions, slopes) = rest.split_at(m * n);
            let mut system = vec![vec![Number::ZERO; n + m + 1]; n + m];
            for i in 0..n {
                let mut residual = force[i];
                for k in 0..n {
                    system[i][k] = mass[i * n + k];
                    residual = residual - mass[i * n + k] * accelerations[k];
                }
                for k in 0..m {
                    system[i][n + k] = -reactions[k * n + i];
                    residual = residual + reactions[k * n + i] * multipliers[k];
                }
                system[i][n + m] = residual;
            }
            for (&(row, column), &slope) in self.law_slopes.iter().zip(slopes) {
                system[row][n + column] = system[row][n + column] - slope;
            }
            for (row, line) in rows.chunks(n + 1).zip(&mut system[n..]) {
                let mut residual = row[n];
                for k in 0..n {
                    line[k] = row[k];
                    residual = residual - row[k] * accelerations[k];
                }
                line[n + m] = residual;
            }
            let solved = solve(system, n + m, ON);
            if !solved.unique[..n].iter().all(|unique| *unique) {
                return None;
            }
            for (x, step) in accelerations.iter_mut().zip(&solved.x) {
                *x = *x + *step;
            }
            for (x, step) in multipliers.iter_mut().zip(&solved.x[n..]) {
                *x = *x + *step;
            }
            condition = solved.condition;
            *unique = solved.unique[n..].to_vec();
            last = largest(&solved.x);
            if last <= ROUNDING * (largest(accelerations) + largest(multipliers)) {
                break;
            }
        }
        let size = largest(accelerations) + largest(multipliers);
        (last <= HOLDS * condition * size + f64::MIN_POSITIVE).then_some(condition)
    }
}

/// Whether a residual is rounding beside its terms.
fn is_met(residual: &Bounded) -> bool {
    residual.value.size() <= HOLDS * residual.size + 1e3 * residual.error
}

fn largest(numbers: &[Number]) -> f64 {
    numbers.iter().map(|x| x.size()).fold(0.0, f64::max)
}
