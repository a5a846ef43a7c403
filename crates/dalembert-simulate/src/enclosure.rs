//! Bounds of functions of the motion over stretches of a step: of a condition, or of a gap. Points looked at in a step say nothing of what changes far
//! faster than the state, as the height of a corner of a body that turns many times within a step; bounds leave out what cannot be.
//!
//! ```text
//! g(t) is within    g([q], [q'], [t])           operation by operation, from the polynomials of the step
//!            and    g(m) ± (b − a)/2 max |g'|     g' = ∂g/∂q q' + ∂g/∂q' q'' + ∂g/∂t, with the slopes of these polynomials
//! ```
//!
//! What uses multipliers or accelerations has none, and what changes no faster than the state needs none: it is looked at in points.

use super::bounds::{Bounded, Bounds, Given, WHOLE, is_smooth};
use crate::motion::MotionSystem;
use dalembert_expr::calculus::forward;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, SymbolKind, Unary};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::ROUNDING;
use dalembert_ode::{Known, Polynomial, Step};

/// Powers up to which a power changes about as fast as what it is of.
const BROAD: f64 = 4.0;

/// Functions of the motion, and the polynomials of the step last taken.
pub(super) struct Enclosures {
    functions: Vec<Option<Enclosed>>,
    /// Values of the state that they use.
    entries: Vec<usize>,
    polynomials: Vec<Polynomial>,
}

/// One of them.
struct Enclosed {
    all: Bounded,
    value: usize,
    slope: Option<usize>,
    inputs: Vec<Input>,
    given: Vec<Bounds>,
}

/// An input of a function: of the polynomial of this number.
#[derive(Clone, Copy)]
enum Input {
    Time,
    Value(usize),
    Rate(usize),
}

impl Enclosures {
    /// Those of expressions in the graph of a mechanism, or one that has grown from it; none of expressions of which all points tell enough. Those `joined`
    /// by a number stand or fall together.
    pub(super) fn new(
        mechanism: &Mechanism,
        graph: &Graph,
        expressions: &[ExprId],
        joined: impl Fn(usize) -> usize,
    ) -> Self {
        let parameters = &mechanism.system.symbols.parameters;
        let all = expressions.iter().enumerate();
        let narrow = all.filter(|(_, it)| !is_broad(graph, **it, parameters));
        let narrow: Vec<usize> = narrow.map(|(k, _)| joined(k)).collect();
        let mut made = Self {
            functions: Vec::with_capacity(expressions.len()),
            entries: Vec::new(),
            polynomials: Vec::new(),
        };
        if narrow.is_empty() {
            made.functions.extend(expressions.iter().map(|_| None));
            return made;
        }
        let mut graph = graph.clone();
        let slopes = Slopes::new(mechanism, &mut graph);
        for (k, &expression) in expressions.iter().enumerate() {
            let function = match narrow.contains(&joined(k)) {
                true => made.enclosed(mechanism, &mut graph, (expression, &slopes)),
                false => None,
            };
            made.functions.push(function);
        }
        made.polynomials = vec![Polynomial::default(); made.entries.len()];
        made
    }

    fn enclosed(
        &mut self,
        mechanism: &Mechanism,
        graph: &mut Graph,
        (expression, slopes): (ExprId, &Slopes),
    ) -> Option<Enclosed> {
        let symbols = &mechanism.system.symbols;
        let used = Cone::new(graph, &[expression]).symbols(graph);
        let is_known = |it: &SymbolId| {
            slopes.of(*it).is_some() || *it == symbols.time || symbols.parameters.contains(it)
        };
        if !used.iter().all(is_known) {
            return None;
        }
        let has_slope = |it: &SymbolId| slopes.of(*it).is_none_or(|of| of.slope.is_some());
        let slope = (is_smooth(graph, expression) && used.iter().all(has_slope)).then(|| {
            forward(graph, &[expression], |graph, symbol| {
                if symbol == symbols.time {
                    return Some(graph.integer(1));
                }
                slopes.of(symbol)?.slope
            })[0]
        });
        let wanted: Vec<ExprId> = slope.into_iter().chain([expression]).collect();
        let cone = Cone::new(graph, &wanted);
        let mut inputs: Vec<(SymbolId, Input)> = Vec::new();
        for symbol in cone.symbols(graph) {
            let input = match slopes.input(symbol, symbols.time) {
                Some(Input::Value(entry)) => Input::Value(self.place(entry)),
                Some(Input::Rate(entry)) => Input::Rate(self.place(entry)),
                Some(Input::Time) => Input::Time,
                None => continue,
            };
            inputs.push((symbol, input));
        }
        let all = Bounded::new(graph, &cone, |symbol| {
            let parameter = || symbols.parameters.iter().position(|&it| it == symbol);
            let number = || parameter().map_or(f64::NAN, |it| mechanism.parameters[it]);
            let input = inputs.iter().position(|it| it.0 == symbol);
            input.map_or_else(|| Given::Number(number()), Given::Input)
        });
        Some(Enclosed {
            all,
            value: cone.position(expression)?,
            slope: slope.and_then(|slope| cone.position(slope)),
            given: vec![WHOLE; inputs.len()],
            inputs: inputs.into_iter().map(|it| it.1).collect(),
        })
    }

    /// The number of the polynomial of a value of the state.
    fn place(&mut self, entry: usize) -> usize {
        let known = self.entries.iter().position(|&it| it == entry);
        known.unwrap_or_else(|| {
            self.entries.push(entry);
            self.entries.len() - 1
        })
    }

    /// Takes a step, which has a length.
    pub(super) fn take(&mut self, step: &mut Step<'_, MotionSystem<'_>, 1>) {
        for (polynomial, &entry) in self.polynomials.iter_mut().zip(&self.entries) {
            *polynomial = step.polynomial(0, entry);
        }
    }

    /// What is known of a function between two times of the step; where its sign is, no closer bounds are looked for.
    pub(super) fn known(&mut self, function: usize, [from, to]: [f64; 2]) -> Known {
        let Some(it) = &mut self.functions[function] else {
            return Known::NOTHING;
        };
        let [a, b] = [from.min(to), from.max(to)];
        it.look(&self.polynomials, [a, b]);
        let [low, high] = it.all.bounds(it.value);
        let mut known = Known {
            bounds: [low, high],
            way: 0,
        };
        let Some(slope) = it.slope else {
            return known;
        };
        let [least, largest] = it.all.bounds(slope);
        known.way = i8::from(least >= 0.0) - i8::from(largest <= 0.0 && least < 0.0);
        let middle = f64::midpoint(a, b);
        let by = (b - middle).max(middle - a) * largest.max(-least);
        if low > 0.0 || high < 0.0 || known.way != 0 || !by.is_finite() {
            return known;
        }
        it.look(&self.polynomials, [middle; 2]);
        let [least, largest] = it.all.bounds(it.value);
        let by = by + ROUNDING * (by + least.abs().max(largest.abs()));
        known.bounds = [low.max(least - by), high.min(largest + by)];
        known
    }
}

impl Enclosed {
    /// Bounds all its parts between two times.
    fn look(&mut self, polynomials: &[Polynomial], times: [f64; 2]) {
        for (given, input) in self.given.iter_mut().zip(&self.inputs) {
            *given = match *input {
                Input::Time => times,
                Input::Value(of) => polynomials[of].bounds(times)[0],
                Input::Rate(of) => polynomials[of].bounds(times)[1],
            };
        }
        self.all.bound(&self.given);
    }
}

/// Whether a function changes about as fast as the state, so that points tell: a sum of products of few factors, or a root or the size of one.
fn is_broad(graph: &Graph, expression: ExprId, parameters: &[SymbolId]) -> bool {
    let cone = Cone::new(graph, &[expression]);
    let mut moving: Vec<bool> = Vec::with_capacity(cone.len());
    for &id in cone.nodes() {
        let moves = |operand: ExprId| cone.position(operand).is_some_and(|it| moving[it]);
        let node = graph.node(id);
        let is = match node {
            Node::Number(_) | Node::Pi => false,
            Node::Symbol(symbol) => !parameters.contains(&symbol),
            node => node.operands().any(moves),
        };
        let keeps = match node {
            _ if !is => true,
            Node::Symbol(_) | Node::Unary(Unary::Neg | Unary::Sqrt | Unary::Abs, _) => true,
            Node::Binary(Binary::Pow, _, power) => match graph.node(power) {
                Node::Number(n) => (0.0..=BROAD).contains(&graph.number_value(n).to_f64()),
                _ => false,
            },
            Node::Binary(Binary::Div, _, divisor) => !moves(divisor),
            Node::Binary(op, ..) => matches!(
                op,
                Binary::Add | Binary::Sub | Binary::Mul | Binary::Min | Binary::Max
            ),
            _ => false,
        };
        if !keeps {
            return false;
        }
        moving.push(is);
    }
    true
}

/// Coordinates and rates in expressions, and symbols for how fast they change.
struct Slopes {
    moving: Vec<Moving>,
}

struct Moving {
    symbol: SymbolId,
    input: Input,
    slope: Option<ExprId>,
    /// What the slope is an input of.
    slope_symbol: Option<(SymbolId, Input)>,
}

impl Slopes {
    /// Those of a mechanism. Where speeds are not rates, rates are as the coordinates change.
    fn new(mechanism: &Mechanism, graph: &mut Graph) -> Self {
        let symbols = &mechanism.system.symbols;
        let n = symbols.coordinates.len();
        let mut moving = Vec::with_capacity(2 * n);
        let mut add = |symbol, input, entry: Option<usize>| {
            let slope = entry.map(|entry| {
                // No name of a model has a blank.
                let name = format!("slope {entry}");
                let slope = graph.symbol(&name, SymbolKind::Parameter);
                (slope, Input::Rate(entry))
            });
            moving.push(Moving {
                symbol,
                input,
                slope: slope.map(|it| it.0),
                slope_symbol: slope.and_then(|(id, input)| Some((graph.as_symbol(id)?, input))),
            });
        };
        for (i, &coordinate) in symbols.coordinates.iter().enumerate() {
            add(coordinate, Input::Value(i), Some(i));
        }
        for (i, &rate) in symbols.rates.iter().enumerate() {
            match mechanism.system.speeds {
                None => add(rate, Input::Value(n + i), Some(n + i)),
                Some(_) => add(rate, Input::Rate(i), None),
            }
        }
        Self { moving }
    }

    fn of(&self, symbol: SymbolId) -> Option<&Moving> {
        self.moving.iter().find(|it| it.symbol == symbol)
    }

    /// What a symbol is an input of, if it changes with the motion.
    fn input(&self, symbol: SymbolId, time: SymbolId) -> Option<Input> {
        if symbol == time {
            return Some(Input::Time);
        }
        let slope = |it: &Moving| it.slope_symbol.filter(|it| it.0 == symbol);
        let own = self.of(symbol).map(|it| it.input);
        own.or_else(|| self.moving.iter().find_map(slope).map(|it| it.1))
    }
}
