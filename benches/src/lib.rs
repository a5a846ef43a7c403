//! Workloads and clockwork shared by the benches.

mod clock;
mod pendulum;

pub use clock::{Clock, microseconds};
pub use pendulum::Pendulum;
