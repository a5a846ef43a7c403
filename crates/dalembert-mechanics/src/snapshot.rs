//! Everything about the motion at one state, in the words of the contract.

use crate::certify::difference;
use crate::equations::{Evaluator, SpeedInverse};
use crate::formulation::{Failure, Formulation, Laws, Motion, Problem, Tolerance, Unsolved, solve};
use crate::ids::{ConstraintId, Id};
use crate::linear::{Pattern, add_scaled};
use crate::lower::Rough;
use crate::mechanism::Mechanism;
use crate::solver::Solver;
use crate::state::State;
use std::sync::Arc;

/// Coordinates and rows up to which all formulations are computed: some cost the cube of these.
pub const MAX_COMPARED: usize = 1000;

/// The motion at a state. Vectors are by coordinate or by speed, in the model's order.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The state.
    pub state: State,
    /// Speeds v.
    pub speeds: Vec<f64>,
    /// q''.
    pub accelerations: Vec<f64>,
    /// v'.
    pub speed_rates: Vec<f64>,
    /// Actual multipliers by row.
    pub multipliers: Vec<f64>,
    /// Ideal multipliers by row.
    pub multipliers_ideal: Vec<f64>,
    /// h, F ideal, F non-ideal, by speed: M v' is their sum.
    pub force_given: Vec<f64>,
    /// F ideal by speed.
    pub force_ideal: Vec<f64>,
    /// F non-ideal by speed.
    pub force_nonideal: Vec<f64>,
    /// What the forces that hold constraints do, by speed; M v' is the sum of all four.
    pub force_servo: Vec<f64>,
    /// Generalized reaction of each constraint, by coordinate.
    pub reactions: Reactions,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy.
    pub potential: f64,
    /// Power of each force.
    pub force_power: Vec<f64>,
    /// Power of each constraint.
    pub constraint_power: Vec<f64>,
    /// Power of explicitly time-dependent kinematics and potentials.
    pub drive: f64,
    /// v' by each formulation that finds a motion.
    pub formulations: Vec<(Formulation, Vec<f64>)>,
    /// The one of them that differs most from the first, and by how much, as [`certify`](Mechanism::certify) measures it.
    pub difference: Option<(f64, Formulation)>,
    /// Rank of A.
    pub rank: usize,
    /// Rows that depend on rows before them.
    pub redundant: Vec<bool>,
    /// Rows whose multiplier has one value only.
    pub unique: Vec<bool>,
    /// Ways of slips in the order of the frictions: +1 or −1 along a line, the components of a unit vector in a plane; less than one where
    /// friction holds, by the part of it that does.
    pub ways: Vec<f64>,
    /// What has friction that slips can vanish of, and whether it is held.
    pub slips: Vec<(Rough, bool)>,
    /// Those that are held, or pressed, by one of many forces: reactions of such constraints are not unique.
    pub held_in_many_ways: Vec<Rough>,
}

impl Snapshot {
    /// The rows of this instant do not give the motion, so what follows from accelerations or multipliers is no number.
    pub fn leave_motion_open(&mut self) {
        let by_motion = [
            &mut self.accelerations,
            &mut self.speed_rates,
            &mut self.multipliers,
            &mut self.multipliers_ideal,
            &mut self.force_ideal,
            &mut self.force_nonideal,
            &mut self.force_servo,
            &mut self.constraint_power,
            &mut self.reactions.values,
        ];
        by_motion.into_iter().for_each(|it| it.fill(f64::NAN));
        self.formulations.clear();
        self.difference = None;
    }
}

/// Generalized reactions of the constraints: in small models on every coordinate, in large ones on
/// the coordinates that a constraint knows.
#[derive(Clone, Debug)]
pub struct Reactions {
    pattern: Arc<Pattern>,
    values: Vec<f64>,
}

impl Default for Reactions {
    fn default() -> Self {
        Self::filled(&Arc::new(Pattern::full(0, 0)), 0.0)
    }
}

impl Reactions {
    /// The same number everywhere.
    #[must_use]
    pub fn filled(pattern: &Arc<Pattern>, value: f64) -> Self {
        Self {
            pattern: Arc::clone(pattern),
            values: vec![value; pattern.size()],
        }
    }

    /// All constraints.
    pub fn constraints(&self) -> impl Iterator<Item = ConstraintId> + use<> {
        (0..self.pattern.rows()).map(ConstraintId::new)
    }

    /// The reaction of one constraint: coordinates and components.
    pub fn of(&self, constraint: ConstraintId) -> impl Iterator<Item = (usize, f64)> + '_ {
        let values = self.values[self.pattern.row(constraint.index())]
            .iter()
            .copied();
        self.pattern.columns_of(constraint.index()).zip(values)
    }

    /// The components of one constraint's reaction, in the order of [`Self::of`].
    #[must_use]
    pub fn components(&self, constraint: ConstraintId) -> &[f64] {
        &self.values[self.pattern.row(constraint.index())]
    }

    /// The reaction of one constraint on every coordinate.
    #[must_use]
    pub fn on_all(&self, constraint: ConstraintId) -> Vec<f64> {
        let mut all = vec![0.0; self.pattern.columns()];
        self.of(constraint).for_each(|(i, value)| all[i] = value);
        all
    }

    /// The reaction of a constraint is one of many: no numbers.
    pub fn leave_open(&mut self, constraint: ConstraintId) {
        self.values[self.pattern.row(constraint.index())].fill(f64::NAN);
    }

    /// The same of what it does to some coordinates.
    pub fn leave_open_along(
        &mut self,
        constraint: ConstraintId,
        coordinates: impl Iterator<Item = usize>,
    ) {
        let open = coordinates.map(|column| (column, f64::NAN));
        self.add(constraint, open);
    }

    fn add(&mut self, constraint: ConstraintId, entries: impl Iterator<Item = (usize, f64)>) {
        for (column, value) in entries {
            if let Some(place) = self.pattern.place(constraint.index(), column) {
                self.values[place] += value;
            }
        }
    }
}

/// Why there is no snapshot.
#[derive(Clone, Debug, PartialEq)]
pub enum NoMotion {
    /// The accelerations are not determined.
    Failure(Failure),
    /// The speeds do not determine the rates.
    SingularSpeeds,
}

impl From<Failure> for NoMotion {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl Mechanism {
    /// Everything about the motion at a state, by all formulations if the system is not too large.
    ///
    /// # Errors
    /// The accelerations are not determined there.
    pub fn snapshot(&self, state: &State) -> Result<Snapshot, NoMotion> {
        let size = self.equations.coordinates() + self.equations.rows();
        if size > MAX_COMPARED {
            return self.motion(state);
        }
        self.snapshot_by(state, &self.formulations())
    }

    /// The same by multipliers alone, as runs compute it.
    ///
    /// # Errors
    /// The accelerations are not determined there.
    pub fn motion(&self, state: &State) -> Result<Snapshot, NoMotion> {
        self.motion_by(Formulation::Multipliers, state)
    }

    /// The same by one formulation.
    ///
    /// # Errors
    /// The accelerations are not determined there, or the formulation does not know this kind of rows.
    pub fn motion_by(&self, route: Formulation, state: &State) -> Result<Snapshot, NoMotion> {
        self.snapshot_by(state, &[route])
    }

    fn snapshot_by(&self, state: &State, routes: &[Formulation]) -> Result<Snapshot, NoMotion> {
        let mut solver = Solver::new(self, Tolerance::default());
        solver.set_mode(&state.mode);
        solver.set(state.t, &state.coordinates, &state.rates);
        solver.measure();
        self.snapshot_with(&mut solver, state, routes)
    }

    /// Everything about the motion at the state that a solver is set to, decided as the solver decides.
    ///
    /// # Errors
    /// The accelerations are not determined there.
    pub fn snapshot_with(
        &self,
        solver: &mut Solver<'_>,
        state: &State,
        routes: &[Formulation],
    ) -> Result<Snapshot, NoMotion> {
        solver.prepare()?;
        let Solver {
            evaluator,
            workspace,
            laws,
        } = solver;
        let slips = laws.iter().flat_map(Laws::slips).collect();
        let held_in_many_ways = laws.iter().flat_map(Laws::held_in_many_ways).collect();
        let open_rows: Vec<usize> = laws.iter().flat_map(Laws::open_rows).collect();
        let canonical = evaluator.latest();
        let not_reducible = self.not_reducible_rows();
        let problem = Problem::from(canonical).with_not_reducible(&not_reducible);
        let mut motion = Motion::default();
        let mut found = Vec::new();
        // The first last: the rest of the snapshot is its, and without its motion there is none.
        for (place, &formulation) in routes.iter().enumerate().rev() {
            match solve(formulation, &problem, workspace, &mut motion) {
                Ok(()) => found.push((formulation, motion.clone())),
                Err(failure) if place == 0 => return Err(failure.into()),
                Err(_) => {}
            }
        }
        found.reverse();
        let right_sides = match routes.len() {
            0..=1 => Vec::new(),
            _ => evaluator.row_terms().bias,
        };
        let apart = |(route, other): &(Formulation, Motion)| {
            (difference(&canonical, &right_sides, &motion, other), *route)
        };
        let apart = found.iter().skip(1).map(apart);
        let difference = apart.max_by(|a, b| a.0.total_cmp(&b.0));
        let formulations: Vec<(Formulation, Vec<f64>)> = found
            .iter()
            .map(|(route, motion)| (*route, motion.acceleration.clone()))
            .collect();

        let mut snapshot = Snapshot {
            difference,
            state: state.clone(),
            accelerations: motion.acceleration.clone(),
            multipliers: motion.multipliers.clone(),
            multipliers_ideal: motion.multipliers_ideal.clone(),
            rank: motion.rank,
            slips,
            held_in_many_ways,
            redundant: motion.rows.iter().map(|row| row.redundant).collect(),
            unique: motion.rows.iter().map(|row| row.reaction_unique).collect(),
            ..Snapshot::default()
        };
        open_rows
            .into_iter()
            .for_each(|row| snapshot.unique[row] = false);
        // What does not count depends on nothing.
        for &row in evaluator.inactive_rows() {
            (snapshot.redundant[row], snapshot.unique[row]) = (false, true);
        }
        self.reactions(&problem, &motion, state, &mut snapshot);
        let (mass, force) = (canonical.mass.values().to_vec(), canonical.force.to_vec());
        self.in_speeds(
            evaluator,
            (&mass, &force),
            &motion,
            &formulations,
            &mut snapshot,
        )?;
        self.energetics(evaluator, &mut snapshot);
        snapshot.ways = evaluator.ways().to_vec();
        Ok(snapshot)
    }

    /// Reaction A_iᵀ λ_i of the rows of each constraint, or E_iᵀ μ_i, whose power is the force's; w is added with the energetics.
    fn reactions(
        &self,
        problem: &Problem<'_>,
        motion: &Motion,
        state: &State,
        snapshot: &mut Snapshot,
    ) {
        snapshot.reactions = Reactions::filled(self.equations.reaction_pattern(), 0.0);
        snapshot.constraint_power = vec![0.0; self.model.constraints.len()];
        for (index, row) in self.system.rows.iter().enumerate() {
            let lambda = motion.multipliers[index];
            if let Some(direction) = problem.direction(index) {
                let entries = direction.iter().map(|e| e * lambda).enumerate();
                snapshot.reactions.add(row.constraint, entries);
                continue;
            }
            let entries = problem.jacobian().stored(index);
            let entries = entries.map(|(column, a)| (column, a * lambda));
            snapshot.reactions.add(row.constraint, entries);
            snapshot.constraint_power[row.constraint.index()] +=
                motion.power(problem, index, &state.rates);
        }
    }

    /// F_v = Nᵀ F and h_v = Nᵀ (h + M N γ), with N = B⁻¹.
    fn in_speeds(
        &self,
        evaluator: &mut Evaluator<'_>,
        (mass, force): (&[f64], &[f64]),
        motion: &Motion,
        formulations: &[(Formulation, Vec<f64>)],
        snapshot: &mut Snapshot,
    ) -> Result<(), NoMotion> {
        let rates = snapshot.state.rates.clone();
        let Some(map) = evaluator.speeds() else {
            snapshot.speeds = rates;
            snapshot.speed_rates.clone_from(&motion.acceleration);
            snapshot.force_given = force.to_vec();
            snapshot.force_ideal.clone_from(&motion.force_ideal);
            snapshot.force_nonideal.clone_from(&motion.force_nonideal);
            snapshot.force_servo.clone_from(&motion.force_servo);
            snapshot.formulations = formulations.to_vec();
            return Ok(());
        };
        let speed_rates = |a: &[f64]| map.speed_rates(a).take(map.named).collect();
        snapshot.speeds = map.speeds(&rates).take(map.named).collect();
        snapshot.speed_rates = speed_rates(&motion.acceleration);
        snapshot.formulations = formulations
            .iter()
            .map(|(name, a)| (*name, speed_rates(a)))
            .collect();
        let mut inverse =
            SpeedInverse::of(&self.equations).ok_or(Failure::Unsolved(Unsolved::TooLarge))?;
        let mut shift = map.gamma.to_vec();
        let found = inverse.factor(&map.matrix) && inverse.solve(&mut shift);
        found.then_some(()).ok_or(NoMotion::SingularSpeeds)?;
        let mut inertial = vec![0.0; force.len()];
        let mass = self.equations.mass_pattern().matrix(mass);
        mass.multiply(&shift, &mut inertial);
        add_scaled(&mut inertial, 1.0, force);
        let mut turn = |x: &[f64]| {
            let mut turned = x.to_vec();
            let found = inverse.solve_transposed(&mut turned);
            // Along the others there is no motion, and what holds identities is no force.
            turned.truncate(map.named);
            found.then_some(turned).ok_or(NoMotion::SingularSpeeds)
        };
        snapshot.force_given = turn(&inertial)?;
        snapshot.force_ideal = turn(&motion.force_ideal)?;
        snapshot.force_nonideal = turn(&motion.force_nonideal)?;
        snapshot.force_servo = turn(&motion.force_servo)?;
        Ok(())
    }

    fn energetics(&self, evaluator: &mut Evaluator<'_>, snapshot: &mut Snapshot) {
        let found = evaluator.energetics(&snapshot.accelerations);
        let rates = &snapshot.state.rates;
        let mut force_power: Vec<f64> = (0..found.forces.rows())
            .map(|force| found.forces.along(force, rates))
            .collect();
        for servo in &self.system.servo {
            force_power[servo.force.index()] *= snapshot.multipliers[servo.row.index()];
        }
        for constraint in Id::all(&self.model.constraints) {
            let index = constraint.index();
            snapshot.constraint_power[index] += found.nonideal.along(index, rates);
            let w = found.nonideal.stored(index);
            snapshot.reactions.add(constraint, w);
        }
        snapshot.force_power = force_power;
        (snapshot.kinetic, snapshot.potential, snapshot.drive) =
            (found.kinetic, found.potential, found.drive);
    }
}
