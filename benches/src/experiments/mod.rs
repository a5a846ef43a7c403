//! The standard tables, one file for each.

mod acceleration;
mod chain;
mod normal;
mod pendulum_programs;
mod simulate;

pub use acceleration::ACCELERATION;
pub use chain::{BODIES_PLANE, BODIES_PLANE_RELATIVE, BODIES_RELATIVE, BODIES_SPACE, CHAIN};
pub use normal::{NORMAL, NORMAL_RELATIVE};
pub use pendulum_programs::{BATCH, COMPILE, DERIVE, EVALUATE};
pub use simulate::{SIMULATE, SIMULATE_BODIES};

use crate::Experiment;

/// The tables of `dalembert bench`, in their order.
pub const STANDARD: [Experiment; 5] = [COMPILE, EVALUATE, ACCELERATION, BATCH, CHAIN];

/// Tables that are asked for by name.
pub const OTHERS: [Experiment; 6] = [
    BODIES_PLANE,
    BODIES_SPACE,
    BODIES_RELATIVE,
    BODIES_PLANE_RELATIVE,
    SIMULATE,
    SIMULATE_BODIES,
];
