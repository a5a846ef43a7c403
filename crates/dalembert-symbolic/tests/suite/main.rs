//! Tests of the public interface, in one binary.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes what tests share for something else than a test"
)]

mod corner;
mod elimination;
mod precise;
