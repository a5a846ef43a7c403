//! Exact symbolic expressions for mechanics.
//!
//! A [`Graph`] holds expressions over exact rational numbers and [`Symbol`]s, every node stored once.
//! [`calculus`] differentiates them, [`syntax`] reads them from text, [`mod@print`] writes them in the
//! notations people and programs use. Nothing here knows mechanics, reads files or prints.
//!
//! In Rust, formulas are written with [`Expr`] and computed with in a graph:
//!
//! ```
//! use dalembert_expr::calculus::{partial, time_derivative};
//! use dalembert_expr::print::{Format, print_one};
//! use dalembert_expr::{Expr, Graph, SymbolKind, evaluate};
//!
//! let m = Expr::symbol("m", SymbolKind::Parameter);
//! let x = Expr::symbol("x", SymbolKind::Coordinate);
//! let kinetic = &m / 2 * x.rate().powi(2);
//!
//! let mut g = Graph::new();
//! let energy = g.lower(&kinetic);
//! let rate = g.symbol_of(&x.rate()).expect("x' is a symbol");
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

pub mod calculus;
mod cone;
pub mod construct;
mod evaluate;
mod graph;
mod handle;
pub mod normal;
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
