//! The way back to the rows of a small system as one program: residuals, the corrections that take them away, and energies.
//!
//! ```text
//! ⎡ M  Φᵀ ⎤ ⎡ Δq ⎤   ⎡  0 ⎤        ⎡ M  Aᵀ ⎤ ⎡ Δv ⎤   ⎡  0 ⎤
//! ⎣ Φ  0  ⎦ ⎣ −μ ⎦ = ⎣ −φ ⎦        ⎣ A  0  ⎦ ⎣ −ν ⎦ = ⎣ −ψ ⎦
//! ```
//!
//! As the right-hand side it says whether it can be trusted; where it cannot, the general route is asked
//! ([`crate::projection`]). It needs the speeds to be the rates.

use super::elimination::{Saddle, Solution};
use super::masks::Masks;
use super::parts::Parts;
use super::{Compiled, Ground, TRUSTED, dot, is_fair, penalty};
use crate::Mechanism;
use crate::ids::ConstraintId;
use crate::lower::System;
use dalembert_expr::{ExprId, Graph, Rational, SymbolId, SymbolKind};

/// The program, with its buffers and its last result.
pub struct WayBack {
    pub(super) compiled: Compiled,
    n: usize,
    pub(super) position: Level,
    pub(super) velocity: Level,
    pub(super) energies: usize,
    /// Whether rows give way a little: their pivots then say nothing, and the search for the rows shows whether it gets there.
    pub(super) is_soft: bool,
    masks: Masks,
}

/// Places of the outputs of one level: values and sizes of its rows, the rows themselves, the correction, the pivots.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// How many rows it has.
    pub rows: usize,
    /// Where their residuals begin, then their sizes.
    pub values: usize,
    /// Where the rows begin, if they are there.
    pub jacobian: usize,
    /// Where the correction begins.
    pub correction: usize,
    /// Where pairs of pivots of M begin.
    pub speed_pivots: usize,
    /// Where pairs of pivots of the rows begin.
    pub row_pivots: usize,
    /// What follows.
    pub end: usize,
}

/// What rows of one level leave at a state.
#[derive(Clone, Copy, Debug)]
pub struct Missed<'a> {
    values: &'a [f64],
    sizes: &'a [f64],
    /// What takes it away.
    pub correction: &'a [f64],
    /// Pivots of M, and of the rows where they say something.
    pivots: [&'a [[f64; 2]]; 2],
}

impl Missed<'_> {
    /// Whether the correction takes it away: the pivots are large enough.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        let [speeds, rows] = self.pivots;
        is_fair(speeds, TRUSTED.mass) & is_fair(rows, TRUSTED.rows)
    }

    /// The residual of each row, and the size of what the row has of the unknowns and of unknowns of their usual sizes.
    pub fn rows(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.values.iter().copied().zip(self.sizes.iter().copied())
    }
}

/// Energies at a state.
#[derive(Clone, Copy, Debug)]
pub struct Exchanged {
    /// T.
    pub kinetic: f64,
    /// V.
    pub potential: f64,
    /// Σ P of the forces that are not in the potential, and Σ |P|.
    pub power: [f64; 2],
}

impl WayBack {
    /// The program for unknowns of these usual sizes, coordinates and rates; of rows that depend on each other only those
    /// `kept` are corrected, or all give way a little. `None` if it has more than `most` operations.
    pub(super) fn new(
        ground: &Ground<'_>,
        [coordinates, rates]: [&[f64]; 2],
        (kept, soft): (&[usize], Option<&[Rational]>),
        most: usize,
    ) -> Option<Self> {
        let Mechanism {
            system, equations, ..
        } = ground.mechanism;
        if system.speeds.is_some() {
            return None;
        }
        let (mut g, unit) = ground.graph();
        let parts = Parts::new(&mut g, system, equations);
        let symbols = &system.symbols;
        let sizes = symbols_of_sizes(&mut g, coordinates.len() + rates.len());
        let (size_q, size_v) = sizes.split_at(coordinates.len());
        let mut outputs = Vec::new();
        let mut level = |g: &mut Graph, rows: &[usize], of_position: bool| {
            let (unknowns, sizes) = match of_position {
                true => (&symbols.coordinates, size_q),
                false => (&symbols.rates, size_v),
            };
            let residual = |row: usize| match of_position {
                true => Some(system.rows[row].residual),
                false => system.rows[row].rate,
            };
            let built = Built::new(g, &parts, (system, rows), |row| {
                residual(row).filter(|&it| !equations.vanishes(it))
            });
            let by = (&parts, unit);
            let solution = built.solve(g, by, (system, rows), (kept, soft, most))?;
            let lines = match of_position {
                true => &[],
                false => built.lines.as_slice(),
            };
            let sizes = built.sizes(g, unknowns, sizes);
            Some(built.write(&mut outputs, (&sizes, lines), &solution))
        };
        let position = level(&mut g, equations.position_rows(), true)?;
        let velocity = level(&mut g, equations.velocity_rows(), false)?;
        let energies = outputs.len();
        let powers = powers(&mut g, ground.mechanism, &parts.masks);
        outputs.extend([system.kinetic, system.potential]);
        outputs.extend(powers);
        let varying = [
            symbols.coordinates.as_slice(),
            &symbols.rates,
            &[symbols.time],
            &sizes,
            &parts.masks.symbols,
        ]
        .concat();
        let mut compiled = ground.compile(&mut g, &varying, &outputs, most)?;
        let n = symbols.coordinates.len();
        compiled.inputs[2 * n + 1..4 * n + 1].copy_from_slice(&[coordinates, rates].concat());
        let mut built = Self {
            compiled,
            n,
            position,
            velocity,
            energies,
            is_soft: soft.is_some(),
            masks: parts.masks,
        };
        built.set_active(&ground.state.mode.of(system));
        Some(built)
    }

    /// Goes on with other values of the parameters; false if that was not foreseen.
    pub fn set_parameters(&mut self, parameters: &[f64]) -> bool {
        self.compiled.set_parameters(parameters)
    }

    /// Goes on with other usual sizes of the unknowns, coordinates and rates.
    pub fn set_sizes(&mut self, [coordinates, rates]: [&[f64]; 2]) {
        let n = self.n;
        self.compiled.inputs[2 * n + 1..3 * n + 1].copy_from_slice(coordinates);
        self.compiled.inputs[3 * n + 1..4 * n + 1].copy_from_slice(rates);
        self.compiled.forget();
    }

    /// Goes on with other constraints active, by constraint.
    pub fn set_active(&mut self, active: &[bool]) {
        self.masks.set(&mut self.compiled, 4 * self.n + 1, active);
    }

    /// Evaluates at a state, without allocating.
    pub fn set(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.compiled.evaluate(self.n, (t, q, v));
    }

    /// Whether it was last evaluated at this state.
    #[must_use]
    pub fn is_at(&self, t: f64, q: &[f64], v: &[f64]) -> bool {
        self.compiled.is_at(self.n, (t, q, v))
    }

    /// What the position rows leave.
    #[must_use]
    pub fn position(&self) -> Missed<'_> {
        self.missed(&self.position)
    }

    /// What the rows at velocity level leave.
    #[must_use]
    pub fn velocity(&self) -> Missed<'_> {
        self.missed(&self.velocity)
    }

    /// A of the rows at velocity level, one after the other.
    #[must_use]
    pub fn velocity_jacobian(&self) -> &[f64] {
        &self.compiled.outputs[self.velocity.jacobian..self.velocity.correction]
    }

    /// Energies, and the power of what is not in the potential but for the rows and what is prescribed.
    #[must_use]
    pub fn exchanged(&self) -> Exchanged {
        let found = &self.compiled.outputs[self.energies..];
        Exchanged {
            kinetic: found[0],
            potential: found[1],
            power: [found[2], found[3]],
        }
    }

    /// Makes native code.
    pub fn make_native(&mut self) {
        self.compiled.make_native();
    }

    /// Seconds that native code took to make.
    #[must_use]
    pub fn native_s(&self) -> f64 {
        self.compiled.native_s
    }

    /// Whether it runs in native code.
    #[must_use]
    pub fn is_native(&self) -> bool {
        self.compiled.program.is_native()
    }

    fn missed(&self, level: &Level) -> Missed<'_> {
        let outputs = &self.compiled.outputs;
        let (values, sizes) = outputs[level.values..level.jacobian].split_at(level.rows);
        let speeds = outputs[level.speed_pivots..level.row_pivots].as_chunks().0;
        let rows = outputs[level.row_pivots..level.end].as_chunks().0;
        Missed {
            values,
            sizes,
            correction: &outputs[level.correction..level.speed_pivots],
            pivots: [speeds, if self.is_soft { &[] } else { rows }],
        }
    }
}

/// Rows of one level in expressions.
struct Built {
    residuals: Vec<ExprId>,
    /// The rows of A, one after the other.
    lines: Vec<ExprId>,
}

impl Built {
    fn new(
        g: &mut Graph,
        parts: &Parts,
        (system, rows): (&System, &[usize]),
        residual: impl Fn(usize) -> Option<ExprId>,
    ) -> Self {
        let (n, zero) = (parts.force.len(), g.integer(0));
        let line = |&row: &usize| parts.jacobian[row * n..(row + 1) * n].iter().copied();
        Self {
            residuals: rows
                .iter()
                .map(|&row| match residual(row) {
                    Some(it) => parts.masks.put_on(g, system.rows[row].constraint, it),
                    None => zero,
                })
                .collect(),
            lines: rows.iter().flat_map(line).collect(),
        }
    }

    /// The correction that takes away the residuals of the rows that are kept.
    fn solve(
        &self,
        g: &mut Graph,
        (parts, unit): (&Parts, ExprId),
        (system, rows): (&System, &[usize]),
        (kept, soft, most): (&[usize], Option<&[Rational]>, usize),
    ) -> Option<Solution> {
        let n = parts.force.len();
        let places: Vec<usize> = (0..rows.len())
            .filter(|&place| kept.contains(&rows[place]))
            .collect();
        let lines = places
            .iter()
            .flat_map(|&place| &self.lines[place * n..(place + 1) * n]);
        let lines: Vec<ExprId> = lines.copied().collect();
        let wanted: Vec<ExprId> = places.iter().map(|&i| g.neg(self.residuals[i])).collect();
        let still = vec![g.integer(0); n];
        let held: Vec<usize> = places.iter().map(|&place| rows[place]).collect();
        let diagonal = parts.masks.diagonal(g, system, &held);
        let saddle = Saddle::new(g, &parts.mass, &still, &lines, (&wanted, &diagonal));
        let order = saddle.order()?;
        if order.operations > most {
            return None;
        }
        let Some(weights) = soft else {
            return saddle.solve(g, unit, &order);
        };
        let weights: Vec<Rational> = rows.iter().map(|&row| weights[row].clone()).collect();
        let softness = penalty::softness(g, &weights);
        // The search for the rows goes on until they are met: it needs no refinement.
        let solution = saddle.solve_softly(g, unit, &order, (&softness, 0), &[]);
        solution.map(|(solution, _)| solution)
    }

    /// Σ |Aᵢⱼ| (|xⱼ| + sⱼ) of each row.
    fn sizes(&self, g: &mut Graph, unknowns: &[SymbolId], sizes: &[SymbolId]) -> Vec<ExprId> {
        let each: Vec<ExprId> = unknowns
            .iter()
            .zip(sizes)
            .map(|(&x, &size)| {
                let (x, size) = (g.symbol_node(x), g.symbol_node(size));
                let x = g.abs(x);
                g.add(x, size)
            })
            .collect();
        let lines: Vec<ExprId> = self.lines.iter().map(|&entry| g.abs(entry)).collect();
        lines
            .chunks_exact(each.len().max(1))
            .map(|line| dot(g, line, &each))
            .collect()
    }

    /// Adds all to the outputs; their places.
    fn write(
        &self,
        outputs: &mut Vec<ExprId>,
        (sizes, lines): (&[ExprId], &[ExprId]),
        solution: &Solution,
    ) -> Level {
        let values = outputs.len();
        outputs.extend(&self.residuals);
        outputs.extend(sizes);
        let jacobian = outputs.len();
        outputs.extend(lines);
        let correction = outputs.len();
        outputs.extend(&solution.accelerations);
        let speed_pivots = outputs.len();
        let pairs = |outputs: &mut Vec<ExprId>, pivots: &[super::Pivot]| {
            outputs.extend(pivots.iter().flat_map(|pivot| [pivot.value, pivot.size]));
        };
        pairs(outputs, &solution.speeds);
        let row_pivots = outputs.len();
        pairs(outputs, &solution.rows);
        Level {
            rows: self.residuals.len(),
            values,
            jacobian,
            correction,
            speed_pivots,
            row_pivots,
            end: outputs.len(),
        }
    }
}

/// Σ P and Σ |P| of the forces that are not in the potential, virtual-work vectors among them.
fn powers(g: &mut Graph, mechanism: &Mechanism, masks: &Masks) -> [ExprId; 2] {
    let system = &mechanism.system;
    let given = system.given_forces().filter(|force| !force.conservative);
    let given = given.map(|force| (None, &force.force));
    let works = system.nonideal.iter().enumerate();
    let works = works.map(|(constraint, work)| (Some(ConstraintId::new(constraint)), work));
    let mut sums = [g.integer(0); 2];
    for (constraint, force) in given.chain(works) {
        let mut power = g.integer(0);
        for &(i, value) in force {
            let rate = g.symbol_node(system.symbols.rates[i]);
            let product = g.mul(value, rate);
            power = g.add(power, product);
        }
        if let Some(constraint) = constraint {
            power = masks.put_on(g, constraint, power);
        }
        let size = g.abs(power);
        sums = [g.add(sums[0], power), g.add(sums[1], size)];
    }
    sums
}

/// Inputs for the usual sizes of the unknowns.
fn symbols_of_sizes(g: &mut Graph, count: usize) -> Vec<SymbolId> {
    let symbols = (0..count).map(|i| {
        // A name that no model can give.
        let size = g.symbol(&format!("size {i}"), SymbolKind::Parameter);
        g.as_symbol(size).expect("a symbol was asked for")
    });
    symbols.collect()
}
