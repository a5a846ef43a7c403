//! The derivative of each operation, once for both directions of the chain rule.
//!
//! The derivative of what does not depend on the symbol is `None`: no node is made for its zero.

use crate::graph::{ExprId, Graph, Node, TableId};
use crate::op::{Binary, Unary};

/// f'(a) for y = f(a); `None` if it is zero everywhere.
fn slope(g: &mut Graph, op: Unary, a: ExprId, y: ExprId) -> Option<ExprId> {
    let one = g.integer(1);
    Some(match op {
        Unary::Neg => g.integer(-1),
        Unary::Sqrt => {
            // 1/(2 √a)
            let two_y = g.add(y, y);
            g.div(one, two_y)
        }
        Unary::Sin => g.cos(a),
        Unary::Cos => {
            let sine = g.sin(a);
            g.neg(sine)
        }
        Unary::Tan => {
            // 1 + tan²
            let square = g.powi(y, 2);
            g.add(one, square)
        }
        Unary::Asin | Unary::Acos => {
            // ±1/√(1 − a²)
            let square = g.powi(a, 2);
            let rest = g.sub(one, square);
            let root = g.sqrt(rest);
            let slope = g.div(one, root);
            if op == Unary::Asin {
                slope
            } else {
                g.neg(slope)
            }
        }
        Unary::Atan => {
            let square = g.powi(a, 2);
            let sum = g.add(one, square);
            g.div(one, sum)
        }
        Unary::Sinh => g.unary(Unary::Cosh, a),
        Unary::Cosh => g.unary(Unary::Sinh, a),
        Unary::Tanh => {
            // 1 − tanh²
            let square = g.powi(y, 2);
            g.sub(one, square)
        }
        Unary::Exp => y,
        Unary::Log => g.div(one, a),
        Unary::Abs => g.sign(a),
        Unary::Sign => return None,
    })
}

/// Derivatives of y = f(a, b) by a and by b, for the operations that are not treated apart.
/// Only those asked for are built.
fn slopes(
    g: &mut Graph,
    op: Binary,
    (a, b): (ExprId, ExprId),
    y: ExprId,
    wanted: [bool; 2],
) -> [Option<ExprId>; 2] {
    let one = g.integer(1);
    match op {
        Binary::Pow => {
            let by_base = wanted[0].then(|| {
                // b a^(b−1)
                let exponent = g.sub(b, one);
                let power = g.pow(a, exponent);
                g.mul(b, power)
            });
            let by_exponent = wanted[1].then(|| {
                // a^b log a
                let log = g.unary(Unary::Log, a);
                g.mul(y, log)
            });
            [by_base, by_exponent]
        }
        Binary::Atan2 => {
            // atan2(a, b): (b da − a db)/(a² + b²)
            let squares = [g.powi(a, 2), g.powi(b, 2)];
            let radius2 = g.add(squares[0], squares[1]);
            let by_a = wanted[0].then(|| g.div(b, radius2));
            let by_b = wanted[1].then(|| {
                let quotient = g.div(a, radius2);
                g.neg(quotient)
            });
            [by_a, by_b]
        }
        Binary::Min | Binary::Max => {
            // weight ½ (1 ∓ s) of the first, ½ (1 ± s) of the second, s = sign(a − b)
            let difference = g.sub(a, b);
            let s = g.sign(difference);
            let two = g.integer(2);
            let (minus, plus) = (g.sub(one, s), g.add(one, s));
            let (minus, plus) = (g.div(minus, two), g.div(plus, two));
            let weights = if op == Binary::Min {
                [minus, plus]
            } else {
                [plus, minus]
            };
            [
                wanted[0].then_some(weights[0]),
                wanted[1].then_some(weights[1]),
            ]
        }
        Binary::Add
        | Binary::Sub
        | Binary::Mul
        | Binary::Div
        | Binary::Above
        | Binary::NotAbove => {
            unreachable!("treated apart in tangent and pullback")
        }
    }
}

/// f'(a) of a function made of a table; `None` if it is zero but for jumps.
fn table_slope(g: &mut Graph, table: TableId, a: ExprId) -> Option<ExprId> {
    let slope = g.table_function(table).derivative()?;
    Some(g.table(&slope, a))
}

/// Sum of two derivatives of which either may be zero.
pub(super) fn plus(g: &mut Graph, a: Option<ExprId>, b: Option<ExprId>) -> Option<ExprId> {
    match (a, b) {
        (Some(a), Some(b)) => Some(g.add(a, b)),
        (a, None) => a,
        (None, b) => b,
    }
}

/// Forward rule: the derivative of node `y` from those of its operands.
pub(super) fn tangent(
    g: &mut Graph,
    y: ExprId,
    node: Node,
    da: Option<ExprId>,
    db: Option<ExprId>,
) -> Option<ExprId> {
    if da.is_none() && db.is_none() {
        return None;
    }
    match node {
        Node::Number(_) | Node::Pi | Node::Symbol(_) => None,
        Node::Unary(Unary::Neg, _) => da.map(|da| g.neg(da)),
        Node::Unary(op, a) => {
            let slope = slope(g, op, a, y)?;
            da.map(|da| g.mul(slope, da))
        }
        Node::Table(table, a) => {
            let slope = table_slope(g, table, a)?;
            da.map(|da| g.mul(slope, da))
        }
        Node::Binary(Binary::Add, ..) => plus(g, da, db),
        Node::Binary(Binary::Sub, ..) => {
            let minus_db = db.map(|db| g.neg(db));
            plus(g, da, minus_db)
        }
        Node::Binary(Binary::Mul, a, b) => {
            let first = da.map(|da| g.mul(da, b));
            let second = db.map(|db| g.mul(a, db));
            plus(g, first, second)
        }
        Node::Binary(Binary::Div, _, b) => {
            // (da − y db)/b
            let minus_y_db = db.map(|db| {
                let product = g.mul(y, db);
                g.neg(product)
            });
            plus(g, da, minus_y_db).map(|numerator| g.div(numerator, b))
        }
        // Where the condition changes, the value may jump: that is not in the derivative.
        Node::Binary(op, a, _) if op.is_condition() => db.map(|db| g.binary(op, a, db)),
        Node::Binary(op, a, b) => {
            let [by_a, by_b] = slopes(g, op, (a, b), y, [da.is_some(), db.is_some()]);
            let first = by_a.zip(da).map(|(slope, da)| g.mul(slope, da));
            let second = by_b.zip(db).map(|(slope, db)| g.mul(slope, db));
            plus(g, first, second)
        }
    }
}

/// Reverse rule: what the derivative `w` of the result by node `y` contributes to its operands.
/// Only the contributions `wanted` are built.
pub(super) fn pullback(
    g: &mut Graph,
    y: ExprId,
    node: Node,
    w: ExprId,
    wanted: [bool; 2],
) -> [Option<ExprId>; 2] {
    match node {
        Node::Number(_) | Node::Pi | Node::Symbol(_) => [None, None],
        Node::Unary(Unary::Neg, _) => [Some(g.neg(w)), None],
        Node::Unary(op, a) => [slope(g, op, a, y).map(|slope| g.mul(w, slope)), None],
        Node::Table(table, a) => {
            let slope = table_slope(g, table, a);
            [slope.map(|slope| g.mul(w, slope)), None]
        }
        Node::Binary(Binary::Add, ..) => [Some(w), Some(w)],
        Node::Binary(Binary::Sub, ..) => [Some(w), wanted[1].then(|| g.neg(w))],
        Node::Binary(Binary::Mul, a, b) => [
            wanted[0].then(|| g.mul(w, b)),
            wanted[1].then(|| g.mul(w, a)),
        ],
        Node::Binary(Binary::Div, _, b) => {
            // w/b, −(w/b) y
            let share = g.div(w, b);
            let second = wanted[1].then(|| {
                let product = g.mul(share, y);
                g.neg(product)
            });
            [Some(share), second]
        }
        Node::Binary(op, a, _) if op.is_condition() => {
            [None, wanted[1].then(|| g.binary(op, a, w))]
        }
        Node::Binary(op, a, b) => {
            slopes(g, op, (a, b), y, wanted).map(|slope| slope.map(|slope| g.mul(w, slope)))
        }
    }
}
