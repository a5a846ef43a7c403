//! Large systems: M and A compressed, factored in an order found once.
//!
//! | file | what |
//! |---|---|
//! | `order.rs` | the order of elimination, once for a model |
//! | `symbolic.rs` | the places of all numbers in it |
//! | `fronts.rs` | small full matrices along that order, to eliminate in |
//! | `eliminate.rs`, `substitute.rs` | that, with numbers; right sides |
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
mod order;
mod soft;
mod substitute;
mod symbolic;

pub(crate) use factorisation::Sparse;
pub use symbolic::Symbolic;
