//! From a model to its equations of motion.

pub mod diagnostic;
pub mod model;
pub mod units;
