//! One constrained system in symbols, for whoever derives its equations, proves them, or looks for what is wrong with it.
//!
//! ```text
//! System ── assembled, laws ──▶ M h A b w E as expressions
//!        ── matrix, elimination ──▶ rows, rank, null space, solutions over the field of the normal form
//!        ── surface ──▶ what the rows give: coordinates, rates, powers of symbols, on the branch of the start
//!        ── precise ──▶ the motion at states that meet the rows, to thirty digits with bounds for rounding
//! ```
//!
//! Whatever is computed in the field ends with `Outside` where its limits are reached.
//!
//! The field decides what follows from its rules and no more, so symbols are held against numbers: a pivot is judged by who
//! knows states of the system ([`elimination::Judge`]), and a surface by states that it must hold ([`surface::Witnesses`]).

pub mod assembled;
pub mod elimination;
pub mod law_symbols;
pub mod matrix;
pub mod precise;
pub mod surface;
