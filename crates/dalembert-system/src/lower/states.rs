//! Random states for decisions by numbers: parameters as given, everything else at random, coordinates near the
//! start and, where that matters, moved onto the position rows around them.

use super::{Level, Lowering};
use crate::random;
use dalembert_expr::{ExprId, evaluate};
use dalembert_linear::decide::{CLEAR, Ending, RANK, SOLVED, beside};
use dalembert_linear::{CompleteOrthogonal, norm};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// States at which something is looked at, and how many are tried to find these.
const STATES: usize = 3;
const TRIES: u64 = 12;
/// How far from the start, as a part of the coordinate (of the largest one where it is 0).
const SPREAD: f64 = 0.3;
/// Most position rows that are met together, and most steps towards them.
const MOST_ROWS: usize = 60;
const STEPS: usize = 60;

/// Values by symbol.
pub(super) type Values = Rc<Vec<f64>>;

/// What the states of a model have in common, found when it is needed first.
pub(super) struct States {
    base: Vec<Values>,
    /// Position rows by coordinate.
    rows: BTreeMap<usize, Vec<usize>>,
}

impl Lowering<'_> {
    /// Values of expressions at a state. A symbol that is younger than the states is random.
    pub(super) fn values_at(&self, state: &[f64], expressions: &[ExprId]) -> Vec<f64> {
        evaluate(&self.scope.graph, expressions, |symbol| {
            let known = state.get(symbol.index()).copied();
            known.unwrap_or_else(|| random(symbol.index() as u64, 0))
        })
    }

    /// States near the start, which need not meet any row.
    pub(super) fn states_anywhere(&mut self) -> Vec<Values> {
        let states = self.take_states();
        let found = states.base.iter().take(STATES).cloned().collect();
        self.states = Some(states);
        found
    }

    /// States that meet the position rows of some coordinates; none where they are not found.
    pub(super) fn states_on_rows(&mut self, coordinates: &BTreeSet<usize>) -> Vec<Values> {
        let states = self.take_states();
        let rows = coordinates.iter().filter_map(|i| states.rows.get(i));
        let rows: BTreeSet<usize> = rows.flatten().copied().collect();
        let mut found = Vec::new();
        if rows.len() <= MOST_ROWS {
            let rows: Vec<usize> = rows.into_iter().collect();
            let met = states.base.iter().filter_map(|state| {
                if rows.is_empty() {
                    return Some(Rc::clone(state));
                }
                let mut state = state.to_vec();
                self.meet(&rows, &mut state).then(|| Rc::new(state))
            });
            found = met.take(STATES).collect();
        }
        self.states = Some(states);
        found
    }

    fn take_states(&mut self) -> States {
        match self.states.take() {
            Some(states) => states,
            None => self.find_states(),
        }
    }

    fn find_states(&mut self) -> States {
        let model = self.model;
        let given = model.coordinates.iter().map(|(_, given)| &given.value);
        let start: Vec<Option<ExprId>> = given
            .map(|value| self.quietly(|work| work.scope.scalar(value.as_ref()?)))
            .collect();
        let worth = self.scope.worth().to_vec();
        let base = (0..TRIES)
            .map(|trial| {
                let count = self.scope.graph.symbol_count() as u64;
                let mut state: Vec<f64> = (0..count).map(|symbol| random(symbol, trial)).collect();
                for &i in self.scope.parameter_order() {
                    let value = worth[i].map(|worth| self.values_at(&state, &[worth])[0]);
                    let place = self.symbols.parameters[i].index();
                    state[place] = value.filter(|it| it.is_finite()).unwrap_or(state[place]);
                }
                self.put_start(&start, trial, &mut state);
                Rc::new(state)
            })
            .collect();
        let mut rows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, row) in self.rows.iter().enumerate() {
            if row.level == Level::Position {
                for &(i, _) in &row.jacobian {
                    rows.entry(i).or_default().push(index);
                }
            }
        }
        States { base, rows }
    }

    /// Coordinates near their start values, which may be written in each other.
    fn put_start(&self, start: &[Option<ExprId>], trial: u64, state: &mut [f64]) {
        let places = self.symbols.coordinates.iter().map(|it| it.index());
        let places: Vec<usize> = places.collect();
        let known: Vec<(usize, ExprId)> = (places.iter().zip(start))
            .filter_map(|(&place, start)| start.map(|start| (place, start)))
            .collect();
        let expressions: Vec<ExprId> = known.iter().map(|&(_, start)| start).collect();
        for _ in 0..3 {
            let values = self.values_at(state, &expressions);
            for (&(place, _), value) in known.iter().zip(values) {
                if value.is_finite() {
                    state[place] = value;
                }
            }
        }
        let sizes = known.iter().map(|&(place, _)| state[place].abs());
        let largest = sizes.fold(0.0, f64::max);
        for &(place, _) in &known {
            let size = [state[place].abs(), largest, 1.0];
            let size = size.into_iter().find(|size| *size > 0.0).unwrap_or(1.0);
            let shift = 2.0 * (random(place as u64, trial + TRIES) - 0.7);
            state[place] += SPREAD * size * shift;
        }
    }

    /// Moves coordinates onto position rows by least steps; whether they were met.
    fn meet(&self, rows: &[usize], state: &mut [f64]) -> bool {
        let entries = rows.iter().flat_map(|&row| &self.rows[row].jacobian);
        let coordinates: BTreeSet<usize> = entries.map(|&(i, _)| i).collect();
        let coordinates: Vec<usize> = coordinates.into_iter().collect();
        let (m, n) = (rows.len(), coordinates.len());
        let mut wanted: Vec<ExprId> = rows.iter().map(|&row| self.rows[row].residual).collect();
        for &row in rows {
            wanted.extend(self.rows[row].jacobian.iter().map(|&(_, slope)| slope));
        }
        let mut solver = CompleteOrthogonal::new(m, n);
        let mut ending = Ending::new(SOLVED, STEPS);
        loop {
            let values = self.values_at(state, &wanted);
            if !values.iter().all(|value| value.is_finite()) {
                return false;
            }
            let (residuals, mut slopes) = values.split_at(m);
            let mut matrix = vec![0.0; m * n];
            let mut error = vec![0.0; m];
            for (k, &row) in rows.iter().enumerate() {
                let jacobian = &self.rows[row].jacobian;
                let (own, rest) = slopes.split_at(jacobian.len());
                slopes = rest;
                let length = norm(own);
                if length == 0.0 {
                    return false;
                }
                for (&(i, _), slope) in jacobian.iter().zip(own) {
                    let column = coordinates.binary_search(&i).unwrap_or(0);
                    matrix[k * n + column] = slope / length;
                }
                error[k] = -residuals[k] / length;
            }
            let places = coordinates.iter();
            let places = places.map(|&i| self.symbols.coordinates[i].index());
            let sizes = places.clone().map(|place| state[place].abs());
            let worst = beside(norm(&error), sizes.fold(0.0, f64::max));
            let near = worst <= CLEAR;
            if ending.is_over(worst, near) {
                return near;
            }
            solver.factor(&matrix, RANK);
            let mut step = vec![0.0; n];
            solver.least(&error, &mut step);
            places
                .zip(&step)
                .for_each(|(place, step)| state[place] += step);
        }
    }
}
