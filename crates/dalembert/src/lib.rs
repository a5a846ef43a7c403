//! Derives, explains and simulates the motion of constrained mechanical systems.
//!
//! [`Model`] is the front door: it answers what the commands answer, each answer a [`report`] with the same names.
//!
//! ```
//! use dalembert::Model;
//! use dalembert::derive::DeriveOptions;
//! use dalembert::simulate::RunOptions;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/phong-pendulum.toml");
//! let model = Model::load(path)?.set("m", "3 kg")?.option("--span", "2 s")?;
//!
//! // The constraint doctor, and the numbers at the start.
//! let check = model.check()?;
//! assert_eq!(check.counts.velocity_freedoms, 1);
//! println!("{check}");
//! assert!(model.eval()?.accelerations.contains_key("phi"));
//!
//! // The equations of motion, as a page or one by one.
//! let equations = model.derive(&DeriveOptions::default())?;
//! println!("{equations}");
//! assert_eq!(equations.derived().equations[0].left, "(m*l^2 + J)*phi''");
//!
//! // A run, and a column of its table.
//! let run = model.run(&RunOptions::default())?;
//! let phi = run.table.column("phi").unwrap();
//! assert_eq!(phi.values.last(), Some(&run.end["phi"]));
//! # Ok::<(), dalembert::report::Error>(())
//! ```
//!
//! A model can be built in Rust, from the same words as a file; what is wrong with it is told by the same diagnostics:
//!
//! ```
//! use dalembert::{Model, Source, prove::Language};
//!
//! let pendulum = Model::builder("Pendulum")
//!     .parameter("m", "2 kg")
//!     .parameter("l", "1 m")
//!     .parameter("g", "9.81 m/s^2")
//!     .coordinate("x", "l")
//!     .coordinate("y", "?")
//!     .particle("P", "m", "[x, y, 0]")
//!     .constraint("rod", "x^2 + y^2 = l^2")
//!     .gravity("[0, -g, 0]");
//! let pendulum = Model::built(pendulum)?;
//!
//! let claim = Source::new("claim", "x''*y - y''*x = g*x");
//! assert!(pendulum.prove(&claim, Language::Model)?.is_complete());
//!
//! let error = pendulum.set("m", "2 m").unwrap().check().unwrap_err();
//! assert_eq!(error.diagnostics[0].code, "E0450");
//! # Ok::<(), dalembert::report::Error>(())
//! ```
//!
//! Underneath:
//!
//! * [`report`]: what is said, as values with names; as text, and as JSON by `serde`.
//! * [`derive`](mod@derive): equations of motion in symbols, proved.
//! * [`prove`](mod@prove): whether equations are those of a mechanism.
//! * [`simulate`]: runs of a mechanism.
//! * [`results`]: tables of numbers over time, written and read as CSV and Parquet.
//! * `dalembert-sweep`, above this: many runs by a plan, as a data set.
//! * [`view`]: the page of a motion, one file for a browser.
//! * [`plot`]: static figures of such tables.
//! * [`surface`]: what the constraints of a system give, in symbols.
//! * [`mechanics`]: models as they are written, their equations and formulations.

pub mod derive;
mod many;
mod model;
pub mod prove;
pub mod report;
mod simulator;
pub mod view;

pub use dalembert_mechanics as mechanics;
pub use dalembert_page as page;
pub use dalembert_plot as plot;
pub use dalembert_results as results;
pub use dalembert_simulate as simulate;
pub use dalembert_symbolic::surface;
pub use many::{Many, OneOfMany, varied};
pub use model::{EvalOptions, Folder, Model, Source};
pub use simulator::Simulator;
