//! Derives, explains and simulates the motion of constrained mechanical systems.
//!
//! * [`derive`](mod@derive): equations of motion in symbols, proved.
//! * [`results`]: tables of numbers over time, written and read as CSV and Parquet.
//! * [`plot`]: static figures of such tables.
//! * [`simulate`](mod@simulate): runs of a mechanism.
//! * [`surface`]: what the constraints of a system give, in symbols.
//! * [`prove`](mod@prove): whether equations are those of a mechanism.

pub mod derive;
pub mod plot;
pub mod prove;
pub mod results;
pub mod simulate;
pub mod surface;

pub use dalembert_mechanics as mechanics;
