//! Numbers beyond the range of doubles: what is too small is not zero, and what is too large is not infinite.

use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};

/// Beside a number above this, one that is too small for a double does not count.
const ORDINARY: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// What a double can tell of a part of an expression.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    /// Its value.
    Value,
    /// That it is nearly zero, and what is too small.
    Nearly(ExprId),
    /// Nothing: it comes from something beyond the range.
    Nothing(ExprId),
}

/// The part of an expression without symbols by which its value is beyond the range of doubles, and whether that part is too
/// small, not too large.
pub(super) fn beyond(graph: &Graph, value: ExprId) -> Option<(ExprId, bool)> {
    let cone = Cone::new(graph, &[value]);
    let mut found: Vec<(f64, Told)> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let of = |part: ExprId| {
            cone.position(part)
                .map_or((f64::NAN, Told::Value), |i| found[i])
        };
        let new = match graph.node(id) {
            Node::Number(n) => {
                let number = graph.number_value(n);
                let zero = number.is_zero();
                entered(id, number.to_f64(), zero, true)
            }
            Node::Pi => (std::f64::consts::PI, Told::Value),
            Node::Symbol(_) => (f64::NAN, Told::Value),
            Node::Table(table, a) => match of(a) {
                (a, Told::Value) => (graph.table_function(table).value(a), Told::Value),
                unclear => unclear,
            },
            Node::Unary(op, a) => {
                let (a, told) = of(a);
                let result = op.value(a);
                match (op, told) {
                    (_, Told::Value) => {
                        let zero = result == 0.0 && op != Unary::Exp;
                        entered(id, result, zero, a.is_finite() && op != Unary::Log)
                    }
                    (Unary::Neg | Unary::Abs, _) => (result, told),
                    (Unary::Cos | Unary::Cosh | Unary::Exp, Told::Nearly(_)) => {
                        (result, Told::Value)
                    }
                    (_, Told::Nearly(part) | Told::Nothing(part)) => (result, Told::Nothing(part)),
                }
            }
            Node::Binary(op, x, a) if op.is_condition() => match of(x) {
                (x, Told::Value) if (x > 0.0) == (op == Binary::Above) => of(a),
                (x, Told::Value) => (op.value(x, 0.0), Told::Value),
                unclear => unclear,
            },
            Node::Binary(op, a, b) => {
                let ((a, first), (b, second)) = (of(a), of(b));
                let result = op.value(a, b);
                let sum = matches!(op, Binary::Add | Binary::Sub) && result.abs() > ORDINARY;
                match (first, second) {
                    (Told::Value, Told::Value) => {
                        let zero = match op {
                            Binary::Mul => a == 0.0 || b == 0.0,
                            Binary::Div => a == 0.0 || b.is_infinite(),
                            Binary::Pow => a == 0.0,
                            _ => result == 0.0,
                        };
                        let pole = match op {
                            Binary::Div => b == 0.0,
                            Binary::Pow => a == 0.0,
                            _ => false,
                        };
                        entered(id, result, zero, a.is_finite() && b.is_finite() && !pole)
                    }
                    (Told::Value, Told::Nearly(_)) | (Told::Nearly(_), Told::Value) if sum => {
                        (result, Told::Value)
                    }
                    (Told::Nearly(part) | Told::Nothing(part), _)
                    | (_, Told::Nearly(part) | Told::Nothing(part)) => {
                        (result, Told::Nothing(part))
                    }
                }
            }
        };
        found.push(new);
    }
    let part = match found.last()?.1 {
        Told::Value => return None,
        Told::Nearly(part) | Told::Nothing(part) => part,
    };
    let (value, _) = found[cone.position(part)?];
    Some((part, value == 0.0))
}

/// A value whose operands are known: `zero` says that it is zero if it comes out as zero, `finite` that it is finite.
fn entered(id: ExprId, value: f64, zero: bool, finite: bool) -> (f64, Told) {
    let told = match value {
        0.0 if !zero => Told::Nearly(id),
        _ if value.is_infinite() && finite => Told::Nothing(id),
        _ => Told::Value,
    };
    (value, told)
}
