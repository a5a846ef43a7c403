//! Exact derivatives of the motion, as one compiled stage.
//!
//! The motion q'', λ at a state is where these vanish; beside them stand what it does and what it is written in:
//!
//! ```text
//! R = M q'' − h − w − Gᵀ λ        S = A q'' − b
//! P = power of all that is not the potential
//! V = B q' + b₀                   C = B q'' + γ        where the model has speeds of its own
//! ```
//!
//! The stage gives all of ∂(R, S, P, V, C)/∂(q, q', t, parameters, q'', λ), stored where it can differ from zero. Laws that use reactions
//! are part of R, whose slopes by λ are then not −Gᵀ alone. [`Slopes`] makes derivatives of the right-hand side of them.
//!
//! Nothing is compiled before someone asks.

mod elements;
mod slopes;

pub use slopes::Slopes;

use crate::Mechanism;
use crate::equations::{Evaluator, Scratch, Stage};
use crate::linear::{Matrix, Pattern};
use elements::Elements;
use std::ops::Range;

/// What the motion is differentiated by, beside q'' and λ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Coordinates and rates.
    State,
    /// Coordinates, rates, time and parameters.
    Everything,
}

/// Where the parts stand: rows and columns of the derivatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Columns of q, q', q'' and λ.
    pub coordinates: Range<usize>,
    /// Of q'.
    pub rates: Range<usize>,
    /// Of t.
    pub time: usize,
    /// Of the parameters, each as if it were written in no others.
    pub parameters: Range<usize>,
    /// Of q''.
    pub accelerations: Range<usize>,
    /// Of λ.
    pub multipliers: Range<usize>,
    /// Rows of R.
    pub equations: Range<usize>,
    /// Of S.
    pub constraints: Range<usize>,
    /// Of P.
    pub power: usize,
    /// Of V; empty where the speeds are the rates.
    pub speeds: Range<usize>,
    /// Of C.
    pub speed_rates: Range<usize>,
}

impl Places {
    fn new(n: usize, rows: usize, parameters: usize, has_speeds: bool) -> Self {
        let speeds = if has_speeds { n } else { 0 };
        let mut next = 0;
        let mut take = |count: usize| {
            next += count;
            next - count..next
        };
        let (coordinates, rates, time) = (take(n), take(n), take(1).start);
        let (parameters, accelerations) = (take(parameters), take(n));
        let multipliers = take(rows);
        next = 0;
        let mut take = |count: usize| {
            next += count;
            next - count..next
        };
        Self {
            coordinates,
            rates,
            time,
            parameters,
            accelerations,
            multipliers,
            equations: take(n),
            constraints: take(rows),
            power: take(1).start,
            speeds: take(speeds),
            speed_rates: take(speeds),
        }
    }

    fn columns(&self) -> usize {
        self.multipliers.end
    }

    fn rows(&self) -> usize {
        self.speed_rates.end
    }
}

/// Derivatives of the motion of a mechanism, with their numbers at the state last looked at.
pub struct Derivatives {
    stage: Stage,
    scratch: Scratch,
    pattern: Pattern,
    places: Places,
    /// q, q', t, parameters, q'', λ, ways of slips.
    inputs: Vec<f64>,
    values: Vec<f64>,
}

impl Derivatives {
    /// Differentiates and compiles.
    #[must_use]
    pub fn new(mechanism: &Mechanism, by: By) -> Self {
        let system = &mechanism.system;
        let symbols = &system.symbols;
        let (n, rows) = (symbols.coordinates.len(), system.rows.len());
        let places = Places::new(n, rows, symbols.parameters.len(), system.speeds.is_some());
        let mut graph = system.graph.clone();
        let (entries, pattern) = Elements::new(mechanism, &mut graph, &places).derivatives(by);
        let ways = system.frictions.iter().flat_map(|it| it.slip.ways());
        let mut place_of = elements::columns(&graph, symbols, &places);
        for (way, symbol) in ways.clone().enumerate() {
            place_of[symbol.index()] = Some(places.columns() + way);
        }
        let stage = Stage::new(&graph, &entries, pattern.size(), |symbol| {
            place_of[symbol.index()]
        });
        let mut inputs = vec![0.0; places.columns() + ways.count()];
        inputs[places.parameters.clone()].copy_from_slice(&mechanism.parameters);
        Self {
            scratch: stage.scratch(),
            values: vec![0.0; pattern.size()],
            inputs,
            stage,
            pattern,
            places,
        }
    }

    /// Where the parts stand.
    #[must_use]
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Where derivatives can differ from zero.
    #[must_use]
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Number of operations of one evaluation, shared kernels counted once.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.stage.operations()
    }

    /// Compiles to native code now; whether there is any.
    pub fn make_native(&self) -> bool {
        self.stage.make_native()
    }

    /// Evaluates at the state that an evaluator is set to, with the motion there.
    pub fn evaluate(
        &mut self,
        evaluator: &Evaluator<'_>,
        accelerations: &[f64],
        multipliers: &[f64],
    ) -> Matrix<'_> {
        let places = &self.places;
        self.inputs[..=places.time].copy_from_slice(evaluator.state());
        self.inputs[places.accelerations.clone()].copy_from_slice(accelerations);
        self.inputs[places.multipliers.clone()].copy_from_slice(multipliers);
        self.inputs[places.columns()..].copy_from_slice(evaluator.ways());
        self.stage
            .eval(&mut self.scratch, &self.inputs, &mut self.values);
        self.leave_out(evaluator.inactive_rows());
        self.latest()
    }

    /// Zeros for the rows that do not count, and for their multipliers.
    fn leave_out(&mut self, inactive: &[usize]) {
        for &row in inactive {
            let (line, column) = (
                self.places.constraints.start + row,
                self.places.multipliers.start + row,
            );
            self.values[self.pattern.row(line)].fill(0.0);
            for other in 0..self.pattern.rows() {
                if let Some(place) = self.pattern.place(other, column) {
                    self.values[place] = 0.0;
                }
            }
        }
    }

    /// What was evaluated last.
    #[must_use]
    pub fn latest(&self) -> Matrix<'_> {
        self.pattern.matrix(&self.values)
    }
}
