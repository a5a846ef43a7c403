//! The constrained system as a differential equation y' = f(t, y) with a projection.
//!
//! y holds the coordinates q, the speeds v and, last, the work done so far by everything that is not
//! the potential energy. After each accepted step q and v are moved back to the constraints along the
//! shortest way in the metric of the mass matrix:
//!
//! ```text
//! q ← q − M⁻¹ Φᵀ (Φ M⁻¹ Φᵀ)⁺ φ        until φ(q, t) = 0
//! v ← v − M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ ψ        until ψ(q, v, t) = 0
//! ```
//!
//! By [`Formulation::Independent`] nothing is moved back: see `reduced.rs`; by [`Formulation::Complement`] implicit steps meet the rows by
//! themselves: see `motion/along.rs`.
//!
//! The right-hand side of a small system is one program ([`Unrolled`]). Where it cannot be trusted (near
//! singular configurations), and for all other systems, M, h, A, b, w are evaluated and handed to the general
//! route, which knows every rank. The two agree to rounding, so steps may change from one to the other.

use super::change_point::Crossing;
use super::reduced::{Reduced, Reduction};
use super::redundancy::Redundancy;
use super::rounding::Rounding;
use super::still::Still;
use dalembert_mechanics::derivatives::Slopes;
use dalembert_mechanics::equations::SpeedInverse;
use dalembert_mechanics::formulation::{Failure, Formulation, Motion, Problem, Unsolved, solve};
use dalembert_mechanics::ids::Id;
use dalembert_mechanics::projection::Projector;
use dalembert_mechanics::start::State;
use dalembert_mechanics::unrolled::{MOST_OPERATIONS, Unrolled, WayBack};
use dalembert_mechanics::{Mechanism, Solver};

mod along;
mod branch;
pub(crate) mod linearised;
mod modes;
mod projected;
mod rounded;
mod slips;
mod stepped;
mod views;

/// Corrections made at most in one projection.
const MAX_CORRECTIONS: usize = 8;

/// A step of a run.
pub(crate) type Step<'a, 'm> = dalembert_ode::Step<'a, MotionSystem<'m>, 1>;

/// The differential equation of a mechanism.
pub(super) struct MotionSystem<'m> {
    solver: Solver<'m>,
    /// The right-hand side as one program.
    unrolled: Option<Unrolled>,
    /// The way back to the rows as one program.
    way_back: Option<WayBack>,
    n: usize,
    has_speeds: bool,
    /// Whether anything but the potential can do work.
    pub(super) counts_work: bool,
    formulation: Formulation,
    /// The motion by a formulation other than multipliers.
    motion: Motion,
    position: Projector,
    velocity: Projector,
    /// Seconds that derivatives took to make.
    native_s: f64,
    /// Whether M was evaluated since the projection under way began.
    has_metric: bool,
    /// Independent coordinates and speeds, which then govern: nothing is projected.
    reduced: Option<Reduced<'m>>,
    rates: Vec<f64>,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
    /// B⁻¹ of the speeds; `None` where they are the rates, or too many.
    inverse: Option<SpeedInverse>,
    /// Power of the rows at the state last accelerated.
    row_power: f64,
    /// Given forces that are not conservative.
    working: Vec<bool>,
    /// Rows whose reaction can do work.
    working_rows: Vec<bool>,
    /// The way across a place where rows lose their rank, as long as it lasts.
    crossing: Option<Box<Crossing>>,
    /// Whether it is close to a place where rows lose their rank, which is not on the surface.
    is_beside: bool,
    /// Why an evaluation failed since the last step that was accepted.
    pub(super) failure: Option<Failure>,
    /// Whether one found no state since then that meets the rows.
    lost: bool,
    /// Rates that rows hold at zero, where forces may ask for their sign.
    still: Option<Still>,
    /// The times at which the motion is looked at: on one side of where forces switch.
    times: [f64; 2],
    /// What rounding leaves in a step, and room for derivatives at two times.
    rounding: Rounding,
    rounded: [Vec<[f64; 1]>; 2],
    /// The derivative of the right-hand side by the state, for implicit steps, and what it is made of.
    linearised: Option<linearised::Found>,
    slopes: Option<Slopes>,
    mechanism: &'m Mechanism,
    /// The last failure of all.
    last_failure: Option<Failure>,
    /// Evaluations that failed.
    refused: usize,
}

/// The programs of a motion, for which other values of the parameters may be set: the right-hand side, and the way back to the rows.
pub(super) struct Programs(Option<Unrolled>, Option<WayBack>);

impl Programs {
    /// The programs of a mechanism that starts at a state, in native code.
    pub(super) fn new(mechanism: &Mechanism, state: &State) -> Self {
        let unrolled = Unrolled::adjustable(mechanism, state, MOST_OPERATIONS);
        let sizes = mechanism.sizes(state);
        let sizes = [&*sizes.coordinates, &sizes.rates];
        let way_back = unrolled.as_ref();
        let mut way_back = way_back.and_then(|it| it.way_back(mechanism, state, sizes));
        if let Some(unrolled) = &unrolled {
            unrolled.make_native();
        }
        way_back.iter_mut().for_each(WayBack::make_native);
        Self(unrolled, way_back)
    }
}

impl<'m> MotionSystem<'m> {
    /// The equation of a mechanism that starts at `state`. A formulation that the rows do not admit is
    /// refused before it comes here.
    pub(super) fn new(mechanism: &'m Mechanism, state: &State, formulation: Formulation) -> Self {
        Self::with_programs(mechanism, state, formulation, None)
    }

    /// The same by multipliers with programs that were made for other values of the parameters.
    pub(super) fn by(mechanism: &'m Mechanism, state: &State, programs: Programs) -> Self {
        let Programs(mut unrolled, mut way_back) = programs;
        let active = state.mode.of(&mechanism.system);
        if let Some(unrolled) = &mut unrolled {
            unrolled.set_parameters(&mechanism.parameters);
            unrolled.set_active(&active);
        }
        if let Some(way_back) = &mut way_back {
            let sizes = mechanism.sizes(state);
            way_back.set_parameters(&mechanism.parameters);
            way_back.set_sizes([&*sizes.coordinates, &sizes.rates]);
            way_back.set_active(&active);
        }
        let programs = Some((unrolled, way_back));
        Self::with_programs(mechanism, state, Formulation::Multipliers, programs)
    }

    /// The programs, for others to use.
    pub(super) fn into_programs(self) -> Programs {
        Programs(self.unrolled, self.way_back)
    }

    /// Goes on with other values of the parameters; what was measured at the start stays.
    pub(super) fn set_parameters(&mut self, parameters: &[f64]) {
        self.solver.evaluator.set_parameters(parameters);
        let kept = |it: &mut Unrolled| it.set_parameters(parameters);
        if !self.unrolled.as_mut().is_none_or(kept) {
            self.unrolled = None;
        }
        let kept = |it: &mut WayBack| it.set_parameters(parameters);
        if !self.way_back.as_mut().is_none_or(kept) {
            self.way_back = None;
        }
    }

    /// The same, with the programs of another mode if there are any.
    fn with_programs(
        mechanism: &'m Mechanism,
        state: &State,
        formulation: Formulation,
        programs: Option<(Option<Unrolled>, Option<WayBack>)>,
    ) -> Self {
        let equations = &mechanism.equations;
        let (n, rows) = (equations.coordinates(), equations.rows());
        // Independent coordinates keep the rows at every evaluation.
        let redundancy = match formulation {
            Formulation::Independent => Redundancy::default(),
            _ => Redundancy::at(mechanism, state),
        };
        let tolerance = redundancy.tolerance;
        let system = &mechanism.system;
        // A force that holds a constraint is counted with its row, which has its size.
        let working: Vec<bool> = Id::enumerate(&system.forces)
            .map(|(id, force)| !force.conservative && system.is_given(id))
            .collect();
        let working_rows: Vec<bool> = Id::enumerate(&system.rows)
            .map(|(id, row)| !row.powerless || system.held_by(id).is_some())
            .collect();
        let nonideal = system.nonideal.iter().any(|w| !w.is_empty());
        let mut solver = Solver::new(mechanism, tolerance);
        solver.set_mode(&state.mode);
        solver.set(state.t, &state.coordinates, &state.rates);
        solver.measure();
        let sizes = mechanism.sizes(state);
        let rounding = Rounding::new(mechanism, state, &sizes.rates);
        let mut position = Projector::new(
            equations.position_pattern(),
            equations.position_factorisation(tolerance),
            (&solver.evaluator.position_terms(), &sizes.coordinates),
            MAX_CORRECTIONS,
        );
        let mut velocity = Projector::new(
            equations.velocity_pattern(),
            equations.velocity_factorisation(tolerance),
            (&solver.evaluator.velocity_terms(), &sizes.rates),
            MAX_CORRECTIONS,
        );
        let inactive = solver.evaluator.inactive_rows();
        position.leave_out(equations.position_rows(), inactive);
        velocity.leave_out(equations.velocity_rows(), inactive);
        // Laws that use reactions are held against the least of them, which ranks by a tolerance give.
        if solver.laws.is_none() {
            let [all, of_positions, of_velocities] = redundancy.relations;
            solver.workspace.factorisation().relate(all);
            position.relate(of_positions);
            velocity.relate(of_velocities);
        }
        let start = (state, &mut solver.evaluator);
        let still = Still::new(mechanism, start, &mut position, &rounding);
        let (unrolled, way_back) = programs.unwrap_or_else(|| {
            let unrolled = (formulation == Formulation::Multipliers)
                .then(|| Unrolled::new(mechanism, state, MOST_OPERATIONS))
                .flatten();
            let sizes = [&*sizes.coordinates, &sizes.rates];
            let way_back = unrolled.as_ref().filter(|_| still.is_none());
            let way_back = way_back.and_then(|it| it.way_back(mechanism, state, sizes));
            (unrolled, way_back)
        });
        Self {
            // Rates that rows hold at zero are looked after by the general route.
            way_back: way_back.filter(|_| still.is_none()),
            unrolled,
            n,
            has_speeds: system.speeds.is_some(),
            counts_work: working.contains(&true)
                || working_rows.contains(&true)
                || equations.driven()
                || nonideal,
            formulation,
            motion: Motion::default(),
            position,
            velocity,
            native_s: 0.0,
            has_metric: false,
            reduced: (formulation == Formulation::Independent)
                .then(|| Reduced::new(mechanism, state))
                .flatten(),
            rates: vec![0.0; n],
            accelerations: vec![0.0; n],
            multipliers: vec![0.0; rows],
            inverse: SpeedInverse::of(equations),
            row_power: 0.0,
            working,
            working_rows,
            crossing: None,
            is_beside: false,
            failure: None,
            lost: false,
            still,
            times: [f64::NEG_INFINITY, f64::INFINITY],
            rounding,
            rounded: [const { Vec::new() }; 2],
            linearised: None,
            slopes: None,
            mechanism,
            last_failure: None,
            refused: 0,
            solver,
        }
    }

    /// Seconds that native code and derivatives took to make on the way.
    pub(super) fn native_s(&self) -> f64 {
        let unrolled = self.unrolled.as_ref().map_or(0.0, Unrolled::native_s);
        let way_back = self.way_back.as_ref().map_or(0.0, WayBack::native_s);
        self.native_s + unrolled + way_back
    }

    /// Whether the right-hand side as one program, if there is one, runs in native code, and the way back to the rows too.
    pub(super) fn is_native(&self) -> bool {
        let way_back = self.way_back.as_ref().is_none_or(WayBack::is_native);
        way_back && self.unrolled.as_ref().is_some_and(Unrolled::is_native)
    }

    /// Takes notice that about so many evaluations are to come.
    pub(super) fn expect(&mut self, evaluations: f64) {
        let unrolled = self.unrolled.as_mut().filter(|it| !it.is_native());
        let pays = unrolled.is_some_and(|it| it.expect(evaluations));
        if let Some(way_back) = self.way_back.as_mut().filter(|_| pays) {
            way_back.make_native();
        }
    }

    /// Compiles to native code now; whether all of it is.
    pub(super) fn make_native(&self) -> bool {
        match &self.unrolled {
            Some(unrolled) => unrolled.make_native(),
            None => self.solver.evaluator.equations().make_native(),
        }
    }

    /// Looks at the motion at no time before or after these.
    pub(super) fn see_times(&mut self, times: [f64; 2]) {
        self.times = times;
    }

    /// The time at which the motion is looked at for a time.
    fn seen(&self, t: f64) -> f64 {
        let [behind, before] = self.times;
        t.min(before).max(behind)
    }

    /// Sets the evaluator to a state y, and finds the rates; whether there are any.
    pub(super) fn set(&mut self, t: f64, y: &[[f64; 1]]) -> bool {
        let n = self.n;
        self.solver.evaluator.set_position(t, y[..n].as_flattened());
        if !self.has_speeds {
            self.rates.copy_from_slice(y[n..2 * n].as_flattened());
        } else {
            let Some(map) = self.solver.evaluator.speeds() else {
                return false;
            };
            for ((rate, v), offset) in self.rates.iter_mut().zip(&y[n..2 * n]).zip(map.offset) {
                *rate = v[0] - offset;
            }
            let Some(inverse) = &mut self.inverse else {
                return false;
            };
            if !inverse.factor(&map.matrix) || !inverse.solve(&mut self.rates) {
                return false;
            }
        }
        self.hold_still();
        self.solver.evaluator.set_rates(&self.rates);
        true
    }

    /// The rates at a state y, if there are any; the evaluator need not be set to it.
    pub(super) fn rates_at(&mut self, t: f64, y: &[[f64; 1]]) -> Option<&[f64]> {
        if self.has_speeds {
            return self.set(t, y).then_some(&*self.rates);
        }
        let n = self.n;
        self.rates.copy_from_slice(y[n..2 * n].as_flattened());
        self.hold_still();
        Some(&self.rates)
    }

    /// Sets the rates to zero that rows hold there; whether there are any.
    fn hold_still(&mut self) -> bool {
        let held = self.still.as_ref().map_or(&[][..], Still::held);
        held.iter().for_each(|&i| self.rates[i] = 0.0);
        !held.is_empty()
    }

    /// Speeds of the rates that are set.
    fn speeds_into(&mut self, y: &mut [[f64; 1]]) {
        let n = self.n;
        let Some(map) = self.solver.evaluator.speeds() else {
            y[n..2 * n].as_flattened_mut().copy_from_slice(&self.rates);
            return;
        };
        for (y, v) in y[n..2 * n].iter_mut().zip(map.speeds(&self.rates)) {
            y[0] = v;
        }
    }

    /// A start in the layout of y.
    pub(super) fn start(&mut self, t: f64, coordinates: &[f64], rates: &[f64]) -> Vec<[f64; 1]> {
        let mut y = vec![[0.0]; 2 * self.n + 1];
        y[..self.n].as_flattened_mut().copy_from_slice(coordinates);
        self.solver.evaluator.set_position(t, coordinates);
        self.rates.copy_from_slice(rates);
        self.solver.evaluator.set_rates(rates);
        self.speeds_into(&mut y);
        y
    }

    /// Rates of the state last set.
    pub(super) fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// q'' and λ at the state that is set.
    fn accelerate(&mut self) -> Result<(), Failure> {
        let found = self.accelerate_as_measured();
        if let Err(Failure::Unsolved(Unsolved::Contradictory { .. })) = found {
            // Terms may have grown since they were measured: what contradicts may be rounding of them.
            self.solver.measure();
            return self.accelerate_as_measured();
        }
        found
    }

    fn accelerate_as_measured(&mut self) -> Result<(), Failure> {
        let (accelerations, multipliers) = (&mut self.accelerations, &mut self.multipliers);
        if self.formulation == Formulation::Multipliers {
            self.solver.accelerate(accelerations, multipliers)?;
        } else {
            self.solver.prepare()?;
            let problem = Problem::from(self.solver.evaluator.latest());
            let workspace = &mut self.solver.workspace;
            solve(self.formulation, &problem, workspace, &mut self.motion)?;
            accelerations.copy_from_slice(&self.motion.acceleration);
            multipliers.copy_from_slice(&self.motion.multipliers);
        }
        let problem = Problem::from(self.solver.evaluator.latest());
        let rows = self.multipliers.iter().enumerate();
        self.row_power = rows
            .filter(|&(row, _)| self.working_rows[row])
            .map(|(row, lambda)| lambda * problem.reach(row, &self.rates))
            .sum();
        Ok(())
    }

    /// Power of all that is not the potential, at the state last accelerated.
    fn power(&mut self) -> f64 {
        if !self.counts_work {
            return 0.0;
        }
        let rates = &self.rates;
        let found = self.solver.evaluator.energetics(&self.accelerations);
        let given: f64 = (0..found.forces.rows())
            .filter(|&force| self.working[force])
            .map(|force| found.forces.along(force, rates))
            .sum();
        let nonideal: f64 = (0..found.nonideal.rows())
            .map(|constraint| found.nonideal.along(constraint, rates))
            .sum();
        self.row_power + given + nonideal + found.drive
    }

    /// Sets the evaluator to the state that the independent entries of y determine; whether others differ from
    /// those of y, or `None` if there is no such state.
    fn recover(&mut self, t: f64, y: &[[f64; 1]]) -> Option<bool> {
        let inverse = self.inverse.as_mut();
        let evaluator = &mut self.solver.evaluator;
        let reduced = self.reduced.as_mut()?;
        let moved = reduced.recover(evaluator, inverse, &mut self.rates, (t, y));
        if self.hold_still() {
            self.solver.evaluator.set_rates(&self.rates);
        }
        moved
    }

    /// Puts the dependent entries of y where the rows want them, and looks at the choice.
    fn recover_into(&mut self, t: f64, y: &mut [[f64; 1]]) -> Option<bool> {
        let n = self.n;
        let moved = self.recover(t, y)?;
        let reduced = self.reduced.as_mut()?;
        let (q, v) = reduced.state();
        y[..n].as_flattened_mut().copy_from_slice(q);
        y[n..2 * n].as_flattened_mut().copy_from_slice(v);
        let (position, velocity) = reduced.residuals();
        self.position.add_residual(position);
        self.velocity.add_residual(velocity);
        reduced.watch(&mut self.solver.evaluator, self.inverse.as_mut(), t);
        Some(moved)
    }

    /// Whether no state meets the rows a little later than at a state, the last that was reached.
    pub(super) fn is_lost(&mut self, t: f64, y: &[[f64; 1]], later: f64) -> bool {
        if self.reduced.is_none() || self.lost {
            return self.lost;
        }
        let mut ahead = y.to_vec();
        self.set(t, y);
        for (ahead, rate) in ahead.iter_mut().zip(&self.rates) {
            ahead[0] += later * rate;
        }
        self.recover(t + later, &ahead).is_none()
    }

    /// The independent coordinates and speeds that govern, if they do.
    pub(super) fn reduction(&self) -> Option<Reduction> {
        self.reduced.as_ref().map(Reduced::report)
    }

    /// Largest residuals of position and velocity rows that projections have left.
    pub(super) fn largest_residuals(&self) -> (f64, f64) {
        (self.position.residual(), self.velocity.residual())
    }
}

#[cfg(test)]
mod tests;
