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

mod carried;
mod collect;
mod compiled;
mod constants;
mod elimination;
mod lanes;
mod masks;
mod parts;
mod penalty;
mod redundant;
mod speeds;
#[cfg(test)]
#[path = "../../tests/inside/unrolled.rs"]
mod tests;
mod way_back;

pub use carried::{Carried, CarriedRight, CarriedWay};
pub use lanes::UnrolledLanes;
pub use masks::Masks;
pub use way_back::{Exchanged, Level, Missed, WayBack};

use crate::Mechanism;
use crate::decide::{CANCELLED, CLEAR, COARSE, RELATED, USED_UP};
use crate::state::State;
use compiled::{Compiled, Ground};
use dalembert_expr::{ExprId, Graph, Rational};
use dalembert_program::NATIVE_AFTER;
use elimination::{Order, Saddle};
use parts::Parts;

/// Longest program: beyond it the dense and sparse kernels, which are loops, win.
pub const MOST_OPERATIONS: usize = 4000;
/// Name of the input that holds 1. The graph would write u·(1/d) as u/d, and one division for each entry of L
/// costs five times as much as one for each pivot; u·(unit/d) stays as it is written.
const UNIT: &str = "constant one";

/// Refinements of accelerations where rows give way a little.
const REFINEMENTS: usize = 2;

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
    mass: USED_UP,
    rows: COARSE,
    speeds: COARSE,
};

/// A pivot, positive if all is well, and the size of the terms it is the sum of.
#[derive(Clone, Copy)]
struct Pivot {
    value: ExprId,
    size: ExprId,
}

/// Whether each pivot is large enough beside its size.
fn is_fair(pivots: &[[f64; 2]], least: f64) -> bool {
    // Not one comparison of quotients: divisions cost, and a NaN is no trust.
    pivots.iter().fold(true, |fair, [value, size]| {
        fair & (*value > least * size.abs())
    })
}

/// What pairs are judged by: pivots of M, of rows and of B by the least part that they may be, then what rows miss by the largest.
fn limits([mass, rows, speeds, missed]: [usize; 4], rows_by: &RowsBy) -> Vec<f64> {
    let is_soft = matches!(rows_by, RowsBy::Softness(..));
    let of_rows = if is_soft { CLEAR } else { TRUSTED.rows };
    let of_all = [
        (mass, TRUSTED.mass),
        (rows, of_rows),
        (speeds, TRUSTED.speeds),
        (missed, RELATED),
    ];
    let mut limits: Vec<f64> = (of_all.into_iter())
        .flat_map(|(count, limit)| std::iter::repeat_n(limit, count))
        .collect();
    // That refinement has found what soft rows determine is the last pair.
    if let Some(moved) = limits.last_mut().filter(|_| is_soft) {
        *moved = CANCELLED * CANCELLED;
    }
    limits
}

/// Whether all numbers are: no exponent has all bits, so that none carries over to the sign.
fn are_finite(numbers: &[f64]) -> bool {
    const EXPONENT: u64 = f64::INFINITY.to_bits();
    const ONE_MORE: u64 = 1 << 52;
    let carried = numbers.iter().fold(0, |carried, number| {
        carried | ((number.to_bits() & EXPONENT) + ONE_MORE)
    });
    carried >> 63 == 0
}

/// The program of a right-hand side, with its buffers and its last result.
pub struct Unrolled {
    /// Its outputs are q', v', power, λ, then the value of each pivot (of M, of the rows that are kept or of the
    /// relations of soft ones, of B) and what rows miss that are left out or soft, of soft rows also by how much refinement still moved;
    /// then the sizes of all these.
    compiled: Compiled,
    n: usize,
    rows: usize,
    /// Rows that are kept: all, unless some depend on the others everywhere.
    kept: Vec<usize>,
    adjustable: bool,
    rows_by: RowsBy,
    masks: Masks,
    /// Of how many pairs of pivots what is judged: M, rows, B, and what rows miss.
    judged: [usize; 4],
    /// What each pair is judged by: the least part that a pivot may be, then the largest that may be missed.
    limits: Vec<f64>,
}

/// How a program takes the rows.
#[derive(Clone)]
enum RowsBy {
    /// As they are.
    Themselves,
    /// With a weight each, by which they put a penalty on M.
    Penalty(Vec<Rational>),
    /// Giving way a little, each by a part of 1/weight, because some depend on others where all are met; what their relations are found
    /// from.
    Softness(Vec<Rational>, Vec<Vec<Vec<f64>>>),
}

impl Unrolled {
    /// The program of a mechanism that starts at `state`; `None` if it has more than `most` operations, or cannot be
    /// trusted there, or has laws that use reactions.
    #[must_use]
    pub fn new(mechanism: &Mechanism, state: &State, most: usize) -> Option<Self> {
        Self::of((mechanism, false), state, most)
    }

    /// The same, for which other values of the parameters may be set later.
    #[must_use]
    pub fn adjustable(mechanism: &Mechanism, state: &State, most: usize) -> Option<Self> {
        Self::of((mechanism, true), state, most)
    }

    fn of((mechanism, adjustable): (&Mechanism, bool), state: &State, most: usize) -> Option<Self> {
        let system = &mechanism.system;
        let size = system.symbols.coordinates.len() + system.rows.len();
        // Structure alone: what is far too large is not even copied. An equation may shrink by what is constant
        // and common in it, but hardly to half.
        // Rows held by forces have no symmetric equations.
        if !system.servo.is_empty() || size.pow(2) > 4 * most || parts::size(system) > 2 * most {
            return None;
        }
        // What its laws make of the reactions is looked for in steps, which a program has none of; what is left in links is long.
        if system.has_laws() || system.hung.is_some() {
            return None;
        }
        let ground = Ground {
            mechanism,
            state,
            adjustable,
        };
        let trusted = |mut built: Self| {
            let (q, v) = (&state.coordinates, speeds_at(mechanism, state));
            built.evaluate(state.t, q, &v).then_some(built)
        };
        let all: Vec<usize> = (0..system.rows.len()).collect();
        let build = |kept: &[usize], rows_by| {
            let built = Self::build(&ground, most, kept, rows_by);
            built.and_then(trusted)
        };
        build(&all, RowsBy::Themselves).or_else(|| {
            let weights = penalty::weights(mechanism, state)?;
            build(&all, RowsBy::Penalty(weights.clone()))
                .or_else(|| {
                    // What depends on rows that come and go does so only as long as these hold.
                    let always = system.activity.iter().all(|it| !it.changes());
                    always.then_some(())?;
                    let kept = redundant::independent(mechanism, state)?;
                    build(&kept, RowsBy::Themselves)
                })
                .or_else(|| {
                    let related = redundant::relations(mechanism, state)?;
                    build(&all, RowsBy::Softness(weights, related))
                })
        })
    }

    /// With some rows kept.
    fn build(ground: &Ground<'_>, most: usize, kept: &[usize], rows_by: RowsBy) -> Option<Self> {
        let system = &ground.mechanism.system;
        let (n, rows) = (system.symbols.coordinates.len(), system.rows.len());
        let (mut g, unit) = ground.graph();
        let mut parts = Parts::new(&mut g, system, &ground.mechanism.equations);
        let value_of = |symbol| ground.value_of(symbol);
        let (rates, speed_pivots) = parts.take_rates(&mut g, system, unit, value_of)?;
        if let RowsBy::Penalty(weights) = &rows_by {
            penalty::put_on(&mut g, &mut parts, weights);
        }
        let (lines, bias) = parts.rows(kept);
        let diagonal = parts.masks.diagonal(&mut g, system, kept);
        let (mass, force) = (&parts.mass, &parts.force);
        let saddle = Saddle::new(&mut g, mass, force, &lines, (&bias, &diagonal));
        let order: Order = saddle.order()?;
        if order.operations > most {
            return None;
        }
        let (mut solution, correction) = match &rows_by {
            RowsBy::Softness(weights, related) => {
                let softness = penalty::softness(&mut g, weights);
                let related = redundant::written(&mut g, related)?;
                let by = (&*softness, REFINEMENTS);
                saddle.solve_softly(&mut g, unit, &order, by, &related)?
            }
            _ => (saddle.solve(&mut g, unit, &order)?, Vec::new()),
        };
        // Reactions of rows that depend on others are not unique: none is an answer.
        let mut multipliers = vec![g.integer(0); rows];
        for (&row, &found) in kept.iter().zip(&solution.multipliers) {
            multipliers[row] = found;
        }
        solution.multipliers = multipliers;
        let power = parts.power(&mut g, system, &rates, &solution);
        let speed_rates = parts.speed_rates(&mut g, &solution.accelerations);
        let left_out = match rows_by {
            RowsBy::Softness(..) => {
                let mut all = parts.missed(&mut g, &[], &solution.accelerations);
                all.push(parts.still_moved(&mut g, &correction, &solution.accelerations));
                all
            }
            _ => parts.missed(&mut g, kept, &solution.accelerations),
        };

        let mut outputs = [rates, speed_rates, vec![power], solution.multipliers].concat();
        let pivots = solution.speeds.iter().chain(&solution.rows);
        let judged: Vec<&Pivot> = pivots.chain(&speed_pivots).chain(&left_out).collect();
        outputs.extend(judged.iter().map(|pivot| pivot.value));
        outputs.extend(judged.iter().map(|pivot| pivot.size));
        let varying = [
            system.symbols.coordinates.as_slice(),
            &parts.speeds,
            &[system.symbols.time],
            &parts.masks.symbols,
        ]
        .concat();
        let pairs = judged.len();
        let (relations, missed) = match &rows_by {
            RowsBy::Softness(_, related) => (related.len(), rows + 1),
            _ => (kept.len(), rows - kept.len()),
        };
        let judged = [n, relations, pairs - n - relations - missed, missed];
        let mut built = Self {
            compiled: ground.compile(&mut g, &varying, &outputs, most)?,
            limits: limits(judged, &rows_by),
            judged,
            n,
            rows,
            adjustable: ground.adjustable,
            kept: kept.to_vec(),
            rows_by,
            masks: parts.masks,
        };
        built.set_active(&ground.state.mode.of(system));
        Some(built)
    }

    /// Goes on with other values of the parameters; false if that was not foreseen ([`Self::adjustable`]).
    pub fn set_parameters(&mut self, parameters: &[f64]) -> bool {
        self.compiled.set_parameters(parameters)
    }

    /// Goes on with other constraints active, by constraint.
    pub fn set_active(&mut self, active: &[bool]) {
        self.masks.set(&mut self.compiled, 2 * self.n + 1, active);
    }

    /// The way back to the rows by a program, for unknowns of these usual sizes, coordinates and rates; `None` where there is none.
    #[must_use]
    pub fn way_back(
        &self,
        mechanism: &Mechanism,
        state: &State,
        sizes: [&[f64]; 2],
    ) -> Option<WayBack> {
        let ground = Ground {
            mechanism,
            state,
            adjustable: self.adjustable,
        };
        let kept = self.kept.as_slice();
        match &self.rows_by {
            RowsBy::Penalty(_) => None,
            RowsBy::Themselves => WayBack::new(&ground, sizes, (kept, None), MOST_OPERATIONS),
            RowsBy::Softness(weights, _) => {
                WayBack::new(&ground, sizes, (kept, Some(weights)), MOST_OPERATIONS)
            }
        }
    }

    /// Evaluates at a state, without allocating (but for native code, once), and tells whether the result can be
    /// trusted: the pivots are large enough, rows left out are met as well as a state between steps can, and all numbers are finite.
    pub fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) -> bool {
        self.compiled.evaluate(self.n, (t, q, v));
        let outputs = &self.compiled.outputs[2 * self.n + 1 + self.rows..];
        let (values, sizes) = outputs.split_at(outputs.len() / 2);
        let limits = self.limits.as_slice();
        // All of them in one go, which costs less than to leave at the first. Not by quotients: divisions cost, and a NaN is no trust.
        let pivots = values.len() - self.judged[3];
        let mut trusted = true;
        for i in 0..pivots.min(sizes.len()).min(limits.len()) {
            trusted &= values[i] > limits[i] * sizes[i].abs();
        }
        for i in pivots..values.len() {
            trusted &= values[i].abs() <= limits[i] * sizes[i];
        }
        trusted & are_finite(self.result())
    }

    /// Whether native code pays for so many evaluations to come; made now if it does.
    pub fn expect(&mut self, evaluations: f64) -> bool {
        // Half of what the tape would have to cost: a forecast is better than waiting for it.
        let pays = evaluations >= 0.5 * NATIVE_AFTER as f64;
        if pays {
            self.compiled.make_native();
        }
        pays
    }

    /// Whether it runs in native code.
    #[must_use]
    pub fn is_native(&self) -> bool {
        self.compiled.program.is_native()
    }

    /// q', v' and the power of all that is not the potential, 2 n + 1 numbers, at the state last evaluated.
    #[must_use]
    pub fn result(&self) -> &[f64] {
        &self.compiled.outputs[..=2 * self.n]
    }

    /// λ at the state last evaluated.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        &self.compiled.outputs[2 * self.n + 1..][..self.rows]
    }

    /// The least relative pivots at the state last evaluated; 1 where there are none.
    #[must_use]
    pub fn least(&self) -> Least {
        let outputs = &self.compiled.outputs[2 * self.n + 1 + self.rows..];
        let (values, sizes) = outputs.split_at(outputs.len() / 2);
        let mut pivots = values.iter().zip(sizes);
        let [mass, rows, speeds, _] = self.judged.map(|count| {
            pivots
                .by_ref()
                .take(count)
                .fold(1.0, |least, (value, size)| {
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
        self.compiled.native_s
    }

    /// Number of operations of one evaluation.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.compiled.program.instruction_count()
    }

    /// Compiles to native code now, not after some thousand evaluations; whether there is any.
    pub fn make_native(&self) -> bool {
        self.compiled.program.make_native()
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
