//! The motion on the surface, in the field: what an equation must be a combination of.
//!
//! ```text
//! M q'' = f + Gᵀ λ,  A q'' = b        q'' = D u + γ,  A D = 0,  u some of the accelerations
//! Pᵀ M D u = Pᵀ (f − M γ),  G P = 0   the motion without multipliers
//! ```
//!
//! G is A and P is D, unless forces hold rows in place of their own reactions: then the rows of G are the directions of
//! these forces; or unless forces are linear in multipliers ([`LawSymbols`]).
//!
//! An equation c·q'' + l·λ + d = 0 loses its multipliers by a vector s with G s = l, because l·λ = s·(M q'' − f), and the
//! accelerations that rows determine by D and γ. What is left, ĉ·u + d̂, follows from the motion if and only if it is
//! z·(Pᵀ M D u − Pᵀ (f − M γ)) with (Pᵀ M D)ᵀ z = ĉ: then d̂ = −z·Pᵀ (f − M γ).

use super::open::Open;
use dalembert_expr::calculus::{Standing, forward, partial, standing};
use dalembert_expr::normal::linear::Matrix;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::normal::{Field, Fraction, GeneratorId, Limits, Outside, Style};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, substitute};
use dalembert_mechanics::decide::CLEAR;
use dalembert_mechanics::lower::System;
use dalembert_mechanics::{Mechanism, Snapshot};
use dalembert_symbolic::assembled::{Assembled, unused_coordinates};
use dalembert_symbolic::law_symbols::LawSymbols;
use dalembert_symbolic::surface::{Surface, Witnesses};
use std::collections::BTreeMap;

/// How much may be done for the motion, or for one equation: a second or two at worst.
pub(super) const LIMITS: Limits = Limits {
    terms: 50_000,
    steps: 4_000_000,
};

/// Coordinates and rows above which nothing is tried in symbols.
const LARGE: usize = 100;
/// Systems up to so many coordinates, and terms, are reduced in several ways, of which the shortest is taken.
const SMALL: usize = 12;
const LONG: usize = 2_000;

/// An equation on the surface, without multipliers: ĉ·u + d̂ = 0.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    pub(super) accelerations: Vec<Fraction>,
    pub(super) rest: Fraction,
    /// Its coefficients of u and of the multipliers before these were replaced.
    pub(super) coefficients: Vec<Fraction>,
}

impl Reduced {
    /// Whether no acceleration occurs in the equation as it was given.
    pub(super) fn speaks_only_of_states(&self, free: usize) -> bool {
        self.coefficients.iter().take(free).all(Fraction::is_zero)
    }
}

/// An acceleration or a multiplier, solved for.
#[derive(Clone, Debug)]
struct Solution {
    generator: GeneratorId,
    value: Fraction,
    /// The symbol and its value as expressions.
    written: (ExprId, ExprId),
}

/// The motion of a system, ready for questions.
pub(super) struct ReducedMotion {
    pub(super) graph: Graph,
    pub(super) field: Field,
    surface: Surface,
    /// q''.
    accelerations: Vec<SymbolId>,
    /// Rows that are identities of the coordinates, whose multipliers no equation holds.
    identities: usize,
    /// λ, by row, and what laws make of them.
    multipliers: Vec<SymbolId>,
    laws: LawSymbols,
    /// Whether forces hold multipliers other than linearly.
    lawful: bool,
    mass: Matrix,
    force: Vec<Fraction>,
    /// G.
    reactions: Matrix,
    /// Columns of D.
    directions: Matrix,
    gamma: Vec<Fraction>,
    /// Coordinates whose accelerations are u.
    free: Vec<usize>,
    /// Pᵀ M D.
    reduced_mass: Matrix,
    /// Pᵀ (f − M γ).
    reduced_force: Vec<Fraction>,
    /// q'' and λ, once they were asked for.
    solution: Option<Result<Vec<Solution>, Open>>,
}

impl ReducedMotion {
    /// The motion of a system on the branch of its start, its expressions and those of the equations being in `graph`,
    /// with values put in for some parameters. Of several choices of u the one that makes the equations shortest.
    pub(super) fn new(
        graph: &Graph,
        system: &System,
        fixed: &[(ExprId, ExprId)],
        witnesses: &Witnesses<'_>,
    ) -> Result<Self, Open> {
        let n = system.symbols.coordinates.len();
        if n + system.rows.len() > LARGE {
            return Err(Outside::TooLarge.into());
        }
        let with = |dependent: &[usize]| {
            Self::with_dependent(graph.clone(), system, (fixed, dependent), witnesses)
        };
        let first = with(&[]);
        let is_long = match &first {
            Ok(motion) => motion.length() > LONG,
            Err(open) => matches!(open, Open::Outside(_)),
        };
        if n > SMALL || is_long {
            return first;
        }
        let unused = unused_coordinates(graph, system);
        let reversed: Vec<usize> = unused.iter().rev().copied().collect();
        let choices = [reversed.as_slice(), &unused].into_iter();
        let others = choices.filter(|choice| !choice.is_empty() && !system.rows.is_empty());
        let all = [first]
            .into_iter()
            .chain(others.map(with))
            .min_by_key(|motion| match motion {
                Ok(motion) => motion.length(),
                Err(_) => usize::MAX,
            });
        all.unwrap_or(Err(Open::Undetermined))
    }

    /// The motion with the accelerations of some coordinates eliminated before others.
    fn with_dependent(
        mut graph: Graph,
        system: &System,
        given: (&[(ExprId, ExprId)], &[usize]),
        witnesses: &Witnesses<'_>,
    ) -> Result<Self, Open> {
        let surface = Surface::with_dependent(&mut graph, system, given, Some(witnesses))?;
        let n = system.symbols.coordinates.len();
        let m = system.rows.len();
        let mut all = Assembled::of(&mut graph, system).listed(&mut graph);
        let laws = LawSymbols::of(&mut graph, system);
        let (mut linear, mut lawful) = (false, false);
        if system.has_laws() {
            let forces = laws.read(&mut graph, &all[n * n..n * n + n]);
            let (forces, slopes) = laws.split(&mut graph, &forces);
            all[n * n..n * n + n].copy_from_slice(&forces);
            let zero = graph.integer(0);
            linear = slopes.iter().any(|&slope| slope != zero);
            lawful = laws.occur(&graph, &forces);
            let reactions = n * n + n + m * (n + 1);
            for (place, slope) in (reactions..).zip(slopes) {
                all[place] = graph.add(all[place], slope);
            }
        }
        let all = surface.put_in(&mut graph, &all);
        let mut field = Field::with_limits(LIMITS);
        surface.declare(&graph, &mut field)?;
        let taken: Result<Vec<Fraction>, Outside> =
            field.take_all(&graph, &all).into_iter().collect();
        let mut taken = taken?;
        let by_rows = |entries: Vec<Fraction>, width: usize| -> Matrix {
            let rows = entries.chunks(width.max(1));
            rows.map(<[Fraction]>::to_vec).collect()
        };
        let reactions = by_rows(taken.split_off(n * n + n + m * (n + 1)), n);
        let rows = by_rows(taken.split_off(n * n + n), n + 1);
        let force = taken.split_off(n * n);
        let mut motion = Self {
            accelerations: system.symbols.accelerations.clone(),
            identities: system.identities(),
            multipliers: laws.multipliers.clone(),
            laws,
            lawful,
            reactions,
            graph,
            field,
            surface,
            mass: by_rows(taken, n),
            force,
            directions: Vec::new(),
            gamma: Vec::new(),
            free: Vec::new(),
            reduced_mass: Vec::new(),
            reduced_force: Vec::new(),
            solution: None,
        };
        motion.reduce(&rows, system.servo.is_empty() && !linear)?;
        Ok(motion)
    }

    /// Whether the motion at a state of the surface leaves it: at a change point another branch may begin.
    pub(super) fn is_left_by(&mut self, mechanism: &Mechanism, begin: &Snapshot) -> bool {
        let symbols = &mechanism.system.symbols;
        let chain = [&symbols.coordinates, &symbols.rates, &symbols.accelerations];
        let graph = &mut self.graph;
        let mut leaving = Vec::new();
        for given in &self.surface.rates {
            let rate = graph.symbol_node(given.symbol);
            leaving.push(graph.sub(rate, given.value));
        }
        let along = forward(graph, &leaving, |graph, symbol| {
            if symbol == symbols.time {
                return Some(graph.integer(1));
            }
            let next = chain.iter().zip(&chain[1..]).find_map(|(from, to)| {
                let place = from.iter().position(|&known| known == symbol)?;
                Some(to[place])
            });
            next.map(|next| graph.symbol_node(next))
        });
        let at = |symbol| mechanism.value_of(symbol, &begin.state);
        let accelerations = symbols.accelerations.iter().zip(&begin.accelerations);
        let accelerations: BTreeMap<SymbolId, f64> =
            accelerations.map(|(&symbol, &x)| (symbol, x)).collect();
        let found = evaluate_bounded(&self.graph, &along, |symbol| {
            let value = accelerations.get(&symbol).copied();
            Bounded::exact(Number::from(value.unwrap_or_else(|| at(symbol))))
        });
        found.iter().any(|it| it.value.size() > CLEAR * it.size)
    }

    /// Terms of the reduced equations and of D.
    fn length(&self) -> usize {
        let entries = self.reduced_mass.iter().chain(&self.directions).flatten();
        entries.chain(&self.reduced_force).map(length).sum()
    }

    /// The surface it is on.
    pub(super) fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Which multipliers are unique: those that no other solution of Gᵀ λ = 0 changes. `None` if that is too large.
    pub(super) fn unique_multipliers(&self) -> Option<Vec<bool>> {
        let rows = self.reactions.len();
        let across = transposed(&self.reactions, self.accelerations.len());
        let echelon = self.field.echelon(&across, rows, &[]).ok()?;
        let mut unique = vec![false; rows];
        for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
            let mut others = row.iter().enumerate().filter(|&(k, _)| k != pivot);
            unique[pivot] = others.all(|(_, entry)| entry.is_zero());
        }
        Some(unique)
    }

    /// Whether forces hold multipliers other than linearly.
    pub(super) fn is_lawful(&self) -> bool {
        self.lawful
    }

    /// D, γ, Pᵀ M D and Pᵀ (f − M γ).
    fn reduce(&mut self, rows: &Matrix, own_reactions: bool) -> Result<(), Open> {
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
        let projections = match own_reactions {
            true => self.directions.clone(),
            false => field.nullspace(&self.reactions, &[])?,
        };
        let mut reduced = Vec::new();
        for projection in &projections {
            let along = self.mass.iter().map(|row| dot(field, row, projection));
            let along = along.collect::<Result<Vec<Fraction>, Outside>>()?;
            reduced.push((
                self.along_directions(&along)?,
                dot(field, projection, &rest)?,
            ));
        }
        (self.reduced_mass, self.reduced_force) = reduced.into_iter().unzip();
        Ok(())
    }

    /// An expression on the surface, as an element of the field.
    fn take(&mut self, expressions: &[ExprId]) -> Result<Vec<Fraction>, Outside> {
        let put = self.surface.put_in(&mut self.graph, expressions);
        self.field.take_all(&self.graph, &put).into_iter().collect()
    }

    /// left − right, reduced.
    pub(super) fn reduced(&mut self, left: ExprId, right: ExprId) -> Result<Reduced, Open> {
        let residual = self.graph.sub(left, right);
        let residual = match self.lawful {
            true => self.laws.freeze(&mut self.graph, &[residual])[0],
            false => residual,
        };
        let n = self.accelerations.len();
        let unknowns = self.unknowns();
        // A function of an unknown that jumps has no derivative there, and is not linear.
        if standing(&self.graph, residual, &unknowns) == Standing::Function {
            return Err(Open::NotLinear);
        }
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
        let acting = rows - self.identities;
        Ok([free - known, acting - of_rows.min(acting)])
    }

    /// c + M s and d − s·f, with G s = l.
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
            .reactions
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
        let right = column(&equation.accelerations);
        let transposed = transposed(&self.reduced_mass, self.free.len());
        let solution = field.solve(&transposed, &right)?;
        let z = solution.ok_or(Open::Undetermined)?.concat();
        Ok(field.add(&equation.rest, &dot(field, &z, &self.reduced_force)?)?)
    }

    /// What is left of left − right when the motion is put in: zero if the equation follows from it.
    pub(super) fn rest(&mut self, left: ExprId, right: ExprId) -> Result<Fraction, Open> {
        match self.reduced(left, right) {
            Ok(reduced) => self.remainder(&reduced),
            Err(Open::NotLinear) => self.at_solution(left, right),
            Err(open) => Err(open),
        }
    }

    /// left − right with the motion put in, also where it is not linear in accelerations and multipliers.
    fn at_solution(&mut self, left: ExprId, right: ExprId) -> Result<Fraction, Open> {
        let solution = match self.solution.take() {
            Some(known) => known,
            None => self.solve(),
        };
        let put = match &solution {
            Ok(solution) => self.put_in(left, right, solution),
            Err(open) => Err(open.clone()),
        };
        self.solution = Some(solution);
        let put = put?;
        let written = self.field.to_graph(&mut self.graph, &put);
        let symbols = Cone::new(&self.graph, &[written]).symbols(&self.graph);
        // What is not unique is not solved for.
        match symbols
            .iter()
            .any(|symbol| self.unknowns().contains(symbol))
        {
            true => Err(Open::NotUnique),
            false => Ok(put),
        }
    }

    /// Accelerations and multipliers.
    fn unknowns(&self) -> Vec<SymbolId> {
        [self.accelerations.as_slice(), &self.multipliers].concat()
    }

    fn put_in(
        &mut self,
        left: ExprId,
        right: ExprId,
        solution: &[Solution],
    ) -> Result<Fraction, Open> {
        let mut residual = self.graph.sub(left, right);
        let inside = standing(&self.graph, residual, &self.unknowns()) == Standing::Function;
        if inside {
            let written: Vec<(ExprId, ExprId)> = solution.iter().map(|one| one.written).collect();
            residual = substitute(&mut self.graph, &[residual], &written)[0];
        }
        let mut taken = self.take(&[residual])?.pop().unwrap_or_else(Fraction::zero);
        if !inside {
            let values = solution
                .iter()
                .map(|one| (one.generator, one.value.clone()));
            taken = self.field.substitute(&taken, &values.collect::<Vec<_>>())?;
        }
        Ok(taken)
    }

    /// q'' and λ; without λ where it is not unique.
    fn solve(&mut self) -> Result<Vec<Solution>, Open> {
        if self.lawful {
            return Err(Open::Law);
        }
        let field = &mut self.field;
        let u = field.solve(&self.reduced_mass, &column(&self.reduced_force))?;
        let u = u.ok_or(Open::Undetermined)?.concat();
        let mut accelerations = self.gamma.clone();
        for (direction, u) in self.directions.iter().zip(&u) {
            for (total, d) in accelerations.iter_mut().zip(direction) {
                *total = field.add(total, &field.mul(u, d)?)?;
            }
        }
        let mut rest = Vec::with_capacity(self.force.len());
        for (row, force) in self.mass.iter().zip(&self.force) {
            rest.push(field.sub(&dot(field, row, &accelerations)?, force)?);
        }
        let across = transposed(&self.reactions, rest.len());
        let multipliers = match self.reactions.is_empty() {
            true => None,
            false => field.solve(&across, &column(&rest))?,
        };
        let multipliers = multipliers.into_iter().flatten().flatten();
        let symbols = self.accelerations.iter().chain(&self.multipliers);
        let mut solution = Vec::new();
        for (&symbol, value) in symbols.zip(accelerations.into_iter().chain(multipliers)) {
            let written = field.to_graph(&mut self.graph, &value);
            solution.push(Solution {
                generator: field.symbol(symbol)?,
                written: (self.graph.symbol_node(symbol), written),
                value,
            });
        }
        Ok(solution)
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

    /// A reduced equation as one fraction of u and the state.
    pub(super) fn whole(&mut self, equation: &Reduced) -> Result<Fraction, Outside> {
        let mut parts = vec![equation.rest.clone()];
        for (c, &k) in equation.accelerations.iter().zip(&self.free) {
            let u = self.field.symbol(self.accelerations[k])?;
            parts.push(self.field.mul(c, &self.field.element(u))?);
        }
        self.field.sum(&parts)
    }

    /// An element of the field in the form that is easiest to read.
    pub(super) fn written(&mut self, fraction: &Fraction, rates: &[SymbolId]) -> ExprId {
        let style = Style {
            collect: vec![self.accelerations.clone(), rates.to_vec()],
        };
        let parts = std::slice::from_ref(fraction);
        let written = self.field.present(&mut self.graph, parts, &style)[0];
        self.thawed(written)
    }

    /// An expression with the multipliers of laws as they are written.
    pub(super) fn thawed(&mut self, expression: ExprId) -> ExprId {
        self.laws.thaw(&mut self.graph, expression)
    }
}

/// Number of terms, those below the bar being worse.
pub(super) fn length(fraction: &Fraction) -> usize {
    let below = match fraction.as_polynomial() {
        Some(_) => 0,
        None => 10 * fraction.denominator().len(),
    };
    fraction.numerator().len() + below
}

fn column(entries: &[Fraction]) -> Matrix {
    entries.iter().map(|entry| vec![entry.clone()]).collect()
}

fn transposed(matrix: &Matrix, columns: usize) -> Matrix {
    let column = |k: usize| matrix.iter().map(|row| row[k].clone()).collect();
    (0..columns).map(column).collect()
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
