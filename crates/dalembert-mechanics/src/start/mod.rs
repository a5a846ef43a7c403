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
//! Two layers. The upper one knows models and words, the lower one rows, unknowns and numbers:
//!
//! | place | what |
//! |---|---|
//! | `asked/` | what is asked: values given, guessed and "?", the rows of each level; and what is told of the answer |
//! | `solved/` | how it is solved: the nearest values that meet the rows, or the smallest sets that conflict |
//! | `contacts.rs` | contacts that are closed, or close, at the start |
//! | `open.rs` | parameters that are found from accelerations at the start |
//! | `near.rs` | rows at the start that are nearly dependent |

mod asked;
mod contacts;
mod near;
mod open;
mod solved;

use crate::contacts::{Closing, NoContact};
use crate::diagnostic::Diagnostic;
use crate::mechanism::Mechanism;
use crate::mode::Mode;
use asked::Assembler;

pub use crate::state::State;

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
    /// Contacts that touch, and those among them that close with a speed.
    pub touching: Vec<usize>,
    /// The same with their rates.
    pub closing: Vec<Closing>,
    /// Why it is not known which contacts press, if it is not.
    pub undecided: Option<NoContact>,
    /// What the reader should know.
    pub warnings: Vec<Diagnostic>,
    /// Whether it is a change point: its rates say which of several motions is meant.
    pub change_point: bool,
    /// Largest residual of a position row.
    pub position_residual: f64,
    /// Largest residual of a row at velocity level.
    pub velocity_residual: f64,
}

impl Mechanism {
    /// A consistent start.
    ///
    /// # Errors
    /// A value has no meaning, values that must be met conflict, or nothing determines a "?".
    pub fn start(&self) -> Result<Start, Vec<Diagnostic>> {
        self.start_at(self.from)
    }

    /// A consistent state at another time, from the same values.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_at(&self, t: f64) -> Result<Start, Vec<Diagnostic>> {
        let mut work = Assembler::new(self, t);
        let mut start = Start::default();
        let (coordinates, sizes) = work.positions(&mut start)?;
        start.state = self.start_contacts(&mut work, (&coordinates, &sizes), &mut start)?;
        self.refuse_near_rows(&start.state)?;
        for found in &self.model.found {
            let mut parameters = self.model.parameters.iter().zip(&self.parameters);
            let own = parameters.find(|((name, _), _)| name.text == found.text);
            let own = own.map(|(_, value)| (found.text.clone(), *value));
            start.solved.extend(own);
        }
        Ok(start)
    }

    /// The state at a time as given, without any attempt to meet the constraints; what is "?" is 0.
    ///
    /// # Errors
    /// A value has no meaning.
    pub fn raw_start(&self, t: f64) -> Result<State, Vec<Diagnostic>> {
        let mut work = Assembler::new(self, t);
        let given = work.given_coordinates()?.into_iter();
        let coordinates: Vec<f64> = given.map(|value| value.unwrap_or(0.0)).collect();
        let rates = work.guessed_rates(&coordinates)?;
        Ok(State {
            t,
            coordinates,
            rates,
            mode: Mode::default(),
        })
    }

    /// Whether the position rows can be met at a time, by coordinates near some or far from them.
    #[must_use]
    pub fn can_be_met(&self, mode: &Mode, t: f64, near: &[f64]) -> bool {
        let mut work = Assembler::new(self, t);
        work.set_mode(mode);
        work.can_meet(near)
    }
}
