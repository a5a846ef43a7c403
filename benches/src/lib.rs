//! Speed, measured side by side in one run: what `dalembert bench` and the cargo benches report.
//!
//! An [`Experiment`] is a workload of growing size with a table of figures; [`STANDARD`] are those of
//! `dalembert bench`, [`OTHERS`] those that are asked for by name, such as `dalembert bench simulate`. A [`Room`] holds the clock and the peers that are there. [`figures`] measures one model.
//! Whatever a peer computes is compared with what we compute: a figure for a wrong result is no figure.

mod c_function;
mod casadi;
mod clock;
mod error;
mod experiments;
mod figures;
mod model_text;
mod motions;
mod pendulum;
mod program_times;
mod python;
mod room;
mod simulators;
mod table;

pub use c_function::CFunction;
pub use casadi::{CasADi, CasADiTimes};
pub use clock::{Clock, microseconds, milliseconds, nanoseconds, timed};
pub use error::BenchError;
pub use experiments::{
    ACCELERATION, BATCH, BODIES_PLANE, BODIES_PLANE_RELATIVE, BODIES_RELATIVE, BODIES_SPACE, CHAIN,
    COMPILE, DERIVE, EVALUATE, NORMAL, NORMAL_RELATIVE, OTHERS, SIMULATE, SIMULATE_BODIES,
    STANDARD,
};
pub use figures::{Figure, FigureGroup, figures};
pub use model_text::{Bodies, PendulumValues, bodies, chain, pendulum as pendulum_text};
pub use motions::{MOTIONS, Motion, Reference, Written};
pub use pendulum::Pendulum;
pub use room::Room;
pub use simulators::{PeerTime, Simulators};
pub use table::{Cell, Column, Experiment, Kind, Row, significant};
