//! Numbers of some thirty digits: linear equations in them, states that meet the rows, and the motion there.

mod elimination;
mod motion;
mod states;

pub use elimination::{Line, Solved, solve};
pub use motion::{Precise, Values};
pub use states::{Random, far_away, far_state, states};
