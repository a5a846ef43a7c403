//! Total time derivative.

use super::forward::{Known, forward_from};
use crate::graph::{ExprId, Graph};
use crate::symbol::{Symbol, SymbolKind};
use crate::syntax::MAX_PRIMES;
use std::fmt;

/// A symbol that has no time derivative: a multiplier, or a derivative of too high an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTimeDerivative {
    /// The symbol.
    pub symbol: Symbol,
}

impl fmt::Display for NoTimeDerivative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' has no time derivative", self.symbol)
    }
}

impl std::error::Error for NoTimeDerivative {}

/// Derivatives along the motion: x becomes x', x' becomes x'', time 1, a parameter 0.
///
/// # Errors
/// An output depends on a multiplier, whose rate is not a symbol.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind, calculus::time_derivative};
/// let mut g = Graph::new();
/// let x = g.symbol("x", SymbolKind::Coordinate);
/// let rate = g.derivative_symbol("x", SymbolKind::Coordinate, 1);
/// let half_square = { let s = g.powi(x, 2); let two = g.integer(2); g.div(s, two) };
/// assert_eq!(time_derivative(&mut g, &[half_square]).unwrap(), [g.mul(x, rate)]);
/// ```
pub fn time_derivative(
    graph: &mut Graph,
    outputs: &[ExprId],
) -> Result<Vec<ExprId>, NoTimeDerivative> {
    Rates::default().of(graph, outputs)
}

/// Derivatives along the motion that are asked for one after the other: what the expressions share is differentiated once, so that all
/// bodies of a chain cost as much as their expressions together.
#[derive(Default)]
pub struct Rates {
    known: Known,
}

impl Rates {
    /// As [`time_derivative`], of expressions of the same graph as before.
    ///
    /// # Errors
    /// As [`time_derivative`].
    pub fn of(
        &mut self,
        graph: &mut Graph,
        outputs: &[ExprId],
    ) -> Result<Vec<ExprId>, NoTimeDerivative> {
        let mut refused = None;
        let derivatives = forward_from(graph, outputs, &mut self.known, |graph, symbol| {
            let &Symbol { kind, order, .. } = graph.symbol_data(symbol);
            match kind {
                SymbolKind::Parameter => None,
                SymbolKind::Time => Some(graph.integer(1)),
                SymbolKind::Coordinate | SymbolKind::Speed if order < MAX_PRIMES => {
                    Some(graph.derivative_of(symbol, order + 1))
                }
                _ => {
                    refused.get_or_insert(NoTimeDerivative {
                        symbol: graph.symbol_data(symbol).clone(),
                    });
                    None
                }
            }
        });
        match refused {
            Some(refused) => {
                // What was found with it is not right, and is asked for again.
                self.known.clear();
                Err(refused)
            }
            None => Ok(derivatives),
        }
    }
}
