//! Tests of the public interface, in one binary.
#![expect(
    clippy::float_cmp,
    reason = "bitwise equality is what these tests are about"
)]

mod calculus;
mod constructors;
mod formula;
mod leaks;
mod round_trip;
mod simplification;
mod size;
