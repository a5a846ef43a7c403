//! Functions that are constant only between places where they jump: the derivative of sign(x) is zero, and so is that of atan(x/y) + atan(y/x).
//!
//! A function jumps where a sign does, where an angle begins anew, and where what it divides by changes its sign, if it has no pole there. It is
//! looked at from both sides of such places.

use dalembert_decide::CLEAR;
use dalembert_expr::normal::precise::{Bounded, Number, evaluate_bounded};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, Unary, evaluate};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::lower::root_of;
use dalembert_mechanics::start::State;

/// Places at which zeros are looked for along each symbol.
const PLACES: usize = 6;
/// How far from a zero a function is looked at first, beside the other numbers there.
const BESIDE: f64 = 1e-6;
/// What is left of a difference on both sides, or comes to it, when they come closer: of a jump as much, of a corner nothing, of a pole a
/// multiple.
const AS_MUCH: f64 = 2.0;

/// What changes its sign where a function of coordinates, rates and time jumps, if it does somewhere.
#[must_use]
pub fn jump(
    graph: &mut Graph,
    function: ExprId,
    mechanism: &Mechanism,
    start: &State,
) -> Option<ExprId> {
    let symbols = &mechanism.system.symbols;
    let moves = |it: &SymbolId| {
        *it == symbols.time || symbols.coordinates.contains(it) || symbols.rates.contains(it)
    };
    let mut random = fastrand::Rng::with_seed(33);
    for argument in arguments(graph, function) {
        let along = Cone::new(graph, &[argument]).symbols(graph);
        let along: Vec<SymbolId> = along.into_iter().filter(moves).collect();
        if along.is_empty() {
            continue;
        }
        let mut moving = Cone::new(graph, &[function]).symbols(graph);
        moving.retain(moves);
        for _ in 0..PLACES {
            let place: Vec<(SymbolId, f64)> = (moving.iter())
                .map(|&it| (it, 2.0 * random.f64() - 1.0))
                .collect();
            let at = |symbol: SymbolId| {
                let known = place.iter().find(|(it, _)| *it == symbol);
                known.map_or_else(|| mechanism.value_of(symbol, start), |&(_, x)| x)
            };
            let jumps = |&symbol: &SymbolId| jumps_along(graph, (function, argument), symbol, &at);
            if along.iter().any(jumps) {
                return Some(argument);
            }
        }
    }
    None
}

/// Whether a function jumps where an argument changes its sign along a symbol.
fn jumps_along(
    graph: &Graph,
    (function, argument): (ExprId, ExprId),
    along: SymbolId,
    at: &impl Fn(SymbolId) -> f64,
) -> bool {
    let with = |x: f64| {
        move |symbol: SymbolId| match symbol == along {
            true => x,
            false => at(symbol),
        }
    };
    let Some(root) = root_of(|x| evaluate(graph, &[argument], with(x))[0]) else {
        return false;
    };
    let difference = |way: f64| {
        let value = |x: Number| {
            let number = |symbol| match symbol == along {
                true => Bounded::exact(x),
                false => Bounded::exact(Number::from(at(symbol))),
            };
            evaluate_bounded(graph, &[function], number)[0]
        };
        let [above, below] = [way, -way].map(|it| value(Number::from(root) + Number::from(it)));
        let size = above.value.size().max(below.value.size());
        let differs = above.differs_from(&below);
        differs.then(|| ((above.value - below.value).size(), size))
    };
    let far = BESIDE * root.abs().max(1.0);
    let (Some((wide, size)), Some((narrow, _))) = (difference(far), difference(far * CLEAR)) else {
        return false;
    };
    // The zero is known to rounding: beside a corner the sides differ by so much.
    narrow > CLEAR * size && narrow * AS_MUCH > wide && wide * AS_MUCH > narrow
}

/// What changes its sign where an expression may jump.
fn arguments(graph: &mut Graph, function: ExprId) -> Vec<ExprId> {
    let nodes = Cone::new(graph, &[function]).nodes().to_vec();
    let mut found = Vec::new();
    for id in nodes {
        match graph.node(id) {
            Node::Unary(Unary::Sign, a) => zeros(graph, a, &mut found),
            Node::Unary(Unary::Tan, a) => {
                let below = graph.unary(Unary::Cos, a);
                zeros(graph, below, &mut found);
            }
            Node::Binary(op, a, _) if op.is_condition() => zeros(graph, a, &mut found),
            Node::Binary(Binary::Atan2, a, _) => zeros(graph, a, &mut found),
            Node::Binary(Binary::Div, _, b) => zeros(graph, b, &mut found),
            Node::Binary(Binary::Pow, a, n) => {
                let is_power = graph.as_number(n).is_some_and(|it| !it.is_negative());
                if !is_power {
                    zeros(graph, a, &mut found);
                }
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Factors of an expression, without powers, roots and sizes, which do not change their sign where they vanish.
fn zeros(graph: &Graph, of: ExprId, found: &mut Vec<ExprId>) {
    let mut open = vec![of];
    while let Some(id) = open.pop() {
        match graph.node(id) {
            Node::Unary(Unary::Neg | Unary::Abs | Unary::Sqrt | Unary::Sign, a)
            | Node::Binary(Binary::Pow, a, _) => open.push(a),
            Node::Binary(Binary::Mul | Binary::Div, a, b) => open.extend([a, b]),
            Node::Number(_) | Node::Pi => {}
            _ => found.push(id),
        }
    }
}
