//! Derivatives.
//!
//! | wanted | use | work |
//! |---|---|---|
//! | all outputs in one direction | [`forward`] | one pass over the cone |
//! | one output by many symbols | [`gradient`] | one pass over the cone |
//! | many by many | [`jacobian`], [`hessian_lower`] | only nodes that connect a symbol with an output |
//! | along the motion | [`time_derivative`] | one forward pass |
//! | coefficients of what is linear for every value | [`affine`] | two passes over the cone |
//!
//! Never build a Jacobian to multiply it with a vector: that is one [`forward`] pass.
//!
//! Derivatives where there is none in the strict sense: d|x| = sign(x) dx, d sign(x) = 0, and `min` and
//! `max` take the derivative of the argument that is chosen, the mean of both where they are equal:
//! d min(a, b) = ½ (1 − s) da + ½ (1 + s) db with s = sign(a − b).

mod affine;
mod forward;
mod jacobian;
mod paths;
mod reverse;
mod rules;
mod time;

pub use affine::{Affine, Standing, affine, standing};
pub use forward::forward;
pub use jacobian::{Jacobian, hessian_lower, jacobian};
pub use reverse::gradient;
pub use time::{NoTimeDerivative, Rates, time_derivative};

use crate::graph::{ExprId, Graph, SymbolId};

/// Partial derivative of one expression by one symbol.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind, calculus::partial};
/// let mut g = Graph::new();
/// let x = g.symbol("x", SymbolKind::Parameter);
/// let (sine, by) = (g.sin(x), g.as_symbol(x).unwrap());
/// let slope = partial(&mut g, sine, by);
/// assert_eq!(slope, g.cos(x));
/// ```
pub fn partial(graph: &mut Graph, output: ExprId, symbol: SymbolId) -> ExprId {
    forward(graph, &[output], |graph, s| {
        (s == symbol).then(|| graph.integer(1))
    })[0]
}
