//! Independent coordinates and speeds govern: the others follow from the rows at every evaluation ([B92] §4–6).
//!
//! ```text
//! φ(q_d, q_s, t) = 0        by Newton's method for q_d, from the values it had last
//! A_d v_d = c − A_u u       for v_d: rows at velocity level are linear, ψ = A v − c
//! ```
//!
//! The state that is integrated keeps its layout; of its entries only the independent ones count, the others are where the search
//! for the dependent ones begins. So nothing can drift, nothing is projected, and another choice of independent ones,
//! made after a step, changes neither the state nor its derivative. One is made before a dependent entry moves much faster than the
//! independent ones ([`STEEP`]), in units in which each speed has an inertia of one.
//!
//! In these variables the equations are less smooth than with all coordinates: y'' on the circle x² + y² = 1 has a pole where x
//! vanishes. A step of equal length errs 10 times as much by any method of order eight where x = 1, and 4000 times at 40°
//! from there. So a run has as many digits as were asked for, while one by multipliers usually has two or three more.
//!
//! [B92]: Blajer, "A generalized projection method…" (1992).

use dalembert_mechanics::equations::{Evaluator, Residuals, SpeedInverse};
use dalembert_mechanics::linear::{Elimination, norm};
use dalembert_mechanics::projection::Judge;
use dalembert_mechanics::start::State;
use dalembert_mechanics::{Independents, Mechanism, Sizes};

/// Newton's corrections at most.
const MAX_CORRECTIONS: usize = 12;
/// How much faster than an independent entry a dependent one may move; and how much faster than when they were chosen, where
/// that was as fast already. The errors of a step grow by as much, and the equations are the less smooth: the heavy top
/// needs 18 700 evaluations with 2, 13 700 with 1.2.
const STEEP: f64 = 1.2;

/// The independent entries of a state, and how the others follow.
pub(super) struct Reduced<'m> {
    mechanism: &'m Mechanism,
    measures: Measures,
    first: Independents,
    chosen: Independents,
    position: Dependents,
    velocity: Dependents,
    /// What is too steep for the present choice; not known before it has been looked at.
    limit: Option<f64>,
    /// Latest time at which the choice was looked at.
    latest: f64,
    /// How often another choice was made.
    rechosen: u64,
    /// The state recovered.
    q: Vec<f64>,
    v: Vec<f64>,
    offset: Vec<f64>,
}

/// What a run by independent coordinates and speeds did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Coordinates that were independent at first.
    pub coordinates: Vec<usize>,
    /// Speeds that were independent at first.
    pub speeds: Vec<usize>,
    /// How often others were chosen on the way.
    pub rechosen: u64,
}

/// Some entries of a vector, which rows determine from the others.
pub(super) struct Dependents {
    pub(super) columns: Vec<usize>,
    pub(super) independent: Vec<usize>,
    units: Vec<f64>,
    /// The rows in units, of length one, and one over the lengths.
    rows: Vec<f64>,
    scales: Vec<f64>,
    values: Vec<f64>,
    block: Vec<f64>,
    elimination: Elimination,
    right: Vec<f64>,
    judge: Judge,
}

impl Dependents {
    fn new(terms: &[f64], sizes: &[f64], independent: &[usize], units: &[f64]) -> Self {
        let (n, rows) = (units.len(), terms.len());
        let columns: Vec<usize> = (0..n).filter(|j| !independent.contains(j)).collect();
        Self {
            independent: independent.to_vec(),
            units: units.to_vec(),
            rows: vec![0.0; rows * n],
            scales: vec![0.0; rows],
            values: vec![0.0; rows],
            block: vec![0.0; rows * columns.len()],
            elimination: Elimination::new(rows, columns.len()),
            right: vec![0.0; columns.len()],
            columns,
            judge: Judge::new(terms, sizes, MAX_CORRECTIONS),
        }
    }

    pub(super) fn begin(&mut self) {
        self.judge.begin();
    }

    /// Whether the search is over, and then whether x moved, or `None` if the rows cannot be met. Keeps the rows if not.
    pub(super) fn judge(&mut self, found: &Residuals<'_>, x: &[f64]) -> Option<Option<bool>> {
        let outcome = self.judge.judge(found, x);
        if outcome.is_none() {
            self.keep(found);
        }
        outcome
    }

    pub(super) fn keep(&mut self, found: &Residuals<'_>) {
        let n = self.units.len();
        self.values.copy_from_slice(found.values);
        self.rows.fill(0.0);
        for (row, target) in self.rows.chunks_exact_mut(n.max(1)).enumerate() {
            for (column, a) in found.jacobian.stored(row) {
                target[column] = a;
            }
        }
    }

    /// Rows in speeds, A N, if `inverse` is there; in units, of length one. Then the dependent entries of them.
    fn factor(&mut self, inverse: Option<&mut SpeedInverse>) -> Option<()> {
        let (n, r) = (self.units.len(), self.columns.len());
        if let Some(inverse) = inverse {
            for row in self.rows.chunks_exact_mut(n.max(1)) {
                inverse.solve_transposed(row).then_some(())?;
            }
        }
        for (row, scale) in self.rows.chunks_exact_mut(n.max(1)).zip(&mut self.scales) {
            row.iter_mut().zip(&self.units).for_each(|(a, u)| *a *= u);
            let length = norm(row);
            *scale = if length > 0.0 { 1.0 / length } else { 0.0 };
            row.iter_mut().for_each(|a| *a *= *scale);
        }
        for (i, row) in self.rows.chunks_exact(n.max(1)).enumerate() {
            for (k, &column) in self.columns.iter().enumerate() {
                self.block[i * r + k] = row[column];
            }
        }
        self.elimination.factor(&self.block, 0.0);
        (self.elimination.rank() == r).then_some(())
    }

    /// One correction of the dependent entries of x, by the rows last kept.
    pub(super) fn correct(
        &mut self,
        inverse: Option<&mut SpeedInverse>,
        x: &mut [f64],
    ) -> Option<()> {
        self.factor(inverse)?;
        for (target, &row) in self.right.iter_mut().zip(self.elimination.row_order()) {
            *target = -self.values[row] * self.scales[row];
        }
        self.elimination.solve(&mut self.right);
        for (step, &k) in self.right.iter().zip(self.elimination.column_order()) {
            let column = self.columns[k];
            x[column] += step * self.units[column];
        }
        Some(())
    }

    /// How the dependent entries follow by the rows last kept: for each its slopes by the independent ones and, last, its value where
    /// all entries are zero that the rows were kept at. `None` if they do not follow.
    pub(super) fn ways(&mut self, ways: &mut [f64]) -> Option<()> {
        self.factor(None)?;
        let (n, free) = (self.units.len(), self.independent.len());
        for j in 0..=free {
            let column = self.independent.get(j);
            for (target, &row) in self.right.iter_mut().zip(self.elimination.row_order()) {
                *target = match column {
                    Some(&column) => -self.rows[row * n + column] / self.units[column],
                    None => -self.values[row] * self.scales[row],
                };
            }
            self.elimination.solve(&mut self.right);
            for (way, &k) in self.right.iter().zip(self.elimination.column_order()) {
                ways[k * (free + 1) + j] = way * self.units[self.columns[k]];
            }
        }
        Some(())
    }

    /// The largest entry of A_d⁻¹ A_i in units, of the rows last kept.
    fn steepness(&mut self, inverse: Option<&mut SpeedInverse>) -> f64 {
        if self.factor(inverse).is_none() {
            return f64::INFINITY;
        }
        let n = self.units.len();
        let mut steepest = 0.0_f64;
        for &column in &self.independent {
            for (target, &row) in self.right.iter_mut().zip(self.elimination.row_order()) {
                *target = self.rows[row * n + column];
            }
            self.elimination.solve(&mut self.right);
            steepest = self.right.iter().fold(steepest, |a, b| a.max(b.abs()));
        }
        steepest
    }
}

impl<'m> Reduced<'m> {
    /// The independent entries at a state; `None` if there are none.
    pub(super) fn new(mechanism: &'m Mechanism, state: &State) -> Option<Self> {
        let chosen = mechanism.independents(state)?;
        let measures = Measures::new(mechanism, state);
        let (position, velocity) = measures.dependents(&chosen);
        let n = state.coordinates.len();
        Some(Self {
            mechanism,
            measures,
            first: chosen.clone(),
            chosen,
            position,
            velocity,
            limit: None,
            latest: state.t,
            rechosen: 0,
            q: vec![0.0; n],
            v: vec![0.0; n],
            offset: vec![0.0; n],
        })
    }

    /// What was done so far.
    pub(super) fn report(&self) -> Reduction {
        Reduction {
            coordinates: self.first.coordinates.clone(),
            speeds: self.first.speeds.clone(),
            rechosen: self.rechosen,
        }
    }

    /// Coordinates and speeds as last recovered.
    pub(super) fn state(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.v)
    }

    /// Largest residuals of position and velocity rows at the state last recovered.
    pub(super) fn residuals(&self) -> (f64, f64) {
        (self.position.judge.residual, self.velocity.judge.residual)
    }

    /// Sets the evaluator to the state whose independent entries are those of y, and finds its rates. Whether any
    /// entry differs from that of y; `None` if there is no such state.
    pub(super) fn recover(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        mut inverse: Option<&mut SpeedInverse>,
        rates: &mut [f64],
        (t, y): (f64, &[[f64; 1]]),
    ) -> Option<bool> {
        let n = self.q.len();
        self.q.copy_from_slice(y[..n].as_flattened());
        self.v.copy_from_slice(y[n..2 * n].as_flattened());
        self.position.begin();
        let positions = loop {
            evaluator.set_position(t, &self.q);
            if let Some(outcome) = self.position.judge(&evaluator.position(), &self.q) {
                break outcome?;
            }
            self.position.correct(None, &mut self.q)?;
        };
        match (evaluator.speeds(), &mut inverse) {
            (None, _) => inverse = None,
            (Some(map), Some(inverse)) => {
                self.offset.copy_from_slice(map.offset);
                inverse.factor(&map.matrix).then_some(())?;
            }
            (Some(_), None) => return None,
        }
        self.velocity.begin();
        let velocities = loop {
            rates.copy_from_slice(&self.v);
            if let Some(inverse) = &mut inverse {
                rates
                    .iter_mut()
                    .zip(&self.offset)
                    .for_each(|(v, b)| *v -= b);
                inverse.solve(rates).then_some(())?;
            }
            evaluator.set_rates(rates);
            if let Some(outcome) = self.velocity.judge(&evaluator.velocity(), rates) {
                break outcome?;
            }
            self.velocity.correct(inverse.as_deref_mut(), &mut self.v)?;
        };
        Some(positions || velocities)
    }

    /// Makes another choice if this one is no good at the state just recovered. Samples lie before the end of their
    /// step, where that has been looked at.
    pub(super) fn watch(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        inverse: Option<&mut SpeedInverse>,
        t: f64,
    ) {
        if t <= self.latest {
            return;
        }
        self.latest = t;
        let mut inverse = inverse.filter(|_| self.mechanism.system.speeds.is_some());
        let steepness = self.steepness(evaluator, inverse.as_deref_mut());
        if steepness <= *self.limit.get_or_insert(STEEP * steepness.max(1.0)) {
            return;
        }
        let state = State {
            t,
            coordinates: self.q.clone(),
            rates: evaluator.rates().to_vec(),
            mode: evaluator.mode().clone(),
        };
        let Some(chosen) = self.mechanism.independents(&state) else {
            return;
        };
        let changed =
            chosen.coordinates != self.chosen.coordinates || chosen.speeds != self.chosen.speeds;
        if changed {
            self.rechosen += 1;
            (self.position, self.velocity) = self.measures.dependents(&chosen);
            self.chosen = chosen;
        }
        let steepness = self.steepness(evaluator, inverse);
        self.limit = Some(STEEP * steepness.max(1.0));
    }

    /// How much faster than independent entries dependent ones move at the state just recovered.
    fn steepness(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        inverse: Option<&mut SpeedInverse>,
    ) -> f64 {
        self.position.keep(&evaluator.position());
        self.velocity.keep(&evaluator.velocity());
        let positions = self.position.steepness(None);
        positions.max(self.velocity.steepness(inverse))
    }
}

/// What residuals are measured by: the terms of the rows at the start, and the sizes of the unknowns.
pub(super) struct Measures {
    positions: Vec<f64>,
    velocities: Vec<f64>,
    pub(super) sizes: Sizes,
}

impl Measures {
    pub(super) fn new(mechanism: &Mechanism, state: &State) -> Self {
        let evaluator = mechanism.evaluator_at(state);
        Self {
            positions: evaluator.position_sizes(),
            velocities: evaluator.velocity_sizes(),
            sizes: mechanism.sizes(state),
        }
    }

    pub(super) fn dependents(&self, chosen: &Independents) -> (Dependents, Dependents) {
        (
            Dependents::new(
                &self.positions,
                &self.sizes.coordinates,
                &chosen.coordinates,
                &chosen.coordinate_units,
            ),
            Dependents::new(
                &self.velocities,
                &self.sizes.rates,
                &chosen.speeds,
                &chosen.speed_units,
            ),
        )
    }
}
