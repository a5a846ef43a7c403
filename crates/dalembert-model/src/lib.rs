//! From a model to its equations in expressions.
//!
//! ```text
//! Model ── elaborate, lower ──▶ System (expressions)
//! ```
//!
//! Nothing here has a number but what the model gives: programs, states and motions are the business of `dalembert-mechanics`.

pub mod codes;
pub mod data;
pub mod diagnostic;
pub mod dimensions;
pub mod elaborate;
pub mod ids;
pub mod lower;
pub mod model;
mod random;
mod reading;
pub mod units;

pub use random::random;
pub use reading::read_model;
