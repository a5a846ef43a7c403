//! Agreement of the formulations at random states that meet the constraints.
//!
//! The start is shaken by random numbers, always the same ones, and moved back to the rows by Newton's method; there all
//! formulations must give the same accelerations and the same forces of the constraints. They share M, h, A, b and w: their
//! agreement is a witness of the linear algebra, and of the model being one that determines its motion.

mod idle;
mod shake;

use crate::decide::{CLEAR, NO_INERTIA};
use crate::equations::Canonical;
use crate::formulation::{Formulation, Motion, Problem, Tolerance, solve};
use crate::lower::Level;
use crate::mechanism::Mechanism;
use crate::solver::Solver;
use crate::state::State;
use shake::Shaker;

/// States compared where they cost little.
const STATES: usize = 100;
/// Coordinates and rows up to which there are so many; above, fewer by the cube.
const SMALL: usize = 32;
/// Coordinates and rows above which Udwadia and Kalaba's singular values take too long.
const MEDIUM: usize = 300;
/// Coordinates and rows above which nothing is compared.
const LARGE: usize = 1000;

/// What a comparison of formulations found.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The formulations compared; one alone if the model is too large to compare any.
    pub formulations: Vec<Formulation>,
    /// Rows that independent speeds cannot meet.
    pub not_reducible: Vec<usize>,
    /// Random states asked for: fewer than usual if the model is large.
    pub asked: usize,
    /// Random states compared, besides the start.
    pub states: usize,
    /// Largest relative difference of accelerations and forces from those by multipliers; infinite where a
    /// formulation finds no motion.
    pub max_difference: f64,
    /// The formulation that differs most.
    pub farthest: Option<Formulation>,
}

impl Certificate {
    /// Whether the formulations agree.
    #[must_use]
    pub fn agree(&self) -> bool {
        self.max_difference <= CLEAR
    }

    /// Whether states or formulations were left out because the model is large.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        let applicable = Formulation::ALL.len() - usize::from(!self.not_reducible.is_empty());
        self.asked < STATES || self.formulations.len() < applicable
    }
}

impl Mechanism {
    /// Rows that independent speeds cannot meet: velocity rows that are not linear, and acceleration rows.
    #[must_use]
    pub fn not_reducible_rows(&self) -> Vec<usize> {
        let rows = self.system.rows.iter().enumerate();
        rows.filter(|(_, row)| !row.linear || row.level == Level::Acceleration)
            .map(|(index, _)| index)
            .collect()
    }

    /// The formulations that the kinds of its rows admit.
    #[must_use]
    pub fn formulations(&self) -> Vec<Formulation> {
        let reducible = self.not_reducible_rows().is_empty();
        let admits =
            |formulation: &Formulation| reducible || *formulation != Formulation::Independent;
        Formulation::ALL.into_iter().filter(admits).collect()
    }

    /// Random states around one that meet the constraints, always the same ones; fewer than `count` where the rows
    /// cannot be met.
    #[must_use]
    pub fn states_around(&self, start: &State, count: usize) -> Vec<State> {
        let mut shaker = Shaker::new(self, start);
        let next = |_| shaker.next().cloned();
        (0..count).filter_map(next).collect()
    }

    /// Compares the formulations at the start and at random states around it.
    #[must_use]
    pub fn certify(&self, start: &State) -> Certificate {
        let size = self.equations.coordinates() + self.equations.rows();
        let (formulations, asked) = extent(self.formulations(), size);
        let not_reducible = self.not_reducible_rows();
        let mut comparison = Comparison::new(self, &formulations);
        comparison.compare(start);
        let mut shaker = Shaker::new(self, start);
        let mut states = 0;
        for _ in 0..asked {
            if let Some(state) = shaker.next() {
                states += usize::from(comparison.compare(state));
            }
        }
        let (max_difference, farthest) = (comparison.max_difference, comparison.farthest);
        Certificate {
            formulations,
            not_reducible,
            asked,
            states,
            max_difference,
            farthest,
        }
    }
}

/// Formulations and random states for a model of this size.
fn extent(mut formulations: Vec<Formulation>, size: usize) -> (Vec<Formulation>, usize) {
    let part = (SMALL as f64 / size.max(1) as f64).powi(3).min(1.0);
    let states = ((STATES as f64 * part) as usize).max(1);
    if size > MEDIUM {
        formulations.retain(|formulation| *formulation != Formulation::UdwadiaKalaba);
    }
    if size > LARGE {
        formulations.truncate(1);
        return (formulations, 0);
    }
    (formulations, states)
}

/// One state after the other, by all formulations.
struct Comparison<'m> {
    solver: Solver<'m>,
    others: Vec<Formulation>,
    reference: Motion,
    motion: Motion,
    max_difference: f64,
    farthest: Option<Formulation>,
}

impl<'m> Comparison<'m> {
    fn new(mechanism: &'m Mechanism, formulations: &[Formulation]) -> Self {
        let (n, rows) = (
            mechanism.equations.coordinates(),
            mechanism.equations.rows(),
        );
        let by_multipliers = |formulation: &Formulation| *formulation == Formulation::Multipliers;
        Self {
            solver: Solver::new(mechanism, Tolerance::default()),
            others: formulations
                .iter()
                .copied()
                .filter(|formulation| !by_multipliers(formulation))
                .collect(),
            reference: Motion::new(n, rows),
            motion: Motion::new(n, rows),
            max_difference: 0.0,
            farthest: None,
        }
    }

    /// Compares at a state; whether there is a motion to compare with.
    fn compare(&mut self, state: &State) -> bool {
        let solver = &mut self.solver;
        solver.set(state.t, &state.coordinates, &state.rates);
        let terms = solver.evaluator.row_terms();
        let right_sides = terms.bias.clone();
        solver.workspace.measure_by(terms);
        // Where the laws have no solution there is no motion to compare.
        if solver.prepare().is_err() {
            return false;
        }
        let now = solver.evaluator.latest();
        let problem = Problem::from(now);
        let (workspace, reference) = (&mut solver.workspace, &mut self.reference);
        if self.others.is_empty()
            || solve(Formulation::Multipliers, &problem, workspace, reference).is_err()
        {
            return false;
        }
        for &formulation in &self.others {
            let found = solve(formulation, &problem, workspace, &mut self.motion);
            let difference = match found {
                Ok(()) => difference(&now, &right_sides, reference, &self.motion),
                Err(_) => f64::INFINITY,
            };
            if difference > self.max_difference {
                (self.max_difference, self.farthest) = (difference, Some(formulation));
            }
        }
        true
    }
}

/// Largest difference of accelerations and forces beside the largest of them, of the given forces and of what the terms of b
/// would ask for each alone, in units in which each coordinate has an inertia of one: there an acceleration is as large as the
/// force that makes it.
pub(crate) fn difference(now: &Canonical<'_>, terms: &[f64], left: &Motion, right: &Motion) -> f64 {
    let n = left.acceleration.len();
    let inertia = |i: usize| now.mass.diagonal(i);
    let heaviest = (0..n).map(inertia).fold(0.0, f64::max);
    // What has no inertia counts as the heaviest.
    let root = |i: usize| match inertia(i) > NO_INERTIA * heaviest {
        true => inertia(i).sqrt(),
        false if heaviest > 0.0 => heaviest.sqrt(),
        false => 1.0,
    };
    let (mut apart, mut size) = (0.0_f64, 0.0_f64);
    for i in 0..n {
        let root = root(i);
        let forces = [
            (left.force_ideal[i], right.force_ideal[i]),
            (left.force_nonideal[i], right.force_nonideal[i]),
        ];
        let accelerations = (left.acceleration[i] * root, right.acceleration[i] * root);
        let forces = forces.map(|(l, r)| (l / root, r / root));
        for (l, r) in [accelerations].into_iter().chain(forces) {
            apart = apart.max((l - r).abs());
            size = size.max(l.abs());
        }
        // Of a compressed matrix the upper triangle: a measure of size, not more.
        let inertial = now.mass.size_along(i, &left.acceleration) / root;
        size = size.max(now.force[i].abs() / root).max(inertial);
    }
    for (row, terms) in terms.iter().enumerate() {
        let entries = now.jacobian.stored(row).map(|(j, a)| a / root(j));
        let asked = terms / entries.map(|a| a * a).sum::<f64>().sqrt();
        size = size.max(if asked.is_finite() { asked } else { 0.0 });
    }
    if apart == 0.0 { 0.0 } else { apart / size }
}

#[cfg(test)]
mod tests {
    use super::{Certificate, difference, extent};
    use crate::equations::Canonical;
    use crate::formulation::{Formulation, Motion};
    use crate::linear::Matrix;

    #[test]
    fn differences_of_accelerations_and_forces_are_seen() {
        let now = Canonical {
            mass: Matrix::full(2, 2, &[2.0, 0.0, 0.0, 50.0]),
            force: &[0.0, 10.0],
            nonideal: &[0.0; 2],
            jacobian: Matrix::full(1, 2, &[1.0, 0.0]),
            bias: &[0.0],
            servo_rows: &[],
            servo_directions: &[],
            field: &[],
        };
        let mut left = Motion::new(2, 1);
        left.acceleration = vec![0.0, 4.0];
        left.force_ideal = vec![0.0, 190.0];
        assert!(difference(&now, &[0.0], &left, &left.clone()) < f64::MIN_POSITIVE);
        // In units of √2 and √50: measured by M v' = 200 / √50.
        let spoiled: [fn(&mut Motion); 3] = [
            |motion| motion.acceleration[0] += 0.02,
            |motion| motion.force_ideal[0] -= 0.04,
            |motion| motion.force_nonideal[1] += 0.2,
        ];
        for spoil in spoiled {
            let mut right = left.clone();
            spoil(&mut right);
            assert!((difference(&now, &[0.0], &left, &right) - 1e-3).abs() < 1e-12);
        }
    }

    #[test]
    fn size_limits_states_and_routes() {
        let of = |size| {
            let (formulations, states) = extent(Formulation::ALL.to_vec(), size);
            (formulations.len(), states)
        };
        assert_eq!(of(0), (5, 100));
        assert_eq!(of(32), (5, 100));
        assert_eq!(of(64), (5, 12));
        assert_eq!(of(301), (4, 1));
        assert_eq!(of(1001), (1, 0));
    }

    #[test]
    fn a_formulation_without_a_motion_is_no_agreement() {
        let certificate = Certificate {
            formulations: Formulation::ALL.to_vec(),
            not_reducible: Vec::new(),
            asked: 100,
            states: 100,
            max_difference: f64::INFINITY,
            farthest: Some(Formulation::Complement),
        };
        assert!(!certificate.agree() && !certificate.is_limited());
    }
}
