//! Values to some 30 digits, with bounds for what rounding may have done to them: what differs here is different, however
//! little.
//!
//! ```
//! use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
//! use dalembert_expr::{Graph, SymbolKind};
//! let mut g = Graph::new();
//! let x = g.symbol("x", SymbolKind::Coordinate);
//! let (sine, cosine) = (g.sin(x), g.cos(x));
//! let (sine, cosine) = (g.powi(sine, 2), g.powi(cosine, 2));
//! let square = g.add(sine, cosine);
//! let one = g.integer(1);
//! let nearly = g.number(dalembert_expr::Rational::from_f64(1.0 + f64::EPSILON).unwrap());
//! let at = |_| Bounded::exact(Number::from(0.3));
//! let found = evaluate_bounded(&g, &[square, one, nearly], at);
//! assert!(!found[0].differs_from(&found[1]));
//! assert!(found[0].differs_from(&found[2]));
//! ```

mod element;
mod functions;
mod number;
mod tables;

pub use number::Number;

use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node, SymbolId};
use crate::op::{Binary, Unary};
use crate::rational::Rational;
use dalembert_decide::thirty::{CLEAR, ROUNDING, TINY};

/// Terms of a series at most: an argument below one needs fewer.
const TERMS: u32 = 40;

/// A value and how far rounding may have moved it.
#[derive(Clone, Copy, Debug)]
pub struct Bounded {
    /// The value.
    pub value: Number,
    /// Its error at most, to first order.
    pub error: f64,
    /// Sum of the sizes of the terms that it is the sum of.
    pub size: f64,
}

impl Bounded {
    /// A value without error.
    #[must_use]
    pub fn exact(value: Number) -> Self {
        Self::within(value, 0.0)
    }

    /// A value that is known to within an error.
    #[must_use]
    pub fn within(value: Number, error: f64) -> Self {
        let size = value.size();
        Self { value, error, size }
    }

    /// Whether two values are different, whatever rounding did.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> bool {
        let difference = (self.value - other.value).size();
        difference.is_finite() && difference > CLEAR * (self.error + other.error)
    }

    fn rounded(value: Number, error: f64) -> Self {
        // Near the smallest doubles, the digits after the sixteenth are lost.
        let lost = match value.size() {
            size if size > 0.0 && size < TINY => f64::MIN_POSITIVE,
            _ => 0.0,
        };
        Self::within(value, error + ROUNDING * value.size() + lost)
    }

    /// A sum, which is as large as its terms.
    fn with_size(self, size: f64) -> Self {
        Self { size, ..self }
    }

    fn unknown() -> Self {
        Self::exact(Number::from(f64::NAN))
    }
}

/// Values of `outputs` where `value_of` gives the symbols; no numbers where a bound fails.
#[must_use]
pub fn evaluate_bounded(
    graph: &Graph,
    outputs: &[ExprId],
    value_of: impl Fn(SymbolId) -> Bounded,
) -> Vec<Bounded> {
    let cone = Cone::new(graph, outputs);
    let mut found: Vec<Bounded> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let bounded = match graph.node(id) {
            Node::Number(n) => of_number(graph.number_value(n)),
            Node::Pi => Bounded::rounded(Number::PI, 0.0),
            Node::Symbol(symbol) => value_of(symbol),
            Node::Table(table, a) => {
                tables::of_table(graph.table_function(table), found[cone.place(a)])
            }
            Node::Unary(op, a) => of_unary(op, found[cone.place(a)]),
            Node::Binary(op, a, b) => of_binary(op, found[cone.place(a)], found[cone.place(b)]),
        };
        found.push(bounded);
    }
    outputs.iter().map(|&id| found[cone.place(id)]).collect()
}

/// b or 0, if it is clear whether a is above zero.
fn under_condition(op: Binary, a: Bounded, b: Bounded) -> Bounded {
    let x = a.value.to_f64();
    let doubtful = a.error > 0.0 && x.abs() <= CLEAR * a.error;
    match (x > 0.0) == (op == Binary::Above) {
        _ if x.is_nan() || doubtful => Bounded::unknown(),
        true => b,
        false => Bounded::exact(Number::ZERO),
    }
}

fn of_number(number: &Rational) -> Bounded {
    let value = Number::from(number);
    match number.as_integer() {
        Some(_) => Bounded::exact(value),
        None => Bounded::rounded(value, 0.0),
    }
}

fn of_unary(op: Unary, a: Bounded) -> Bounded {
    let (x, e) = (a.value.to_f64(), a.error);
    let result = functions::unary(op, a.value);
    let value = result.to_f64();
    let slope = match op {
        Unary::Neg | Unary::Abs => {
            return Bounded { value: result, ..a };
        }
        Unary::Sin | Unary::Cos | Unary::Atan | Unary::Tanh => 1.0,
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
    // Near a zero of the function, what its argument is rounded to counts.
    let error = 2.0 * slope.abs() * (e + ROUNDING * x.abs());
    match smooth && error.is_finite() {
        true => Bounded::rounded(result, error),
        false => Bounded::unknown(),
    }
}

fn of_binary(op: Binary, a: Bounded, b: Bounded) -> Bounded {
    if op.is_condition() {
        return under_condition(op, a, b);
    }
    let result = functions::binary(op, a.value, b.value);
    let (x, y, value) = (a.value.to_f64(), b.value.to_f64(), result.to_f64());
    let (error, size) = match op {
        Binary::Add | Binary::Sub => (a.error + b.error, a.size + b.size),
        Binary::Mul => {
            let error = x.abs() * b.error + y.abs() * a.error + a.error * b.error;
            (error, a.size * b.size)
        }
        Binary::Div if y.abs() > CLEAR * b.error => {
            let error = 2.0 * (a.error + value.abs() * b.error) / y.abs();
            (error, a.size / y.abs())
        }
        Binary::Pow if x.abs() > CLEAR * a.error => {
            let relative = y.abs() * a.error / x.abs() + libm::log(x.abs()).abs() * b.error;
            (2.0 * value.abs() * relative, value.abs())
        }
        Binary::Pow if a.error <= 0.0 && b.error <= 0.0 => (0.0, value.abs()),
        // x² near 0.
        Binary::Pow if b.error <= 0.0 && y >= 1.0 => {
            let error = libm::pow(x.abs() + a.error, y) - value.abs();
            (2.0 * error.abs(), value.abs())
        }
        Binary::Atan2 => {
            let square = x * x + y * y;
            let error = 2.0 * (x.abs() * b.error + y.abs() * a.error) / square;
            // Across the negative axis the angle jumps.
            match y < 0.0 && x.abs() <= CLEAR * a.error && a.error > 0.0 {
                true => (f64::NAN, 0.0),
                false => (error, value.abs()),
            }
        }
        Binary::Min | Binary::Max => (a.error.max(b.error), value.abs()),
        Binary::Div | Binary::Pow | Binary::Above | Binary::NotAbove => (f64::NAN, 0.0),
    };
    match error.is_finite() {
        true => Bounded::rounded(result, error).with_size(size),
        false => Bounded::unknown(),
    }
}
