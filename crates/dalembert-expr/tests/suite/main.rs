//! Tests of the public interface, in one binary.
#![expect(
    clippy::float_cmp,
    reason = "bitwise equality is what these tests are about"
)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calculus;
mod conditions;
mod cone;
mod constructors;
mod equal;
mod formula;
mod leaks;
mod linear;
mod normal;
mod precise;
mod present;
mod print;
mod rational;
mod round_trip;
mod scope;
mod simplification;
mod size;
mod syntax;
