//! Large systems: M and A compressed, factored in an order found once.
//!
//! | file | what |
//! |---|---|
//! | `order.rs` | the order of elimination, once for a model |
//! | `symbolic.rs` | the places of all numbers in it |
//! | `fronts.rs` | small full matrices along that order, to eliminate in |
//! | `leaves.rs`, `lanes.rs` | what comes before them, and is alike in many places, as bodies are: eight at a time |
//! | `eliminate.rs`, `substitute.rs` | fronts with numbers; right sides |
//! | `kkt.rs` | the numbers at a state: scaled, regularised, factored |
//! | `factorisation.rs` | right sides, refined; what cannot be met |
//! | `dependence.rs` | which rows depend on others |
//! | `soft.rs` | rows that do so wherever they are met, between the ends of steps |
//!
//! Work and memory grow with the entries of the factor; nothing here has the size of nv² or nc nv.

mod dependence;
mod eliminate;
mod factorisation;
mod fronts;
mod kkt;
mod lanes;
mod leaves;
mod order;
mod soft;
mod substitute;
mod symbolic;

pub(crate) use factorisation::Sparse;
pub use symbolic::Symbolic;
