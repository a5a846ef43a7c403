//! Are two expressions equal? Proved by arithmetic, refuted by a point, or neither.

use super::precise::{Bounded, Number, evaluate_bounded};
use super::{Field, Limits, Outside};
use crate::cone::Cone;
use crate::graph::{ExprId, Graph, SymbolId};
use crate::symbol::SymbolKind;

/// Points that are tried for a counterexample.
const POINTS: u64 = 24;

/// What is known about the equality of two expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Equal wherever both have values.
    Proved,
    /// Different at a point, by more than rounding.
    Refuted {
        /// Values of the symbols.
        point: Vec<(SymbolId, f64)>,
        /// Values of the two expressions there.
        values: [f64; 2],
    },
    /// Neither: no counterexample was found, and no proof.
    NotProved {
        /// Why there is no normal form; `None` if there is one, which leaves it open.
        why: Option<Outside>,
    },
}

/// Compares two expressions, with the usual limits.
///
/// ```
/// use dalembert_expr::normal::{Verdict, equal};
/// use dalembert_expr::{Graph, SymbolKind};
/// let mut g = Graph::new();
/// let [a, b] = ["a", "b"].map(|name| g.symbol(name, SymbolKind::Coordinate));
/// let sum = g.add(a, b);
/// let sine = g.sin(sum);
/// let [sa, sb, ca, cb] = [g.sin(a), g.sin(b), g.cos(a), g.cos(b)];
/// let (left, right) = (g.mul(sa, cb), g.mul(ca, sb));
/// let expanded = g.add(left, right);
/// assert_eq!(equal(&g, sine, expanded), Verdict::Proved);
/// let wrong = g.sub(left, right);
/// assert!(matches!(equal(&g, sine, wrong), Verdict::Refuted { .. }));
/// ```
#[must_use]
pub fn equal(graph: &Graph, a: ExprId, b: ExprId) -> Verdict {
    equal_within(graph, a, b, Limits::default())
}

fn equal_within(graph: &Graph, a: ExprId, b: ExprId, limits: Limits) -> Verdict {
    if a == b {
        return Verdict::Proved;
    }
    // A point is cheap, and most wrong equations are wrong nearly everywhere.
    if let Some(refuted) = counterexample(graph, a, b, 2) {
        return refuted;
    }
    let mut field = Field::with_limits(limits);
    let proof = || {
        let mut taken = field.take_all(graph, &[a, b]);
        let (b, a) = (
            taken.pop().unwrap_or(Err(Outside::TooLarge))?,
            taken.pop().unwrap_or(Err(Outside::TooLarge))?,
        );
        field.is_equal(&a, &b)
    };
    match { proof }() {
        Ok(true) => Verdict::Proved,
        other => {
            counterexample(graph, a, b, POINTS).unwrap_or(Verdict::NotProved { why: other.err() })
        }
    }
}

/// A point where two expressions differ by more than rounding.
fn counterexample(graph: &Graph, a: ExprId, b: ExprId, points: u64) -> Option<Verdict> {
    let symbols = Cone::new(graph, &[a, b]).symbols(graph);
    (0..points).find_map(|trial| {
        let value_of = |symbol: SymbolId| {
            let signed = graph.symbol_data(symbol).kind != SymbolKind::Parameter;
            coordinate(symbol.index() as u64, trial, signed)
        };
        let exact = |symbol| Bounded::exact(Number::from(value_of(symbol)));
        let sides = evaluate_bounded(graph, &[a, b], exact);
        sides[0].differs_from(&sides[1]).then(|| Verdict::Refuted {
            point: symbols.iter().map(|&s| (s, value_of(s))).collect(),
            values: [sides[0].value.to_f64(), sides[1].value.to_f64()],
        })
    })
}

/// The value of a symbol at a trial point, with few digits: parameters in (¼, 2), others in (−2, 2).
fn coordinate(symbol: u64, trial: u64, signed: bool) -> f64 {
    let mut x = (symbol << 8 | trial).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    let size = 0.25 + (x & 0xfff) as f64 / 4096.0 * 1.75;
    if signed && x >> 63 == 1 { -size } else { size }
}
