//! Many runs of one model: which values each of them has, in which parts they are made, and the data set of what they give. It knows numbers and
//! files, and no mechanics.
//!
//! | place | what |
//! |---|---|
//! | `design.rs` | the values of a run by its number alone: grids, draws, rows of a table |
//! | `random.rs`, `sobol.rs` | numbers that look random, and numbers that fill evenly, by their place |
//! | `columns.rs`, `parquet.rs` | what a part holds, and its file |
//! | `manifest.rs` | what a data set is of, so that nobody continues another |
//! | `folder.rs` | the data set: parts that are there, parts that are missing, several joined to one |
//!
//! A run depends on its number and on the plan, a part on its number and on the plan: not on the order in which they are made, nor on how many
//! threads or machines make them. Parts appear whole or not at all.

mod columns;
mod design;
mod folder;
mod manifest;
mod parquet;
mod random;
mod sobol;

pub use columns::{Column, Part, Values};
pub use design::{Axis, Design, Kind, MOST_RUNS, Spread};
pub use folder::{DatasetError, Folder, merge};
pub use manifest::{Head, HeadKind, MANIFEST, Manifest, Shard};
pub use parquet::Reasons;
pub use sobol::DIMENSIONS;
