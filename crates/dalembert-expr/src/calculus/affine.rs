//! What is linear for every value.
//!
//! A derivative that does not hold a symbol does not make an expression linear in it: sign(x) has the derivative zero
//! almost everywhere, and so has atan(x) + atan(1/x), but they jump. It does for polynomials. So an expression is taken
//! for linear only if the symbols stand in no function, under no bar and in no power but a whole one, and if its
//! derivatives by them hold none of them.

use super::gradient;
use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node, SymbolId};
use crate::op::{Binary, Unary};
use crate::simplify::simplify;
use crate::substitute::substitute;

/// c₀ + Σ cₖ xₖ, for every value of the xₖ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// cₖ, by symbol; none of them holds one of the symbols.
    pub slopes: Vec<ExprId>,
    /// c₀.
    pub rest: ExprId,
}

/// How symbols stand in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// They do not.
    Absent,
    /// In sums and products, and in whole powers of them.
    Polynomial,
    /// Under a bar too.
    Rational,
    /// In functions.
    Function,
}

/// How symbols stand in an expression, by its form.
#[must_use]
pub fn standing(graph: &Graph, expression: ExprId, symbols: &[SymbolId]) -> Standing {
    let mut marked = symbols.to_vec();
    marked.sort_unstable();
    let cone = Cone::new(graph, &[expression]);
    let mut found: Vec<Standing> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let at = |id: ExprId| found[cone.place(id)];
        found.push(match graph.node(id) {
            Node::Symbol(symbol) => match marked.binary_search(&symbol) {
                Ok(_) => Standing::Polynomial,
                Err(_) => Standing::Absent,
            },
            Node::Number(_) | Node::Pi => Standing::Absent,
            Node::Unary(Unary::Neg, a) => at(a),
            Node::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b) => at(a).max(at(b)),
            Node::Binary(Binary::Div, a, b) => under_a_bar(at(a), at(b)),
            Node::Binary(Binary::Pow, a, b) => {
                match graph.as_number(b).and_then(|n| n.as_integer()) {
                    Some(n) if n >= 0 => at(a),
                    Some(_) => under_a_bar(Standing::Absent, at(a)),
                    None => in_a_function(at(a).max(at(b))),
                }
            }
            // Where the condition does not hold them, they stand as they do inside.
            Node::Binary(op, x, a) if op.is_condition() && at(x) == Standing::Absent => at(a),
            Node::Unary(_, a) | Node::Table(_, a) => in_a_function(at(a)),
            Node::Binary(_, a, b) => in_a_function(at(a).max(at(b))),
        });
    }
    found.last().copied().unwrap_or(Standing::Absent)
}

fn under_a_bar(above: Standing, below: Standing) -> Standing {
    match below {
        Standing::Absent => above,
        _ => above.max(below).max(Standing::Rational),
    }
}

fn in_a_function(inside: Standing) -> Standing {
    match inside {
        Standing::Absent => Standing::Absent,
        _ => Standing::Function,
    }
}

/// An expression as a linear one in some symbols; `None` if it is not seen to be one for every value of them.
///
/// ```
/// use dalembert_expr::{Graph, SymbolKind, calculus::affine};
/// let mut g = Graph::new();
/// let [x, y] = ["x", "y"].map(|name| g.symbol(name, SymbolKind::Parameter));
/// let by = [g.as_symbol(x).unwrap()];
/// let (product, sign) = (g.mul(x, y), g.sign(x));
/// let linear = affine(&mut g, product, &by).unwrap();
/// assert_eq!(linear.slopes, [y]);
/// let jumps = g.add(product, sign); // its derivative is y almost everywhere
/// assert_eq!(affine(&mut g, jumps, &by), None);
/// ```
pub fn affine(graph: &mut Graph, expression: ExprId, symbols: &[SymbolId]) -> Option<Affine> {
    let mut expression = expression;
    if standing(graph, expression, symbols) > Standing::Polynomial {
        expression = simplify(graph, &[expression])[0];
        if standing(graph, expression, symbols) > Standing::Polynomial {
            return None;
        }
    }
    let held = |graph: &Graph, slopes: &[ExprId]| {
        let mut slopes = slopes.iter();
        slopes.any(|&slope| standing(graph, slope, symbols) != Standing::Absent)
    };
    let mut slopes = gradient(graph, expression, symbols);
    if held(graph, &slopes) {
        slopes = simplify(graph, &slopes);
        if held(graph, &slopes) {
            return None;
        }
    }
    let zero = graph.integer(0);
    let at_zero: Vec<(ExprId, ExprId)> = symbols
        .iter()
        .map(|&symbol| (graph.symbol_node(symbol), zero))
        .collect();
    let rest = substitute(graph, &[expression], &at_zero)[0];
    Some(Affine { slopes, rest })
}
