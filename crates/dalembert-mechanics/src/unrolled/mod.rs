//! The whole right-hand side of a small system as one straight-line program: from (q, v, t) to q', v', λ and the
//! power of all forces but the potential.
//!
//! ```text
//! q' = N (v − b₀)             B eliminated, pivots chosen at the start         speeds.rs
//! M q'' = h + w + Aᵀ λ        L D Lᵀ of the whole, rows after their speeds     elimination.rs
//! A q'' = b
//! v' = B q'' + γ
//! ```
//!
//! Everything is built as expressions, so what structure makes zero or equal costs nothing, and what holds
//! only parameters is computed once.
//!
//! There is no pivoting and no refinement: each evaluation says whether it can be *trusted*, by the part of each
//! pivot that cancellation left ([`Least`]). Where it cannot, the caller asks the general route
//! ([`crate::formulation::solve_accelerations`]). Within trust the two agree to some hundred
//! roundings on models of all kinds and to 10⁻¹¹ on random rows, so going from one to the
//! other is no jump. Systems that cannot be trusted at their start (redundant rows, M singular along motions that no row
//! stops: `penalty.rs`) or that are too large ([`MOST_OPERATIONS`]) have no such program.

mod collect;
mod constants;
mod elimination;
mod parts;
mod penalty;
mod speeds;
#[cfg(test)]
mod tests;

use crate::Mechanism;
use crate::decide::{CLEARLY_DEFINITE, COARSE};
use crate::start::State;
use dalembert_expr::{ExprId, Graph, Rational, SymbolId, SymbolKind};
use dalembert_program::{NATIVE_AFTER, Program, Workspace, compile};
use elimination::{Order, Saddle, Solution};
use parts::Parts;
use std::time::Instant;

/// Longest program: beyond it the dense and sparse kernels, which are loops, win.
pub const MOST_OPERATIONS: usize = 4000;
/// Name of the input that holds 1. The graph would write u·(1/d) as u/d, and one division for each entry of L
/// costs five times as much as one for each pivot; u·(unit/d) stays as it is written.
const UNIT: &str = "constant one";

/// Least relative pivots of an evaluation that can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least {
    /// Of the speeds in M: as in the general route, where M is clearly definite.
    pub mass: f64,
    /// Of the rows, as squared distances of unit rows: no refinement makes up for more.
    pub rows: f64,
    /// Of the matrix B of the speeds.
    pub speeds: f64,
}

/// What an evaluation must reach to be trusted.
pub const TRUSTED: Least = Least {
    mass: CLEARLY_DEFINITE,
    rows: COARSE,
    speeds: 1e-4,
};

/// A pivot, positive if all is well, and the size of the terms it is the sum of.
#[derive(Clone, Copy)]
struct Pivot {
    value: ExprId,
    size: ExprId,
}

/// The program of a right-hand side, with its buffers and its last result.
pub struct Unrolled {
    program: Program,
    workspace: Workspace,
    /// q, v, t, then what only parameters determine.
    inputs: Vec<f64>,
    /// q', v', power, λ, then value and size of each pivot: of M, of the rows, of B.
    outputs: Vec<f64>,
    n: usize,
    rows: usize,
    evaluations: u64,
    native_s: f64,
}

impl Unrolled {
    /// The program of a mechanism that starts at `state`; `None` if it has more than `most` operations, or cannot be
    /// trusted there, or has laws that use reactions.
    #[must_use]
    pub fn new(mechanism: &Mechanism, state: &State, most: usize) -> Option<Self> {
        let system = &mechanism.system;
        let size = system.symbols.coordinates.len() + system.rows.len();
        // Structure alone: what is far too large is not even copied. An equation may shrink by what is constant
        // and common in it, but hardly to half.
        // Rows held by forces have no symmetric equations.
        if !system.servo.is_empty() || size.pow(2) > 4 * most || parts::size(system) > 2 * most {
            return None;
        }
        // What its laws make of the reactions is looked for in steps, which a program has none of.
        if system.has_laws() {
            return None;
        }
        let trusted = |mut built: Self| {
            let (q, v) = (&state.coordinates, speeds_at(mechanism, state));
            built.evaluate(state.t, q, &v).then_some(built)
        };
        Self::build(mechanism, state, most, &[])
            .and_then(trusted)
            .or_else(|| {
                let weights = penalty::weights(mechanism, state)?;
                Self::build(mechanism, state, most, &weights).and_then(trusted)
            })
    }

    /// Rows with a weight put a penalty on M.
    fn build(
        mechanism: &Mechanism,
        state: &State,
        most: usize,
        weights: &[Rational],
    ) -> Option<Self> {
        let (system, parameters) = (&mechanism.system, &mechanism.parameters);
        let (n, rows) = (system.symbols.coordinates.len(), system.rows.len());
        let mut g = system.graph.clone();
        let unit = g.symbol(UNIT, SymbolKind::Parameter);
        let value_of = |symbol: SymbolId| {
            let symbols = &system.symbols;
            let find = |list: &[SymbolId]| list.iter().position(|&s| s == symbol);
            if symbol == symbols.time {
                state.t
            } else if let Some(i) = find(&symbols.coordinates) {
                state.coordinates[i]
            } else {
                find(&symbols.parameters).map_or(1.0, |i| parameters[i])
            }
        };
        let mut parts = Parts::new(&mut g, system, &mechanism.equations);
        let (rates, speed_pivots) = parts.take_rates(&mut g, system, unit, value_of)?;
        penalty::put_on(&mut g, &mut parts, weights);
        let saddle = Saddle::new(
            &mut g,
            &parts.mass,
            &parts.force,
            &parts.jacobian,
            &parts.bias,
        );
        let order: Order = saddle.order()?;
        if order.operations > most {
            return None;
        }
        let solution: Solution = saddle.solve(&mut g, unit, &order)?;
        let power = parts.power(&mut g, system, &rates, &solution);
        let speed_rates = parts.speed_rates(&mut g, &solution.accelerations);

        let mut outputs = [rates, speed_rates, vec![power], solution.multipliers].concat();
        let pivots = solution.speeds.iter().chain(&solution.rows);
        for pivot in pivots.chain(&speed_pivots) {
            outputs.extend([pivot.value, pivot.size]);
        }
        let varying = [
            system.symbols.coordinates.as_slice(),
            &parts.speeds,
            &[system.symbols.time],
        ]
        .concat();
        let constants::Hoisted {
            outputs,
            inputs,
            values,
        } = constants::hoist(
            &mut g,
            &outputs,
            |symbol| varying.contains(&symbol),
            value_of,
        );
        let program = compile(&g, &[varying, inputs].concat(), &outputs).ok()?;
        if program.instruction_count() > most {
            return None;
        }
        let mut all = vec![0.0; 2 * n + 1];
        all.extend(values);
        Some(Self {
            workspace: program.workspace(),
            inputs: all,
            outputs: vec![0.0; outputs.len()],
            program,
            n,
            rows,
            evaluations: 0,
            native_s: 0.0,
        })
    }

    /// Evaluates at a state, without allocating (but for native code, once), and tells whether the result can be
    /// trusted: the pivots are large enough, and all numbers are finite.
    pub fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) -> bool {
        let n = self.n;
        self.inputs[..n].copy_from_slice(q);
        self.inputs[n..2 * n].copy_from_slice(v);
        self.inputs[2 * n] = t;
        self.evaluations += 1;
        if self.evaluations == NATIVE_AFTER {
            self.make_native_timed();
        }
        self.program
            .eval::<1>(&mut self.workspace, &self.inputs, &mut self.outputs);
        let [mass, rows, speeds] = self.pivots();
        // Not one comparison of quotients: divisions cost, and a NaN is no trust.
        let fair = |pivots: &[[f64; 2]], least: f64| {
            pivots.iter().fold(true, |fair, [value, size]| {
                fair & (*value > least * size.abs())
            })
        };
        fair(mass, TRUSTED.mass)
            & fair(rows, TRUSTED.rows)
            & fair(speeds, TRUSTED.speeds)
            & self
                .result()
                .iter()
                .map(|x| x * 0.0)
                .sum::<f64>()
                .is_finite()
    }

    /// Compiles to native code now if that pays for so many evaluations to come.
    pub fn expect(&mut self, evaluations: f64) {
        if evaluations >= NATIVE_AFTER as f64 {
            self.make_native_timed();
        }
    }

    fn make_native_timed(&mut self) {
        if !self.program.is_native() {
            let began = Instant::now();
            self.program.make_native();
            self.native_s = began.elapsed().as_secs_f64();
        }
    }

    /// Whether it runs in native code.
    #[must_use]
    pub fn is_native(&self) -> bool {
        self.program.is_native()
    }

    fn pivots(&self) -> [&[[f64; 2]]; 3] {
        let (n, rows) = (self.n, self.rows);
        let (pairs, _) = self.outputs[2 * n + 1 + rows..].as_chunks();
        let (mass, rest) = pairs.split_at(n);
        let (rows, speeds) = rest.split_at(rows);
        [mass, rows, speeds]
    }

    /// q', v' and the power of all that is not the potential, 2 n + 1 numbers, at the state last evaluated.
    #[must_use]
    pub fn result(&self) -> &[f64] {
        &self.outputs[..=2 * self.n]
    }

    /// λ at the state last evaluated.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        &self.outputs[2 * self.n + 1..][..self.rows]
    }

    /// The least relative pivots at the state last evaluated; 1 where there are none.
    #[must_use]
    pub fn least(&self) -> Least {
        let [mass, rows, speeds] = self.pivots().map(|pivots| {
            pivots.iter().fold(1.0, |least, [value, size]| {
                let part = value / size.abs();
                // Not f64::min, which would hide a NaN.
                if part < least || part.is_nan() {
                    part
                } else {
                    least
                }
            })
        });
        Least { mass, rows, speeds }
    }

    /// Seconds that native code took to make on the way.
    #[must_use]
    pub fn native_s(&self) -> f64 {
        self.native_s
    }

    /// Number of operations of one evaluation.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.program.instruction_count()
    }

    /// Compiles to native code now, not after some thousand evaluations; whether there is any.
    pub fn make_native(&self) -> bool {
        self.program.make_native()
    }
}

/// v = B q' + b₀ at a state.
fn speeds_at(mechanism: &Mechanism, state: &State) -> Vec<f64> {
    match &mechanism.system.speeds {
        Some(speeds) => mechanism.values_at(&speeds.values, state),
        None => state.rates.clone(),
    }
}

/// Σ a b.
fn dot(g: &mut Graph, left: &[ExprId], right: &[ExprId]) -> ExprId {
    let mut sum = g.integer(0);
    for (&a, &b) in left.iter().zip(right) {
        let product = g.mul(a, b);
        sum = g.add(sum, product);
    }
    sum
}
