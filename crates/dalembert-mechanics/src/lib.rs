//! From a model to its equations of motion.
//!
//! ```text
//! Model ── elaborate, lower ──▶ System (expressions) ── compile ──▶ Equations (programs)
//!       ── start ──▶ State ── formulation ──▶ accelerations, multipliers, reactions
//! ```

mod certify;
pub mod contacts;
pub mod derivatives;
pub mod equations;
pub mod formulation;
pub mod impulse;
mod independents;
mod mechanism;
mod mode;
pub mod projection;
pub mod reactions;
mod sizes;
mod snapshot;
mod solver;
pub mod start;
mod state;
pub mod unrolled;

// A model and its system in expressions are made there; whoever uses the numbers needs both.
pub use dalembert_linear::{self as linear, decide};
pub use dalembert_model::{codes, data, diagnostic, mesh, model, units};
pub use dalembert_system::{
    dimensions, elaborate, ids, lower, random, read_model, read_model_of, terms, values,
};

pub use certify::Certificate;
pub use independents::Independents;
pub use mechanism::Mechanism;
pub use mode::Mode;
pub use sizes::Sizes;
pub use snapshot::{MAX_COMPARED, NoMotion, Reactions, Snapshot};
pub use solver::Solver;

/// A number between −1 and 1.
pub(crate) fn signed(random: &mut fastrand::Rng) -> f64 {
    2.0 * random.f64() - 1.0
}
