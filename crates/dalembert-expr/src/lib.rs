//! Exact symbolic expressions for mechanics.
//!
//! A [`Graph`] holds expressions over exact rational numbers and [`Symbol`]s, every node stored once.
//! [`calculus`] differentiates them, [`syntax`] reads them from text, [`mod@print`] writes them in the
//! notations people and programs use. Nothing here knows mechanics, reads files or prints.
//!
//! ```
//! use dalembert_expr::calculus::{partial, time_derivative};
//! use dalembert_expr::print::{Format, print_one};
//! use dalembert_expr::{Graph, SymbolKind, evaluate};
//!
//! let mut g = Graph::new();
//! let m = g.symbol("m", SymbolKind::Parameter);
//! let x = g.symbol("x", SymbolKind::Coordinate);
//! let rate = time_derivative(&mut g, &[x])?[0];
//! let two = g.integer(2);
//! let (half, square) = (g.div(m, two), g.mul(rate, rate));
//! let energy = g.mul(half, square);
//! let rate = g.as_symbol(rate).expect("x' is a symbol");
//! let momentum = partial(&mut g, energy, rate);
//! assert_eq!(print_one(&g, momentum, Format::Model), "m*x'");
//!
//! let force = time_derivative(&mut g, &[momentum])?[0];
//! assert_eq!(print_one(&g, force, Format::Model), "m*x''");
//!
//! let value = evaluate(&g, &[force], |symbol| match g.symbol_data(symbol).order {
//!     0 => 2.0, // m
//!     _ => 3.0, // x''
//! });
//! assert_eq!(value, [6.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binding;
pub mod calculus;
mod choice;
mod cone;
pub mod construct;
mod copies;
mod evaluate;
mod form;
mod graph;
mod multiples;
pub mod normal;
mod numbering;
mod op;
pub mod print;
mod rational;
mod sides;
mod simplify;
mod substitute;
mod symbol;
pub mod syntax;
pub mod table;

pub use choice::UnknownName;
pub use cone::Cone;
pub use copies::Copies;
pub use evaluate::evaluate;
pub use form::{Form, FormReader, Forms};
pub use graph::{ExprId, Graph, Node, NumberId, SymbolId, TableId};
pub use numbering::Numbering;
pub use op::{Binary, Relation, Unary};
pub use rational::{LiteralError, Rational};
pub use sides::{jump_argument, jump_arguments, one_side};
pub use simplify::simplify;
pub use substitute::substitute;
pub use symbol::{Symbol, SymbolKind};
