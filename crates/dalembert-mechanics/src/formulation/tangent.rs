//! What the routes by a basis D of the tangent space share.
//!
//! Motions that the rows leave free are v = D u with A D = 0 [B92 3.1] [P99 2.6]; ideal reactions have no part along
//! them, Dᵀ r = 0 [P99 2.5]. Each route finds D and solves in its own way:
//!
//! ```text
//! A v' = b,   Dᵀ (M v' − f) = 0        f = h: as if all rows were ideal;  f = w, b = 0: what w adds
//! r = M v' − f                         [P99 2.4], with h there the negative of ours
//! Aᵀ λ = r                             [B92 2.7]
//! ```
//!
//! Here is what is the same for all of them: numbers in units of their own, dependent rows, contradictions, and the sum
//! of the two motions.
//!
//! * Speeds are measured in units that make the diagonal of M about one (powers of two: nothing is rounded), rows and b
//!   are divided by the lengths sᵢ of the rows of A M^-½ (`factorisation/rows.rs`). Neither changes a result in exact arithmetic.
//! * Where M is singular, the units and lengths are those of M + Aᵀ G A (`factorisation/metric.rs`); the equations are solved with M.
//! * What rounding leaves of the equations is solved for once more.
//! * Dependent rows: b is replaced by the nearest b that can be met, if it is near enough; of the multipliers the least
//!   |s λ| is taken (`relations.rs`).
//! * Rows held by forces (`servo.rs`): Dᵀ r = 0 and Gᵀ λ = r with G D = 0 in place of A.

use super::relations::Relations;
use super::servo::Hold;
use super::{Failure, Motion, Problem};
use crate::linear::factorisation::metric::{Metric, undetermined, units_into};
use crate::linear::factorisation::rows::{Rows, Tolerance};
use crate::linear::{add_scaled, add_transposed, multiply};

/// One state's M and A in units of their own.
#[derive(Clone, Debug)]
pub(super) struct Scaled {
    metric: Metric,
    /// Rows of A L⁻ᵀ of length one, and their lengths.
    rows: Rows,
    /// The unit of each speed.
    units: Vec<f64>,
    /// M, nv × nv, both triangles.
    pub(super) M: Vec<f64>,
    /// A, nc × nv; zero where a row is nothing but rounding.
    pub(super) A: Vec<f64>,
    /// G where rows are held by forces.
    directions: Option<Directions>,
    has_directions: bool,
}

/// G in units of its own, and the rows of G L⁻ᵀ of length one.
#[derive(Clone, Debug)]
struct Directions {
    rows: Rows,
    G: Vec<f64>,
    hold: Hold,
}

impl Scaled {
    fn new(nv: usize, nc: usize) -> Self {
        Self {
            metric: Metric::new(nv, nc),
            rows: Rows::new(nv, nc),
            units: vec![0.0; nv],
            M: vec![0.0; nv * nv],
            A: vec![0.0; nc * nv],
            directions: None,
            has_directions: false,
        }
    }

    /// G of the reactions, if it is not A.
    pub(super) fn own_directions(&self) -> Option<&[f64]> {
        let directions = self.directions.as_ref().filter(|_| self.has_directions);
        directions.map(|directions| &directions.G[..])
    }

    /// G of the reactions.
    pub(super) fn G(&self) -> &[f64] {
        self.own_directions().unwrap_or(&self.A)
    }

    /// 1/s of the rows of G.
    fn direction_scales(&self) -> &[f64] {
        match &self.directions {
            Some(directions) if self.has_directions => &directions.rows.scales,
            _ => &self.rows.scales,
        }
    }

    fn take(&mut self, problem: &Problem<'_>, tolerance: Tolerance) -> Result<(), Failure> {
        let (nv, nc) = (problem.nv(), problem.nc());
        let (mass_matrix, jacobian) = problem.full();
        self.metric.choose(mass_matrix, jacobian)?;
        units_into(&self.metric.matrix, &mut self.units);
        self.units
            .iter_mut()
            .for_each(|unit| *unit = power_of_two(*unit));
        for i in 0..nv {
            for j in i..nv {
                let entry = mass_matrix[i * nv + j] * self.units[i] * self.units[j];
                (self.M[i * nv + j], self.M[j * nv + i]) = (entry, entry);
            }
        }
        self.A.copy_from_slice(jacobian);
        let terms = problem.terms();
        measure(
            &self.metric,
            &self.units,
            &mut self.rows,
            (&mut self.A, terms.0),
        );
        self.has_directions = problem.is_servo();
        if self.has_directions {
            let directions = self.directions.get_or_insert_with(|| Directions {
                rows: Rows::new(nv, nc),
                G: vec![0.0; nc * nv],
                hold: Hold::new(nv, nc),
            });
            problem.directions_into(&mut directions.G);
            measure(
                &self.metric,
                &self.units,
                &mut directions.rows,
                (&mut directions.G, &[]),
            );
            let Directions { rows, hold, .. } = directions;
            hold.refuse(problem, &self.rows, rows, tolerance)?;
        }
        Ok(())
    }
}

/// The lengths of rows in the metric, and the rows of length one in units.
fn measure(metric: &Metric, units: &[f64], rows: &mut Rows, (matrix, terms): (&mut [f64], &[f64])) {
    rows.unit.copy_from_slice(matrix);
    metric.cholesky.forward(&mut rows.unit);
    rows.normalise(matrix, &metric.mobilities, terms, &[]);
    for (row, scale) in matrix
        .chunks_exact_mut(units.len().max(1))
        .zip(&rows.scales)
    {
        for (entry, unit) in row.iter_mut().zip(units) {
            *entry *= unit * scale;
        }
    }
}

/// The power of two next below a positive number.
fn power_of_two(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits(x.to_bits() & EXPONENT)
}

/// Rows of A or of G, decomposed: their rank, and what they have to do with each other. `room` is for nv or nc numbers.
pub(super) trait Decomposition {
    /// Room for nc rows of nv entries.
    fn of_size(nc: usize, nv: usize) -> Self;

    /// Takes rows of about length one; those nearer to the span of others than a tolerance depend on them.
    fn take(&mut self, rows: &[f64], tolerance: f64);

    /// The rank decided.
    fn rank(&self) -> usize;

    /// One of nc − rank independent x with xᵀ A = 0; x comes as zeros.
    fn relation(&self, k: usize, room: &mut [f64], x: &mut [f64]);

    /// The speeds that are the coordinates of the tangent space, if they are.
    fn independent_speeds(&self, _speeds: &mut Vec<usize>) {}
}

/// A basis of the tangent space, and how the equations are solved with it.
pub(super) trait Basis {
    /// How it decomposes A, and G where that is not A.
    type Rows: Decomposition;

    /// Room for nv speeds and nc rows.
    fn new(nv: usize, nc: usize) -> Self;

    /// Finds D with G D = 0, for A and G of one rank; false if Dᵀ M D is not definite.
    fn choose(&mut self, now: &Scaled, rows: [&Self::Rows; 2]) -> bool;

    /// v' with A v' = b and Dᵀ (M v' − f) = 0, and any λ with Gᵀ λ = M v' − f. The right sides b can be met.
    fn solve(
        &mut self,
        now: &Scaled,
        rows: [&Self::Rows; 2],
        sides: (&[f64], &[f64]),
        motion: (&mut [f64], &mut [f64]),
    );
}

/// A route by a basis of the tangent space.
#[derive(Clone, Debug)]
pub(super) struct Tangent<B: Basis> {
    now: Scaled,
    basis: B,
    rows: B::Rows,
    /// The same of G, where it is not A.
    directions: Option<B::Rows>,
    relations: Relations,
    direction_relations: Option<Relations>,
    force: Vec<f64>,
    bias: Vec<f64>,
    unmet: Vec<f64>,
    v_dot: Vec<f64>,
    inertia: Vec<f64>,
    room: Vec<f64>,
    left: Left,
}

/// What is left of the equations, and the correction it makes.
#[derive(Clone, Debug)]
struct Left {
    force: Vec<f64>,
    bias: Vec<f64>,
    v_dot: Vec<f64>,
    multipliers: Vec<f64>,
}

impl<B: Basis> Tangent<B> {
    pub(super) fn new(nv: usize, nc: usize) -> Self {
        Self {
            now: Scaled::new(nv, nc),
            basis: B::new(nv, nc),
            rows: B::Rows::of_size(nc, nv),
            directions: None,
            relations: Relations::new(nc),
            direction_relations: None,
            force: vec![0.0; nv],
            bias: vec![0.0; nc],
            unmet: vec![0.0; nc],
            v_dot: vec![0.0; nv],
            inertia: vec![0.0; nv],
            room: vec![0.0; nv.max(nc)],
            left: Left {
                force: vec![0.0; nv],
                bias: vec![0.0; nc],
                v_dot: vec![0.0; nv],
                multipliers: vec![0.0; nc],
            },
        }
    }

    /// Motion, multipliers and forces.
    pub(super) fn solve(
        &mut self,
        problem: &Problem<'_>,
        tolerance: Tolerance,
        motion: &mut Motion,
    ) -> Result<(), Failure> {
        self.now.take(problem, tolerance)?;
        self.rows.take(&self.now.A, tolerance.rank);
        if let Some(G) = self.now.own_directions() {
            let room = || B::Rows::of_size(problem.nc(), problem.nv());
            let directions = self.directions.get_or_insert_with(room);
            directions.take(G, tolerance.rank);
        }
        let both = both(&self.now, &self.rows, &self.directions);
        let [rows, directions] = both;
        if rows.rank() != directions.rank() || !self.basis.choose(&self.now, both) {
            return Err(undetermined(&self.now.metric.matrix, problem.nv()).into());
        }
        motion.rank = rows.rank();
        let dependent = problem.nc() - motion.rank;
        let room = &mut self.room;
        self.relations
            .take(dependent, |k, x| rows.relation(k, room, x));
        self.relations.report(tolerance.rank, &mut motion.rows);
        if self.now.has_directions {
            let relations = self
                .direction_relations
                .get_or_insert_with(|| Relations::new(problem.nc()));
            relations.take(dependent, |k, x| directions.relation(k, room, x));
            relations.mark_unique(&mut motion.rows);
        }
        rows.independent_speeds(&mut motion.independent);
        self.take_bias(problem, tolerance)?;

        let Motion {
            acceleration,
            multipliers,
            multipliers_ideal,
            force_ideal,
            force_nonideal,
            ..
        } = motion;
        self.solve_for(problem.force, multipliers_ideal); // as if all rows were ideal
        for (j, unit) in self.now.units.iter().enumerate() {
            acceleration[j] = self.v_dot[j] * unit;
            force_ideal[j] = (self.inertia[j] - self.force[j]) / unit; // M v' − h
        }
        self.bias.fill(0.0);
        self.solve_for(problem.nonideal, multipliers); // what w adds to v' and λ
        for (j, unit) in self.now.units.iter().enumerate() {
            acceleration[j] += self.v_dot[j] * unit;
            force_nonideal[j] = self.inertia[j] / unit; // M v' = w + Aᵀ λ
        }
        for (total, ideal) in multipliers.iter_mut().zip(multipliers_ideal) {
            *total += *ideal;
        }
        Ok(())
    }

    /// v' and λ that a force alone brings about, b being zero, for the problem last solved.
    pub(super) fn respond(
        &mut self,
        force: &[f64],
        (acceleration, multipliers): (&mut [f64], &mut [f64]),
    ) {
        self.bias.fill(0.0);
        self.solve_for(force, multipliers);
        let moved = self.v_dot.iter().zip(&self.now.units);
        for (target, (v_dot, unit)) in acceleration.iter_mut().zip(moved) {
            *target = v_dot * unit;
        }
    }

    /// b in units; refused where it cannot be met, else freed of what is rounding.
    fn take_bias(&mut self, problem: &Problem<'_>, tolerance: Tolerance) -> Result<(), Failure> {
        let (nv, rows) = (problem.nv(), &self.now.rows);
        for (target, (b, scale)) in self
            .bias
            .iter_mut()
            .zip(problem.bias.iter().zip(&rows.scales))
        {
            *target = b * scale;
        }
        self.relations.part_of(&self.bias, &mut self.unmet);
        self.relations.remove_from(&mut self.bias);
        self.force.copy_from_slice(problem.force);
        self.now.metric.cholesky.forward(&mut self.force); // the free motion, for its size
        Ok(rows.refuse_contradiction(
            (problem.bias, problem.terms().1),
            (&self.force, &[]),
            &self.unmet,
            || (rows.unit.clone(), nv),
            tolerance.contradiction,
        )?)
    }

    /// v' and M v' in units, and least λ as the rows are written, for M v' = f + Aᵀ λ, A v' = b.
    fn solve_for(&mut self, f: &[f64], multipliers: &mut [f64]) {
        for (target, (f, unit)) in self.force.iter_mut().zip(f.iter().zip(&self.now.units)) {
            *target = f * unit;
        }
        let sides = (&self.force[..], &self.bias[..]);
        let rows = both(&self.now, &self.rows, &self.directions);
        let motion = (&mut self.v_dot[..], &mut *multipliers);
        self.basis.solve(&self.now, rows, sides, motion);
        self.refine(multipliers);
        multiply(&self.now.M, &self.v_dot, &mut self.inertia);
        match &self.direction_relations {
            Some(relations) if self.now.has_directions => relations.remove_from(multipliers),
            _ => self.relations.remove_from(multipliers),
        }
        for (multiplier, scale) in multipliers.iter_mut().zip(self.now.direction_scales()) {
            *multiplier *= scale;
        }
    }

    /// Once more with what rounding left of the equations: rows that share a nearly massless speed
    /// look nearly parallel in units.
    fn refine(&mut self, multipliers: &mut [f64]) {
        let left = &mut self.left;
        multiply(&self.now.M, &self.v_dot, &mut left.force);
        for (left, f) in left.force.iter_mut().zip(&self.force) {
            *left = f - *left;
        }
        add_transposed(self.now.G(), multipliers, &mut left.force); // f + Gᵀ λ − M v'
        multiply(&self.now.A, &self.v_dot, &mut left.bias);
        for (left, b) in left.bias.iter_mut().zip(&self.bias) {
            *left = b - *left; // b − A v'
        }
        let sides = (&left.force[..], &left.bias[..]);
        let rows = both(&self.now, &self.rows, &self.directions);
        let motion = (&mut left.v_dot[..], &mut left.multipliers[..]);
        self.basis.solve(&self.now, rows, sides, motion);
        add_scaled(&mut self.v_dot, 1.0, &left.v_dot);
        add_scaled(multipliers, 1.0, &left.multipliers);
    }
}

/// A and G, decomposed.
fn both<'a, R>(now: &Scaled, rows: &'a R, directions: &'a Option<R>) -> [&'a R; 2] {
    let directions = directions.as_ref().filter(|_| now.has_directions);
    [rows, directions.unwrap_or(rows)]
}

/// reaction ← M v' − f.
pub(super) fn reaction_into(M: &[f64], v_dot: &[f64], f: &[f64], reaction: &mut [f64]) {
    multiply(M, v_dot, reaction);
    for (r, f) in reaction.iter_mut().zip(f) {
        *r -= f;
    }
}
