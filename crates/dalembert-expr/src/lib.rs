//! Exact symbolic expressions for mechanics.
//!
//! A [`Graph`] holds expressions over exact rational numbers and [`Symbol`]s, every node stored once.
//! [`calculus`] differentiates them, [`syntax`] reads them from text, [`mod@print`] writes them in the
//! notations people and programs use. Nothing here knows mechanics, reads files or prints.

pub mod calculus;
mod cone;
pub mod construct;
mod evaluate;
mod graph;
mod handle;
mod op;
pub mod print;
mod rational;
mod simplify;
mod substitute;
mod symbol;
pub mod syntax;

pub use cone::Cone;
pub use evaluate::evaluate;
pub use graph::{ExprId, Graph, Node, NumberId, SymbolId};
pub use handle::Expr;
pub use op::{Binary, Unary};
pub use rational::{LiteralError, Rational};
pub use simplify::simplify;
pub use substitute::substitute;
pub use symbol::{Symbol, SymbolKind};
