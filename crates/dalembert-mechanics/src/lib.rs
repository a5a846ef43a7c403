//! From a model to its equations of motion.

pub mod diagnostic;
pub mod elaborate;
pub mod equations;
pub mod formulation;
pub mod linear;
pub mod lower;
pub mod model;
pub mod units;
pub mod values;
