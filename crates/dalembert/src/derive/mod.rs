//! Equations of motion in symbols, as a careful author would print them, and proved.
//!
//! ```text
//! System ── canonical ──▶ M h A b w over the field of the normal form
//!        ── one file for each formulation ──▶ equations ── equation, finish ──▶ Derivation ── layout, write ──▶ a page
//! ```
//!
//! Each formulation is derived on its own, and identities between polynomials show that all say the same: see
//! `identities.rs`. Nothing is printed that the numbers at states which meet the constraints contradict: see `samples.rs`. What is larger than the limits of the normal form is printed with named parts, and that is said.
//!
//! ```
//! use dalembert::derive::{DeriveOptions, Form, Style, derive};
//! use dalembert::mechanics::{Mechanism, model};
//!
//! let text = r#"
//! dalembert = 1
//! [parameters]
//! m = 1
//! l = 2
//! g = 9.81
//! [coordinates]
//! phi = 0.1
//! [energy]
//! kinetic   = "m*l^2*phi'^2/2"
//! potential = "-m*g*l*cos(phi)"
//! "#;
//! let (model, _) = model::read(text).unwrap();
//! let options = DeriveOptions { form: Some(Form::Independent), ..DeriveOptions::default() };
//! let mechanism = Mechanism::new(model).unwrap();
//! let pendulum = derive(&mechanism, &options).unwrap();
//! assert!(pendulum.page(Style::Text).contains("l φ''  =  -g sin φ"));
//! assert!(pendulum.proved.contains(&Form::Lagrange));
//! ```

mod algebra;
mod by_equations;
mod candidates;
mod canonical;
mod complement;
mod definitions;
mod derived;
mod divisors;
mod equation;
mod finish;
mod form;
mod identities;
mod impulse;
mod independent;
mod lagrange;
mod layout;
mod lengths;
mod multipliers;
mod named;
mod named_parts;
mod page;
mod partial_velocities;
mod projection;
mod reactions;
mod reduction;
mod refusal;
mod result;
mod route;
mod samples;
mod shorthand;
mod udwadia_kalaba;
mod work;
mod write;

pub(crate) use definitions::in_order;
pub use form::Form;
pub use impulse::{ImpulseDerivation, derive_impulse, in_blow};
pub use page::{Block, Equation, Item};
pub use result::{
    Derivation, Energies, Forces, Independent, Matrices, Nonzero, Partial, Velocities,
};
pub use samples::Agreement;
pub use write::Style;

use dalembert_mechanics::Mechanism;
use dalembert_mechanics::diagnostic::Diagnostic;

/// What to derive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeriveOptions {
    /// The formulation; the one with the shortest equations if none is asked for.
    pub form: Option<Form>,
    /// The independent ones: coordinates, rates or speeds by name; the simplest choice if none are named.
    pub independent: Vec<String>,
    /// Whether kinematics and matrices are shown before the result.
    pub steps: bool,
    /// Whether [`Derivation::matrices`] is wanted; it is left empty otherwise.
    pub matrices: bool,
}

/// Derives the equations of motion of a mechanism.
///
/// # Errors
/// The formulation that was asked for does not exist for this system, or the independent speeds are none.
pub fn derive(
    mechanism: &Mechanism,
    options: &DeriveOptions,
) -> Result<Derivation, Vec<Diagnostic>> {
    candidates::derive(mechanism, options)
}
