//! The motion at a state to some thirty digits: coordinates and rates moved onto the rows, accelerations and multipliers
//! from M q'' = f(λ) + Gᵀ λ, A q'' = b, all by Newton's method in numbers of that many digits.

use super::elimination::{Line, Solved, solve};
use crate::assembled::Assembled;
use crate::law_symbols::{LawSymbols, frozen_name, label, slips};
use dalembert_expr::calculus::jacobian;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{ExprId, Graph, SymbolId, SymbolKind};
use dalembert_mechanics::decide::thirty::{EXPLAINED, OPERATION};
use dalembert_mechanics::decide::{CANCELLED, CLEAR, IN_DOUBLES, MET};
use dalembert_mechanics::lower::{Level, Sparse, System};
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Mechanism, Snapshot};
use std::collections::BTreeMap;

/// Coordinates and rows above which states are taken as they are in doubles: elimination costs the cube of these.
const LARGE: usize = 120;
/// Corrections made at most.
const CORRECTIONS: usize = 12;

/// Values of symbols at a state.
#[derive(Clone, Debug, Default)]
pub struct Values {
    known: BTreeMap<SymbolId, Bounded>,
    /// Multipliers by name: that of the row, and that of equations.
    named: BTreeMap<String, Bounded>,
}

impl Values {
    /// Values of expressions.
    pub fn of(&self, graph: &Graph, expressions: &[ExprId]) -> Vec<Bounded> {
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

    /// Coordinates, rates, accelerations, parameters and time.
    #[must_use]
    pub fn known(&self) -> &BTreeMap<SymbolId, Bounded> {
        &self.known
    }

    /// Values of symbols, each with its error; those after the errors have none.
    fn set(&mut self, symbols: &[SymbolId], values: &[Number], errors: &[f64]) {
        let errors = errors.iter().copied().chain(std::iter::repeat(0.0));
        for ((&symbol, &value), error) in symbols.iter().zip(values).zip(errors) {
            self.known.insert(symbol, Bounded::within(value, error));
        }
    }
}

/// Rows of one level: residuals and their derivatives.
struct Rows {
    /// Which rows of the system.
    rows: Vec<usize>,
    residuals: Vec<ExprId>,
    jacobian: Vec<Sparse>,
}

/// A system, ready for numbers of many digits.
pub struct Precise<'m> {
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
    /// Of a mechanism, with the values of its parameters.
    #[must_use]
    pub fn new(mechanism: &'m Mechanism) -> Self {
        let system = &mechanism.system;
        let mut graph = system.graph.clone();
        let mut parameters = Values::default();
        for &i in &system.parameter_order {
            let value = parameters.of(&graph, &[system.parameters[i]])[0];
            parameters.known.insert(system.symbols.parameters[i], value);
        }
        let n = system.symbols.coordinates.len();
        let small = n + system.rows.len() <= LARGE && system.hung.is_none();
        let mut motion = Vec::new();
        let mut law_slopes = Vec::new();
        if small {
            motion = Assembled::of(&mut graph, system).listed(&mut graph);
        }
        let slips = slips(&mut graph, system);
        if small && system.has_laws() {
            let laws = LawSymbols::of(&mut graph, system);
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
                rows: Vec::new(),
                residuals: Vec::new(),
                jacobian: Vec::new(),
            };
            for (i, row) in system.rows.iter().enumerate() {
                if let Some(residual) = residual(i) {
                    rows.rows.push(i);
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

    /// The mechanism it is of.
    #[must_use]
    pub fn mechanism(&self) -> &'m Mechanism {
        self.mechanism
    }

    fn system(&self) -> &'m System {
        &self.mechanism.system
    }

    /// Whether the motion is taken as doubles have it.
    pub fn is_large(&self) -> bool {
        self.system().symbols.coordinates.len() + self.system().rows.len() > LARGE
    }

    /// Moves coordinates and rates of a state onto the rows, in doubles; `false` if that fails.
    pub(super) fn correct(&self, state: &mut State) -> bool {
        let symbols = &self.system().symbols;
        if self.is_large() {
            return false;
        }
        let mut values = self.at_time(state.t);
        values.set(&symbols.rates, &numbers(&state.rates), &[]);
        for (rows, symbols, kept) in [
            (
                &self.positions,
                &symbols.coordinates,
                &mut state.coordinates,
            ),
            (&self.velocities, &symbols.rates, &mut state.rates),
        ] {
            let mut found = numbers(kept);
            if self.meet(rows, symbols, &mut found, &mut values).is_none() {
                return false;
            }
            *kept = doubles(&found);
        }
        true
    }

    /// Coordinates of a state on the rows of positions that hold, with parameters and time; `None` if they do not get there.
    pub fn on_positions(
        &self,
        state: &State,
        holds: &dyn Fn(usize) -> bool,
    ) -> Option<BTreeMap<SymbolId, Bounded>> {
        let symbols = &self.system().symbols.coordinates;
        let all = &self.positions;
        let held = (0..all.rows.len()).filter(|&k| holds(all.rows[k]));
        let held: Vec<usize> = held.collect();
        let rows = Rows {
            rows: held.iter().map(|&k| all.rows[k]).collect(),
            residuals: held.iter().map(|&k| all.residuals[k]).collect(),
            jacobian: held.iter().map(|&k| all.jacobian[k].clone()).collect(),
        };
        let mut coordinates = numbers(&state.coordinates);
        let mut values = self.at_time(state.t);
        self.meet(&rows, symbols, &mut coordinates, &mut values)?;
        Some(values.known)
    }

    /// The part of a step that lies along the surface of the position rows; `None` where that has no value.
    pub(super) fn along(&self, state: &State, step: &[f64]) -> Option<Vec<f64>> {
        let rows = &self.positions;
        let mut values = self.at_time(state.t);
        let symbols = &self.system().symbols;
        values.set(&symbols.coordinates, &numbers(&state.coordinates), &[]);
        let mut step = numbers(step);
        let matrix = self.slopes(rows, &values, step.len())?;
        let dot = |a: &[Number], b: &[Number]| {
            let products = a.iter().zip(b).map(|(a, b)| *a * *b);
            products.fold(Number::ZERO, |sum, x| sum + x)
        };
        // Less Aᵀ y, with A Aᵀ y = A step.
        let normal = |row: &Vec<Number>| {
            let mut entries: Vec<Number> = matrix.iter().map(|other| dot(row, other)).collect();
            entries.push(dot(row, &step));
            Line {
                entries,
                doubt: 0.0,
                error: 0.0,
            }
        };
        let solved = solve(matrix.iter().map(normal).collect(), matrix.len(), CANCELLED);
        for (row, y) in matrix.iter().zip(&solved.x) {
            for (part, a) in step.iter_mut().zip(row) {
                *part = *part - *a * *y;
            }
        }
        let along = doubles(&step);
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
        values.set(&[self.system().symbols.time], &[Number::from(t)], &[]);
        values
    }

    /// Moves numbers onto rows by Newton's method, as far as rounding lets them; `None` if it does not get there.
    fn meet(
        &self,
        rows: &Rows,
        symbols: &[SymbolId],
        numbers: &mut [Number],
        values: &mut Values,
    ) -> Option<()> {
        let n = numbers.len();
        values.set(symbols, numbers, &[]);
        if rows.residuals.is_empty() {
            return Some(());
        }
        for _ in 0..=CORRECTIONS {
            let residuals = values.of(&self.graph, &rows.residuals);
            if residuals.iter().any(|residual| !residual.value.is_finite()) {
                return None;
            }
            let mut lines = Vec::with_capacity(residuals.len());
            for (mut entries, residual) in self.slopes(rows, values, n)?.into_iter().zip(&residuals)
            {
                entries.push(-residual.value);
                lines.push(Line {
                    entries,
                    doubt: 0.0,
                    error: residual.error + OPERATION * residual.size + f64::MIN_POSITIVE,
                });
            }
            // Rows that depend on each other do so on the surface only: near it they have no pivot either.
            let solved = solve(lines, n, CANCELLED);
            for (number, step) in numbers.iter_mut().zip(&solved.x) {
                *number = *number + *step;
            }
            // What the rows are not met by is rounding, of the dependent ones too.
            let met = residuals.iter().all(is_met) && is_rounding(&solved, numbers);
            values.set(symbols, numbers, &[]);
            if met {
                values.set(symbols, numbers, &doubled(&solved));
                return Some(());
            }
        }
        None
    }

    /// The motion at a state; `None` where there is none. The snapshot is told what was found. Multipliers that are not
    /// `unique` in symbols are not taken for unique here.
    pub fn motion(&self, snapshot: &mut Snapshot, in_symbols: Option<&[bool]>) -> Option<Values> {
        let symbols = &self.system().symbols;
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
                for (symbols, list) in [
                    (&symbols.coordinates, &coordinates),
                    (&symbols.rates, &rates),
                ] {
                    let error = MET * largest(list);
                    values.set(symbols, list, &vec![error; list.len()]);
                }
                let terms = self.terms(snapshot);
                [(&accelerations, terms[0]), (&multipliers, terms[1])].map(|(list, terms)| {
                    let error = IN_DOUBLES * largest(list).max(terms);
                    vec![error; list.len()]
                })
            }
            false => {
                values.set(&symbols.rates, &rates, &[]);
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
                self.solve_motion(&values, &mut accelerations, &mut multipliers, &mut unique)?
            }
        };
        for (unique, in_symbols) in unique.iter_mut().zip(in_symbols.unwrap_or_default()) {
            *unique &= in_symbols;
        }
        values.set(&symbols.accelerations, &accelerations, &errors[0]);
        self.name_multipliers(&multipliers, (&errors[1], &unique), &mut values);
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
        let slow = |pair: &[Bounded]| pair[0].value.size() <= CLEAR * pair[1].value.size();
        found.chunks(2).any(slow)
    }

    fn name_multipliers(
        &self,
        multipliers: &[Number],
        (errors, unique): (&[f64], &[bool]),
        values: &mut Values,
    ) {
        for (i, (row, &value)) in self.system().rows.iter().zip(multipliers).enumerate() {
            // One that is not unique has no value.
            let value = match unique[i] {
                true => value,
                false => Number::from(f64::NAN),
            };
            let bounded = Bounded::within(value, errors.get(i).copied().unwrap_or(0.0));
            values.named.insert(row.name.clone(), bounded);
            values.named.insert(label(&row.name), bounded);
            values.named.insert(frozen_name(&row.name), bounded);
        }
    }

    /// Solves for q'' and λ, from what is known of them in doubles; how wrong each may be.
    fn solve_motion(
        &self,
        values: &Values,
        accelerations: &mut [Number],
        multipliers: &mut [Number],
        unique: &mut Vec<bool>,
    ) -> Option<[Vec<f64>; 2]> {
        let (n, m) = (accelerations.len(), multipliers.len());
        let mut values = values.clone();
        for _ in 0..=CORRECTIONS {
            self.name_multipliers(multipliers, (&[], &vec![true; m]), &mut values);
            let all = values.of(&self.graph, &self.motion);
            if all.iter().any(|x| !x.value.is_finite()) {
                return None;
            }
            let unknowns = [&*accelerations, &*multipliers].concat();
            let solved = solve(self.lines(&all, &unknowns, m), n + m, 0.0);
            if !solved.unique[..n].iter().all(|unique| *unique) {
                return None;
            }
            let mut found = unknowns.clone();
            for (x, step) in found.iter_mut().zip(&solved.x) {
                *x = *x + *step;
            }
            accelerations.copy_from_slice(&found[..n]);
            multipliers.copy_from_slice(&found[n..]);
            if is_rounding(&solved, &found) {
                if !solved.consistent {
                    return None;
                }
                let mut errors = doubled(&solved);
                let of_rows = errors.split_off(n);
                *unique = solved.unique[n..].to_vec();
                return Some([errors, of_rows]);
            }
        }
        None
    }

    /// M q'' − f − Gᵀ λ = 0 and A q'' = b as equations for what must be added to q'' and λ.
    fn lines(&self, all: &[Bounded], unknowns: &[Number], m: usize) -> Vec<Line> {
        let n = unknowns.len() - m;
        let (mass, rest) = all.split_at(n * n);
        let (force, rest) = rest.split_at(n);
        let (rows, rest) = rest.split_at(m * (n + 1));
        let (reactions, slopes) = rest.split_at(m * n);
        let mut lines = Vec::with_capacity(n + m);
        for i in 0..n {
            let mut line = Unmet::new(n + m, force[i]);
            for k in 0..n {
                line.take(k, mass[i * n + k], unknowns[k]);
            }
            for k in 0..m {
                let Bounded { value, error, size } = reactions[k * n + i];
                let value = -value;
                line.take(n + k, Bounded { value, error, size }, unknowns[n + k]);
            }
            for (&(row, column), &slope) in self.law_slopes.iter().zip(slopes) {
                if row == i {
                    let entry = &mut line.entries[n + column];
                    *entry = *entry - slope.value;
                    line.doubt = line.doubt.max(slope.error);
                }
            }
            lines.push(line.finished());
        }
        for row in rows.chunks(n + 1) {
            let mut line = Unmet::new(n + m, row[n]);
            for k in 0..n {
                line.take(k, row[k], unknowns[k]);
            }
            lines.push(line.finished());
        }
        lines
    }

    /// Sizes of the terms that accelerations and multipliers are differences of, in doubles.
    fn terms(&self, snapshot: &Snapshot) -> [f64; 2] {
        let mut evaluator = self.mechanism.evaluator_at(&snapshot.state);
        let canonical = evaluator.canonical();
        let q = &snapshot.accelerations;
        let mut terms: Vec<f64> = canonical.force.iter().map(|force| force.abs()).collect();
        let mut masses = vec![0.0; terms.len()];
        for i in 0..terms.len() {
            for (k, entry) in canonical.mass.stored(i) {
                terms[i] += (entry * q[k]).abs();
                terms[k] += (entry * q[i]).abs();
                if i == k {
                    masses[i] = entry;
                }
            }
        }
        let force = terms.iter().copied().fold(0.0, f64::max);
        let heavy = terms.iter().zip(&masses).filter(|(_, mass)| **mass > 0.0);
        let acceleration = heavy.map(|(terms, mass)| terms / mass).fold(0.0, f64::max);
        let row = |i: usize| canonical.jacobian.stored(i).map(|(_, entry)| entry.abs());
        let sizes = (0..snapshot.multipliers.len()).map(|i| row(i).fold(0.0, f64::max));
        let least = sizes
            .filter(|size| *size > 0.0)
            .fold(f64::INFINITY, f64::min);
        [acceleration, force / least]
    }
}

/// An equation a·x = b, and what is left of b when the x that are known are taken away.
struct Unmet {
    entries: Vec<Number>,
    left: Number,
    doubt: f64,
    error: f64,
}

impl Unmet {
    fn new(columns: usize, right: Bounded) -> Self {
        Self {
            entries: vec![Number::ZERO; columns],
            left: right.value,
            doubt: 0.0,
            error: right.error + OPERATION * right.value.size() + f64::MIN_POSITIVE,
        }
    }

    fn take(&mut self, column: usize, entry: Bounded, x: Number) {
        let term = entry.value * x;
        self.entries[column] = self.entries[column] + entry.value;
        self.left = self.left - term;
        self.doubt = self.doubt.max(entry.error);
        self.error += entry.error * x.size() + OPERATION * (term.size() + self.left.size());
    }

    fn finished(mut self) -> Line {
        self.entries.push(self.left);
        Line {
            entries: self.entries,
            doubt: self.doubt,
            error: self.error,
        }
    }
}

/// Whether a residual is rounding beside its terms.
fn is_met(residual: &Bounded) -> bool {
    residual.value.size() <= EXPLAINED * (residual.error + OPERATION * residual.size)
}

/// Whether the last correction was within what rounding may have done.
fn is_rounding(solved: &Solved, values: &[Number]) -> bool {
    let steps = solved.x.iter().zip(&solved.errors).zip(values);
    let mut small =
        steps.map(|((step, error), value)| step.size() <= 4.0 * error + OPERATION * value.size());
    small.all(|small| small)
}

/// Errors of values after a correction that was rounding.
fn doubled(solved: &Solved) -> Vec<f64> {
    let steps = solved.x.iter().zip(&solved.errors);
    steps
        .map(|(step, error)| 2.0 * error + step.size())
        .collect()
}

fn numbers(doubles: &[f64]) -> Vec<Number> {
    doubles.iter().map(|&x| Number::from(x)).collect()
}

fn doubles(numbers: &[Number]) -> Vec<f64> {
    numbers.iter().map(|x| x.to_f64()).collect()
}

fn largest(numbers: &[Number]) -> f64 {
    numbers.iter().map(|x| x.size()).fold(0.0, f64::max)
}
