//! From a model to its equations in expressions.
//!
//! ```text
//! Model ── elaborate, lower ──▶ System (expressions)
//! ```
//!
//! Nothing here has a number but what the model gives (`values.rs`), and how large terms are beside each other (`terms.rs`): programs, states and motions are the business of `dalembert-mechanics`.

pub mod dimensions;
pub mod elaborate;
pub mod ids;
pub mod lower;
mod random;
mod reading;
pub mod terms;
pub mod values;

use dalembert_linear::decide;
use dalembert_model::{data, diagnostic, mesh, model, units};

pub use random::random;
pub use reading::{read_model, read_model_of};
