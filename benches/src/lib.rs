//! Speed, measured side by side in one run: what `dalembert bench` and the cargo benches report.
//!
//! An [`Experiment`] is a workload of growing size with a table of figures; [`STANDARD`] are those of
//! `dalembert bench`. A [`Room`] holds the clock and the peers that are there. [`figures`] measures one model.
//! Whatever a peer computes is compared with what we compute: a figure for a wrong result is no figure.

mod c_function;
mod casadi;
mod clock;
mod error;
mod experiments;
mod figures;
mod model_text;
mod pendulum;
mod program_times;
mod room;
mod table;

pub use c_function::CFunction;
pub use casadi::{CasADi, CasADiTimes};
pub use clock::{Clock, microseconds, milliseconds, nanoseconds, timed};
pub use error::BenchError;
pub use experiments::{
    ACCELERATION, BATCH, CHAIN, COMPILE, DERIVE, EVALUATE, NORMAL, NORMAL_RELATIVE, STANDARD,
};
pub use figures::{Figure, FigureGroup, figures};
pub use model_text::{PendulumValues, chain, pendulum as pendulum_text};
pub use pendulum::Pendulum;
pub use room::Room;
pub use table::{Column, Experiment, Row, significant};
