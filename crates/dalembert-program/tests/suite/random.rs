//! Random expressions over all operations, with much sharing, and random points with all the corners.

use dalembert_expr::{Binary, ExprId, Graph, Rational, SymbolId, SymbolKind, Unary};
use fastrand::Rng;

/// A graph with the symbols and expressions that make a program of it.
pub(crate) struct Sample {
    pub(crate) graph: Graph,
    pub(crate) inputs: Vec<SymbolId>,
    pub(crate) outputs: Vec<ExprId>,
}

/// Which operations a sample is made of.
#[allow(dead_code, reason = "not every user of this file asks for all")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operations {
    /// All of them.
    All,
    /// Those for which tape and evaluator do the very same: no sine, cosine, power of literal exponent.
    Same,
    /// Those that every program writes out, and calls no library for.
    Written,
}

/// A sample of about `size` operations.
pub(crate) fn sample(rng: &mut Rng, size: usize, operations: Operations) -> Sample {
    let mut graph = Graph::new();
    let count = rng.usize(1..7);
    let symbols: Vec<ExprId> = (0..count)
        .map(|i| graph.symbol(&format!("x{i}"), SymbolKind::Coordinate))
        .collect();
    let inputs = symbols
        .iter()
        .filter_map(|&id| graph.as_symbol(id))
        .collect();
    let mut pool = symbols;
    for _ in 0..3 {
        let literal = Rational::new(rng.i64(-40..40), rng.i64(1..12)).expect("not over zero");
        pool.push(graph.number(literal));
    }
    pool.push(graph.pi());
    for _ in 0..size {
        let (a, b) = (pick(rng, &pool), pick(rng, &pool));
        let made = operation(rng, &mut graph, operations, a, b);
        pool.push(made);
    }
    let mut outputs: Vec<ExprId> = (0..rng.usize(1..9)).map(|_| pick(rng, &pool)).collect();
    outputs.push(outputs[0]);
    outputs.push(pool[0]);
    outputs.extend(pool.last());
    Sample {
        graph,
        inputs,
        outputs,
    }
}

/// Mostly something recent, so that expressions get deep; sometimes anything, so that much is shared.
fn pick(rng: &mut Rng, pool: &[ExprId]) -> ExprId {
    let from = if rng.u8(0..3) == 0 {
        0
    } else {
        pool.len().saturating_sub(8)
    };
    pool[rng.usize(from..pool.len())]
}

fn operation(
    rng: &mut Rng,
    graph: &mut Graph,
    operations: Operations,
    a: ExprId,
    b: ExprId,
) -> ExprId {
    let all = operations != Operations::Same;
    let written = operations == Operations::Written;
    match rng.u8(0..20) {
        0 if all => {
            let most = if written { 65 } else { 70 };
            let n = rng.i64(1 - most..most);
            graph.powi(a, n)
        }
        1 if all => {
            let below = if written { 3 } else { 4 };
            let exponent =
                Rational::new(rng.i64(-20..20), rng.i64(1..below)).expect("not over zero");
            let exponent = graph.number(exponent);
            graph.pow(a, exponent)
        }
        2..=4 if all => {
            let a = if written { within_reach(graph, a) } else { a };
            let (sine, cosine) = (graph.sin(a), graph.cos(a));
            graph.add(sine, cosine)
        }
        5..=9 => {
            let function = Unary::ALL[rng.usize(0..Unary::ALL.len())];
            let is_sine = matches!(function, Unary::Sin | Unary::Cos);
            let is_short = matches!(
                function,
                Unary::Neg | Unary::Sqrt | Unary::Abs | Unary::Sign
            );
            if (!all && is_sine) || (written && !is_sine && !is_short) {
                return graph.abs(a);
            }
            let a = match written && is_sine {
                true => within_reach(graph, a),
                false => a,
            };
            graph.unary(function, a)
        }
        10..=12 => {
            let product = graph.mul(a, b);
            let c = if rng.bool() { a } else { b };
            match rng.u8(0..3) {
                0 => graph.add(product, c),
                1 => graph.sub(product, c),
                _ => graph.sub(c, product),
            }
        }
        _ => {
            let function = Binary::ALL[rng.usize(0..Binary::ALL.len())];
            let is_power = function == Binary::Pow;
            if !all && (is_power || graph.as_number(b).is_some()) {
                return graph.max(a, b);
            }
            if written && (is_power || function == Binary::Atan2) {
                return graph.min(a, b);
            }
            graph.binary(function, a, b)
        }
    }
}

/// An angle whose sine no library is asked for.
fn within_reach(graph: &mut Graph, a: ExprId) -> ExprId {
    let [least, most] = [-1_000_000, 1_000_000].map(|n| graph.integer(n));
    let a = graph.min(a, most);
    graph.max(a, least)
}

/// Values at which operations like to go wrong.
pub(crate) const CORNERS: [f64; 22] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.0,
    -0.0,
    5e-324,
    -1e-310,
    f64::MIN_POSITIVE,
    1.0,
    -1.0,
    0.5,
    2.0,
    -2.0,
    std::f64::consts::PI,
    1e6,
    -1_647_099.0,
    1e7,
    1e22,
    -1e22,
    1e300,
    f64::MAX,
    f64::MIN,
];

/// An argument: everyday, of any magnitude, or a corner.
pub(crate) fn argument(rng: &mut Rng) -> f64 {
    let sign = if rng.bool() { 1.0 } else { -1.0 };
    match rng.u8(0..16) {
        0 => CORNERS[rng.usize(0..CORNERS.len())],
        1 => sign * 10f64.powf(rng.f64() * 616.0 - 308.0),
        2 | 3 => sign * 10f64.powf(rng.f64() * 12.0 - 6.0),
        _ => sign * rng.f64() * 3.0,
    }
}
