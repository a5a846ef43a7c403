//! Integrators for ordinary differential equations y' = f(t, y).
//!
//! Runge–Kutta methods ([`Method`]) with error control, dense output, projection to a manifold after each step and location of
//! events. The loop (`integrator.rs`) knows no method, a method (`stepper.rs`) no loop.
//!
//! Explicit methods run over *lanes*: L independent states of one system side by side, laid out
//! `[value][lane]`, each with its own time and step size. The trajectory of a lane is the same to the bit
//! whether it runs alone or among others. One state is one lane.
//!
//! A harmonic oscillator over a full period, with two states on the way:
//!
//! ```
//! use dalembert_ode::{Integrator, Options, Samples, function};
//!
//! let mut oscillator = function(2, |_t, y: &[[f64; 1]], dy| (dy[0], dy[1]) = (y[1], [-y[0][0]]));
//! let mut integrator = Integrator::new(2, &Options::default())?;
//! let (period, times) = (std::f64::consts::TAU, [0.5, 1.0]);
//! let mut samples = Samples::new([&times]);
//! let report = integrator.run(&mut oscillator, [0.0], [period], &[[1.0], [0.0]], |step| {
//!     samples.deliver(step, |_system, sample| {
//!         assert!((sample.y[0][0] - sample.t[0].cos()).abs() < 1e-8);
//!         std::ops::ControlFlow::Continue(())
//!     })
//! });
//! assert_eq!(report.failure(), None);
//! assert!((integrator.state()[0][0] - 1.0).abs() < 1e-8);
//! # Ok::<(), dalembert_ode::OptionsError>(())
//! ```
//!
//! [`System`] is the only seam: what is integrated implements it. What becomes of the states is up to the
//! observer, which sees each accepted [`Step`] and may hand it to [`Samples`] and [`Events`]. Nothing here
//! stores a trajectory, and nothing is allocated after [`Integrator::new`].

mod buffers;
mod coefficients;
mod control;
mod dense;
mod events;
mod integrator;
mod kernels;
mod lane;
mod linearised;
mod options;
mod polynomial;
mod radau;
mod report;
mod rises;
mod samples;
mod stepper;
mod system;
mod tableau;

pub use coefficients::{Coefficients, Weights};
pub use control::smallest_step;
pub use events::{Crossing, Events};
pub use integrator::{Integrator, Step};
pub use linearised::{Linearisation, Linearised, Parts, SparseLinearised};
pub use options::{Absolute, Measure, Options, OptionsError};
pub use polynomial::Polynomial;
pub use report::{End, Failure, LaneReport, Report, Statistics};
pub use rises::{Known, change_of_sign};
pub use samples::{Sample, Samples};

pub use system::{Evaluation, Function, Mask, Projection, System, function};
pub use tableau::Method;
