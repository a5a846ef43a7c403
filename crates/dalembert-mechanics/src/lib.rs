//! From a model to its equations of motion.
//!
//! ```text
//! Model ── elaborate, lower ──▶ System (expressions) ── compile ──▶ Equations (programs)
//!       ── start ──▶ State ── formulation ──▶ accelerations, multipliers, reactions
//! ```

mod certify;
pub mod equations;
mod factorisation;
pub mod formulation;
mod independents;
mod mechanism;
pub mod reactions;
mod sizes;
mod snapshot;
mod solver;
pub mod start;
pub mod terms;
pub mod unrolled;

// A model and its system in expressions are made there; whoever uses the numbers needs both.
pub use dalembert_linear::{self as linear, decide};
pub use dalembert_model::{
    codes, diagnostic, dimensions, elaborate, lower, model, random, read_model, units, values,
};

pub use certify::{AGREEMENT, Certificate};
pub use independents::Independents;
pub use mechanism::Mechanism;
pub use sizes::Sizes;
pub use snapshot::{MAX_COMPARED, NoMotion, Reactions, Snapshot};
pub use solver::Solver;
