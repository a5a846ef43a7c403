//! Tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "what fails in a test is to fail it")]

mod allocation;
mod attitudes;
mod equations;
mod formulation;
mod ideal;
mod lagrange;
mod laws;
mod linear;
mod models;
mod moving_points;
mod mutations;
mod numbers;
mod own_axes;
mod reactions;
mod rows;
mod size;
mod sparse;
mod start;
mod terms;
mod wrench;
