//! Are two expressions equal? Proved by the normal form, refuted by a point, or neither.

use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::normal::{Field, Outside};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId, SymbolKind};
use fastrand::Rng;

/// Points that are tried for a counterexample.
const POINTS: usize = 24;

/// What is known about the equality of two expressions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Equal wherever both have values.
    Proved,
    /// Different at a point, by more than rounding: values of the symbols, and of both sides there.
    Refuted {
        point: Vec<(SymbolId, f64)>,
        values: [f64; 2],
    },
    /// No counterexample was found, and no proof; why there is no normal form, if there is none.
    NotProved { why: Option<Outside> },
}

/// Compares two expressions.
pub(crate) fn equal(graph: &Graph, a: ExprId, b: ExprId) -> Verdict {
    let mut field = Field::new();
    let sides = field.take_all(graph, &[a, b]).into_iter();
    let sides: Result<Vec<_>, Outside> = sides.collect();
    match sides.and_then(|sides| field.is_equal(&sides[0], &sides[1])) {
        Ok(true) => Verdict::Proved,
        other => counterexample(graph, a, b).unwrap_or(Verdict::NotProved { why: other.err() }),
    }
}

/// A point where two expressions differ by more than rounding: parameters in (¼, 2), others in (−2, 2).
fn counterexample(graph: &Graph, a: ExprId, b: ExprId) -> Option<Verdict> {
    let mut rng = Rng::with_seed(60);
    let symbols = Cone::new(graph, &[a, b]).symbols(graph);
    (0..POINTS).find_map(|_| {
        let mut value = |symbol: SymbolId| {
            let size = 0.25 + 1.75 * rng.f64();
            let signed = graph.symbol_data(symbol).kind != SymbolKind::Parameter;
            (symbol, if signed && rng.bool() { -size } else { size })
        };
        let point: Vec<(SymbolId, f64)> = symbols.iter().map(|&symbol| value(symbol)).collect();
        let value_of = |symbol| point.iter().find(|&&(known, _)| known == symbol).unwrap().1;
        let exact = |symbol| Bounded::exact(Number::from(value_of(symbol)));
        let sides = evaluate_bounded(graph, &[a, b], exact);
        let values = [sides[0].value.to_f64(), sides[1].value.to_f64()];
        let differ = sides[0].differs_from(&sides[1]);
        differ.then_some(Verdict::Refuted { point, values })
    })
}
