//! The parts of a system, summed from its elements.

use super::collect::collect;
use super::elimination::Solution;
use super::masks::Masks;
use super::speeds::Square;
use super::{Pivot, dot};
use crate::equations::{Equations, drive, quadratic};
use crate::ids::ConstraintId;
use crate::lower::System;
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind, evaluate, substitute};

/// M, h + w, A, b and what else a right-hand side needs; matrices by rows, structural zeros as literals.
pub(super) struct Parts {
    pub(super) mass: Vec<ExprId>,
    /// h + w.
    pub(super) force: Vec<ExprId>,
    pub(super) jacobian: Vec<ExprId>,
    pub(super) bias: Vec<ExprId>,
    /// Forces that can do work and are not in the potential, w among them.
    working: Vec<ExprId>,
    drive: ExprId,
    /// Inputs that hold v; the rates where the model has no speeds of its own.
    pub(super) speeds: Vec<SymbolId>,
    /// B and γ.
    map: Option<(Vec<ExprId>, Vec<ExprId>)>,
    /// Speeds that have names; those beyond are rates of identities, which are zero.
    named: usize,
    /// Of the constraints that come and go.
    pub(super) masks: Masks,
}

/// Number of expressions that M, h, w, A, b need.
pub(super) fn size(system: &System) -> usize {
    let mut all: Vec<ExprId> = Vec::new();
    for part in &system.inertia {
        all.extend(part.mass.iter().map(|&(_, _, value)| value));
        all.extend(part.force.iter().map(|&(_, value)| value));
    }
    let given = system.forces.iter().map(|given| &given.force);
    for vector in given.chain(&system.nonideal) {
        all.extend(vector.iter().map(|&(_, value)| value));
    }
    for row in &system.rows {
        all.extend(row.jacobian.iter().map(|&(_, value)| value));
        all.push(row.bias);
    }
    Cone::new(&system.graph, &all).len()
}

impl Parts {
    /// What vanishes identically in the rows is zero.
    pub(super) fn new(g: &mut Graph, system: &System, equations: &Equations) -> Self {
        let n = system.symbols.coordinates.len();
        let zero = g.integer(0);
        let masks = Masks::new(g, system);
        let mut parts = Self {
            mass: vec![zero; n * n],
            force: vec![zero; n],
            jacobian: vec![zero; system.rows.len() * n],
            bias: (system.rows.iter())
                .map(|row| match equations.vanishes(row.bias) {
                    true => zero,
                    false => masks.put_on(g, row.constraint, row.bias),
                })
                .collect(),
            working: vec![zero; n],
            drive: drive(
                g,
                &system.symbols,
                (system.kinetic, system.potential),
                quadratic(system),
            ),
            speeds: system.symbols.rates.clone(),
            map: None,
            named: system.named_speeds(),
            masks,
        };
        let mut mass: Vec<Vec<ExprId>> = vec![Vec::new(); n * n];
        let (mut force, mut working) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for part in &system.inertia {
            for &(i, j, value) in &part.mass {
                mass[i * n + j].push(value);
            }
            for &(i, value) in &part.force {
                force[i].push(value);
            }
        }
        for given in &system.forces {
            for &(i, value) in &given.force {
                force[i].push(value);
                if !given.conservative {
                    working[i].push(value);
                }
            }
        }
        for (constraint, nonideal) in system.nonideal.iter().enumerate() {
            for &(i, value) in nonideal {
                let value = parts.masks.put_on(g, ConstraintId::new(constraint), value);
                force[i].push(value);
                working[i].push(value);
            }
        }
        let mut add_up = |targets: &mut [ExprId], contributions: Vec<Vec<ExprId>>| {
            for (target, contributions) in targets.iter_mut().zip(contributions) {
                *target = collect(g, &contributions);
            }
        };
        add_up(&mut parts.mass, mass);
        add_up(&mut parts.force, force);
        add_up(&mut parts.working, working);
        for (row, line) in system
            .rows
            .iter()
            .zip(parts.jacobian.chunks_exact_mut(n.max(1)))
        {
            let entries = row.jacobian.iter();
            for &(j, value) in entries.filter(|(_, value)| !equations.vanishes(*value)) {
                line[j] = parts.masks.put_on(g, row.constraint, value);
            }
        }
        parts
    }

    /// The rates in terms of the speeds, put into all parts; `None` if B is singular at the start.
    pub(super) fn take_rates(
        &mut self,
        g: &mut Graph,
        system: &System,
        unit: ExprId,
        value_of: impl Fn(SymbolId) -> f64,
    ) -> Option<(Vec<ExprId>, Vec<Pivot>)> {
        let rates: Vec<ExprId> = self
            .speeds
            .iter()
            .map(|&rate| g.symbol_node(rate))
            .collect();
        let Some(speeds) = &system.speeds else {
            return Some((rates, Vec::new()));
        };
        let n = rates.len();
        let mut matrix = vec![g.integer(0); n * n];
        for (line, row) in matrix.chunks_exact_mut(n).zip(&speeds.matrix) {
            row.iter().for_each(|&(j, value)| line[j] = value);
        }
        self.speeds.clear();
        let mut right = Vec::with_capacity(n);
        for (i, &offset) in speeds.offset.iter().enumerate() {
            // A name that no model can give.
            let speed = g.symbol(&format!("speed {i}"), SymbolKind::Speed);
            self.speeds.extend(g.as_symbol(speed));
            right.push(match i < self.named {
                true => g.sub(speed, offset),
                false => g.integer(0),
            });
        }
        let square = Square {
            values: evaluate(g, &matrix, value_of),
            matrix: matrix.clone(),
            right,
        };
        let (found, pivots) = square.solve(g, unit)?;
        let replacements: Vec<(ExprId, ExprId)> =
            rates.into_iter().zip(found.iter().copied()).collect();
        let mut put_in = |values: &mut [ExprId]| {
            let new = substitute(g, values, &replacements);
            values.copy_from_slice(&new);
        };
        put_in(&mut self.mass);
        put_in(&mut self.force);
        put_in(&mut self.jacobian);
        put_in(&mut self.bias);
        put_in(&mut self.working);
        put_in(std::slice::from_mut(&mut self.drive));
        let mut gamma = speeds.gamma.clone();
        put_in(&mut gamma);
        self.map = Some((matrix, gamma));
        Some((found, pivots))
    }

    /// Some rows of A and b.
    pub(super) fn rows(&self, kept: &[usize]) -> (Vec<ExprId>, Vec<ExprId>) {
        let n = self.force.len();
        let lines = kept
            .iter()
            .flat_map(|row| &self.jacobian[row * n..(row + 1) * n]);
        let bias = kept.iter().map(|&row| self.bias[row]);
        (lines.copied().collect(), bias.collect())
    }

    /// Σ M x² of the last correction x, and of the accelerations.
    pub(super) fn still_moved(
        &self,
        g: &mut Graph,
        correction: &[ExprId],
        accelerations: &[ExprId],
    ) -> Pivot {
        let n = self.force.len();
        let diagonal: Vec<ExprId> = (0..n).map(|i| self.mass[i * (n + 1)]).collect();
        let mut energy = |x: &[ExprId]| {
            let squares: Vec<ExprId> = x.iter().map(|&x| g.mul(x, x)).collect();
            dot(g, &diagonal, &squares)
        };
        Pivot {
            value: energy(correction),
            size: energy(accelerations),
        }
    }

    /// A q'' − b of the rows that are not kept, and the size of its terms.
    pub(super) fn missed(
        &self,
        g: &mut Graph,
        kept: &[usize],
        accelerations: &[ExprId],
    ) -> Vec<Pivot> {
        let others = (0..self.bias.len()).filter(|row| !kept.contains(row));
        let others: Vec<usize> = others.collect();
        let (lines, bias) = self.rows(&others);
        let lines = lines.chunks_exact(accelerations.len().max(1));
        lines
            .zip(bias)
            .map(|(line, bias)| {
                let (mut value, mut size) = (g.neg(bias), g.abs(bias));
                for (&a, &acceleration) in line.iter().zip(accelerations) {
                    let product = g.mul(a, acceleration);
                    value = g.add(value, product);
                    let product = g.abs(product);
                    size = g.add(size, product);
                }
                Pivot { value, size }
            })
            .collect()
    }

    /// v' = B q'' + γ.
    pub(super) fn speed_rates(&self, g: &mut Graph, accelerations: &[ExprId]) -> Vec<ExprId> {
        let Some((matrix, gamma)) = &self.map else {
            return accelerations.to_vec();
        };
        let rows = matrix.chunks_exact(accelerations.len().max(1));
        rows.zip(gamma)
            .enumerate()
            .map(|(i, (row, &gamma))| {
                if i >= self.named {
                    return g.integer(0);
                }
                let sum = dot(g, row, accelerations);
                g.add(sum, gamma)
            })
            .collect()
    }

    /// Power of all that is not the potential.
    pub(super) fn power(
        &self,
        g: &mut Graph,
        system: &System,
        rates: &[ExprId],
        solution: &Solution,
    ) -> ExprId {
        let symbols = system.symbols.accelerations.iter();
        let replacements: Vec<(ExprId, ExprId)> = symbols
            .map(|&symbol| g.symbol_node(symbol))
            .zip(solution.accelerations.iter().copied())
            .collect();
        let mut power = substitute(g, &[self.drive], &replacements)[0];
        let working = dot(g, &self.working, rates);
        power = g.add(power, working);
        let lines = self.jacobian.chunks_exact(rates.len().max(1));
        for ((row, line), &multiplier) in system.rows.iter().zip(lines).zip(&solution.multipliers) {
            if !row.powerless {
                let along = dot(g, line, rates);
                let reaction = g.mul(multiplier, along);
                power = g.add(power, reaction);
            }
        }
        power
    }
}
