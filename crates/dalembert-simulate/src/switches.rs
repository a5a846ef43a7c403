//! Times at which forces and rows switch: where the argument of a sign, an absolute value or a condition, or the difference under a
//! minimum or maximum changes its sign, or that of a table passes one of its points, and is a function of time alone. A run steps onto them, and sets out again behind: no pulse is stepped
//! over, however short, and no step is spoilt by a jump within it.
//!
//! They are looked for ahead, with bounds of the functions over whole stretches of time: a stretch in which no argument can vanish
//! is done with, others are halved. What changes its sign twice within the shortest stretch is not seen.

use dalembert_expr::table::{TableFunction, Taken};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::ROUNDING;
use dalembert_mechanics::start::State;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The shortest stretch, as part of the time that is looked at; longer ones after many of them.
const SHORTEST: f64 = 1e-12;
/// Stretches that are looked at before the shortest becomes longer, and by how much: functions whose bounds always
/// hold zero do not take for ever.
const MANY: usize = 4000;
const LONGER: f64 = 1e3;
/// Halves of a stretch until it is two numbers next to each other.
const HALVES: usize = 64;

/// A time at which something switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Switch {
    /// The last time before.
    pub(super) before: f64,
    /// The first time behind.
    pub(super) behind: f64,
}

/// What switches with time in a mechanism.
pub(super) struct Switches {
    /// Functions of time, operands first.
    steps: Vec<Step>,
    /// Those that switch something where they change their sign.
    arguments: Vec<usize>,
    bounds: Vec<Bounds>,
    /// Functions made of tables.
    tables: Vec<TableFunction>,
}

#[derive(Clone, Copy)]
enum Step {
    Number(f64),
    Time,
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    /// The function of this number among those made of tables.
    Table(usize, usize),
}

/// Least and largest value.
type Bounds = [f64; 2];

const WHOLE: Bounds = [f64::NEG_INFINITY, f64::INFINITY];

impl Switches {
    /// The switches of a mechanism; `None` if it has none.
    pub(super) fn new(mechanism: &Mechanism, state: &State) -> Option<Self> {
        let system = &mechanism.system;
        let graph = &system.graph;
        let cone = Cone::new(graph, &system.expressions());
        if !cone.nodes().iter().any(|&id| can_switch(graph, id)) {
            return None;
        }
        let mut steps = Vec::new();
        let mut arguments = Vec::new();
        let mut tables: Vec<TableFunction> = Vec::new();
        // The step of each node that is a function of time, or a number; and whether it is the first.
        let mut places: Vec<Option<(usize, bool)>> = Vec::with_capacity(cone.len());
        for &id in cone.nodes() {
            let place = |operand: ExprId| places[cone.position(operand)?];
            let found = match graph.node(id) {
                Node::Number(n) => Some((Step::Number(graph.number_value(n).to_f64()), false)),
                Node::Pi => Some((Step::Number(PI), false)),
                Node::Symbol(symbol) if symbol == system.symbols.time => Some((Step::Time, true)),
                Node::Symbol(symbol) => system
                    .symbols
                    .parameters
                    .contains(&symbol)
                    .then(|| (Step::Number(mechanism.value_of(symbol, state)), false)),
                Node::Table(table, a) => place(a).map(|(a, timed)| {
                    let function = graph.table_function(table);
                    if timed {
                        // At its knots it is stepped onto: no piece of it is stepped over.
                        arguments.push(steps.len());
                        steps.push(Step::Table(tables.len(), a));
                        tables.push(TableFunction {
                            taken: Taken::Sides,
                            ..function.clone()
                        });
                    }
                    tables.push(function.clone());
                    (Step::Table(tables.len() - 1, a), timed)
                }),
                Node::Unary(op, a) => place(a).map(|(a, timed)| {
                    if timed && matches!(op, Unary::Abs | Unary::Sign) {
                        arguments.push(a);
                    }
                    (Step::Unary(op, a), timed)
                }),
                Node::Binary(op, x, a) if op.is_condition() => {
                    // It switches also what is no function of time.
                    let argument = place(x);
                    arguments.extend(argument.filter(|&(_, timed)| timed).map(|(x, _)| x));
                    argument
                        .zip(place(a))
                        .map(|((x, is), (a, also))| (Step::Binary(op, x, a), is || also))
                }
                Node::Binary(op, a, b) => place(a).zip(place(b)).map(|((a, is), (b, also))| {
                    let timed = is || also;
                    if timed && matches!(op, Binary::Min | Binary::Max) {
                        arguments.push(steps.len());
                        steps.push(Step::Binary(Binary::Sub, a, b));
                    }
                    (Step::Binary(op, a, b), timed)
                }),
            };
            places.push(found.map(|(step, timed)| {
                steps.push(step);
                (steps.len() - 1, timed)
            }));
        }
        arguments.sort_unstable();
        arguments.dedup();
        (!arguments.is_empty()).then_some(Self {
            bounds: vec![WHOLE; steps.len()],
            steps,
            arguments,
            tables,
        })
    }

    /// The first switch from a time on, before an end.
    pub(super) fn next(&mut self, from: f64, end: f64) -> Option<Switch> {
        let mut shortest = SHORTEST * (end - from);
        let mut looked_at = 0;
        // Stretches still to be looked at, the earliest last.
        let mut stretches = vec![[from, end]];
        while let Some([a, b]) = stretches.pop() {
            self.bound([a, b]);
            if self
                .arguments
                .iter()
                .all(|&k| sign(self.bounds[k]).is_some())
            {
                continue;
            }
            looked_at += 1;
            if looked_at % MANY == 0 {
                shortest *= LONGER;
            }
            let middle = f64::midpoint(a, b);
            if b - a > shortest && a < middle && middle < b {
                stretches.extend([[middle, b], [a, middle]]);
                continue;
            }
            let found = (0..self.arguments.len())
                .filter_map(|k| self.change(k, [a, b], [from, end]))
                .min_by(|one, other| one.before.total_cmp(&other.before));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Where an argument changes its sign about a short stretch, if it does.
    fn change(&mut self, k: usize, [a, b]: [f64; 2], [from, end]: [f64; 2]) -> Option<Switch> {
        let place = self.arguments[k];
        self.bound([a, b]);
        if sign(self.bounds[place]).is_some() {
            return None;
        }
        let mut sign_at = |t: f64| {
            self.bound([t, t]);
            sign(self.bounds[place])
        };
        // Where rounding hides the sign at an end, farther out.
        let (mut before, mut behind) = (a, b);
        let mut way = (b - a).max(f64::EPSILON * b.abs());
        let (mut first, mut last) = (sign_at(before), sign_at(behind));
        while first.is_none() && before > from {
            before = (before - way).max(from);
            (first, way) = (sign_at(before), 2.0 * way);
        }
        while last.is_none() && behind < end {
            behind = (behind + way).min(end);
            (last, way) = (sign_at(behind), 2.0 * way);
        }
        // What cannot be told at the end does not matter any more.
        if last.is_none() || first == last {
            return None;
        }
        let [low, high] = [before, behind];
        let (mut low_end, mut high_end) = ([low, high], [low, high]);
        for _ in 0..HALVES {
            halve(&mut low_end, |t| sign_at(t) == first);
            halve(&mut high_end, |t| sign_at(t) != last);
        }
        Some(Switch {
            before: low_end[0],
            behind: high_end[1],
        })
    }

    /// Bounds of all functions over a stretch of time.
    fn bound(&mut self, time: Bounds) {
        for (k, step) in self.steps.iter().enumerate() {
            self.bounds[k] = match *step {
                Step::Number(value) => [value, value],
                Step::Time => time,
                Step::Table(table, a) => rounded(self.tables[table].bounds(self.bounds[a])),
                Step::Unary(op, a) => rounded(unary(op, self.bounds[a])),
                Step::Binary(op, a, b) => rounded(binary(op, self.bounds[a], self.bounds[b])),
            };
        }
    }
}

/// Halves a stretch with a change of what holds at its beginning.
fn halve([a, b]: &mut [f64; 2], mut holds: impl FnMut(f64) -> bool) {
    let middle = f64::midpoint(*a, *b);
    if *a < middle && middle < *b {
        *(if holds(middle) { a } else { b }) = middle;
    }
}

/// The sign of all values between bounds, if they have one.
fn sign([low, high]: Bounds) -> Option<i8> {
    match (low, high) {
        _ if low > 0.0 => Some(1),
        _ if high < 0.0 => Some(-1),
        _ if low == 0.0 && high == 0.0 => Some(0),
        _ => None,
    }
}

/// Whether a node has a kink or jumps where its (first) argument, or the difference of its arguments, changes its sign.
pub(super) fn can_switch(graph: &Graph, id: ExprId) -> bool {
    matches!(
        graph.node(id),
        Node::Unary(Unary::Abs | Unary::Sign, _)
            | Node::Table(..)
            | Node::Binary(
                Binary::Min | Binary::Max | Binary::Above | Binary::NotAbove,
                ..
            )
    )
}

/// Bounds that hold what rounding makes of values; no number may be any.
fn rounded([low, high]: Bounds) -> Bounds {
    if low.is_nan() || high.is_nan() {
        return WHOLE;
    }
    [low - ROUNDING * low.abs(), high + ROUNDING * high.abs()]
}

/// Bounds of a function that has its extreme values at the ends.
fn between(ends: impl IntoIterator<Item = f64>) -> Bounds {
    let nothing = [f64::INFINITY, f64::NEG_INFINITY];
    ends.into_iter().fold(nothing, |[low, high], value| {
        if value.is_nan() {
            WHOLE
        } else {
            [low.min(value), high.max(value)]
        }
    })
}

fn unary(op: Unary, [low, high]: Bounds) -> Bounds {
    let ends = || between([op.value(low), op.value(high)]);
    let holds_zero = low <= 0.0 && high >= 0.0;
    match op {
        Unary::Sin => wave(op, FRAC_PI_2, [low, high]),
        Unary::Cos => wave(op, 0.0, [low, high]),
        Unary::Tan if (low / PI + 0.5).floor() < (high / PI + 0.5).floor() => WHOLE,
        Unary::Abs if holds_zero => [0.0, high.max(-low)],
        Unary::Cosh if holds_zero => [1.0, op.value(high.max(-low))],
        // Beyond their domain they have no value: what they are there does not matter.
        Unary::Sqrt | Unary::Log => between([op.value(low.max(0.0)), op.value(high)]),
        Unary::Asin | Unary::Acos => between([op.value(low.max(-1.0)), op.value(high.min(1.0))]),
        _ => ends(),
    }
}

/// A sine, or a cosine, whose crests are at this phase.
fn wave(op: Unary, crest: f64, [low, high]: Bounds) -> Bounds {
    let reaches = |phase: f64| phase + TAU * ((low - phase) / TAU).ceil() <= high;
    if high - low >= TAU || !(high - low).is_finite() {
        return [-1.0, 1.0];
    }
    let [mut least, mut largest] = between([op.value(low), op.value(high)]);
    if reaches(crest) {
        largest = 1.0;
    }
    if reaches(crest - PI) {
        least = -1.0;
    }
    [least, largest]
}

fn binary(op: Binary, a: Bounds, b: Bounds) -> Bounds {
    let corners = || between(a.into_iter().flat_map(|a| b.map(|b| op.value(a, b))));
    match op {
        Binary::Add => [a[0] + b[0], a[1] + b[1]],
        Binary::Sub => [a[0] - b[1], a[1] - b[0]],
        // An end that is infinite may stand for zero times that.
        Binary::Mul if [a, b].map(sign).contains(&Some(0)) => [0.0; 2],
        Binary::Mul | Binary::Min | Binary::Max => corners(),
        Binary::Div if b[0] <= 0.0 && b[1] >= 0.0 => WHOLE,
        Binary::Div => corners(),
        Binary::Pow => power(a, b),
        Binary::Atan2 if a[0] < a[1] || b[0] < b[1] => [-PI, PI],
        Binary::Atan2 => corners(),
        Binary::Above if a[0] > 0.0 => b,
        Binary::NotAbove if a[1] <= 0.0 => b,
        Binary::Above if a[1] <= 0.0 => [0.0; 2],
        Binary::NotAbove if a[0] > 0.0 => [0.0; 2],
        Binary::Above | Binary::NotAbove => [b[0].min(0.0), b[1].max(0.0)],
    }
}

fn power([low, high]: Bounds, exponents: Bounds) -> Bounds {
    let ends = |bases: [f64; 2]| {
        between(
            bases
                .into_iter()
                .flat_map(|base| exponents.map(|n| Binary::Pow.value(base, n))),
        )
    };
    let n = exponents[0];
    let is_whole = exponents[1] - n == 0.0 && n.fract() == 0.0;
    match (low > 0.0, is_whole) {
        (true, _) | (_, true) if low > 0.0 || high < 0.0 => ends([low, high]),
        (_, true) if n > 0.0 && n % 2.0 == 0.0 => {
            between([0.0, Binary::Pow.value(high.max(-low), n)])
        }
        (_, true) if n > 0.0 => ends([low, high]),
        _ if low >= 0.0 && exponents[0] >= 0.0 => ends([low, high]),
        _ => WHOLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dalembert_mechanics::read_model;

    fn switches(force: &str) -> Option<Switches> {
        let text = format!(
            "dalembert = 1\n[parameters]\na = 1.5\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n\
             [force.f]\ngeneralized = {{ x = \"{force}\" }}\n"
        );
        let (model, _) = read_model(&text).expect("a model");
        let mechanism = Mechanism::new(model).expect("a mechanism");
        let start = mechanism.start().expect("a start");
        Switches::new(&mechanism, &start.state)
    }

    /// All switches of a force up to a time.
    fn times(force: &str, end: f64) -> Vec<f64> {
        let mut switches = switches(force).expect("switches");
        let (mut from, mut found) = (0.0, Vec::new());
        while let Some(switch) = switches.next(from, end) {
            assert!(
                switch.before >= from && switch.behind > switch.before,
                "{switch:?}"
            );
            from = switch.behind;
            found.push(f64::midpoint(switch.before, switch.behind));
        }
        found
    }

    fn assert_times(force: &str, end: f64, wanted: &[f64]) {
        let found = times(force, end);
        assert_eq!(found.len(), wanted.len(), "{force}: {found:?}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(
                (found - wanted).abs() < 1e-14 * (1.0 + wanted),
                "{force}: {found} for {wanted}"
            );
        }
    }

    #[test]
    fn switches_are_found_in_any_function_of_time() {
        let first = 0.9_f64.asin();
        assert_times(
            "max(0, sin(t) - 0.9)",
            9.0,
            &[first, PI - first, TAU + first, 3.0 * PI - first],
        );
        assert_times("sign(t - a) - sign(t - a - 1e-9)", 1e6, &[1.5, 1.5 + 1e-9]);
        assert_times("abs(t^3 - 2*t^2 - t + 2)", 10.0, &[1.0, 2.0]);
        assert_times("min(exp(-t), 0.5)", 50.0, &[2.0_f64.ln()]);
        assert_times(
            "sign(cos(1e3*t))",
            0.01,
            &[1.0, 3.0, 5.0].map(|k| k * FRAC_PI_2 / 1e3),
        );
        assert_times("sign(t)", 1.0, &[0.0]);
        assert_times("sign(sqrt(t) - 3)*abs(tan(t/100))", 50.0, &[0.0, 9.0]);
        // A touch is no change of sign, nor is what is zero for a while and was before.
        assert_times("abs(t^2 - 2*t + 1)", 3.0, &[]);
        assert_times("sign(max(0, t - 2))", 3.0, &[2.0]);
    }

    #[test]
    fn what_does_not_switch_by_time_alone_has_none() {
        assert!(switches("sin(t)").is_none());
        assert!(switches("abs(x - t)").is_none());
        assert!(switches("max(x, 0)*t").is_none());
    }

    /// Infinitely many zeros take no infinite time.
    #[test]
    fn the_search_is_bounded() {
        let mut wild = switches("sign(sin(1/(t - 1)))").expect("switches");
        assert!(wild.next(0.0, 2.0).is_some());
        let mut hidden = switches("sign(t*t - 2*t + 1 + 0*sin(1/t))").expect("switches");
        assert!(hidden.next(0.0, 2.0).is_none_or(|it| it.before < 1.1));
    }
}
