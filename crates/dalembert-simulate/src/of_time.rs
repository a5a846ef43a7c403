//! Functions of time alone in forces and rows, and their bounds over whole stretches of time.

use dalembert_expr::calculus::partial;
use dalembert_expr::table::{TableFunction, Taken};
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, Unary};
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
    /// Those that are no part of another and have a derivative everywhere, and it.
    slopes: Vec<[usize; 2]>,
    bounds: Vec<Bounds>,
    /// Bounds in the middle of a stretch of those that have a derivative.
    middles: Vec<Bounds>,
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
    /// The functions of time of a mechanism; `None` if nothing depends on time.
    pub(super) fn new(mechanism: &Mechanism, state: &State) -> Option<Self> {
        let system = &mechanism.system;
        let cone = Cone::new(&system.graph, &system.expressions());
        let is_time = |id: ExprId| match system.graph.node(id) {
            Node::Symbol(symbol) => symbol == system.symbols.time,
            _ => false,
        };
        cone.nodes().iter().copied().find(|&id| is_time(id))?;
        let mut graph = system.graph.clone();
        let Found {
            mut switching,
            mut ends,
        } = Found::new(mechanism, &cone, &mut graph);
        for ids in [&mut switching, &mut ends] {
            ids.sort_unstable();
            ids.dedup();
        }
        let all: Vec<ExprId> = switching.iter().chain(&ends).copied().collect();
        let mut slopes: Vec<[ExprId; 2]> = Vec::new();
        for &id in &ends {
            if is_smooth(&graph, id) {
                slopes.push([id, partial(&mut graph, id, system.symbols.time)]);
            }
        }
        let wanted: Vec<ExprId> = slopes.iter().map(|it| it[1]).chain(all).collect();
        let cone = Cone::new(&graph, &wanted);
        let mut tables: Vec<TableFunction> = Vec::new();
        // Every node is a function of time, or a number, and has the place of its step.
        let place = |id: ExprId| cone.position(id).unwrap_or(0);
        let step = |&id: &ExprId| match graph.node(id) {
            Node::Number(n) => Step::Number(graph.number_value(n).to_f64()),
            Node::Pi => Step::Number(PI),
            Node::Symbol(symbol) if symbol == system.symbols.time => Step::Time,
            Node::Symbol(symbol) => Step::Number(mechanism.value_of(symbol, state)),
            Node::Table(table, a) => {
                tables.push(graph.table_function(table).clone());
                Step::Table(tables.len() - 1, place(a))
            }
            Node::Unary(op, a) => Step::Unary(op, place(a)),
            Node::Binary(op, a, b) => Step::Binary(op, place(a), place(b)),
        };
        let steps: Vec<Step> = cone.nodes().iter().map(step).collect();
        let narrow = narrow(&steps);
        let peaked = ends.into_iter().map(place).filter(|&k| narrow[k]);
        Some(Self {
            bounds: vec![WHOLE; steps.len()],
            switching: switching.into_iter().map(place).collect(),
            peaked: peaked.collect(),
            middles: vec![WHOLE; slopes.len()],
            slopes: slopes.into_iter().map(|it| it.map(place)).collect(),
            steps,
            tables,
        })
    }

    /// Bounds of a function over the stretch of time that was last looked at.
    pub(super) fn bounds(&self, function: usize) -> Bounds {
        self.bounds[function]
    }

    /// Bounds of all functions over a stretch of time. Where parts of a function cancel, what these are bounded by says little; then what it is in
    /// the middle does, and how fast it can change: f(t) is within f(m) ± (b − a)/2 max |f'|.
    pub(super) fn bound(&mut self, time: Bounds) {
        let [a, b] = time;
        if a < b && !self.slopes.is_empty() {
            let middle = f64::midpoint(a, b);
            // The middle is rounded, too: as far as to the end that is farther.
            let half = (b - middle).max(middle - a);
            self.bound_by_parts([middle; 2]);
            for (middle, [function, _]) in self.middles.iter_mut().zip(&self.slopes) {
                *middle = self.bounds[*function];
            }
            self.bound_by_parts(time);
            for ([low, high], &[function, slope]) in self.middles.iter().zip(&self.slopes) {
                let [least, largest] = self.bounds[slope];
                let by = half * largest.max(-least);
                // What rounding leaves of the sum is part of its terms.
                let by = by + ROUNDING * (by + low.abs().max(high.abs()));
                let own = &mut self.bounds[function];
                if by.is_finite() {
                    *own = [own[0].max(low - by), own[1].min(high + by)];
                }
            }
            return;
        }
        self.bound_by_parts(time);
    }

    /// The same by their parts alone, which are exact where a function of a few operations is zero.
    pub(super) fn bound_by_parts(&mut self, time: Bounds) {
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

/// What is found in the expressions of a mechanism.
struct Found {
    /// Functions of time that switch something where they change their sign.
    switching: Vec<ExprId>,
    /// Functions of time that are no part of another.
    ends: Vec<ExprId>,
}

impl Found {
    /// In expressions, all parts of which are given, of a graph, to which what they are compared by is added.
    fn new(mechanism: &Mechanism, cone: &Cone, graph: &mut Graph) -> Self {
        let system = &mechanism.system;
        let mut ends: Vec<ExprId> = system.expressions();
        let mut switching = Vec::new();
        // Of each node: a function of time, a number, or neither.
        let mut kinds: Vec<Option<bool>> = Vec::with_capacity(cone.len());
        for &id in cone.nodes() {
            let kind = |operand: ExprId| kinds[cone.position(operand)?];
            let is_timed = |operand: ExprId| kind(operand) == Some(true);
            let node = graph.node(id);
            let found = match node {
                Node::Number(_) | Node::Pi => Some(false),
                Node::Symbol(symbol) if symbol == system.symbols.time => Some(true),
                Node::Symbol(symbol) => {
                    (system.symbols.parameters.contains(&symbol)).then_some(false)
                }
                Node::Table(_, a) | Node::Unary(_, a) => kind(a),
                Node::Binary(_, a, b) => kind(a).zip(kind(b)).map(|(a, b)| a || b),
            };
            match node {
                Node::Unary(Unary::Abs | Unary::Sign, a) if is_timed(a) => switching.push(a),
                // At its knots it is stepped onto: no piece of it is stepped over.
                Node::Table(table, a) if is_timed(a) => {
                    let function = TableFunction {
                        taken: Taken::Sides,
                        ..graph.table_function(table).clone()
                    };
                    switching.push(graph.table(&function, a));
                }
                // It switches also what is no function of time.
                Node::Binary(op, x, _) if op.is_condition() && is_timed(x) => switching.push(x),
                Node::Binary(Binary::Min | Binary::Max, a, b) if found == Some(true) => {
                    switching.push(graph.sub(a, b));
                }
                _ => {}
            }
            match node {
                _ if found.is_some() => {}
                // What is divided by may peak where it is least.
                Node::Binary(Binary::Div, a, b) => {
                    ends.push(a);
                    if is_timed(b) {
                        let one = graph.integer(1);
                        ends.push(graph.div(one, b));
                    }
                }
                node => ends.extend(node.operands()),
            }
            kinds.push(found);
        }
        let is_timed = |id: ExprId| match cone.position(id) {
            Some(place) => kinds[place] == Some(true),
            // Made of such functions a moment ago.
            None => true,
        };
        ends.retain(|&id| is_timed(id));
        Self { switching, ends }
    }
}

/// Whether a function is continuous: then it changes by no more than its derivative says, whose sides at a kink both count.
fn is_smooth(graph: &Graph, id: ExprId) -> bool {
    let jumps = |&id: &ExprId| match graph.node(id) {
        Node::Unary(Unary::Sign, _) | Node::Table(..) => true,
        Node::Binary(op, ..) => op.is_condition() || op == Binary::Atan2,
        _ => false,
    };
    !Cone::new(graph, &[id]).nodes().iter().any(jumps)
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
