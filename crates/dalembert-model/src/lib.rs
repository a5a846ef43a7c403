//! What a model says: its file, its parts with their places, bodies and joints written out, units, mistakes.
//!
//! Texts are read and kept as trees; what they mean is the business of `dalembert-system`.

pub mod codes;
pub mod data;
pub mod diagnostic;
pub mod mesh;
pub mod model;
pub mod units;
