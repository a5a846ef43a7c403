//! From a model to its equations of motion.
//!
//! ```text
//! Model ── elaborate, lower ──▶ System (expressions) ── compile ──▶ Equations (programs)
//!       ── start ──▶ State ── formulation ──▶ accelerations, multipliers, reactions
//! ```

mod certify;
pub mod codes;
pub mod decide;
pub mod diagnostic;
pub mod dimensions;
pub mod elaborate;
pub mod equations;
pub mod formulation;
mod independents;
pub mod linear;
pub mod lower;
mod mechanism;
pub mod model;
pub mod reactions;
mod reading;
mod sizes;
mod snapshot;
mod solver;
pub mod sparse;
pub mod start;
pub mod terms;
pub mod units;
pub mod unrolled;
pub mod values;

pub use certify::{AGREEMENT, Certificate};
pub use independents::{Independents, units_of_inertia};
pub use mechanism::Mechanism;
pub use reading::read_model;
pub use sizes::Sizes;
pub use snapshot::{MAX_COMPARED, NoMotion, Reactions, Snapshot};
pub use solver::Solver;
