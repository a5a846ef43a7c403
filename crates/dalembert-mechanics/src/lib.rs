//! From a model to its equations of motion.

pub mod diagnostic;
pub mod formulation;
pub mod linear;
pub mod model;
