//! The motion on the surface, in the field: what an equation must be a combination of.
//!
//! ```text
//! M q'' = f + Aᵀ λ,  A q'' = b        q'' = D u + γ,  A D = 0,  u some of the accelerations
//! Dᵀ M D u = Dᵀ (f − M γ)             the motion without multipliers
//! ```
//!
//! An equation c·q'' + l·λ + d = 0 loses its multipliers by a vector s with A s = l, because l·λ = s·(M q'' − f), and the
//! accelerations that rows determine by D and γ. What is left, ĉ·u + d̂, follows from the motion if and only if it is
//! z·(Dᵀ M D u − Dᵀ (f − M γ)) with Dᵀ M D z = ĉ: then d̂ = −z·Dᵀ (f − M γ).

use crate::surface::{Surface, Unsolved};
use dalembert_expr::calculus::partial;
use dalembert_expr::normal::linear::Matrix;
use dalembert_expr::normal::{Field, Fraction, Limits, Outside};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind, substitute};
use dalembert_mechanics::lower::System;

/// How much may be done for one equation: a few seconds at worst.
const LIMITS: Limits = Limits {
    terms: 100_000,
    steps: 40_000_000,
};

/// Why nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// The rows cannot be solved.
    Surface(Unsolved),
    /// Beyond the normal form.
    Outside(Outside),
    /// The equation holds products of accelerations or multipliers.
    NotLinear,
    /// The equation holds multipliers that are not unique.
    NotUnique,
    /// The accelerations are not determined.
    Undetermined,
}

impl From<Outside> for Open {
    fn from(outside: Outside) -> Self {
        Self::Outside(outside)
    }
}

impl From<Unsolved> for Open {
    fn from(unsolved: Unsolved) -> Self {
        Self::Surface(unsolved)
    }
}

impl std::fmt::Display for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Surface(unsolved) => unsolved.fmt(f),
            Self::Outside(outside) => outside.fmt(f),
            Self::NotLinear => f.write_str("it is not linear in the accelerations and multipliers"),
            Self::NotUnique => f.write_str("it holds a multiplier that is not unique"),
            Self::Undetermined => f.write_str("the accelerations are not determined"),
        }
    }
}

/// An equation on the surface, without multipliers: ĉ·u + d̂ = 0.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    pub(super) accelerations: Vec<Fraction>,
    pub(super) rest: Fraction,
    /// Its coefficients of u and of the multipliers before these were replaced.
    pub(super) coefficients: Vec<Fraction>,
}

/// The motion of a system, ready for questions.
pub(super) struct Motion {
    pub(super) graph: Graph,
    pub(super) field: Field,
    surface: Surface,
    /// q''.
    accelerations: Vec<SymbolId>,
    /// λ, by row.
    multipliers: Vec<SymbolId>,
    mass: Matrix,
    force: Vec<Fraction>,
    jacobian: Matrix,
    /// Columns of D.
    directions: Matrix,
    gamma: Vec<Fraction>,
    /// Coordinates whose accelerations are u.
    free: Vec<usize>,
    /// Dᵀ M D.
    reduced_mass: Matrix,
    /// Dᵀ (f − M γ).
    reduced_force: Vec<Fraction>,
}

impl Motion {
    /// The motion of a system, its expressions and those of the equations being in `graph`, with values put in for some
    /// parameters. The field gets to know all of them at once, so that it chooses one basis for all angles.
    pub(super) fn new(
        mut graph: Graph,
        system: &System,
        fixed: &[(ExprId, ExprId)],
        labels: &[String],
    ) -> Result<Self, Open> {
        let surface = Surface::new(&mut graph, system, fixed)?;
        let n = system.symbols.coordinates.len();
        let zero = graph.integer(0);
        let mut mass = vec![zero; n * n];
        let mut force = vec![zero; n];
        for inertia in &system.inertia {
            for &(row, column, value) in &inertia.mass {
                let place = row * n + column;
                mass[place] = graph.add(mass[place], value);
                if row != column {
                    let place = column * n + row;
                    mass[place] = graph.add(mass[place], value);
                }
            }
        }
        let inertial = system.inertia.iter().map(|inertia| &inertia.force);
        let given = system.forces.iter().map(|given| &given.force);
        for &(row, value) in inertial.chain(given).chain(&system.nonideal).flatten() {
            force[row] = graph.add(force[row], value);
        }
        let m = system.rows.len();
        let mut rows = vec![zero; m * (n + 1)];
        for (index, row) in system.rows.iter().enumerate() {
            for &(column, value) in &row.jacobian {
                let place = index * (n + 1) + column;
                rows[place] = graph.add(rows[place], value);
            }
            rows[index * (n + 1) + n] = row.bias;
        }
        let all = surface.put_in(&mut graph, &[mass, force, rows].concat());
        let mut field = Field::with_limits(LIMITS);
        surface.declare(&graph, &mut field)?;
        let taken: Result<Vec<Fraction>, Outside> =
            field.take_all(&graph, &all).into_iter().collect();
        let mut taken = taken?;
        let rows = taken.split_off(n * n + n);
        let force = taken.split_off(n * n);
        let by_rows = |entries: &[Fraction], width: usize| -> Matrix {
            entries
                .chunks(width.max(1))
                .map(<[Fraction]>::to_vec)
                .collect()
        };
        let (mass, rows) = (by_rows(&taken, n), by_rows(&rows, n + 1));
        let multipliers = labels
            .iter()
            .filter_map(|label| {
                let symbol = graph.symbol(label, SymbolKind::Multiplier);
                graph.as_symbol(symbol)
            })
            .collect();
        let mut motion = Self {
            accelerations: system.symbols.accelerations.clone(),
            multipliers,
            jacobian: rows.iter().map(|row| row[..n].to_vec()).collect(),
            graph,
            field,
            surface,
            mass,
            force,
            directions: Vec::new(),
            gamma: Vec::new(),
            free: Vec::new(),
            reduced_mass: Vec::new(),
            reduced_force: Vec::new(),
        };
        motion.reduce(&rows)?;
        Ok(motion)
    }

    /// The surface it is on.
    pub(super) fn surface(&self) -> &Surface {
        &self.surface
    }

    /// D, γ, Dᵀ M D and Dᵀ (f − M γ).
    fn reduce(&mut self, rows: &Matrix) -> Result<(), Open> {
        let n = self.accelerations.len();
        let field = &self.field;
        let echelon = field.echelon(rows, n, &self.surface.dependent)?;
        self.gamma = vec![Fraction::zero(); n];
        self.free = (0..n).filter(|k| !echelon.pivots.contains(k)).collect();
        self.directions = vec![vec![Fraction::zero(); n]; self.free.len()];
        for (direction, &k) in self.directions.iter_mut().zip(&self.free) {
            direction[k] = Fraction::one();
            for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
                direction[pivot] = field.neg(&row[k]);
            }
        }
        for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
            self.gamma[pivot] = row[n].clone();
        }
        let mut rest = Vec::with_capacity(n);
        for (row, force) in self.mass.iter().zip(&self.force) {
            rest.push(field.sub(force, &dot(field, row, &self.gamma)?)?);
        }
        for direction in &self.directions {
            let along: Result<Vec<Fraction>, Outside> = self
                .mass
                .iter()
                .map(|row| dot(field, row, direction))
                .collect();
            let along = along?;
            let row: Result<Vec<Fraction>, Outside> = self
                .directions
                .iter()
                .map(|other| dot(field, &along, other))
                .collect();
            self.reduced_mass.push(row?);
            self.reduced_force.push(dot(field, direction, &rest)?);
        }
        Ok(())
    }

    /// An expression on the surface, as an element of the field.
    fn take(&mut self, expressions: &[ExprId]) -> Result<Vec<Fraction>, Outside> {
        let put = self.surface.put_in(&mut self.graph, expressions);
        self.field.take_all(&self.graph, &put).into_iter().collect()
    }

    /// left − right, reduced.
    pub(super) fn reduced(&mut self, left: ExprId, right: ExprId) -> Result<Reduced, Open> {
        self.field.set_limits(LIMITS);
        let residual = self.graph.sub(left, right);
        let n = self.accelerations.len();
        let unknowns: Vec<SymbolId> = [self.accelerations.as_slice(), &self.multipliers].concat();
        let present = Cone::new(&self.graph, &[residual]).symbols(&self.graph);
        let zero = self.graph.integer(0);
        let at_rest: Vec<(ExprId, ExprId)> = unknowns
            .iter()
            .map(|&symbol| (self.graph.symbol_node(symbol), zero))
            .collect();
        let mut parts: Vec<ExprId> = unknowns
            .iter()
            .map(|&symbol| match present.contains(&symbol) {
                true => partial(&mut self.graph, residual, symbol),
                false => zero,
            })
            .collect();
        parts.push(substitute(&mut self.graph, &[residual], &at_rest)[0]);
        let mut parts = self.take(&parts)?;
        for part in &parts {
            let written = self.field.to_graph(&mut self.graph, part);
            let symbols = Cone::new(&self.graph, &[written]).symbols(&self.graph);
            if symbols.iter().any(|symbol| unknowns.contains(symbol)) {
                return Err(Open::NotLinear);
            }
        }
        let rest = parts.pop().unwrap_or_else(Fraction::zero);
        let of_rows = parts.split_off(n);
        let mut coefficients = self.along_directions(&parts)?;
        let (accelerations, rest) = self.without_multipliers(parts, &of_rows, rest)?;
        coefficients.extend(of_rows);
        let field = &self.field;
        let rest = field.add(&rest, &dot(field, &accelerations, &self.gamma)?)?;
        Ok(Reduced {
            accelerations: self.along_directions(&accelerations)?,
            rest,
            coefficients,
        })
    }

    /// Dᵀ c.
    fn along_directions(&self, c: &[Fraction]) -> Result<Vec<Fraction>, Outside> {
        let along = |direction: &Vec<Fraction>| dot(&self.field, c, direction);
        self.directions.iter().map(along).collect()
    }

    /// How many accelerations, and how many multipliers, equations leave open together with the constraints.
    pub(super) fn left_open(&self, equations: &[Reduced]) -> Result<[usize; 2], Open> {
        let (free, rows) = (self.free.len(), self.multipliers.len());
        let all: Matrix = equations
            .iter()
            .map(|equation| equation.coefficients.clone())
            .collect();
        let of_rows: Matrix = all.iter().map(|row| row[free..].to_vec()).collect();
        let rank = self.field.echelon(&all, free + rows, &[])?.pivots.len();
        let of_rows = self.field.echelon(&of_rows, rows, &[])?.pivots.len();
        let known = rank - of_rows;
        Ok([free - known, rows - of_rows.min(rows)])
    }

    /// c + M s and d − s·f, with A s = l.
    fn without_multipliers(
        &self,
        c: Vec<Fraction>,
        l: &[Fraction],
        d: Fraction,
    ) -> Result<(Vec<Fraction>, Fraction), Open> {
        if l.iter().all(Fraction::is_zero) {
            return Ok((c, d));
        }
        let (n, field) = (c.len(), &self.field);
        let rows: Matrix = self
            .jacobian
            .iter()
            .zip(l)
            .map(|(row, l)| [row.as_slice(), std::slice::from_ref(l)].concat())
            .collect();
        let echelon = field.echelon(&rows, n, &[])?;
        for row in &echelon.rows[echelon.pivots.len()..] {
            if !field.is_zero(&row[n])? {
                return Err(Open::NotUnique);
            }
        }
        let mut s = vec![Fraction::zero(); n];
        for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
            s[pivot] = row[n].clone();
        }
        let mut sum = Vec::with_capacity(n);
        for (c, row) in c.iter().zip(&self.mass) {
            sum.push(field.add(c, &dot(field, row, &s)?)?);
        }
        let rest = field.sub(&d, &dot(field, &s, &self.force)?)?;
        Ok((sum, rest))
    }

    /// What is left of a reduced equation when the motion is put in: zero if the equation follows from it.
    pub(super) fn remainder(&self, equation: &Reduced) -> Result<Fraction, Open> {
        let field = &self.field;
        if equation.accelerations.iter().all(Fraction::is_zero) {
            return Ok(equation.rest.clone());
        }
        let right: Matrix = equation
            .accelerations
            .iter()
            .map(|c| vec![c.clone()])
            .collect();
        let solution = field.solve(&self.reduced_mass, &right)?;
        let z = solution.ok_or(Open::Undetermined)?.concat();
        Ok(field.add(&equation.rest, &dot(field, &z, &self.reduced_force)?)?)
    }

    /// Rows of the motion: ĉ and d̂ of each.
    pub(super) fn rows(&self) -> Vec<Reduced> {
        let rows = self.reduced_mass.iter().zip(&self.reduced_force);
        rows.map(|(row, force)| Reduced {
            accelerations: row.clone(),
            rest: self.field.neg(force),
            coefficients: Vec::new(),
        })
        .collect()
    }

    /// A reduced equation as an expression of u and the state.
    pub(super) fn written(&mut self, equation: &Reduced) -> ExprId {
        let mut sum = self.field.to_graph(&mut self.graph, &equation.rest);
        for (c, &k) in equation.accelerations.iter().zip(&self.free) {
            if !c.is_zero() {
                let c = self.field.to_graph(&mut self.graph, c);
                let u = self.graph.symbol_node(self.accelerations[k]);
                let term = self.graph.mul(c, u);
                sum = self.graph.add(sum, term);
            }
        }
        sum
    }
}

/// The sum of products.
pub(super) fn dot(field: &Field, a: &[Fraction], b: &[Fraction]) -> Result<Fraction, Outside> {
    let mut terms = Vec::new();
    for (a, b) in a.iter().zip(b) {
        if !a.is_zero() && !b.is_zero() {
            terms.push(field.mul(a, b)?);
        }
    }
    field.sum(&terms)
}
