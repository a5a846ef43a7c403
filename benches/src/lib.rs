//! Workloads and clockwork shared by the benches.

mod c_function;
mod clock;
mod pendulum;

pub use c_function::CFunction;
pub use clock::{Clock, microseconds};
pub use pendulum::Pendulum;
