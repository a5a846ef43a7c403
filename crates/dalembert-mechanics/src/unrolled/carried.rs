//! The programs of a small system for who runs them elsewhere, as a page does: parameters are inputs there, and what only they determine
//! is computed once for each setting.
//!
//! | program | of | gives |
//! |---|---|---|
//! | right-hand side | q, v, t, masks, constants | as [`Unrolled`] says |
//! | way back | q, q', t, sizes, masks, constants | as [`WayBack`] says |

use super::way_back::{Level, WayBack};
use super::{MOST_OPERATIONS, Unrolled};
use crate::Mechanism;
use crate::state::State;
use dalembert_program::Program;

/// A program, and the one that makes its last inputs of the parameters and a one.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The program.
    pub program: Program,
    /// What its last inputs are.
    pub constants: Program,
}

/// The right-hand side: q', v', power, λ, then values of pivots and of what rows miss, then their sizes.
#[derive(Clone, Debug)]
pub struct CarriedRight {
    /// Its programs.
    pub programs: Carried,
    /// What each pair is judged by.
    pub limits: Vec<f64>,
    /// How many pairs are pivots, which must be larger; the others must be smaller.
    pub pivots: usize,
}

/// The way back to the rows.
#[derive(Clone, Debug)]
pub struct CarriedWay {
    /// Its programs.
    pub programs: Carried,
    /// Places of what is at position level and at velocity level.
    pub levels: [Level; 2],
    /// Where T, V, Σ P and Σ |P| begin.
    pub energies: usize,
    /// Whether pivots of rows say something.
    pub judges_rows: bool,
}

impl Unrolled {
    /// The same for who carries it away, with the way back if there is one.
    #[must_use]
    pub fn carried(
        mechanism: &Mechanism,
        state: &State,
        sizes: [&[f64]; 2],
    ) -> Option<(CarriedRight, Option<CarriedWay>)> {
        let built = Self::adjustable(mechanism, state, MOST_OPERATIONS)?;
        let programs = |compiled: &super::Compiled| {
            Some(Carried {
                program: compiled.program.clone(),
                constants: compiled.constants_program()?.clone(),
            })
        };
        let way = built.way_back(mechanism, state, sizes);
        let way = way.and_then(|way: WayBack| {
            Some(CarriedWay {
                programs: programs(&way.compiled)?,
                levels: [way.position, way.velocity],
                energies: way.energies,
                judges_rows: !way.is_soft,
            })
        });
        let right = CarriedRight {
            programs: programs(&built.compiled)?,
            pivots: built.limits.len() - built.judged[3],
            limits: built.limits.clone(),
        };
        Some((right, way))
    }
}
