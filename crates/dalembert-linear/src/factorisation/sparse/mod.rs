//! Large systems: M and A compressed, factored in an order found once.
//!
//! | file | what |
//! |---|---|
//! | `symbolic.rs` | the order of elimination and the places of all numbers, once for a model |
//! | `kkt.rs` | the numbers at a state: scaled, regularised, factored |
//! | `factorisation.rs` | right sides, refined; what cannot be met |
//! | `dependence.rs` | which rows depend on others |
//!
//! Work and memory grow with the entries of the factor; nothing here has the size of nv² or nc nv.

mod dependence;
mod factorisation;
mod kkt;
mod symbolic;

pub(crate) use factorisation::Sparse;
pub use symbolic::Symbolic;
