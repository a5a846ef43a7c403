//! Tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "what fails in a test is to fail it")]

mod copies;
mod dimensions;
mod meaning;
