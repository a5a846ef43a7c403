//! Are two expressions equal? Proved by arithmetic, refuted by a point, or neither.

use super::{Field, Limits, Outside};
use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node, SymbolId};
use crate::op::{Binary, Unary};
use crate::symbol::SymbolKind;

/// Points that are tried for a counterexample.
const POINTS: u64 = 24;
/// A difference counts if it is this many times larger than rounding could make it.
const CLEAR: f64 = 16.0;

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
    let cone = Cone::new(graph, &[a, b]);
    let symbols = cone.symbols(graph);
    (0..points).find_map(|trial| {
        let value_of = |symbol: SymbolId| {
            let signed = graph.symbol_data(symbol).kind != SymbolKind::Parameter;
            coordinate(symbol.index() as u64, trial, signed)
        };
        let bounds = enclosures(graph, &cone, value_of);
        let (left, right) = (bounds[cone.place(a)], bounds[cone.place(b)]);
        let difference = (left.value - right.value).abs();
        let rounding = left.error + right.error;
        (difference.is_finite() && difference > CLEAR * rounding).then(|| Verdict::Refuted {
            point: symbols.iter().map(|&s| (s, value_of(s))).collect(),
            values: [left.value, right.value],
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

/// A value and how far rounding may have moved it.
#[derive(Clone, Copy)]
struct Enclosure {
    value: f64,
    error: f64,
}

impl Enclosure {
    fn new(value: f64, error: f64) -> Self {
        // The operation itself rounds; a library function to within a few units.
        let error = error + 4.0 * f64::EPSILON * value.abs();
        Self { value, error }
    }
}

/// Values of all nodes with bounds of first order for their errors; no number where a bound fails.
fn enclosures(graph: &Graph, cone: &Cone, value_of: impl Fn(SymbolId) -> f64) -> Vec<Enclosure> {
    let mut found: Vec<Enclosure> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let enclosure = match graph.node(id) {
            Node::Number(n) => Enclosure::new(graph.number_value(n).to_f64(), 0.0),
            Node::Pi => Enclosure::new(std::f64::consts::PI, 0.0),
            Node::Symbol(symbol) => Enclosure {
                value: value_of(symbol),
                error: 0.0,
            },
            Node::Unary(op, a) => of_unary(op, found[cone.place(a)]),
            Node::Binary(op, a, b) => of_binary(op, found[cone.place(a)], found[cone.place(b)]),
        };
        found.push(enclosure);
    }
    found
}

fn of_unary(op: Unary, a: Enclosure) -> Enclosure {
    let (x, e) = (a.value, a.error);
    let value = op.value(x);
    let slope = match op {
        Unary::Neg | Unary::Sin | Unary::Cos | Unary::Abs | Unary::Atan | Unary::Tanh => 1.0,
        Unary::Sqrt => 0.5 / value,
        Unary::Tan => 1.0 + value * value,
        Unary::Asin | Unary::Acos => 1.0 / libm::sqrt(1.0 - x * x),
        Unary::Sinh => libm::cosh(x),
        Unary::Cosh => libm::sinh(x).abs(),
        Unary::Exp => value,
        Unary::Log => 1.0 / x,
        // Either side of 0 is possible.
        Unary::Sign if x.abs() <= CLEAR * e => f64::NAN,
        Unary::Sign => 0.0,
    };
    // Where the slope changes within the error, first order says nothing.
    let smooth = !matches!(op, Unary::Sqrt | Unary::Log) || x > CLEAR * e || (x >= 0.0 && e <= 0.0);
    let smooth = smooth && (!matches!(op, Unary::Tan) || e * slope < 1.0);
    match smooth && slope.is_finite() {
        true => Enclosure::new(value, 2.0 * slope.abs() * e),
        false => Enclosure::new(f64::NAN, 0.0),
    }
}

fn of_binary(op: Binary, a: Enclosure, b: Enclosure) -> Enclosure {
    let (x, y) = (a.value, b.value);
    let value = op.value(x, y);
    let error = match op {
        Binary::Add | Binary::Sub => a.error + b.error,
        Binary::Mul => x.abs() * b.error + y.abs() * a.error + a.error * b.error,
        Binary::Div if y.abs() > CLEAR * b.error => {
            2.0 * (a.error + value.abs() * b.error) / y.abs()
        }
        Binary::Pow if x.abs() > CLEAR * a.error => {
            let relative = y.abs() * a.error / x.abs() + libm::log(x.abs()).abs() * b.error;
            2.0 * value.abs() * relative
        }
        Binary::Pow if a.error <= 0.0 && b.error <= 0.0 => 0.0,
        Binary::Atan2 => {
            let square = x * x + y * y;
            let error = 2.0 * (x.abs() * b.error + y.abs() * a.error) / square;
            // Across the negative axis the angle jumps.
            if y < 0.0 && x.abs() <= CLEAR * a.error {
                f64::NAN
            } else {
                error
            }
        }
        Binary::Min | Binary::Max => a.error.max(b.error),
        Binary::Div | Binary::Pow => f64::NAN,
    };
    match error.is_nan() {
        true => Enclosure::new(f64::NAN, 0.0),
        false => Enclosure::new(value, error),
    }
}
