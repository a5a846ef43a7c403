//! Functions of which a derivative that is zero says that they are constant, whatever the motion passes.
//!
//! That is so where a function is continuous. Where it has no value for an instant, as at a zero of what it divides by, it is so if it is a quotient of
//! functions that have power series: along a motion that has one, both sides are one function. Of all others nothing is said: atan(1/x) + atan(x) has
//! the derivative zero, and two values.

use crate::forms::part_of_limits;
use dalembert_expr::normal::{Field, Fraction};
use dalembert_expr::{
    Binary, Cone, ExprId, Graph, Node, SymbolId, Unary, evaluate, one_side, substitute,
};

/// Whether some expressions have no value where something vanishes that a motion may pass.
#[must_use]
pub fn has_gaps(
    graph: &mut Graph,
    expressions: &[ExprId],
    fixed: &dyn Fn(SymbolId) -> Option<f64>,
) -> bool {
    let nodes = Cone::new(graph, expressions).nodes().to_vec();
    let gaps = nodes.iter().filter_map(|&id| divisor(graph, id));
    let gaps: Vec<ExprId> = gaps.collect();
    gaps.iter()
        .any(|&it| moves(graph, it, fixed) && !is_positive(graph, it, fixed))
}

/// What may vanish where a function jumps along a motion, if it is not certain that it does not. `fixed` gives the values of symbols that do not change
/// along a motion.
#[must_use]
pub fn may_jump(
    graph: &mut Graph,
    function: ExprId,
    fixed: &dyn Fn(SymbolId) -> Option<f64>,
) -> Option<ExprId> {
    let nodes = Cone::new(graph, &[function]).nodes().to_vec();
    let gaps = nodes.iter().filter_map(|&id| divisor(graph, id));
    let mut gaps: Vec<ExprId> = gaps.collect();
    gaps.retain(|&it| moves(graph, it, fixed) && !is_positive(graph, it, fixed));
    for &id in &nodes {
        let found = match graph.node(id) {
            Node::Unary(Unary::Sign, a) => across(graph, function, a, fixed),
            Node::Binary(op, a, _) if op.is_condition() => across(graph, function, a, fixed),
            Node::Binary(Binary::Atan2, y, x) => {
                let may = moves(graph, id, fixed) && !is_positive(graph, x, fixed);
                may.then_some(y)
            }
            node => beside_gaps(graph, node, &gaps, fixed),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Where an operation has no value: what it divides by, or takes the logarithm of, is zero there.
fn divisor(graph: &mut Graph, id: ExprId) -> Option<ExprId> {
    match graph.node(id) {
        Node::Binary(Binary::Div, _, b) | Node::Unary(Unary::Log, b) => Some(b),
        Node::Binary(Binary::Pow, a, n) => {
            let is_power = graph.as_number(n).is_some_and(|it| !it.is_negative());
            (!is_power).then_some(a)
        }
        Node::Unary(Unary::Tan, a) => Some(graph.unary(Unary::Cos, a)),
        _ => None,
    }
}

/// Whether an expression changes along a motion.
fn moves(graph: &Graph, id: ExprId, fixed: &dyn Fn(SymbolId) -> Option<f64>) -> bool {
    let symbols = Cone::new(graph, &[id]).symbols(graph);
    symbols.iter().any(|&it| fixed(it).is_none())
}

/// What an operation may jump at that is no quotient of power series where something has no value.
fn beside_gaps(
    graph: &mut Graph,
    node: Node,
    gaps: &[ExprId],
    fixed: &dyn Fn(SymbolId) -> Option<f64>,
) -> Option<ExprId> {
    let &first = gaps.first()?;
    let holds_gap = |graph: &mut Graph, id: ExprId| {
        let nodes = Cone::new(graph, &[id]).nodes().to_vec();
        nodes.into_iter().find_map(|it| {
            let own = divisor(graph, it)?;
            gaps.contains(&own).then_some(own)
        })
    };
    let corner = |graph: &Graph, id: ExprId| {
        (moves(graph, id, fixed) && !is_positive(graph, id, fixed)).then_some(first)
    };
    match node {
        Node::Unary(Unary::Neg, _) | Node::Number(_) | Node::Pi | Node::Symbol(_) => None,
        Node::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Div, ..) => None,
        Node::Binary(Binary::Pow, a, n) => {
            let whole = graph.as_number(n).is_some_and(|it| it.is_integer());
            let other = |graph: &mut Graph| holds_gap(graph, a).or_else(|| corner(graph, a));
            match whole {
                true => None,
                false => other(graph).or_else(|| holds_gap(graph, n)),
            }
        }
        Node::Binary(Binary::Min | Binary::Max, a, b) => {
            let may = moves(graph, a, fixed) || moves(graph, b, fixed);
            may.then_some(first)
        }
        // Between their ends these have power series, and so has a logarithm above zero.
        Node::Unary(Unary::Sqrt | Unary::Abs | Unary::Asin | Unary::Acos, a) => {
            holds_gap(graph, a).or_else(|| corner(graph, a))
        }
        Node::Unary(_, a) => holds_gap(graph, a),
        Node::Table(_, a) => moves(graph, a, fixed).then_some(first),
        Node::Binary(..) => Some(first),
    }
}

/// What changes its sign where a function may jump that has other values on both sides: none if both are the same where it is zero.
fn across(
    graph: &mut Graph,
    function: ExprId,
    argument: ExprId,
    fixed: &dyn Fn(SymbolId) -> Option<f64>,
) -> Option<ExprId> {
    if !moves(graph, argument, fixed) || is_positive(graph, argument, fixed) {
        return None;
    }
    let meets = |graph: &mut Graph| -> Option<bool> {
        let [above, below] = [true, false].map(|it| one_side(graph, &[function], argument, it)[0]);
        let difference = graph.sub(above, below);
        let mut field = Field::with_limits(part_of_limits(4));
        let argument_taken = field.take(graph, argument).ok()?;
        let symbols = Cone::new(graph, &[argument]).symbols(graph);
        for symbol in symbols {
            let slope = field.derivative(&argument_taken, symbol).ok()?;
            let bends = field.derivative(&slope, symbol).ok()?;
            if field.is_zero(&slope).ok()? || !field.is_zero(&bends).ok()? {
                continue;
            }
            // a = s x + r is zero at x = −r/s; where s is, too, are few places.
            let own = field.symbol(symbol).ok()?;
            let own = field.element(own);
            let quotient = field.div(&argument_taken, &slope).ok()?;
            let root: Fraction = field.sub(&own, &quotient).ok()?;
            let root = field.to_graph(graph, &root);
            let node = graph.symbol_node(symbol);
            let there = substitute(graph, &[difference], &[(node, root)])[0];
            let there = field.take(graph, there).ok()?;
            return field.is_zero(&there).ok();
        }
        None
    };
    match meets(graph) {
        Some(true) => None,
        _ => Some(argument),
    }
}

/// Whether an expression is positive wherever it has a value, but at places that a motion meets by chance only: x² + y² is zero at one point of a plane.
fn is_positive(graph: &Graph, id: ExprId, fixed: &dyn Fn(SymbolId) -> Option<f64>) -> bool {
    if !moves(graph, id, fixed) {
        let value = |it| fixed(it).unwrap_or(f64::NAN);
        return evaluate(graph, &[id], value)[0] > 0.0;
    }
    match graph.node(id) {
        Node::Unary(Unary::Exp | Unary::Cosh, _) => true,
        Node::Unary(Unary::Sqrt, a) | Node::Binary(Binary::Pow, a, _) => {
            is_positive(graph, a, fixed)
        }
        Node::Binary(Binary::Mul | Binary::Div, a, b) => {
            is_positive(graph, a, fixed) && is_positive(graph, b, fixed)
        }
        Node::Binary(Binary::Add, ..) => {
            let mut open = vec![id];
            let mut bases: Vec<ExprId> = Vec::new();
            let mut positive = false;
            while let Some(term) = open.pop() {
                match graph.node(term) {
                    Node::Binary(Binary::Add, a, b) => open.extend([a, b]),
                    _ if is_positive(graph, term, fixed) => positive = true,
                    _ => match square_of(graph, term, fixed) {
                        Some(base) => bases.extend(base),
                        None => return false,
                    },
                }
            }
            positive || vanish_apart(graph, &bases, fixed)
        }
        _ => false,
    }
}

/// What is squared in an expression that is never negative: nothing if it does not move.
fn square_of(
    graph: &Graph,
    id: ExprId,
    fixed: &dyn Fn(SymbolId) -> Option<f64>,
) -> Option<Option<ExprId>> {
    let base = match graph.node(id) {
        Node::Binary(Binary::Pow, a, n) => {
            let n = graph.as_number(n)?.to_f64();
            (n > 0.0 && n % 2.0 == 0.0).then_some(a)?
        }
        Node::Binary(Binary::Mul, a, b) if a == b => a,
        Node::Binary(Binary::Mul | Binary::Div, a, b) if is_positive(graph, b, fixed) => {
            return square_of(graph, a, fixed);
        }
        Node::Binary(Binary::Mul, a, b) if is_positive(graph, a, fixed) => {
            return square_of(graph, b, fixed);
        }
        _ => return None,
    };
    Some(moves(graph, base, fixed).then_some(base))
}

/// Whether two of some expressions each have a symbol that moves and the other has not: they vanish together at few places.
fn vanish_apart(graph: &Graph, bases: &[ExprId], fixed: &dyn Fn(SymbolId) -> Option<f64>) -> bool {
    let of = |&base: &ExprId| {
        let mut symbols = Cone::new(graph, &[base]).symbols(graph);
        symbols.retain(|&it| fixed(it).is_none());
        symbols
    };
    let of: Vec<Vec<SymbolId>> = bases.iter().map(of).collect();
    let beyond = |a: &[SymbolId], b: &[SymbolId]| a.iter().any(|it| !b.contains(it));
    let mut pairs = (0..of.len()).flat_map(|i| (0..i).map(move |k| (i, k)));
    pairs.any(|(i, k)| beyond(&of[i], &of[k]) && beyond(&of[k], &of[i]))
}

#[cfg(test)]
mod tests {
    use super::may_jump;
    use dalembert_expr::{Binary, ExprId, Graph, SymbolKind, Unary};

    /// Whether a function of two places that move, and a length of 1, may jump.
    fn jumps(of: impl Fn(&mut Graph, [ExprId; 3]) -> ExprId) -> bool {
        let mut g = Graph::new();
        let [x, y, l] = ["x", "y", "l"].map(|it| g.symbol(it, SymbolKind::Parameter));
        let length = g.as_symbol(l).expect("a symbol");
        let function = of(&mut g, [x, y, l]);
        may_jump(&mut g, function, &|it| (it == length).then_some(1.0)).is_some()
    }

    #[test]
    fn quotients_of_power_series_do_not_jump() {
        assert!(!jumps(|g, [x, y, _]| g.div(y, x)));
        // 1/√(x² + y²), atan(y/(x² + l²)), log x
        assert!(!jumps(|g, [x, y, l]| {
            let [x2, y2] = [x, y].map(|it| g.mul(it, it));
            let sum = g.add(x2, y2);
            let root = g.sqrt(sum);
            g.div(l, root)
        }));
        assert!(!jumps(|g, [x, y, l]| {
            let [x2, l2] = [x, l].map(|it| g.mul(it, it));
            let sum = g.add(x2, l2);
            let quotient = g.div(y, sum);
            g.unary(Unary::Atan, quotient)
        }));
        assert!(!jumps(|g, [x, ..]| g.unary(Unary::Log, x)));
    }

    #[test]
    fn angles_and_signs_may_jump() {
        assert!(jumps(|g, [x, _, l]| {
            let quotient = g.div(l, x);
            g.unary(Unary::Atan, quotient)
        }));
        assert!(jumps(|g, [x, y, _]| g.binary(Binary::Atan2, y, x)));
        assert!(jumps(|g, [x, ..]| g.sign(x)));
        // √(x²)/x is a sign.
        assert!(jumps(|g, [x, ..]| {
            let square = g.mul(x, x);
            let root = g.sqrt(square);
            g.div(root, x)
        }));
    }

    #[test]
    fn corners_do_not_jump() {
        assert!(!jumps(|g, [x, ..]| g.abs(x)));
        assert!(!jumps(|g, [x, ..]| {
            let square = g.mul(x, x);
            g.binary(Binary::Above, x, square)
        }));
        // Both sides meet elsewhere.
        assert!(jumps(|g, [x, _, l]| {
            let above = g.sub(x, l);
            g.binary(Binary::Above, x, above)
        }));
    }
}
