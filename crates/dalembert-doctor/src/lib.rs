//! The constraint doctor: which rows of velocities are rows of positions in disguise.
//!
//! ```text
//! rows A q' + c = 0 ── Pfaffian ──▶ forms A dq + c dt, beside dφ of the rows of positions
//!                   ── closure ───▶ free directions and their brackets at points of thirty digits: what can be reached
//!                   ── integral ──▶ functions whose differentials are combinations of the rows, proved in the field of the normal form
//! ```
//!
//! A row lies in the integrable part of all rows if it vanishes on everything that can be reached. That it does not is certain where
//! thirty digits show it at a point; that it does is proved by integrals, or by Frobenius' condition in the normal form. What neither
//! shows is said as numbers have it.

mod acting;
mod allowed;
mod antiderivative;
mod claim;
mod closure;
mod directions;
mod exact;
mod forms;
mod held;
mod integral;
mod jumps;
mod mechanism;
mod pfaffian;
mod rational;
mod rows;
mod smooth;
mod span;
mod symmetry;

pub use acting::{Acting, ForceKind, Speed};
pub use allowed::Symmetry;
pub use claim::{NoClaim, parallel};
pub use forms::{Form, Pfaffian, Point};
pub use held::{held, may_be_held};
pub use jumps::jump;
pub use mechanism::{Doctor, examine};
pub use pfaffian::{Diagnosis, Finding, Verdict};
pub use rows::{fixed, inputs};
pub use smooth::{has_gaps, may_jump};
pub use symmetry::Conserved;
