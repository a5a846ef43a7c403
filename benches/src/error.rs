//! Why a measurement stops.

use dalembert::mechanics::NoMotion;
use dalembert::mechanics::diagnostic::Diagnostic;
use std::fmt;
use std::io;

/// Why a measurement stops.
#[derive(Debug)]
pub enum BenchError {
    /// The motion of the model is not determined at its start.
    NoMotion(NoMotion),
    /// A peer fails, or what it computes differs from what we compute.
    Peer(String),
    /// One of our own models or programs is refused.
    Workload(String),
    /// What was measured cannot be written.
    Output(io::Error),
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMotion(reason) => write!(f, "the motion is not determined: {reason:?}"),
            Self::Peer(message) | Self::Workload(message) => f.write_str(message),
            Self::Output(error) => write!(f, "cannot write the result: {error}"),
        }
    }
}

impl std::error::Error for BenchError {}

impl From<NoMotion> for BenchError {
    fn from(reason: NoMotion) -> Self {
        Self::NoMotion(reason)
    }
}

impl From<Vec<Diagnostic>> for BenchError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        let messages: Vec<String> = diagnostics.into_iter().map(|found| found.message).collect();
        Self::Workload(messages.join("; "))
    }
}

impl From<dalembert_program::CompileError> for BenchError {
    fn from(error: dalembert_program::CompileError) -> Self {
        Self::Workload(error.to_string())
    }
}

impl From<io::Error> for BenchError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
