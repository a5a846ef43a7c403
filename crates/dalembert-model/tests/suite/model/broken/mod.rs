//! One file for each kind of mistake: what is said, where, and the cure.

mod expressions;
mod keys;
mod names;
mod together;
mod values;
