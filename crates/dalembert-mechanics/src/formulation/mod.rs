//! From one state's numbers to its motion: accelerations, multipliers, forces of the constraints.
//!
//! ```text
//! M v' = h + Aᵀ λ + w,    A v' = b        M nv × nv, A nc × nv; the reaction stands on the right
//! ```
//!
//! Rows may be held by forces of given directions in place of their own reactions: `servo.rs`.
//!
//! [`solve`] answers everything about one state by the [`Formulation`] asked for;
//! [`solve_accelerations`] is what a run calls in every step. All routes give the same v' and the same
//! reactions wherever these are unique, and say so where they are not.
//!
//! ```
//! use dalembert_mechanics::formulation::{Formulation, Motion, Problem, Workspace, solve};
//! // A mass of 2 kg hangs on a string of 1 m: φ = x² + y² − 1, at rest in (0, −1).
//! let problem = Problem::new(&[2.0, 0.0, 0.0, 2.0], &[0.0, -2.0 * 9.81], &[0.0, -2.0], &[0.0], &[0.0; 2]);
//! let (mut workspace, mut motion) = (Workspace::new(2, 1), Motion::new(2, 1));
//! solve(Formulation::Multipliers, &problem, &mut workspace, &mut motion)?;
//! assert!((motion.multipliers[0] + 2.0 * 9.81 / 2.0).abs() < 1e-12); // −m g / (2 l)
//! # Ok::<(), dalembert_mechanics::formulation::Failure>(())
//! ```
#![expect(non_snake_case, reason = "letters of the papers")]

mod complement;
mod failure;
mod independent;
mod law;
mod multipliers;
mod projection;
mod relations;
mod saddle;
mod servo;
mod tangent;
mod tangent_mass;
mod udwadia_kalaba;

pub use crate::linear::factorisation::{
    Factorisation, Quantity, RowReport, Symbolic, Tolerance, Unsolved, Way,
};
pub use failure::Failure;
pub use law::Laws;

use crate::equations::{Canonical, Equations};
use crate::linear::factorisation::RowTerms;
use crate::linear::factorisation::metric::finite;
use crate::linear::{Matrix, add_scaled};
use complement::Complement;
use dalembert_expr::named_choices;
use independent::Independent;
use projection::Projection;
use saddle::Saddle;
use std::sync::Arc;
use tangent::{Basis, Tangent};
use udwadia_kalaba::UdwadiaKalaba;

/// A route from M, h, A, b, w to the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Formulation {
    /// Lagrange's multipliers: file `multipliers.rs`.
    Multipliers,
    /// Udwadia and Kalaba's explicit equation: file `udwadia_kalaba.rs`.
    UdwadiaKalaba,
    /// Blajer's projection on the tangent space: file `projection.rs`.
    Projection,
    /// Phong's orthogonal complement: file `complement.rs`.
    Complement,
    /// Independent speeds, after Kane and Maggi: file `independent.rs`.
    Independent,
}

named_choices! {
    Formulation, "formulation", 5:
    Multipliers "multipliers", UdwadiaKalaba "udwadia-kalaba", Projection "projection", Complement "complement",
    Independent "independent",
}

/// The numbers of one state.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    mass_matrix: Matrix<'a>,
    force: &'a [f64],
    jacobian: Matrix<'a>,
    bias: &'a [f64],
    nonideal: &'a [f64],
    /// Rows that no independent speeds can meet.
    not_reducible: &'a [usize],
    /// Rows held by forces, and their directions, nv for each.
    servo: (&'a [usize], &'a [f64]),
    /// What A and b are measured by, if it is known.
    terms: Option<&'a RowTerms>,
}

impl<'a> From<Canonical<'a>> for Problem<'a> {
    fn from(canonical: Canonical<'a>) -> Self {
        Self {
            mass_matrix: canonical.mass,
            force: canonical.force,
            jacobian: canonical.jacobian,
            bias: canonical.bias,
            nonideal: canonical.nonideal,
            not_reducible: &[],
            servo: (canonical.servo_rows, canonical.servo_directions),
            terms: None,
        }
    }
}

impl<'a> Problem<'a> {
    /// Row by row: M (nv × nv, symmetric, of which the upper triangle is read), h (nv), A (nc × nv), b (nc), w (nv).
    ///
    /// # Panics
    /// If the lengths do not belong together.
    pub fn new(
        mass_matrix: &'a [f64],
        force: &'a [f64],
        jacobian: &'a [f64],
        bias: &'a [f64],
        nonideal: &'a [f64],
    ) -> Self {
        let (nv, nc) = (force.len(), bias.len());
        assert_eq!(mass_matrix.len(), nv * nv, "M is nv × nv");
        assert_eq!(jacobian.len(), nc * nv, "A is nc × nv");
        assert_eq!(nonideal.len(), nv, "w has nv entries");
        Self {
            mass_matrix: Matrix::full(nv, nv, mass_matrix),
            force,
            jacobian: Matrix::full(nc, nv, jacobian),
            bias,
            nonideal,
            not_reducible: &[],
            servo: (&[], &[]),
            terms: None,
        }
    }

    /// The same, with the rows that are not linear in the velocities or speak of accelerations:
    /// [`Formulation::Independent`] refuses them.
    #[must_use]
    pub fn with_not_reducible(self, rows: &'a [usize]) -> Self {
        Self {
            not_reducible: rows,
            ..self
        }
    }

    /// The same, with rows that are held by forces of these directions (nv entries for each row) in place of their own
    /// reactions.
    ///
    /// # Panics
    /// If the lengths do not belong together, or a row does not exist.
    #[must_use]
    pub fn with_servo(self, rows: &'a [usize], directions: &'a [f64]) -> Self {
        assert_eq!(directions.len(), rows.len() * self.nv(), "E is rows × nv");
        assert!(rows.iter().all(|&row| row < self.nc()), "rows of A");
        Self {
            servo: (rows, directions),
            ..self
        }
    }

    /// Terms of A and of b, where they are known; else nothing.
    fn terms(&self) -> (&'a [f64], &'a [f64]) {
        self.terms
            .map_or((&[], &[]), |terms| (&terms.jacobian, &terms.bias))
    }

    /// Whether rows are held by forces.
    pub fn is_servo(&self) -> bool {
        !self.servo.0.is_empty()
    }

    /// Number of speeds.
    pub fn nv(&self) -> usize {
        self.force.len()
    }

    /// Number of rows.
    pub fn nc(&self) -> usize {
        self.bias.len()
    }

    /// A.
    pub fn jacobian(&self) -> Matrix<'a> {
        self.jacobian
    }

    /// M and A of a problem with full matrices.
    fn full(&self) -> (&'a [f64], &'a [f64]) {
        let full = |matrix: &Matrix<'a>| matrix.as_full().expect("made of full matrices");
        (full(&self.mass_matrix), full(&self.jacobian))
    }

    /// h + w.
    fn total_force_into(&self, total: &mut [f64]) {
        total.copy_from_slice(self.force);
        add_scaled(total, 1.0, self.nonideal);
    }

    fn refuse_not_finite(&self) -> Result<(), Failure> {
        finite(Quantity::MassMatrix, self.mass_matrix.values())?;
        finite(Quantity::Force, self.force)?;
        finite(Quantity::Jacobian, self.jacobian.values())?;
        finite(Quantity::Bias, self.bias)?;
        finite(Quantity::Direction, self.servo.1)?;
        Ok(finite(Quantity::NonIdeal, self.nonideal)?)
    }
}

/// The motion of one state. Buffers are used again by the next [`solve`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// v', nv.
    pub acceleration: Vec<f64>,
    /// The actual λ, nc: the reaction of row i is Aᵢᵀ λᵢ; of a row held by a force its size μ.
    pub multipliers: Vec<f64>,
    /// λ as it would be without w, nc.
    pub multipliers_ideal: Vec<f64>,
    /// The part of the constraints' force that does no virtual work, nv.
    pub force_ideal: Vec<f64>,
    /// The part that does the virtual work of w, nv.
    pub force_nonideal: Vec<f64>,
    /// Eᵀ μ, what the forces that hold rows do, nv: M v' = h + all three.
    pub force_servo: Vec<f64>,
    /// The rank of A.
    pub rank: usize,
    /// What is known of each row, nc.
    pub rows: Vec<RowReport>,
    /// The speeds chosen as independent, ascending, by [`Formulation::Independent`]; else none.
    pub independent: Vec<usize>,
}

impl Motion {
    /// Room for nv speeds and nc rows.
    pub fn new(nv: usize, nc: usize) -> Self {
        let mut motion = Self::default();
        motion.resize(nv, nc);
        motion
    }

    fn resize(&mut self, nv: usize, nc: usize) {
        self.acceleration.resize(nv, 0.0);
        self.multipliers.resize(nc, 0.0);
        self.multipliers_ideal.resize(nc, 0.0);
        self.force_ideal.resize(nv, 0.0);
        self.force_nonideal.resize(nv, 0.0);
        self.force_servo.resize(nv, 0.0);
        self.rows.resize(nc, RowReport::default());
        self.independent.clear();
    }

    /// reaction ← Aᵢᵀ λᵢ, nv entries, for the problem this is the motion of; Eᵢᵀ μᵢ of a row held by a force.
    pub fn reaction_into(&self, problem: &Problem<'_>, row: usize, reaction: &mut [f64]) {
        reaction.fill(0.0);
        if let Some(direction) = problem.direction(row) {
            add_scaled(reaction, self.multipliers[row], direction);
            return;
        }
        for (column, a) in problem.jacobian.stored(row) {
            reaction[column] = a * self.multipliers[row];
        }
    }

    /// λᵢ Aᵢ · v, the power of row i at the speeds v: not zero for rows that depend on time or
    /// are not homogeneous in v. That of a row held by a force, μᵢ Eᵢ · v, is the power of the force.
    pub fn power(&self, problem: &Problem<'_>, row: usize, speeds: &[f64]) -> f64 {
        self.multipliers[row] * problem.reach(row, speeds)
    }
}

/// Room for solutions of one size; a problem of another size, or stored otherwise, makes new room.
pub struct Workspace {
    tolerance: Tolerance,
    factorisation: Factorisation,
    /// h + w, nv.
    force: Vec<f64>,
    zero: Vec<f64>,
    terms: Option<RowTerms>,
    others: Others,
    /// The motion of a run with rows held by forces.
    held: Motion,
}

/// Room for the other routes, made when one is first asked for.
#[derive(Clone, Debug, Default)]
struct Others {
    /// Multipliers where rows are held by forces.
    saddle: Option<Box<Tangent<Saddle>>>,
    udwadia_kalaba: Option<Box<UdwadiaKalaba>>,
    projection: Option<Box<Tangent<Projection>>>,
    complement: Option<Box<Tangent<Complement>>>,
    independent: Option<Box<Tangent<Independent>>>,
}

impl Others {
    fn solve(
        &mut self,
        formulation: Formulation,
        problem: &Problem<'_>,
        tolerance: Tolerance,
        motion: &mut Motion,
    ) -> Result<(), Failure> {
        match formulation {
            Formulation::Multipliers => solve_by(&mut self.saddle, problem, tolerance, motion),
            Formulation::UdwadiaKalaba => self
                .udwadia_kalaba
                .get_or_insert_with(|| Box::new(UdwadiaKalaba::new(problem.nv(), problem.nc())))
                .solve(problem, tolerance, motion),
            Formulation::Projection => solve_by(&mut self.projection, problem, tolerance, motion),
            Formulation::Complement => solve_by(&mut self.complement, problem, tolerance, motion),
            Formulation::Independent if !problem.not_reducible.is_empty() => {
                let rows = problem.not_reducible.to_vec();
                Err(Failure::NotReducible { rows })
            }
            Formulation::Independent => solve_by(&mut self.independent, problem, tolerance, motion),
        }
    }
}

/// Solves by a basis of the tangent space, in room that is made when it is first needed.
fn solve_by<B: Basis>(
    room: &mut Option<Box<Tangent<B>>>,
    problem: &Problem<'_>,
    tolerance: Tolerance,
    motion: &mut Motion,
) -> Result<(), Failure> {
    let new = || Box::new(Tangent::new(problem.nv(), problem.nc()));
    room.get_or_insert_with(new)
        .solve(problem, tolerance, motion)
}

impl Workspace {
    /// Room for nv speeds and nc rows.
    pub fn new(nv: usize, nc: usize) -> Self {
        let tolerance = Tolerance::default();
        Self::around(Factorisation::new(nv, nc, tolerance), (nv, nc), tolerance)
    }

    /// Room for a model's equations, stored as these are.
    pub fn of(equations: &Equations) -> Self {
        Self::tolerating(equations, Tolerance::default())
    }

    /// The same, with decisions of one's own.
    pub fn tolerating(equations: &Equations, tolerance: Tolerance) -> Self {
        let size = (equations.coordinates(), equations.rows());
        Self::around(equations.factorisation(tolerance), size, tolerance)
    }

    fn around(
        factorisation: Factorisation,
        (nv, nc): (usize, usize),
        tolerance: Tolerance,
    ) -> Self {
        Self {
            tolerance,
            factorisation,
            force: vec![0.0; nv],
            zero: vec![0.0; nc],
            terms: None,
            others: Others::default(),
            held: Motion::default(),
        }
    }

    /// What the rows of problems are measured by from now on: their terms at the state asked about, or at one like it.
    pub fn measure_by(&mut self, terms: RowTerms) {
        self.factorisation.measure_by(&terms);
        self.terms = Some(terms);
    }

    /// M and A of the last problem solved by [`Formulation::Multipliers`] or
    /// [`solve_accelerations`], for projections.
    pub fn factorisation(&mut self) -> &mut Factorisation {
        &mut self.factorisation
    }

    fn fit(&mut self, problem: &Problem<'_>) -> Result<(), Failure> {
        let Problem {
            mass_matrix,
            jacobian,
            ..
        } = problem;
        if self.factorisation.fits(mass_matrix, jacobian) {
            return Ok(());
        }
        let (size, tolerance) = ((problem.nv(), problem.nc()), self.tolerance);
        let factorisation = match mass_matrix.pattern().zip(jacobian.pattern()) {
            None => Some(Factorisation::new(size.0, size.1, tolerance)),
            Some((mass, rows)) => {
                let (mass, rows) = (Arc::new(mass.clone()), Arc::new(rows.clone()));
                Factorisation::of(&mass, &rows, tolerance)
            }
        };
        let factorisation = factorisation.ok_or(Unsolved::TooLarge)?;
        let terms = self
            .terms
            .take()
            .filter(|_| mass_matrix.pattern().is_some());
        *self = Self::around(factorisation, size, tolerance);
        self.terms = terms;
        Ok(())
    }
}

/// Everything about the motion of one state.
///
/// # Errors
/// See [`Failure`]; what the motion then holds is unspecified.
pub fn solve(
    formulation: Formulation,
    problem: &Problem<'_>,
    workspace: &mut Workspace,
    motion: &mut Motion,
) -> Result<(), Failure> {
    let (nv, nc) = (problem.nv(), problem.nc());
    problem.refuse_not_finite()?;
    workspace.fit(problem)?;
    motion.resize(nv, nc);
    if formulation == Formulation::Multipliers && !problem.is_servo() {
        let (factorisation, zero) = (&mut workspace.factorisation, &mut workspace.zero);
        multipliers::solve(problem, factorisation, zero, motion)?;
    } else {
        // The other routes are for comparison, and know full matrices only.
        let (mass_matrix, jacobian) = (problem.mass_matrix.to_full(), problem.jacobian.to_full());
        // Terms are stored as the rows are.
        let measured = problem.jacobian.as_full().is_some();
        let full = Problem {
            mass_matrix: Matrix::full(nv, nv, &mass_matrix),
            jacobian: Matrix::full(nc, nv, &jacobian),
            terms: workspace.terms.as_ref().filter(|_| measured),
            ..*problem
        };
        workspace
            .others
            .solve(formulation, &full, workspace.tolerance, motion)?;
    }
    problem.split_servo_forces(motion);
    Ok(finite(Quantity::Acceleration, &motion.acceleration)?)
}

/// v' (nv) and λ (nc) by multipliers, for runs: does not allocate once the workspace has the size.
///
/// # Errors
/// See [`Failure`].
pub fn solve_accelerations(
    problem: &Problem<'_>,
    workspace: &mut Workspace,
    acceleration: &mut [f64],
    multipliers: &mut [f64],
) -> Result<(), Failure> {
    workspace.fit(problem)?;
    if problem.is_servo() {
        return workspace.solve_held(problem, acceleration, multipliers);
    }
    let (factorisation, force) = (&mut workspace.factorisation, &mut workspace.force);
    multipliers::solve_accelerations(problem, factorisation, force, acceleration, multipliers)
        // Numbers that are not finite surface somewhere; the givens say where they came in.
        .or_else(|failure| problem.refuse_not_finite().and(Err(failure)))
}
