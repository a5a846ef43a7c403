//! What can be wrong with a request to compile.

use std::fmt;

/// Why expressions could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileError {
    /// The outputs depend on symbols that are not among the inputs.
    MissingInputs {
        /// The symbols, primes included, in the order of the graph.
        names: Vec<String>,
    },
    /// Symbols were given as inputs more than once, which would leave it open whose value counts.
    DuplicateInputs {
        /// The symbols, primes included, in the order given.
        names: Vec<String>,
    },
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, names) = match self {
            Self::MissingInputs { names } => {
                ("the outputs depend on symbols not given as inputs", names)
            }
            Self::DuplicateInputs { names } => ("symbols given as inputs more than once", names),
        };
        write!(f, "{what}: {}", names.join(", "))
    }
}

impl std::error::Error for CompileError {}
