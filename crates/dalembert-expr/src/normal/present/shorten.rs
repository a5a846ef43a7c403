//! From expressions to forms for the eye in one step.

use super::super::{Field, Fraction, Limits, Outside};
use super::Style;
use crate::graph::{ExprId, Graph};
use crate::print::tree_size;
use crate::simplify::simplify;

/// Expressions made short, and which of them could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The forms, in the order asked for.
    pub expressions: Vec<ExprId>,
    /// Why an expression has no normal form; it is then only simplified, and its printed form may need
    /// names for what it shares.
    pub outside: Vec<Option<Outside>>,
}

/// Writes expressions as short as they are found to be: through the normal form where there is one and
/// it is not longer than the expression itself, else simplified.
///
/// ```
/// use dalembert_expr::normal::{Limits, Style, shorten};
/// use dalembert_expr::print::{Format, print_one};
/// use dalembert_expr::{Graph, SymbolKind};
/// let mut g = Graph::new();
/// let x = g.symbol("x", SymbolKind::Coordinate);
/// let one = g.integer(1);
/// let sum = g.add(x, one);
/// let power = g.powi(sum, 30); // 31 terms if it is expanded
/// let short = shorten(&mut g, &[power], &Style::default(), Limits::default());
/// assert_eq!(print_one(&g, short.expressions[0], Format::Text), "(x + 1)³⁰");
/// ```
#[must_use]
pub fn shorten(
    graph: &mut Graph,
    expressions: &[ExprId],
    style: &Style,
    limits: Limits,
) -> Shortened {
    let mut field = Field::with_limits(limits);
    let taken = field.take_all(graph, expressions);
    let values: Vec<Fraction> = taken.iter().flatten().cloned().collect();
    let mut forms = field.present(graph, &values, style).into_iter();
    let plain = simplify(graph, expressions);
    let mut shortened = Shortened {
        expressions: Vec::new(),
        outside: Vec::new(),
    };
    for (value, plain) in taken.iter().zip(plain) {
        let form = value.as_ref().ok().and_then(|_| forms.next());
        let form = form.filter(|&form| tree_size(graph, form) <= tree_size(graph, plain));
        shortened.expressions.push(form.unwrap_or(plain));
        shortened.outside.push(value.as_ref().err().copied());
    }
    shortened
}
