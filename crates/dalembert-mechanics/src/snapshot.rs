//! Everything about the motion at one state, in the words of the contract.

use crate::equations::Evaluator;
use crate::formulation::{Failure, Formulation, Motion, Problem, Workspace, solve};
use crate::mechanism::Mechanism;
use crate::start::State;

/// Coordinates and rows up to which all formulations are computed: some cost the cube of these.
const MAX_COMPARED: usize = 1000;

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
    /// Generalized reaction of each constraint, by coordinate.
    pub reactions: Vec<Vec<f64>>,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy.
    pub potential: f64,
    /// Power of each given force.
    pub force_power: Vec<f64>,
    /// Power of each constraint.
    pub constraint_power: Vec<f64>,
    /// Power of explicitly time-dependent kinematics and potentials.
    pub drive: f64,
    /// v' by each formulation that finds a motion.
    pub formulations: Vec<(Formulation, Vec<f64>)>,
    /// Coordinates whose rates are the independent ones in [`Formulation::Independent`].
    pub independent: Vec<usize>,
    /// Rank of A.
    pub rank: usize,
    /// Rows that depend on rows before them.
    pub redundant: Vec<bool>,
    /// Rows whose multiplier has one value only.
    pub unique: Vec<bool>,
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
        let n = state.coordinates.len();
        let mut evaluator = self.evaluator();
        evaluator.set_position(state.t, &state.coordinates);
        evaluator.set_rates(&state.rates);
        let canonical = evaluator.canonical();
        let problem = Problem::new(
            canonical.mass,
            canonical.force,
            canonical.jacobian,
            canonical.bias,
            canonical.nonideal,
        );
        let not_reducible = self.not_reducible_rows();
        let problem = problem.with_not_reducible(&not_reducible);
        let mut workspace = Workspace::new(n, problem.nc());
        let mut motion = Motion::default();
        let (mut formulations, mut independent) = (Vec::new(), Vec::new());
        // The first last: the rest of the snapshot is its, and without its motion there is none.
        for (place, &formulation) in routes.iter().enumerate().rev() {
            match solve(formulation, &problem, &mut workspace, &mut motion) {
                Ok(()) => formulations.push((formulation, motion.acceleration.clone())),
                Err(failure) if place == 0 => return Err(failure.into()),
                Err(_) => {}
            }
            independent.append(&mut motion.independent);
        }
        formulations.reverse();

        let mut snapshot = Snapshot {
            state: state.clone(),
            accelerations: motion.acceleration.clone(),
            multipliers: motion.multipliers.clone(),
            multipliers_ideal: motion.multipliers_ideal.clone(),
            independent,
            rank: motion.rank,
            redundant: motion.rows.iter().map(|row| row.redundant).collect(),
            unique: motion.rows.iter().map(|row| row.reaction_unique).collect(),
            ..Snapshot::default()
        };
        self.reactions(&problem, &motion, state, &mut snapshot);
        let (mass, force) = (canonical.mass.to_vec(), canonical.force.to_vec());
        self.in_speeds(
            &mut evaluator,
            (&mass, &force),
            &motion,
            &formulations,
            &mut snapshot,
        )?;
        self.energetics(&mut evaluator, &mut snapshot);
        Ok(snapshot)
    }

    /// Reaction A_iᵀ λ_i of the rows of each constraint; w is added with the energetics.
    fn reactions(
        &self,
        problem: &Problem<'_>,
        motion: &Motion,
        state: &State,
        snapshot: &mut Snapshot,
    ) {
        let n = state.coordinates.len();
        snapshot.reactions = vec![vec![0.0; n]; self.model.constraints.len()];
        snapshot.constraint_power = vec![0.0; self.model.constraints.len()];
        let mut reaction = vec![0.0; n];
        for (index, row) in self.system.rows.iter().enumerate() {
            motion.reaction_into(problem, index, &mut reaction);
            let total = &mut snapshot.reactions[row.constraint];
            total
                .iter_mut()
                .zip(&reaction)
                .for_each(|(total, part)| *total += part);
            snapshot.constraint_power[row.constraint] += motion.power(problem, index, &state.rates);
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
        let n = force.len();
        let rates = snapshot.state.rates.clone();
        let Some(map) = evaluator.speeds() else {
            snapshot.speeds = rates;
            snapshot.speed_rates.clone_from(&motion.acceleration);
            snapshot.force_given = force.to_vec();
            snapshot.force_ideal.clone_from(&motion.force_ideal);
            snapshot.force_nonideal.clone_from(&motion.force_nonideal);
            snapshot.formulations = formulations.to_vec();
            return Ok(());
        };
        let times = |x: &[f64], offset: &[f64]| -> Vec<f64> {
            let row = |i: usize| {
                map.matrix[i * n..(i + 1) * n]
                    .iter()
                    .zip(x)
                    .map(|(a, b)| a * b)
                    .sum::<f64>()
            };
            (0..n).map(|i| row(i) + offset[i]).collect()
        };
        snapshot.speeds = times(&rates, map.offset);
        snapshot.speed_rates = times(&motion.acceleration, map.gamma);
        snapshot.formulations = formulations
            .iter()
            .map(|(name, a)| (*name, times(a, map.gamma)))
            .collect();
        let shift = solve_square(map.matrix, map.gamma, false).ok_or(NoMotion::SingularSpeeds)?;
        let inertial: Vec<f64> = (0..n)
            .map(|i| {
                force[i]
                    + mass[i * n..(i + 1) * n]
                        .iter()
                        .zip(&shift)
                        .map(|(m, s)| m * s)
                        .sum::<f64>()
            })
            .collect();
        let turn = |x: &[f64]| solve_square(map.matrix, x, true).ok_or(NoMotion::SingularSpeeds);
        snapshot.force_given = turn(&inertial)?;
        snapshot.force_ideal = turn(&motion.force_ideal)?;
        snapshot.force_nonideal = turn(&motion.force_nonideal)?;
        Ok(())
    }

    fn energetics(&self, evaluator: &mut Evaluator<'_>, snapshot: &mut Snapshot) {
        let n = snapshot.accelerations.len();
        let found = evaluator.energetics(&snapshot.accelerations);
        let power = |force: &[f64]| {
            force
                .iter()
                .zip(&snapshot.state.rates)
                .map(|(f, v)| f * v)
                .sum::<f64>()
        };
        let force_power = found.forces.chunks_exact(n.max(1)).map(power).collect();
        for (constraint, w) in found.nonideal.chunks_exact(n.max(1)).enumerate() {
            snapshot.constraint_power[constraint] += power(w);
            let total = &mut snapshot.reactions[constraint];
            total
                .iter_mut()
                .zip(w)
                .for_each(|(total, part)| *total += part);
        }
        snapshot.force_power = force_power;
        (snapshot.kinetic, snapshot.potential, snapshot.drive) =
            (found.kinetic, found.potential, found.drive);
    }
}

/// Solves B x = r, or Bᵀ x = r; `None` if B is singular.
fn solve_square(matrix: &[f64], right: &[f64], transposed: bool) -> Option<Vec<f64>> {
    let n = right.len();
    let mut a = matrix.to_vec();
    if transposed {
        for i in 0..n {
            for j in 0..i {
                a.swap(i * n + j, j * n + i);
            }
        }
    }
    let mut x = right.to_vec();
    solve_square_in_place(&mut a, &mut x).then_some(x)
}

/// Solves B x = r in place of r, by elimination with partial pivoting; `false` if B is singular.
pub fn solve_square_in_place(a: &mut [f64], x: &mut [f64]) -> bool {
    let n = x.len();
    let size = a
        .iter()
        .fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    for column in 0..n {
        let size_at = |row: &usize| a[row * n + column].abs();
        let pivot = (column..n).max_by(|i, j| size_at(i).total_cmp(&size_at(j)));
        let pivot = pivot.unwrap_or(column);
        let found = a[pivot * n + column].abs();
        if found.is_nan() || found <= 1e-13 * size {
            return false;
        }
        if pivot != column {
            (0..n).for_each(|k| a.swap(pivot * n + k, column * n + k));
            x.swap(pivot, column);
        }
        for row in column + 1..n {
            let factor = a[row * n + column] / a[column * n + column];
            for k in column..n {
                a[row * n + k] -= factor * a[column * n + k];
            }
            x[row] -= factor * x[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| a[row * n + k] * x[k]).sum();
        x[row] = (x[row] - known) / a[row * n + row];
    }
    true
}
