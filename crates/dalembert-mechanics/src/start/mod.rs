//! A consistent start.
//!
//! Values with priority `must` are met exactly, or an error names the smallest sets of rows and values that exclude each
//! other and by how much each misses; guesses move as little as possible, in the metric of the mass matrix (at the given
//! values), and what is "?" moves freely:
//!
//! ```text
//! positions    φ(q, t) = 0          over the coordinates that may move
//! velocities   φ' = 0, ψ = 0, and the given speeds, over the rates that may move
//! ```
//!
//! | place | what |
//! |---|---|
//! | `given.rs` | numbers for what the user wrote |
//! | `terms.rs` | how large the terms of a row are: what its residual is measured by, in any units |
//! | `metric.rs`, `newton.rs` | damped Gauss–Newton with least steps, and along the solutions to the nearest |
//! | `search.rs` | restarts from elsewhere, and which of several solutions is taken |
//! | `positions.rs`, `velocities.rs` | the two levels |
//! | `singular.rs`, `branches.rs` | gradients that vanish, "?" that nothing determines; change points |
//! | `conflict.rs`, `report.rs` | the smallest sets that conflict, in words |

mod branches;
mod conflict;
mod given;
mod least;
mod metric;
mod near;
mod newton;
mod positions;
mod report;
mod search;
mod singular;
mod velocities;

use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::dimensions::units_of;
use crate::equations::{Equations, Evaluator};
use crate::lower::{Row, System};
use crate::model::Model;
use dalembert_expr::SymbolId;
use report::{Party, shown};
pub(crate) use search::coupled_sizes;

/// A state of motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub coordinates: Vec<f64>,
    /// Rates.
    pub rates: Vec<f64>,
}

/// A given value that could not be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// Coordinate, rate (`x'`) or speed.
    pub name: String,
    /// As given, a guess.
    pub given: f64,
    /// As it is at the start.
    pub found: f64,
}

/// A start that meets all constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// The state.
    pub state: State,
    /// Coordinates, rates (`x'`) that were found or moved, with their values.
    pub solved: Vec<(String, f64)>,
    /// Those among them that were given, and speeds, with what they were.
    pub moved: Vec<Moved>,
    /// What the reader should know.
    pub warnings: Vec<Diagnostic>,
    /// Largest residual of a position row.
    pub position_residual: f64,
    /// Largest residual of a row at velocity level.
    pub velocity_residual: f64,
}

/// What the assembler works with.
struct Assembler<'a> {
    model: &'a Model,
    system: &'a System,
    evaluator: Evaluator<'a>,
    parameters: &'a [f64],
    t: f64,
    /// What each symbol of the graph stands for.
    places: Vec<Known>,
}

/// What a symbol stands for.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    Time,
    Coordinate(usize),
    Rate(usize),
    Parameter(usize),
}

fn places(system: &System) -> Vec<Known> {
    let symbols = &system.symbols;
    let mut places = vec![Known::Nothing; system.graph.symbol_count()];
    for (i, symbol) in symbols.parameters.iter().enumerate() {
        places[symbol.index()] = Known::Parameter(i);
    }
    for (i, symbol) in symbols.coordinates.iter().enumerate() {
        places[symbol.index()] = Known::Coordinate(i);
    }
    for (i, symbol) in symbols.rates.iter().enumerate() {
        places[symbol.index()] = Known::Rate(i);
    }
    places[symbols.time.index()] = Known::Time;
    places
}

/// The value of each symbol at a time, for parameters, coordinates and rates; what is not given is no number.
fn value_of(
    places: &[Known],
    (t, parameters, coordinates, rates): (f64, &[f64], &[f64], &[f64]),
) -> impl Fn(SymbolId) -> f64 {
    let at = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(f64::NAN);
    move |symbol: SymbolId| match places[symbol.index()] {
        Known::Time => t,
        Known::Coordinate(i) => at(coordinates, i),
        Known::Rate(i) => at(rates, i),
        Known::Parameter(i) => at(parameters, i),
        Known::Nothing => f64::NAN,
    }
}

impl<'a> Assembler<'a> {
    fn new(
        model: &'a Model,
        system: &'a System,
        equations: &'a Equations,
        parameters: &'a [f64],
        t: f64,
    ) -> Self {
        Self {
            model,
            system,
            evaluator: Evaluator::new(equations, parameters),
            parameters,
            t,
            places: places(system),
        }
    }

    /// A row that has no value, or no slope, where the search has come to.
    fn undefined(&self, row: &Row, near: &str) -> Diagnostic {
        let message = format!("`{}` has no finite value or slope near {near}", row.name);
        let help = "look for a division by zero, or a function outside its domain";
        let place = self.model.constraints[row.constraint].holds.whole();
        error("E0507", message, help, place)
    }

    /// A row in a conflict, that is violated by so much where the others are met.
    fn row_party(&self, row: &Row, miss: f64) -> Party {
        let name = format!("`{}`", row.name);
        let unit = units_of(self.model).row(row.constraint);
        let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
        Party {
            fate: format!("{name} is violated by {}{unit}", shown(miss.abs())),
            place: self.model.constraints[row.constraint].holds.whole(),
            value: None,
            name,
        }
    }
}

/// Finds a consistent start near the values given.
///
/// # Errors
/// A value has no meaning, values that must be met conflict, or nothing determines a "?".
pub fn assemble(
    model: &Model,
    system: &System,
    equations: &Equations,
    parameters: &[f64],
    t: f64,
) -> Result<Start, Vec<Diagnostic>> {
    let mut work = Assembler::new(model, system, equations, parameters, t);
    let mut start = Start::default();
    let (coordinates, scales) = work.positions(&mut start)?;
    let rates = work.velocities(&coordinates, &scales, &mut start)?;
    start.state = State {
        t,
        coordinates,
        rates,
    };
    Ok(start)
}

/// Whether the position rows can be met at a time, by coordinates near some or far from them.
pub fn can_be_met(
    model: &Model,
    system: &System,
    equations: &Equations,
    parameters: &[f64],
    (t, near): (f64, &[f64]),
) -> bool {
    Assembler::new(model, system, equations, parameters, t).can_meet(near)
}

/// The state as given, without any attempt to meet the constraints; what is "?" is 0.
///
/// # Errors
/// A value has no meaning.
pub fn as_given(
    model: &Model,
    system: &System,
    equations: &Equations,
    parameters: &[f64],
    t: f64,
) -> Result<State, Vec<Diagnostic>> {
    let mut work = Assembler::new(model, system, equations, parameters, t);
    let coordinates: Vec<f64> = work
        .given_coordinates()?
        .into_iter()
        .map(|value| value.unwrap_or(0.0))
        .collect();
    let rates = work.guessed_rates(&coordinates)?;
    Ok(State {
        t,
        coordinates,
        rates,
    })
}

fn error(code: &'static str, message: String, help: impl Into<String>, place: Place) -> Diagnostic {
    Diagnostic {
        code,
        severity: Severity::Error,
        message,
        help: Some(help.into()),
        place,
    }
}
