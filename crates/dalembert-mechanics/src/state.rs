//! What changes with time: positions and velocities.

use crate::mode::Mode;

/// A state of motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub coordinates: Vec<f64>,
    /// Rates.
    pub rates: Vec<f64>,
    /// What holds.
    pub mode: Mode,
}
