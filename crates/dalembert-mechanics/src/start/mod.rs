//! A consistent start.
//!
//! Values with priority `must` are met exactly, or an error names what conflicts and by how much;
//! the others move as little as possible, in the metric of the mass matrix:
//!
//! ```text
//! positions    φ(q, t) = 0          by Newton's method over the coordinates that may move
//! velocities   φ' = 0, ψ = 0, and the given rates and speeds
//! ```

mod given;
mod newton;
mod positions;
mod velocities;

use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::equations::{Equations, Evaluator};
use crate::lower::{Row, System};
use crate::model::Model;

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

/// A start that meets all constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// The state.
    pub state: State,
    /// Coordinates, rates (`x'`) that were found or moved, with their values.
    pub solved: Vec<(String, f64)>,
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

/// What a symbol of a start value stands for.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    Time,
    Coordinate(usize),
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
    places[symbols.time.index()] = Known::Time;
    places
}

impl Assembler<'_> {
    /// A row that has no value, or no slope, where the search has come to.
    fn undefined(&self, row: &Row, near: &str) -> Diagnostic {
        let message = format!("`{}` has no finite value or slope near {near}", row.name);
        let help = "look for a division by zero, or a function outside its domain";
        let place = self.model.constraints[row.constraint].holds.whole();
        error("E0507", message, help, place)
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
    let evaluator = Evaluator::new(equations, parameters);
    let mut work = Assembler {
        model,
        system,
        evaluator,
        parameters,
        t,
        places: places(system),
    };
    let mut start = Start::default();
    let coordinates = work.positions(&mut start)?;
    let rates = work.velocities(&coordinates, &mut start)?;
    start.state = State {
        t,
        coordinates,
        rates,
    };
    Ok(start)
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
    let evaluator = Evaluator::new(equations, parameters);
    let mut work = Assembler {
        model,
        system,
        evaluator,
        parameters,
        t,
        places: places(system),
    };
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
