//! Conditions of events, and that which ends a run: when they become true within a step.
//!
//! Each is looked for where its value rises through zero. A condition that has a pole where it becomes true,
//! as `1/x > 1e9`, is true for so short a time that this does not see it: so the zeros of what it divides by are looked
//! for too, and the condition is asked on both sides of each.
//!
//! Where a run goes on beside rows that are met but for rounding, a condition that says the same as a row is zero but for rounding, too: it
//! counts as true until it has been false by more than that. `x > 0` where x sets out from 0 is yet to become true, and does so when x
//! is seen to be positive: what rests at zero never does. Conditions of events that would do nothing are not watched: a string that
//! is taut does not go taut.

use super::joined::Joined;
use crate::enclosure::Enclosures;
use crate::motion::MotionSystem;
use crate::observed::Observed;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::{ROUNDING, SOLVED};
use dalembert_mechanics::lower::Condition;
use dalembert_mechanics::terms::Terms;
use dalembert_ode::{Crossing, Events, Known, Step};

/// Halves of a stretch of time until it is two numbers next to each other.
const HALVES: usize = 64;

/// Conditions: each not negative where it is true.
pub(crate) struct Conditions<'m> {
    conditions: Vec<Joined>,
    /// The values of their comparisons, then what these divide by.
    values: Observed<'m>,
    enclosures: Enclosures,
    state: Vec<f64>,
    events: Events<1>,
    /// Whether each comparison is true where it is zero.
    at_zero: Vec<bool>,
    /// Which condition each divisor is of.
    divisors: Vec<usize>,
    /// Those that become true first in the last step, and when.
    found: Vec<usize>,
    /// Sizes of the terms of each comparison, where there are rows.
    terms: Option<Terms>,
    /// What rounding leaves of each comparison that is zero where the run goes on.
    slack: Vec<f64>,
    watched: Vec<bool>,
}

/// What happens first in a step.
pub(crate) enum First {
    /// Conditions become true at a time: see [`Conditions::found`].
    True(f64),
    /// Something is no number from a time on, and what it was is known up to that before.
    Undefined(Undefined, [f64; 2]),
}

/// What is no number.
#[derive(Clone, Copy)]
pub(crate) enum Undefined {
    /// This condition.
    Condition(usize),
    /// The gap of this contact.
    Gap(usize),
}

impl<'m> Conditions<'m> {
    /// Some conditions of a model, for states of a size; `None` if there are none.
    pub(crate) fn new(
        mechanism: &'m Mechanism,
        conditions: &[Condition],
        size: usize,
    ) -> Option<Self> {
        let graph = &mechanism.system.graph;
        let mut outputs: Vec<ExprId> = conditions.iter().flat_map(Condition::values).collect();
        let (joined, at_zero) = Joined::all(conditions);
        let compared = at_zero.len();
        let mut of = Vec::new();
        for comparison in 0..compared {
            let found = divisors(graph, outputs[comparison]);
            let condition = joined.iter().position(|it| it.has(comparison));
            of.resize(of.len() + found.len(), condition?);
            outputs.extend(found);
        }
        let condition_of = |it: usize| match it < compared {
            true => joined.iter().position(|joined| joined.has(it)),
            false => Some(of[it - compared]),
        };
        let enclosures = Enclosures::new(mechanism, graph, &outputs, |it| {
            condition_of(it).unwrap_or(it)
        });
        Some(Self {
            conditions: joined,
            values: Observed::new(mechanism, graph, &outputs)?,
            enclosures,
            state: vec![0.0; size],
            events: Events::new(conditions.len() + 2 * of.len(), size),
            at_zero,
            divisors: of,
            found: Vec::with_capacity(conditions.len()),
            terms: (mechanism.equations.rows() > 0)
                .then(|| Terms::new(graph, &outputs[..compared])),
            slack: vec![0.0; compared],
            watched: vec![true; conditions.len()],
        })
    }

    /// The values of the comparisons at a state.
    fn at(&mut self, system: &mut MotionSystem<'_>, state: (f64, &[[f64; 1]])) -> &[f64] {
        let compared = self.at_zero.len();
        &self.values.at(system, state)[..compared]
    }

    /// Which of them are true at a state.
    pub(crate) fn are_true(
        &mut self,
        system: &mut MotionSystem<'_>,
        state: (f64, &[[f64; 1]]),
    ) -> Result<Vec<bool>, usize> {
        let values = self.at(system, state).to_vec();
        let rounding = self.rounding();
        let holds = |comparison: usize| {
            let (value, rounding) = (values[comparison], rounding[comparison]);
            let holds = value > rounding || (self.at_zero[comparison] && value >= -rounding);
            (!value.is_nan()).then_some(holds)
        };
        let conditions = self.conditions.iter().enumerate();
        let all = conditions.map(|(index, it)| it.is_true(holds).ok_or(index));
        all.collect()
    }

    /// What rounding leaves of each comparison at the state last looked at.
    fn rounding(&self) -> Vec<f64> {
        match &self.terms {
            Some(terms) => {
                let sizes = terms.sizes(|symbol| self.values.value_of(symbol));
                sizes.into_iter().map(|size| SOLVED * size).collect()
            }
            None => vec![0.0; self.at_zero.len()],
        }
    }

    /// Those that become true first in the step last looked at, in the order of the model.
    pub(super) fn found(&self) -> &[usize] {
        &self.found
    }

    /// The first that changed too fast to be followed, and when.
    pub(super) fn unfollowed(&self) -> Option<(f64, usize)> {
        let count = self.conditions.len();
        let Crossing { event, t } = self.events.unfollowed()?;
        let of = |event: usize| match event < count {
            true => event,
            false => self.divisors[(event - count) / 2],
        };
        Some((t, of(event)))
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
        let is_zero = |comparison: usize| values[comparison].abs() <= rounding[comparison];
        // What is zero counts as true if it has just come true, or did so all the time; else it is yet to become true.
        let mut holds: Vec<bool> = self.at_zero.clone();
        for (condition, fired) in self.conditions.iter().zip(fired) {
            (0..holds.len())
                .filter(|&it| *fired && condition.has(it))
                .for_each(|it| holds[it] = true);
        }
        for (comparison, slack) in self.slack.iter_mut().enumerate() {
            holds[comparison] |= *slack > 0.0;
            *slack = match (is_zero(comparison), holds[comparison]) {
                (true, true) => rounding[comparison],
                (true, false) => -rounding[comparison],
                (false, _) => 0.0,
            };
        }
        for (index, condition) in self.conditions.iter().enumerate() {
            let value = condition.value(|it| match (is_zero(it), holds[it]) {
                (true, true) => values[it].max(0.0),
                (true, false) => values[it].min(-f64::MIN_POSITIVE),
                (false, _) => values[it],
            });
            let known = if fired[index] { value.max(0.0) } else { value };
            self.events.know(0, index, known);
        }
    }

    /// Takes notice of a state at which a run goes on though nothing has happened.
    pub(crate) fn resume(&mut self, system: &mut MotionSystem<'_>, state: (f64, &[[f64; 1]])) {
        self.events.restart();
        let values = self.at(system, state).to_vec();
        for (index, condition) in self.conditions.iter().enumerate() {
            let known =
                condition.value(|it| departed(values[it] + self.slack[it], self.at_zero[it]));
            self.events.know(0, index, known);
        }
    }

    /// What happens first in a step.
    pub(crate) fn locate(&mut self, step: &mut Step<'_, MotionSystem<'_>, 1>) -> Option<First> {
        let (count, compared) = (self.conditions.len(), self.at_zero.len());
        self.found.clear();
        let Self {
            conditions,
            values,
            enclosures,
            state,
            events,
            divisors,
            slack,
            watched,
            at_zero,
            ..
        } = self;
        let seen = |it: usize, value: f64| departed(value + slack[it], at_zero[it]);
        let end = step.t_new(0);
        let mut undefined = None::<(usize, f64)>;
        if end > step.t_old(0) {
            enclosures.take(step);
        }
        let known = |event: usize, times| {
            if event >= count {
                let divisor = enclosures.known(compared + (event - count) / 2, times);
                return match (event - count) % 2 {
                    0 => divisor,
                    _ => divisor.negative(),
                };
            }
            match watched[event] {
                true => conditions[event].known(|it| {
                    let known = enclosures.known(it, times);
                    let bounds = known.bounds.map(|bound| seen(it, bound));
                    Known { bounds, ..known }
                }),
                false => Known::always(-1.0),
            }
        };
        let values_at = |system: &mut MotionSystem<'_>, t: f64, y: &[f64], g: &mut [f64]| {
            let values = values.at(system, (t, y.as_chunks().0));
            let (values, divided) = values.split_at(compared);
            for (index, condition) in conditions.iter().enumerate() {
                g[index] = match watched[index] {
                    true => condition.value(|it| seen(it, values[it])),
                    false => -1.0,
                };
            }
            for (condition, value) in g[..count].iter().enumerate() {
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
            for (sides, divisor) in g[count..].chunks_exact_mut(2).zip(divided) {
                sides.copy_from_slice(&[*divisor, -divisor]);
            }
        };
        let found = events.locate_first_within(step, (0, count), values_at, known);
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
                let values = values.at(system, (t, y.as_chunks().0));
                conditions[condition].value(|it| departed(values[it], at_zero[it]))
            };
            let beside = beside_pole(step, crossing.t, value, state);
            times.extend(beside.map(|t| (t, condition)));
        }
        times.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let first = times.first().map(|&(t, _)| t);
        if let Some((condition, t)) = undefined
            && first.is_none_or(|first| t <= first)
        {
            let times = since_when(step, t, state, |system, t, y| {
                let values = values.at(system, (t, y.as_chunks().0));
                conditions[condition].value(|it| values[it])
            });
            return Some(First::Undefined(Undefined::Condition(condition), times));
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

/// The number of a comparison: what is zero is yet to depart from there where the comparison is not true of zero.
fn departed(value: f64, at_zero: bool) -> f64 {
    match value == 0.0 && !at_zero {
        true => -f64::MIN_POSITIVE,
        false => value,
    }
}

/// The last time of a step at which something is a number, and the next at which it is none, as it is at a later one.
pub(super) fn since_when<'m>(
    step: &mut Step<'_, MotionSystem<'m>, 1>,
    later: f64,
    state: &mut [f64],
    mut value: impl FnMut(&mut MotionSystem<'m>, f64, &[f64]) -> f64,
) -> [f64; 2] {
    let (mut before, mut after) = (step.t_old(0), later);
    for _ in 0..HALVES {
        let middle = f64::midpoint(before, after);
        step.state(0, middle, state);
        *(if value(step.system(), middle, state).is_nan() {
            &mut after
        } else {
            &mut before
        }) = middle;
    }
    [before, after]
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
pub(crate) fn divisors(graph: &Graph, expression: ExprId) -> Vec<ExprId> {
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
