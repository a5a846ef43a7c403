//! Bounds of expressions over stretches of their inputs, operation by operation (interval arithmetic): what they leave out no value takes.

use dalembert_expr::table::TableFunction;
use dalembert_expr::{Binary, Cone, ExprId, Graph, Node, SymbolId, Unary};
use dalembert_mechanics::decide::ROUNDING;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Least and largest value.
pub(super) type Bounds = [f64; 2];

pub(super) const WHOLE: Bounds = [f64::NEG_INFINITY, f64::INFINITY];

/// Some expressions, and the bounds of all their parts.
pub(super) struct Bounded {
    /// All, operands first.
    steps: Vec<Step>,
    bounds: Vec<Bounds>,
    /// Functions made of tables.
    tables: Vec<TableFunction>,
}

#[derive(Clone, Copy)]
pub(super) enum Step {
    Number(f64),
    /// The input of this number.
    Input(usize),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    /// The function of this number among those made of tables.
    Table(usize, usize),
}

/// What a symbol is.
pub(super) enum Given {
    Number(f64),
    Input(usize),
}

impl Bounded {
    /// The expressions of a cone, whose nodes are at their places there.
    pub(super) fn new(graph: &Graph, cone: &Cone, given: impl Fn(SymbolId) -> Given) -> Self {
        let mut tables: Vec<TableFunction> = Vec::new();
        let place = |id: ExprId| cone.position(id).unwrap_or(0);
        let step = |&id: &ExprId| match graph.node(id) {
            Node::Number(n) => Step::Number(graph.number_value(n).to_f64()),
            Node::Pi => Step::Number(PI),
            Node::Symbol(symbol) => match given(symbol) {
                Given::Number(value) => Step::Number(value),
                Given::Input(input) => Step::Input(input),
            },
            Node::Table(table, a) => {
                tables.push(graph.table_function(table).clone());
                Step::Table(tables.len() - 1, place(a))
            }
            Node::Unary(op, a) => Step::Unary(op, place(a)),
            Node::Binary(op, a, b) => Step::Binary(op, place(a), place(b)),
        };
        let steps: Vec<Step> = cone.nodes().iter().map(step).collect();
        Self {
            bounds: vec![WHOLE; steps.len()],
            steps,
            tables,
        }
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Bounds of a part over the stretch of inputs that was last looked at.
    pub(super) fn bounds(&self, part: usize) -> Bounds {
        self.bounds[part]
    }

    /// A part is between these bounds, too.
    pub(super) fn narrow(&mut self, part: usize, [low, high]: Bounds) {
        let own = &mut self.bounds[part];
        *own = [own[0].max(low), own[1].min(high)];
    }

    /// Looks at all over a stretch of the inputs.
    pub(super) fn bound(&mut self, inputs: &[Bounds]) {
        for (k, step) in self.steps.iter().enumerate() {
            self.bounds[k] = match *step {
                Step::Number(value) => [value, value],
                Step::Input(input) => inputs[input],
                Step::Table(table, a) => rounded(self.tables[table].bounds(self.bounds[a])),
                Step::Unary(op, a) => rounded(unary(op, self.bounds[a])),
                Step::Binary(op, a, b) => rounded(binary(op, self.bounds[a], self.bounds[b])),
            };
        }
    }
}

/// Whether a function is continuous: then it changes by no more than its derivative says, whose sides at a kink both count.
pub(super) fn is_smooth(graph: &Graph, id: ExprId) -> bool {
    let jumps = |&id: &ExprId| match graph.node(id) {
        Node::Unary(Unary::Sign, _) | Node::Table(..) => true,
        Node::Binary(op, ..) => op.is_condition() || op == Binary::Atan2,
        _ => false,
    };
    !Cone::new(graph, &[id]).nodes().iter().any(jumps)
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
