//! Compiles expression graphs to programs that evaluate fast: a tape over lanes, native code, C source, and WebAssembly.
//!
//! [`compile`] turns expressions of a [`Graph`](dalembert_expr::Graph) into a [`Program`]: straight-line
//! code over numbered slots, without branches on values. [`Program::eval`] runs it for one state, or for
//! eight at once (a *lane* each); [`Program::to_c`] writes it as a C function, and [`to_wasm`]
//! several as a module for browsers.
//! Symbols are inputs of the program, parameters too: nothing is folded in that a user may want to vary.
//!
//! A program runs on an interpreter at once. [`Program::make_native`] compiles it by Cranelift (feature
//! `jit`, on by default) for the processor at hand, at some 3 ms for a thousand instructions; it then takes
//! a tenth of the time. Worth it from some ten thousand evaluations on.
//!
//! A lane's numbers depend neither on its neighbours, nor on the number of lanes, nor on the vector
//! instructions of the machine ([`Vectors`]), nor on whether the code is native: bit for bit, except for the
//! payload of a NaN, which Rust leaves open. So the tape is the oracle for whatever else runs programs.
//!
//! ```
//! use dalembert_expr::{Graph, SymbolKind};
//! let mut g = Graph::new();
//! let (x, k) = (g.symbol("x", SymbolKind::Coordinate), g.symbol("k", SymbolKind::Parameter));
//! let (sine, square) = (g.sin(x), g.powi(x, 2));
//! let force = g.mul(k, sine);
//! let inputs = [x, k].map(|id| g.as_symbol(id).expect("a symbol"));
//! let program = dalembert_program::compile(&g, &inputs, &[force, square])?;
//! let mut outputs = [0.0; 2];
//! program.eval::<1>(&mut program.workspace(), &[0.5, 3.0], &mut outputs);
//! assert_eq!(outputs, [3.0 * 0.479425538604203, 0.25]);
//! # Ok::<(), dalembert_program::CompileError>(())
//! ```

mod allocate;
mod c;
mod code;
mod error;
mod fuse;
mod interpret;
mod lower;
#[cfg(feature = "jit")]
mod native;
mod program;
mod schedule;
mod sincos;
mod tape;
mod vectors;
mod wasm;

pub use error::CompileError;
pub use program::{NATIVE_AFTER, Program, compile};
pub use sincos::sin_cos;
pub use tape::{Tape, Workspace};
pub use vectors::{LANES, Vectors};
pub use wasm::to_wasm;
