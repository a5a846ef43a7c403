//! The condition that ends a run: when it becomes true within a step.
//!
//! It is looked for as other events are, where its value rises through zero. A condition that has a pole where it becomes true,
//! as `1/x > 1e9`, is true for so short a time that this does not see it: so the zeros of what it divides by are looked
//! for too, and the condition is asked on both sides of each.

use super::motion::MotionSystem;
use super::observed::Observed;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
use dalembert_mechanics::Mechanism;
use dalembert_ode::{Events, Step};

/// Halves of a stretch of time until it is two numbers next to each other.
const HALVES: usize = 64;

/// The condition: not negative where it is true.
pub(super) struct Until<'m> {
    /// Its value, then what it divides by.
    values: Observed<'m>,
    state: Vec<f64>,
    events: Events<1>,
}

impl<'m> Until<'m> {
    /// The condition of a model, for states of a size.
    pub(super) fn new(mechanism: &'m Mechanism, size: usize) -> Option<Self> {
        let graph = &mechanism.system.graph;
        let mut outputs = vec![mechanism.system.run.until?];
        outputs.extend(divisors(graph, outputs[0]));
        Some(Self {
            values: Observed::new(mechanism, graph, &outputs)?,
            state: vec![0.0; size],
            events: Events::new(2 * outputs.len() - 1, size),
        })
    }

    /// The value at a state.
    pub(super) fn at(&mut self, system: &mut MotionSystem<'_>, state: (f64, &[[f64; 1]])) -> f64 {
        self.values.at(system, state)[0]
    }

    /// The first time in a step at which it becomes true, and the first that was looked at where it is no number.
    pub(super) fn locate(
        &mut self,
        step: &mut Step<'_, MotionSystem<'_>, 1>,
    ) -> (Option<f64>, Option<f64>) {
        let Self {
            values,
            state,
            events,
        } = self;
        let end = step.t_new(0);
        let mut undefined = None;
        let found = events.locate(step, 0, |system, t, y, g| {
            let values = values.at(system, (t, y.as_chunks().0));
            let (value, divisors) = (values[0], &values[1..]);
            // At a zero of what it divides by it need not have a value, unless it stays there.
            if value.is_nan() && (t >= end || divisors.iter().all(|divisor| *divisor != 0.0)) {
                undefined = Some(undefined.map_or(t, |first: f64| first.min(t)));
            }
            g[0] = value;
            for (sides, divisor) in g[1..].chunks_exact_mut(2).zip(divisors) {
                sides.copy_from_slice(&[*divisor, -divisor]);
            }
        });
        let first = found.iter().find_map(|crossing| match crossing.event {
            0 => Some(crossing.t),
            _ => beside_pole(
                step,
                crossing.t,
                |system, t, y| values.at(system, (t, y.as_chunks().0))[0],
                state,
            ),
        });
        (first, undefined)
    }
}

/// When a condition becomes true before a zero of what it divides by, if it is true on one side of that.
fn beside_pole(
    step: &mut Step<'_, MotionSystem<'_>, 1>,
    pole: f64,
    mut value: impl FnMut(&mut MotionSystem<'_>, f64, &[f64]) -> f64,
    state: &mut [f64],
) -> Option<f64> {
    let mut before = step.t_old(0);
    let mut holds = |t: f64| {
        step.state(0, t, state);
        value(step.system(), t, state) >= 0.0
    };
    let sides = [pole.next_down().max(before), pole];
    let mut after = sides.into_iter().find(|&t| holds(t))?;
    for _ in 0..HALVES {
        let middle = f64::midpoint(before, after);
        *(if holds(middle) {
            &mut after
        } else {
            &mut before
        }) = middle;
    }
    Some(after)
}

/// What an expression divides by, or takes the logarithm of, in factors without their powers.
fn divisors(graph: &Graph, expression: ExprId) -> Vec<ExprId> {
    let mut open = Vec::new();
    for &id in Cone::new(graph, &[expression]).nodes() {
        match graph.node(id) {
            Node::Binary(Binary::Div, _, divisor) | Node::Unary(Unary::Log, divisor) => {
                open.push(divisor);
            }
            Node::Binary(Binary::Pow, base, power) if !is_positive(graph, power) => open.push(base),
            _ => {}
        }
    }
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        match graph.node(id) {
            Node::Binary(Binary::Mul | Binary::Div, a, b) => open.extend([a, b]),
            Node::Binary(Binary::Pow, a, _) | Node::Unary(Unary::Neg | Unary::Sqrt, a) => {
                open.push(a);
            }
            Node::Number(_) | Node::Pi => {}
            _ => found.push(id),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn is_positive(graph: &Graph, power: ExprId) -> bool {
    matches!(graph.node(power), Node::Number(n) if !graph.number_value(n).is_negative())
}
