//! Functions of time alone in forces and rows, and their bounds over whole stretches of time.

use dalembert_expr::table::{TableFunction, Taken};
use dalembert_expr::{Binary, Cone, ExprId, Node, Unary};
use dalembert_mechanics::Mechanism;
use dalembert_mechanics::decide::ROUNDING;
use dalembert_mechanics::start::State;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Powers up to which a power of a sine has no narrow peaks.
const BROAD: f64 = 4.0;

/// The functions of time of a mechanism.
pub(super) struct OfTime {
    /// All, operands first.
    steps: Vec<Step>,
    /// Those that switch something where they change their sign.
    pub(super) switching: Vec<usize>,
    /// Those that are no part of another, and may have peaks that are narrow beside the times they change in elsewhere.
    pub(super) peaked: Vec<usize>,
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
pub(super) type Bounds = [f64; 2];

pub(super) const WHOLE: Bounds = [f64::NEG_INFINITY, f64::INFINITY];

impl OfTime {
    /// The functions of time of a mechanism.
    pub(super) fn new(mechanism: &Mechanism, state: &State) -> Self {
        let system = &mechanism.system;
        let graph = &system.graph;
        let cone = Cone::new(graph, &system.expressions());
        let mut steps = Vec::new();
        let mut arguments = Vec::new();
        let mut tables: Vec<TableFunction> = Vec::new();
        let mut ends: Vec<ExprId> = system.expressions();
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
        let timed_at = |id: ExprId| places[cone.position(id)?].filter(|&(_, timed)| timed);
        let mut divisors = Vec::new();
        for (&id, place) in cone.nodes().iter().zip(&places) {
            match graph.node(id) {
                _ if place.is_some() => {}
                // What is divided by may peak where it is least.
                Node::Binary(Binary::Div, a, b) => {
                    ends.push(a);
                    if let Some((b, _)) = timed_at(b) {
                        steps
                            .extend([Step::Number(1.0), Step::Binary(Binary::Div, steps.len(), b)]);
                        divisors.push(steps.len() - 1);
                    }
                }
                node => ends.extend(node.operands()),
            }
        }
        let narrow = narrow(&steps);
        let ends = ends.into_iter().filter_map(timed_at).map(|it| it.0);
        let mut peaked: Vec<usize> = ends.chain(divisors).filter(|&k| narrow[k]).collect();
        peaked.sort_unstable();
        peaked.dedup();
        Self {
            bounds: vec![WHOLE; steps.len()],
            steps,
            switching: arguments,
            peaked,
            tables,
        }
    }

    /// Bounds of a function over the stretch of time that was last looked at.
    pub(super) fn bounds(&self, function: usize) -> Bounds {
        self.bounds[function]
    }

    /// Bounds of all functions over a stretch of time.
    pub(super) fn bound(&mut self, time: Bounds) {
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

/// Which functions may have narrow peaks: none that is made of sums, products, sines and low powers of the time only.
fn narrow(steps: &[Step]) -> Vec<bool> {
    let (mut timed, mut narrow) = (Vec::with_capacity(steps.len()), Vec::new());
    for step in steps {
        let (is, may) = match *step {
            Step::Number(_) => (false, false),
            Step::Time => (true, false),
            // Tables are stepped onto at every point.
            Step::Table(_, a) | Step::Unary(Unary::Sin | Unary::Cos | Unary::Neg, a) => {
                (timed[a], narrow[a])
            }
            Step::Unary(_, a) => (timed[a], timed[a]),
            Step::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b) => {
                (timed[a] || timed[b], narrow[a] || narrow[b])
            }
            Step::Binary(op, a, b) => {
                let broad = match (op, &steps[b]) {
                    (Binary::Div, _) => !timed[b],
                    (Binary::Pow, Step::Number(n)) => n.fract() == 0.0 && (0.0..=BROAD).contains(n),
                    _ => false,
                };
                let is = timed[a] || timed[b];
                (is, if broad { narrow[a] } else { is })
            }
        };
        timed.push(is);
        narrow.push(may);
    }
    narrow
}

/// The sign of all values between bounds, if they have one.
pub(super) fn sign([low, high]: Bounds) -> Option<i8> {
    match (low, high) {
        _ if low > 0.0 => Some(1),
        _ if high < 0.0 => Some(-1),
        _ if low == 0.0 && high == 0.0 => Some(0),
        _ => None,
    }
}

/// Bounds that hold what rounding makes of values; no number may be any.
fn rounded([low, high]: Bounds) -> Bounds {
    if low.is_nan() || high.is_nan() {
        return WHOLE;
    }
    // What overflows is a number for all that.
    let (low, high) = (low.min(f64::MAX), high.max(-f64::MAX));
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
