//! Conditions of events, and that which ends a run: when they become true within a step.
//!
//! Each is looked for where its value rises through zero. A condition that has a pole where it becomes true,
//! as `1/x > 1e9`, is true for so short a time that this does not see it: so the zeros of what it divides by are looked
//! for too, and the condition is asked on both sides of each.
//!
//! Where a run goes on beside rows that are met but for rounding, a condition that says the same as a row is zero but for rounding, too: it
//! counts as true until it has been false by more than that. Conditions of events that would do nothing are not watched: a string that
//! is taut does not go taut.

use crate::motion::MotionSystem;
use crate::observed::Observed;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{ROUNDING, SOLVED};
use dalembert_mechanics::lower::Condition;
use dalembert_mechanics::terms::Terms;
use dalembert_ode::{Events, Step};

/// Halves of a stretch of time until it is two numbers next to each other.
const HALVES: usize = 64;

/// Conditions: each not negative where it is true.
pub(super) struct Conditions<'m> {
    /// Their values, then what they divide by.
    values: Observed<'m>,
    state: Vec<f64>,
    events: Events<1>,
    /// Whether each is true where it is zero.
    at_zero: Vec<bool>,
    /// Which condition each divisor is of.
    divisors: Vec<usize>,
    /// Those that become true first in the last step, and when.
    found: Vec<usize>,
    /// Sizes of the terms of each, where there are rows.
    terms: Option<Terms>,
    /// What rounding leaves of each that is zero where the run goes on.
    slack: Vec<f64>,
    watched: Vec<bool>,
}

/// What happens first in a step.
pub(crate) enum First {
    /// Conditions become true at a time: see [`Conditions::found`].
    True(f64),
    /// A condition is no number at a time.
    Undefined(usize, f64),
}

impl<'m> Conditions<'m> {
    /// Some conditions of a model, for states of a size; `None` if there are none.
    pub(super) fn new(
        mechanism: &'m Mechanism,
        conditions: &[Condition],
        size: usize,
    ) -> Option<Self> {
        let graph = &mechanism.system.graph;
        let mut outputs: Vec<ExprId> = conditions.iter().map(|it| it.value).collect();
        let mut of = Vec::new();
        for (index, condition) in conditions.iter().enumerate() {
            let found = divisors(graph, condition.value);
            of.resize(of.len() + found.len(), index);
            outputs.extend(found);
        }
        Some(Self {
            values: Observed::new(mechanism, graph, &outputs)?,
            state: vec![0.0; size],
            events: Events::new(conditions.len() + 2 * of.len(), size),
            at_zero: conditions.iter().map(|it| it.at_zero).collect(),
            divisors: of,
            found: Vec::with_capacity(conditions.len()),
            terms: (mechanism.equations.rows() > 0)
                .then(|| Terms::new(graph, &outputs[..conditions.len()])),
            slack: vec![0.0; conditions.len()],
            watched: vec![true; conditions.len()],
        })
    }

    fn count(&self) -> usize {
        self.at_zero.len()
    }

    /// The values at a state.
    pub(super) fn at(
        &mut self,
        system: &mut MotionSystem<'_>,
        state: (f64, &[[f64; 1]]),
    ) -> &[f64] {
        let count = self.count();
        &self.values.at(system, state)[..count]
    }

    /// Which of them are true at a state.
    pub(super) fn are_true(
        &mut self,
        system: &mut MotionSystem<'_>,
        state: (f64, &[[f64; 1]]),
    ) -> Result<Vec<bool>, usize> {
        let values = self.at(system, state).to_vec();
        if let Some(condition) = values.iter().position(|value| value.is_nan()) {
            return Err(condition);
        }
        let rounding = self.rounding();
        let values = values.iter().zip(rounding).zip(&self.at_zero);
        let is_true = |((value, rounding), at_zero): ((&f64, f64), &bool)| {
            *value > rounding || (*at_zero && *value >= -rounding)
        };
        Ok(values.map(is_true).collect())
    }

    /// What rounding leaves of each at the state last looked at.
    fn rounding(&self) -> Vec<f64> {
        match &self.terms {
            Some(terms) => {
                let sizes = terms.sizes(|symbol| self.values.value_of(symbol));
                sizes.into_iter().map(|size| SOLVED * size).collect()
            }
            None => vec![0.0; self.count()],
        }
    }

    /// Those that become true first in the step last looked at, in the order of the model.
    pub(super) fn found(&self) -> &[usize] {
        &self.found
    }

    /// Nothing that was found happens: something else was first.
    pub(super) fn forget(&mut self) {
        self.found.clear();
    }

    /// Takes notice of a state at which a run goes on, and of conditions that are true there whatever rounding says.
    pub(super) fn know(
        &mut self,
        system: &mut MotionSystem<'_>,
        state: (f64, &[[f64; 1]]),
        (fired, watched): (&[bool], Vec<bool>),
    ) {
        self.events.restart();
        let values = self.at(system, state).to_vec();
        let rounding = self.rounding();
        self.watched = watched;
        for (condition, value) in values.iter().enumerate() {
            let is_zero = value.abs() <= rounding[condition];
            self.slack[condition] = if is_zero { rounding[condition] } else { 0.0 };
            let known = match fired[condition] || is_zero {
                true => value.max(0.0),
                false => *value,
            };
            self.events.know(0, condition, known);
        }
    }

    /// Takes notice of a state at which a run goes on though nothing has happened.
    pub(super) fn resume(&mut self, system: &mut MotionSystem<'_>, state: (f64, &[[f64; 1]])) {
        self.events.restart();
        let values = self.at(system, state).to_vec();
        for (condition, value) in values.iter().enumerate() {
            let known = value + self.slack[condition];
            self.events.know(0, condition, known);
        }
    }

    /// What happens first in a step.
    pub(super) fn locate(&mut self, step: &mut Step<'_, MotionSystem<'_>, 1>) -> Option<First> {
        let count = self.count();
        let Self {
            values,
            state,
            events,
            divisors,
            slack,
            watched,
            ..
        } = self;
        let end = step.t_new(0);
        let mut undefined = None::<(usize, f64)>;
        let found = events.locate(step, 0, |system, t, y, g| {
            let values = values.at(system, (t, y.as_chunks().0));
            let (values, divided) = values.split_at(count);
            for (condition, value) in values.iter().enumerate().filter(|it| watched[it.0]) {
                // At a zero of what it divides by it need not have a value, unless it stays there.
                let own = divided.iter().zip(&*divisors);
                let mut own = own.filter(|(_, of)| **of == condition);
                if value.is_nan() && (t >= end || own.all(|(divisor, _)| *divisor != 0.0)) {
                    let first = undefined.is_none_or(|(_, first)| t < first);
                    undefined = if first {
                        Some((condition, t))
                    } else {
                        undefined
                    };
                }
            }
            for (condition, g) in g[..count].iter_mut().enumerate() {
                *g = match watched[condition] {
                    true => values[condition] + slack[condition],
                    false => -1.0,
                };
            }
            for (sides, divisor) in g[count..].chunks_exact_mut(2).zip(divided) {
                sides.copy_from_slice(&[*divisor, -divisor]);
            }
        });
        if found.is_empty() && undefined.is_none() {
            return None;
        }
        let crossings = found.to_vec();
        let mut times: Vec<(f64, usize)> = Vec::with_capacity(crossings.len());
        for crossing in &crossings {
            if crossing.event < count {
                times.push((crossing.t, crossing.event));
                continue;
            }
            let condition = divisors[(crossing.event - count) / 2];
            if !watched[condition] {
                continue;
            }
            let value = |system: &mut MotionSystem<'_>, t: f64, y: &[f64]| {
                values.at(system, (t, y.as_chunks().0))[condition]
            };
            let beside = beside_pole(step, crossing.t, value, state);
            times.extend(beside.map(|t| (t, condition)));
        }
        times.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let first = times.first().map(|&(t, _)| t);
        if let Some((condition, t)) = undefined
            && first.is_none_or(|first| t <= first)
        {
            return Some(First::Undefined(condition, t));
        }
        let first = first?;
        let last = first + ROUNDING * first.abs();
        let together = times.iter().take_while(|&&(t, _)| t <= last);
        self.found.clear();
        self.found.extend(together.map(|&(_, condition)| condition));
        self.found.sort_unstable();
        self.found.dedup();
        Some(First::True(first))
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
